"""A spot from text, from a TOML file, or from the console language of TexasSolver.

    board Qs Jh 2h 8d, pot 50, stack 200, oop QQ:0.5, AQs, KTo+, ip AA, KK, AK, bets 50% all-in, raises 60%

A part begins where a word of these stands behind a comma; all other commas belong to what the part says:

| part | says |
|---|---|
| `board`, `pot`, `stack` | cards; whole chips |
| `oop`, `ip` | a range |
| `bets`, `raises`, `donks` | sizes, for all; before it may stand `oop` or `ip` and a street: `ip river bets 75%` |
| `threshold`, `add all-in`, `force all-in`, `merge` | when bets become all-in, or one: a share, `67%` |
| `rake`, `rake cap` | what the house takes of the last pot, `5%`, and at most: whole chips |

Where two speak of the same, the later one counts. A TOML file has the same words for keys, or tables of them.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ruse.errors import RuseError
from ruse.games.holdem.betting.bets import bets_named
from ruse.games.holdem.cards import cards_named
from ruse.games.holdem.ranges.reading import range_of
from ruse.games.holdem.ranges.writing import range_text
from ruse.games.holdem.spots.spot import MOST_CHIPS, NO_SIZES, SEATS, STREETS, Sizes, Spot

EXAMPLE = "holdem: board Qs Jh 2h, pot 50, stack 200, oop QQ, AK, ip TT+, bets 50%, raises 60%"
USUAL = {"bets": "50%", "raises": "60%"}
SIZES = r"(?:(?:oop|ip)\s+)?(?:(?:flop|turn|river)\s+)?(?:bets?|raises?|donks?)(?:\s+sizes?)?"
SHARES = ("threshold", "add all-in", "force all-in", "merge", "rake")
CAP = "rake cap"
NEEDED = ("board", "pot", "stack", *SEATS)
WORD = re.compile(
    rf"({SIZES}|board|pot(?=\s+\S)|stack|(?:oop|ip)(?:\s+range)?|{CAP}|{'|'.join(SHARES)})(?:\s+|\s*=\s*|$)",
    re.IGNORECASE,
)
LARGEST = 1 << 20  # bytes of a file
ALONE = ("pot", "min", "any", "a", "none", "random")  # words that are sizes or ranges
HANDS = re.compile(r"[2-9TJQKA][2-9TJQKAcdhs]", re.IGNORECASE)  # so hands and cards begin
CHIPS = re.compile(r"(\d{1,18})(?:\.0*)?")

Pairs = Iterable[tuple[str, Any]]
NOTHING: Mapping[str, Any] = {}


def is_spot(text: str) -> bool:
    """Whether a text speaks of a spot, as against fields of the game."""
    return re.search(r"(?:^|,)\s*board\b(?!\s*=)", text, re.IGNORECASE) is not None


def spot_of(text: str, more: Mapping[str, Any] = NOTHING) -> Spot:
    """The spot that a text describes, with or without `holdem:` before it; `more` is said after it."""
    text = re.sub(r"^\s*holdem\s*:", "", text, flags=re.IGNORECASE)
    pairs: list[tuple[str, str]] = []
    for part in text.split(","):
        if found := WORD.match(part.strip()):
            pairs.append((found[1], part.strip()[found.end() :]))
        elif pairs:
            refuse_unknown(part)
            name, said = pairs.pop()
            pairs.append((name, f"{said},{part}"))
        elif part.strip():
            raise RuseError(f"cannot read {part.strip()!r} in a spot; begin with a word, as in {EXAMPLE!r}")
    return spot_from([*pairs, *more.items()])


def refuse_unknown(part: str) -> None:
    """Raise if what stands between two commas begins with a word that is no part's, no size and no hand."""
    words = re.sub(r"all[\s-]*in", "all-in", part, flags=re.IGNORECASE).replace("=", " ").split()
    if len(words) > 1 and words[0].isalpha() and words[0].casefold() not in ALONE and not HANDS.match(words[0]):
        raise no_part(words[0])


def no_part(name: str) -> RuseError:
    known = (*NEEDED, "bets", "raises", "donks", *SHARES, CAP)
    close = get_close_matches(name.casefold(), known, n=1, cutoff=0.75)
    meant = f"; did you mean {close[0]!r}?" if close else f"; it has {', '.join(known)}"
    return RuseError(f"a spot has no {name!r}{meant}")


def spot_in(path: Path, more: Mapping[str, Any] = NOTHING) -> Spot:
    """The spot in a file: TOML, or the language of TexasSolver if its name ends in .txt; `more` is said after it."""
    from ruse.games.holdem.spots.texassolver import spot_said

    try:
        content = path.read_bytes()
        if len(content) > LARGEST:
            raise RuseError(f"{path} is too large for a spot: more than {LARGEST >> 20} MiB")
        text = content.decode()
        if path.suffix == ".txt":
            return spot_said(text, more)
        return spot_from([*flat(tomllib.loads(text)), *more.items()])
    except OSError as error:
        raise RuseError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RuseError(f"{path} is not a text") from error
    except RuseError as error:
        raise RuseError(f"{path}: {error}") from error
    except ValueError as error:  # of TOML, or of a number with thousands of digits
        raise RuseError(f"{path} is not TOML: {error}") from error


def flat(table: Mapping[str, Any], before: str = "") -> Pairs:
    """Tables in tables as one: {"ip": {"river": {"bets": "75%"}}} says `ip river bets`."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{name} ")
        else:
            yield f"{before}{name}", value


def spot_from(pairs: Pairs, usual: Mapping[str, str] = USUAL) -> Spot:
    """The spot that parts say, later ones over earlier ones."""
    said: dict[str, Any] = {}
    sizes: list[tuple[str, Any]] = list(usual.items())
    for name, value in pairs:
        words = " ".join(name.casefold().replace("_", " ").split()).removesuffix(" range")
        if re.fullmatch(SIZES, words):
            sizes.append((words, value))
        elif words in (*NEEDED, *SHARES, CAP):
            said[words] = value
        else:
            raise no_part(name)
    for word in NEEDED:
        if word not in said:
            raise RuseError(f"the spot lacks {word}; write all of {', '.join(NEEDED)}, as in {EXAMPLE!r}")
    board = tuple(cards_named(listed(said["board"])))
    ranges = tuple(_range(seat, listed(said[seat])) for seat in SEATS)
    spot = Spot(
        board, _chips("pot", said["pot"]), _chips("stack", said["stack"]), (ranges[0], ranges[1]), ((), ()),
        threshold=_share("threshold", said.get("threshold", 1.0)),
        add_all_in=_share("add all-in", said.get("add all-in", 0.0)),
        force_all_in=_share("force all-in", said.get("force all-in", 0.0)),
        merge=_share("merge", said.get("merge", 0.0)),
        rake=_share("rake", said.get("rake", 0.0)),
        rake_cap=_chips(CAP, said.get(CAP, 0)),
    )  # fmt: skip
    if CAP in said and spot.rake_cap == 0:
        raise RuseError(
            f"the {CAP} must be 1 chip or more, got 0; leave it out if there is none, and the rake if there is none"
        )
    return spot._replace(sizes=_sizes(sizes, spot.street)).checked()


def _sizes(said: Pairs, first: int) -> tuple[tuple[Sizes, ...], tuple[Sizes, ...]]:
    """[player][street] what may be bet, of parts that may speak of one player or one street."""
    table = [[NO_SIZES] * len(STREETS) for _ in SEATS]
    for words, value in said:
        *where, kind = words.removesuffix("s").removesuffix(" size").split()
        kind = f"{kind.removesuffix('s')}s"
        try:
            meant = bets_named(listed(value))
        except RuseError as error:
            raise RuseError(f"{words}: {error}") from error
        for player, seat in enumerate(SEATS):
            for street, name in enumerate(STREETS):
                if street >= first and set(where) <= {seat, name}:
                    table[player][street] = table[player][street]._replace(**{kind: meant})
    oop = tuple(_plain(sizes, is_first=street == first) for street, sizes in enumerate(table[0]))
    return oop, tuple(_plain(sizes, is_first=True) for sizes in table[1])


def _plain(sizes: Sizes, *, is_first: bool) -> Sizes:
    """The same without donks that say nothing: there are none in position, nor before anybody has bet."""
    return sizes._replace(donks=None) if is_first or sizes.donks == sizes.bets else sizes


def _range(seat: str, text: str) -> str:
    try:
        return range_text(range_of(text))
    except RuseError as error:
        raise RuseError(f"{seat}: {error}") from error


def listed(value: Any) -> str:
    """A value of a file as text; several in a list as one."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _chips(name: str, value: Any) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not (found := CHIPS.fullmatch(text)):
        if text.isdecimal():  # with more digits than are read
            raise RuseError(f"the {name} must be at most {MOST_CHIPS:,} chips, got {text[:20]}...")
        smaller = "; count in smaller chips" if re.fullmatch(r"\d*\.\d+", text) else ""
        raise RuseError(f"the {name} must be a whole number of chips, got {text!r}{smaller}")
    return int(found[1])


def _share(name: str, value: Any) -> float:
    text = str(value).strip()
    try:
        share = float(text.removesuffix("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        share = math.nan
    if isinstance(value, bool) or not 0.0 <= share < 1e6:
        raise RuseError(f"{name} must be a share, such as 67% or 0.67, got {text!r}")
    return share
