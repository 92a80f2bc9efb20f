"""The table of infosets that sampled walks fill, on one thread or several."""
