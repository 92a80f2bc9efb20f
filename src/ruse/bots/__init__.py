"""Bots: whoever can choose an action from what its player may see."""
