"""Parts by name, which a person may type."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any


class Known(Mapping[str, Any]):
    """Parts, or where they are: "package.module:Class" is loaded when it is asked for.

    Parts may stand on the list, as a sampled walk stands on the table and that on solvers: they are added from above.
    """

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = dict(parts)

    def add(self, parts: Mapping[str, Any]) -> None:
        self.parts |= parts

    def __getitem__(self, name: str) -> Any:
        part = self.parts[name]
        if isinstance(part, str):
            module, _, attribute = part.partition(":")
            part = self.parts[name] = getattr(import_module(module), attribute)()
        return part

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)
