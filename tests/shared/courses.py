"""A curriculum of three lessons, and what tells two runs apart."""

from pathlib import Path
from typing import Any, NamedTuple

import ruse
from ruse.compile.hashing import mix
from ruse.games.liars_dice import BIDS, HANDS, WHO

RAISES = [ruse.Leduc(max_raises=n) for n in (1, 2, 3)]


def probabilities(run: ruse.Run) -> bytes:
    return run.strategy.keys.tobytes() + run.strategy.probability.tobytes()


@ruse.compiled("key")
class OneFaceFewer(NamedTuple):
    """Liar's Dice for two with one die each, as if it had no lowest face: bids on that are not seen, nor its die."""

    nothing: int = 0

    def key(self, game, s):
        faces, bids, player = game.sides - 1, 0, 0
        for bid in range(2 * game.sides):
            face = bid % game.sides
            if face > 0 and s[BIDS] >> bid & 1:
                bids |= 1 << bid // game.sides * faces + face - 1
                player = 1 - player
        hand = s[HANDS + s[WHO]]
        return mix(bids << 4 * faces | (hand >> 4 if hand > 1 else hand), player)


STALLS = ruse.Stalled(ruse.WinRate(ruse.RandomBot(), deals=100), checks=8, at_least=50)


def course(folder: Path | None, games: Any = RAISES, **changes: Any) -> list[ruse.Run]:
    settings: dict[str, Any] = {"transfer": ruse.Copying(0.5), "until": STALLS, "seed": 1} | changes
    return ruse.curriculum(games, settings.pop("solver", ruse.mccfr()), runs=folder, **settings)
