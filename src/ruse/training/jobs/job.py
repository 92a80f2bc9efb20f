"""What is asked of a training, as one value.

    job = Job(ruse.Leduc(), ruse.dcfr(), iterations=1_000)
    print(job)  # ruse solve leduc --iterations 1000
    for progress in Training(job): ...

A run's `run.toml` keeps it (see kept.py); options.py of the command line is made from its schema (see schema.py).
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from ruse.catalog.given import GameLike, SolverLike, as_game
from ruse.catalog.names import preset, spec_of
from ruse.catalog.names import view as view_of
from ruse.errors import RuseError
from ruse.horizon.horizon import why_not_cut
from ruse.protocol.game import Game, declared
from ruse.protocol.values.fields import nested, split_fields, unnested
from ruse.protocol.view import Full, View
from ruse.solve.solver.fits import Setup, must_fit
from ruse.solve.solver.prefer import preferring
from ruse.solve.solver.presets import Solver, dcfr, text_of
from ruse.solve.solver.traits import HORIZON, engine_kind, start_traits
from ruse.solve.solver.walks import WALKS, unpruned
from ruse.training.jobs.schema import OPTIONS, refuse_empty, typed_words
from ruse.training.jobs.usual import is_usual_view, limits, solver_options, to_be_said, usual, usual_walk
from ruse.training.jobs.values import in_kind, in_payoffs
from ruse.training.jobs.worded import PARTS, refuse_unknown, said, solver_parts
from ruse.training.terms.backends import CPU, backend_traits
from ruse.training.terms.stops import Stop, Until
from ruse.training.terms.teachers import Teachers
from ruse.words.amounts import bytes_of

if TYPE_CHECKING:
    from ruse.training.terms.starts import Start
    from ruse.tree.sequence_form import SequenceForm


class JobFields(TypedDict, total=False):
    """What may be said of a job besides its game and its solver; the same fields, for functions that take them."""

    view: View | str | None
    seed: int
    iterations: int | None
    target: float | str | None
    seconds: float | None
    until: Until | None
    start: "Start | None"
    against: Teachers | str | Sequence[str] | None
    threads: int | None
    shared: bool
    memory: int | str | None
    merging: bool
    debug_keys: bool
    on: str
    rule: str | None
    horizon: str | None
    walk: str | None  # these three are parts of the solver, where that is given by its name
    prune: str | None
    prefer: str | Sequence[str] | None


class Job(NamedTuple):
    """A training as it is asked for. It computes nothing, and refuses nothing before somebody trains it."""

    game: Game
    solver: Solver = dcfr()
    view: View | None = None  # what agents remember; None: all that they see
    seed: int = 0
    iterations: int | None = None  # it stops after so many,
    target: float | None = None  # at this exploitability; in a spot it may be a text, "0.1%" of the pot,
    seconds: float | None = None  # after so many of solving,
    until: Until | None = None  # or by a rule: whichever comes first
    start: "Start | None" = None  # what it starts from; None: from nothing
    against: Teachers | None = None  # bots that have the other seat in a share of the games
    threads: int | None = None  # sampled walks run in chunks on so many; the result is the same for any number
    shared: bool = False  # they share one table: faster, but no two runs are the same
    memory: int | None = None  # bytes that it may take
    merging: bool = True  # infosets that are alike are one
    debug_keys: bool = False  # looks for infosets that share a key, which takes as much time again
    on: str = CPU  # where iterations run: a name in `BACKENDS`, with fields or an address behind it if it has any
    rule: str | None = None  # the text that names the solver, if it is not a preset with its usual numbers
    horizon: str | None = None  # how far it is solved, as "card:ways=4"; None: to the end

    # ---- what a person types -----------------------------------------------------------------------------------------

    @classmethod
    def typed(cls, game: Game, typed: Mapping[str, Any]) -> "Job":
        """The job that a person asks for by options of the schema; those that are left out are as usual."""
        return cls._typed(game, typed).worded

    @classmethod
    def _typed(cls, game: Game, typed: Mapping[str, Any]) -> "Job":
        """The same with the view in words: its tables may have to be built, which takes minutes."""
        said = {option.name: option.default for option in OPTIONS} | dict(typed)
        refuse_empty(said)
        options = solver_options(game, said)
        rule = str(options["rule"])
        fields = ["alternating=false"] if said["simultaneous"] else []
        fields += [f"{name}={nested(text)}" for name in ("walk", "prune") if (text := options[name]) is not None]
        if fields:
            rule += f"{',' if ':' in rule else ':'}{','.join(fields)}"
        solver = preset(rule)._replace(prefer=preferring(said["prefer"]))
        stops = limits(game, said, samples=solver.samples)
        return cls(
            game, solver, view=said["view"] or usual(game, "view"), seed=said["seed"],
            **stops | {"target": in_payoffs(stops["target"], game)},
            against=_teachers(said["against"], said["share"]), threads=said["threads"], shared=said["shared"],
            memory=None if said["memory"] is None else bytes_of(said["memory"]), merging=not said["no_merge"],
            debug_keys=said["debug_keys"], on=said["on"], rule=rule, horizon=said["horizon"],
        )  # fmt: skip

    @classmethod
    def of(cls, game: GameLike, solver: SolverLike | None, asked: Mapping[str, Any]) -> "Job":
        """The job of a game and a solver, in words or not. Without a solver it is the one that is usual for the game;
        walk, prune and prefer are parts of one that has a name.
        """
        refuse_unknown(asked, JobFields.__annotations__)
        made, rest = as_game(game), {name: value for name, value in asked.items() if name not in PARTS}
        parts = solver_parts(solver, asked)
        if parts or (solver is None and declared(made, "usual")):
            prefer = parts.get("prefer")
            parts["prefer"] = [prefer] if isinstance(prefer, str) else prefer
            typed = cls._typed(made, parts | {"rule": solver, "seed": 0})
            solver, rest = typed.solver, {"rule": typed.rule, "view": typed.view} | rest
        return cls(made, dcfr() if solver is None else solver, **rest).worded  # type: ignore[arg-type]

    @property
    def worded(self) -> "Job":
        """The same with things where words were given. Views may build tables, so that is done for no misfits."""
        if not isinstance(self.view, str) or self.view == "full":
            return Job(**said(self._asdict()))
        viewless = Job(**said(self._asdict() | {"view": None}))
        viewless._in_kind.refuse_unfit()
        return viewless._replace(view=view_of(self.view, viewless.game))

    @property
    def _in_kind(self) -> "Job":
        """The same with plain numbers; raises if a value is not of its kind."""
        return Job(**in_kind(self._asdict() | {"target": in_payoffs(self.target, self.game)}))

    @property
    def asked(self) -> dict[str, Any]:
        """The options that ask for it, as far as they can; see `unsaid`."""
        name, _, text = (self.rule_text or "").partition(":")
        said: dict[str, Any] = {}
        rest = []  # what stays in the rule
        for part in split_fields(text):
            field, _, value = part.partition("=")
            if field in ("walk", "prune"):  # options of their own
                said[field] = unnested(value)
            elif part in ("alternating=false", "alternating=0"):
                said["simultaneous"] = True
            else:
                rest.append(part)
        said["rule"] = f"{name}:{','.join(rest)}" if rest else name or None
        if said["rule"] and usual_walk(self.game, said["rule"]) is not None:  # else it is that of the rule itself
            said["walk"] = WALKS.text_of(unpruned(self.solver.walk)[0])
        said |= to_be_said(self.game, said)
        prefer, bots = preferring(self.solver.prefer), self.against and self.against.names
        view = self.view or Full()
        said |= {
            "prefer": None if prefer is None or prefer.form is not None else prefer.texts,
            "view": None if is_usual_view(self.game, view) else "full" if isinstance(view, Full) else repr(view),
            "against": bots, "share": list(self.against.shares) if self.against and bots else None,
            "memory": None if self.memory is None else str(self.memory), "no_merge": not self.merging,
        }  # fmt: skip
        if said["share"] == [1.0]:
            said["share"] = None
        return {o.name: said.get(o.name, getattr(self, o.name, o.default)) for o in OPTIONS}

    @property
    def unsaid(self) -> dict[str, Any]:
        """What no option can ask for: a game, a solver or a bot that has no name, and what only Python can say."""
        nameless = {
            "game": self.game if spec_of(self.game) is None else None,
            "solver": self.solver if self.rule_text is None else None,
            "against": self.against if self.against is not None and self.against.names is None else None,
        }
        return {k: v for k, v in (nameless | {"until": self.until, "start": self.start}).items() if v is not None}

    def __str__(self) -> str:
        """What a person would type; behind a # what nobody can."""
        job = self.worded
        words = ["ruse", "solve", spec_of(job.game) or type(job.game).__name__, *typed_words(job.asked)]
        unsaid = ", ".join(f"{name}={value!r}" for name, value in job.unsaid.items())
        return shlex.join(words) + (f"  # {unsaid}" if unsaid else "")

    # ---- what follows from it ----------------------------------------------------------------------------------------

    @property
    def rule_text(self) -> str | None:
        """The text that names the solver; None if none does."""
        prefer = preferring(self.solver.prefer)
        if prefer is not None and prefer.form is not None:  # no text names a form
            return None
        return self.rule or text_of(self.solver)

    @property
    def planned(self) -> int | None:
        """After how many iterations to stop in any case: what was asked, or what the rule says."""
        return self.until.iterations if self.iterations is None and self.until is not None else self.iterations

    @property
    def limits(self) -> Stop:
        """When to stop."""
        return Stop(self.planned, self.target, self.seconds, self.until)

    @property
    def engine(self) -> str:
        """The kind of engine that it needs."""
        if self.horizon is not None:
            return HORIZON
        return engine_kind(self.solver, self.game)

    def refuse_unfit(self, form: "SequenceForm | None" = None) -> None:
        """Raise if what it asks for does not go together; more is known once the game is expanded to a form."""
        must_fit(Setup(
            self.solver, game=self.game, view=self.view, form=form, start=start_traits(self.start),
            against=self.against, threads=self.threads, shared=self.shared, debug_keys=self.debug_keys,
            backend=backend_traits(self.on, self.solver), horizon=self.horizon,
            uncut="" if self.horizon is None else why_not_cut(self.game),
        ))  # fmt: skip

    def checked(self) -> "Job":
        """The same with plain numbers; raises if a value is not of its kind, or if it does not say when to stop."""
        job = self.worded._in_kind
        refuse_other_rule(job.rule, job.solver)
        iterations = job.planned
        if job.limits == (None,) * 4:
            raise RuseError("say when to stop: give iterations, a target exploitability or seconds")
        in_kind({"iterations": iterations})  # those of a rule, too
        must_fit(Setup(job.solver, limits=job.limits), "limits")
        return job


def refuse_other_rule(rule: str | None, solver: Solver) -> None:
    """Raise unless a text names the solver that it is kept for: a file would be gone on with by another one."""
    if rule is not None and repr(preset(rule)._replace(prefer=None)) != repr(solver._replace(prefer=None)):
        named = text_of(solver) or repr(solver)
        raise RuseError(
            f"rule is the text that names the solver, which is {named}, not {rule}; give {rule!r} as solver"
        )


def _teachers(bots: list[str] | None, shares: list[float] | None) -> Teachers | None:
    """The bots to train against."""
    must_fit(Setup(shares=shares, against=bots or None), "teachers")
    if not bots:
        return None
    return Teachers.of(*bots, share=1.0 if not shares else shares[0] if len(shares) == 1 else shares)
