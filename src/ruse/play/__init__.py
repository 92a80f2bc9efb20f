"""Bots, seats and matches."""
