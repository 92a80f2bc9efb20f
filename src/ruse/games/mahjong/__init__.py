"""Two-player Mahjong with 64 tiles."""
