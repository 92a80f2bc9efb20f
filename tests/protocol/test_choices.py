"""Action abstraction: choices are what they say, engines walk through them, and matches play what they mean."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import ruse
from ruse.errors import RuseError
from ruse.games.cheat.bots import BOTS
from ruse.games.cheat.cards import CLAIM, HANDS, RANK, WHO, count_of, nth_discard, num_discards, width
from ruse.games.cheat.rules import Cheat
from ruse.games.cheat.sketch import Sketch
from ruse.games.cheat.views import Memoryless, view_of
from ruse.play.match import match
from ruse.protocol.choices import AsItIs, Offered, Offering
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.solve.sampled.engine import SampledEngine
from ruse.strategy import Strategy

HALF = Cheat(**Cheat.NAMED["half"])
MID = Cheat(**Cheat.NAMED["mid"], max_turns=20)
SETTINGS = [HALF, MID, Cheat(), Cheat(ranks=4, copies=3, deal=5, hp=2), Cheat(ranks=6, deal=4, allow_pass=True),
            Cheat(ranks=5, copies=4, deal=5, players=3, hp=-1, max_turns=30)]  # fmt: skip


def decisions(game: Cheat, games: int) -> Iterator[State]:
    """Decisions of random games."""
    draw = np.random.default_rng(0)
    for _ in range(games):
        state = State.of(game)
        while not state.is_over:
            if not state.is_chance:
                yield state
            state = state.child(int(draw.integers(len(state.actions))))


def slow_choices(game: Cheat, state: State) -> list[list[int]]:
    """The discards of Sketch as cards by rank: n true ones, n others, all true ones and n others."""
    s, ranks = state.row, game.ranks
    hand = [int(count_of(s[HANDS + s[WHO]], r, width(game.copies))) for r in range(ranks)]
    rank, most = int(s[RANK]), game.max_discard or game.copies

    def waiting(r: int) -> int:
        """Turns of one's own until the rank comes up; a large number for never."""
        return next((t for t in range(1, ranks) if (rank + t * game.players) % ranks == r), 1000 - (r - rank) % ranks)

    others = sorted((r for r in range(ranks) for _ in range(hand[r]) if r != rank), key=waiting, reverse=True)
    true = [rank] * hand[rank]
    laid = [true[:n] for n in range(1, min(len(true), most) + 1)]
    laid += [others[:n] for n in range(1, min(len(others), most) + 1)]
    if true:
        laid += [true + others[:n] for n in range(1, min(len(others), most - len(true)) + 1)]
    return [[cards.count(r) for r in range(ranks)] for cards in laid]


@pytest.mark.parametrize("game", SETTINGS, ids=repr)
def test_choices_are_what_they_say(game: Cheat) -> None:
    view, widths, seen = Sketch(), {}, 0
    for state in decisions(game, 12):
        s, bits = state.row, width(game.copies)
        n = view.num_choices(game, s)
        assert widths.setdefault(view.key(game, s), n) == n, "the key determines how many there are"
        meant = [int(view.meaning(game, s, a)) for a in range(n)]
        assert len(set(meant)) == n
        if s[CLAIM] > 0:
            assert meant == [0, 1]
            continue
        if game.allow_pass:
            assert meant.pop() == num_discards(game, s)
        cards = [nth_discard(game, s, a)[0] for a in meant]
        assert [[int(count_of(c, r, bits)) for r in range(game.ranks)] for c in cards] == slow_choices(game, state)
        seen += 1
    assert seen > 20


def test_a_sketch_does_not_see_the_others_cards() -> None:
    for state in decisions(HALF, 3):
        hidden = state.row.copy()
        hidden[HANDS + 1 - state.row[WHO]] = 0  # its size stays
        assert Sketch().key(HALF, hidden) == Sketch().key(HALF, state.row)


def test_a_view_that_offers_everything_changes_no_bit() -> None:
    plain = SampledEngine(ruse.Leduc(), ruse.mccfr("external"), seed=3)
    offered = SampledEngine(ruse.Leduc(), ruse.mccfr("external"), seed=3, view=AsItIs(Full()))
    for engine in (plain, offered):
        engine.run(0, 300)
    assert isinstance(offered.walked[0].twist, Offered)
    assert all(np.array_equal(a, b) for a, b in zip(plain.rows(), offered.rows(), strict=True))
    assert plain.facts == offered.facts


@pytest.fixture(scope="module")
def strategy() -> Strategy:
    engine = SampledEngine(MID, ruse.lcfr(walk="probing"), seed=0, view=Sketch())
    engine.run(0, 3_000)
    return Strategy(MID, *engine.rows(), view=Sketch())


@pytest.mark.usefixtures("unveiled")
def test_a_strategy_plays_what_its_choices_mean(strategy: Strategy) -> None:
    result = match(MID, [strategy, BOTS["naive"]], deals=1_000, seed=1)
    assert result.win_rate[0] > 0.6

    class Watcher:
        """The naive bot in plain Python's care: the match is then played there."""

        name = "Naive"

        def act(self, seat: ruse.Seat) -> int:
            return int(seat.u * len(seat.actions))

    slow, quick = (match(MID, [strategy, bot], deals=20, seed=2) for bot in (Watcher(), ruse.RandomBot()))
    assert slow.by_seat == quick.by_seat


def test_a_strategy_comes_back_from_its_file(strategy: Strategy, tmp_path: Path) -> None:
    strategy.save(tmp_path / "sketch.strategy")
    again = Strategy.load(tmp_path / "sketch.strategy")
    assert again.view == Sketch() == view_of("sketch", MID)
    assert match(MID, [again, BOTS["naive"]], deals=100, seed=1) == match(
        MID, [strategy, BOTS["naive"]], deals=100, seed=1
    )


def test_what_needs_all_actions_is_refused(strategy: Strategy) -> None:
    tiny = Cheat()
    with pytest.raises(RuseError, match=r"^Sketch\(ahead=2\) offers actions of its own, which only sampled walks"):
        ruse.train(tiny, ruse.cfr(), iterations=1, view=Sketch())
    run = ruse.train(tiny, ruse.lcfr(walk="probing"), iterations=50, view=Sketch())
    assert np.isnan(run.exploitability)
    for judge in (ruse.exploitability, ruse.lower_bound):
        with pytest.raises(RuseError, match=r"it can play, but not be judged exactly$"):
            judge(tiny, run.strategy)
    assert isinstance(Sketch(), Offering)
    assert not isinstance(Memoryless(), Offering)
