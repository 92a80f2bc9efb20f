"""Names that are imported when they are first used, so that `import ruse` waits for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

TYPE_CHECKING = False  # what type checkers take for true; to import `typing` takes longer than all of this
if TYPE_CHECKING:
    from typing import Any


def lazily(
    package: str, homes: Mapping[str, Iterable[str]], modules: Iterable[str] = (), listed: Iterable[str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__getattr__` and `__dir__`. `homes` says of each module which names it has, some as "this as that".

    `modules` of the package are names themselves. `listed` are those that `dir` tells; by default all.
    """
    found: dict[str, tuple[str, str | None]] = {name: (f"{package}.{name}", None) for name in modules}
    for module, names in homes.items():
        for text in names:
            attribute, _, name = text.partition(" as ")
            found[name or attribute] = (module, attribute)

    def get(name: str) -> Any:
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = found[name]
        home = import_module(module)
        value = home if attribute is None else getattr(home, attribute)
        vars(import_module(package))[name] = value
        return value

    return get, lambda: sorted(found if listed is None else listed)
