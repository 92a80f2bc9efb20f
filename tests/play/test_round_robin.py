"""A round robin: who has won what against whom, with the error of it."""

import pytest

from ruse.bots import RandomBot
from ruse.errors import RuseError
from ruse.games.kuhn import Kuhn
from ruse.play.match import match
from ruse.play.round_robin import RoundRobin, Winning, rounds_of
from ruse.spread.here import Threads
from ruse.strategy import Strategy

KUHN = Kuhn()


def three() -> dict[str, object]:
    return {"a": Strategy.uniform(KUHN), "b": Strategy.uniform(KUHN), "c": Strategy.uniform(KUHN)}


def test_what_two_rounds_have_won_is_what_one_match_of_both_would_tell() -> None:
    """Winnings are taken out of what a match tells, and added up."""
    results = [match(KUHN, [Strategy.uniform(KUHN)] * 2, deals=deals, seed=seed) for deals, seed in ((40, 1), (60, 2))]
    both = Winning.of(results[0], 1) + Winning.of(results[1], 1)
    for result in results:
        one = Winning.of(result, 1)
        assert one.mean == pytest.approx(result.mean[1])
        assert (one.mean - one.margin, one.mean + one.margin) == pytest.approx(result.interval[1])
        assert one.win_rate == pytest.approx(result.win_rate[1])
    assert both.deals == 100
    assert both.mean == pytest.approx((40 * results[0].mean[1] + 60 * results[1].mean[1]) / 100)
    assert 0.0 < both.margin < max(Winning.of(result, 1).margin for result in results)


def test_every_pair_meets() -> None:
    robin = RoundRobin(KUHN, three(), deals=60, seed=4)
    seen: list[tuple[int, ...]] = []
    played = [robin.played for _ in robin.play(lambda table, deals: seen.append(tuple(table)))]
    assert robin.tables == [(0, 1), (0, 2), (1, 2)]
    assert seen[:1] == [(0, 1)]
    assert set(seen) == set(robin.tables)
    assert played == sorted(played)
    assert played[-1] == robin.planned == 180
    for one, other in ((0, 1), (0, 2), (1, 2)):  # of zero sum
        assert robin.against(one, other).mean == pytest.approx(-robin.against(other, one).mean)
        assert robin.against(one, other).deals == 60
    assert robin.overall(0).deals == 120
    assert robin.overall(0).total == pytest.approx(robin.against(0, 1).total + robin.against(0, 2).total)


def test_the_same_seed_gives_the_same_table() -> None:
    def table(seed: int) -> list[Winning]:
        robin = RoundRobin(KUHN, three(), deals=40, seed=seed)
        for _ in robin.play():
            pass
        return [robin.overall(k) for k in range(3)]

    assert table(1) == table(1)
    assert table(1) != table(2)


def test_tables_side_by_side_tell_the_same() -> None:
    robins = [RoundRobin(KUHN, three(), deals=60, seed=5) for _ in range(2)]
    for robin, options in zip(robins, ({}, {"over": Threads(3)}), strict=True):
        assert sum(1 for _ in robin.play(**options)) == 9
        assert robin.played == robin.planned
    assert robins[0].won == robins[1].won


def test_three_sit_at_a_table_of_three() -> None:
    robin = RoundRobin(Kuhn(players=3), {name: RandomBot() for name in "abcd"}, deals=2)
    assert robin.tables == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]


def test_whoever_watches_can_end_it() -> None:
    class Enough(Exception):
        pass

    def stop(table: object, deals: int) -> None:
        if deals:
            raise Enough

    robin = RoundRobin(KUHN, three(), deals=40)
    with pytest.raises(Enough):
        list(robin.play(stop))


@pytest.mark.parametrize(("names", "deals", "why"), [("a", 10, "2 seats, got 1"), ("ab", 1, "at least 2, got 1")])
def test_what_cannot_be_played_is_refused(names: str, deals: int, why: str) -> None:
    with pytest.raises(RuseError, match=why):
        RoundRobin(KUHN, dict.fromkeys(names, RandomBot()), deals=deals)


def test_rounds_add_up() -> None:
    for deals in (2, 3, 39, 40, 41, 999, 10_000):
        assert sum(rounds_of(deals)) == deals
        assert min(rounds_of(deals)) >= 2
