"""How large a game is, and what memory there is for it, before anything large is made."""
