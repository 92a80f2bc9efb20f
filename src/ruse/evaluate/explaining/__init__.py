"""What a strategy does and what it is worth, told to people."""
