"""Spots: two ranges on a board, with a pot and bets to choose from; as data, as text, and as a game."""
