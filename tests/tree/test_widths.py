"""Games so wide that a walk which explores all actions never ends an iteration, and games that are merely large."""

import pytest

import ruse
from ruse.errors import RuseError
from ruse.games.mahjong.rules import Mahjong
from ruse.games.mahjong.views import CfrP
from ruse.training.engines.chosen import refuse_vast
from ruse.training.jobs.job import Job
from ruse.tree.measure.widths import is_vast

HALF_DECK = ruse.Cheat(ranks=7, copies=4, deal=6, hp=-1, max_turns=40)


@pytest.mark.parametrize("game", [ruse.Kuhn(), ruse.Leduc(), ruse.LiarsDice(dice=2), HALF_DECK])
def test_large_is_not_vast(game) -> None:
    assert not is_vast(game, everyone=False)


def test_all_discards_of_all_turns_are() -> None:
    assert is_vast(Mahjong(), everyone=False)
    assert is_vast(HALF_DECK, everyone=True)


@pytest.mark.parametrize("walk", ["external", "chance"])
def test_refused(walk: str) -> None:
    with pytest.raises(RuseError, match=r"more than 1e\+12 histories an iteration.*: --walk outcome$"):
        refuse_vast(Job(Mahjong(), ruse.mccfr(walk), iterations=1))


def test_one_line_is_played_in_any_game() -> None:
    refuse_vast(Job(Mahjong(), ruse.mccfr("outcome"), iterations=1))
    refuse_vast(Job.typed(Mahjong(), {}))  # three choices a player
    refuse_vast(Job(HALF_DECK, ruse.mccfr("external"), iterations=1))
    refuse_vast(Job(Mahjong(), iterations=1))  # not sampled: its size is measured


def test_a_walk_by_averages_explores_all_at_first_and_a_robust_one_so_many() -> None:
    for walk in ("average", "robust:k=9"):
        with pytest.raises(RuseError, match=r"more than 1e\+12 histories an iteration"):
            refuse_vast(Job(Mahjong(), ruse.mccfr(walk), iterations=1))
    refuse_vast(Job(Mahjong(), ruse.mccfr("robust"), iterations=1))
    refuse_vast(Job(ruse.Leduc(), ruse.mccfr("average"), iterations=1))


def test_policies_chosen_at_every_turn() -> None:
    often = CfrP(times=19, apart=2)
    with pytest.raises(RuseError, match=r"plays up to 1e\+09 lines an iteration where policies are chosen so often"):
        refuse_vast(Job(Mahjong(), ruse.mccfr("external"), view=often, iterations=1))
    refuse_vast(Job(Mahjong(), ruse.mccfr("outcome"), view=often, iterations=1))
    refuse_vast(Job(Mahjong(), ruse.mccfr("chance"), view=CfrP(), iterations=1))
    refuse_vast(Job(Mahjong(), ruse.mccfr("external"), view=CfrP(times=6, apart=6), iterations=1))
