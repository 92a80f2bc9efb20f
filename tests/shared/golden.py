"""The games with golden playthroughs and counts.

After a deliberate change of a game, `python tests/shared/golden.py` writes the playthroughs anew and prints the counts.
"""

import random
import sys
import tomllib
from fractions import Fraction

import numpy as np
from places import DATA
from random_games import random_game
from surveys import survey

from ruse.games.blotto import Blotto
from ruse.games.board.battleship import Battleship
from ruse.games.board.dark_hex import DarkHex
from ruse.games.board.phantom_ttt import PhantomTicTacToe
from ruse.games.cheat.rules import Cheat
from ruse.games.goofspiel import POINT_DIFFERENCE, RANDOM, Goofspiel
from ruse.games.holdem.fields import stacks
from ruse.games.holdem.rules import Holdem
from ruse.games.holdem.spots.reading import spot_of
from ruse.games.holdem.spots.rules import spot_game
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.mahjong.rules import Mahjong
from ruse.games.matrix import rock_paper_scissors
from ruse.games.oh_hell import OhHell
from ruse.games.oshi_zumo import OshiZumo
from ruse.games.rhode_island import RhodeIsland
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Game
from ruse.protocol.state import State

PLAYTHROUGHS = DATA / "playthroughs"
COUNTS = tomllib.loads((DATA / "counts.toml").read_text())
GAMES: dict[str, Game] = {  # one entry at least for each game in the package
    "kuhn": Kuhn(),
    "kuhn_3": Kuhn(players=3),
    "leduc": Leduc(),
    "leduc_3": Leduc(players=3),
    "leduc_big": Leduc(ranks=12, max_raises=6),
    "rhode_island": RhodeIsland(),
    "rhode_island_small": RhodeIsland(ranks=3, suits=2),
    "liars_dice": LiarsDice(),
    "goofspiel": Goofspiel(),
    "goofspiel_random": Goofspiel(cards=3, points_order=RANDOM, returns=POINT_DIFFERENCE),
    "oshi_zumo": OshiZumo(),
    "blotto": Blotto(),
    "dark_hex": DarkHex(),
    "phantom_ttt": PhantomTicTacToe(),
    "battleship": Battleship(),
    "oh_hell": OhHell(),
    "cheat": Cheat(),
    "cheat_3": Cheat(players=3, hp=1),
    "holdem": Holdem(),
    "spot": spot_game(spot_of("holdem: board Qs Jh 2h 8d, pot 10, stack 20, oop AhAd QdQc, ip KhKd TsTd, bets 50%")),
    "holdem_3": Holdem(players=3, stacks=stacks("25/10/40"), ante=0.1),
    "mahjong": Mahjong(),
    "rock_paper_scissors": rock_paper_scissors(),
    "explicit": random_game(3),
}


def infosets(game: Game, keys: np.ndarray) -> list[int]:
    return [len(np.unique(keys[keys[:, 0] == p, 1])) for p in range(game.players)]


def count_table(game: Game, depth: int) -> dict[str, list[int]]:
    """The game's entry in counts.toml, to a depth."""
    counts, keys, _, _ = survey(game, game.start().astype(np.int64), depth)
    filled = counts[counts.sum(axis=1) > 0]
    table = dict(zip(("decision", "chance", "terminal"), filled.T.tolist(), strict=True))
    return {"histories": filled.sum(axis=1).tolist(), **table, "infosets": infosets(game, keys)}


def playthrough(name: str, game: Game) -> str:
    """One random game, always the same, with all that the game says at every state."""
    draw = random.Random(name)
    state = State.of(game)
    lines = [f"{name}: {game!r}"]
    while True:
        lines.append("")
        who = {CHANCE: "chance", OVER: "over"}.get(state.player, str(state.player))
        lines += [f"state {len(state.history)}", f"  player      {who}"]
        if state.is_over:
            lines.append(f"  payoffs     {', '.join(f'{x:.6g}' for x in state.payoffs)}")
        else:
            lines.append(f"  actions     {', '.join(state.actions)}")
        if state.is_chance:
            lines.append(f"  chances     {', '.join(str(Fraction(x).limit_denominator(10**6)) for x in state.chances)}")
        elif not state.is_over:
            lines.append(f"  infoset     {state.infoset}")
        lines.append(f"  everything  {state.describe(EVERYTHING)}")
        lines += [f"  player {p}    {state.describe(p)}" for p in range(game.players)]
        if state.is_over:
            return "\n".join(line.rstrip() for line in lines) + "\n"
        a = draw.randrange(len(state.actions))
        lines.append(f"  -> {state.actions[a]}")
        state = state.child(a)


if __name__ == "__main__":
    PLAYTHROUGHS.mkdir(parents=True, exist_ok=True)
    for title, example in GAMES.items():
        (PLAYTHROUGHS / f"{title}.txt").write_text(playthrough(title, example), encoding="utf-8")
        if title not in COUNTS:
            print(f"[{title}]  # {sys.argv[0]} counted this; say where else it is known from")
            for kind, column in count_table(example, int(sys.argv[1]) if len(sys.argv) > 1 else 30).items():
                print(f"{kind} = {column}")
            print()
