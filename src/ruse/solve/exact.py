"""The exact answer to a two-player game of constant sum: a linear program over the sequence form (Koller et al. 1994).

What the players get together may be zero or not, as long as they cannot change it. Maximise player 0's value against a
best response, with one variable for each of player 0's sequences and one value for each of player 1's infosets:

    max v[root]   subject to   E x = e,   F' v <= A' x,   x >= 0

where A[i, j] is the payoff of sequences i and j, and the rows of E and F say that a node's sequences add up to its
parent. The merged game is solved; its payoffs are counted as often as their sequences occur.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.catalog.given import ExpandedLike, as_expanded
from ruse.errors import RuseError
from ruse.solve.solver.fits import Setup, must_fit
from ruse.tree.expanded import Expanded
from ruse.tree.measure.free import free_memory
from ruse.tree.measure.size import TooLarge
from ruse.tree.sequence_form import SequenceForm
from ruse.words.amounts import in_bytes

CANCELLED = 1e-9  # payoffs that differ by less are the same


# HiGHS tells little about what it will take: these are above what it took for Leduc with up to 13 ranks, Liar's Dice
# with 4 to 6 sides and Goofspiel with 5 cards.
BYTES_OF_A_SEQUENCE, BYTES_OF_A_PAYOFF = 1_400, 330
BYTES_OF_A_LEAF = 64  # of the whole game, to look whether payoffs have a fixed sum


class ProgramSize(NamedTuple):
    """How large the linear program of a game is, told before it is made."""

    sequences: int
    payoffs: int
    bytes: int  # with the expanded game, which stays

    @classmethod
    def of(cls, expanded: Expanded) -> "ProgramSize":
        whole, merged = expanded.form, expanded.merged
        sequences, payoffs = merged.num_sequences, len(merged.value) // merged.players
        program = BYTES_OF_A_SEQUENCE * sequences + BYTES_OF_A_PAYOFF * payoffs
        summing = BYTES_OF_A_LEAF * len(whole.value) // whole.players
        held = sum(array.nbytes for form in (whole, merged) for array in form if isinstance(array, np.ndarray))
        return cls(sequences, payoffs, held + max(program, summing))

    def __str__(self) -> str:
        return f"{self.sequences:,} sequences, {self.payoffs:,} payoffs, {in_bytes(self.bytes)}"

    def refuse_if_too_large(self, memory: int | None) -> None:
        """Raise TooLarge unless the program fits into `memory` bytes (default: what is free)."""
        room = free_memory() if memory is None else memory
        if self.bytes > room:
            raise TooLarge(
                f"the linear program is too large: {self} needed, {in_bytes(room)} "
                f"{'free' if memory is None else 'allowed'}; make the game smaller, or solve it by iterations"
            )


class Exact(NamedTuple):
    """An equilibrium and the value of the game to player 0."""

    value: float
    payoff_sum: float  # what both players get together
    sigma: NDArray[Any]  # [sequence of the merged form] behaviour strategy of both players

    def __repr__(self) -> str:
        """Short: sigma may have millions of numbers. `find_equilibrium` gives it by name."""
        return f"Exact(value {self.value:.6f}, {len(self.sigma):,} sequences)"


def solve_exactly(game: ExpandedLike, *, memory: int | None = None) -> Exact:
    """Solve the game by one linear program, unless it takes more memory than is free, or than may be used.

    `find_equilibrium` gives the same answer as a strategy, with what it still loses.
    """
    return by_linear_program(as_expanded(game, memory=memory), memory=memory)


def by_linear_program(expanded: Expanded, *, memory: int | None = None) -> Exact:
    """The same, of a game that is expanded already."""
    form = expanded.merged
    must_fit(Setup(form=form, exact=True))
    ProgramSize.of(expanded).refuse_if_too_large(memory)
    total = payoff_sum_of(expanded.form)  # in the merged one, payoffs that chance cancels are gone
    must_fit(Setup(exact=True, constant_sum=total is not None))
    assert total is not None
    return solved_program(form, total)


def solved_program(form: SequenceForm, total: float) -> Exact:
    """The equilibrium of a merged game of two players who remember, and get so much together."""
    scipy = load_scipy()
    payoff, own, other = payoff_matrix(form, 0), flow(form, 0), flow(form, 1)
    count, infosets = payoff.shape[0], other.shape[0]
    objective = np.zeros(count + infosets)
    objective[count] = -1.0  # the value of player 1's empty sequence is what player 0 is guaranteed
    solved = scipy.optimize.linprog(
        objective,
        A_ub=scipy.sparse.hstack([-payoff.T, other.T]).tocsr(),
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=scipy.sparse.hstack([own, scipy.sparse.csr_matrix((own.shape[0], infosets))]).tocsr(),
        b_eq=np.eye(1, own.shape[0])[0],
        bounds=[(0, None)] * count + [(None, None)] * infosets,
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if solved.status != 0:
        raise RuseError(f"the linear program was not solved: {solved.message}")
    sigma = np.ones(form.num_sequences)
    fill_behaviour(form, 0, solved.x[:count], sigma)
    fill_behaviour(form, 1, -solved.ineqlin.marginals, sigma)  # the dual solution is player 1's strategy
    return Exact(-float(solved.fun), total, sigma)


def payoff_sum_of(form: SequenceForm) -> float | None:
    """What two players get together, if nothing that they do changes it; None if something does.

    Found from the leaves. The sum of payoffs is a matrix, own sequences by the other's. It stays the same function of
    the plans if a node's first row is taken from all its rows and added to its parent's, because a node's sequences add
    up to their parent. After that has been done everywhere, for both players, a constant is all that is left of one.
    """
    matrix = payoff_matrix(form, 0) + payoff_matrix(form, 1).T
    if not matrix.nnz or abs(matrix).max() < CANCELLED:
        return 0.0
    for player in range(2):
        for lift in lifts(form, player):
            matrix = lift @ matrix
        matrix = matrix.T.tocsr()
    left = matrix.tocoo()
    is_constant = (left.row == 0) & (left.col == 0)
    constant, rest = float(left.data[is_constant].sum()), np.abs(left.data[~is_constant])
    return constant if rest.max(initial=0.0) < CANCELLED * max(1.0, abs(constant)) else None


def lifts(form: SequenceForm, player: int) -> list[Any]:
    """For each depth of the player's tree, the deepest first: the matrix that lifts its nodes' first rows."""
    sparse = load_scipy().sparse
    own = sequences_of(form, player)
    place = np.zeros(form.num_sequences, np.int64)
    place[own] = np.arange(len(own))
    depth = np.zeros(form.num_sequences, np.int64)
    entries: list[list[tuple[float, int, int]]] = []  # by depth: what to add of which row to which
    for j in range(form.node_start[player], form.node_start[player + 1]):  # a parent comes before its children
        first, last, parent = int(form.first[j]), int(form.first[j + 1]), int(form.parent[j])
        depth[first:last] = depth[parent] + 1
        if depth[first] > len(entries):
            entries.append([])
        level = entries[depth[first] - 1]
        level.append((1.0, place[parent], place[first]))
        level += [(-1.0, place[s], place[first]) for s in range(first, last)]
    same = sparse.identity(len(own), format="csr")
    found = []
    for level in reversed(entries):
        data, rows, columns = zip(*level, strict=True)
        found.append(same + sparse.csr_matrix((data, (rows, columns)), shape=same.shape))
    return found


def times_merged(form: SequenceForm) -> NDArray[Any]:
    """How many sequences of the whole game each sequence stands for."""
    times = np.ones(form.num_sequences)
    for j in range(len(form.parent)):  # a parent comes before its children
        times[form.first[j] : form.first[j + 1]] = times[form.parent[j]] * form.copies[j]
    return times


def payoff_matrix(form: SequenceForm, player: int) -> Any:
    """The player's payoffs as a sparse matrix, own sequences by the other player's."""
    sparse = load_scipy().sparse
    own = np.repeat(np.arange(form.num_sequences), np.diff(form.leaf_start))
    rows, columns = sequences_of(form, player), sequences_of(form, 1 - player)
    mine = np.isin(own, rows)
    place = np.zeros(form.num_sequences, np.int64)
    place[rows], place[columns] = np.arange(len(rows)), np.arange(len(columns))
    value = form.value[mine] * times_merged(form)[own[mine]]
    where = (place[own[mine]], place[form.others[mine, 0]])
    return sparse.csr_matrix((value, where), shape=(len(rows), len(columns)))


def sequences_of(form: SequenceForm, player: int) -> NDArray[Any]:
    """A player's sequences, the empty one first."""
    start, end = form.first[form.node_start[player]], form.first[form.node_start[player + 1]]
    return np.concatenate([[player], np.arange(start, end)])


def flow(form: SequenceForm, player: int) -> Any:
    """The matrix whose rows say that a node's sequences add up to its parent; the first, that the empty one is 1."""
    sparse = load_scipy().sparse
    place = {int(s): k for k, s in enumerate(sequences_of(form, player))}
    rows, columns, data = [0], [0], [1.0]
    for row, j in enumerate(range(form.node_start[player], form.node_start[player + 1]), start=1):
        own = range(form.first[j], form.first[j + 1])
        rows += [row] * (len(own) + 1)
        columns += [place[int(form.parent[j])], *(place[s] for s in own)]
        data += [-1.0] + [1.0] * len(own)
    return sparse.csr_matrix((data, (rows, columns)), shape=(max(rows) + 1, len(place)))


def fill_behaviour(form: SequenceForm, player: int, plan: NDArray[Any], sigma: NDArray[Any]) -> None:
    """From how often each sequence is played to what is played at each node; uniform where the player never comes."""
    reach = np.zeros(form.num_sequences)
    reach[sequences_of(form, player)] = np.maximum(plan, 0.0)
    for j in range(form.node_start[player], form.node_start[player + 1]):
        own = reach[form.first[j] : form.first[j + 1]]
        total = own.sum()
        sigma[form.first[j] : form.first[j + 1]] = own / total if total > 1e-12 else 1.0 / len(own)


def load_scipy() -> Any:
    try:
        import scipy.optimize
        import scipy.sparse
    except ImportError as error:
        raise RuseError('an exact answer needs SciPy: pip install "ruse[exact]"') from error
    return scipy
