"""Damaged and forged files, read one after the other in a process of their own, so that a crash is seen.

    python mutants.py KIND FOLDER FIRST LAST

prints one line for each mutant: its number and `same`, `other`, `refused` or what went wrong. A mutant is always made
the same way from its number.
"""

import contextlib
import hashlib
import io
import json
import logging
import os
import random
import re
import resource
import shutil
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from damage import damaged, nonsense, tensor_mutant, text_mutant

import ruse
from ruse.store.runs import RunDirectory

LONGEST = 20  # seconds that one mutant may take
MEMORY = 8 << 30  # bytes that the process may ask for
EVIL = "import pathlib\npathlib.Path({sentinel!r}).write_text('run')\n"
KUHN_EFG = """EFG 2 R "small" { "Ann" "Bob" }
"a comment"
c "deal" 1 "cards" { "low" 1/3 "high" 2/3 } 0
p "" 1 1 "low" { "bet" "fold" } 0
p "" 2 1 "asked" { "call" "fold" } 1 "ante" { 0.5, -0.5 }
t "" 2 "win" { -2 2 }
t "" 3 "draw" { 1 -1 }
t "" 4 "" { -1 1 }
p "" 1 7 "high" { "bet" "fold" } 0
p "" 2 1 0
t "" 5 "" { 2 -2 }
t "" 3
t "" 4
"""


# ---- kinds of files --------------------------------------------------------------------------------------------------


class Kind:
    """A kind of file: how one is made, damaged and read. What reading gives must be the same, unless `may_differ`."""

    may_differ = False  # a text that means something else is no damage that anybody could see

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sentinel = folder / "evil-was-run"
        self.evil = folder / "evil.py"
        self.evil.write_text(EVIL.format(sentinel=str(self.sentinel)))
        self.build()

    def build(self) -> None: ...

    def spoil(self, draw: random.Random) -> None: ...

    def read(self) -> object: ...

    def with_evil(self, data: bytes) -> bytes:
        """The same file, which names a program as its game."""
        return data.replace(b"kuhn", str(self.evil).encode())


class StrategyFile(Kind):
    """A strategy: damaged bytes, and headers that lie."""

    def build(self) -> None:
        self.path = self.folder / "kuhn.strategy"
        if not self.path.exists():
            ruse.train(ruse.Kuhn(), ruse.cfr_plus(), iterations=64).strategy.save(self.path)
        self.whole = self.path.read_bytes()

    def spoil(self, draw: random.Random) -> None:
        if draw.random() < 0.05:
            length = int.from_bytes(self.whole[:8], "little")
            header = self.with_evil(self.whole[8 : 8 + length])
            self.path.write_bytes(len(header).to_bytes(8, "little") + header + self.whole[8 + length :])
        else:
            self.path.write_bytes(tensor_mutant(self.whole, draw))

    def read(self) -> object:
        strategy = ruse.Strategy.load(self.path)
        measured = ruse.exploitability(strategy.game, strategy)
        rows = [np.asarray(x).tobytes() for x in (strategy.keys, strategy.start, strategy.probability)]
        return repr(strategy.game), repr(strategy.view), rows, float(measured)


class ForgedStrategy(StrategyFile):
    """A strategy whose tables were changed before it was written: what is not refused must be a strategy."""

    may_differ = True

    def spoil(self, draw: random.Random) -> None:
        self.path.write_bytes(self.whole)
        strategy = ruse.Strategy.load(self.path)
        arrays = {name: np.array(getattr(strategy, name)) for name in ("keys", "start", "probability")}
        spoilt_name = draw.choice(["probability", "probability", "start", "keys"])
        arrays[spoilt_name] = nonsense(arrays[spoilt_name], draw)
        for name, array in arrays.items():
            setattr(strategy, name, array)
        with contextlib.suppress(TypeError):  # a type that no file can hold
            strategy.save(self.path)

    def read(self) -> object:
        strategy = ruse.Strategy.load(self.path)
        assert np.all(np.diff(strategy.start) > 0), "rows without actions"
        sums = np.add.reduceat(strategy.probability, strategy.start[:-1]) if len(strategy.keys) else np.ones(0)
        assert np.all(np.abs(sums - 1.0) < 1e-6), "probabilities that do not add up"
        assert np.all(strategy.probability >= 0.0), "probabilities below 0"
        return super().read()


class Checkpoint(Kind):
    """A run's only checkpoint: resumed from it, the run must end as it did."""

    rules = ("cfr", "mccfr")

    def build(self) -> None:
        self.pristine = {}
        for rule in self.rules:
            home = self.folder / f"run-{rule}"
            if not home.exists():
                game, solver = ruse.Kuhn(), ruse.PRESETS[rule]()
                made = ruse.new_run(self.folder / "made", game, solver, iterations=64, seed=1)
                ruse.train(game, solver, iterations=64, seed=1, directory=made, checkpoint_seconds=1e9)
                os.rename(made.path, home)
                (home / "result.json").unlink()
            self.pristine[rule] = home
        self.rule = self.rules[0]
        self.work = self.folder / "work"

    def fresh(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.pristine[self.rule], self.work)

    def files(self) -> list[Path]:
        return sorted(self.work.glob("checkpoints/*/*"))

    def spoil(self, draw: random.Random) -> None:
        self.rule = draw.choice(self.rules)
        self.fresh()
        path = draw.choice(self.files())
        mutant = tensor_mutant if path.suffix == ".safetensors" else text_mutant
        path.write_bytes(mutant(path.read_bytes(), draw))

    def read(self) -> object:
        if not self.work.exists():
            self.fresh()
        run = ruse.resume(RunDirectory.open(self.work), iterations=72)
        strategy = run.strategy
        rows = [np.asarray(x).tobytes() for x in (strategy.keys, strategy.start, strategy.probability)]
        return self.rule, run.iterations, rows

    def wanted(self) -> dict[str, object]:
        """What reading the whole file gives, by rule."""
        found = {}
        for rule in self.rules:
            self.rule = rule
            self.fresh()
            found[rule] = self.read()
        return found


class ForgedCheckpoint(Checkpoint):
    """A checkpoint whose tables make no sense, with hashes that fit."""

    may_differ = True

    def spoil(self, draw: random.Random) -> None:
        from ruse.store import tensors

        self.rule = draw.choice(self.rules)
        self.fresh()
        tables = next(path for path in self.files() if path.suffix == ".safetensors")
        header, arrays = tensors.read(tables)
        spoilt = {name: np.array(array) for name, array in arrays.items()}
        for _ in range(draw.choice([1, 1, 2])):
            name = draw.choice(sorted(spoilt))
            spoilt[name] = nonsense(spoilt[name], draw)
        with contextlib.suppress(TypeError):
            tensors.write(tables, spoilt, header)
        manifest = tables.with_name("manifest.json")
        told = json.loads(manifest.read_bytes())
        told["files"][tables.name] = hashlib.sha256(tables.read_bytes()).hexdigest()
        told.pop("sha256", None)
        told["sha256"] = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        manifest.write_text(json.dumps(told, indent=1))


class RunFile(Checkpoint):
    """run.toml, which may ask for something else now."""

    may_differ = True

    def spoil(self, draw: random.Random) -> None:
        self.rule = draw.choice(self.rules)
        self.fresh()
        path = self.work / "run.toml"
        whole = path.read_bytes()
        path.write_bytes(self.with_evil(whole) if draw.random() < 0.1 else text_mutant(whole, draw))


class Metrics(Checkpoint):
    """metrics.jsonl"""

    may_differ = True

    def spoil(self, draw: random.Random) -> None:
        self.rule = draw.choice(self.rules)
        self.fresh()
        path = self.work / "metrics.jsonl"
        path.write_bytes(text_mutant(path.read_bytes(), draw))

    def read(self) -> object:
        if not self.work.exists():
            self.fresh()
        RunDirectory.open(self.work).summary()
        return super().read()


class Record(Kind):
    """A record of games, as `ruse replay` prints it: without escapes that a terminal would follow."""

    may_differ = True

    def build(self) -> None:
        from ruse.play.records import record

        self.path = self.folder / "games.jsonl"
        if not self.path.exists():
            for history in ([0, 1, 0, 0], [2, 0, 1, 1], [1, 1, 0, 1, 0]):
                state, path = ruse.State.of(ruse.Kuhn()), []
                while not state.is_over:
                    path.append(history[len(path)] % len(state.actions))
                    state = state.child(path[-1])
                holders = [record.Holder(name, is_person=False) for name in "ab"]
                record.append(self.path, record.events(ruse.Kuhn(), path, seed=1, number=1, holders=holders))
        self.whole = self.path.read_bytes()

    def spoil(self, draw: random.Random) -> None:
        self.path.write_bytes(text_mutant(self.whole, draw))

    def read(self) -> object:
        from ruse.cli.commands.playing.replay import replay

        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            replay(self.path, game=None)
        text = shown.getvalue()
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text), "an escape was printed"
        return text


class Efg(Kind):
    """A .efg file; one that is another game now must be a game that can be measured."""

    may_differ = True

    def build(self) -> None:
        self.path = self.folder / "small.efg"
        self.path.write_text(KUHN_EFG)
        self.whole = self.path.read_bytes()

    def spoil(self, draw: random.Random) -> None:
        self.path.write_bytes(text_mutant(self.whole, draw))

    def read(self) -> object:
        game = ruse.game(str(self.path))
        measured = ruse.exploitability(game, ruse.Strategy.uniform(game))
        assert np.isfinite(measured), f"exploitability {measured}"
        assert measured > -1e-9, f"exploitability {measured}"
        return repr(game), float(measured)


class KernelEntry(Kind):
    """A compiled kernel on disk; one that is damaged is compiled anew, so nothing is loaded from it."""

    def build(self) -> None:
        from numba.core.registry import cpu_target

        from ruse.solve.table.table import rehash

        rehash(np.zeros((2, 2), np.int64), np.zeros((4, 2), np.int64))
        self.kernel, self.context = rehash, cpu_target.target_context
        self.signature = rehash.signatures[0]
        (self.path,) = Path(os.environ["RUSE_CACHE"]).glob("rehash-*")
        self.whole = self.path.read_bytes()

    def spoil(self, draw: random.Random) -> None:
        self.path.write_bytes(damaged(self.whole, draw))

    def read(self) -> object:
        if not self.path.exists():
            self.path.write_bytes(self.whole)
        before = self.path.read_bytes()
        found = self.kernel._cache.load_overload(self.signature, self.context)
        if found is None:
            raise ruse.RuseError("compiled anew")
        assert before == self.whole, "a damaged kernel was loaded"
        return "loaded"


KINDS: dict[str, Callable[[Path], Kind]] = {
    "strategy": StrategyFile, "forged_strategy": ForgedStrategy, "checkpoint": Checkpoint,
    "forged_checkpoint": ForgedCheckpoint, "run": RunFile, "metrics": Metrics, "record": Record, "efg": Efg,
    "kernel": KernelEntry,
}  # fmt: skip


# ---- one after the other ---------------------------------------------------------------------------------------------


class Hang(BaseException):
    """A mutant has taken too long."""


def on_alarm(*_: object) -> None:
    raise Hang


def verdict(kind: Kind, number: int, wanted: dict[Any, object]) -> str:
    """Damage, read, compare."""
    signal.alarm(LONGEST)
    try:
        try:
            kind.spoil(random.Random(number))
        except ruse.RuseError:  # it cannot even be written
            return "refused"
        found = kind.read()
        same = found in wanted.values()
        return "same" if same else "other" if kind.may_differ else "other, and nobody noticed"
    except ruse.RuseError as error:
        return "refused" if len(str(error)) < 2_000 else f"refused in {len(str(error))} characters"
    except Hang:
        return f"longer than {LONGEST} s"
    except BaseException as error:
        words = " ".join(str(error).split())[:150]
        return f"{type(error).__name__}: {words}"
    finally:
        signal.alarm(0)
        if kind.sentinel.exists():
            kind.sentinel.unlink()
            print(f"{number} code was run", flush=True)


def main(name: str, folder: str, first: str, last: str) -> None:
    warnings.simplefilter("ignore")
    logging.disable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, on_alarm)
    kind = KINDS[name](Path(folder))
    wanted = kind.wanted() if isinstance(kind, Checkpoint) else {0: kind.read()}
    for number in range(int(first), int(last)):
        print(number, verdict(kind, number, wanted), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
