"""Training: engines with one face, stops, starts, lessons and teachers."""
