"""Cheat, or I Doubt It: lay cards face down, say that they are of the current rank, and challenge those who lie."""

from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled, compiled_function
from ruse.compile.hashing import mix
from ruse.games.cheat.cards import (
    CLAIM,
    COUNTS,
    DISCARDER,
    EVENT,
    HANDS,
    LAST,
    OUTCOMES,
    PILE,
    PILED,
    PLAIN,
    RANK,
    REVEALS,
    TURN,
    WHO,
    WINNER,
    add_turn,
    cards_in_play,
    count_discards,
    count_of,
    most_actions,
    most_cards,
    nth_discard,
    num_discards,
    width,
)
from ruse.games.cheat.observation import BLOCKS, see_cards, see_table
from ruse.games.cheat.words import cards_named, rank_name, seen
from ruse.protocol.game import CHANCE, OVER, Row
from ruse.protocol.scene import Scene
from ruse.protocol.state import State

RANDOM, NO_HP, UNLIMITED = -1, -1, 9999
OUT_OF_PLAY, IN_PILE = 0, 1  # undealt: where the other cards are
NEXT_PLAYER, CHALLENGE_WINNER, CHALLENGE_LOSER = 0, 1, 2  # next_after_challenge: who discards then
ADVANCE, STAY, RESET = 0, 1, 2  # rank_after_challenge
LEAVE, END = 0, 1  # hp_out: what it means to have no Health Points left when there are three players or more
BELIEVE, CHALLENGE = 0, 1
ENDLESS = 10_000  # turns after which a game is a draw that need not end by itself
MOST_ACTIONS = 4096  # at one decision, as the tables of the solvers hold them
DRAW = -1  # WINNER: nobody, and so before the end; -2 - p says that player p has lost it for himself alone

WORDS = {  # for numbers of fields, and what they stand for
    "deal": {"all": 0},
    "hp": {"inf": NO_HP, "none": NO_HP},
    "max_discard": {"copies": 0, "unlimited": UNLIMITED},
    "starter": {"random": RANDOM},
    "first_rank": {"random": RANDOM},
    "undealt": {"out": OUT_OF_PLAY, "pile": IN_PILE},
    "next_after_challenge": {"next": NEXT_PLAYER, "winner": CHALLENGE_WINNER, "loser": CHALLENGE_LOSER},
    "rank_after_challenge": {"advance": ADVANCE, "stay": STAY, "reset": RESET},
    "max_turns": {"none": 0},
    "hp_out": {"leave": LEAVE, "end": END},
}
NAMED: dict[str, dict[str, Any]] = {  # several fields at once
    "tiny": {"ranks": 3, "copies": 2, "deal": 2, "hp": 3},
    "mid": {"ranks": 5, "copies": 3, "deal": 4, "hp": NO_HP},
    "half": {"ranks": 7, "copies": 4, "deal": 6, "hp": NO_HP},
    "full": {"ranks": 13, "copies": 4, "deal": 6, "hp": NO_HP},
}


@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff", "observe")
class Cheat(NamedTuple):
    """Get rid of your cards, or outlive the others: who is wrong about a challenge takes the pile and loses a point."""

    ranks: int = 3
    copies: int = 2
    deal: int = 2  # cards for each player; 0: all cards, as equally as possible
    players: int = 2
    hp: int = 3  # Health Points; -1: none
    max_discard: int = 0  # 0: as many as there are copies of a card
    starter: int = RANDOM
    first_rank: int = 0  # -1: random
    undealt: int = OUT_OF_PLAY
    next_after_challenge: int = NEXT_PLAYER
    rank_after_challenge: int = ADVANCE
    allow_pass: bool = False
    max_turns: int = 0  # then it is a draw; 0: never, or after 10,000 turns if the game might go on for ever
    hp_out: int = LEAVE
    # Two together, because type checkers would take one alone for a field without a default.
    payoff_sum, unseen = 0, ("max_turns",)
    needs_history, style = True, "ruse.games.cheat.style"  # a row does not keep the turns that are over
    views, bots = "ruse.games.cheat.views", "ruse.games.cheat.bots"
    table, meter = "ruse.games.cheat.table", "ruse.games.cheat.bots:CheatMeter"
    WORDS, NAMED = WORDS, NAMED

    @property
    def to_end(self) -> str:
        """What to ask for so that it ends soon, if it need not by itself."""
        return "max_turns=40" if turn_limit(self) == ENDLESS else ""

    def start(self) -> Row:
        refuse_bad_fields(self)
        s = [0] * HANDS + [0] * 2 * self.players + [self.hp] * self.players + [0] * self.players
        s[WHO], s[DISCARDER], s[RANK], s[EVENT], s[WINNER] = CHANCE, self.starter, self.first_rank, -1, DRAW
        s[TURN] = -self.players * self.ranks
        return np.array(s, np.int64)

    def player(self, s):
        return s[WHO]

    def num_actions(self, s):
        if s[WHO] == CHANCE:
            return num_outcomes(self, s)
        return 2 if s[CLAIM] > 0 else num_discards(self, s) + self.allow_pass

    def chance(self, s, a):
        if s[DISCARDER] < 0:
            return 1.0 / self.players
        if s[RANK] < 0:
            return 1.0 / self.ranks
        low, _, same, later, need = deal_step(self, s)
        ways = binomial(same, low + a) * binomial(later, need - low - a)
        return ways / binomial(same + later, need)

    def apply(self, s, a):
        if s[WHO] == CHANCE:
            deal_cards(self, s, a)
        elif s[CLAIM] == 0 and not (self.allow_pass and a == num_discards(self, s)):
            lay_cards(self, s, a)
            return
        elif s[CLAIM] > 0 and a == BELIEVE and ask_next(self, s):
            return
        else:
            close_turn(self, s, s[CLAIM] > 0 and a == CHALLENGE)
        if s[WHO] != OVER and s[TURN] >= 0:
            begin_turn(self, s)

    def infoset(self, s):
        here = (s[CLAIM] * self.players + s[DISCARDER]) * self.ranks + s[RANK]
        return mix(mix(mix(s[PLAIN], s[REVEALS]), s[HANDS + 3 * self.players + s[WHO]]), here)

    def payoff(self, s, player):
        winner, share = s[WINNER], 1.0 / (self.players - 1)
        if winner >= 0:
            return 1.0 if player == winner else -share
        if winner == DRAW:
            return 0.0
        return -1.0 if player == -2 - winner else share

    def observe(self, s, player, out):
        """Fill `out` with all that this player may see now; the names of its columns are in `cheat_observation`."""
        see_table(self, s, out)
        see_cards(self, s, player, out)

    def observation_size(self) -> int:
        """How long the array must be that `observe` fills."""
        return BLOCKS + 2 * self.ranks + 2 * self.players

    def action_name(self, s, a):
        if s[WHO] != CHANCE:
            if s[CLAIM] > 0:
                return ("believe", "challenge")[a]
            return "pass" if a == num_discards(self, s) else cards_named(self, nth_discard(self, s, a)[0])
        if s[DISCARDER] < 0:
            return f"player {a} starts"
        if s[RANK] < 0:
            return f"first rank {rank_name(a)}"
        p, rank = divmod(int(s[TURN]) + self.players * self.ranks, self.ranks)
        cards = [rank_name(rank)] * (deal_step(self, s)[0] + a)
        return f"player {p} gets {' '.join(cards) or f'no {rank_name(rank)}'}"

    def describe(self, s, viewer):
        return self.scene(State(self, s, ()), viewer).words

    def scene(self, state: State, viewer: int) -> Scene:
        return seen(self, state, viewer)


# ---- the deal --------------------------------------------------------------------------------------------------------


@compiled_function
def num_outcomes(game, s):
    if s[DISCARDER] < 0:
        return game.players
    if s[RANK] < 0:
        return game.ranks
    low, high, _, _, _ = deal_step(game, s)
    return high - low + 1


@compiled_function
def deal_step(game, s):
    """How many cards of a rank the next player may get, at least and at most.

    Also how many cards of that rank and of later ranks are left, and how many cards the player still needs.
    """
    players, ranks, bits = game.players, game.ranks, width(game.copies)
    step = s[TURN] + players * ranks
    p, rank = step // ranks, step % ranks
    same, later = game.copies, game.copies * (ranks - 1 - rank)
    for q in range(p):
        same -= count_of(s[HANDS + q], rank, bits)
        for r in range(rank + 1, ranks):
            later -= count_of(s[HANDS + q], r, bits)
    need = game.deal - s[HANDS + players + p]
    if game.deal == 0:  # cards left over go to the first players from the starter on
        deck = ranks * game.copies
        need += deck // players + ((p - s[DISCARDER] + players) % players < deck % players)
    return max(0, need - later), min(same, need), same, later, need


@compiled_function
def binomial(n, k):
    """How many ways there are to choose k of n."""
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


@compiled_function
def deal_cards(game, s, a):
    """Carry out an outcome, and then all those that leave no choice."""
    players, ranks, bits = game.players, game.ranks, width(game.copies)
    if s[DISCARDER] < 0:
        s[DISCARDER], a = a, -1
    elif s[RANK] < 0:
        s[RANK], a = a, -1
    while s[TURN] < 0 and s[RANK] >= 0:
        low, high, _, _, _ = deal_step(game, s)
        if a < 0 and low < high:
            return
        step, given = s[TURN] + players * ranks, low + max(a, 0)
        s[HANDS + step // ranks] += given << bits * (step % ranks)
        s[HANDS + players + step // ranks] += given
        s[TURN] += 1
        a = -1
    if s[TURN] < 0:
        return
    for p in range(players):
        s[HANDS + 3 * players + p] = mix(0, s[HANDS + p])
    if game.undealt == IN_PILE:
        for r in range(ranks):
            left = game.copies
            for p in range(players):
                left -= count_of(s[HANDS + p], r, bits)
            s[PILE] += left << bits * r
            s[PILED] += left
    s[REVEALS] = s[RANK]


# ---- turns -----------------------------------------------------------------------------------------------------------


@compiled_function
def begin_turn(game, s):
    """Let the next player discard, unless the game has gone on for too long."""
    limit = turn_limit(game)
    if limit > 0 and s[TURN] >= limit:
        s[WHO] = OVER
        return
    s[WHO] = s[DISCARDER]
    s[COUNTS] = count_discards(game, s[HANDS + s[WHO]])


@compiled_function
def turn_limit(game):
    """After how many turns the game is a draw; 0: never, as it must end by itself."""
    return ENDLESS if game.max_turns == 0 and (game.hp < 0 or game.allow_pass) else game.max_turns


@compiled_function
def lay_cards(game, s, a):
    """Put the cards of an action on the pile, face down, and ask the first of the others."""
    players, me = game.players, s[WHO]
    cards, laid = nth_discard(game, s, a)
    s[HANDS + me] -= cards
    s[HANDS + players + me] -= laid
    s[PILE] += cards
    s[PILED] += laid
    s[LAST], s[CLAIM] = cards, laid
    known = HANDS + 3 * players + me
    s[known] = mix(s[known], cards)
    s[WHO] = next_player(s, me, players)


@compiled_function
def next_player(s, p, players):
    """The next in turn who has not left. Without Health Points the column is below zero."""
    p = p + 1 if p + 1 < players else 0
    while s[HANDS + 2 * players + p] == 0:
        p = p + 1 if p + 1 < players else 0
    return p


@compiled_function
def ask_next(game, s):
    """Whether there is somebody else to ask; then it is his turn to answer."""
    after = next_player(s, s[WHO], game.players)
    if after == s[DISCARDER]:
        return False
    s[WHO] = after
    return True


@compiled_function
def close_turn(game, s, is_challenged):
    """The end of a turn: by a challenge, by the last who believes, or by a pass. It may be the end of the game."""
    players, laid_by, claim = game.players, s[DISCARDER], s[CLAIM]
    sizes, points = HANDS + players, HANDS + 2 * players
    lie, doubter, loser = 0, 0, laid_by
    if is_challenged:
        lie = 1 if s[LAST] != claim << width(game.copies) * s[RANK] else 0
        doubter = s[WHO] - laid_by if s[WHO] > laid_by else s[WHO] - laid_by + players
        loser = laid_by if lie else s[WHO]
        s[HANDS + loser] += s[PILE]
        s[sizes + loser] += s[PILED]
        s[PILE], s[PILED] = 0, 0
        if s[points + loser] > 0:
            s[points + loser] -= 1
    else:
        s[LAST] = 0  # nobody will see these cards
    add_turn(game, s, claim, doubter, lie)
    s[EVENT] = s[RANK] * players + laid_by
    s[TURN] += 1
    s[CLAIM] = 0
    if s[sizes + laid_by] == 0:  # and nobody has shown that the last cards were a lie
        s[WHO], s[WINNER] = OVER, laid_by
        return
    if s[points + loser] == 0:
        s[HANDS + loser], s[sizes + loser] = 0, 0  # who leaves takes all these cards away
        other = next_player(s, loser, players)
        is_last = next_player(s, other, players) == other
        if is_last or game.hp_out == END:
            s[WHO], s[WINNER] = OVER, other if is_last else -2 - loser
            return
    s[PLAIN] = mix(s[PLAIN], claim * players + doubter)
    if is_challenged:
        s[OUTCOMES] = mix(s[OUTCOMES], lie)
        s[REVEALS] = mix(s[REVEALS], s[LAST])
        known = HANDS + 3 * players + loser
        s[known] = mix(s[known], s[HANDS + loser])
    lead(game, s, is_challenged, loser)


@compiled_function
def lead(game, s, is_challenged, loser):
    """Say who discards next, and of what rank."""
    players, leader, rank = game.players, s[DISCARDER], s[RANK]
    if not is_challenged or game.rank_after_challenge == ADVANCE:
        s[RANK] = rank + 1 if rank + 1 < game.ranks else 0
    elif game.rank_after_challenge == RESET:
        s[RANK] = max(game.first_rank, 0)
    stays = False
    if is_challenged and game.next_after_challenge != NEXT_PLAYER:
        if (game.next_after_challenge == CHALLENGE_LOSER) != (loser == leader):
            leader = s[WHO]  # who challenged
        stays = s[HANDS + 2 * players + leader] != 0
    s[DISCARDER] = leader if stays else next_player(s, leader, players)


# ---- settings --------------------------------------------------------------------------------------------------------


def refuse_bad_fields(game: Cheat) -> None:
    """Raise with one sentence that names the value and the fix."""
    ranks, copies, deal, players = game.ranks, game.copies, game.deal, game.players
    deck = f"the {ranks * copies} cards of {ranks} ranks and {copies} copies"
    for field in ("undealt", "next_after_challenge", "rank_after_challenge", "hp_out"):
        allowed = [f"{number} ({word})" for word, number in WORDS[field].items()]
        refuse(getattr(game, field) not in range(len(allowed)), game, field, f"one of {', '.join(allowed)}")
    refuse(not 2 <= ranks <= 62, game, "ranks", "2 to 62")
    refuse(not 1 <= copies <= 63, game, "copies", "1 to 63")
    refuse(ranks * width(copies) > 62, game, "ranks", f"at most {62 // width(copies)} with {copies} copies")
    refuse(not 2 <= players <= 10, game, "players", "2 to 10")
    refuse(players > ranks * copies, game, "players", f"at most one for each of {deck}")
    refuse(not 0 <= deal * players <= ranks * copies, game, "deal",
           f"0 (all) to {ranks * copies // players}, as {players} players share {deck}")  # fmt: skip
    refuse(game.hp != NO_HP and not 1 <= game.hp < 8192, game, "hp", "1 to 8191, or -1 (none)")
    refuse(game.max_discard < 0, game, "max_discard", "at least 1, or 0 for as many as there are copies")
    refuse(not RANDOM <= game.starter < players, game, "starter", f"-1 (random) or a seat from 0 to {players - 1}")
    refuse(not RANDOM <= game.first_rank < ranks, game, "first_rank", f"-1 (random) or a rank from 0 to {ranks - 1}")
    refuse(game.max_turns < 0, game, "max_turns", "at least 1, or 0 for none")
    most, actions = most_cards(game), most_actions(game)
    if actions > MOST_ACTIONS:
        raise ValueError(
            f"a hand could offer {actions:,} discards of up to {most} cards in Cheat, more than {MOST_ACTIONS:,}; "
            f"lower max_discard or deal fewer cards"
        )
    if most < cards_in_play(game) and actions >= 1 << 63 // (most + 1):
        raise ValueError(
            f"{actions:,} discards of up to {most} cards are too many to number in Cheat; "
            f"lower max_discard or make it unlimited"
        )


def refuse(is_bad: bool, game: Cheat, field: str, allowed: str) -> None:
    if is_bad:
        raise ValueError(f"{field} must be {allowed} in Cheat, got {getattr(game, field)!r}")
