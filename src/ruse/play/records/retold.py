"""A game of a record, told again by the rules: what a file says was dealt must be what its moves dealt.

The words of a file are all there is where the game's rules are not at hand, or are others now; then that is said.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from ruse.catalog.recorded import recorded_game
from ruse.errors import FileTrouble, RuseError
from ruse.play.records.forms import games_of, is_over
from ruse.play.records.record import Recorded, events, read_games, recorded, refuse_other_rules
from ruse.protocol.game import Game
from ruse.protocol.played import Played
from ruse.protocol.state import State
from ruse.words.versions import version_of

TOLD = ("everything", "seen", "public", "table")  # the words of a line


def played_in(path: Path, game: Game | None = None) -> Iterator[Played]:
    """The games of a file that are over: of others nobody is shown what is hidden."""
    played = games_of(path, game)
    if played is not None:
        yield from filter(is_over, played)
        return
    for found in read_games(path):
        if found.end is not None:
            one = again(found, game or recorded_game(found.head["game"], path), path)
            refuse_other_words(found, retold(found, one), path)
            yield one


def again(recorded: Recorded, game: Game, path: Path) -> Played:
    """A game of our own record, played again move by move."""
    refuse_other_rules(recorded, game)
    state = State.of(game)
    for k, event in enumerate(recorded.actions):
        a, names = event.get("number"), state.actions
        who = "chance" if state.is_chance else state.player
        if a is None or a >= len(names) or (event["player"], event["action"]) != (who, names[a]):
            raise FileTrouble(f"{path} cannot be played again: its move {k + 1} is no action there")
        state = state.child(a)
    if not state.is_over:
        raise FileTrouble(f"{path} cannot be played again: it has an end where the game goes on")
    head = recorded.head
    thoughts = {k: event["thought"] for k, event in enumerate(recorded.actions) if "thought" in event}
    return Played(game, state.history, tuple(map(str, head["players"])), head["seed"], head.get("number"), thoughts)


def in_words_of_rules(found: Recorded, path: Path, game_of: Callable[[str], Game]) -> tuple[Recorded, str]:
    """The same game in the words that its rules give for its moves. Where they are not at hand, it is as it was
    recorded, and why nobody could compare it is told beside it.
    """
    if not any("number" in event for event in found.actions):  # as records once were
        return found, "its moves have no numbers"
    try:
        game = game_of(found.head["game"])
        refuse_other_rules(found, game)
    except RuseError as reason:
        return found, str(reason)
    told = retold(found, again(found, game, path))
    refuse_other_words(found, told, path)
    return told, ""


def retold(found: Recorded, played: Played) -> Recorded:
    """The same game as it would be recorded now."""
    earlier = {k: found.taker(k, event["player"]) for k, event in enumerate(found.actions) if "by" in event}
    holders = [found.holder(p) for p in range(played.game.players)]
    return recorded(
        events(
            played.game, played.history, seed=played.seed, number=played.number, holders=holders, earlier=earlier,
            thoughts=played.thoughts,
        )
    )  # fmt: skip


def refuse_other_words(found: Recorded, told: Recorded, where: Path | str) -> None:
    """Raise if a record ends, pays or tells of a moment otherwise than the game does that it is of."""
    if found.end and not told.end:
        raise RuseError(f"{where} has an end where the game goes on")
    if found.end and told.end and found.end["payoffs"] != (payoffs := told.end["payoffs"]):
        raise RuseError(f"{where} has payoffs {str(found.end['payoffs'])[:200]} where the game pays {payoffs}")
    if found.head.get("version") != version_of("ruse"):  # which may have put it in other words
        return
    moments = zip([found.head, *found.actions], [told.head, *told.actions], strict=False)  # chance may have gone on
    for k, (ours, theirs) in enumerate(moments):
        if any(name in ours and ours[name] != theirs.get(name) for name in TOLD):
            at = f"after its move {k}" if k else "before its first move"
            raise FileTrouble(f"{where} is damaged: what it tells {at} is not what the moves come to")
    if found.end and told.end and found.end["everything"] != told.end["everything"]:
        raise FileTrouble(f"{where} is damaged: what it tells at its end is not what the moves come to")
