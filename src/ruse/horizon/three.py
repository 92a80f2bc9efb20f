"""Hold'em for three before the flop, all flops checked down: ranges of 169 hands, nothing sampled but an equity table.

How often three starting hands are dealt together is taken as the product of what each pair takes from the other, and
what three hands win of each other comes from drawn deals. Both are tables of 169 x 169 x 169, and what all ends are
worth to a player is a product of matrices. With three players CFR has no promise of an equilibrium; best responses tell
how far it is from one.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.best_response import Exploitability
from ruse.games.holdem.buckets.starting import starting_equities
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.hands.strengths import strengths_on
from ruse.games.holdem.row import has_folded, paid
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.suits.deals import STARTING_HANDS, starting_hands
from ruse.horizon.preflop import NORMAL, Style
from ruse.protocol.game import CHANCE, OVER, Row
from ruse.solve.solver.presets import Solver
from ruse.solve.solver.rules import FADING, FLOOR, NEGATIVE, POSITIVE
from ruse.store import tensors
from ruse.words.long_work import Tell, tell_listeners

Array = NDArray[Any]
SEATS = 3
SLICE = 50  # deals until they are kept
VERSION = 1


class ThreeLines(NamedTuple):
    """The betting of three before the flop, nodes in preorder."""

    who: list[int]  # who acts; -1 at an end
    children: list[list[int]]
    names: list[tuple[str, ...]]
    stays: Array  # [end, seat] who has not folded
    paid: Array  # [end, seat] big blinds
    ends: list[int]  # [end] its node

    def offering(self, *names: str) -> "ThreeLines":
        """With these actions alone at the first decision."""
        kept = [(name, c) for name, c in zip(self.names[0], self.children[0], strict=True) if name in names]
        if len(kept) != len(names):
            raise RuseError(f"the first decision offers {', '.join(self.names[0])}, not all of {', '.join(names)}")
        return self._replace(
            children=[[c for _, c in kept], *self.children[1:]],
            names=[tuple(name for name, _ in kept), *self.names[1:]],
        )

    @classmethod
    def of(cls, game: Holdem) -> "ThreeLines":
        if game.players != SEATS or game.streets != 1 or len({stack for stack in game.stacks if stack}) > 1:
            raise RuseError("this is for three players with the same stacks, who bet before the flop: streets=1")
        found = cls([], [], [], np.zeros((0, SEATS), bool), np.zeros((0, SEATS)), [])
        stays: list[list[bool]] = []
        put: list[list[float]] = []

        def visit(s: Row) -> int:
            while int(game.player(s)) == CHANCE:
                game.apply(s, 0)
            here, who = len(found.who), int(game.player(s))
            found.children.append([])
            found.who.append(who if who != OVER else -1)
            found.names.append(())
            if who == OVER:
                found.ends.append(here)
                stays.append([not has_folded(s, p) for p in range(SEATS)])
                put.append([s[paid(game) + p] / game.chips for p in range(SEATS)])
                return here
            found.names[here] = tuple(game.action_name(s, a) for a in range(int(game.num_actions(s))))
            for a in range(len(found.names[here])):
                after = s.copy()
                game.apply(after, a)
                found.children[here].append(visit(after))
            return here

        visit(game.start())
        return found._replace(stays=np.array(stays), paid=np.array(put))


# ---- three hands against each other ----------------------------------------------------------------------------------


class Equities(NamedTuple):
    """Sums over drawn deals of three hands and a board."""

    won: Array  # [hand, hand, hand] what the first gets of the pot
    dealt: Array  # [hand, hand, hand] how many deals

    @property
    def share(self) -> Array:
        """What the first gets, whichever of the others is named first; all three together get the pot."""
        won, dealt = self.won + self.won.transpose(0, 2, 1), self.dealt + self.dealt.transpose(0, 2, 1)
        share = np.where(dealt > 0.0, won / np.maximum(dealt, 1.0), 1.0 / SEATS)
        total = share + share.transpose(1, 0, 2) + share.transpose(1, 2, 0)
        return np.where(total > 0.0, share / np.maximum(total, 1e-9), 1.0 / SEATS).astype(np.float32)


def three_equities(
    deals: int, *, seed: int = 0, kept: Path | None = None, tell: Tell = tell_listeners
) -> Equities:  # fmt: skip
    """From so many deals, in each of which every starting hand meets all pairs of others."""
    size, first = (STARTING_HANDS,) * SEATS, 0
    found = Equities(np.zeros(size, np.float32), np.zeros(size, np.float32))
    if kept is not None and kept.exists():
        metadata, arrays = tensors.read(kept)
        tensors.check_format(metadata.get("format"), "three-hands", newest=VERSION, path=kept)
        if set(arrays) != {"won", "dealt", "deals"} or arrays["won"].shape != size:
            raise FileTrouble(f"{kept} holds something else than three hands against each other; delete it")
        first, found = int(arrays["deals"][0]), Equities(np.array(arrays["won"]), np.array(arrays["dealt"]))
    for k in range(first, deals):
        add_deal(found, np.random.default_rng([seed, k]))
        if (k + 1) % SLICE == 0 or k + 1 == deals:
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                about = {"format": tensors.format_name("three-hands", VERSION)}
                tensors.write(kept, {"won": found.won, "dealt": found.dealt, "deals": np.array([k + 1])}, about)
            tell(f"{deals:,} deals of three hands", (k + 1) / deals)
    return found


def add_deal(found: Equities, rng: np.random.Generator) -> None:
    """One board, and three times one holding of each kind: who shares no card with the board or another is compared."""
    cards, kinds = holding_cards(), starting_hands().astype(np.int64)
    board = rng.choice(CARDS, 5, replace=False)
    order = [rng.permutation(len(kinds)) for _ in range(SEATS)]
    held = [each[np.unique(kinds[each], return_index=True)[1]] for each in order]
    strength = strengths_on(board.tolist()).astype(np.int64)
    free = [np.asarray(~np.isin(cards[each], board).any(axis=1)) for each in held]

    def meets(p: int, q: int) -> Array:
        shared = (cards[held[p]][:, None, :, None] == cards[held[q]][None, :, None, :]).any(axis=(2, 3))
        found: Array = ~shared & free[p][:, None] & free[q][None, :]
        return found.astype(np.float32)

    def beats(p: int, q: int) -> tuple[Array, Array]:
        ahead = strength[held[p]][:, None] - strength[held[q]][None, :]
        return (ahead > 0).astype(np.float32), (ahead == 0).astype(np.float32)

    met = meets(0, 1)[:, :, None] * meets(0, 2)[:, None, :] * meets(1, 2)[None, :, :]
    (win_1, tie_1), (win_2, tie_2) = beats(0, 1), beats(0, 2)
    share = win_1[:, :, None] * win_2[:, None, :]
    share += (tie_1[:, :, None] * win_2[:, None, :] + win_1[:, :, None] * tie_2[:, None, :]) / 2.0
    share += tie_1[:, :, None] * tie_2[:, None, :] / 3.0
    np.add(found.won, share * met, out=found.won)
    np.add(found.dealt, met, out=found.dealt)


# ---- the game --------------------------------------------------------------------------------------------------------


class Three(NamedTuple):
    """The game of three: lines, and tables of all triples of starting hands."""

    lines: ThreeLines
    dealt: Array  # [hand, hand, hand] how often they are dealt together, the same in any order
    share: Array  # [hand, hand, hand] what the first wins of the other two
    two: Array  # [hand, hand] the same of one other

    @classmethod
    def of(cls, game: Holdem, equities: Equities) -> "Three":
        table = starting_equities()
        own = table.pairs.sum(axis=1) / table.pairs.sum()
        meets = table.pairs / table.pairs.sum() / np.outer(own, own)
        dealt = own[:, None, None] * own[None, :, None] * own[None, None, :]
        dealt = dealt * meets[:, :, None] * meets[:, None, :] * meets[None, :, :]
        return cls(
            ThreeLines.of(game), (dealt / dealt.sum()).astype(np.float32), equities.share,
            table.equity.astype(np.float32),
        )  # fmt: skip

    def end_values(self, player: int, reach: Array) -> Array:
        """[end, hand] what a player gets, times how often the others lead there; reach is by end, seat and hand."""
        lines, (j, k) = self.lines, [p for p in range(SEATS) if p != player]
        hands, values = STARTING_HANDS, np.zeros((len(lines.ends), STARTING_HANDS))
        pot = lines.paid.sum(axis=1)
        meets = self.dealt.reshape(-1, hands) @ reach[:, k].T  # [own * other, end], the third summed up
        meets = meets.reshape(hands, hands, -1) * reach[:, j].T
        gone = ~lines.stays[:, player]
        alone = lines.stays.sum(axis=1) == 1
        met = meets.sum(axis=1).T  # [end, hand]
        values -= met * lines.paid[:, player][:, None]
        values[alone & ~gone] += met[alone & ~gone] * pot[alone & ~gone][:, None]
        with_j = ~gone & lines.stays[:, j] & ~lines.stays[:, k]
        won = np.einsum("ij,ije->ei", self.two, meets[:, :, with_j])
        values[with_j] += won * pot[with_j][:, None]
        with_k = ~gone & lines.stays[:, k] & ~lines.stays[:, j]
        if with_k.any():
            other = (self.dealt.reshape(-1, hands) @ reach[with_k][:, j].T).reshape(hands, hands, -1)
            won = np.einsum("ij,ije->ei", self.two, other * reach[with_k][:, k].T)
            values[with_k] += won * pot[with_k][:, None]
        every = lines.stays.all(axis=1)
        if every.any():
            weighed = (self.dealt * self.share).reshape(-1, hands)
            three = (weighed @ reach[every][:, k].T).reshape(hands, hands, -1)
            values[every] += np.einsum("ije,ej->ei", three, reach[every][:, j]) * pot[every][:, None]
        return values


class ThreeSolver:
    """CFR over ranges for three players, one after the other, by the weights of a full-width rule."""

    def __init__(self, game: Three, solver: Solver, style: Style = NORMAL) -> None:
        self.game, self.solver, self.style = game, solver, style
        lines = game.lines
        self.decisions = [n for n, who in enumerate(lines.who) if who >= 0]
        shape = {n: (STARTING_HANDS, len(lines.children[n])) for n in self.decisions}
        self.regret = {n: np.zeros(size) for n, size in shape.items()}
        self.sums = {n: np.zeros(size) for n, size in shape.items()}
        self.deltas = style.deltas(lines.names[0])
        self.done = 0

    def plays(self, n: int) -> Array:
        """What is played at a decision, by hand and action."""
        wishes = self.deltas if n == 0 else np.ones(self.regret[n].shape[1])
        rows = np.maximum(self.regret[n], 0.0) * wishes
        total = rows.sum(axis=1, keepdims=True)
        extra = wishes - 1.0
        idle = extra / extra.sum() if extra.sum() > 0.0 else np.full(len(wishes), 1.0 / len(wishes))
        return np.where(total > 0.0, rows / np.where(total > 0.0, total, 1.0), idle)

    def average(self) -> dict[int, Array]:
        found = {}
        for n, sums in self.sums.items():
            total = sums.sum(axis=1, keepdims=True)
            found[n] = np.where(total > 0.0, sums / np.where(total > 0.0, total, 1.0), 1.0 / sums.shape[1])
        return found

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.done += 1
            weights = self.solver.weighting.weights(self.done, 0.0)
            for player in range(SEATS):
                self.update(player, weights)

    def update(self, player: int, weights: Any) -> None:
        """One pass for a player, whose strategy is averaged on the way."""
        rows = {n: self.plays(n) for n in self.decisions}
        reach, own = reaches(self.game.lines, rows)
        values = passed_up(self.game, player, rows, reach)
        for n in self.decisions:
            if self.game.lines.who[n] != player or n not in own:  # or not on the menu
                continue
            each = np.stack([values[c] for c in self.game.lines.children[n]], axis=1)
            expected = (each * rows[n]).sum(axis=1, keepdims=True)
            if n == 0 and self.style.beta > 0.0:
                expected = expected + self.style.beta * self.game.dealt.sum(axis=(1, 2))[:, None]
            old = self.regret[n]
            kept = old * np.where(old > 0.0, weights[POSITIVE], weights[NEGATIVE])
            self.regret[n] = np.maximum(kept + each - expected, weights[FLOOR])
            self.sums[n] = self.sums[n] * weights[FADING] + own[n][:, None] * rows[n]


def reaches(lines: ThreeLines, rows: dict[int, Array]) -> tuple[Array, dict[int, Array]]:
    """[end, seat, hand] how often each goes to an end; and at decisions how often their owner comes there."""
    found, own = np.zeros((len(lines.ends), SEATS, STARTING_HANDS), np.float32), {}
    place = {n: e for e, n in enumerate(lines.ends)}

    def visit(n: int, reach: Array) -> None:
        who = lines.who[n]
        if who < 0:
            found[place[n]] = reach
            return
        own[n] = reach[who]
        for a, c in enumerate(lines.children[n]):
            after = reach.copy()
            after[who] = reach[who] * rows[n][:, a]
            visit(c, after)

    visit(0, np.ones((SEATS, STARTING_HANDS)))
    return found, own


def passed_up(
    game: Three, player: int, rows: dict[int, Array], reach: Array, *, best: bool = False
) -> dict[int, Array]:
    """[node: hand] what a player has there, times how often the others lead there: by his rows, or at best."""
    lines, ends = game.lines, game.end_values(player, reach)
    values = {n: ends[e] for e, n in enumerate(lines.ends)}
    for n in reversed(range(len(lines.who))):
        if lines.who[n] < 0:
            continue
        each = np.stack([values[c] for c in lines.children[n]], axis=1)
        if lines.who[n] != player:
            values[n] = each.sum(axis=1)
        else:
            values[n] = each.max(axis=1) if best else (each * rows[n]).sum(axis=1)
    return values


def judged(game: Three, rows: dict[int, Array]) -> Exploitability:
    """What each player has, and what each could have by responding alone."""
    reach = reaches(game.lines, rows)[0]
    values = [float(passed_up(game, p, rows, reach)[0].sum()) for p in range(SEATS)]
    return Exploitability(values, [float(passed_up(game, p, rows, reach, best=True)[0].sum()) for p in range(SEATS)])


def together(lines: ThreeLines, seats: "tuple[dict[int, Array], ...]") -> dict[int, Array]:
    """One profile of three strategies, seat by seat."""
    return {n: seats[who][n] for n, who in enumerate(lines.who) if who >= 0}


def opening(game: Three, rows: dict[int, Array]) -> Array:
    """[action] how often the button takes each first, over all hands."""
    dealt: Array = game.dealt.sum(axis=(1, 2)) @ rows[0]
    return dealt
