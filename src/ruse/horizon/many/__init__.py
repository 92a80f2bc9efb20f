"""Hold'em before the flop for any number of players, with a blueprint behind the flop."""
