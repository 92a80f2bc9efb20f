"""Commands that look: at games, at strategies, at what they are worth."""
