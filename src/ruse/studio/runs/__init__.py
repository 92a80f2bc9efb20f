"""Runs, their form and the papers: what is trained, and commands that outlive the studio."""
