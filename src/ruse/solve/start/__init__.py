"""What was learned, for another training to start from."""
