"""What is asked of a training, as one value."""
