"""A viewer of logs of Mahjong that knows no rules and nothing of the package: it moves tiles as the words say."""

from typing import Any


class Viewer:
    """All that lies anywhere, moved by the lines of a log; it must agree with what each line shows."""

    def __init__(self, head: dict[str, Any]) -> None:
        self.hands = [head["wall"][:13], head["wall"][13:26]]
        self.melds: list[list[str]] = [[], []]
        self.river: list[list[int]] = [[], []]
        self.wall = head["wall"][26:]
        self.left = len(self.wall) - head["params"]["dead_wall"]
        self.claimed: int | None = None
        self.last = ""

    def laid(self) -> dict[str, Any]:
        return {
            "hands": [sorted(hand) for hand in self.hands], "melds": self.melds, "river": self.river,
            "wall_left": self.left,
        }  # fmt: skip

    def tiles(self) -> int:
        """How many tiles there are."""
        declared = sum(4 if meld.startswith("kong") else 3 for melds in self.melds for meld in melds)
        return sum(map(len, (*self.hands, *self.river, self.wall))) + declared

    def show(self, line: dict[str, Any]) -> None:
        """The moment before an act: a tile may have been drawn since the last one."""
        if line["wall_left"] < self.left:
            drawn = self.wall.pop(-1 if self.last.startswith("kong") or self.last == "pass kong" else 0)
            assert drawn == line["drawn"]
            self.hands[line["p"]].append(drawn)
            self.left -= 1
        self.claimed = line["claimed"]
        assert self.laid() == {name: line[name] for name in self.laid()}
        assert self.tiles() == 64

    def act(self, line: dict[str, Any]) -> None:
        """Move tiles as an act says."""
        me, other, (word, *rest) = line["p"], 1 - line["p"], line["act"].split()
        kinds = [int(kind) for kind in rest if kind.isdigit()]
        if word == "discard":
            self.hands[me].remove(kinds[0])
            self.river[me].append(kinds[0])
        elif word in ("chow", "pong") or rest[-1:] == ["exposed"]:
            self.take(me, kinds if word == "chow" else kinds * (3 if word == "pong" else 4), other)
            self.melds[me].append(line["act"])
        elif rest[-1:] == ["concealed"]:
            self.take(me, kinds * 4, None)
            self.melds[me].append(line["act"])
        elif rest[-1:] == ["added"]:
            self.take(me, kinds, None)
            self.melds[me][self.melds[me].index(f"pong {kinds[0]}")] = line["act"]
        elif word == "win" and self.claimed is not None:
            self.hands[me].append(self.claimed)
            if self.last.startswith("kong"):
                self.melds[other][self.melds[other].index(self.last)] = f"pong {self.claimed}"
            else:
                self.river[other].pop()
        is_open = line["act"] == "pass" and self.last.startswith("kong") and self.claimed is not None
        self.last = "pass kong" if is_open else line["act"]

    def take(self, me: int, kinds: list[int], other: int | None) -> None:
        """Tiles leave a hand for a meld, one of them the other's river."""
        if other is not None:
            kinds = list(kinds)
            kinds.remove(self.river[other].pop())
        for kind in kinds:
            self.hands[me].remove(kind)


def viewed(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """What lies where at the end of a log; raises AssertionError where a line does not follow from those before."""
    viewer = Viewer(lines[0])
    for line in lines[1:-1]:
        viewer.show(line)
        assert line["act"] in line["legal"]
        viewer.act(line)
    assert viewer.laid() == {name: lines[-1][name] for name in viewer.laid()}
    return lines[-1]
