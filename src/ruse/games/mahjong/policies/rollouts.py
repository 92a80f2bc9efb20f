"""Search at the level of moves: what is hidden is drawn at random, each action is tried, and Normal plays on.

The action that wins most over all draws is taken. The draws are the same for all actions, so that luck with the tiles
cancels out. All of it is made from what a player sees: unseen tiles are dealt to the other's hand and to the wall.
"""

from typing import NamedTuple

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.games.mahjong.actions import MOST_ACTIONS, WIN
from ruse.games.mahjong.distances.four_melds import FourMelds, four_melds
from ruse.games.mahjong.observation import (
    LEGAL,
    OTHER_CHOWS,
    OTHER_MELDS,
    OTHER_RIVER,
    OTHER_SIZE,
    OWN_CHOWS,
    OWN_HAND,
    OWN_MELDS,
    OWN_RIVER,
    ROUND,
    SEEN_DREW,
    SEEN_PHASE,
    SEEN_TILE,
    SIZE,
    UNSEEN,
)
from ruse.games.mahjong.policies.search import ALL_MELDS, search
from ruse.games.mahjong.row import (
    A_COLUMN,
    BACK,
    CHOW_BIT,
    DREW,
    FRONT,
    HANDS,
    MELDS,
    OPTIONS,
    PHASE,
    RIVERS,
    TILE,
    WALL,
    WALL_TILES,
    WHO,
    WIDTH,
)
from ruse.games.mahjong.tiles import KINDS, LOWS, TILES, some
from ruse.protocol.game import OVER, Game

# What is kept in the memory while a decision is made: a row with the hidden tiles drawn, one that is played on from
# there, what is seen in it, the unseen tiles one by one, and what each action has won.
TRIAL, SCRATCH, POOL = WIDTH, 2 * WIDTH, 2 * WIDTH + SIZE
SCORES = POOL + TILES


@compiled("watch", "decide")
class Rollouts(NamedTuple):
    """Plays each action out from so many draws of what is hidden. Made by `rollouts`."""

    pattern: FourMelds
    samples: int = 16
    longest: int = 200  # decisions of a game that is played out; one that is not over by then is worth nothing
    name = "rollouts"

    def memory_size(self, game: Game) -> int:
        return SCORES + MOST_ACTIONS

    def lighter(self) -> "Rollouts":
        """The same with less to do, for first games in plain Python."""
        return self._replace(samples=1, longest=2)

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        if count == 1:
            return 0
        if seen[LEGAL + 1] == WIN:
            return 1
        for a in range(count):
            memory[SCORES + a] = 0
        number = int(u * 2.0**53)
        for sample in range(self.samples):
            hidden(seen, me, memory, mix(number, sample))
            for a in range(count):
                row = memory[TRIAL:SCRATCH]
                for c in range(WIDTH):
                    row[c] = memory[c]
                game.apply(row, a)
                play_on(game, self.pattern, row, memory[SCRATCH:POOL], self.longest)
                if game.player(row) == OVER:
                    memory[SCORES + a] += int(game.payoff(row, me))
        best = search(self.pattern, ALL_MELDS, seen, count)  # what Normal does, where nothing wins more
        for a in range(count):
            if memory[SCORES + a] > memory[SCORES + best]:
                best = a
        return best

    def __repr__(self) -> str:
        return f"rollouts(samples={self.samples})"


def rollouts(samples: int = 16) -> Rollouts:
    return Rollouts(four_melds(), samples)


@compiled_function
def play_on(game, pattern, row, seen, longest):
    """Let Normal play both hands to the end."""
    for _ in range(longest):
        player = game.player(row)
        if player == OVER:
            return
        game.observe(row, player, seen)
        game.apply(row, search(pattern, ALL_MELDS, seen, game.num_actions(row)))


@compiled_function
def hidden(seen, me, row, number):
    """Write a row in which a player sees this, with what is hidden drawn at random."""
    for c in range(WIDTH):
        row[c] = 0
    other, left = 1 - me, 0
    for kind in range(KINDS):
        row[HANDS + me] += some(kind, seen[OWN_HAND + kind])
        row[RIVERS + me] += some(kind, seen[OWN_RIVER + kind])
        row[RIVERS + other] += some(kind, seen[OTHER_RIVER + kind])
        row[MELDS + me] |= seen[OWN_MELDS + kind] << 2 * kind
        row[MELDS + other] |= seen[OTHER_MELDS + kind] << 2 * kind
        for _ in range(seen[UNSEEN + kind]):
            row[POOL + left] = kind
            left += 1
    for low in range(LOWS):
        row[MELDS + me] += seen[OWN_CHOWS + low] << CHOW_BIT + 3 * low
        row[MELDS + other] += seen[OTHER_CHOWS + low] << CHOW_BIT + 3 * low
    for k in range(left - 1, 0, -1):
        j = (mix(number, k) & 0xFFFFFFFF) % (k + 1)
        row[POOL + k], row[POOL + j] = row[POOL + j], row[POOL + k]
    for k in range(seen[OTHER_SIZE]):
        row[HANDS + other] += some(row[POOL + k], 1)
    row[FRONT], row[BACK] = seen[ROUND], 0  # from which end tiles were drawn makes no difference any more
    for k in range(seen[OTHER_SIZE], left):
        place = seen[ROUND] + k - seen[OTHER_SIZE]
        if place < WALL_TILES:
            row[WALL + place // A_COLUMN] |= row[POOL + k] << 4 * (place % A_COLUMN)
    row[WHO], row[PHASE] = me, seen[SEEN_PHASE]
    row[TILE], row[DREW] = seen[SEEN_TILE], seen[SEEN_DREW]
    for a in range(len(seen) - LEGAL):
        if seen[LEGAL + a] >= 0:
            row[OPTIONS] |= 1 << seen[LEGAL + a]
