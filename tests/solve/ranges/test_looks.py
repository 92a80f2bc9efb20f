"""Looks come where the target is expected."""

from ruse.solve.ranges.looks import Look, next_look, run_to


class Falling:
    """An engine whose exploitability is 40 / iterations^1.5."""

    def __init__(self) -> None:
        self.done = 0

    def run(self, done: int, iterations: int) -> None:
        assert done == self.done
        self.done += iterations

    def gap(self) -> float:
        return 40.0 / self.done**1.5


def test_a_steady_fall_takes_few_looks() -> None:
    engine = Falling()
    looks = list(run_to(engine, 0.01, 10_000))  # type: ignore[arg-type]
    needed = (40.0 / 0.01) ** (2 / 3)
    assert looks[-1].gap <= 0.01
    assert looks[-1].iteration < 1.05 * needed
    assert len(looks) < 10


def test_it_goes_on_from_the_looks_before() -> None:
    engine = Falling()
    first = list(run_to(engine, 0.0, 100))  # type: ignore[arg-type]
    assert first[-1].iteration == 100
    more = list(run_to(engine, 0.0, 150, looks=first))  # type: ignore[arg-type]
    assert more[-1].iteration == engine.done == 150
    assert list(run_to(engine, 1.0, 500, looks=more)) == []  # type: ignore[arg-type]


def test_no_progress_is_no_reason_to_stop() -> None:
    assert next_look([Look(100, 1.0), Look(110, 1.2)], 0.5) > 110
    assert next_look([Look(100, 1.0), Look(110, 0.0)], 0.0) > 110
