"""Questions that may take long, or never end: asked of a process beside the server, which can be killed.

Rules of a game are anybody's: measuring one may compile, fill a core for a minute, or loop. The server itself must go
on answering. A question is a line of JSON to the process, with its name and what is asked; its answer is one, too.
"""

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ruse.errors import RuseError
from ruse.protocol.game import declared
from ruse.studio.answers import Overfull
from ruse.studio.state import Studio

PATIENCE = 60.0  # seconds for an answer
WAITING = 16  # questions in a row


class Aside:
    """Processes that answer questions, one for each name, started when the first is asked."""

    def __init__(self, studio: Studio) -> None:
        self.workers: dict[str, Worker] = {}
        self.lock = threading.Lock()

    def ask(self, name: str, patience: float = PATIENCE, **asked: Any) -> Any:
        """The answer; a refusal is raised as it was there, and so is a wait that was too long."""
        with self.lock:
            worker = self.workers.setdefault(name, Worker(name))
        return worker.ask(asked, patience)

    def close(self) -> None:
        for worker in self.workers.values():
            worker.stop()


class Worker:
    """One process, asked one question after the other."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.process: subprocess.Popen[str] | None = None
        self.lock = threading.Lock()
        self.waiting = 0

    def ask(self, asked: Mapping[str, Any], patience: float) -> Any:
        if self.waiting >= WAITING:
            raise Overfull("too many questions wait for an answer; try again in a moment")
        self.waiting += 1
        try:
            with self.lock:
                answer = self.answered(json.dumps({"name": self.name, "asked": asked}), patience)
        finally:
            self.waiting -= 1
        if "error" in answer:
            raise RuseError(str(answer["error"]))
        return answer["answer"]

    def answered(self, line: str, patience: float) -> dict[str, Any]:
        process = self.running()
        found: queue.Queue[str] = queue.Queue()
        assert process.stdin is not None
        assert process.stdout is not None
        reader = threading.Thread(target=lambda out=process.stdout: found.put(out.readline()), daemon=True)
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            reader.start()
            text = found.get(timeout=patience)
        except queue.Empty:
            self.stop()
            return {"error": f"no answer within {patience:g} seconds; the game may be too large to be measured here"}
        except OSError:
            text = ""
        if not text:
            self.stop()
            return {"error": "the process that was asked has ended; is there memory left?"}
        answer: dict[str, Any] = json.loads(text)
        return answer

    def running(self) -> "subprocess.Popen[str]":
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ruse.studio.runs.aside"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
        return self.process

    def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]


# ---- in the process --------------------------------------------------------------------------------------------------


def fits(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """What may be chosen beside what is asked, and what is wrong with it as it is."""
    from ruse.training.jobs.offers import offers, why_not_offered

    made = named_game(game)
    return {
        "trouble": why_not_offered(made, asked),
        "offers": {name: [choice._asdict() for choice in choices] for name, choices in offers(made, asked).items()},
    }


def size(game: str) -> dict[str, Any]:
    """How large a game is."""
    made = named_game(game)
    if declared(made, "stake"):  # a spot, whose ranges are counted and not its histories
        from ruse.catalog.names import preset
        from ruse.spots.size import SpotSize

        return {"told": SpotSize.of(made, preset("dcfr")).told, "histories": None, "infosets": None, "bytes": None}
    from ruse.tree.measure.free import free_memory
    from ruse.tree.measure.size import tree_size

    found = tree_size(made, limit=5_000_000)
    told = {"histories": found.histories, "infosets": found.infosets, "bytes": found.bytes}
    known = {name: float(number) if number < 1e300 else None for name, number in told.items()}
    return known | {"told": str(found), "is_exact": found.is_exact, "fits": found.bytes <= free_memory()}


def named_game(spec: str) -> Any:
    """A game by its name; code is run only if a person has had it run before."""
    from ruse.catalog.recorded import recorded_game

    return recorded_game(spec, Path.cwd() / "the page")


QUESTIONS: dict[str, Callable[..., Any]] = {"fits": fits, "size": size}


def main() -> None:
    """Answer questions until there are none."""
    for line in sys.stdin:
        try:
            question = json.loads(line)
            answer = {"answer": QUESTIONS[question["name"]](**question["asked"])}
        except RuseError as error:
            answer = {"error": str(error)}
        except Exception as error:
            from ruse.compile.files.mistakes import is_compilers, raised, reason

            found = f"the game's rules could not be compiled: {reason(error)}" if is_compilers(error) else raised(error)
            answer = {"error": str(found or f"{type(error).__name__}: {error}")}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
