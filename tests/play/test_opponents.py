"""Opponents by name: bots of the game, strategy files and runs, as a terminal or a browser asks for them."""

from pathlib import Path

import pytest
from hostile_bots import written

import ruse
from ruse.errors import FileTrouble, RuseError
from ruse.play.opponents import opponent
from ruse.play.session import Person, Session

KUHN = ruse.Kuhn()


def test_whoever_a_name_means_can_sit_down(tmp_path: Path) -> None:
    file, runs = tmp_path / "kuhn.strategy", tmp_path / "runs"
    ruse.resume(ruse.new_run(runs, KUHN, ruse.cfr(), iterations=10)).strategy.save(file)
    ends = set()
    for text in (str(file), "last", "random"):
        found = opponent(text, KUHN, runs=runs)
        session = Session.start(KUHN, [Person(), found], seed=3)
        assert session.names == ["you", text]
        session.act(0, "bet")
        ends.add(session.end().history)
    assert len(ends) <= 2
    assert opponent("heuristic:threshold=0.2", ruse.Cheat()).bot.threshold == 0.2


def test_names_that_mean_nobody(tmp_path: Path) -> None:
    for text, words in (
        ("nobody", r"there is no strategy file 'nobody', and .*; kuhn has the bots random"),
        ("nobody.strategy", r"^there is no file nobody\.strategy$"),
        ("random:x=1", "random has no fields"),
    ):
        with pytest.raises(RuseError, match=words):
            opponent(text, KUHN, runs=tmp_path)
    with pytest.raises(FileTrouble):
        opponent("last", KUHN, runs=tmp_path)


def test_fields_are_typed_for_named_tuples_alone(tmp_path: Path) -> None:
    game = ruse.game(str(written(tmp_path)))
    words = r"^good is no NamedTuple, so it has no fields that could be typed, got 'x=3'; make one of it, or leave them"
    with pytest.raises(RuseError, match=words):
        opponent("good:x=3", game, runs=tmp_path)


def test_a_strategy_is_played_by_what_it_does_most(tmp_path: Path) -> None:
    run = ruse.new_run(tmp_path, KUHN, ruse.cfr(), iterations=10)
    mixed = ruse.resume(run).strategy
    pure = opponent("last:play=argmax", KUHN, runs=tmp_path).bot
    for at, choice in zip(mixed, pure, strict=True):
        assert sorted(choice.actions.values()) == [0.0, 1.0]
        taken = next(action for action, share in choice.actions.items() if share == 1.0)
        assert taken == max(at.actions, key=at.actions.__getitem__)  # the first of those that are even
    assert "exploitability" not in pure.about
    assert opponent("last:play=average", KUHN, runs=tmp_path).bot.probability.tolist() == mixed.probability.tolist()
    with pytest.raises(RuseError, match=r"average or argmax, not by .best., as in last:play=argmax; what a run"):
        opponent("last:play=best", KUHN, runs=tmp_path)
