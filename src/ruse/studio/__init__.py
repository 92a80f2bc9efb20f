"""The studio: a page in the browser for runs, strategies, styles and play. A thin skin, as the command line is."""
