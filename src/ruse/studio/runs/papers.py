"""The area Papers: what the papers say, what we find, with verdicts and pictures; and any part of it run again."""

from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Depends
from fastapi import Path as InPath
from fastapi.responses import FileResponse
from pydantic import BaseModel

from ruse.errors import RuseError
from ruse.papers.evidence import Evidence, Kind
from ruse.papers.known import PAPERS
from ruse.papers.page import COUNT, ROWS, Book, parts_in, rows_in
from ruse.studio.answers import Clash, Missing
from ruse.studio.runs.launching import Launched, Launcher
from ruse.studio.runs.runs import Begun
from ruse.studio.state import Studio, studio_of

router = APIRouter(prefix="/api/papers", tags=["papers"])

Here = Annotated[Studio, Depends(studio_of)]
Number = Annotated[str, InPath(max_length=8)]


class VerdictCount(BaseModel):
    """How many claims of a paper came out how."""

    verdict: str
    count: int


class PaperRow(BaseModel):
    """A paper in the list."""

    number: str
    title: str
    claims: list[VerdictCount]
    checks: list[VerdictCount]


class EvidenceRow(BaseModel):
    """A claim of the paper, a check of ours, or what we add: theirs beside ours."""

    kind: str
    name: str
    theirs: str
    ours: str
    verdict: str
    margin: str
    part: str | None  # the experiment that it comes from
    again: str | None  # what came out when it was run again here,
    again_verdict: str | None


class PaperPart(BaseModel):
    """An experiment, and whether it is being run again."""

    name: str
    rows: int
    state: Literal["idle", "running", "done", "failed"]
    told: list[str]


class PaperPage(BaseModel):
    """A paper with its page, its rows and its pictures."""

    paper: PaperRow
    page: str  # Markdown, without the tables that the rows are
    rows: list[EvidenceRow]
    parts: list[PaperPart]
    figures: list[str]


class RunAgain(BaseModel):
    """An experiment to run again; quick: fewer games and seeds, smaller games."""

    part: str
    quick: bool = True


def documents() -> Path | None:
    """The folder of the papers' pages, where there is one: an installed package has no documents beside it."""
    folder = Path(__file__).parents[4] / "docs" / "papers"
    return folder if folder.is_dir() else None


def figures_of(number: str) -> Path:
    return (documents() or Path()) / f"figures-{number}"


def known(number: str) -> str:
    if number not in PAPERS:
        raise Missing(f"there is no paper {number!r}; there are {', '.join(PAPERS)}")
    return number


def rows_of(number: str) -> tuple[list[Evidence], list[str | None]]:
    """The rows of the page, each with its part, as far as the file tells."""
    path = figures_of(number) / "rows.json"
    if not path.is_file():
        return [], []
    rows, parts = rows_in(path), parts_in(path)
    return rows, list(parts) if parts else [None] * len(rows)


def counts(rows: list[Evidence], kind: Kind) -> list[VerdictCount]:
    found: dict[str, int] = {}
    for row in rows:
        if row.kind is kind:
            found[str(row.verdict)] = found.get(str(row.verdict), 0) + 1
    return [VerdictCount(verdict=verdict, count=count) for verdict, count in found.items()]


def in_list(number: str) -> PaperRow:
    rows, _ = rows_of(number)
    return PaperRow(
        number=number, title=PAPERS[number].title, claims=counts(rows, Kind.CLAIM), checks=counts(rows, Kind.CHECK)
    )


class Laboratory:
    """Experiments that are run again: under the folder of runs, so that nothing of the pages is touched."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.started: dict[tuple[str, str], Launched] = {}

    def folder(self, number: str) -> Path:
        return self.studio.runs / ".papers" / number

    def book(self, number: str, *, quick: bool) -> Book:
        return Book(self.folder(number), number, seed=0, quick=quick)

    def again(self, number: str, part: str) -> dict[str, Evidence]:
        """What came out here, by the names of the rows."""
        for quick in (True, False):
            if found := self.book(number, quick=quick).read(part):
                return {row.name: row for row in found}
        return {}

    def state(self, number: str, part: str) -> PaperPart:
        one, rows = self.started.get((number, part)), self.again(number, part)
        if one is not None and one.code is None:
            return PaperPart(name=part, rows=len(rows), state="running", told=one.told())
        if one is not None and one.code not in (0, 1):  # 1: a check is broken, which the rows tell
            return PaperPart(name=part, rows=len(rows), state="failed", told=one.told())
        return PaperPart(name=part, rows=len(rows), state="done" if rows else "idle", told=[])

    def run(self, number: str, part: str, *, quick: bool) -> Launched:
        if self.state(number, part).state == "running":
            raise Clash(f"{part!r} is being run already")
        words = [
            "reproduce",
            number,
            "--only",
            part,
            "--out",
            str(self.folder(number)),
            *(["--quick"] if quick else []),
        ]
        made = self.started[number, part] = self.studio.of(Launcher).start(words)
        return made


def parts_of(number: str) -> list[str]:
    """The names of a paper's experiments."""
    return list(import_module(PAPERS[number].module).PARTS)


@router.get("")
def all_papers() -> list[PaperRow]:
    """The papers, and how many of their claims came out how."""
    return [in_list(number) for number in PAPERS]


@router.get("/{number}")
def one_paper(studio: Here, number: Number) -> PaperPage:
    """A paper: its page, theirs beside ours, and what came out when a part was run again here."""
    lab, (rows, parts) = studio.of(Laboratory), rows_of(known(number))
    names = parts_of(number)
    again = {part: lab.again(number, part) for part in names}
    shown = [
        shown_row(row, part, again.get(part or "", {}).get(row.name)) for row, part in zip(rows, parts, strict=True)
    ]
    seen = {row.name for row in rows}  # a quick run names smaller numbers, so its rows may be others
    shown += [
        shown_row(row._replace(ours="", verdict=row.verdict), part, row)
        for part, found in again.items() for name, row in found.items() if name not in seen
    ]  # fmt: skip
    page = (documents() or Path()) / f"{PAPERS[number].page}.md"
    figures = sorted(path.name for path in figures_of(number).glob("*.png"))
    return PaperPage(
        paper=in_list(number), page=prose(page.read_text(encoding="utf-8")) if page.is_file() else "", rows=shown,
        parts=[lab.state(number, part) for part in names], figures=figures,
    )  # fmt: skip


def shown_row(row: Evidence, part: str | None, again: Evidence | None) -> EvidenceRow:
    return EvidenceRow(
        kind=str(row.kind), name=row.name, theirs=row.theirs, ours=row.ours, verdict=str(row.verdict),
        margin=row.margin, part=part, again=again.ours if again else None,
        again_verdict=str(again.verdict) if again else None,
    )  # fmt: skip


def prose(page: str) -> str:
    """A page without its tables of rows and its count, which are shown by themselves."""
    for begin, end in (COUNT, ROWS):
        head, found, rest = page.partition(begin)
        page = head + rest.partition(end)[2] if found else page
    return page


@router.get("/{number}/figures/{name}", response_class=FileResponse)
def a_figure(number: Number, name: Annotated[str, InPath(max_length=100)]) -> FileResponse:
    """A picture of a paper's page."""
    found = {path.name: path for path in figures_of(known(number)).glob("*.png")}
    if name not in found:
        raise Missing(f"paper {number} has no picture {name!r}")
    return FileResponse(found[name], media_type="image/png")


@router.post("/{number}/run")
def run_again(studio: Here, number: Number, asked: RunAgain) -> Begun:
    """Run an experiment again, in a process of its own. What comes out stands beside what the page says."""
    if asked.part not in (there := parts_of(known(number))):
        raise RuseError(f"unknown part {asked.part!r}; there are {', '.join(there)}")
    started = studio.of(Laboratory).run(number, asked.part, quick=asked.quick)
    return Begun(id=started.id, command=started.command)
