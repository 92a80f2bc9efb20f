"""How the studio does: the first page, long curves, fifty people at once, and a server that is killed.

`python benchmarks/studio.py` prints the figures and writes docs/benchmarks/studio.md. It serves a studio on this
machine, looks at it with Chromium, and lets people play on loopback while a training runs; all loops are bounded.
"""

import argparse
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PEOPLE, MOVES, THINKING = 50, 20, (0.5, 1.5)  # each, and the seconds that a person thinks
POINTS = 100_000
FRAMES = 240
FIRST, SCRIPT, PACE, ANSWER = 1.0, 200_000, 60.0, 0.100  # seconds, bytes compressed, frames a second, seconds
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


class Figure(NamedTuple):
    """A line of the page."""

    what: str
    found: str
    asked: str
    is_met: bool


# ---- a server --------------------------------------------------------------------------------------------------------


class Server:
    """`ruse studio` as a process, as a person would have it."""

    def __init__(self, runs: Path) -> None:
        words = [sys.executable, "-m", "ruse", "studio", "--port", "0", "--no-browser", "--runs", str(runs)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]

    def ask(self, path: str, body: Any = None) -> Any:
        """One request; its answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or b"null")

    def end(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(30)


@contextmanager
def serving(runs: Path) -> Iterator[Server]:
    server = Server(runs)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()


# ---- the page --------------------------------------------------------------------------------------------------------


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def first_page(browser: Any, server: Server) -> list[Figure]:
    """From a new window to the heading of the first area, the server being warm; and what was loaded for it."""
    times, loaded = [], set()
    for _ in range(6):
        page = browser.new_page()
        page.on("response", lambda answer: loaded.add(answer.url.rpartition("/")[2]))
        began = time.perf_counter()
        page.goto(server.address)
        page.locator("main h1").first.wait_for()
        times.append(time.perf_counter() - began)
        page.close()
    static = ROOT / "src" / "ruse" / "studio" / "static"
    scripts = {path.name: len(gzip.compress(path.read_bytes())) for path in static.rglob("*.js")}
    now, every = sum(size for name, size in scripts.items() if name in loaded), sum(scripts.values())
    best = median(times[1:])
    return [
        Figure("first page from a warm server, median of 5", f"{best:.2f} s", f"under {FIRST:g} s", best < FIRST),
        Figure(
            "script, compressed", f"{now / 1000:.0f} KB for the first page, {every / 1000:.0f} KB in all areas",
            f"under {SCRIPT / 1000:.0f} KB", every < SCRIPT,
        ),
    ]  # fmt: skip


PANNING = """async frames => {
  const over = document.querySelector('.u-over');
  const box = over.getBoundingClientRect();
  const y = box.top + box.height / 2;
  const send = (kind, x) => over.dispatchEvent(new PointerEvent(kind, {
    bubbles: true, clientX: x, clientY: y, button: 0, pointerId: 1, isPrimary: true }));
  over.setPointerCapture = () => {};
  let x = box.left + box.width / 2, step = -6;
  send('pointerdown', x);
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let at = 0; at < frames; at++) {
    if (at % 60 === 59) step = -step;
    x += step;
    send('pointermove', x);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  send('pointerup', x);
  return times;
}"""


def long_curve(browser: Any, server: Server, runs: Path) -> Figure:
    """Panning a curve of 100,000 points, frame by frame as the browser counts them."""
    import ruse
    from ruse.training.jobs.job import Job
    from ruse.training.jobs.kept import keep

    directory = keep(runs, Job(ruse.Leduc(), iterations=POINTS))
    rows = (
        json.dumps({"iteration": k, "seconds": k / 1e4, "exploitability": (1 + random.random()) / k})
        for k in range(1, POINTS + 1)
    )
    directory.metrics_path.write_text("\n".join(rows) + "\n")
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    page.goto(f"{server.address}#/runs/{directory.name}")
    page.locator(".u-legend").wait_for()
    page.get_by_text("Linear", exact=True).click()
    page.wait_for_timeout(1500)
    for _ in range(2):
        page.get_by_role("button", name="Look closer").click()
    times = page.evaluate(PANNING, FRAMES)
    page.close()
    pace, late = 1000 / median(times), sum(t > 1.5 * 1000 / PACE for t in times) / len(times)
    found = f"{pace:.0f} frames a second in the median, {late:.0%} of frames late"
    return Figure(f"panning {POINTS:,} points", found, f"{PACE:g} frames a second", pace > 0.95 * PACE)


# ---- people ----------------------------------------------------------------------------------------------------------


def person(server: Server, game: str, seed: int, times: list[float], troubles: list[str]) -> None:
    """Plays so many moves at random, thinking in between, and notes how long each answer took."""
    draw = random.Random(seed)
    try:
        table = server.ask("api/tables", {"game": game, "against": ["random"], "seed": seed})
        for _ in range(MOVES):
            time.sleep(draw.uniform(*THINKING))
            if table["over"]:
                table = server.ask(f"api/tables/{table['id']}/next", {})
                continue
            action = draw.choice(table["scene"]["actions"])
            began = time.perf_counter()
            table = server.ask(f"api/tables/{table['id']}/act", {"action": action, "seen": table["seen"]})
            times.append(time.perf_counter() - began)
    except urllib.error.HTTPError as error:
        troubles.append(error.read().decode())
    except OSError as error:
        troubles.append(str(error))


def processor(pid: int) -> float:
    """Seconds of the processor that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def people(server: Server, game: str) -> Figure:
    """All of them at once, while a training has a core."""
    server.ask("api/tables", {"game": game, "against": ["random"], "seed": 0})  # warm
    server.ask("api/forms/start", {"game": "leduc", "options": {"seconds": 600}})
    while not (trained := server.ask("api/runs")["runs"]) or trained[0]["status"] != "running":
        time.sleep(0.2)
    times: list[float] = []
    troubles: list[str] = []
    every = [threading.Thread(target=person, args=(server, game, seed, times, troubles)) for seed in range(PEOPLE)]
    before = processor(server.process.pid)
    for one in every:
        one.start()
    for one in every:
        one.join()
    used = processor(server.process.pid) - before
    server.ask(f"api/runs/{trained[0]['name']}/stop", {})
    assert not troubles, troubles[0]
    slow = quantiles(times, n=20)[-1]
    found = (
        f"{1000 * slow:.0f} ms ({1000 * median(times):.0f} ms in the median; {len(times)} moves, "
        f"{1000 * used / len(times):.1f} ms of the processor for each)"
    )
    what = f"{PEOPLE} people at {game}, answer to a move, 95th percentile, a training beside"
    return Figure(what, found, f"under {1000 * ANSWER:.0f} ms", slow < ANSWER)


def killed(runs: Path) -> Figure:
    """A server is killed in the middle of a game; another one goes on with it."""
    server = Server(runs)
    table = server.ask("api/tables", {"game": "leduc", "against": ["random"], "seed": 7})
    while not table["over"]:
        asked = {"action": table["scene"]["actions"][-1], "seen": table["seen"]}
        table = server.ask(f"api/tables/{table['id']}/act", asked)
    finished = table["id"]
    table = server.ask(f"api/tables/{finished}/next", {})
    server.end(signal.SIGKILL)
    with serving(runs) as again:
        found = again.ask(f"api/tables/{finished}")
        is_same = (found["scene"], found["seen"], found["deal"]) == (table["scene"], table["seen"], table["deal"])
        kept = found["score"]["games"] == 1
    told = f"the finished game is {'kept' if kept else 'lost'}, the open one {'goes on' if is_same else 'is another'}"
    return Figure("a kill during play", told, "nothing finished is lost, the open ones go on", kept and is_same)


def written(figures: list[Figure]) -> str:
    """The page."""
    lines = [
        "# The studio", "", f"By `python benchmarks/studio.py`, on a machine with {os.cpu_count()} cores.", "",
        "| what | found | asked for | |", "|---|---|---|---|",
        *(f"| {f.what} | {f.found} | {f.asked} | {'met' if f.is_met else '**not met**'} |" for f in figures),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def main() -> None:
    """All figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="leduc", help="what people play")
    parser.add_argument("--no-write", action="store_true", help="leave the page as it is")
    asked = parser.parse_args()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder)
        with serving(runs) as server:
            with chromium() as browser:
                figures += first_page(browser, server)
                figures.append(long_curve(browser, server, runs))
            figures.append(people(server, asked.game))
        figures.append(killed(runs))
    for figure in figures:
        print(f"{figure.what}: {figure.found} (asked: {figure.asked}){'' if figure.is_met else '  NOT MET'}")
    if not asked.no_write:
        (ROOT / "docs" / "benchmarks" / "studio.md").write_text(written(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
