"""From a game to its tree: walking, counting, and the sequence form."""
