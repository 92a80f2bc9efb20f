"""`ruse games`: what can be solved."""

from ruse.catalog.names import GAMES, about
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
