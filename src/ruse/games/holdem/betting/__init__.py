"""Betting: sizes as people write them, menus, what may be paid, and who gets the chips."""
