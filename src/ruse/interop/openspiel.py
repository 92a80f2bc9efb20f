"""Games of OpenSpiel (Lanctot et al. 2019), walked once into a tree of our own."""

from typing import Any

from ruse.games.explicit import Builder, Explicit


def load(name: str | Any, *, limit: int = 5_000_000) -> Explicit:
    """The OpenSpiel game of this name, such as "leduc_poker(players=3)", or given as a pyspiel game.

    Actions keep OpenSpiel's order; an infoset is called by its information state string, on one line. Games where
    players move at once are turned into hidden moves one after the other. More than `limit` histories are refused.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise ImportError('this needs OpenSpiel; install it with: pip install "ruse[interop]"') from error
    try:
        if isinstance(name, str) and (short := name.partition("(")[0]) not in pyspiel.registered_names():
            # OpenSpiel itself would print the names of all its games.
            raise ValueError(f"OpenSpiel cannot load {short!r}: it has no game of that name")
        source = pyspiel.load_game(name) if isinstance(name, str) else name
    except pyspiel.SpielError as error:
        raise ValueError(f"OpenSpiel cannot load {name!r}: {str(error).strip().splitlines()[-1]}") from error
    kind = source.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        source = pyspiel.convert_to_turn_based(source)
    elif kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(f"{name} is a mean field game; only games of turns or of moves at once can be loaded")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise ValueError(f"{name} hides its chance outcomes; ask for the variant with explicit chance")
    if not kind.provides_information_state_string:
        raise ValueError(f"{name} has no information states, so its infosets are unknown; choose another game")
    try:
        return _walk(source, str(name), limit)
    except pyspiel.SpielError as error:
        raise ValueError(f"OpenSpiel cannot play {name!r}: {str(error).strip().splitlines()[-1]}") from error


def _walk(source: Any, name: str, limit: int) -> Explicit:
    tree = Builder(name, source.num_players())
    one_line: dict[tuple[int, str], str] = {}  # (player, information state) -> infoset
    taken: set[tuple[int, str]] = set()
    waiting = [(0, source.new_initial_state())]
    while waiting:
        node, state = waiting.pop()
        if len(tree.actor) > limit:
            raise ValueError(f"{name} has more than {limit:,} histories; raise `limit` or choose a smaller game")
        if state.is_terminal():
            tree.end(node, state.returns())
            continue
        player = state.current_player()
        if state.is_chance_node():
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            words = [state.action_to_string(player, a) for a in actions]
            child = tree.chance(node, outcomes=words, probabilities=probabilities)
        else:
            actions = state.legal_actions()
            words = [state.action_to_string(player, a) for a in actions]
            known = (player, state.information_state_string(player))
            if known not in one_line:
                label = " / ".join(filter(None, map(str.strip, known[1].splitlines()))) or "start"
                while (player, label) in taken:  # two strings that differ in white space alone
                    label += "'"
                one_line[known] = label
                taken.add((player, label))
            child = tree.decide(node, player=player, infoset=one_line[known], actions=words)
        for k, action in reversed(list(enumerate(actions))):
            waiting.append((child + k, state.child(action)))
    return tree.game()
