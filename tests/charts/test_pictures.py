"""Pictures from runs, strategies, comparisons and games: drawn without a window, with what they are to show in them."""

from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.charts.curves import text_chart
from ruse.charts.trees import DrawnNode, places_of

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def run() -> ruse.Run:
    return ruse.train("kuhn", "dcfr", iterations=100)


def words_in(picture: Any) -> list[str]:
    return [text.get_text() for text in picture.axes.texts]


def test_a_run_is_drawn_by_iterations_or_seconds(run: ruse.Run, tmp_path: Path) -> None:
    for across, column in (("iterations", 0), ("seconds", 1)):
        picture = run.plot(across=across)
        line = picture.axes.lines[0]
        assert list(line.get_xdata()) == [row[column] for row in run.curve]
        assert list(line.get_ydata()) == [row[2] for row in run.curve]
        assert picture.axes.get_xlabel() == across
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert picture.save(tmp_path / "curve.svg").read_text().startswith("<?xml")
    with pytest.raises(ruse.RuseError, match=r"^cannot write the picture .*curve.nonsense"):
        picture.save(tmp_path / "curve.nonsense")
    several = ruse.draw_runs({"one": run.curve, "two": run.curve}, title="both")
    assert [text.get_text() for text in several.axes.get_legend().get_texts()] == ["one", "two"]


def test_every_curve_is_in_the_legend(run: ruse.Run) -> None:
    """Names too that Matplotlib takes for hidden ones, and what was on the axes before."""
    first = ruse.draw_runs({"plain": run.curve}, title="kuhn")
    axes = ruse.draw_runs({"": run.curve, "_x": run.curve}, title="kuhn", axes=first.axes).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["plain", "unnamed", "_x"]


def test_a_strategy_at_a_place_and_everywhere(run: ruse.Run) -> None:
    strategy = run.strategy
    for place in ("K, pass bet", ["K", "J", "pass", "bet"]):
        picture = strategy.plot(at=place)
        assert [bar.get_width() for bar in picture.axes.patches] == list(strategy["K, pass bet"].values())
        assert picture.axes.get_title() == "player 0: K, pass bet"
    whole = strategy.plot()
    assert len(whole.axes.patches) == 2 * 12
    assert whole.axes.get_yticklabels()[0].get_text() == "player 0: J"


def test_where_two_differ(run: ruse.Run) -> None:
    found = ruse.compare(run, ruse.Strategy.uniform("kuhn"))
    assert found.names == ("dcfr", "strategy")
    assert found.distance == pytest.approx(sum(d.distance * d.weight for d in found))
    picture = found.plot(most=3)
    assert [label.get_text() for label in picture.axes.get_yticklabels()] == [
        f"player {d.player}: {d.name}" for d in found[:3]
    ]
    assert ruse.compare(run, run).plot().axes.get_title() == "they are the same"
    assert ruse.compare(run, run).names == ("dcfr, the first", "dcfr, the second")


def test_a_tree_has_every_history(run: ruse.Run) -> None:
    picture = ruse.draw_tree("kuhn")
    ends = [word for word in words_in(picture) if word.startswith(("+", "-"))]
    assert len(ends) == 30
    assert {word for word in words_in(picture) if word.startswith("1.")} == {f"1.{k}" for k in range(1, 7)}
    followed = words_in(ruse.draw_tree(ruse.State.of(ruse.Kuhn()).after("K", "J"), run))
    assert f"bet {run.strategy['K']['bet']:.2f}" in followed
    assert "…" in words_in(ruse.draw_tree("leduc", depth=1))
    with pytest.raises(ruse.RuseError, match="more than 400 histories to draw; draw it from a later state"):
        ruse.draw_tree("leduc")


def test_nodes_do_not_lie_on_each_other() -> None:
    three = [DrawnNode(0, "0.1", "a", 0)] * 3
    nodes = [DrawnNode(-1, "?", "", None), *three, DrawnNode(2, "+1", "b", None)]
    places = places_of(nodes)
    assert len(set(places)) == len(places)
    assert places[0] == (0.0, 1.0)


def test_a_chart_of_text_names_its_axis() -> None:
    assert "seconds" in text_chart({"one": [(0.1, 1.0), (1.0, 0.1)]}, across="seconds")


@pytest.mark.parametrize(
    "make",
    [
        lambda run: run,
        lambda run: run.strategy,
        lambda run: ruse.match("kuhn", [run, "random"], deals=10),
        lambda run: ruse.measure_price("kuhn", run, "bet, player 0, first: delta=5"),
        lambda run: ruse.find_equilibrium("kuhn"),
        lambda run: ruse.find_equilibria("kuhn", "bet, player 0, first"),
        lambda run: ruse.State.of(ruse.Kuhn()).after("K", "J"),
        lambda run: ruse.State.of(ruse.Kuhn()),
        lambda run: ruse.State.of(ruse.Kuhn()).after("K", "J", "pass", "pass"),
        lambda run: ruse.what_here(run, "K"),
        lambda run: ruse.compare(run, ruse.Strategy.uniform("kuhn")),
        lambda run: run.measured,
    ],
)
def test_things_show_themselves_in_notebooks(make: Any, run: ruse.Run) -> None:
    thing = make(run)
    html = thing._repr_html_()
    assert html.startswith("<table>")
    assert html.endswith("</table>")
    assert len(repr(thing)) < 400


def test_rows_for_data_frames(run: ruse.Run) -> None:
    rows = run.strategy.rows()
    assert len(rows) == 24
    assert rows[0].keys() == {"player", "infoset", "action", "probability"}
    assert ruse.what_here(run, "K").rows()[1]["action"] == "bet"
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame(rows).groupby("infoset").probability.sum().round(9).eq(1.0).all()
