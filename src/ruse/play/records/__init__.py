"""Records of games, in our form and in others."""
