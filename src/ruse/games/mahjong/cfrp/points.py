"""When a policy is chosen, and which may be: the points of CFR-p, or as many as there are turns."""

from typing import NamedTuple

from ruse.compile import compiled
from ruse.games.mahjong.actions import WIN
from ruse.games.mahjong.cfrp.rounds import round_of
from ruse.games.mahjong.telling.observation import LEGAL, OWN_DECLARED, OWN_HAS_CHOW, SEEN_DREW
from ruse.words.naming import printed

NORMAL, PONGPONGHU, PAIRS = range(3)  # the policies that are chosen from


@compiled("stage", "allows")
class Rounds(NamedTuple):
    """A choice when a player has drawn, the first time at or after certain rounds. Who can win chooses nothing.

    The round is the number of tiles drawn so far by both, and player 1 has each point one later; or it is the number
    of those that the player himself has drawn, and both have the same points.
    """

    first: int = 1
    apart: int = 12
    times: int = 3
    own: bool = False  # rounds are the player's own draws

    @property
    def most(self) -> int:
        """How often a player chooses in one game."""
        return self.times

    def stage(self, game, seen, me, moves):
        rounds = round_of(seen, self.own) - self.first - (0 if self.own else me)
        if seen[SEEN_DREW] < 0 or rounds < 0 or seen[LEGAL + 1] == WIN:
            return 0
        return min(rounds // self.apart + 1, self.times)

    def allows(self, game, seen, me, policy):
        """No pongs alone with a chow that is declared, no seven pairs with any meld."""
        if policy == PONGPONGHU:
            return seen[OWN_HAS_CHOW] == 0
        return policy == NORMAL or seen[OWN_DECLARED] == 0

    def __repr__(self) -> str:
        return printed(self, ["own"])
