"""How strong five to seven cards are, and how often a hand wins."""
