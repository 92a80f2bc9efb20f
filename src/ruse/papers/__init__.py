"""The papers' experiments, ours beside theirs: one package a paper, one file a table or figure."""
