"""A hierarchy as one part: policies, points and features, and what each player writes into a book of them."""

from typing import Any, NamedTuple

from ruse.compile import compiled
from ruse.compile.hashing import mix
from ruse.errors import RuseError
from ruse.hierarchy.abstract import NOBODY, Choosing, Chosen
from ruse.hierarchy.books import CURRENT, LOOKED, MEMORIES, MOST, MOVES, STAGE, TRAIL, count_policies, nth_policy
from ruse.hierarchy.chain import Policies, memory_of, policy_name
from ruse.hierarchy.seat import PolicyBot
from ruse.protocol.game import Game
from ruse.protocol.looking import digest
from ruse.protocol.wrapped import Wrapped


@compiled("notice", "stage_due", "legal_at", "key_at", "offered_at", "meant", "take", "remember", "act_as")
class Hierarchy(NamedTuple):
    """Policies over a game's actions, when a player chooses one of them anew, and what the choice is made by."""

    policies: Policies  # those to choose from, then the one that plays before the first choice, if that is another
    points: Any
    features: Any
    choices: int  # how many there are to choose from
    first: int  # which one plays before the first choice
    recalls: bool  # whether keys tell what the player has seen and chosen before
    draws: int  # digits that chance draws before the game, for the random numbers of policies
    legal_in_key: bool = True  # whether keys tell which policies may be chosen; else all of them are offered

    @classmethod
    def of(
        cls, *policies: Any, points: Any, features: Any, before: Any = None, recall: bool = False, draws: int = 0,
        legal_in_key: bool = True,
    ) -> "Hierarchy":  # fmt: skip
        """A hierarchy of these policies; `before` plays until the first choice, or else the first of them."""
        if not 1 <= len(policies) <= MOST:
            raise RuseError(f"a hierarchy has 1 to {MOST} policies to choose from, got {len(policies)}")
        if not 0 <= draws <= 8:
            raise RuseError(f"draws must be from 0 to 8, got {draws}: how many digits are drawn, of 64 each")
        names = list(map(policy_name, policies))
        if len(set(names)) < len(names):
            raise RuseError(f"two policies have one name: {', '.join(names)}; give them an attribute `name`")
        chain = Policies.of(policies if before is None else [*policies, before])
        first = 0 if before is None else len(policies)
        return cls(chain, points, features, len(policies), first, bool(recall), int(draws), bool(legal_in_key))

    @property
    def names(self) -> list[str]:
        """What the choices are called."""
        return list(map(policy_name, self.policies.listed()[: self.choices]))

    @property
    def has_perfect_recall(self) -> bool:
        """Whether keys tell all choices before. Two that come to the same policy they do not tell apart."""
        return self.recalls and self.legal_in_key

    def most_lines(self, players: int) -> float:
        """How many ways so many players can choose in one game, at most; 1 where the points do not tell."""
        most: int = getattr(self.points, "most", 0)
        return float(self.choices) ** (most * players)

    def memory_size(self, game: Game) -> int:
        """How many integers one policy remembers, at most. Never compiled."""
        return memory_of(self.policies.listed(), game)

    def book_size(self, size: int) -> int:
        """How long a player's book is, if one policy remembers so much. Never compiled."""
        return MEMORIES + size * len(self.policies.listed())

    def hierarchy(self, game: Game) -> "Hierarchy":
        """What a view is asked for that is a hierarchy, or names one."""
        return self

    def abstract(self, game: Game, *, plain: int = NOBODY) -> Wrapped:
        """The game in which players choose policies; one of them may be left to play by the game's own actions."""
        return Choosing.of(game, self, plain=plain)

    def offered(self, game: Game) -> tuple[Wrapped, Chosen]:
        """The same, and the view whose keys are those of choices."""
        return self.abstract(game), Chosen()

    def seat(self, game: Game, chooser: Any, *, by_player: bool = False) -> PolicyBot:
        """A bot for the plain game that plays a strategy of the abstract one, given what chooses by a key."""
        return PolicyBot(self, chooser, self.memory_size(game), by_player)

    # ---- a player's book ---------------------------------------------------------------------------------------------

    def notice(self, game, seen, me, book, size):
        """Show all policies what the player sees after a move, if it is another than before."""
        looked = digest(seen)
        if looked != book[LOOKED]:
            book[LOOKED] = looked
            self.policies.watch_each(game, seen, me, book[MEMORIES:], size)

    def stage_due(self, game, seen, me, book):
        """The stage that the player is in, if a policy is to be chosen for it; else 0."""
        stage = self.points.stage(game, seen, me, book[MOVES])
        return stage if stage != book[STAGE] else 0

    def legal_at(self, game, seen, me):
        """The policies that may be chosen, as bits."""
        legal = 0
        for policy in range(self.choices):
            if self.points.allows(game, seen, me, policy):
                legal |= 1 << policy
        return legal

    def key_at(self, game, seen, me, book, legal):
        """The infoset of a choice."""
        key = self.features.feature(game, seen, me) & ((1 << 63 - self.choices) - 1)
        if self.legal_in_key:
            key = key << self.choices | legal
        return mix(book[TRAIL], key) if self.recalls else key

    def offered_at(self, legal):
        """How many actions a choice between these policies has. Where keys do not tell which they are, it has all."""
        return count_policies(legal) if self.legal_in_key or legal == 0 else self.choices

    def meant(self, legal, a):
        """The policy that action a stands for: the a-th legal one. If all are offered, the first for those that are
        not.
        """
        if self.legal_in_key:
            return nth_policy(legal, a)
        return a if legal >> a & 1 else nth_policy(legal, 0)

    def take(self, book, stage, legal, a):
        """Let the policy play that action a stands for."""
        book[STAGE], book[CURRENT] = stage, self.meant(legal, a) + 1

    def remember(self, book, key):
        """Keep in mind what has been chosen at the infoset of this key."""
        if self.recalls:
            book[TRAIL] = mix(key, book[CURRENT])

    def act_as(self, game, seen, me, book, size, count, u):
        """What the policy that plays does; the move is counted."""
        which = book[CURRENT] - 1 if book[CURRENT] > 0 else self.first
        book[MOVES] += 1
        return self.policies.decide_as(which, game, seen, me, book[MEMORIES:], size, count, u)

    # ---- in words ----------------------------------------------------------------------------------------------------

    def action_name(self, legal: int, a: int) -> str:
        """What an action of a choice is called. Never compiled."""
        return self.names[nth_policy(legal, a) if self.legal_in_key else a]

    def words(self, game: Game, seen: Any, me: int, book: Any, legal: int) -> str:
        """The infoset of a choice in words. Never compiled."""
        features: Any = self.features
        own = getattr(features, "describe", None)
        words = [str(own(game, seen, me) if own else f"feature {features.feature(game, seen, me)}")]
        if self.legal_in_key and legal != (1 << self.choices) - 1:
            words.append("or ".join(f"{name} " for k, name in enumerate(self.names) if legal >> k & 1).strip())
        if self.recalls and book[TRAIL]:
            words.append(f"after #{int(book[TRAIL]) & 0xFFFFFFFFFFFFFFFF:016x}")
        return ", ".join(words)

    def __repr__(self) -> str:
        before = "" if self.first < self.choices else f", before={self.policies.listed()[-1]!r}"
        chosen = ", ".join(map(repr, self.policies.listed()[: self.choices]))
        return (
            f"Hierarchy.of({chosen}, points={self.points!r}, features={self.features!r}{before}, "
            f"recall={self.recalls}, draws={self.draws}"
            f"{'' if self.legal_in_key else ', legal_in_key=False'})"
        )
