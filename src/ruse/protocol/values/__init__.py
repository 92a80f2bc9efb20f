"""Games and parts as values: made from text, compared, and what was made of them kept."""
