"""A process of `Processes`: it takes pieces of work from stdin, a line of JSON each, and answers on stdout.

When stdin ends, whoever asked wants no more, or was killed: what is at work is told to stop, and has some seconds for
it. So no worker outlives its master, whatever ended that one.
"""

import json
import os
import queue
import sys
import threading
import time
from typing import Any

from ruse.errors import RuseError
from ruse.spread.pieces import stop_all, work_named

GRACE = 10.0  # seconds


def listen(asked: "queue.Queue[str | None]") -> None:
    """Hear pieces while others are worked on, above all that there are no more."""
    for line in sys.stdin:
        asked.put(line)
    asked.put(None)
    stop_all()
    time.sleep(GRACE)
    os._exit(1)


def answer_to(line: str) -> dict[str, Any]:
    question = json.loads(line)
    try:
        return {"result": work_named(question["work"])(question["piece"])}
    except RuseError as error:
        return {"trouble": str(error)}
    except MemoryError:
        return {"trouble": "there is not enough memory for it"}
    except Exception as error:
        return {"trouble": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer until there is nothing more to do."""
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what else is printed here is no answer
    asked: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=listen, args=(asked,), daemon=True).start()
    while (line := asked.get()) is not None:
        try:
            print(json.dumps(answer_to(line)), file=said, flush=True)
        except OSError:  # nobody is there any more
            break
    os._exit(0)  # at once: a thread that listens waits in a lock of stdin


if __name__ == "__main__":
    main()
