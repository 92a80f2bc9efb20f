"""A studio for tests: asked in this process (`client`), or served, and looked at by a browser (`page`)."""

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ruse.studio.app import create_app
from ruse.studio.serve import listening_socket, server_of
from ruse.studio.state import STATIC, StudioSettings

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--font-render-hinting=none",
]  # fmt: skip
SHOTS = os.environ.get("RUSE_SHOTS")  # where screenshots go, for people to look at
NARROW = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 860}


def settings_in(folder: Path, **other: Any) -> StudioSettings:
    """Settings for a studio on a folder; nobody has to wait because many tests come from one machine."""
    static = Path(os.environ.get("RUSE_STUDIO_STATIC", STATIC))
    return StudioSettings(**{"runs": folder / "runs", "static": static, "burst": 100_000, "rate": 10_000.0} | other)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Asks a studio of its own, with an empty folder of runs at `tmp_path / "runs"`."""
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as made:
        yield made


class Served:
    """A studio that is being served: its address, its settings, and `studio`, what it holds."""

    def __init__(self, settings: StudioSettings) -> None:
        self.socket = listening_socket("127.0.0.1", 0, 0)
        self.settings = settings._replace(port=self.socket.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.settings.port}/"
        self.app = create_app(self.settings)
        self.studio = self.app.state.studio
        self.server = server_of(self.app)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)

    def start(self) -> None:
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(10)
        self.socket.close()


@contextlib.contextmanager
def serving(settings: StudioSettings) -> Iterator[Served]:
    served = Served(settings)
    served.start()
    try:
        yield served
    finally:
        served.stop()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A studio that is served to the tests of one file, on an empty folder of runs."""
    with serving(settings_in(tmp_path_factory.mktemp("studio"))) as made:
        yield made


# ---- a browser -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium; `make` installs it where it is missing."""
    sync_api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here; `make chromium` installs it")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any, served: Served) -> Iterator[Callable[..., Any]]:
    """Opens the studio at a place, in a theme and a size: as `opened("#/runs", theme="dark", size=NARROW)`.

    What the console complains of fails the test at its end, as does a script that fails.
    """
    contexts, complaints = [], []

    def open_page(place: str = "", *, theme: str = "light", size: dict[str, int] = WIDE, still: bool = True) -> Any:
        context = browser.new_context(
            viewport=size, color_scheme=theme, reduced_motion="reduce" if still else "no-preference"
        )  # fmt: skip
        context.set_default_timeout(180_000)  # however slow the machine is
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(served.address + place)
        return page

    open_page.complaints = complaints  # type: ignore[attr-defined] (a test that provokes some clears them)
    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def page(opened: Callable[..., Any]) -> Any:
    """The studio's page, just opened."""
    return opened()


@pytest.fixture
def shoot() -> Callable[[Any, str], None]:
    """Take a picture of a page, if RUSE_SHOTS says where to."""

    def take(page: Any, name: str, *, whole: bool = True) -> None:
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=whole)

    return take


@pytest.fixture
def accessible() -> Callable[[Any], None]:
    """Let axe look at a page as it is now; it may find nothing."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def look(page: Any) -> None:
        found = axe.run(page)
        faults = [
            f"{fault['id']} ({fault['help']}): {[node['target'] for node in fault['nodes']][:4]}"
            for fault in found.response["violations"]
        ]
        assert not faults, "\n".join(faults)

    return look
