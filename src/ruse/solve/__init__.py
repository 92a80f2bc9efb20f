"""Solvers: the exact engine over the sequence form, and the rules that update it."""
