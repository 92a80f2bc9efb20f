"""How strong a strategy for Hold'em is: responses to it, and luck taken out of matches."""
