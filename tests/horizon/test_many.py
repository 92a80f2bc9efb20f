"""Any number of players before the flop, with a blueprint behind it, beside plain walks and exact values."""

from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from drawn_twin import Deal
from rough_hands import few_buckets, rough_table

from ruse.errors import FileTrouble, RuseError
from ruse.evaluate.holdem.bucketed import Bucketed
from ruse.games.holdem.buckets.starting import starting_equities
from ruse.games.holdem.fields import Stacks
from ruse.games.holdem.rules import Holdem
from ruse.horizon import preflop
from ruse.horizon.continuations import CALLS, biased
from ruse.horizon.holdem_leaves import FlopLeaves, flops_of
from ruse.horizon.many import drawn
from ruse.horizon.many.drawn import room_for, worth_among, worth_of_edges
from ruse.horizon.many.gains import DOUBTS, best_doubt, careful_response, gains, more_by
from ruse.horizon.many.responses import across, best_response, opening, passed_up, won_by_rows
from ruse.horizon.many.seats import Seats
from ruse.horizon.many.solver import SeatsSolver, averaged, run_together
from ruse.horizon.preflop import Preflop, Style, duel, solved
from ruse.solve.solver.presets import dcfr, lcfr
from ruse.store import tensors
from ruse.strategy import Strategy

TWO, THREE = Holdem(stack=8.0), Holdem(players=3, stack=4.0, cap=1)  # few lines


@pytest.fixture(autouse=True)
def rough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equities that nobody has to wait for."""
    for module in (drawn, preflop):
        monkeypatch.setattr(module, "starting_equities", rough_table)


def on_lines(game: Holdem) -> Bucketed:
    """A blueprint that knows nothing."""
    none = np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0)
    return Bucketed.of(Strategy(game, *none, view=few_buckets()))


def mixed(game: Holdem) -> Bucketed:
    """One that plays each bucket in a way of its own."""
    bucketed, rng = on_lines(game), np.random.default_rng(2)
    sigma = np.zeros_like(bucketed.sigma)
    for n in np.flatnonzero(bucketed.lines.who >= 0).tolist():
        rows = bucketed.rows(n)
        sigma[bucketed.first[n] : bucketed.first[n + 1]] = rng.dirichlet(np.ones(rows.shape[1]), len(rows)).ravel()
    return bucketed._replace(sigma=sigma)


def checking(game: Holdem) -> Bucketed:
    """One that always checks and calls."""
    bucketed = on_lines(game)
    sigma = np.zeros_like(bucketed.sigma)
    for n in np.flatnonzero(bucketed.lines.who >= 0).tolist():
        calls = [float(name.startswith(CALLS)) for name in bucketed.lines.names[n]]
        sigma[bucketed.first[n] : bucketed.first[n + 1]] = np.tile(calls, len(bucketed.rows(n)))
    return bucketed._replace(sigma=sigma)


def any_rows(seats: Seats, seed: int = 5) -> Any:
    rows = seats.even() * np.random.default_rng(seed).uniform(0.1, 1.0, (seats.edges, 169))
    for d in range(len(seats.owner)):
        rows[seats.begin[d] : seats.begin[d + 1]] /= rows[seats.begin[d] : seats.begin[d + 1]].sum(axis=0)
    return rows


def test_what_is_done_before_the_flop_as_a_strategy() -> None:
    """Of all seats, and nothing behind the flop is another's."""
    blueprint = Strategy(THREE, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), view=few_buckets())
    bucketed = Bucketed.of(blueprint)
    seats = Seats.on(bucketed, biased(2), chips=THREE.chips)
    rows = seats.even() * np.random.default_rng(5).uniform(0.1, 1.0, (seats.edges, 169))
    table = {n: each / each.sum(axis=1, keepdims=True) for n, each in seats.by_node(rows).items()}
    found = Bucketed.of(preflop.patched_at(blueprint, bucketed.lines, table))
    for n in range(len(bucketed.lines.who)):
        if n in table:
            assert bucketed.lines.street[n] == 0
            np.testing.assert_array_equal(found.rows(n), table[n])
        elif bucketed.lines.who[n] >= 0:
            assert bucketed.lines.street[n] > 0
            np.testing.assert_array_equal(found.rows(n), bucketed.rows(n))


@pytest.mark.parametrize(("game", "count"), [(TWO, 2), (THREE, 2), (TWO, 3), (TWO, 4)], ids=str)
def test_a_deal_is_worth_what_its_twin_says(game: Holdem, count: int) -> None:
    bucketed, ways = mixed(game), biased(count)
    seats = Seats.on(bucketed, ways, chips=game.chips)
    rows, room = any_rows(seats), room_for(seats)
    twin = Deal(game, bucketed, ways, seats, rough_table().equity)
    for player in range(game.players):
        some = range(player, 169, 16)
        found = worth_of_edges(seats, rows, player, range(7, 8), seed=3, room=room)[:, some]
        np.testing.assert_allclose(found, twin.worth(rows, player, 3, 7, some)[:, some], atol=1e-5)


def test_all_deals_are_alike() -> None:
    """Who folds loses what he has paid as often as the others lead there; all hands as often as they are dealt."""
    seats = Seats.on(on_lines(THREE), biased(1), chips=THREE.chips)
    found = worth_of_edges(seats, seats.even(), 1, range(4_000), seed=1, room=room_for(seats))
    folds = int(seats.begin[1])  # the small blind, after the button's fold
    shares = -found[folds] / 0.5 * len(seats.names[0])
    assert shares.sum() == pytest.approx(1.0, abs=0.1)
    assert np.abs(shares - seats.dealt).sum() < 0.15


@cache
def two_checked() -> tuple[Seats, Preflop, Any]:
    """Two players whose flops are checked down, drawn and exactly."""
    bucketed = checking(TWO)
    game, table = Preflop.of(bucketed.lines), starting_equities()
    nodes = tuple(flops_of(bucketed.lines))
    worth = np.array([bucketed.lines.paid[n, 0] * (2.0 * table.equity - 1.0) for n in nodes])
    cut = game.valued(FlopLeaves(nodes, worth[:, None, None], 0, 0.0))
    return Seats.on(bucketed, biased(1), chips=TWO.chips), game, cut


def by_node(seats: Seats, rows: Any) -> dict[int, Any]:
    """Rows as the exact game has them."""
    return {d: rows[seats.begin[d] : seats.begin[d + 1]].T for d in range(len(seats.nodes))}


@pytest.mark.slow
def test_two_players_win_what_they_win_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # equities of some boards are not those of the deals
    seats, game, cut = two_checked()
    order = {n: k for k, n in enumerate(game.decisions)}
    assert [game.kept[n] for n in order] == seats.nodes.tolist()
    first, second, room = any_rows(seats, 1), any_rows(seats, 2), room_for(seats)
    rows = [{n: by_node(seats, each)[k] for n, k in order.items()} for each in (first, second)]
    groups = [range(k * 2_000, (k + 1) * 2_000) for k in range(10)]
    found = across(seats, seats.seated(first, second), 0, [first], groups, seed=1, room=room)[:, 0]
    exact = duel(cut, rows[0], rows[1])
    assert abs(found.mean() - exact) < 4.0 * found.std(ddof=1) / np.sqrt(10)


@pytest.mark.slow
def test_two_players_open_as_the_exact_solve_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    seats, game, cut = two_checked()
    exact = solved(game, cut, dcfr(), iterations=300)
    drawn_one = SeatsSolver(seats, lcfr(), deals=40)
    drawn_one.run(800)
    assert np.abs(opening(seats, drawn_one.average()) - exact.opening).max() < 0.03


def test_three_players_learn_and_have_a_style(tmp_path: Path) -> None:
    seats = Seats.on(mixed(THREE), biased(2), chips=THREE.chips)
    normal = SeatsSolver(seats, lcfr(), deals=5)
    loose = SeatsSolver(seats, lcfr(), Style("loose", ("call",), 5.0, 0.5), deals=5)
    before = gains(seats, normal.average(), 4, 75, seed=9, room=normal.room)
    for solver in (normal, loose):
        solver.run(60)
    rows = normal.average()
    after = gains(seats, rows, 4, 75, seed=9, room=normal.room)
    assert min(gain.more.low for gain in before) > 0.0, "who knows nothing could gain"
    assert sum(gain.more.value for gain in after) < sum(gain.more.value for gain in before) / 2
    assert opening(seats, loose.average())[1] > opening(seats, rows)[1] + 0.05
    assert opening(seats, rows).sum() == pytest.approx(1.0)

    stopped = SeatsSolver(seats, lcfr(), deals=5)
    stopped.run(30)
    stopped.save(tmp_path / "kept")
    again = SeatsSolver(seats, lcfr(), deals=5)
    again.restore(tmp_path / "kept")
    again.run(30)
    assert (again.average() == rows).all(), "to the same bits"
    with pytest.raises(FileTrouble, match="of another solve before the flop; delete it"):
        SeatsSolver(seats, lcfr(), deals=6).restore(tmp_path / "kept")
    raw = bytearray((tmp_path / "kept").read_bytes())
    raw[-1000] ^= 1
    (tmp_path / "kept").write_bytes(raw)
    with pytest.raises(FileTrouble, match="is damaged"):
        again.restore(tmp_path / "kept")


def test_what_is_won() -> None:
    """A strategy wins the sum over its edges of what they are worth, by how often it takes them; none wins more than
    the best response to the same deals.
    """
    seats = Seats.on(mixed(THREE), biased(2), chips=THREE.chips)
    rows, room = any_rows(seats), room_for(seats)
    for p in range(3):
        worth = worth_of_edges(seats, rows, p, range(20), seed=4, room=room)
        reach = {-1: np.ones(169)}
        total = worth[-1].sum()
        for d in np.flatnonzero(seats.owner == p).tolist():
            for e in range(seats.begin[d], seats.begin[d + 1]):
                reach[e] = reach[int(seats.after[d])] * rows[e]
                total += (reach[e] * worth[e]).sum()
        assert won_by_rows(seats, p, worth, rows) == pytest.approx(total)
        assert passed_up(seats, p, worth, rows)[-1].sum() == pytest.approx(total)
        assert won_by_rows(seats, p, worth, best_response(seats, p, worth)) >= total


def by_hand(seats: Seats, player: int, worth: Any, rows: Any, doubt: float, hand: int) -> Any:
    """[edge] a careful response with one hand, decision by decision; the slow twin."""
    value = [[float(x) for x in worth[:, e, hand]] for e in range(seats.edges + 1)]  # [edge][group]
    chosen = {e: float(rows[e, hand]) for e in range(seats.edges)}
    for d in range(len(seats.owner) - 1, -1, -1):
        if seats.owner[d] != player:
            continue
        edges = range(int(seats.begin[d]), int(seats.begin[d + 1]))
        kept = [sum(value[e][g] * rows[e, hand] for e in edges) for g in range(len(worth))]
        more = {e: [value[e][g] - kept[g] for g in range(len(worth))] for e in edges if seats.lanes.offered[e]}
        best = max(more, key=lambda e: mean(more[e]))
        if mean(more[best]) > doubt * stdev(more[best]) / len(worth) ** 0.5:
            chosen |= {e: float(e == best) for e in edges}
        last = int(seats.after[d]) if seats.after[d] >= 0 else seats.edges
        for g in range(len(worth)):
            value[last][g] += sum(value[e][g] * chosen[e] for e in edges)
    return [chosen[e] for e in range(seats.edges)]


def test_a_response_leaves_a_strategy_beyond_doubt_alone() -> None:
    seats = Seats.on(mixed(THREE), biased(2), chips=THREE.chips).offering("fold", "call", "all-in")
    rows, room = SeatsSolver(seats, lcfr(), deals=1).average(), room_for(seats)
    groups = [range(k * 10, (k + 1) * 10) for k in range(8)]
    for p in range(3):
        worth = np.array([worth_of_edges(seats, rows, p, deals, seed=4, room=room) for deals in groups])
        for doubt in (0.5, 2.0):
            found = careful_response(seats, p, worth, rows, doubt)
            for hand in (0, 77, 168):
                assert found[:, hand].tolist() == pytest.approx(by_hand(seats, p, worth, rows, doubt, hand))
        assert (careful_response(seats, p, worth, rows, np.inf) == rows).all()
        without = careful_response(seats, p, worth, rows, 0.0)
        most = won_by_rows(seats, p, worth.mean(axis=0), best_response(seats, p, worth.mean(axis=0)))
        assert won_by_rows(seats, p, worth.mean(axis=0), without) == pytest.approx(most), (
            "without a doubt it is the best one"
        )
        doubt = best_doubt(seats, p, worth, rows)
        judged = {each: more_by(seats, p, worth[6:], careful_response(seats, p, worth[:6], rows, each), rows).mean()
                  for each in DOUBTS}  # fmt: skip
        assert judged[doubt] == max(judged.values()) >= 0.0


def test_deals_on_some_boards_alone(tmp_path: Path) -> None:
    """The board is one of those, all are dealt, the others' hands are of what it leaves, and all such alike."""
    seats = Seats.on(on_lines(THREE), biased(1), chips=THREE.chips)
    boards = [[0, 5, 10, 15, 20], [51, 50, 49, 48, 47]]
    room, seen, hands = room_for(seats, boards), set(), set()
    for number in range(400):
        worth_of_edges(seats, seats.even(), 0, range(number, number + 1), seed=1, room=room)
        deal = room.deal[:9].tolist()
        assert len(set(deal)) == 9
        seen.add(tuple(deal[:5]))
        hands.update(deal[5:])
    assert seen == set(map(tuple, boards))
    assert len(hands) == 52, "what one board has taken the other leaves"
    some, any_board = SeatsSolver(seats, lcfr(), deals=2, boards=boards), SeatsSolver(seats, lcfr(), deals=2)
    with pytest.raises(RuseError, match="on the same boards"):
        run_together([some, any_board], 1)
    some.save(tmp_path / "kept")
    with pytest.raises(FileTrouble, match="of another solve"):
        any_board.restore(tmp_path / "kept")


def test_solves_on_the_same_deals_go_on_together() -> None:
    """Deals are worked out once for all, and each comes to the bits that it comes to alone."""
    seats = Seats.on(mixed(THREE), biased(2), chips=THREE.chips)
    styles = Style(), Style("loose", ("call",), 5.0, 0.5)
    alone, both = ([SeatsSolver(seats, lcfr(), style, deals=2) for style in styles] for _ in range(2))
    for solve in alone:
        solve.run(4)
    run_together(both, 3)
    run_together(both, 1)
    for one, other in zip(alone, both, strict=True):
        assert (one.regret == other.regret).all()
        assert (one.sums == other.sums).all()
    profiles = np.array([any_rows(seats, seed) for seed in (1, 2, 3)])
    among = worth_among(seats, profiles, 1, range(5, 9), seed=2, room=alone[0].room)
    for rows, worth in zip(profiles, among, strict=True):
        assert (worth_of_edges(seats, rows, 1, range(5, 9), seed=2, room=alone[0].room) == worth).all()
    for wrong in ([], [both[0], both[0]]):
        with pytest.raises(RuseError, match="are one at least, and each of them once"):
            run_together(wrong, 1)
    both[0].run(1)
    with pytest.raises(RuseError, match="of one game, one number of deals and seed, and as far"):
        run_together(both, 1)


def interrupted(self: SeatsSolver, *given: Any) -> None:
    raise KeyboardInterrupt


def test_half_an_iteration_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C between two players: what has been learned is of no iteration, and a file goes on from where it was."""
    seats = Seats.on(on_lines(THREE), biased(1), chips=THREE.chips)
    whole, solve = (SeatsSolver(seats, lcfr(), deals=1) for _ in range(2))
    whole.run(4)
    solve.run(2)
    solve.save(tmp_path / "kept")
    with monkeypatch.context() as patch:
        patch.setattr(SeatsSolver, "learn", interrupted)
        with pytest.raises(KeyboardInterrupt):
            solve.run(2)
    for ask in (lambda: solve.save(tmp_path / "kept"), lambda: solve.run(1)):
        with pytest.raises(RuseError, match="was interrupted in the middle of an iteration"):
            ask()
    solve.restore(tmp_path / "kept")
    solve.run(2)
    assert (solve.regret == whole.regret).all()


@pytest.mark.parametrize(
    ("name", "forged", "sentence"),
    [
        ("regret", lambda x: np.where(x > 0.0, np.nan, x), "regret holds what is not a number"),
        ("regret", lambda x: np.round(x).astype(np.int64), "regret is int64"),
        ("sums", lambda x: x - 1.0, "sums has numbers below 0"),
        ("done", lambda x: x - 9, "done has numbers below 0"),
        ("done", lambda x: np.append(x, x), "done is int64"),
    ],
)
def test_a_file_that_no_solve_has_written_is_refused(name: str, forged: Any, sentence: str, tmp_path: Path) -> None:
    """Whole as it is: kernels would go on with it to numbers that mean nothing."""
    solve = SeatsSolver(Seats.on(on_lines(THREE), biased(1), chips=THREE.chips), lcfr(), deals=1)
    solve.run(2)
    solve.save(tmp_path / "kept")
    metadata, arrays = tensors.read(tmp_path / "kept")
    about = {key: metadata[key] for key in ("format", "asked")}
    tensors.write(tmp_path / "kept", {**arrays, name: forged(arrays[name])}, about, sealed=True)
    with pytest.raises(FileTrouble, match=rf"is no file of a solve before the flop, since {sentence}.*; delete it"):
        solve.restore(tmp_path / "kept")


def test_sums_of_several_solves_make_their_mean() -> None:
    seats = Seats.on(on_lines(THREE), biased(1), chips=THREE.chips)
    solves = [SeatsSolver(seats, lcfr(), deals=1, seed=seed) for seed in range(2)]
    for solve in solves:
        solve.run(3)
    pooled = averaged(seats, solves[0].sums + solves[1].sums)
    each = [opening(seats, solve.average()) for solve in solves]
    np.testing.assert_allclose(opening(seats, pooled), np.mean(each, axis=0))
    assert (averaged(seats, solves[0].sums) == solves[0].average()).all()


def test_seats_and_menus() -> None:
    seats = Seats.on(on_lines(THREE), biased(2), chips=THREE.chips)
    fewer = seats.offering("fold", "all-in")
    rows = fewer.even()
    assert rows[: len(seats.names[0]), 0].tolist() == [0.5 * (name in ("fold", "all-in")) for name in seats.names[0]]
    solver = SeatsSolver(fewer, lcfr(), Style("calls", ("call",), 5.0, 0.1), deals=2)
    solver.run(3)
    assert solver.average()[1].max() == 0.0, "what is not offered is not played, whatever is preferred"
    seated = seats.seated(any_rows(seats, 1), any_rows(seats, 2), any_rows(seats, 3))
    assert seated[seats.bets :].reshape(-1, 2, 169)[:, 0].min() == 1.0, "all go on in the first way"
    assert (seated[: seats.begin[1]] == any_rows(seats, 1)[: seats.begin[1]]).all()


def test_what_is_refused() -> None:
    with pytest.raises(RuseError, match=r"offers fold, call, .* not raise 7bb"):
        Seats.on(on_lines(THREE), biased(1), chips=100).offering("fold", "raise 7bb")
    seats = Seats.on(on_lines(THREE), biased(1), chips=100)
    with pytest.raises(RuseError, match="name one action of the first decision at least: fold, call"):
        seats.offering()
    with pytest.raises(RuseError, match="told by one deal at least"):
        gains(seats, seats.even(), 4, 0, seed=0, room=room_for(seats))
    with pytest.raises(RuseError, match="found on 4 groups of deals at least, got 3"):
        gains(seats, seats.even(), 3, 10, seed=0, room=room_for(seats))
    with pytest.raises(RuseError, match="one way to go on at least"):
        Seats.on(on_lines(THREE), (), chips=100)
    with pytest.raises(RuseError, match="the same stacks, not 4, 6, 4"):
        Seats.on(on_lines(THREE._replace(stacks=Stacks(4.0, 6.0, 4.0))), biased(1), chips=100)
    with pytest.raises(RuseError, match="one deal at least, got 0"):
        SeatsSolver(Seats.on(on_lines(THREE), biased(1), chips=100), lcfr(), deals=0)
    with pytest.raises(RuseError, match="1 to 4 ways to go on, not 5"):
        biased(5)
