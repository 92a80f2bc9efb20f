"""Bad input is one sentence that names the fix, exit code 2, and changes nothing."""

import shlex
from pathlib import Path

import pytest
from commands import Ruse

from ruse.strategy import Strategy

BAD = {
    "unknown command": ("nonsense", "nonsense"),
    "unknown option": ("games --nonsense", "--nonsense"),
    "unknown game": ("solve leduk", "did you mean leduc"),
    "no game": ("solve", "say which game"),
    "two games": ("solve kuhn leduc", "'leduc'"),
    "unknown field": ("solve kuhn --colour 3", "kuhn has no field 'colour'; it has players, ante, bet"),
    "slip in an option": ("solve kuhn --iteratons 3", "did you mean --iterations?"),
    "field without value": ("solve kuhn --players", "--players needs a value"),
    "field twice": ("solve kuhn:players=2,players=3", "players is given twice in 'players=2,players=3'"),
    "field in the name and beside": ("solve kuhn:players=2 --players 3", "players is given twice, in kuhn:pl"),
    "field beside twice": ("solve leduc --players 2 --players 3", "--players is given twice; leave one of them out"),
    "simultaneous beside a sampled walk": (
        "solve kuhn --walk external --simultaneous --no-run",
        "the walk external updates one player after the other in any case; leave simultaneous out",
    ),
    "no run, and where it is kept": (
        "solve kuhn --no-run --runs zz",
        "no run is kept with --no-run; leave --runs out, or --no-run",
    ),
    "no run, and how often it is saved": ("solve kuhn --no-run --checkpoint-seconds 5", "leave --checkpoint-seco"),
    "number of a rule twice": ("solve kuhn --rule dcfr:gamma=4,gamma=5", "gamma is given twice"),
    "field of the wrong kind": ("solve kuhn --players x", "must be a whole number, got 'x'"),
    "field out of range": ("solve kuhn:players=99", "players must be 2 to 10 in Kuhn poker, got 99"),
    "fields of an efg file": ("solve good.efg --players 3", "takes no fields"),
    "unknown rule": ("solve kuhn --rule nonsense", "unknown rule 'nonsense'"),
    "unknown parameter": ("solve kuhn --rule dcfr:delta=1", "dcfr has no field 'delta'"),
    "negative iterations": ("solve kuhn --iterations -5", "iterations must be above 0, got -5"),
    "no number of iterations": ("solve kuhn --iterations many", "'many' is not a whole number"),
    "half an iteration": ("solve kuhn --iterations 1.5", "'1.5' is not a whole number"),
    "target of nothing": ("solve kuhn --target nan", "'nan' is not a number"),
    "schedule without an end": ("solve kuhn --rule hs_dcfr --seconds 1", "give iterations"),
    "exact with iterations": ("solve kuhn --exact --iterations 5", "--exact solves in one go"),
    "exact with a walk": (
        "solve kuhn --exact --walk external --prune brp --threads 2 --view full",
        "--exact solves by a linear program, which has no use for --walk, --prune, --view and --threads; leave",
    ),
    "a huge field": ("solve kuhn:ante=99999999999999999999 --no-run", "ante of kuhn must be a number of at most 63 b"),
    "a huge field of a rule": ("solve kuhn --rule dcfr:alpha=1" + "0" * 400, "must be a number of at most 63 bits, g"),
    "a huge field of a view": ("solve kuhn --view Full(nothing=99999999999999999999)", "nothing of Full must be a num"),
    "a view with stars": ("solve kuhn --view Full(**{1:1})", "kuhn has no view 'Full(**{1:1})'; there is full"),
    "unreadable memory": ("solve kuhn --memory much", "'much'"),
    "too little memory": ("solve kuhn --memory 1kB --json", "too large to expand"),
    "out in no folder": ("solve kuhn --out nowhere/a.strategy", "there is no folder nowhere"),
    "out is a folder": ("solve kuhn --out .", "--out must name a file"),
    "out is a device": ("solve kuhn --out /dev/null", "--out must name a file"),
    "resume and a game": ("solve kuhn --resume last", "knows its game"),
    "resume and a rule": ("solve --resume last --rule cfr", "goes on as it was asked for; leave --rule out"),
    "resume and exact": ("solve --resume last --exact", "leave --exact out, or start a new run"),
    "resume and a seed": ("solve --resume last --seed 9 --threads 2", "leave --seed out"),
    "missing file": ("solve missing.py", "there is no file missing.py"),
    "file with a syntax error": ("solve syntax.py", "could not be imported: SyntaxError"),
    "file without a game": ("check nogame.py", "must define one game"),
    "rules that do not compile": ("solve uncompiled.py", "asks for .nothing, which"),
    "malformed efg": ("show bad.efg", "bad.efg: expected"),
    "efg that is no text": ("show binary.efg", "expected a file that starts with EFG"),
    "unknown run": ("resume nonsense", "there is no run in runs yet"),
    "no run named": ("resume", "missing argument 'RUN'"),
    "neither file nor run": ("show nonsense", "there is no strategy file 'nonsense'"),
    "missing strategy": ("evaluate missing.strategy", "there is no file missing.strategy"),
    "truncated strategy": ("evaluate short.strategy", "short.strategy is cut short"),
    "foreign strategy": ("evaluate foreign.strategy", "foreign.strategy is"),
    "foreign safetensors": ("evaluate other.strategy", "other.strategy is not a strategy of ruse"),
    "strategy of another game": ("evaluate kuhn.strategy --game leduc", "is a strategy for Kuhn"),
    "strategies of two games": ("evaluate kuhn.strategy --against three.strategy", "is for kuhn:players=3"),
    "opponent of another game": ("play leduc --against kuhn.strategy", "is a strategy for Kuhn"),
    "bot of another game": ("match leduc kuhn.strategy random", "is a strategy for Kuhn"),
    "too few bots": ("match kuhn random", "takes 2 bots, got 1"),
    "bots without a game": ("match random random", "name it first"),
    "unknown bot": ("match kuhn random heuristic", "kuhn has the bots random"),
    "missing bot": ("match missing.strategy random", "there is no file missing.strategy"),
    "fields of random": ("match kuhn random:u=1 random", "random has no fields"),
    "style and a bound": ("evaluate kuhn.strategy --style --lower-bound 10", "give one of --lower-bound, --against"),
    "deals of actions": ("evaluate kuhn.strategy --on-deals 10", "trees of deals are for those that choose policies"),
    "no such action": ("evaluate kuhn.strategy --metric bett", "there is pass, bet, open, check, call, fold"),
    "no such decision": ("evaluate kuhn.strategy --metric 'bet, with A'", "'bet, with A' fits no decision"),
    "equilibria of three": ("equilibria kuhn --players 3", "has 3 players; equilibria can be mapped for two players"),
    "equilibria too far off": ("equilibria kuhn --within -1", "within must be at least 0"),
    "equilibria in a file": ("equilibria kuhn --out kuhn.strategy", "--out must name a folder"),
    "no deals": ("match kuhn random random --deals 0", "deals must be at least 2, got 0"),
    "no such infoset": ("show kuhn.strategy --at Z", "no infoset 'Z'"),
    "no such history": ("show kuhn.strategy --history K,Z", "no action 'Z' after K"),
    "history that ends": ("show kuhn.strategy --history K,Q,bet,pass", "the game is over"),
    "no such player": ("show kuhn.strategy --player 2", "--player must be 0 to 1 in kuhn, got 2"),
    "no such order": ("show kuhn.strategy --sort size", "'size'"),
    "negative limit": ("show kuhn.strategy --limit -1", "--limit must be at least 0"),
    "infoset of a game": ("show kuhn --at K", "kuhn is a game"),
    "tree of a strategy": ("show kuhn.strategy --tree", "ruse show kuhn --tree"),
    "field of a strategy": ("show kuhn.strategy --colour 2", "is not a game"),
    "no such seat": ("play kuhn --seat 2", "--seat must be 0 to 1 or random in kuhn, got '2'"),
    "no games": ("play kuhn --games 0", "--games must be at least 1, got 0"),
    "two opponents": ("play kuhn.strategy --against random", "is a strategy already"),
    "record in no folder": ("play kuhn --record nowhere/a.jsonl", "--record must name a file"),
    "coach of a bot": ("play cheat --against naive --coach", "naive plays by no strategy"),
    "no record": ("replay missing.jsonl", "cannot read missing.jsonl"),
    "strategy as efg": ("export kuhn.strategy --format efg", "there is json and csv"),
    "game as csv": ("export kuhn --format csv", "there is efg"),
    "no time": ("bench --seconds 0", "--seconds must be above 0"),
}  # fmt: skip

UNCOMPILED = """
from typing import NamedTuple
import numpy as np
from ruse import OVER, compiled

@compiled("player", "num_actions", "chance", "apply", "infoset", "payoff")
class Odd(NamedTuple):
    players: int = 2
    def start(self): return np.zeros(1, np.int64)
    def player(self, s): return {"a": s}.nothing
    def num_actions(self, s): return 2
    def chance(self, s, a): return 0.0
    def apply(self, s, a): s[0] += 1
    def infoset(self, s): return 0
    def payoff(self, s, player): return 0.0
    def action_name(self, s, a): return str(a)
    def describe(self, s, viewer): return str(s)
"""


@pytest.fixture
def bad_files(solved: Ruse, tmp_path: Path) -> Ruse:
    from ruse import Kuhn, matching_pennies
    from ruse.interop import efg
    from ruse.store import tensors

    whole = (tmp_path / "kuhn.strategy").read_bytes()
    texts = {
        "syntax.py": "def (",
        "nogame.py": "x = 1",
        "uncompiled.py": UNCOMPILED,
        "bad.efg": 'EFG 2 R "x" { "a" } p',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    efg.save(matching_pennies(), tmp_path / "good.efg")
    (tmp_path / "binary.efg").write_bytes(b"\xff\xfe\x80")
    (tmp_path / "short.strategy").write_bytes(whole[:-20])
    (tmp_path / "foreign.strategy").write_text("a shopping list, longer than eight bytes")
    tensors.write(tmp_path / "other.strategy", {}, {"format": "pt"})
    Strategy.uniform(Kuhn(players=3)).save(tmp_path / "three.strategy")
    return solved


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_changes_nothing(bad_files: Ruse, tmp_path: Path, case: str) -> None:
    line, told = BAD[case]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    result = bad_files(*shlex.split(line))
    assert result.code == 2
    assert result.err.startswith("ruse: ")
    assert told in result.err
    assert result.err.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_unknown_run_among_others(ruse: Ruse) -> None:
    ruse("solve", "kuhn", "--iterations", "5")
    ruse("solve", "kuhn", "--iterations", "6")
    assert "no run in runs is called 'nonsense'" in ruse("resume", "nonsense").err
    assert "may mean 2 runs" in ruse("resume", "kuhn").err


def test_check_fails_with_code_two(ruse: Ruse, tmp_path: Path) -> None:
    assert ruse("check", "kuhn").code == 0
    (tmp_path / "odd.py").write_text(UNCOMPILED)
    result = ruse("check", "odd.py")
    assert result.code == 2
    assert "could not be compiled" in result.out
