"""Preferences: which infosets they mean, and how they change a choice."""
