"""What Numba means, in one sentence: its own messages are essays, with the reason somewhere in the middle."""

import re
from pathlib import Path

OURS = Path(__file__).parents[1]


def reason(error: Exception) -> str:
    """What the compiler stumbled over, and on which line of a file that is neither Numba's nor ours."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # Each level of calls adds a heading; what follows the last one is about the innermost, where the trouble is.
    headings = [k for k, line in enumerate(lines) if "mode pipeline (step:" in line]
    rest = lines[headings[-1] + 1 :] if headings else lines
    words = next((line for line in rest if not line.startswith("- Resolution failure")), type(error).__name__)
    places = re.findall(r"at (\S+\.py) \((\d+)\)", str(error))
    theirs = [(path, line) for path, line in places if "site-packages" not in path and OURS not in Path(path).parents]
    where = f" at {Path(theirs[-1][0]).name}, line {theirs[-1][1]}" if theirs else ""
    return f"{words.rstrip(':')}{where}"
