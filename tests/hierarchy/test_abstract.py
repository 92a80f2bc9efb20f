"""The game of a hierarchy: it is what a slow twin plays, and the plain game where policies are its actions."""

import random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hierarchy_twin import SlowGame
from watched_games import Always, EachAction, Everything, Watched

import ruse
from ruse.compile import compiled
from ruse.errors import RuseError
from ruse.games.cheat.bots import Heuristic, Naive
from ruse.games.cheat.observation import CHALLENGING, PHASE, SEEN_TURN
from ruse.games.cheat.policies import AtTable, Honest, Liar, Manners, Sceptic
from ruse.games.cheat.rules import Cheat
from ruse.hierarchy.hierarchy import Hierarchy
from ruse.hierarchy.points import EveryTurns
from ruse.laws.peeking import refuse_peeking
from ruse.play.lawful import refuse_broken
from ruse.protocol.game import RULES
from ruse.protocol.guards.breaches import Unlawful
from ruse.protocol.state import State
from ruse.training.train import train

TWO = Cheat(ranks=4, copies=2, deal=4, hp=2)
THREE = Cheat(ranks=3, copies=3, deal=3, players=3, hp=2)
EACH = Hierarchy.of(Always(0), Always(1), points=EveryTurns(), features=Everything())


@compiled("stage", "allows")
class Challenges(NamedTuple):
    """A choice at challenges alone, and not at all of them; between one or two policies; one seat is never asked."""

    quiet: int = 2

    def stage(self, game, seen, me, moves):
        return moves // 3 + 1 if seen[PHASE] == CHALLENGING and me != self.quiet else 0

    def allows(self, game, seen, me, policy):
        return policy == 1 or seen[SEEN_TURN] % 3 != policy


SETUPS = [
    pytest.param(TWO, [Honest(), Liar(), Sceptic()], EveryTurns(1), None, id="each turn"),
    pytest.param(TWO, [Honest(), Liar()], EveryTurns(3), Sceptic(), id="every third turn"),
    pytest.param(TWO, [Heuristic(), Liar(), Heuristic(threshold=1.0, challenge_last=True)], EveryTurns(2), None,
                 id="with memories of different sizes"),
    pytest.param(THREE, [Honest(), Heuristic(threshold=0.9)], Challenges(), Liar(), id="three players, in one phase"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "policies", "points", "before"), SETUPS)
def test_it_is_what_a_slow_twin_plays(game: Cheat, policies: list[Any], points: Any, before: Any) -> None:
    named = [policy if hasattr(policy, "name") else Called(policy, k) for k, policy in enumerate(policies)]
    hierarchy = Hierarchy.of(*named, points=points, features=AtTable(), before=before)
    abstract, choices = hierarchy.abstract(game), 0
    for seed in range(40):
        dice, state, slow = random.Random(seed), State.of(abstract), SlowGame(game, policies, points, before)
        while not state.is_over:
            columns = abstract.columns
            assert state.row[:columns].tolist() == slow.state.row.tolist()
            assert slow.waits == ("chance" if state.is_chance else "choice")
            assert state.player == slow.state.player
            if not state.is_chance:
                choices += 1
                assert state.actions == [hierarchy.names[k] for k in slow.legal]
                seen, legal = slow.shown(state.player), sum(1 << k for k in slow.legal)
                assert state.infoset == AtTable().feature(game, seen, state.player) << len(policies) | legal
            a = dice.choices(range(state.num_actions), state.chances if state.is_chance else None)[0]
            slow.choose(a)
            state = state.child(a)
        assert slow.waits == "over"
        assert state.payoffs == slow.state.payoffs
    assert choices > 40


def test_keys_need_not_tell_which_policies_may_be_chosen() -> None:
    """Then all are offered, and one that may not be chosen stands for the first that may: here for the second one."""
    policies, points, met = [Honest(), Liar(), Sceptic()], Challenges(), dict[int, set[tuple[int, ...]]]()
    hierarchy = Hierarchy.of(*policies, points=points, features=AtTable(), legal_in_key=False)
    abstract, refused = hierarchy.abstract(TWO), 0
    assert not hierarchy._replace(recalls=True).abstract(TWO).perfect_recall
    for seed in range(60):
        dice, state, slow = random.Random(seed), State.of(abstract), SlowGame(TWO, policies, points)
        while not state.is_over:
            assert state.row[: abstract.columns].tolist() == slow.state.row.tolist()
            a = dice.choices(range(state.num_actions), state.chances if state.is_chance else None)[0]
            if state.is_chance:
                slow.choose(a)
            else:
                assert state.actions == hierarchy.names
                assert state.infoset == AtTable().feature(TWO, slow.shown(state.player), state.player)
                met.setdefault(state.infoset, set()).add(tuple(slow.legal))
                refused += a not in slow.legal
                slow.choose(slow.legal.index(a) if a in slow.legal else 0)
            state = state.child(a)
        assert state.payoffs == slow.state.payoffs
    assert refused > 5
    assert any(len(legal) > 1 for legal in met.values())  # one infoset, and other policies that may be chosen


@compiled("watch", "decide")
class Called(NamedTuple):
    """A policy with a name of its own."""

    bot: Any
    number: int

    @property
    def name(self) -> str:
        return f"policy {self.number}"

    def memory_size(self, game: Any) -> int:
        return int(self.bot.memory_size(game))

    def watch(self, game, seen, me, memory):
        self.bot.watch(game, seen, me, memory)

    def decide(self, game, seen, me, memory, count, u):
        return self.bot.decide(game, seen, me, memory, count, u)


# ---- policies that are actions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_policies_that_are_actions_leave_the_game_as_it_is(players: int) -> None:
    plain = ruse.Kuhn(players=players)
    abstract = EACH.abstract(Watched(plain))
    ours, theirs = (train(game, ruse.cfr_plus(), iterations=100) for game in (plain, abstract))
    assert ours.measured.values == pytest.approx(theirs.measured.values, abs=1e-9)
    assert ours.measured.best == pytest.approx(theirs.measured.best, abs=1e-9)
    assert sorted(ours.strategy.probability) == pytest.approx(sorted(theirs.strategy.probability), abs=1e-9)


@pytest.mark.parametrize("players", [2, 3])
def test_the_laws_hold(players: int) -> None:
    """Plain Python and compiled rules agree, payoffs add up, and nothing is told that the key does not know."""
    report = ruse.check(EACH.abstract(Watched(ruse.Kuhn(players=players))), games=60)
    assert report.failures == []
    assert "compiled rules keep within their arrays in the whole game" in report.lines


@pytest.mark.parametrize("inside", [ruse.Leduc(), ruse.rock_paper_scissors(), ruse.Goofspiel(cards=3)], ids=repr)
def test_actions_that_are_not_there_are_not_offered(inside: Any) -> None:
    """Where fewer policies than there are may be chosen, and where a player has the first move."""
    plain, dice = Watched(inside), random.Random(0)
    hierarchy = Hierarchy.of(*map(Always, range(3)), points=EachAction(), features=Everything())
    for _ in range(30):
        ours, theirs = State.of(plain), State.of(hierarchy.abstract(plain))
        if not ours.is_chance:
            assert theirs.chances == [1.0]
            theirs = theirs.child(0)
        while not ours.is_over:
            if ours.num_actions > 1 or ours.is_chance:
                a = dice.randrange(ours.num_actions)
                assert (theirs.player, theirs.num_actions) == (ours.player, ours.num_actions)
                theirs = theirs.child(a)
            else:
                a = 0  # one policy alone: no decision
            ours = ours.child(a)
        assert theirs.is_over
        assert theirs.payoffs == ours.payoffs


# ---- keys, chance and what is refused --------------------------------------------------------------------------------


def test_recall_tells_choices_apart() -> None:
    game = Cheat(ranks=3, copies=2, deal=3, hp=3)
    for recall, most in ((False, 1), (True, 2)):
        met: dict[int, set[tuple[Any, ...]]] = {}
        for seed in range(60):
            dice, state = random.Random(seed), State.of(Manners(recall=recall).hierarchy(game).abstract(game))
            past: list[list[Any]] = [[], []]
            while not state.is_over:
                a = dice.randrange(state.num_actions)
                if not state.is_chance:
                    met.setdefault(state.infoset, set()).add(tuple(past[state.player]))
                    past[state.player] += [state.infoset, a]
                state = state.child(a)
        assert (max(map(len, met.values())) == 1) == (most == 2)


def test_random_policies_follow_a_number_that_chance_draws() -> None:
    hierarchy = Hierarchy.of(
        Naive(), Called(Naive(challenge=0.1), 1), points=EveryTurns(2), features=AtTable(), draws=1
    )
    start = State.of(hierarchy.abstract(TWO))
    assert start.num_actions == 64
    assert start.chances == [1 / 64] * 64
    ends = set()
    for digit in range(64):
        twice = []
        for _ in range(2):
            state, dice = start.child(digit), random.Random(5)
            while not state.is_over:
                state = state.child(dice.choices(range(state.num_actions), state.chances)[0] if state.is_chance else 0)
            twice.append(tuple(state.row.tolist()))
        assert twice[0] == twice[1]
        ends.add(twice[0][: len(TWO.start())])
    assert len(ends) > 20


@compiled("stage", "allows")
class NoneAllowed(NamedTuple):
    """Nothing may be chosen."""

    nothing: int = 0

    def stage(self, game, seen, me, moves):
        return 1

    def allows(self, game, seen, me, policy):
        return False


@compiled("feature")
class Beyond(NamedTuple):
    """Reads behind the end."""

    nothing: int = 0

    def feature(self, game, seen, me):
        return seen[len(seen)]


@compiled(*RULES, "observe")
class Leaking(NamedTuple):
    """Kuhn, with an `observe` that shows the whole row."""

    inside: ruse.Kuhn = ruse.Kuhn()

    players = property(lambda self: self.inside.players)
    player, num_actions, chance, apply = (
        Watched.player, Watched.num_actions, Watched.chance, Watched.apply,
    )  # fmt: skip
    infoset, payoff, start = Watched.infoset, Watched.payoff, Watched.start
    action_name, describe = Watched.action_name, Watched.describe

    def observe(self, s, player, out):
        for c in range(len(s)):
            out[c] = s[c]

    def observation_size(self) -> int:
        return len(self.inside.start())


@pytest.mark.parametrize(
    ("game", "hierarchy", "told"),
    [
        (Watched(ruse.Kuhn()), Hierarchy.of(Always(0), Always(1), points=NoneAllowed(), features=Everything()),
         "points allow player 0 no policy at"),
        (Watched(ruse.Kuhn()), Hierarchy.of(Always(7), Always(1), points=EveryTurns(), features=Everything()),
         "the policy always 7 chose what is no action for player"),
        (Watched(ruse.Kuhn()), Hierarchy.of(Always(0), Always(1), points=EveryTurns(), features=Beyond()),
         "reaches beyond what it is shown"),
        (Leaking(), EACH, "observe tells player . what is hidden"),
        (ruse.Kuhn(), EACH, "has no observe"),
    ],
)  # fmt: skip
def test_what_cannot_be_walked_is_refused(game: Any, hierarchy: Hierarchy, told: str) -> None:
    with pytest.raises(RuseError, match=told):
        refuse_peeking(game, hierarchy)  # type: ignore[arg-type]


def test_a_policy_without_an_action_breaks_a_law() -> None:
    """Where the first games do not meet it: it is told, and nothing is made up."""
    state = State.of(Hierarchy.of(Always(7), points=EveryTurns(), features=Everything()).abstract(Watched(ruse.Kuhn())))
    with pytest.raises(Unlawful, match="has no action"):
        refuse_broken(state.child(0).child(0))


def test_words() -> None:
    with pytest.raises(RuseError, match="two policies have one name: always 1, always 1"):
        Hierarchy.of(Always(1), Always(1), points=EveryTurns(), features=Everything())
    with pytest.raises(RuseError, match="1 to 16 policies"):
        Hierarchy.of(points=EveryTurns(), features=Everything())
    with pytest.raises(RuseError, match="draws must be"):
        Hierarchy.of(Always(1), points=EveryTurns(), features=Everything(), draws=9)
    told = repr(Manners(every=3).hierarchy(TWO))
    assert told.startswith(
        "Hierarchy.of(Manner(lies=False, doubts=False), Manner(lies=True, doubts=False), Manner(lies=F"
    )
    assert told.endswith("recall=False, draws=0)")
    assert repr(Manners().hierarchy(TWO)._replace(legal_in_key=False)).endswith("draws=0, legal_in_key=False)")
    assert Manners().hierarchy(TWO).names == ["honest", "liar", "sceptic"]
    assert np.all(Manners().hierarchy(TWO).abstract(TWO).start()[len(TWO.start()) :] == 0)


class Fails(NamedTuple):
    """A policy whose own code is wrong somewhere."""

    where: str

    @property
    def name(self) -> str:
        return str(1 // 0) if self.where == "name" else "fails"

    def memory_size(self, game: Any) -> Any:
        return {"size": 1 << 40, "no size": None}.get(self.where, 0) if self.where != "raises" else 1 // 0

    def watch(self, game: Any, seen: Any, me: int, memory: Any) -> None:
        pass

    def decide(self, game: Any, seen: Any, me: int, memory: Any, count: int, u: float) -> int:
        return {"decide": {}}.get(self.where, {me: 0})[me]  # a division by zero is none in kernels


@compiled("feature")
class Half(NamedTuple):
    """No number of 64 bits."""

    nothing: int = 0

    def feature(self, game, seen, me):
        return {}[me]


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("name", r"^Fails has failed: name\(\) raised ZeroDivisionError: .* at test_abstract\.py:\d+$"),
        ("raises", r"^Fails has failed: memory_size\(\) raised ZeroDivisionError"),
        (
            "size",
            r"^memory_size\(\) of the policy fails must return a whole number from 0 to 1,048,576, not 1099511627",
        ),
        ("no size", r"^memory_size\(\) of the policy fails must return a whole number from 0 to 1,048,576, not None$"),
        ("decide", r" has failed: decide\(\) raised KeyError"),
        ("features", r" has failed: feature\(\) raised KeyError"),
    ],
)
def test_what_the_code_of_a_part_raises_is_its_fault(where: str, told: str) -> None:
    features = Half() if where == "features" else Everything()
    with pytest.raises(RuseError, match=told) as found:
        refuse_peeking(
            Watched(ruse.Kuhn()), Hierarchy.of(Fails(where), Always(1), points=EveryTurns(), features=features)
        )  # type: ignore[arg-type]
    assert "\n" not in str(found.value)
