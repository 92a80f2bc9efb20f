"""Trees of deals: what is told of them is what a game says in which policies are its actions, and what bots play."""

import numpy as np
import pytest
from watched_games import Always, EachAction, Everything, Watched

import ruse
from ruse.errors import RuseError
from ruse.evaluate.exploitability import expected_values
from ruse.hierarchy.hierarchy import Hierarchy
from ruse.play.match import play_one
from ruse.play.seats import seated
from ruse.protocol.state import State
from ruse.protocol.view import Full
from ruse.strategy import Strategy
from ruse.subgame.deal_responses import Constant, Exploiting, Won, always, clairvoyant, duel_on_deals, recalled
from ruse.subgame.deal_trees import DealTrees
from ruse.subgame.deals import dealt

KUHN = ruse.Kuhn()
GAME = Watched(KUHN)
PASSING = Hierarchy.of(Always(0), Always(1), points=EachAction(), features=Everything())


def all_deals() -> np.ndarray:
    """Each of Kuhn's six deals once."""
    cards = [(a, b) for a in range(3) for b in range(2)]
    return np.array([State.of(GAME).child(a).child(b).row for a, b in cards])


@pytest.fixture(scope="module")
def trees() -> DealTrees:
    return DealTrees.from_rows(GAME, PASSING, all_deals())


def named(trees: DealTrees, shares: dict[tuple[int, str], float]) -> Strategy:
    """A strategy of choices that bets so often: player and infoset by name."""
    keys, bets = list[int](), list[float]()
    abstract = PASSING.abstract(GAME)
    waiting = [State.of(abstract)]
    while waiting:
        state = waiting.pop()
        if not state.is_over and not state.is_chance:
            inside = State(KUHN, state.row[: abstract.columns], ())
            keys.append(state.infoset & (1 << 64) - 1)
            bets.append(shares[state.player, inside.describe(state.player)])
        waiting += state.children()
    found, first = np.unique(np.array(keys, np.uint64), return_index=True)
    share = np.array(bets)[first]
    return Strategy(
        GAME, found, np.arange(0, 2 * len(found) + 1, 2), np.column_stack([1 - share, share]).ravel(), view=PASSING
    )


def in_kuhn(shares: dict[tuple[int, str], float]) -> Strategy:
    plain = Strategy.uniform(KUHN)
    rows = {(choice.player, choice.name): choice for choice in plain}
    assert set(rows) == set(shares)
    keys, probability = list[int](), list[float]()
    waiting = [State.of(KUHN)]
    while waiting:
        state = waiting.pop()
        if not state.is_over and not state.is_chance:
            keys.append(int(Full().key(KUHN, state.row)) & (1 << 64) - 1)
            probability.append(shares[state.player, state.describe(state.player)])
        waiting += state.children()
    found, first = np.unique(np.array(keys, np.uint64), return_index=True)
    share = np.array(probability)[first]
    return Strategy(KUHN, found, np.arange(0, 2 * len(found) + 1, 2), np.column_stack([1 - share, share]).ravel())


def some_shares(seed: int) -> dict[tuple[int, str], float]:
    dice = np.random.default_rng(seed)
    return {(choice.player, choice.name): float(dice.random()) for choice in Strategy.uniform(KUHN)}  # type: ignore[misc]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_on_all_deals_it_is_the_whole_game(trees: DealTrees, seed: int) -> None:
    shares = some_shares(seed)
    agent, plain = named(trees, shares), in_kuhn(shares)
    found, exact = Exploiting.of(trees, agent), ruse.exploitability(KUHN, plain)
    assert found.here.mean == pytest.approx(float(exact), abs=1e-12)
    assert found.on(trees).mean == pytest.approx(found.here.mean, abs=1e-12)
    reach = trees.reach(trees.shares(agent))
    assert trees.by_deal(0, [reach, reach]).mean() == pytest.approx(exact.values[0], abs=1e-12)
    other = some_shares(seed + 10)
    mine = [expected_values(KUHN, pair)[p] for p, pair in enumerate(((plain, in_kuhn(other)), (in_kuhn(other), plain)))]
    assert duel_on_deals(trees, agent, named(trees, other)).mean == pytest.approx(sum(mine) / 2, abs=1e-12)
    assert clairvoyant(trees, agent).mean >= found.here.mean - 1e-12


def test_keys_are_those_of_the_hierarchy(trees: DealTrees) -> None:
    keys, trails = trees.keys_of(PASSING), recalled(trees, PASSING)
    plain, remembering = set(), set()
    for hierarchy, into in ((PASSING, plain), (PASSING._replace(recalls=True), remembering)):
        waiting = [State.of(hierarchy.abstract(GAME))]
        while waiting:
            state = waiting.pop()
            if not state.is_over and not state.is_chance:
                into.add(int(np.int64(state.game.infoset(state.row))))
            waiting += state.children()
    assert set(keys.tolist()) == plain
    assert set(trails.tolist()) == remembering
    assert set(trees.keys_of(PASSING._replace(recalls=True)).tolist()) == remembering


def test_what_a_strategy_gives_to_policies_that_may_not_be_chosen_goes_to_the_first_that_may() -> None:
    trees = DealTrees(*[None] * len(DealTrees._fields))._replace(choices=3, legal=np.array([0b111, 0b011, 0b110]))
    every = np.array([[0.5, 0.25, 0.25], [0.5, 0.125, 0.375], [0.5, 0.125, 0.375]])
    assert trees.as_legal(every).tolist() == [0.5, 0.25, 0.25, 0.875, 0.125, 0.625, 0.375]


def test_deals_are_those_of_a_match() -> None:
    class Noting:
        seen: list[str] = []  # noqa: RUF012

        def act(self, seat: ruse.Seat) -> int:
            self.seen.append(seat.description)
            return 0

    rows = dealt(KUHN, 12, seed=5)
    for deal, row in enumerate(rows):
        Noting.seen.clear()
        play_one(KUHN, [seated(KUHN, Noting()), seated(KUHN, Noting())], seed=5, deal=deal, rotation=0)
        assert Noting.seen[0] == State(KUHN, row, ()).describe(0)
    assert not np.array_equal(dealt(KUHN, 12, seed=6), rows)


def test_those_who_keep_one_policy() -> None:
    judge = Constant.of(GAME, PASSING, 40, seed=3)
    agent = named(judge.trees[0], some_shares(4))
    each = [judge.policy_against(policy, agent) for policy in range(2)]
    best = judge.against(agent)
    assert all(best.mean >= one.mean - 1e-12 for one in each)
    for player, trees in enumerate(judge.trees):
        own = trees.owner == player
        assert np.all(trees.parent[own] == player), "one choice, at the first turn"
        kept = trees.reach(always(trees, 1))
        assert set(np.unique(kept[trees.first[:-1][own] + 1])) == {1.0}
    # Drawn anew against each, the highest score is higher than that of the mean.
    assert judge.against_drawn(agent).mean >= best.mean - 1e-12


def test_the_highest_score_of_games_that_are_drawn() -> None:
    """Against a draw of the agent's choices for each policy, by hand on every deal."""
    judge = Constant.of(GAME, PASSING, 6, seed=1)
    agent = named(judge.trees[0], some_shares(2))
    told = judge.against_drawn(agent).by_deal
    by_hand = np.zeros(6)
    for player, trees in enumerate(judge.trees):
        reach = trees.reach(trees.shares(agent))
        for deal in range(6):
            ends = []
            for policy in range(2):
                kept = trees.reach(always(trees, policy))
                at = np.flatnonzero(trees.leaf_deal == deal)
                share = kept[trees.sequence[player, at]] * reach[trees.sequence[1 - player, at]]
                ends.append([(p, x) for p, x in zip(share, trees.payoff[player, at], strict=True) if p > 0])
            by_hand[deal] += sum(p * q * max(x, y) for p, x in ends[0] for q, y in ends[1]) / 2
    assert told == pytest.approx(by_hand, abs=1e-12)


def test_a_single_deal_has_no_error() -> None:
    assert np.isnan(Won(np.array([1.0])).error)
    assert Won(np.array([0.0, 1.0, 2.0])).interval == pytest.approx((1 - 4.302653 / 3**0.5, 1 + 4.302653 / 3**0.5))


def test_what_has_no_trees_is_refused() -> None:
    with pytest.raises(RuseError, match="is a view of actions"):
        DealTrees.of(GAME, Full(), 3)
    with pytest.raises(RuseError, match="draw random numbers"):
        DealTrees.of(GAME, PASSING._replace(draws=1), 3)
    with pytest.raises(RuseError, match="at least 1 deal, got 0"):
        dealt(KUHN, 0)
