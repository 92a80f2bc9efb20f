"""Counterfactual regret of plain trees, from its definition. Nothing of ruse."""

from typing import NamedTuple

from programs import Profile
from trees import CHANCE, Node, Tree

Place = tuple[int, int]  # player and infoset


class Truth(NamedTuple):
    """What one iteration adds at each infoset, action by action, if it looks at the whole tree."""

    regret: dict[Place, list[float]]
    average: dict[Place, list[float]]  # sigma times the owner's reach times how likely chance lets it happen
    random_reach: dict[Place, float]  # the owner's reach if he moved at random


def truth_of(tree: Tree, profile: Profile) -> Truth:
    values = {place: [0.0] * options for place, options in tree.menus.items()}
    average = {place: [0.0] * options for place, options in tree.menus.items()}
    random_reach: dict[Place, float] = {}

    def walk(node: Node, reach: list[float], chance: float, moved: list[float]) -> list[float]:
        """The expected payoffs from here on; reach[p] is what p's own moves have made of it."""
        gained = [float(x) for x in node.payoffs] if node.payoffs is not None else [0.0] * tree.players
        for a, child in enumerate(node.children):
            assert node.player is not None
            if node.player == CHANCE:
                likely = float(node.chances[a])
                below = walk(child, reach, chance * likely, moved)
            else:
                place = (node.player, node.infoset)
                likely = profile[place][a]
                after, random = list(reach), list(moved)
                after[node.player] *= likely
                random[node.player] /= len(node.children)
                below = walk(child, after, chance, random)
                others = chance
                for p in range(tree.players):
                    others *= reach[p] if p != node.player else 1.0
                values[place][a] += others * below[node.player]
                average[place][a] += likely * reach[node.player] * chance
                random_reach[place] = moved[node.player]
            gained = [x + likely * y for x, y in zip(gained, below, strict=True)]
        return gained

    walk(tree.root, [1.0] * tree.players, 1.0, [1.0] * tree.players)
    regret = {}
    for place, row in values.items():
        expected = sum(share * value for share, value in zip(profile[place], row, strict=True))
        regret[place] = [value - expected for value in row]
    return Truth(regret, average, random_reach)
