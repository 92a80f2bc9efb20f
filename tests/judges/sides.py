"""A tree and our game, walked side by side."""

from fractions import Fraction

import pytest
import trees

import ruse


def side_by_side(tree: trees.Tree, game: ruse.Game) -> dict[int, tuple[int, int]]:
    """Our key of each infoset of the tree; complains of any difference between tree and game."""
    assert game.players == tree.players
    place_of: dict[int, tuple[int, int]] = {}
    key_of: dict[tuple[int, int], int] = {}
    nothing = [Fraction(0)] * tree.players
    waiting = [(tree.root, ruse.State.of(game), nothing)]
    while waiting:
        node, state, gained = waiting.pop()
        gained = [a + b for a, b in zip(gained, node.payoffs or nothing, strict=True)]
        if node.player is None:
            assert state.is_over
            assert state.payoffs == pytest.approx([float(x) for x in gained], abs=1e-12)
            continue
        assert len(state.actions) == len(node.children)
        if node.player == trees.CHANCE:
            assert state.is_chance
            assert state.chances == pytest.approx([float(x) for x in node.chances], abs=1e-15)
        else:
            assert state.player == node.player
            key = int(ruse.Full().key(game, state.row)) & 0xFFFFFFFFFFFFFFFF
            place = (node.player, node.infoset)
            assert place_of.setdefault(key, place) == place, "two infosets became one"
            assert key_of.setdefault(place, key) == key, "one infoset became two"
        waiting += [(child, state.child(a), gained) for a, child in enumerate(node.children)]
    return place_of
