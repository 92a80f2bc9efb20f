"""Starts from a copy of another training's tables, by key, by view and by a function."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from starting import CFR, KUHN, LEDUC, engine_of, teacher

import ruse
from ruse.errors import RuseError
from ruse.games.leduc import CARDS, HISTORY, TURN
from ruse.solve.sampled.outcome import OutcomeSampling
from ruse.solve.start import learned as module
from ruse.solve.start.learned import Infosets, Learned
from ruse.tree.expanded import Expanded

# ---- copies ----------------------------------------------------------------------------------------------------------


def bits(engine: Any) -> tuple[bytes, ...]:
    """All that a sampled engine knows, without where it lies."""
    table = engine.engine.table
    keys, first, width = table.used()
    slots = [np.arange(f - 1, f + table.blocks * w) for f, w in zip(first, width, strict=True)]
    return keys.tobytes(), width.tobytes(), table.rows[np.concatenate(slots)].tobytes()


@pytest.mark.parametrize("solver", [ruse.cfr(), CFR, ruse.cfvfp(), ruse.hedge()], ids=["cfr", "both", "cfvfp", "hedge"])
def test_a_copy_goes_on_like_the_original(solver: Any) -> None:
    first = ruse.train(LEDUC, solver, iterations=60)
    whole = ruse.train(LEDUC, solver, iterations=100)
    rest = ruse.train(LEDUC, solver, iterations=40, start=ruse.Copied(first))
    assert rest.strategy.probability.tobytes() == whole.strategy.probability.tobytes()
    assert rest.engine.saved()["regret"].tobytes() == whole.engine.saved()["regret"].tobytes()
    assert rest.start is not None
    assert [rest.start[k] for k in ("copied", "unseen", "misfit")] == [936, 0, 0]
    assert rest.facts["infosets_merged"] == 288  # what is equal stays merged


@pytest.mark.parametrize(
    "walk", ["external", "chance", OutcomeSampling(rate=0.0)], ids=["external", "chance", "outcome"]
)
def test_a_copied_table_goes_on_like_the_original(walk: Any) -> None:
    first = ruse.train(LEDUC, ruse.mccfr(walk), iterations=500, seed=3)
    other = engine_of(LEDUC, ruse.mccfr(walk), seed=3)
    told = ruse.Copied(first).begin(other)
    assert told["copied"] == first.facts["infosets"]
    assert told["copied"] + told["unseen"] == 936
    assert bits(other) == bits(first.engine)
    for engine in (first.engine, other):
        engine.run(500, 700)
    assert bits(other) == bits(first.engine)


def test_threads_start_from_a_copy_too() -> None:
    first = ruse.train(LEDUC, ruse.mccfr(), iterations=500)
    one, two = (
        ruse.train(LEDUC, ruse.mccfr(), iterations=200, threads=n, start=ruse.Copied(first)) for n in (1, 2)
    )  # fmt: skip
    assert bits(one.engine) == bits(two.engine)
    assert one.exploitability < ruse.train(LEDUC, ruse.mccfr(), iterations=200, threads=1).exploitability


def test_the_table_grows_for_a_copy() -> None:
    game = ruse.LiarsDice()  # 24,576 infosets; an empty table has room for a sixth
    first = ruse.train(game, ruse.cfr(), iterations=2)
    engine = engine_of(game, ruse.mccfr())
    ruse.Copied(first).begin(engine)
    ours, theirs = engine.learned(0), first.engine.learned(2)
    np.testing.assert_array_equal(ours.keys, theirs.keys)
    np.testing.assert_array_equal(ours.regret, theirs.regret.astype(np.float32))
    np.testing.assert_array_equal(ours.average, theirs.average.astype(np.float32))
    with pytest.raises(RuseError, match=r"^the table has [0-9,]+ infosets in .* give it more memory$"):
        ruse.Copied(first).begin(engine_of(game, ruse.mccfr(), memory=1_000_000))


def test_a_copy_may_be_decayed() -> None:
    first = ruse.train(LEDUC, ruse.mccfr(), iterations=500)
    engine = engine_of(LEDUC, ruse.mccfr())
    told = ruse.Copied(first, factor=0.25).begin(engine)
    np.testing.assert_allclose(engine.learned(0).regret, first.engine.learned(500).regret / 4)
    np.testing.assert_allclose(engine.learned(0).average, first.engine.learned(500).average / 4)
    assert told["from"].startswith("Copied(Leduc(")
    assert told["from"].endswith("after 500 iterations of mccfr, mapping=None, factor=0.25)")


def test_weights_that_rows_have_still_to_get() -> None:
    """A sampled table weighs a row when it is next met; a copy must not wait for that."""
    solver = ruse.lcfr(walk="external")
    run = ruse.train(LEDUC, solver, iterations=2_000)
    table, clock, found = run.engine.engine.table, run.engine.engine.clock, run.engine.learned(2_000)
    _, first, width = table.used()
    stamps = table.rows[first - 1].astype(int)
    last = clock.period(2_000)
    assert stamps.min() < last - 10 < stamps.max() == last
    # Periods are single iterations up to the 63rd, then as long as 2, 4, ... of them, 32 of each length.
    starts = [t for t in range(1, 2_001) if t == 1 or clock.period(t) > clock.period(t - 1)]
    for n in (int(np.argmin(stamps)), int(np.argmax(stamps)), 5):
        row = table.rows[first[n] : first[n] + 2 * width[n]].astype(float)
        for period in range(stamps[n] + 1, last + 1):
            before = starts[period] - 1
            while before >= 2 * clock.fineness:  # counted in periods of its own length
                before //= 2
            row *= before / (before + 1)  # linear CFR after so many
        ours = slice(found.start[n], found.start[n + 1])
        assert [*found.regret[ours], *found.average[ours]] == pytest.approx(row.tolist(), rel=1e-6)


def test_from_a_sampled_table_to_the_full_width() -> None:
    """What was sampled is not the same for all suits, so infosets that start apart are not merged."""
    first = ruse.train(LEDUC, ruse.mccfr(), iterations=20_000)
    rest = ruse.train(LEDUC, ruse.cfr(), iterations=1, start=ruse.Copied(first))
    assert rest.facts["infosets_merged"] == 936
    assert rest.exploitability == pytest.approx(first.exploitability, rel=0.02)
    unmerged = ruse.train(LEDUC, ruse.cfr(), iterations=1, start=ruse.Copied(first), merging=False)
    assert rest.strategy.probability.tobytes() == unmerged.strategy.probability.tobytes()
    warm = ruse.train(LEDUC, ruse.cfr(), iterations=50, start=ruse.WarmStart(first.strategy))
    assert warm.facts["infosets_merged"] == 936
    assert warm.exploitability < first.exploitability


def test_merged_or_not_a_start_is_the_same() -> None:
    starts = (ruse.Copied(teacher(second_raise=5)), ruse.WarmStart(teacher(second_raise=5).strategy, iterations=50))
    for start in starts:
        merged, whole = (ruse.train(LEDUC, CFR, iterations=20, start=start, merging=m) for m in (True, False))
        assert (merged.facts["infosets_merged"], whole.facts["infosets_merged"]) == (288, 936)
        assert merged.strategy.probability == pytest.approx(whole.strategy.probability, abs=1e-9)


# ---- infosets that are called otherwise in the other game ------------------------------------------------------------


@ruse.compiled("key")
class Ranks(NamedTuple):
    """Leduc without suits: the betting, the rank of the board and the own rank."""

    suits: int = 2

    def key(self, game, s):
        board, own = s[CARDS + game.players], s[CARDS + s[TURN]]
        return ((s[HISTORY] * 8 + (board // self.suits + 1 if board >= 0 else 0)) * 8 + own // self.suits) * 2 + s[TURN]


@pytest.mark.parametrize("solver", [CFR, ruse.mccfr()], ids=["full", "sampled"])
def test_by_the_view_of_the_source(solver: Any) -> None:
    """The source has three ranks and sees no suits; every infoset of the new game learns from that of its ranks."""
    first = ruse.train(LEDUC, CFR, iterations=50, view=Ranks())
    engine = engine_of(LEDUC, solver)
    told = ruse.Copied(first).begin(engine)
    assert len(first.strategy) == 288
    assert [told[k] for k in ("copied", "unseen", "misfit")] == [936, 0, 0]
    expanded = Expanded.of(LEDUC)
    found, source = engine.learned(0), first.engine.learned(50)
    for key, name in list(zip(expanded.keys, expanded.keys_of(Ranks()), strict=True))[::50]:
        ours, theirs = int(np.searchsorted(found.keys, key)), int(np.searchsorted(source.keys, name))
        row, expected = (t.regret[t.start[n] : t.start[n + 1]] for t, n in ((found, ours), (source, theirs)))
        assert row == pytest.approx(expected, rel=1e-6)
    lean = engine_of(LEDUC, solver)
    ruse.Leaning(first.strategy, weight=2.0).begin(lean)
    assert lean.learned(0).regret.sum() == pytest.approx(2.0 * 936)
    assert not lean.learned(0).average.any()
    assert float(lean.exploitability()) == pytest.approx(ruse.exploitability(LEDUC, ruse.Strategy.uniform(LEDUC)))


def test_by_another_view_of_the_new_game() -> None:
    """With three suits cards have other numbers, but ranks are ranks."""
    first = ruse.train(LEDUC, CFR, iterations=50, view=Ranks(suits=2))
    game = ruse.Leduc(suits=3)
    run = ruse.train(game, CFR, iterations=1, start=ruse.Copied(first, mapping=Ranks(suits=3)))
    assert run.start is not None
    assert (run.start["unseen"], run.start["misfit"]) == (0, 0)
    assert "mapping=Ranks(suits=3)" in run.start["from"]
    assert run.facts["infosets_merged"] == 288
    fresh = ruse.train(game, CFR, iterations=1)
    assert run.exploitability < fresh.exploitability / 2
    plain = ruse.train(game, CFR, iterations=1, start=ruse.Copied(first))  # the source's view takes three suits for two
    assert plain.start is not None
    assert plain.start["unseen"] > 0


@pytest.mark.parametrize("solver", [CFR, ruse.mccfr()], ids=["full", "sampled"])
def test_by_a_function(solver: Any) -> None:
    """A key of the source may stand for many of the new game."""
    first = ruse.train(LEDUC, CFR, iterations=50, view=Ranks())
    infosets = Infosets.of(Expanded.of(LEDUC), Ranks())

    def spread(key: int) -> list[int]:
        return infosets.keys[infosets.names == key].tolist()

    ours, theirs = engine_of(LEDUC, solver), engine_of(LEDUC, solver)
    told = ruse.Copied(first, mapping=spread).begin(ours)
    ruse.Copied(first).begin(theirs)
    assert told["copied"] == 936
    assert "mapping=test_by_a_function.<locals>.spread," in told["from"]
    for one, other in zip(ours.learned(0), theirs.learned(0), strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(RuseError, match=r"^the mapping gives the key 7 to two infosets; give it to one of them$"):
        ruse.Copied(first, mapping=lambda key: 7).begin(ours)


def test_a_game_too_large_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.training.engines.sampling.MEASURED", 100)
    first = ruse.train(LEDUC, ruse.mccfr(), iterations=100)
    run = ruse.train(LEDUC, ruse.mccfr(), iterations=100, start=ruse.Copied(first))
    assert run.start is not None
    assert (run.start["copied"], run.start["unseen"]) == (first.facts["infosets"], None)
    ranked = ruse.train(LEDUC, ruse.mccfr(), iterations=100, view=Ranks())
    assert ruse.train(LEDUC, ruse.mccfr(), iterations=1, start=ruse.Copied(ranked)).facts["infosets"] > 500
    monkeypatch.setattr("ruse.training.engines.sampling.NAMED", 100)
    with pytest.raises(RuseError, match=r"^Leduc\(.*\) is too large to be walked for the names .* give a function"):
        ruse.Copied(ranked).begin(engine_of(LEDUC, ruse.mccfr()))
    # Infosets that do not fit are found when they are met.
    wrong = ruse.train(ruse.Leduc(max_raises=1), ruse.mccfr(), iterations=100)
    with pytest.raises(RuseError):
        ruse.train(LEDUC, ruse.mccfr(), iterations=1_000, start=ruse.Copied(wrong))


def test_the_census_is_that_of_the_expanded_game() -> None:
    expanded = Expanded.of(ruse.LiarsDice())
    found = Infosets.met(expanded.game, expanded.view, expanded.view, limit=10**9)
    assert found is not None
    for ours, theirs in zip(found, Infosets.of(expanded, expanded.view), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert Infosets.met(expanded.game, expanded.view, expanded.view, limit=1000) is None


def test_leaning_steers_sampling_at_first() -> None:
    strategy = teacher(second_raise=5).strategy
    plain, leaning = (
        ruse.train(LEDUC, ruse.mccfr(), iterations=1_000, seed=1, start=start)
        for start in (None, ruse.Leaning(strategy, weight=100.0))
    )
    print(f"\nscratch {plain.exploitability:.3f}, leaning {leaning.exploitability:.3f}")  # known: 1.33 and 0.39
    assert leaning.exploitability < 0.5 * plain.exploitability


def test_learned_prints_short() -> None:
    assert repr(teacher(second_raise=5).engine.learned(3000)) == "Learned(936 infosets)"
    empty = Learned(np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), np.zeros(0))
    found, match = empty.for_infosets(Infosets.of(Expanded.of(KUHN), ruse.Full()))
    assert (len(found.keys), *match) == (0, 0, 12, 0)
    assert not np.any(empty.on(Expanded.of(KUHN)))
    assert ruse.train(KUHN, CFR, iterations=5, start=ruse.Copied(empty)).exploitability > 0
    assert module.Learned is ruse.Learned
