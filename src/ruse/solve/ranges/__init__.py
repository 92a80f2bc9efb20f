"""The range engine: whole ranges of hands move over a public tree."""
