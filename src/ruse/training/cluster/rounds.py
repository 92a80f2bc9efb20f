"""How many iterations a cluster runs before what was learned is shared: few enough to lose little, and the same always.

Chunks of one round do not see each other. Each of them corrects the same regrets, and together they correct too much:
it costs a factor that grows with the iterations of a round *as a share of all before it*. So a round is a small share
of what is done. But regrets grow as the square root of what is done only: a round that stays the same share of it
overtakes them, and exploitability falls no further. So a round also visits an infoset no more than a few times, as on
threads: once the table has stopped growing, rounds do, too. Iterations of one chunk alone lose nothing, so as long as a
round would have less for a worker than is worth sending, one works alone; in a small game that is for good.
"""

from ruse.solve.table.threads import VISITS, WORK, Round

SHARE = 512  # a round is one of so many parts of what is done: see docs/scale.md
WORTH = WORK  # histories of a chunk that is worth sending
ALONE = 2_000_000  # histories of a round of one chunk
LONGEST = 10_000_000  # histories of a chunk: seconds, which is what Ctrl-C waits for


def next_cluster_round(done: int, histories: int, infosets: int, workers: int) -> Round:
    """The round after `done` iterations, which have visited so many histories and met so many infosets."""
    each = max(1, histories // max(done, 1))
    iterations = min(done // SHARE, VISITS * infosets // each, workers * max(1, LONGEST // each))
    if workers > 1 and iterations >= workers and iterations * each >= workers * WORTH:
        return Round(iterations, workers)
    if each >= WORK and workers * each <= VISITS * infosets:  # they seldom meet, as on threads
        return Round(workers, workers)
    return Round(max(1, min(ALONE // each, done)), 1)
