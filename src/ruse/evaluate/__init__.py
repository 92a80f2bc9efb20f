"""Evaluation: exact values and best responses, and matches with their error."""
