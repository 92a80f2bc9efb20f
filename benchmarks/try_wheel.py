"""Build the wheel, and try it in fresh environments.

Every Python from 3.11 on that uv finds, with the newest dependencies; and the oldest Python with the oldest ones that
pyproject.toml allows.

    make wheel
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
UV = [sys.executable, "-m", "uv"]
VERSIONS = ("3.11", "3.12", "3.13")
EXTRAS = ("exact", "plot")
# What a person does first; pictures and linear programs are extras.
TRIAL = """
import ruse
run = ruse.train("kuhn", "dcfr", iterations=1_000)
assert run.exploitability < 1e-3, run
assert abs(ruse.find_equilibrium("kuhn").value + 1 / 18) < 1e-9
assert ruse.match("kuhn", [run, "random"], deals=1_000).mean[0] > 0
run.plot().save("curve.png")
run.strategy.save("kuhn.strategy")
assert ruse.Strategy.load("kuhn.strategy")["K, pass bet"]["bet"] > 0.99
import sys, numpy, numba
print("ok: Python", sys.version.split()[0], "numpy", numpy.__version__, "numba", numba.__version__)
"""


def built(folder: Path) -> Path:
    """The wheel, built anew."""
    subprocess.run([*UV, "build", "--quiet", "--wheel", "--out-dir", str(folder), str(ROOT)], check=True)
    return next(folder.glob("ruse-*.whl"))


def found(version: str) -> str | None:
    """A Python of this version on this machine: one that uv finds, or one of pyenv's; nothing is downloaded."""
    asked = [*UV, "python", "find", "--no-python-downloads", version]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    return done.stdout.strip() or (str(kept[-1]) if kept else None)


def asked_for() -> list[str]:
    """What the wheel needs, as pyproject.toml says it: to uv only what is named on the line is direct."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = (project["optional-dependencies"][name] for name in EXTRAS)
    return [*project["dependencies"], *(text for texts in extras for text in texts)]


def tried(wheel: Path, python: str, resolution: str, folder: Path) -> bool:
    """Whether the wheel can be installed and used in an environment of its own."""
    place = folder / f"{Path(python).parent.parent.name}-{resolution}"
    subprocess.run([*UV, "venv", "--quiet", "--python", python, str(place)], check=True)
    own = next(path for path in (place / "bin" / "python", place / "Scripts" / "python.exe") if path.exists())
    install = [*UV, "pip", "install", "--quiet", "--python", str(own), "--resolution", resolution]
    wanted = [f"{wheel}[{','.join(EXTRAS)}]", *(asked_for() if resolution == "lowest-direct" else [])]
    for words in ([*install, *wanted], [str(own), "-c", TRIAL], [str(own), "-m", "ruse", "--version"]):
        if subprocess.run(words, cwd=folder, check=False).returncode != 0:
            print(f"FAILED: {python}, {resolution}: {' '.join(words[:4])}")
            return False
    return True


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = built(folder)
        print(wheel.name, f"{wheel.stat().st_size / 1e6:.1f} MB")
        pythons = {version: found(version) for version in VERSIONS}
        for version in (v for v, python in pythons.items() if python is None):
            print(f"Python {version} is not here, so it was not tried")
        here = [python for python in pythons.values() if python]
        results = [tried(wheel, python, "highest", folder) for python in here]
        results += [tried(wheel, here[0], "lowest-direct", folder)] if here else []
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
