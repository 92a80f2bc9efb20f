"""Sampled walks, one a file, and the engine that runs them."""
