"""Games that are solved up to a horizon: what comes after it is told by strategies for the rest."""
