"""Commands that play, and show what was played."""
