"""A game as a viewer sees it: facts, words, numbers, and the table."""
