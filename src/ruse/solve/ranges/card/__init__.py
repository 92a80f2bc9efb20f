"""The range engine on a graphics card: all boards at once, a level of the betting tree at a time."""
