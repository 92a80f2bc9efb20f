"""What pruning saves, in nodes and in the processor's time."""
