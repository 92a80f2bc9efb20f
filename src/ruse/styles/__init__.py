"""Style in numbers: metrics, equilibria, and the search for a strategy that plays as one says."""
