"""Subgames: a game from given rows on, a game that ends early, and strategies that go from one to the other."""
