"""Looking ahead: a bot that draws what it cannot see, plays on, and does what has paid most."""
