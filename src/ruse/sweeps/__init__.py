"""Many trainings: a grid of jobs, done wherever there is room, ending in one table and one picture."""
