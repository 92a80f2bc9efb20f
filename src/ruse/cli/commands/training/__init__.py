"""Commands that train, and tell of what was trained."""
