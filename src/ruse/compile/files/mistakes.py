"""What is wrong with somebody's code, in one sentence: the method, the line, and what to do about it.

An exception of a game's own Python ends in a traceback through ours; what Numba says of a rule that it cannot compile
is an essay, with the reason somewhere in the middle.
"""

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

from ruse.compile.files.sources import is_installed
from ruse.errors import RuseError

OURS = Path(__file__).resolve().parents[2]  # the package
COLOURS = re.compile(r"\x1b\[[\d;]*m")  # in which Numba may write
LOWERING = "No definition for lowering"
SETTING = rf"(?:Cannot resolve setattr:|{LOWERING}) .*\.(\w+) = "
WITH = "The 'with (context manager)"
ALLOWED = "rules may use numbers, the row, the fields, tuples and functions marked @ruse.compiled_function"


class Place(NamedTuple):
    """A line of a file, and the function that it is in."""

    path: Path
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}"


def is_theirs(path: str) -> bool:
    """Whether a file is neither ours, nor Python's, nor installed."""
    where = Path(path).resolve()
    return where.is_file() and OURS not in where.parents and not is_installed(where)


def raised(error: BaseException) -> str | None:
    """Which method raised an exception, and where; None if no code but ours was at work."""
    frames = [frame for frame in extract_tb(error.__traceback__) if is_theirs(frame.filename)]
    if not frames:
        return None
    first, last = frames[0], frames[-1]
    inner = "" if first.name == last.name else f" in {last.name}()"
    words = " ".join(exception_words(error).split())
    return f"{first.name}() raised {words}{inner} at {Path(last.filename).name}:{last.lineno}"


def exception_words(error: BaseException) -> str:
    """An exception's kind, and what it says if it says anything."""
    kind, text = type(error).__name__, exception_text(error)
    return f"{kind}: {text}" if text else kind


def exception_text(error: BaseException) -> str:
    """What an exception says; nothing if its own code, which is asked for that, raises in turn."""
    try:
        return "".join((str(error),))  # a plain text, whatever kind of text it gives
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""


def line_in(error: BaseException, path: Path) -> str:
    """The last line of a file on the way to an exception, as " at my_game.py:7"; nothing if it was not on the way."""
    lines = [f.lineno for f in extract_tb(error.__traceback__) if Path(f.filename).resolve() == path.resolve()]
    return f" at {path.name}:{lines[-1]}" if lines else ""


def where_written(method: Callable[..., Any]) -> str:
    """A method and where it is written, as in "payoff() at my_game.py:61"."""
    name, code = getattr(method, "__name__", repr(method)), getattr(method, "__code__", None)
    return f"{name}()" if code is None else f"{name}() at {Path(code.co_filename).name}:{code.co_firstlineno}"


def wrong_parameters(part: Any, protocol: type, names: Iterable[str]) -> str | None:
    """The first method that cannot be called as the protocol says, and how to write it; None if all can."""
    for name in names:
        asked = list(inspect.signature(getattr(protocol, name)).parameters)  # with self
        method = getattr(part, name)
        try:
            inspect.signature(method).bind(*asked[1:])
        except TypeError:
            theirs = ", ".join(map(str, inspect.signature(method).parameters.values()))
            return f"{where_written(method)} takes ({theirs}); write it as def {name}({', '.join(asked)})"
        except ValueError:  # nothing tells what it takes
            continue
    return None


def is_compilers(error: BaseException) -> bool:
    """Whether the compiler has raised it."""
    if type(error) is NotImplementedError and exception_text(error).startswith(LOWERING):
        return True
    return str(type(error).__module__).partition(".")[0] == "numba"


@contextmanager
def compiling() -> Iterator[None]:
    """With it, what the compiler says of rules, or of a view or another part of one's own, is one sentence."""
    try:
        yield
    except Exception as error:
        if not is_compilers(error):
            raise
        raise RuseError(f"the rules could not be compiled: {reason(error)}; `ruse check` tells more") from error


def reason(error: BaseException, part: Any = None) -> str:
    """What the compiler stumbled over in the methods of a part: the method, the line and the cure."""
    text = COLOURS.sub("", exception_text(error))
    place = _place(text)
    method = place.function if place else _method(text)
    place = place or _place_in(getattr(part, method, None), text) or _place_in_part(part, text)
    method = method or (place.function if place else "")
    where = f"{method}()" * bool(method) + f" at {place}" * (place is not None)
    if known := _known(text, place):
        return f"{where} {known}".strip()
    return f"{where}: {_numbas_own(error)}".removeprefix(": ")


def _place(text: str) -> Place | None:
    """The innermost line of theirs that is named. Numba names lines from the inside out, for each way it has tried."""
    found = re.findall(r'(?:at|from) (\S+\.py) \((\d+)\)|File "([^"]+\.py)", line (\d+):', text)
    for a, b, c, d in found:
        path, line = a or c, int(b or d)
        if is_theirs(path):
            return Place(Path(path).resolve(), line, _function_at(Path(path), line))
    return None


def _place_in(method: Any, text: str) -> Place | None:
    """Where a method uses the name that the compiler does not know, or else where it begins, as far as we can see."""
    code = getattr(method, "__code__", None)
    if code is None or not is_theirs(code.co_filename):
        return None
    path, line = Path(code.co_filename).resolve(), code.co_firstlineno
    unknown = re.search(r"NameError: name '(\w+)' is not defined", text)
    with suppress(OSError, SyntaxError):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef) and node.name == code.co_name and _spans(node, line):
                uses = [n.lineno for n in ast.walk(node) if unknown and isinstance(n, ast.Name) and n.id == unknown[1]]
                return Place(path, min(uses, default=line), node.name)
    return Place(path, line, code.co_name)


def _is_cause(text: str, node: ast.AST) -> bool:
    """Whether the compiler means a piece of code by what it says without naming a line."""
    if found := re.search(SETTING, text):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        return any(isinstance(target, ast.Attribute) and target.attr == found[1] for target in targets)
    return WITH in text and isinstance(node, ast.With)


def _place_in_part(part: Any, text: str) -> Place | None:
    """The first piece of code in the rules of a part that the compiler may mean, where it names no line."""
    for name, method in inspect.getmembers(type(part), inspect.isfunction):
        if is_theirs(method.__code__.co_filename):
            path = Path(method.__code__.co_filename).resolve()
            with suppress(OSError, SyntaxError):
                for node in ast.walk(ast.parse(path.read_bytes())):
                    if _is_cause(text, node) and _function_at(path, line := getattr(node, "lineno", 0)) == name:
                        return Place(path, line, name)
    return None


def _function_at(path: Path, line: int) -> str:
    """The function around a line, by name."""
    best = ""
    with suppress(OSError, SyntaxError):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
                best = node.name  # inner ones come later
    return best


def _method(text: str) -> str:
    """The method that the compiler was at, where it names no line."""
    if found := re.search(r", '(\w+)'\) for ", text):
        return found[1]
    for path, line in re.findall(r"at (\S+\.py) \((\d+)\)", text):  # of ours: which method is called there?
        with suppress(OSError, IndexError):
            if found := re.search(r"\bgame\.(\w+)\(", Path(path).read_text("utf-8").splitlines()[int(line) - 1]):
                return found[1]
    return ""


def _known(text: str, place: Place | None) -> str | None:
    """The common causes in our words, with the cure."""
    if found := re.search(r"Untyped global name '(\w+)':\s+Cannot determine Numba type of <class '([\w.]+)'>", text):
        return _untyped(found[1], found[2])
    if found := re.search(r"NameError: name '(\w+)' is not defined", text):
        return f"uses {found[1]}, which is not defined"
    if found := re.search(r"Unknown attribute '(\w+)' of type (\w+)", text):
        cure = "make it a field, or name the method in @ruse.compiled(...)"
        return f"asks for .{found[1]}, which {re.sub(r'_[0-9]+$', '', found[2])} does not have when compiled; {cure}"
    if "Cannot modify readonly array" in text:
        return "writes into an array of its own, which no bot may: it would know a deal again; take notes in `memory`"
    if WITH in text:
        return f"opens something by `with`, which rules cannot; {ALLOWED}"
    if "unsupported opcode (STORE_GLOBAL)" in text:
        return "changes a name of the module, which rules cannot; what changes is kept in the row"
    if found := re.search(SETTING, text):
        return f"sets .{found[1]}, and no field can be set; what changes is kept in the row"
    if found := re.search(r"Cannot unify (.+) and (.+) for '", text):
        return f"puts {_kind(found[1])} and {_kind(found[2])} into one name; give each kind a name of its own"
    if re.search(r"setitem\(array\(.*, none\)|Casting none to \w+ directly is unsupported", text):
        return "must return a number, and returns nothing"
    if found := re.search(r"Int value is too large: (\d+)", text):
        return f"uses {found[1]}, a number beyond 64 bits; use ruse.mix for keys that need more"
    made = _made_at(place)
    if made is not None and re.search(
        "NRT required|imprecise type|No implementation of function|Use of unsupported", text
    ):
        return f"makes {made}, which rules cannot; {ALLOWED}"
    if "NRT required" in text or "Only accept returning of array" in text:
        return f"makes an array, a list or a text, which rules cannot; {ALLOWED}"
    return None


def _untyped(name: str, kind: str) -> str:
    """A name of the module that means nothing to the compiler."""
    if kind != "function" and hasattr(builtins, name):  # one of theirs may have such a name
        return f"calls {name}, which rules cannot; {ALLOWED}"
    if kind in ("function", "builtin_function_or_method"):
        return f"calls {name}, a plain Python function; decorate it with @ruse.compiled_function"
    return f"uses {name}, of type {kind}, which rules cannot; {ALLOWED}, and arrays of the module"


def _kind(words: str) -> str:
    """A kind of the compiler's in ours."""
    if words.startswith(("Literal[str]", "unicode_type")):
        return "a text"
    if words == "none":
        return "nothing"
    return "a number" if re.match(r"(Literal\[int\]|u?int|float|bool)", words) else f"a {words[:60]}"


MADE = (
    ((ast.List, ast.ListComp), "a list"),
    ((ast.Dict, ast.DictComp), "a dictionary"),
    ((ast.Set, ast.SetComp), "a set"),
    ((ast.GeneratorExp,), "a generator"),
    ((ast.JoinedStr,), "a text"),
    ((ast.Lambda,), "a function"),
)


def _made_at(place: Place | None) -> str | None:
    """What is created on a line, or in the function around it, that rules cannot create."""
    if place is None:
        return None
    tree: ast.AST = ast.Module([], [])
    with suppress(OSError, SyntaxError):
        tree = ast.parse(place.path.read_bytes())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == place.function]
    inside = [node for function in functions if _spans(function, place.line) for node in ast.walk(function)]
    for nodes in ([node for node in inside if getattr(node, "lineno", 0) == place.line], inside):
        for kinds, name in MADE:
            if any(isinstance(node, kinds) for node in nodes):
                return name
    return None


def _spans(node: ast.FunctionDef, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or 0)


def _numbas_own(error: BaseException) -> str:
    """Numba's words for what is none of the common causes."""
    lines = [line.strip() for line in COLOURS.sub("", exception_text(error)).splitlines() if line.strip()]
    # Each level of calls adds a heading; what follows the last one is about the innermost, where the trouble is.
    headings = [k for k, line in enumerate(lines) if "mode pipeline (step:" in line]
    rest = lines[headings[-1] + 1 :] if headings else lines
    words = next((line for line in rest if not line.startswith("- Resolution failure")), type(error).__name__)
    return f"{words.rstrip(':.')}; {ALLOWED}"
