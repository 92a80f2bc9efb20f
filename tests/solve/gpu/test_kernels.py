"""The card's kernels compute what the processor's engine does: the shipped kernels.cu, run by a processor."""

import re
from typing import NamedTuple

import card_cases as cases
import numpy as np
import pytest
from card_stand_in import PLAIN, StandIn, library, needs_compiler

import ruse
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.evaluate.best_response import exploitability_of
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.matrix import matrix
from ruse.solve.full.engine import Tables, average_strategy
from ruse.solve.gpu import strips
from ruse.solve.gpu.card import Card
from ruse.solve.gpu.codes import FALLBACKS, FORMS, RULES, rule_code
from ruse.solve.gpu.device import kernel_source
from ruse.solve.gpu.plan import Launch, Launches
from ruse.solve.gpu.solving import OnCard
from ruse.solve.gpu.strips import Strips
from ruse.solve.gpu.world import LATER, World, bytes_needed
from ruse.solve.solver.presets import PRESETS
from ruse.solve.solver.rules import FADING, Discount

pytestmark = needs_compiler
PRESET = pytest.mark.parametrize("preset", cases.FULL_WIDTH)


@PRESET
@pytest.mark.parametrize("case", cases.SMALL)
def test_ten_iterations(case: str, preset: str) -> None:
    form = cases.form_of(*cases.SMALL[case])
    for alternating in cases.BOTH:
        cases.assert_same(*cases.both(StandIn(), form, PRESETS[preset](alternating=alternating), 10), 1e-9, case)


@PRESET
@pytest.mark.parametrize("other", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_ten_iterations_on_random_trees(preset: str, other: bool) -> None:
    """Turns on every second tree and all at once on the rest, and then the other way round."""
    for n, game in enumerate(cases.random_trees()):
        solver = PRESETS[preset](alternating=(n % 2 == 0) != other)
        cases.assert_same(*cases.both(StandIn(), cases.form_of(game), solver, 10), 1e-9, f"tree {n}")


@pytest.mark.parametrize("preset", ["cfr_plus", "pdcfr_plus", "cfvfp", "hedge"])
def test_ten_iterations_of_liars_dice(preset: str) -> None:
    form = cases.form_of(LiarsDice())
    for alternating in cases.BOTH:
        cases.assert_same(*cases.both(StandIn(), form, PRESETS[preset](alternating=alternating), 10), 1e-9, preset)


def test_numbers_that_no_paper_has() -> None:
    """What the processor makes of them, the card does, too."""
    form = cases.form_of(*cases.SMALL["kuhn"])
    for solver in (ruse.dcfr(alpha=400.0, beta=1e300), ruse.dcfr(alpha=-1.0, beta=-0.5), ruse.hedge(eta=50.0)):
        ours, theirs = cases.both(StandIn(), form, solver, 10)
        for name in cases.NAMES:
            np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-9, atol=1e-12, err_msg=f"{solver} {name}")


@pytest.mark.parametrize("preset", ["cfr", "cfr_plus", "cfvfp"])
@pytest.mark.parametrize("case", ["leduc", "kuhn_4", "leduc_second_round_alone"])
def test_the_bits_are_the_processors(case: str, preset: str) -> None:
    """Of rules that need no power and no exponential: all else is added up in the same order, without fused steps."""
    cases.assert_same_bits(*cases.both(StandIn(), cases.form_of(*cases.SMALL[case]), PRESETS[preset](), 200), case)


@PRESET
@pytest.mark.parametrize("case", ["kuhn", "kuhn_3", "leduc"])
def test_exploitability_after_a_thousand(case: str, preset: str) -> None:
    form = cases.form_of(*cases.SMALL[case])
    for alternating in cases.BOTH:
        solver = PRESETS[preset](alternating=alternating)
        ours, theirs = (judge(form, solver, 1_000) for judge in (on_stand_in, cases.judged))
        assert float(ours) == pytest.approx(float(theirs), rel=0.1)
        assert ours.values == pytest.approx(theirs.values, abs=0.01)


def on_stand_in(form, solver, iterations):
    return cases.judged_on(StandIn(), form, solver, iterations)


@pytest.mark.parametrize("case", cases.SMALL)
def test_judging(case: str) -> None:
    """The same strategy gets the same exploitability, by the last bits."""
    form, solver = cases.form_of(*cases.SMALL[case]), ruse.cfr_plus()
    ours, theirs = cases.judged_on(StandIn(), form, solver, 10), cases.judged(form, solver, 10)
    assert ours.values == pytest.approx(theirs.values, rel=1e-12, abs=1e-12)
    assert ours.best == pytest.approx(theirs.best, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("case", [*cases.SMALL, "tree"])
def test_threads_may_run_in_any_order(case: str) -> None:
    """Blocks and threads of every launch shuffled, each time another way: the same bits."""
    form = cases.form_of(*(cases.SMALL | {"tree": (cases.random_trees()[7], None)})[case])
    for solver in (ruse.dcfr(), PRESETS["pdcfr_plus"](alternating=False)):
        plain, *shuffled = (cases.placed(StandIn(shuffled=seed), form, solver) for seed in (None, 1, 2))
        plain.run(0, 30, 30)
        judged = plain.exploitability()
        for other in shuffled:
            other.run(0, 30, 30)
            cases.assert_same_bits(other.fetch(), plain.fetch(), case)
            again = other.exploitability()
            assert (again.values, again.best) == (judged.values, judged.best)


def test_the_order_is_really_shuffled() -> None:
    """A kernel that depends on it is found out: reach, filled from roots and leaves at once, is not what it was."""
    form = cases.form_of(Leduc())
    levels = [
        launch for launch in Launches.of(form, Strips.of(form), alternating=True).judging if launch[0] == "follow"
    ]
    at_once = [Launch("follow", levels[0].begin, levels[-1].end)]
    found = set()
    for seed in (None, 1, 2):
        device = StandIn(shuffled=seed)
        on_card = cases.placed(device, form, ruse.cfr())
        on_card.held["value"].write(np.ones(form.num_sequences))
        device.program(at_once, on_card.world).run(1)
        found.add(on_card.held["followed"].read(0, form.num_sequences).tobytes())
    assert len(found) == 3


@pytest.mark.parametrize("longest", [1, 3])
def test_sequences_of_many_leaves_are_added_up_in_strips(longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "LONGEST", longest)
    for case in ("leduc", "kuhn_3", "leduc_second_round_alone"):
        form = cases.form_of(*cases.SMALL[case])
        assert len(Strips.of(form).length) > len(np.flatnonzero(np.diff(form.leaf_start)))
        cases.assert_same(*cases.both(StandIn(), form, ruse.cfr_plus(), 10), 1e-9, case)
        assert float(cases.judged_on(StandIn(), form, ruse.cfr_plus(), 10)) == pytest.approx(
            float(cases.judged(form, ruse.cfr_plus(), 10)), rel=1e-12
        )


def test_strips_hold_every_leaf_once() -> None:
    """By hand, leaf by leaf."""
    for case in cases.SMALL:
        form = cases.form_of(*cases.SMALL[case])
        laid = Strips.of(form)
        others, payoff = laid.filled(form, cases.F64)
        met = []
        for position, strip in enumerate(laid.strip_at.tolist()):
            if strip == int(strips.NONE):
                continue
            s = int(np.searchsorted(laid.strip_start, strip, side="right")) - 1
            start, end = laid.slice[position // 32 : position // 32 + 2].tolist()
            entries = range(start + position % 32, end, 32)
            length = int(laid.length[strip])
            assert not payoff[entries[length:]].any()
            met += [(s, *others[:, e].tolist(), float(payoff[e])) for e in entries[:length]]
        own = np.repeat(np.arange(form.num_sequences), np.diff(form.leaf_start)).tolist()
        assert sorted(met) == sorted(
            (s, *rest, value) for s, rest, value in zip(own, form.others.tolist(), form.value.tolist(), strict=True)
        )


def test_a_game_of_nothing() -> None:
    """No leaf is worth anything, so there is none."""
    form = cases.form_of(matrix([[0.0, 0.0], [0.0, 0.0]]))
    assert len(form.value) == 0
    cases.assert_same_bits(*cases.both(StandIn(), form, ruse.cfr(), 5), "nothing")
    assert float(cases.judged_on(StandIn(), form, ruse.cfr(), 5)) == 0.0


def test_pieces_give_the_same_bits() -> None:
    """More iterations than weights are sent at once, and the same in two goes by way of what a checkpoint holds."""
    form, solver, total = cases.form_of(*cases.SMALL["kuhn"]), PRESETS["hs_dcfr"](), LATER + 100
    whole, first, second = (cases.placed(StandIn(), form, solver) for _ in range(3))
    whole.run(0, total, total)
    first.run(0, 70, total)
    second.send(Tables.restored(form, first.fetch()))
    second.run(70, total - 70, total)
    cases.assert_same_bits(second.fetch(), whole.fetch(), "pieces")


@compiled("weights")
class Late(NamedTuple):
    """A weighting of one's own: nothing of it is in the kernels."""

    nothing: int = 0

    def weights(self, t, progress):
        return 0.9, 0.5, -0.4, (t - 1.0) / (t + 1.0), 0.95


def test_a_weighting_of_ones_own_runs() -> None:
    form, solver = cases.form_of(Leduc()), ruse.cfr()._replace(weighting=Late())
    on_card, same = cases.placed(StandIn(), form, solver), cases.placed(StandIn(), form, ruse.cfr())
    on_card.run(0, 10, 0)
    same.run(0, 10, 0)
    assert on_card.fetch()["regret"].min() == -0.4 > same.fetch()["regret"].min()
    assert on_card.weights(4, 6, 0).shape == (2, 5)
    assert on_card.weights(4, 6, 0)[1, FADING] == pytest.approx(5 / 7)


def test_a_minimizer_of_ones_own_is_refused() -> None:
    class Own(NamedTuple):
        nothing: int = 0

    with pytest.raises(
        RuseError, match=r"^the kernels of a card know RegretMatching, BestRegret, Hedge, and not Own; "
    ):
        rule_code(Own())


# ---- f32 -------------------------------------------------------------------------------------------------------------


def test_f32_loses_what_is_told() -> None:
    """After 2,000 iterations of Leduc it is as good a solution as in f64, told to a millionth of a chip."""
    form, card = cases.form_of(Leduc()), Card("f32")
    on_card = cases.placed(StandIn(card), form, ruse.cfr_plus(), card.kind)
    on_card.run(0, 2_000, 0)
    ours, tables = on_card.exploitability(), Tables.restored(form, on_card.fetch())
    exact = exploitability_of(form, average_strategy(form, tables))
    assert float(ours) != float(exact)
    assert float(ours) == pytest.approx(float(exact), abs=1e-6)
    assert float(exact) < 2 * float(cases.judged(form, ruse.cfr_plus(), 2_000))


def test_f32_takes_about_half() -> None:
    form = cases.form_of(LiarsDice())
    half, whole = (bytes_needed(form, Strips.of(form), Card(precision).kind) for precision in ("f32", "f64"))
    assert half < 0.7 * whole


# ---- the source and what stands beside it ----------------------------------------------------------------------------


def test_the_world_is_the_same_on_both_sides() -> None:
    struct = re.search(r"struct World \{(.*?)\n\};", kernel_source(), re.DOTALL)
    assert struct is not None
    fields = re.findall(r"^\s+(?:const )?(?:Index|Offset|Number|double|int)\*? (\w+);", struct[1], re.MULTILINE)
    assert tuple(fields) == World._fields
    assert library("double").size_of_world() == 8 * len(World._fields)


def test_codes_are_the_same_on_both_sides() -> None:
    enums = {name: words.split(", ") for name, words in re.findall(r"enum (\w+) \{ (.*?) \};", kernel_source())}
    assert enums["Rule"] == ["MATCHING", "HIGHEST", "HEDGE"]
    assert [kind.__name__ for kind in RULES] == ["RegretMatching", "BestRegret", "Hedge"]
    assert [word.lower() for word in enums["Form"]] == [kind.__name__.lower() for kind in FORMS]
    assert {word.capitalize(): n for n, word in enumerate(enums["Fallback"])} == {
        kind.__name__: n for kind, n in FALLBACKS.items()
    }
    assert len(Discount().weights(3, 0.0)) == enums["Weight"].index("WEIGHTS")


@pytest.mark.parametrize("case", cases.SMALL)
def test_what_is_needed_is_what_is_held(case: str) -> None:
    form = cases.form_of(*cases.SMALL[case])
    for card in (PLAIN, Card("f32")):
        device = StandIn(card)
        OnCard(device, form, ruse.cfr(), card.kind)
        assert bytes_needed(form, Strips.of(form), card.kind) == pytest.approx(device.held, abs=2_000)
