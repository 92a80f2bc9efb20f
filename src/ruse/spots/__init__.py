"""Spots of hold'em, solved: their strategies on disk, and what is asked of them at any place."""
