"""Reviews of a sampled table by best responses in the whole game."""
