"""`ruse check`: whether a game keeps the laws, and whether a view or a bot sees more than it may."""
