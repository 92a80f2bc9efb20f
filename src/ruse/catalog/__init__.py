"""Games, views and rules by name, and which files may be run to find them."""
