"""Plans: an action, and the policy to go on with. What each is worth is found by playing it to the end."""

from ruse.compile import compiled_function
from ruse.games.mahjong.actions import DISCARD, MOST_ACTIONS
from ruse.games.mahjong.distances.distance import IMPOSSIBLE
from ruse.games.mahjong.distances.four_pongs import FourPongs
from ruse.games.mahjong.distances.seven_pairs import SevenPairs
from ruse.games.mahjong.policies.search import ALL_MELDS, NO_MELDS, PONGS, is_meld, is_sought, lay, search
from ruse.games.mahjong.telling.observation import LEGAL, OWN_DECLARED, OWN_HAND, OWN_HAS_CHOW, SEEN_TILE, UNSEEN
from ruse.games.mahjong.tiles import KINDS
from ruse.protocol.game import OVER

NORMAL, PONGPONGHU, PAIRS = range(3)
POLICIES = 3
MOST_PLANS = POLICIES * MOST_ACTIONS

# Plans side by side: their actions, their policies, what they have won beyond the first of them, and the sum of the
# squares of that, game by game; then room for the distances of actions.
ACTION, POLICY, WON, SQUARES, DISTANCE = range(0, 5 * MOST_PLANS, MOST_PLANS)
ROOM = DISTANCE + MOST_ACTIONS


@compiled_function
def list_plans(pattern, game, seen, count, slack, farther, plans):
    """List what is worth a try; how many plans there are. The first is what `normal` does, and to go on with it.

    For each policy: every claim, kong and pass that it thinks of, and the discards after which its pattern is at most
    `slack` farther than after the best. A policy whose pattern is more than `farther` farther away than that of
    `normal` is left out.
    """
    usual = answer(pattern, game, seen, count, NORMAL)
    enter(plans, 0, usual, NORMAL)
    found, nearest_normal = 1, IMPOSSIBLE
    for policy in range(POLICIES):
        nearest = IMPOSSIBLE
        for a in range(count):
            distance = distance_after(pattern, game, seen, a, policy)
            plans[DISTANCE + a] = distance
            nearest = min(nearest, distance)
        if policy == NORMAL:
            nearest_normal = nearest
        elif nearest > min(nearest_normal + farther, IMPOSSIBLE - 1):
            continue
        for a in range(count):
            is_near = seen[LEGAL + a] < DISCARD or plans[DISTANCE + a] <= nearest + slack
            if plans[DISTANCE + a] <= IMPOSSIBLE and is_near and not (a == usual and policy == NORMAL):
                enter(plans, found, a, policy)
                found += 1
    return found


@compiled_function
def enter(plans, i, a, policy):
    """Write plan i down, of which nothing is known yet."""
    plans[ACTION + i], plans[POLICY + i], plans[WON + i], plans[SQUARES + i] = a, policy, 0, 0


@compiled_function
def distance_after(pattern, game, seen, a, policy):
    """How far the hand is from a policy's pattern after an action; beyond IMPOSSIBLE if it does no such thing."""
    code = seen[LEGAL + a]
    takes = ALL_MELDS if policy == NORMAL else PONGS if policy == PONGPONGHU else NO_MELDS
    if not is_sought(code, takes):
        return IMPOSSIBLE + 1
    if policy == PONGPONGHU and seen[OWN_HAS_CHOW]:
        return IMPOSSIBLE
    hand, unseen = seen[OWN_HAND : OWN_HAND + KINDS], seen[UNSEEN : UNSEEN + KINDS]
    declared = seen[OWN_DECLARED] + is_meld(code)
    lay(hand, code, seen[SEEN_TILE], 1)
    if policy == NORMAL:
        distance = pattern.distance(hand, declared, unseen)
    elif policy == PONGPONGHU:
        distance = FourPongs(0).distance(hand, declared, unseen)
    else:
        distance = SevenPairs(game.four_is_two_pairs).distance(hand, declared, unseen)
    lay(hand, code, seen[SEEN_TILE], -1)
    return distance


@compiled_function
def played_out(pattern, game, s, look, me, first, policy):
    """What a player gets who begins with this action and goes on with this policy, while the other plays `normal`."""
    a, player = first, me
    while player != OVER:
        game.apply(s, a)
        player = game.player(s)
        if player != OVER:
            game.observe(s, player, look)
            a = answer(pattern, game, look, game.num_actions(s), policy if player == me else NORMAL)
    return int(game.payoff(s, me))


@compiled_function
def answer(pattern, game, look, count, policy):
    """What a policy does."""
    if policy == NORMAL:
        return search(pattern, ALL_MELDS, look, count)
    if policy == PONGPONGHU:
        return search(FourPongs(0), PONGS, look, count)
    return search(SevenPairs(game.four_is_two_pairs), NO_MELDS, look, count)


@compiled_function
def book(plans, i, more):
    """Note what plan i has won in a game beyond what the first has."""
    plans[WON + i] += more
    plans[SQUARES + i] += more * more


@compiled_function
def promising(plans, alive):
    """Keep the first plan, and the better half of the others, but none that has not won more than the first."""
    half, left = alive - (alive - 1) // 2, alive
    while left > 1:
        worst = 1
        for i in range(2, left):
            if plans[WON + i] <= plans[WON + worst]:
                worst = i
        if left <= half and plans[WON + worst] > 0:
            break
        left -= 1
        for i in range(worst, left):
            for part in range(ACTION, DISTANCE, MOST_PLANS):
                plans[part + i] = plans[part + i + 1]
    return left


@compiled_function
def is_better(plans, i, errors):
    """Whether plan i has won more than the first, by so many standard errors."""
    won = plans[WON + i]
    return won > 0 and won * won > errors * errors * plans[SQUARES + i]
