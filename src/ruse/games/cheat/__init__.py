"""Cheat with Health Points: rules, views, bots and words."""
