"""CFR-p: when a player of Mahjong chooses a policy, between which, and by what features."""
