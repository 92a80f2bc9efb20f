"""Many independent pieces of work, spread: one after the other, over threads, over processes, or over a cluster."""
