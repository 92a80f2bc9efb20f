"""The commands, one a file, by what they are for."""
