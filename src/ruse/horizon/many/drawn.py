"""What edges are worth to a player, on drawn deals: his own hands are all held at once, the others' are drawn.

Of a deal the board is drawn, the hands of the others, how each of them goes on and all that they do. The player's own
hands are one of each of the 169 kinds that is free, counted as often as there are such, and all that he may do is
followed. So a deal tells about all his hands, no card is held twice, and the mean over deals is exact.

What the others do is drawn by the deal and the node, not in turn: two strategies meet the same others on the same deal.
Two players who are all-in before the flop have what they win over all boards. That the cards of those who have folded
are on none of these boards is left out, which is all that is not exact here, and only with more than two players.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ruse.compile import compiled_function, lean_kernel
from ruse.compile.hashing import mix, share_of
from ruse.errors import RuseError
from ruse.games.holdem.buckets.starting import starting_equities
from ruse.games.holdem.cards import CARDS
from ruse.games.holdem.hands.holdings import holding_cards
from ruse.games.holdem.hands.tables import NO_CARDS, HandRanks, hand_ranks
from ruse.games.holdem.lines import FOLD, SHOWDOWN
from ruse.games.holdem.suits.deals import STARTING_HANDS, bit_of, starting_hands
from ruse.horizon.many.seats import Seats

Array = NDArray[Any]
BOARD, STREETS = 5, 4
DEEPEST = 64  # decisions of one player on a line
WAITING = 4096  # nodes that are still to be visited


class DealRoom(NamedTuple):
    """Where a deal is worked out. Made by `room_for`."""

    ranks: HandRanks
    cards: Array  # [holding, 2]
    words: Array  # [holding] as a word of 13 ranks a suit
    kinds: Array  # [holding] which of the 169
    sorted: Array  # holdings, kind by kind
    begin: Array  # [kind + 1] where they begin there
    equity: Array  # [kind, kind] before the flop, over all boards
    boards: Array  # [board, 5] those that are dealt, all alike; none: any
    deal: Array  # [card] the board, then the hands of the others
    lies: Array  # [street] the board as a word
    hand: Array  # [seat] the kind that another holds
    bucket: Array  # [seat, street]
    strength: Array  # [seat]
    way: Array  # [seat] how another goes on
    own: Array  # [j] which kind
    often: Array  # [j] how likely
    own_bucket: Array  # [street, j]
    own_strength: Array  # [j]
    pays: Array  # [j] big blinds, at an end
    reach: Array  # [depth, j, way] how often one goes there by the blueprint
    found: Array  # [j, way] what a flop is worth
    waiting: Array  # [place, 4] node, depth, and the node and the action before; before the flop node and edge


def room_for(seats: Seats, boards: Sequence[Sequence[int]] = ()) -> DealRoom:
    """Where deals of a game are worked out; on these boards alone, if some are given."""
    cards, kinds = np.array(holding_cards()), starting_hands().astype(np.int64)
    words = np.array([int(bit_of(high)) | int(bit_of(low)) for high, low in cards.tolist()], np.int64)
    order = np.argsort(kinds, kind="stable")
    count, hands, ways = seats.players, STARTING_HANDS, seats.lanes.shares.shape[1]
    return DealRoom(
        hand_ranks(), cards, words, kinds, order, np.searchsorted(kinds[order], np.arange(hands + 1)),
        starting_equities().equity, np.array(boards, np.int64).reshape(-1, BOARD),
        np.zeros(BOARD + 2 * count, np.int64), np.zeros(STREETS, np.int64),
        np.zeros(count, np.int64), np.zeros((count, STREETS), np.int64), np.zeros(count, np.int64),
        np.zeros(count, np.int64), np.zeros(hands, np.int64), np.zeros(hands), np.zeros((STREETS, hands), np.int64),
        np.zeros(hands, np.int64), np.zeros(hands, np.float32), np.zeros((DEEPEST, hands, ways), np.float32),
        np.zeros((hands, ways), np.float32), np.zeros((WAITING, 4), np.int64),
    )  # fmt: skip


def worth_of_edges(seats: Seats, rows: Array, player: int, deals: range, *, seed: int, room: DealRoom) -> Array:
    """[edge + 1, hand] what a player gets right after each of his edges, times how often he is dealt the hand and the
    others lead there, in big blinds: the mean over deals with these numbers. The last is what he gets after none.
    """
    worth: Array = worth_among(seats, rows[None], player, deals, seed=seed, room=room)[0]
    return worth


def worth_among(seats: Seats, rows: Array, player: int, deals: range, *, seed: int, room: DealRoom) -> Array:
    """[profile, edge + 1, hand] the same for several profiles of the others, `rows` [profile, edge, hand], in the same
    bits. Deals are the same for all, and to work out what hands they hold is most of the work.
    """
    if not deals:
        raise RuseError("what edges are worth is told by one deal at least")
    found = np.zeros((len(rows), seats.edges + 1, STARTING_HANDS))
    add_deals(seats.lanes, seats.view.cards, room, rows, player, (seed, deals.start, deals.stop), found)
    return found / len(deals)


@lean_kernel
def add_deals(lanes, cards, room, rows, player, deals, found):
    """Add what edges are worth on deals of a seed, from a number to another, profile by profile."""
    seed, first, last = deals
    for number in range(first, last):
        word = mix(mix(seed, number), player)
        draw_cards(lanes, room, player, word)
        count = fill_hands(lanes, cards, room, player, word)
        for k in range(len(rows)):
            walk_bets(lanes, room, rows[k], player, word, count, found[k])


@compiled_function
def draw_cards(lanes, room, player, word):
    """Draw the board and two cards for each of the others, all deals alike; or all that a board of the room leaves."""
    given = 0
    if len(room.boards) > 0:
        which, given = int(share_of(mix(word, 1 << 50)) * len(room.boards)), BOARD
        for k in range(BOARD):
            room.deal[k] = room.boards[which, k]
    for k in range(given, BOARD + 2 * (lanes.paid.shape[1] - 1)):
        tries, is_new = 0, False
        while not is_new:
            card, is_new = int(share_of(mix(word, 64 * k + tries)) * CARDS), True
            tries += 1
            for before in range(k):
                is_new = is_new and room.deal[before] != card
        room.deal[k] = card


@compiled_function
def fill_hands(lanes, cards, room, player, word):
    """Work out what the others hold, and one free hand of each kind for the player; returns how many he has."""
    seats = lanes.paid.shape[1]
    key, lies = NO_CARDS, 0
    room.lies[0] = 0
    for k in range(BOARD):
        key += room.ranks.keys[room.deal[k]]
        lies |= bit_of(room.deal[k])
        if k >= 2:
            room.lies[k - 1] = lies
    taken, at = lies, BOARD
    for q in range(seats):
        if q != player:
            a, b = max(room.deal[at], room.deal[at + 1]), min(room.deal[at], room.deal[at + 1])
            at += 2
            h = a * (a - 1) // 2 + b
            taken |= room.words[h]
            room.hand[q] = room.kinds[h]
            room.strength[q] = strength_with(room, key, lies, h)
            for street in range(1, STREETS):
                room.bucket[q, street] = cards.bucket(room.words[h], room.lies[street])
    unseen = CARDS - BOARD - 2 * (seats - 1)
    count, every = 0, unseen * (unseen - 1) / 2.0
    for kind in range(STARTING_HANDS):
        free = 0
        for i in range(room.begin[kind], room.begin[kind + 1]):
            free += 1 if room.words[room.sorted[i]] & taken == 0 else 0
        if free == 0:
            continue
        left, h = int(share_of(mix(word, -1 - kind)) * free), -1
        for i in range(room.begin[kind], room.begin[kind + 1]):
            if room.words[room.sorted[i]] & taken == 0:
                h = room.sorted[i] if left == 0 else h
                left -= 1
        room.own[count], room.often[count] = kind, free / every
        room.own_strength[count] = strength_with(room, key, lies, h)
        for street in range(1, STREETS):
            room.own_bucket[street, count] = cards.bucket(room.words[h], room.lies[street])
        count += 1
    return count


@compiled_function
def strength_with(room, key, lies, h):
    """How strong a holding is with a whole board."""
    both = room.ranks.keys[room.cards[h, 0]] + room.ranks.keys[room.cards[h, 1]]
    suits = room.ranks.suits[room.cards[h, 0]] | room.ranks.suits[room.cards[h, 1]]
    return room.ranks.strength(key + both, lies | suits)


@compiled_function
def walk_bets(lanes, room, rows, player, word, count, found):
    """All that the player may do before the flop, and what the others do then."""
    waiting, places = room.waiting, 1
    waiting[0, 0], waiting[0, 1] = 0, len(found) - 1
    while places > 0:
        places -= 1
        node, last = waiting[places, 0], waiting[places, 1]
        who = lanes.who[node]
        if lanes.choice[node, player] >= 0:
            draw_ways(lanes, room, rows, player, word, node)
            walk_flop(lanes, room, player, word, count, node, places)
            for way in range(room.found.shape[1]):
                got = found[lanes.choice[node, player] + way]
                for j in range(count):
                    got[room.own[j]] += room.often[j] * room.found[j, way]
        elif who in (FOLD, SHOWDOWN) or not lanes.stays[node, player]:
            fill_pays(lanes, room, player, count, node)
            for j in range(count):
                found[last, room.own[j]] += room.often[j] * room.pays[j]
        elif who == player:
            for a in range(lanes.start[node + 1] - lanes.start[node]):
                if lanes.offered[lanes.edge[node] + a]:
                    waiting[places, 0], waiting[places, 1] = lanes.child[lanes.start[node] + a], lanes.edge[node] + a
                    places += 1
        else:
            left, a, most = share_of(mix(word, 1 << 40 | node)), 0, lanes.start[node + 1] - lanes.start[node] - 1
            left -= rows[lanes.edge[node], room.hand[who]]
            while left >= 0.0 and a < most:
                a += 1
                left -= rows[lanes.edge[node] + a, room.hand[who]]
            waiting[places, 0], waiting[places, 1] = lanes.child[lanes.start[node] + a], last
            places += 1


@compiled_function
def draw_ways(lanes, room, rows, player, word, node):
    """How each of the others who see this flop goes on."""
    for q in range(lanes.paid.shape[1]):
        edge, way = lanes.choice[node, q], 0
        if q != player and edge >= 0:
            left = share_of(mix(word, (2 + q) << 40 | node)) - rows[edge, room.hand[q]]
            while left >= 0.0 and way < room.found.shape[1] - 1:
                way += 1
                left -= rows[edge + way, room.hand[q]]
            room.way[q] = way


@compiled_function
def walk_flop(lanes, room, player, word, count, flop, base):
    """What a flop is worth to each own hand in each way: all that the blueprint may do, against what others do."""
    waiting, places, ways = room.waiting, base + 1, room.found.shape[1]
    waiting[base, 0], waiting[base, 1], waiting[base, 2] = flop, 0, -1
    for j in range(count):
        for way in range(ways):
            room.reach[0, j, way], room.found[j, way] = 1.0, 0.0
    while places > base:
        places -= 1
        node, depth, before, a = waiting[places]
        if before >= 0:  # the player has acted there
            took, came = room.reach[depth], room.reach[depth - 1]
            bucket, actions = room.own_bucket[lanes.street[before]], lanes.start[before + 1] - lanes.start[before]
            for j in range(count):
                row = lanes.first[before] + bucket[j] * actions + a
                for way in range(ways):
                    took[j, way] = came[j, way] * lanes.shares[row, way]
        who = lanes.who[node]
        if who < 0 or not lanes.stays[node, player]:
            fill_pays(lanes, room, player, count, node)
            came = room.reach[depth]
            for j in range(count):
                for way in range(ways):
                    room.found[j, way] += came[j, way] * room.pays[j]
        elif who == player:
            for b in range(lanes.start[node + 1] - lanes.start[node]):
                waiting[places, 0], waiting[places, 1] = lanes.child[lanes.start[node] + b], depth + 1
                waiting[places, 2], waiting[places, 3] = node, b
                places += 1
        else:
            actions = lanes.start[node + 1] - lanes.start[node]
            row, b = lanes.first[node] + room.bucket[who, lanes.street[node]] * actions, 0
            left = share_of(mix(word, 1 << 40 | node)) - lanes.shares[row, room.way[who]]
            while left >= 0.0 and b < actions - 1:
                b += 1
                left -= lanes.shares[row + b, room.way[who]]
            waiting[places, 0], waiting[places, 1] = lanes.child[lanes.start[node] + b], depth
            waiting[places, 2] = -1
            places += 1


@compiled_function
def fill_pays(lanes, room, player, count, node):
    """What each own hand gets at an end, or where the player has folded."""
    seats, chips = lanes.paid.shape[1], np.float32(lanes.chips)
    lost = np.float32(-lanes.paid[node, player]) / chips
    if not lanes.stays[node, player]:
        for j in range(count):
            room.pays[j] = lost
        return
    pot, best, equals, ahead, other = 0, -1, 0, 0, -1
    for q in range(seats):
        pot += lanes.paid[node, q]
        if q != player and lanes.stays[node, q]:
            other = q
            if room.strength[q] > best:
                best, equals, ahead = room.strength[q], 0, 0
            if room.strength[q] == best:
                equals += 1
                ahead += 1 if (q - 1) % seats < (player - 1) % seats else 0
    if other < 0:
        won = np.float32(pot) / chips + lost
        for j in range(count):
            room.pays[j] = won
    elif lanes.street[node] == 0 and equals >= 1 and alone_with(lanes, node, player, other):
        for j in range(count):
            room.pays[j] = np.float32(pot * room.equity[room.own[j], room.hand[other]]) / chips + lost
    else:
        won = np.float32(pot) / chips + lost
        shared = pot // (equals + 1) + (pot % (equals + 1) if ahead == 0 else 0)  # the odd chip is the first one's
        tied = np.float32(shared) / chips + lost
        for j in range(count):
            mine = room.own_strength[j]
            room.pays[j] = won if mine > best else tied if mine == best else lost


@compiled_function
def alone_with(lanes, node, player, other):
    """Whether nobody else is in."""
    count = 0
    for q in range(lanes.paid.shape[1]):
        count += 1 if q not in (player, other) and lanes.stays[node, q] else 0
    return count == 0
