"""How many iterations a cluster runs before what was learned is shared: few enough to lose little, and the same always.

Chunks of one round do not see each other. Each of them corrects the same regrets, and together they correct too much:
it costs a factor that grows with the iterations of a round *as a share of all before it*. So a round is a small share
of what is done, and grows with it: after minutes it is long enough to be worth sending. Iterations of one chunk alone
lose nothing, so as long as a round would be shorter than one iteration for each worker, one works alone.
"""

from ruse.solve.table.threads import VISITS, WORK, Round

SHARE = 512  # a round is one of so many parts of what is done: see docs/scale.md
ALONE = 2_000_000  # histories of a round of one chunk
LONGEST = 10_000_000  # histories of a chunk: seconds, which is what Ctrl-C waits for


def next_round(done: int, histories: int, infosets: int, workers: int) -> Round:
    """The round after `done` iterations, which have visited so many histories and met so many infosets."""
    each = max(1, histories // max(done, 1))
    iterations = min(done // SHARE, workers * max(1, LONGEST // each))
    if iterations >= workers:
        return Round(iterations, workers)
    if each >= WORK and workers * each <= VISITS * infosets:  # they seldom meet, as on threads
        return Round(workers, workers)
    return Round(max(1, min(ALONE // each, done)), 1)
