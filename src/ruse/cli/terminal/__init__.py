"""What all commands share: options, names, output, progress, signals and a table to play at."""
