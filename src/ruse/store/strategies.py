"""Where the strategy is that a text means: a file, or a run by its name."""

from pathlib import Path

from ruse.errors import FileTrouble
from ruse.store.runs import find
from ruse.words.printable import shortened


def strategy_path(text: str, runs: Path) -> Path:
    """Where the strategy is that a text means."""
    path = Path(text)
    try:
        if path.is_file():
            return path
    except OSError as error:  # a name that no file can have
        raise FileTrouble(f"there is no file {shortened(text, 80)!r}: {error.strerror}") from error
    if path.suffix in (".strategy", ".safetensors") or (path.name != text and not path.exists()):
        raise FileTrouble(f"there is no file {text}")
    try:
        run = find(runs, text)
    except FileTrouble as trouble:
        raise FileTrouble(f"there is no strategy file {text!r}, and {trouble}") from trouble
    if not run.strategy_path.is_file():
        raise FileTrouble(f"{run.path} has no strategy yet; `ruse resume {run.name}` goes on with it")
    return run.strategy_path


def is_path(text: str) -> bool:
    """Whether a text can mean nothing but a file or a folder."""
    return Path(text).suffix in (".strategy", ".safetensors") or Path(text).name != text
