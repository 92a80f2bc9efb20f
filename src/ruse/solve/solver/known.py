"""Parts by name, which a person may type."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from ruse.errors import RuseError
from ruse.protocol.values.fields import number_text, numbers_in, parse_fields, unnested, with_numbers


class Known(Mapping[str, Any]):
    """Parts, or where they are: "package.module:Class" is loaded when it is asked for.

    Parts may stand on the list, as a sampled walk stands on the table and that on solvers: they are added from above.
    """

    def __init__(self, kind: str, parts: Mapping[str, Any]) -> None:
        self.kind, self.parts = kind, dict(parts)

    def add(self, parts: Mapping[str, Any]) -> None:
        self.parts |= parts

    def __getitem__(self, name: str) -> Any:
        part = self.parts[name]
        if isinstance(part, str):
            module, _, attribute = part.partition(":")
            part = self.parts[name] = getattr(import_module(module), attribute)()
        return part

    def made(self, text: str) -> Any:
        """The part that a text names, with numbers of its own if it gives any: "probing:epsilon=0.3"."""
        name, _, fields = unnested(text).partition(":")
        name = name.strip().replace("-", "_")
        if name not in self:
            raise RuseError(f"unknown {self.kind} {name!r}; there are {', '.join(self)}")
        part = self[name]
        known = numbers_in(part)
        asked = parse_fields(fields, example=f"{name}:{next(iter(known), 'name')}=0.5")
        for field in asked:
            if field not in known:
                raise RuseError(f"the {self.kind} {name} has no number {field!r}; it has {', '.join(known) or 'none'}")
        return with_numbers(part, f"the {self.kind} {name}", asked) if asked else part

    def text_of(self, part: Any) -> str | None:
        """The text that names a part; None if none does."""
        for name in self:
            usual, numbers = self[name], numbers_in(part)
            if type(part) is not type(usual) or numbers.keys() != numbers_in(usual).keys():
                continue
            asked = {field: value for field, value in numbers.items() if value != numbers_in(usual)[field]}
            if repr(with_numbers(usual, name, asked)) == repr(part):
                fields = ",".join(f"{field}={number_text(value)}" for field, value in asked.items())
                return f"{name}:{fields}" if fields else name
        return None

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)
