"""What may be done: the codes that are offered in each phase, as bits of one mask."""

from ruse.compile import compiled_function
from ruse.games.mahjong.actions import ADDED, CHOW, CONCEALED, DISCARD, KONG, PASS, PONG, WIN
from ruse.games.mahjong.row import HANDS, MELDS, PONG_MELD, meld_of, wall_left
from ruse.games.mahjong.tiles import CHARACTERS, KINDS, LOW_BITS, LOWS, count_of, kinds_in, some
from ruse.games.mahjong.wins import pattern_of


@compiled_function
def to_claim(game, s, me, tile):
    """Phase 0: what the other's discard may be claimed for."""
    hand = s[HANDS + me]
    options = 1 << PASS | can_win(game, s, me, hand + some(tile, 1)) << WIN
    left = wall_left(game, s)
    if left <= 0 and game.last_discard_win_only:
        return options
    same = count_of(hand, tile)
    options |= (same >= 2) << PONG
    options |= (same >= 3 and (left > 0 or not game.kong_needs_tile)) << KONG
    if tile < CHARACTERS:
        kinds = kinds_in(hand) | 1 << tile
        for low in range(max(0, tile - 2), min(LOWS, tile + 1)):
            options |= (kinds >> low & 7 == 7) << CHOW + low
    return options


@compiled_function
def to_rob(game, s, me, tile):
    """What may be done about a tile that the other adds to a pong."""
    return 1 << PASS | can_win(game, s, me, s[HANDS + me] + some(tile, 1)) << WIN


@compiled_function
def after_draw(game, s, me):
    """Phase 1."""
    hand, melds = s[HANDS + me], s[MELDS + me]
    options = 1 << PASS | can_win(game, s, me, hand) << WIN
    if wall_left(game, s) <= 0 and game.kong_needs_tile:
        return options
    options |= kinds_in(hand >> 2 & LOW_BITS) << CONCEALED
    if melds != 0:
        for kind in range(KINDS):
            options |= (meld_of(melds, kind) == PONG_MELD and count_of(hand, kind) > 0) << ADDED + kind
    return options


@compiled_function
def to_discard(s, me):
    """Phase 2: one of each kind."""
    return kinds_in(s[HANDS + me]) << DISCARD


@compiled_function
def can_win(game, s, me, hand):
    """Whether a player wins with these concealed tiles: 0 or 1."""
    return 1 if pattern_of(hand, s[MELDS + me], game.four_is_two_pairs) > 0 else 0
