"""The full-width engine."""
