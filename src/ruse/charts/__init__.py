"""Pictures from plain numbers: curves, mixes, differences and trees; for notebooks, files and terminals."""
