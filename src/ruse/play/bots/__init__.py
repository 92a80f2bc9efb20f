"""Bots: what one is, by name, in pairs, in which manner, and on trial."""
