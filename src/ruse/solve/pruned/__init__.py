"""The engine that leaves out what does not matter."""
