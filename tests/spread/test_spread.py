"""Many pieces of work: the same answers from every place, and nothing lost with a process."""

import math
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from marks import posix

from ruse.errors import RuseError
from ruse.spread import cluster, pieces, processes
from ruse.spread.here import InTurn, Threads
from ruse.spread.pieces import Answer, Spreading, heeding, import_name, results_of
from ruse.spread.places import place_named
from ruse.spread.processes import Processes

PLACES = [InTurn(), Threads(), Threads(3), Processes(1), Processes(2)]


def answers(place: Spreading, work: Callable[[Any], Any], given: list[Any]) -> list[Answer]:
    return sorted(answer for hearing in place.spread(work, given) for answer in hearing.answers)


@pytest.mark.parametrize("place", PLACES, ids=repr)
def test_all_places_say_the_same(place: Spreading) -> None:
    numbers = [2.0, 0.5, 1e-300, 9.0]
    assert list(results_of(place, math.sqrt, numbers)) == [math.sqrt(x) for x in numbers]
    assert list(results_of(place, math.sqrt, [])) == []


def test_results_come_in_order_whoever_is_first() -> None:
    gates = [threading.Event() for _ in range(3)]

    def work(number: int) -> int:
        if number < 2:
            assert gates[number + 1].wait(60)
        gates[number].set()
        return number

    assert list(results_of(Threads(3), work, [0, 1, 2])) == [0, 1, 2]


@pytest.mark.parametrize("place", [InTurn(), Threads(2)], ids=repr)
def test_what_a_piece_raises_here_is_raised(place: Spreading) -> None:
    with pytest.raises(ValueError, match=r"math domain|nonnegative"):
        list(results_of(place, math.sqrt, [1.0, -1.0]))


def test_what_a_piece_raises_there_is_told_and_the_rest_goes_on() -> None:
    found = answers(Processes(1), math.sqrt, [4.0, -1.0, "x", 9.0])
    assert [answer.result for answer in found] == [2.0, None, None, 3.0]
    assert str(found[1].trouble).startswith("ValueError: ")
    assert str(found[2].trouble).startswith("TypeError: ")
    with pytest.raises(RuseError, match=r"^ValueError: "):
        list(results_of(Processes(1), math.sqrt, [-1.0]))


def test_what_is_printed_there_is_no_answer() -> None:
    assert answers(Processes(1), print, ["{}", "hello"]) == [Answer(0), Answer(1)]


@posix
def test_a_piece_that_ends_its_process_is_given_up_after_some_tries() -> None:
    hearings = list(Processes(2).spread(signal.raise_signal, [int(signal.SIGKILL), 0, 0]))
    found = sorted(answer for hearing in hearings for answer in hearing.answers)
    told = "its process was lost 3 times, the last one ended by SIGKILL; is there memory enough?"
    assert found[0] == Answer(0, trouble=told)
    assert [how for hearing in hearings for how in hearing.lost] == ["ended by SIGKILL"] * 3
    assert all(answer.trouble != told for answer in found[1:]), "0 is no signal, which is told by whoever goes on"


@posix
def test_whoever_leaves_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE", 0.1)
    crew: list[processes.Helper] = []
    made = processes.Helper.__init__

    def noted(self: processes.Helper, *given: Any) -> None:
        made(self, *given)
        crew.append(self)

    monkeypatch.setattr(processes.Helper, "__init__", noted)
    hearings = Processes(2).spread(time.sleep, [600.0, 600.0])
    assert next(hearings).at_work == (0, 1)
    hearings.close()  # type: ignore[attr-defined]
    assert len(crew) == 2
    assert all(one.process.poll() is not None for one in crew)


def test_what_is_at_work_hears_that_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_are_unwanted", [])
    told: list[str] = []
    with heeding(lambda: told.append("now")):
        pieces.stop_all()
    with heeding(lambda: told.append("at once")):
        pass
    assert told == ["now", "at once"]


def test_work_for_other_processes_has_a_name() -> None:
    assert import_name(pieces.import_name) == "ruse.spread.pieces:import_name"
    for work in (lambda piece: piece, answers.__get__(1), InTurn().spread, 5):
        with pytest.raises(RuseError, match=r"^other processes cannot find .*: give a function of a module"):
            import_name(work)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, -1, 5_000])
def test_how_many_at_once(count: int) -> None:
    with pytest.raises(RuseError, match=f"^jobs at once must be a number from 1 to 4096, got {count}$"):
        Processes().ready(count)
    assert Processes().ready(None, threads=1 << 20).at_once == 1
    assert Processes().ready(3).at_once == 3


def test_places_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert place_named("cpu") == (Processes(), "cpu")
    assert place_named("gpu") == (Processes(), "gpu"), "many jobs here, each of them there"
    assert place_named("ray") == (cluster.Cluster("ray"), "cpu")
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(RuseError, match=r'^a cluster needs Ray: pip install "ruse\[ray\]"$'):
        place_named("ray://x:1")[0].ready(None)
    with pytest.raises(RuseError, match=r"^ray has as many jobs at once as it has cores; leave --jobs 3 out$"):
        place_named("ray")[0].ready(3)
