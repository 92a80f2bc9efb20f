"""Engines with one face, and which of them a job asks for."""
