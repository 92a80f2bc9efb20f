"""Commands that give a character, and tell its price."""
