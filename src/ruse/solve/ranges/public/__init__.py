"""The public tree of a game whose private cards are dealt first, and the boards in it."""
