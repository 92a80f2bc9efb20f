"""What goes to a browser is the same, to the byte, for two deals that differ only in what is hidden from that seat."""

import random
import shutil
from typing import Any

import pytest
from fastapi.testclient import TestClient

import ruse
from ruse.evaluate.explaining.coach import Coach
from ruse.evaluate.explaining.review import ChoiceReviewer
from ruse.laws.twins import Line, twins
from ruse.protocol.game import CHANCE, EVERYTHING
from ruse.protocol.scene import scene_of
from ruse.protocol.state import State
from ruse.strategy import Strategy
from ruse.studio.play.seating import Seating, Sitting
from ruse.studio.play.table import PlayTable
from ruse.studio.play.table_words import SceneView
from ruse.studio.play.tables import PlayTables
from ruse.studio.state import Studio

# Of each the moves that are made to find twins, and how many pairs are played: large games have more to hide.
GAMES = {
    "kuhn": (300, 12), "kuhn:players=3": (300, 8), "leduc": (400, 12), "leduc:players=3": (400, 8),
    "liars_dice": (300, 10), "goofspiel": (400, 10), "goofspiel:cards=5,players=3": (400, 6), "cheat": (800, 15),
    "cheat:players=3": (800, 8), "cheat:half,max_turns=20": (1000, 8), "holdem": (800, 12),
    "holdem:players=3": (800, 6), "mahjong": (2000, 6), "rock_paper_scissors": (50, 4), "matching_pennies": (50, 4),
    "dark_hex": (300, 6), "oshi_zumo": (300, 6), "blotto": (50, 4),
}  # fmt: skip
COACHED = ("kuhn", "leduc")  # whose hints are compared, too


def let_be(monkeypatch: pytest.MonkeyPatch, line: Line, game: Any) -> None:
    """Let chance and the others do what a line says, at a table whose name tells nothing."""
    acting = [int(game.player(row)) for row in line.rows]
    chance = iter([a for a, player in zip(line.moves, acting, strict=False) if player == CHANCE])
    monkeypatch.setattr("ruse.play.session.drawn", lambda *_: next(chance))
    monkeypatch.setattr("ruse.play.session.answer_of", lambda seat, state, u: line.moves[len(state.history)])
    monkeypatch.setattr("ruse.studio.play.tables.secrets.token_hex", lambda size: "0" * 16)


def bytes_told(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, spec: str, player: int, line: Line
) -> list[bytes]:  # fmt: skip
    """All that a browser gets while a person in this seat plays a line, from the first look to its last decision."""
    studio: Studio = client.app.state.studio  # type: ignore[attr-defined]
    shutil.rmtree(studio.games, ignore_errors=True)
    studio.of(PlayTables).at_hand.forget("0" * 16)
    game = studio.of(Seating).game(spec)
    let_be(monkeypatch, line, game)
    told: list[bytes] = []

    def ask(method: str, path: str, *, status: int = 200, **asked: Any) -> Any:
        answer = client.request(method, path, **asked)
        told.append(repr(sorted(answer.headers.items())).encode() + answer.content)
        assert answer.status_code == status, answer.text
        return answer.json()

    view = ask("POST", "/api/tables", json={"game": spec, "against": ["random"], "seat": player, "seed": 1})
    path = f"/api/tables/{view['id']}"
    state = State.of(game)
    for a in line.moves:
        if state.player == player:
            ask("GET", path)
            if spec in COACHED:
                ask("GET", f"{path}/hint")
                ask("GET", f"{path}/review")
            view = ask("POST", f"{path}/act", json={"action": state.actions[a], "seen": view["seen"]})
        state = state.child(a)
    assert view["turn"] == player
    ask("GET", path)
    ask("GET", f"{path}/hint")
    ask("GET", f"{path}/review")
    # What is refused tells nothing either, nor do the other areas tell of a game that is not over.
    ask("POST", f"{path}/act", status=400, json={"action": "no such thing", "seen": view["seen"]})
    ask("POST", f"{path}/act", status=409, json={"action": view["scene"]["actions"][0], "seen": view["seen"] + 1})
    ask("POST", f"{path}/next", status=409)
    ask("GET", f"/api/records/{view['id']}", status=404)
    ask("GET", f"/api/records/{view['id']}/1/worth", status=404, params={"move": 0})
    ask("GET", "/api/records")
    ask("GET", "/api/explorer/node", status=404, params={"source": f".games/open/{view['id']}.jsonl"})
    (left,) = ask("GET", "/api/tables")
    told[-1] = repr(left | {"touched": None}).encode()  # when a move was written is not in the deal
    return told


def uniform_coach(self: Seating, name: str, game: Any) -> Sitting:
    strategy = self._games.of(("coach", repr(game)), lambda: Strategy.uniform(game))
    return Sitting(name, ruse.RandomBot(), ChoiceReviewer(Coach(strategy)))


@pytest.mark.parametrize("spec", GAMES)
def test_bytes_tell_nothing_that_is_hidden(spec: str, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    if spec in COACHED:
        monkeypatch.setattr(Seating, "sitting", uniform_coach)
    game, (moves, most) = ruse.game(spec), GAMES[spec]
    pairs = list(twins(game, random.Random(7), moves=moves, enough=most))
    pairs = pairs[:: max(1, len(pairs) // most)][:most]
    assert pairs
    differ = 0
    for player, one, other in pairs:
        ends = [State(game, line.rows[-1], tuple(line.moves)).describe(EVERYTHING) for line in (one, other)]
        differ += ends[0] != ends[1]
        told = [bytes_told(client, monkeypatch, spec, player, line) for line in (one, other)]
        assert told[0] == told[1], f"player {player} could tell {ends[0]} from {ends[1]}"
    assert differ > 0


# ---- a hand of Hold'em to its last decision --------------------------------------------------------------------------

BOARD = ["Qs", "Jh", "2h", "7c", "As"]
OTHERS = {  # what the others hold, in two deals: who wins, and with what, is not the same
    3: ("Kc Kd 9c 8c", "Th 9h Ah Ad"),
    6: ("Kc Kd 9c 8c 3c 3d 6h 5h Ts 9s", "Qh Qd 4c 4d Ah Ad Th Kh 2c 2d"),
}


def called_down(game: Any, seat: int, mine: list[str], others: list[str]) -> Line:
    """Everybody checks and calls, with these cards dealt; up to the last decision of a seat."""
    holes = [mine if p == seat else [others.pop(0), others.pop(0)] for p in range(game.players)]
    cards, state, last = iter([*(card for hand in holes for card in hand), *BOARD]), State.of(game), 0
    rows, moves = [state.row], list[int]()
    while not state.is_over:
        if state.player == seat:
            last = len(moves)
        names = state.actions
        a = (
            names.index(next(cards))
            if state.is_chance
            else next(names.index(x) for x in ("check", "call") if x in names)
        )
        state = state.child(a)
        moves.append(a)
        rows.append(state.row)
    return Line(rows[: last + 1], moves[:last])


@pytest.mark.parametrize(("players", "seat"), [(3, 0), (3, 2), (6, 3)])
def test_a_hand_of_holdem_tells_a_seat_nothing_of_the_others(
    players: int, seat: int, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the deal to the river, over HTTP and over the WebSocket, whatever the others hold."""
    spec = f"holdem:players={players}"
    game = ruse.game(spec)
    lines = [called_down(game, seat, ["4h", "4s"], others.split()) for others in OTHERS[players]]
    ends = [State(game, line.rows[-1], tuple(line.moves)) for line in lines]
    assert ends[0].describe(seat) == ends[1].describe(seat)
    assert ends[0].describe(EVERYTHING) != ends[1].describe(EVERYTHING)
    told = []
    for line in lines:
        told.append(bytes_told(client, monkeypatch, spec, seat, line))
        with client.websocket_connect("/api/feed", headers={"host": "127.0.0.1"}) as feed:
            for word in ("tables/" + "0" * 16, "table/" + "0" * 16, "records/" + "0" * 16):
                feed.send_json({"listen": word})
                told[-1].append(feed.receive_text().encode())
    assert told[0] == told[1]
    assert len(told[0]) > 12
    hidden = {card for others in OTHERS[players] for card in others.split()}
    assert not [one for one in told[0] for card in hidden if f'"{card}"'.encode() in one]


def test_what_is_hidden_is_found_where_it_is_told(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that shows everything does not pass."""
    honest = PlayTable.view

    def peeking(self: PlayTable) -> Any:
        view = honest(self)
        state = self.open_session()._state
        return view.model_copy(update={"scene": SceneView.of(scene_of(state, EVERYTHING))})

    monkeypatch.setattr(PlayTable, "view", peeking)
    player, one, other = next(iter(twins(ruse.game("kuhn"), random.Random(7), moves=200)))
    told = [bytes_told(client, monkeypatch, "kuhn", player, line) for line in (one, other)]
    assert told[0] != told[1]


def test_a_record_tells_nothing_of_the_next_deal(client: TestClient) -> None:
    """It has the seed of its own game, and with that the next one cannot be dealt."""
    view = client.post("/api/tables", json={"game": "leduc", "against": ["random"], "seed": 1}).json()
    dealt = []
    for number in (1, 2, 3):
        while not view["over"]:
            asked = {"action": view["scene"]["actions"][-1], "seen": view["seen"]}
            view = client.post(f"/api/tables/{view['id']}/act", json=asked).json()
        replay = client.get(f"/api/records/{view['id']}/{number}").json()
        dealt.append(replay["seed"])
        view = client.post(f"/api/tables/{view['id']}/next").json()
    assert len(set(dealt)) == 3
    assert "seed" not in view
