"""How strong the agent that looks ahead is in whole hands, where that is known."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rough_hands import few_buckets, rough_table

from ruse.catalog.names import game
from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.holdem import pairs, rooms
from ruse.evaluate.holdem.local import Local, winnings
from ruse.evaluate.holdem.pairs import HoldingPairs
from ruse.evaluate.holdem.whole_ranges import LinesPart, won_in_part
from ruse.games.holdem.rules import Holdem
from ruse.horizon.search import strength as measured
from ruse.horizon.search.agent import Searching
from ruse.horizon.search.strength import Approach, DrawnSpot, Estimate, OnSpot, Strength, played_on, strength
from ruse.store import tensors
from ruse.strategy import Strategy

GAME = Holdem(stack=3.0)  # next to no lines


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (pairs, rooms):
        monkeypatch.setattr(module, "starting_equities", rough_table)
    monkeypatch.setattr("ruse.horizon.search.agent.RUNOUTS", 2)


def nobodys(made: Holdem = GAME) -> Strategy:
    nothing: Any = np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0)
    return Strategy(made, *nothing, view=few_buckets())


def agent(iterations: int = 20) -> Searching:
    return Searching(nobodys(), seconds=600.0, iterations=iterations)


class AsItIs(Searching):
    """Looks ahead, and finds that its blueprint is right."""

    def rows(self, node: int, board: list[int], ends_at: float | None = None) -> Any:
        return self.blueprint_rows(node, board)


@pytest.mark.slow
def test_who_plays_the_blueprint_wins_nothing_and_loses_what_it_does() -> None:
    """And responses to it win in whole ranges what they win hand by hand: two ways to draw the same."""
    found = strength(AsItIs(nobodys()), spots=12, seed=1)
    assert not found.gains.any()
    np.testing.assert_array_equal(found.locals[:, 0], found.locals[:, -1])
    (plain,) = winnings(nobodys(), Local(0), deals=1_500, seed=2)
    ours = found.lost(0)
    assert abs(ours.mean - plain.mean) < 2.0 * plain.margin
    assert ours.margin == np.inf, "a dozen that are all alike tell no interval"


def test_what_is_measured_is_what_the_agent_plays() -> None:
    """On a board, by the rows that it has there; whoever does anything alike loses to it, and cannot do worse by it."""
    bot, spot = agent(60), DrawnSpot((0, 13, 27, 40, 50), 0)
    approach = Approach.of(bot)
    lines, board = bot.bucketed.lines, list(spot.board)
    found = played_on(bot, approach, spot)
    assert found.gains[0] == 0.0
    part = LinesPart.below(
        lines, approach.flops[0], {street: HoldingPairs.on(board[: street + 2]) for street in (1, 2, 3)}
    )

    def ahead(n: int) -> Any:
        return bot.rows(n, board)

    def plain(n: int) -> Any:
        return bot.blueprint_rows(n, board)

    start = approach.reach[0]
    gain = (won_in_part(part, (ahead, plain), start) - won_in_part(part, (plain, ahead), start)) / 2.0
    assert found.gains[-1] == pytest.approx(gain, abs=1e-12)
    assert gain > 0.0
    assert won_in_part(part, (ahead, ahead), start) - won_in_part(part, (plain, ahead), start) > 0.0


def test_spots_are_drawn_by_number_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def on_spot(bot: Searching, approach: Approach, spot: DrawnSpot) -> OnSpot:
        return OnSpot(np.full(4, float(sum(spot.board))), np.full((4, 4, 2), float(spot.flop)))

    monkeypatch.setattr(measured, "played_on", on_spot)
    kept, bot, told = tmp_path / "kept.safetensors", agent(), list[float | None]()
    strength(bot, spots=2, seed=4, kept=kept, tell=lambda what, share: told.append(share))
    later = strength(bot, spots=5, seed=4, kept=kept, tell=lambda what, share: told.append(share))
    at_once = strength(bot, spots=5, seed=4)
    np.testing.assert_array_equal(later.gains, at_once.gains)
    np.testing.assert_array_equal(later.locals, at_once.locals)
    assert len(np.unique(later.gains[:, 0])) == 5
    assert told == [0.5, 1.0, 0.6, 0.8, 1.0]
    approach = Approach.of(bot)
    spots = [DrawnSpot.drawn(approach, 4, number) for number in range(5)]
    odds = approach.odds[[spot.flop for spot in spots]]
    np.testing.assert_allclose(later.gains[:, 0] * odds, [sum(spot.board) for spot in spots])
    with pytest.raises(FileTrouble, match=r"was measured with seed 4, .* not with seed 5, "):
        strength(bot, spots=3, seed=5, kept=kept)
    with pytest.raises(FileTrouble, match=r"was measured with .* 20 iterations, .* not with .* 30 iterations"):
        strength(agent(30), spots=3, seed=4, kept=kept)
    agent_of_another = agent()
    agent_of_another.bucketed = agent_of_another.bucketed._replace(sigma=agent_of_another.bucketed.sigma * 0.5)
    with pytest.raises(FileTrouble, match="was measured with seed 4, blueprint"):
        strength(agent_of_another, spots=3, seed=4, kept=kept)


def test_kept_spots_that_are_damaged_or_old(tmp_path: Path) -> None:
    kept, bot = tmp_path / "kept.safetensors", agent()
    asked = measured.asked_of(bot, 4)
    measured.keep(kept, np.ones((2, 4)), np.ones((2, 4, 4, 2)), asked)
    raw = kept.read_bytes()
    kept.write_bytes(raw[:-1] + b"7")
    with pytest.raises(FileTrouble, match="is damaged"):
        strength(bot, spots=2, seed=4, kept=kept)
    measured.keep(kept, np.ones((2, 4)), np.ones((1, 4, 4, 2)), asked)
    with pytest.raises(FileTrouble, match="its arrays are not those of spots"):
        strength(bot, spots=2, seed=4, kept=kept)
    tensors.write(kept, {"gains": np.ones((2, 4))}, {"format": "ruse-strength/1", "seed": "4"})
    with pytest.raises(FileTrouble, match="does not say of which blueprint it is"):
        strength(bot, spots=2, seed=4, kept=kept)


def test_estimates() -> None:
    each = np.array([1.0, 2.0, 3.0, 6.0])
    found = Estimate.of(each)
    assert found == (3.0, pytest.approx(3.182 * each.std(ddof=1) / 2.0, rel=1e-3)), "three degrees of freedom"
    assert str(found) == "+3000 +- 3437 mbb a hand"
    locals_ = np.arange(2 * 4 * 4 * 2, dtype=float).reshape(2, 4, 4, 2)
    made = Strength(np.zeros((2, 4)), locals_, np.ones((4, 2)), 0)
    assert made.lost(1, up_to=0).mean == pytest.approx(locals_[:, 0, 1].mean() + 1.0)
    assert made.lost_more(1) == (pytest.approx(24.0), np.inf), "four spots that are all alike tell no interval"


def test_what_cannot_be_measured() -> None:
    with pytest.raises(RuseError, match="spots must be at least 2, got 1"):
        strength(agent(), spots=1)
    with pytest.raises(RuseError, match="nothing to look ahead to"):
        Approach.of(Searching(nobodys(game("holdem:hu_pre20"))))  # type: ignore[arg-type]
