"""The game of a hierarchy: players choose policies, and the policies play until somebody has to choose again.

A walk copies states, so what players remember goes along: their books lie in columns behind those of the game. Chance
stays that of the game. If policies want random numbers, it first draws a number from which they all follow.
"""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix, share_of
from ruse.errors import RuseError
from ruse.hierarchy.books import CURRENT, MOVES, count_policies
from ruse.hierarchy.chain import policy_name
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Game, Row
from ruse.protocol.guards.breaches import LONGEST
from ruse.protocol.wrapped import Wrapped, twist
from ruse.words.naming import named

FACES = 64  # of a digit
NOBODY = -1
MIDDLE = 0.5  # the random number of policies that do not need any

# Columns behind those of the game: digits drawn so far, the number, which policies may be chosen now (as bits), for
# which stage; then what the player sees who acts, and a book for each player.
DRAWN, NUMBER, LEGAL, DUE, SEEN = range(5)
CHOICE, MOVE, BEGIN = range(3)  # how a turn of the loop starts: by a policy chosen, an action, or nothing
NO_ACTION, ENDLESS = -1, -2  # in DUE, where it cannot be gone on


@twist
class Choosing(NamedTuple):
    """The twist of a game in which players choose policies."""

    sees: Any  # the hierarchy
    seats: int
    shown: int  # columns of an observation
    size: int  # of the memory of one policy
    book: int  # of a player's book
    digits: int  # moves of chance before the game
    faces: int  # of each of them
    plain: int  # a player who has the game's own actions; NOBODY: all choose policies

    @classmethod
    def of(cls, game: Any, hierarchy: Any, *, plain: int = NOBODY) -> Wrapped:
        """The game of a hierarchy; one player may be left to play by the game's own actions."""
        if not hasattr(game, "observe"):
            raise RuseError(f"{named(game)} has no observe() to show policies anything, so it has no hierarchy")
        digits, faces = hierarchy.draws, FACES
        if digits == 0 and game.player(game.start()) != CHANCE:
            digits, faces = 1, 1  # policies may have the first move: what comes of it, comes of the first action
        size = hierarchy.memory_size(game)
        shown, book = int(game.observation_size()), hierarchy.book_size(size)
        return Wrapped.of(game, cls(hierarchy, int(game.players), shown, size, book, digits, faces, plain))

    @property
    def perfect_recall(self) -> bool:
        return bool(self.sees.has_perfect_recall)

    def behind(self, game: Game) -> Row:
        return np.zeros(SEEN + self.shown + self.seats * self.book, np.int64)

    def player_in(self, game, s, behind):
        return CHANCE if behind[DRAWN] < self.digits else game.player(s)

    def num_actions_in(self, game, s, behind):
        if behind[DRAWN] < self.digits:
            return self.faces
        player = game.player(s)
        if player == CHANCE or player == self.plain:
            return game.num_actions(s)
        return self.sees.offered_at(behind[LEGAL])

    def chance_in(self, game, s, behind, a):
        if behind[DRAWN] < self.digits:
            return 1.0 / self.faces
        return game.chance(s, a)

    def apply_in(self, game, s, behind, a):
        player, how, trouble = game.player(s), MOVE, ENDLESS
        if behind[DRAWN] < self.digits:
            behind[NUMBER] = behind[NUMBER] * FACES + a
            behind[DRAWN] += 1
            if behind[DRAWN] < self.digits:
                return
            how = BEGIN
        elif player != CHANCE and player != self.plain:
            how = CHOICE
        seen = behind[SEEN : SEEN + self.shown]
        for _ in range(LONGEST):
            if how == CHOICE:
                book = behind[first_of(self, player) : first_of(self, player + 1)]
                key = self.sees.key_at(game, seen, player, book, behind[LEGAL])
                self.sees.take(book, behind[DUE], behind[LEGAL], a)
                self.sees.remember(book, key)
            else:
                if how == MOVE:
                    game.apply(s, a)
                player = game.player(s)
                if player < 0:  # chance has something to do, or it is over
                    return
                for k in range(0 if self.size > 0 else self.seats - 1, self.seats):  # who acts is the last to look
                    p = (player + 1 + k) % self.seats
                    for c in range(self.shown):
                        seen[c] = 0  # nothing is left of what another one has seen
                    game.observe(s, p, seen)
                    if self.size > 0:
                        book = behind[first_of(self, p) : first_of(self, p + 1)]
                        self.sees.notice(game, seen, p, book, self.size)
                if player == self.plain:
                    return
                book = behind[first_of(self, player) : first_of(self, player + 1)]
                stage = self.sees.stage_due(game, seen, player, book)
                if stage > 0:
                    legal = self.sees.legal_at(game, seen, player)
                    behind[LEGAL], behind[DUE] = legal, stage
                    if count_policies(legal) != 1:
                        return
                    self.sees.take(book, stage, legal, 0)
            u, count = MIDDLE, game.num_actions(s)
            if self.sees.draws > 0:
                u = share_of(mix(mix(behind[NUMBER], player), book[MOVES]))
            answer = self.sees.act_as(game, seen, player, book, self.size, count, u)
            a, how = int(answer), MOVE
            if a != answer or a < 0 or a >= count:
                trouble = NO_ACTION
                break
        behind[LEGAL], behind[DUE] = 0, trouble  # rules cannot raise: a decision without choices breaks a law

    def infoset_in(self, game, s, behind):
        player = game.player(s)
        if player == self.plain:
            return game.infoset(s)
        seen, book = behind[SEEN : SEEN + self.shown], behind[first_of(self, player) : first_of(self, player + 1)]
        return self.sees.key_at(game, seen, player, book, behind[LEGAL])

    def action_name_in(self, game: Game, s: Row, behind: Row, a: int) -> str:
        if behind[DRAWN] < self.digits:
            return f"digit {a}"
        if game.player(s) in (CHANCE, self.plain):
            return str(game.action_name(s, a))
        return str(self.sees.action_name(int(behind[LEGAL]), a))

    def describe_in(self, game: Game, s: Row, behind: Row, viewer: int) -> str:
        """Who chooses is told what the choice is made by; all that a player then knows, another may not need to."""
        player = game.player(s)
        if viewer == EVERYTHING or player == OVER or viewer == self.plain or behind[DRAWN] < self.digits:
            return str(game.describe(s, viewer))
        if viewer != player:
            return "waits"
        seen, book = behind[SEEN : SEEN + self.shown], behind[first_of(self, player) : first_of(self, player + 1)]
        return str(self.sees.words(game, seen, player, book, int(behind[LEGAL])))

    def trouble_in(self, game: Game, s: Row, behind: Row) -> str:
        """Why it cannot be gone on at a decision without choices. Never compiled."""
        player = int(game.player(s))
        if behind[DUE] > 0:
            return f"points allow player {player} no policy at {game.describe(s, player)!r}"
        if behind[DUE] == ENDLESS:
            return f"no policy has been chosen for {LONGEST:,} moves"
        policies, current = self.sees.policies.listed(), int(behind[first_of(self, player) + CURRENT])
        policy = policy_name(policies[current - 1 if current else self.sees.first])
        return f"the policy {policy} chose what is no action for player {player} at {game.describe(s, player)!r}"

    def __repr__(self) -> str:
        return f"Choosing({self.sees!r}{'' if self.plain == NOBODY else f', plain={self.plain}'})"


@compiled_function
def first_of(choosing, player):
    """The column where a player's book begins."""
    return SEEN + choosing.shown + player * choosing.book


@compiled("key")
class Chosen(NamedTuple):
    """The view of the game of a hierarchy: its infosets as they are. Seats share those that are alike."""

    nothing: int = 0

    def key(self, game, s):
        return game.infoset(s)

    def beneath(self, game: Wrapped) -> tuple[Game, Any]:
        """The game inside, and the hierarchy that the infosets are of."""
        return game.rules, game.twist.sees

    def describe(self, game: Wrapped, s: Row) -> str:
        return game.describe(s, int(game.player(s)))

    def action_name(self, game: Wrapped, s: Row, a: int) -> str:
        return game.action_name(s, a)
