"""Passes of whole ranges over a public tree, and what happens at its nodes."""
