"""Policies: each seeks one winning pattern, by the distance to it. They are bots, and the actions of CFR-p."""
