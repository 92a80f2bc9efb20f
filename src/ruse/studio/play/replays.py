"""A recorded game, step by step with everything shown: for whoever looks at a game that is over.

It is played again by the rules, and every step has its scene. Where the game's code is not at hand, or may not be run,
the words are shown that the record has.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, Field

from ruse.catalog.names import companion
from ruse.catalog.titles import title, title_of
from ruse.errors import RuseError
from ruse.play.records.record import Recorded
from ruse.play.records.retold import again, refuse_other_words, retold
from ruse.protocol.game import CHANCE, EVERYTHING, OVER, Game
from ruse.protocol.played import Played
from ruse.protocol.scene import Scene, scene_of
from ruse.protocol.state import State
from ruse.studio.answers import said_on_a_page
from ruse.studio.play.seating import words_about
from ruse.studio.play.table import drawn_as
from ruse.studio.play.table_words import SceneView

LISTED = 24  # moves of chance in a row that are told one by one
LATEST = 8  # events of a scene: the steps before tell the others
START = -9  # the player of the first step


class StepView(BaseModel):
    """A moment of a game, with everything that was hidden."""

    player: int = Field(description="who moved; -1: chance, -2: the end, -9: the beginning")
    move: int | None = Field(description="the number of the decision in the history, to ask what it was worth")
    action: str
    words: list[str]
    by: str | None = Field(default=None, description="who made it, before somebody else took the seat over")
    thought: dict[str, str] = {}
    scene: SceneView


class ReplayView(BaseModel):
    """A game that is over: the tester's view, in which nothing is hidden."""

    id: str
    number: int
    games: int
    title: str
    about: str
    table: str
    names: list[str]
    people: list[int]
    payoffs: list[float]
    seed: int | None
    steps: list[StepView]
    judge: str | None = Field(description="who says what actions were worth; null: the game's rules are not at hand")
    why_not: str | None = Field(default=None, description="why the rules are not at hand")


class WorthView(BaseModel):
    """A decision with everything known: what each action is worth if all go on as the judge would."""

    move: int
    player: int
    chosen: int
    actions: list[str]
    probability: list[float] | None
    value: list[list[float]] = Field(description="[action][player]")
    margin: list[float | None] = Field(
        description="[action] half of a 95 % interval for the player to act; 0: counted out, null: untold"
    )
    now: list[float] = Field(description="[player] what everybody could expect before the choice")


class Opened(NamedTuple):
    """A recorded game, played again if its rules are at hand."""

    recorded: Recorded
    played: Played | None
    why_not: str | None

    @property
    def title(self) -> str:
        return title_of(self.played.game) if self.played else title(self.recorded.head["game"])

    @property
    def about(self) -> str:
        return words_about(self.played.game) if self.played else ""

    @property
    def table(self) -> str:
        return drawn_as(self.played.game) if self.played else "plain"

    @property
    def names(self) -> list[str]:
        return [str(name) for name in self.recorded.head["players"]]

    def steps(self) -> list[StepView]:
        return list(steps_played(self.played, self.recorded) if self.played else steps_told(self.recorded))

    def decision(self, move: int) -> tuple[State, int]:
        """The state before a decision, and what was chosen."""
        if self.played is None:
            raise RuseError(f"the rules of {self.title} are not at hand: {self.why_not}")
        states = walked(self.played)
        if not 0 <= move < len(self.played.history):
            raise RuseError(f"the game has moves 0 to {len(self.played.history) - 1}, got {move}")
        state = next(state for k, state in enumerate(states) if k == move)
        if state.is_chance:
            raise RuseError(f"move {move} is chance's")
        return state, int(self.played.history[move])


def opened(recorded: Recorded, path: Path, game_of: Callable[[str], Game]) -> Opened:
    """A game of a record, played again by the rules."""
    try:
        game = game_of(recorded.head["game"])
        played = again(recorded, game, path)
    except RuseError as trouble:
        return Opened(recorded, None, said_on_a_page(trouble))
    refuse_other_words(recorded, retold(recorded, played), path)
    return Opened(recorded, played, None)


def walked(played: Played) -> Iterator[State]:
    """Every state, the first and the last among them."""
    state = State.of(played.game)
    yield state
    for a in played.history:
        state = state.child(a)
        yield state


def steps_played(played: Played, recorded: Recorded) -> Iterator[StepView]:
    """One step for each decision, and one for what chance does in a row."""
    game: Any = played.game
    told = getattr(companion(game, "table"), "told", None)
    states = list(walked(played))
    yield StepView(player=START, move=None, action="the beginning", words=[], scene=shown(states[0]))
    chance: list[str] = []
    heard: list[str] = []
    for k, a in enumerate(played.history):
        before, after, event = states[k], states[k + 1], recorded.actions[k]
        lines = [str(line) for line in told(game, before.row, a, after.row, None)] if told else []
        if before.is_chance:
            chance.append(before.actions[a])
            heard += lines
            if not after.is_chance:
                action = ", ".join(chance) if len(chance) <= LISTED else f"{len(chance)} moves of chance"
                yield StepView(player=CHANCE, move=None, action=action, words=heard, scene=shown(after))
                chance, heard = [], []
            continue
        by = event.get("by", {}).get("name")
        thought = {str(name)[:80]: str(value)[:400] for name, value in event.get("thought", {}).items()}
        yield StepView(
            player=before.player, move=k, action=before.actions[a], words=lines, by=by, thought=thought,
            scene=shown(after),
        )  # fmt: skip
    last = states[-1]
    yield StepView(player=OVER, move=None, action="the end", words=[ending(last.payoffs)], scene=shown(last))


def shown(state: State) -> SceneView:
    """Everything, with the latest events alone; words only where there is nothing else to be drawn."""
    scene = scene_of(state, EVERYTHING)
    words = scene.words if not scene.zones else ""
    return SceneView.of(scene._replace(events=scene.events[-LATEST:], words=words, actions=()))


def steps_told(recorded: Recorded) -> Iterator[StepView]:
    """The same in the words that the record has."""

    def scene(words: str, turn: int, payoffs: Sequence[float] = ()) -> SceneView:
        return SceneView.of(Scene(EVERYTHING, turn, words[:4000], payoffs=tuple(payoffs)))

    yield StepView(
        player=START, move=None, action="the beginning", words=[], scene=scene(recorded.head["everything"], CHANCE)
    )
    for event in recorded.actions:
        player = event["player"] if isinstance(event["player"], int) else CHANCE
        words = [str(event["public"])] if event.get("public") else []
        yield StepView(
            player=player, move=None, action=event["action"], words=words, scene=scene(event["everything"], CHANCE)
        )
    if recorded.end:
        payoffs = [float(x) for x in recorded.end["payoffs"]]
        yield StepView(
            player=OVER, move=None, action="the end", words=[ending(payoffs)],
            scene=scene(recorded.end["everything"], OVER, payoffs),
        )  # fmt: skip


def ending(payoffs: Sequence[float]) -> str:
    return ", ".join(f"player {p} {x:+zg}" for p, x in enumerate(payoffs))
