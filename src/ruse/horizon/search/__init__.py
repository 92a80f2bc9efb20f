"""An agent that solves what is left of a hand before it moves."""
