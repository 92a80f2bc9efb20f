"""Looking inside: nodes and hands of a strategy, styles and their price, round robins."""
