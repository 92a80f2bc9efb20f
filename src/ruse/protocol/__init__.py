"""What a game, a state, a view and a decision are, and the laws that every game obeys."""
