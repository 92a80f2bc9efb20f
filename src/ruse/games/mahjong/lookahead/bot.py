"""The bot `search`: it looks ahead at every decision, from what its player sees alone."""

from typing import Any, NamedTuple

from ruse.compile import checked_kernel, compiled, compiled_twin
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.games.mahjong.actions import WIN
from ruse.games.mahjong.distances.four_melds import FourMelds, four_melds
from ruse.games.mahjong.lookahead import hidden
from ruse.games.mahjong.lookahead.hidden import lay_hidden, lay_known, turns_of_other
from ruse.games.mahjong.lookahead.plans import ACTION, POLICY, WON, book, is_better, list_plans, played_out, promising
from ruse.games.mahjong.lookahead.plans import ROOM as PLANS_ROOM
from ruse.games.mahjong.row import WIDTH
from ruse.games.mahjong.telling.observation import LEGAL, SIZE
from ruse.protocol.game import Game

# The memory is scratch paper, and nothing on it outlasts a decision: a row as it was drawn, one that is played out,
# what players see there, room for the drawing, and the plans.
ROW, WORK, LOOK, HIDDEN = 0, WIDTH, 2 * WIDTH, 2 * WIDTH + SIZE
PLANS = HIDDEN + hidden.ROOM
ROOM = PLANS + PLANS_ROOM
MOST = 10  # of the fields that are not games
POLICY_NAMES = ("normal", "pongponghu", "seven_pairs")


@compiled("watch", "decide")
class LookingAhead(NamedTuple):
    """Tries plans (`plans.py`) on hidden tiles that it draws (`hidden.py`), and does what has won most.

    All plans meet the same tiles. The games come in rounds: after each the worse half of the plans is dropped, and all
    that have not won more than what `normal` does. That is done in the end if no other is clearly better. Made by
    `searching`.
    """

    pattern: FourMelds
    playouts: int = 400  # games that are played out at a decision
    slack: int = 0  # discards are tried that take a hand at most so much farther than the best
    farther: int = 2  # a pattern is tried that is at most so much farther away than four melds are
    errors: float = 1.5  # what `normal` would not do must have won so many standard errors more
    practice: float = 1.0  # the other's tiles are drawn as if he had so many turns for each of his discards

    @property
    def name(self) -> str:
        return "search"

    def refuse_unfit(self, game: Game) -> None:
        if not 1 <= self.playouts <= 1_000_000:
            raise RuseError(f"playouts must be 1 to 1000000, got {self.playouts}")
        for field in ("slack", "farther", "errors", "practice"):
            if not 0 <= (value := getattr(self, field)) <= MOST:
                raise RuseError(f"{field} must be 0 to {MOST}, got {value}")

    def memory_size(self, game: Game) -> int:
        return ROOM

    def watch(self, game, seen, me, memory):
        pass

    def decide(self, game, seen, me, memory, count, u):
        if count == 1:
            return 0
        if seen[LEGAL + 1] == WIN:
            return 1
        return looked_ahead(self, game, seen, me, memory, count, u)

    def thought(self, game: Game, seen: Any, me: int, before: Any, after: Any) -> dict[str, Any]:
        return {"policy": POLICY_NAMES[int(after[PLANS + POLICY])]}  # with which it means to go on

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items() if name != "pattern")
        return f"searching({fields})"


def searching(playouts: int = 400) -> LookingAhead:
    """The bot with the tables of its patterns, which are made once."""
    return LookingAhead(four_melds(), playouts)


def looked_ahead(bot, game, seen, me, memory, count, u):
    """The action that has won most. In plain Python this takes a kernel, too: it is some hundred games."""
    return look_ahead_now(bot, game, seen, me, memory, count, u)


@compiled_twin(looked_ahead)
def look_ahead(bot, game, seen, me, memory, count, u):
    """The same, which kernels run; tests run it as it stands."""
    row, work, look = memory[ROW:WORK], memory[WORK:LOOK], memory[LOOK:HIDDEN]
    room, plans = memory[HIDDEN:PLANS], memory[PLANS:ROOM]
    lay_known(seen, me, count, row)
    alive = list_plans(bot.pattern, game, seen, count, bot.slack, bot.farther, plans)
    turns, seed = int(bot.practice * turns_of_other(seen)), int(u * 2.0**53)
    rounds, drawn, usual = 1, 0, 0
    while 1 << rounds < alive:
        rounds += 1
    for _ in range(rounds):
        if alive == 1:
            break
        for _ in range(max(1, bot.playouts // (rounds * alive))):
            drawn += 1
            lay_hidden(bot.pattern, seen, me, turns, mix(seed, drawn), room, row)
            for i in range(alive):
                for c in range(WIDTH):
                    work[c] = row[c]
                payoff = played_out(bot.pattern, game, work, look, me, plans[ACTION + i], plans[POLICY + i])
                usual = payoff if i == 0 else usual
                book(plans, i, payoff - usual)
        alive = promising(plans, alive)
    chosen = 0
    for i in range(1, alive):
        if is_better(plans, i, bot.errors) and plans[WON + i] > plans[WON + chosen]:
            chosen = i
    plans[ACTION], plans[POLICY] = plans[ACTION + chosen], plans[POLICY + chosen]
    return plans[ACTION]


@checked_kernel
def look_ahead_now(bot, game, seen, me, memory, count, u):
    return looked_ahead(bot, game, seen, me, memory, count, u)
