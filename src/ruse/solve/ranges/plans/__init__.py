"""Plans: what iterations do not change, made from a game or a spot."""
