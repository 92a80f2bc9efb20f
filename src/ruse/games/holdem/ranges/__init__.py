"""Ranges: a weight for each of the 1,326 hands of two cards, read from the usual notation and written in it."""
