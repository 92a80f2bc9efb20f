"""Tables to play at, and replays: the server owns the rules, and a seat hears only what it may."""
