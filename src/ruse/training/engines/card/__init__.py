"""Engines on a graphics card, each with the processor's engine beside it for what is not an iteration."""
