"""What a solver is, as data: a rule, a walk, a pruning, a preference."""
