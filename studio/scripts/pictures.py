"""Take the three pictures that the README begins with: `python studio/scripts/pictures.py RUNS`.

RUNS is a folder with a run of Leduc and one of Cheat, as `make demo` leaves it, and of a spot of Hold'em if there is
one. Chromium looks at a studio that is served for it; the pictures go to docs/images/.
"""

import random
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from ruse.store.runs import list_runs
from ruse.studio.app import create_app
from ruse.studio.serve import listening_socket, server_of
from ruse.studio.state import StudioSettings

OUT = Path(__file__).parents[2] / "docs" / "images"
SIZE = {"width": 1280, "height": 800}


def play(page: Any, address: str, run: str) -> None:
    """Some moves into a game of Cheat against what was trained."""
    page.goto(f"{address}#/play")
    asked = {"game": "cheat:half", "against": ["heuristic"], "seat": 0, "seed": 5}
    table = page.request.post(f"{address}api/tables", data=asked).json()
    draw = random.Random(1)
    for _ in range(4):
        act = {"action": draw.choice(table["scene"]["actions"]), "seen": table["seen"]}
        table = page.request.post(f"{address}api/tables/{table['id']}/act", data=act).json()
    page.goto(f"{address}#/play/{table['id']}")
    page.locator("main h1").first.wait_for()
    page.wait_for_timeout(1500)


def main() -> None:
    """One window, three places."""
    runs = Path(sys.argv[1]).absolute()
    names = {run.game: run.path.name for run in list_runs(runs)}
    leduc = [run.path.name for run in list_runs(runs) if run.game == "leduc"][::-1]
    bound = listening_socket("127.0.0.1", 0, 0)
    server = server_of(create_app(StudioSettings(runs=runs)))
    threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    address = f"http://127.0.0.1:{bound.getsockname()[1]}/"
    OUT.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page.set_default_timeout(90_000)
        play(page, address, names["cheat"])
        page.screenshot(path=str(OUT / "studio-play.png"))
        page.goto(f"{address}#/runs/{'/'.join(leduc)}")
        page.locator(".u-legend").wait_for()
        page.wait_for_timeout(2500)
        page.screenshot(path=str(OUT / "studio-runs.png"))
        page.goto(f"{address}#/explore/{names.get('holdem', leduc[0])}")
        page.get_by_role("heading", name="What here?").wait_for()
        page.wait_for_timeout(1500)
        page.screenshot(path=str(OUT / "studio-explorer.png"))
        browser.close()
    server.should_exit = True


if __name__ == "__main__":
    main()
