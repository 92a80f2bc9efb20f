"""Games from other programs, and ours for them."""
