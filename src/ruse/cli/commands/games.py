"""`ruse games`: what can be solved."""

import inspect
from importlib import import_module
from typing import Any

from ruse.catalog.names import GAMES
from ruse.cli.terminal.options import AsJson
from ruse.cli.terminal.output import print_json


def games(*, as_json: AsJson = False) -> None:
    """List the games with their fields and defaults.

    Example: ruse games
    """
    listed = [about(name) for name in GAMES]
    if as_json:
        print_json(listed)
        return
    for game in listed:
        fields = (f"{field}={default}" for field, default in game["fields"].items())
        print(" ".join([game["name"], *fields]))
        print(f"    {game['description']}")
    print()
    print("Change a field with --field value or name:field=value. Games of your own are .py files;")
    print(".efg files and openspiel:NAME are games too.")


def about(name: str) -> dict[str, Any]:
    """A game's name, fields and first sentence."""
    module, attribute = GAMES[name]
    home = import_module(module)
    maker = getattr(home, attribute)
    # Where one module makes several games, each has its own words.
    words = (maker if inspect.isfunction(maker) else home).__doc__ or ""
    fields = {field.name: field.default for field in inspect.signature(maker).parameters.values()}
    return {"name": name, "description": words.strip().splitlines()[0], "fields": fields}
