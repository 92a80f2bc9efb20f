"""A few deals that all came out alike do not tell how others would."""

import math

import ruse
from ruse.play.bots.bot import Seat
from ruse.play.round_robin import RoundRobin

KUHN = ruse.Kuhn()


class First:
    """Takes the first action."""

    def act(self, seat: Seat) -> int:
        return 0


def test_two_deals_that_came_out_alike_do_not_tell_an_interval() -> None:
    first, many = (ruse.match(KUHN, [First(), First()], deals=deals) for deals in (2, 1_000))
    assert first.interval == ((-math.inf, math.inf),) * 2
    assert "+0.0000 +- ? (too few, all alike)" in str(first)
    assert "too few deals, all alike" in first._repr_html_()
    assert many.interval == ((0.0, 0.0),) * 2  # in each seat once, with the same cards
    assert "+0.0000 +- 0.0000" in str(many)
    robin = RoundRobin(KUHN, {"one": First(), "other": First()}, deals=2)
    list(robin.play())
    assert math.isinf(robin.overall(0).margin)
    longer = RoundRobin(KUHN, {"one": First(), "other": First()}, deals=100)  # in rounds of twenty
    list(longer.play())
    assert longer.overall(0).margin == 0.0
