"""What ends of a game are worth to whole ranges of hands."""
