"""`ruse studio`: the page in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from ruse.cli.terminal.options import RUNS, Runs, whole
from ruse.errors import RuseError


def studio(
    *,
    port: Annotated[
        int | None, typer.Option(parser=whole, metavar="N", help="The port; else one that is free.")
    ] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Others than this machine need a token.")] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open nothing.")] = False,
    runs: Runs = RUNS,
) -> None:
    """Train, look, play and replay in the browser. Ctrl-C ends the server; runs go on.

    Example: ruse studio --port 8765
    """
    try:
        from ruse.studio.serve import safe_for, serve
        from ruse.studio.state import StudioSettings
    except ImportError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("fastapi", "starlette", "pydantic", "uvicorn", "websockets", "anyio"):
            raise
        raise RuseError(f"the studio needs {missing}; install it with: pip install 'ruse[studio]'") from error

    settings = safe_for(host, StudioSettings(runs=Path(runs).absolute()))
    serve(settings, port=port, open_browser=not no_browser, tell=told)


def told(address: str) -> None:
    print(f"the studio is at {address}\nCtrl-C ends it; what is being trained goes on", flush=True)
