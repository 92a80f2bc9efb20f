"""Merging: smaller games, the same numbers, and nothing merged that is not the same."""

from itertools import count

import naive
import numpy as np
import pytest
from random_games import random_game

from ruse.evaluate.best_response import exploitability_of
from ruse.games.explicit import Builder, Explicit
from ruse.games.goofspiel import Goofspiel
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import CARDS, Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.matrix import matrix
from ruse.protocol.game import Game
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.solve.full.engine import Tables, average_strategy, iterate
from ruse.solve.solver.presets import PRESETS
from ruse.tree import merge as merging
from ruse.tree.merge import merge, merged_nodes
from ruse.tree.sequence_form import SequenceForm, expand


def form_of(game: Game) -> SequenceForm:
    return expand(game, Full()).form


def leaves(form: SequenceForm) -> int:
    return len(form.value) // form.players


def solved(form: SequenceForm, preset: str, iterations: int, *, alternating: bool = True) -> Tables:
    tables = Tables.start(form)
    iterate(PRESETS[preset](alternating=alternating), form, tables, 0, iterations, iterations)
    return tables


def assert_same_run(form: SequenceForm, preset: str, iterations: int, tolerance: float = 1e-12) -> None:
    """Merged and unmerged give the same tables."""
    smaller, renamed = merge(form)
    merged, plain = solved(smaller, preset, iterations), solved(form, preset, iterations)
    for name in ("regret", "sigma", "average"):
        ours, theirs = getattr(merged, name)[renamed][form.players :], getattr(plain, name)[form.players :]
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=name)


# ---- what is merged --------------------------------------------------------------------------------------------------


def test_leduc_loses_its_suits() -> None:
    """936 infosets are 288: those of the game with three ranks and no suits, which is known to have 288."""
    form = form_of(Leduc())
    smaller, renamed = merge(form)
    assert (len(form.parent), len(smaller.parent)) == (936, 288)
    assert leaves(smaller) < leaves(form) / 5
    assert len(np.unique(renamed)) == smaller.num_sequences
    assert smaller.copies.max() > 1


@pytest.mark.parametrize("suits", [2, 3, 4])
def test_suits_cost_nothing(suits: int) -> None:
    assert len(merge(form_of(Leduc(suits=suits)))[0].parent) == 288


@pytest.mark.parametrize("game", [Kuhn(), Kuhn(players=3), Goofspiel()], ids=["kuhn", "kuhn_3", "goofspiel"])
def test_games_without_twins_stay_as_they_are(game: Game) -> None:
    form = form_of(game)
    smaller, renamed = merge(form)
    assert renamed.tolist() == list(range(form.num_sequences))
    for ours, theirs in zip(smaller, form, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_liars_dice_stays_nearly_as_it_is() -> None:
    """After an opening bid of two dice, all rolls below its face are the same to the second player; nothing else is."""
    form = form_of(LiarsDice())
    assert (len(form.parent), len(merge(form)[0].parent)) == (24_576, 24_561)


def test_every_player_keeps_the_empty_sequence_and_the_tree() -> None:
    for game in (Leduc(), Leduc(players=2, ranks=2, suits=3), Goofspiel(cards=4)):
        form = form_of(game)
        smaller, renamed = merge(form)
        assert renamed[: form.players].tolist() == list(range(form.players))
        node_of = np.searchsorted(smaller.first, renamed[form.first[:-1]], side="right") - 1
        np.testing.assert_array_equal(np.diff(smaller.first)[node_of], np.diff(form.first))  # as many actions
        np.testing.assert_array_equal(smaller.parent[node_of], renamed[form.parent])  # below the same sequence
        for p in range(form.players):
            ours = node_of[form.node_start[p] : form.node_start[p + 1]]
            assert ours.min() == smaller.node_start[p]
            assert ours.max() == smaller.node_start[p + 1] - 1


def test_colours_keep_things_apart() -> None:
    form = form_of(Leduc())
    assert len(merge(form, np.zeros(form.num_sequences, np.int64))[0].parent) == 288
    colours = np.arange(form.num_sequences)
    assert len(merge(form, colours)[0].parent) == 936
    one = np.zeros(form.num_sequences, np.int64)
    one[form.first[0]] = 1  # a single action of a single infoset
    smaller, renamed = merge(form, one)
    assert 288 < len(smaller.parent) < 936
    assert np.count_nonzero(renamed == renamed[form.first[0]]) == 1


def test_equal_actions_of_one_infoset_are_not_merged() -> None:
    """They are different moves to the person who reads the strategy."""
    form = form_of(matrix([[1, 1], [1, 1]]))
    smaller, _ = merge(form)
    assert smaller.num_sequences == form.num_sequences == 6


def test_forgetful_players_are_left_alone() -> None:
    form = form_of(Leduc(ranks=2))
    shared = form._replace(slot=np.where(np.arange(len(form.slot)) == 1, form.slot[0], form.slot))
    smaller, renamed = merge(shared)
    assert smaller is shared
    assert renamed.tolist() == list(range(form.num_sequences))


# ---- the numbers stay ------------------------------------------------------------------------------------------------


def tilted_leduc(**fields: int) -> Game:
    """Leduc without ties; suits still make no difference."""
    game = Leduc(**fields)
    return naive.Tilted.of(game, {CARDS + k: game.suits for k in range(game.players + 1)})


@pytest.mark.parametrize("preset", ["cfr", "hedge"])
def test_fifty_iterations_of_leduc(preset: str) -> None:
    assert_same_run(form_of(Leduc()), preset, 50)


@pytest.mark.parametrize("preset", naive.RULES)
def test_every_rule_without_ties(preset: str) -> None:
    """Some rules magnify the rounding of the last bit, up to tenfold in four iterations, in any two runs."""
    form = form_of(tilted_leduc())
    assert len(merge(form)[0].parent) == 288
    assert_same_run(form, preset, 5)
    steady = preset in ("cfr", "cfvfp", "hedge")
    assert_same_run(form, preset, 50 if steady else 20, 1e-12 if steady else 1e-7)


@pytest.mark.parametrize("preset", ["cfr", "pcfr_plus", "hedge"])
@pytest.mark.parametrize(
    "fields", [{"ranks": 4, "suits": 3, "max_raises": 1}, {"players": 3, "ranks": 3, "max_raises": 1}]
)
def test_more_suits_and_players(fields: dict[str, int], preset: str) -> None:
    form = form_of(tilted_leduc(**fields))
    smaller, renamed = merge(form)
    assert len(smaller.parent) < 0.4 * len(form.parent)
    assert_same_run(form, preset, 5)
    sigma = average_strategy(smaller, solved(smaller, preset, 5))
    small, large = exploitability_of(smaller, sigma), exploitability_of(form, sigma[renamed])
    assert small.best == pytest.approx(large.best, abs=1e-12)
    assert small.values == pytest.approx(large.values, abs=1e-12)


# ---- nothing is merged that is not the same --------------------------------------------------------------------------


def twice(game: Game, nudge: tuple[int, int, float] | None = None) -> Explicit:
    """The game played in one of two rooms, as a coin decides: every infoset has a twin.

    `nudge` adds to the payoff of one leaf, counted over both rooms, for one player: (leaf, player, amount).
    """
    tree, leaf = Builder("twice", game.players), count()
    coin = tree.chance(0, outcomes=["red room", "blue room"], probabilities=[0.5, 0.5])

    def copy(state: State, node: int, room: str) -> None:
        if state.is_over:
            payoffs = state.payoffs
            if nudge is not None and next(leaf) == nudge[0]:
                payoffs[nudge[1]] += nudge[2]
            tree.end(node, payoffs)
            return
        if state.is_chance:
            child = tree.chance(node, outcomes=state.actions, probabilities=state.chances)
        else:
            infoset = f"{room} {state.infoset}"
            child = tree.decide(node, player=state.player, infoset=infoset, actions=state.actions)
        for a, after in enumerate(state.children()):
            copy(after, child + a, room)

    copy(State.of(game), coin, "red")
    copy(State.of(game), coin + 1, "blue")
    return tree.game()


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_twins_are_found(seed: int, players: int) -> None:
    game = random_game(seed, players, zero_sum=False)
    once, both = form_of(game), form_of(twice(game))
    assert len(both.parent) == 2 * len(once.parent)
    assert len(merge(both)[0].parent) == len(merge(once)[0].parent)
    assert_same_run(both, "pcfr_plus", 5, 1e-11)


@pytest.mark.parametrize("amount", [1e-6, -1e-10, 1.0])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_one_payoff_keeps_twins_apart(seed: int, players: int, amount: float) -> None:
    game = random_game(seed, players, zero_sum=False)
    apart = 0
    ends = naive.count(naive.tree(game), players).leaves
    for leaf in (0, ends // 2, 2 * ends - 1):
        for player in range(players):
            form = form_of(twice(game, (leaf, player, amount)))
            smaller, _ = merge(form)
            apart += len(smaller.parent) > len(merge(form_of(game))[0].parent)
            assert_same_run(form, "cfr_plus", 5, 1e-11)
            # The exploitability of anything is the same too, to far less than the nudge.
            sigma = Tables.start(smaller).sigma
            merged, plain = exploitability_of(smaller, sigma), exploitability_of(form, Tables.start(form).sigma)
            assert merged.best == pytest.approx(plain.best, abs=1e-14)
    assert apart >= 3  # not all: a player who has not moved before the leaf has no sequence there to tell apart


@pytest.mark.parametrize("game", [Leduc(), Goofspiel(), Kuhn(players=3)], ids=["leduc", "goofspiel", "kuhn_3"])
def test_any_number_of_threads(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than there are sequences at once, too."""
    form = form_of(game)
    nodes, *names = merged_nodes(form, None)
    monkeypatch.setattr(merging, "MANY", 0)
    for threads in (1, 2, 3, 500):
        others, *their_names = merged_nodes(form, None, threads=threads)
        for ours, theirs in zip([*nodes, *names], [*others, *their_names], strict=True):
            np.testing.assert_array_equal(ours, theirs)
