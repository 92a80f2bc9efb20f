"""How far a hand is from each winning pattern."""
