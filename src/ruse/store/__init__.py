"""Files: tensors, records, checkpoints and runs."""
