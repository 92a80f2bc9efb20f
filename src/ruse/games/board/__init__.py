"""Games on a board of cells that players see in part."""
