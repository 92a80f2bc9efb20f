"""The application: `create_app(StudioSettings(...))` puts the areas together, behind what keeps others out."""

import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from ruse.errors import RuseError
from ruse.play.bots.discretion import BotFault
from ruse.studio import feed
from ruse.studio.answers import REFUSALS, said_on_a_page, status_of
from ruse.studio.look import arena, explorer, squares, styles
from ruse.studio.play import records, tables
from ruse.studio.runs import forms, papers, runs
from ruse.studio.runs.shelf import Shelf
from ruse.studio.safety import Safety
from ruse.studio.state import Studio, StudioSettings
from ruse.words.printable import one_line
from ruse.words.versions import version_of

log = logging.getLogger(__name__)

ROUTERS = (
    feed.router,
    runs.router,
    forms.router,
    papers.router,
    tables.router,
    records.router,
    explorer.router,
    squares.router,
    styles.router,
    arena.router,
)


class About(BaseModel):
    """What the page is told first."""

    version: str
    runs: str  # the folder


def create_app(settings: StudioSettings = StudioSettings()) -> FastAPI:  # noqa: B008 (a value that nobody can change)
    """A studio. `app.state.studio` is what it holds."""
    studio = Studio(settings)
    studio.of(Shelf)  # which the feed tells of
    studio.of(arena.Arena)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        studio.close()

    app = FastAPI(
        title="ruse studio",
        description="Train, look, play and replay: what the page of `ruse studio` asks, and any other program may.",
        version=version_of("ruse"),
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        responses=REFUSALS,
    )
    app.state.studio = studio
    app.add_middleware(Safety, settings=settings)

    @app.get("/api/about", tags=["studio"])
    def about() -> About:
        """Which studio this is."""
        return About(version=version_of("ruse"), runs=str(settings.runs))

    for router in ROUTERS:
        app.include_router(router)
    answer_troubles(app)
    serve_page(app, settings)
    return app


def answer_troubles(app: FastAPI) -> None:
    """Whatever goes wrong is one sentence, as `{"error": ...}`."""

    @app.exception_handler(RuseError)
    async def refused(request: Request, error: RuseError) -> JSONResponse:
        if isinstance(error, BotFault):  # who sits opposite hears no more than that
            log.warning("%s: %s", error.in_public, one_line(str(error)))
        return JSONResponse({"error": said_on_a_page(error)}, status_code=status_of(error))

    @app.exception_handler(RequestValidationError)
    async def misformed(request: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"error": sentence_of(error.errors())}, status_code=422)

    @app.exception_handler(HTTPException)
    async def unanswered(request: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": str(error.detail)}, status_code=error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> JSONResponse:
        from ruse.compile.files.mistakes import is_compilers, raised, reason

        if is_compilers(error):
            return JSONResponse({"error": f"the game's rules could not be compiled: {reason(error)}"}, status_code=400)
        if (found := raised(error)) is not None:
            return JSONResponse({"error": f"{found}; `ruse check` tells whether more is wrong"}, status_code=400)
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return JSONResponse({"error": "this went wrong in the studio itself; its log tells more"}, status_code=500)


def sentence_of(errors: Any) -> str:
    """The first thing that is wrong with the form of a request."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    return f"{place or 'the request'}: {first['msg']}{more}"


def serve_page(app: FastAPI, settings: StudioSettings) -> None:
    """The page at `/`, and what it is made of."""
    page = settings.static / "index.html"

    @app.get("/", include_in_schema=False)
    def index() -> FileResponse:
        if not page.is_file():
            raise HTTPException(404, f"the page is not built: there is no {page}; `make studio` builds it")
        return FileResponse(page, headers={"cache-control": "no-cache"})

    if settings.static.is_dir():
        app.mount("/", StaticFiles(directory=settings.static), name="static")
