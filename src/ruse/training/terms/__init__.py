"""What may be said of a training: when it stops, what it starts from, whom it faces, where it runs, by what engine."""
