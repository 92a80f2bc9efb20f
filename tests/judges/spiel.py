"""OpenSpiel as a judge: its trees, its information states, its best responses. Of ruse only states and strategies."""

import random
from functools import cache
from itertools import islice, permutations
from typing import Any, NamedTuple

import pyspiel

import ruse
from ruse.interop import openspiel

GOOFSPIEL = "goofspiel(imp_info=True,num_cards=3,points_order=descending,returns_type=win_loss)"


class Infoset(NamedTuple):
    """One information state of OpenSpiel, and where ruse keeps it."""

    player: int
    string: str
    actions: tuple[int, ...]
    state: ruse.State  # one of ours in it


class Twins(NamedTuple):
    """A game of ours, the same game in OpenSpiel, and its infosets in both."""

    ours: ruse.Game
    theirs: Any
    infosets: list[Infoset]

    def policy(self, strategy: ruse.Strategy) -> Any:
        """Our strategy in OpenSpiel's words."""
        return pyspiel.TabularPolicy(
            {
                infoset.string: list(zip(infoset.actions, _shares(strategy, infoset), strict=True))
                for infoset in self.infosets
            }
        )

    def nash_conv(self, strategy: ruse.Strategy | None) -> float:
        """By OpenSpiel's best responses; None is the uniform strategy."""
        policy = pyspiel.UniformRandomPolicy(self.theirs) if strategy is None else self.policy(strategy)
        return float(pyspiel.nash_conv(self.theirs, policy))


def _shares(strategy: ruse.Strategy, infoset: Infoset) -> list[float]:
    shares = list(strategy.at(infoset.state).actions.values())
    assert min(shares) >= 0.0, (infoset.string, shares)
    assert abs(sum(shares) - 1.0) < 1e-6, (infoset.string, shares)
    return shares


def loaded(name: str) -> Any:
    """The game of OpenSpiel in which players take turns."""
    theirs = pyspiel.load_game(name)
    if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    return theirs


@cache
def imported(name: str) -> Twins:
    """A game of OpenSpiel as ruse imports it. All such games are of one type, whose kernels are compiled once."""
    return twins(openspiel.load(name), name)


def twins(ours: ruse.Game, name: str) -> Twins:
    """Both games played side by side through the whole tree."""
    theirs = loaded(name)
    found: dict[tuple[int, str], Infoset] = {}
    ours_of: dict[tuple[int, int], str] = {}
    waiting = [(ruse.State.of(ours), theirs.new_initial_state())]
    while waiting:
        mine, other = waiting.pop()
        if other.is_terminal():
            assert mine.is_over
            assert all(abs(a - b) < 1e-12 for a, b in zip(mine.payoffs, other.returns(), strict=True))
            continue
        actions = other.legal_actions()
        assert len(actions) == len(mine.actions), other.history_str()
        if not other.is_chance_node():
            _note(found, ours_of, mine, other)
        waiting += [(mine.child(k), other.child(a)) for k, a in enumerate(actions)]
    return Twins(ours, theirs, list(found.values()))


def _note(
    found: dict[tuple[int, str], Infoset], ours_of: dict[tuple[int, int], str], mine: ruse.State, other: Any
) -> None:
    player, actions = other.current_player(), tuple(other.legal_actions())
    assert mine.player == player
    string = other.information_state_string(player)
    infoset = found.setdefault((player, string), Infoset(player, string, actions, mine))
    assert infoset.state.infoset == mine.infoset, string
    assert ours_of.setdefault((player, mine.infoset), string) == string


def leduc_twins(players: int, others: int = 1) -> Twins:
    """Leduc for many players. The whole tree takes minutes in Python, so cards that a player cannot see vary little."""
    ours, theirs = ruse.Leduc(players=players), pyspiel.load_game(f"leduc_poker(players={players})")
    cards = 2 * (players + 1)
    found: dict[tuple[int, str], Infoset] = {}
    ours_of: dict[tuple[int, int], str] = {}
    draw = random.Random(0)
    for player in range(players):
        for own, board in permutations(range(cards), 2):
            hidden = [card for card in range(cards) if card not in (own, board)]
            draw.shuffle(hidden)
            for rest in islice(permutations(hidden, players - 1), others):
                deal = [*rest[:player], own, *rest[player:]]
                waiting = [(ruse.State.of(ours), theirs.new_initial_state(), [*deal, board])]
                while waiting:
                    mine, other, to_come = waiting.pop()
                    if other.is_terminal():
                        continue
                    actions = other.legal_actions()
                    if other.is_chance_node():
                        k = actions.index(to_come[0])
                        waiting.append((mine.child(k), other.child(actions[k]), to_come[1:]))
                        continue
                    if other.current_player() == player:
                        _note(found, ours_of, mine, other)
                    waiting += [(mine.child(k), other.child(a), to_come) for k, a in enumerate(actions)]
    return Twins(ours, theirs, list(found.values()))
