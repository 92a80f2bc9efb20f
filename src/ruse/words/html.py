"""Small tables of HTML, for notebooks."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

MOST = 40  # rows of a table that is shown without being asked for


def table_of(
    headers: Sequence[str], rows: Iterable[Sequence[Any]], *, caption: str = "", most: int | None = MOST
) -> str:
    """A table; numbers stand to the right, and what is too much is counted.

    >>> table_of(["action", "share"], [["bet", 0.25]])
    '<table><thead><tr><th>action</th><th>share</th></tr></thead><tbody><tr><td>bet</td><td>0.25</td></tr></tbody></table>'
    """
    every = [list(row) for row in rows]
    shown = every if most is None else every[:most]
    head = "".join(f"<th>{escape(header)}</th>" for header in headers)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in shown)
    if len(shown) < len(every):
        body += f'<tr><td colspan="{len(headers)}">… and {len(every) - len(shown):,} more</td></tr>'
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    return f"<td>{escape(str(value))}</td>"


def share_bar(shares: Sequence[tuple[str, float]]) -> str:
    """A mix as a bar of coloured pieces, with its words in the title of each."""
    pieces = "".join(
        f'<span title="{escape(name)} {share:.3f}" style="display:inline-block;height:0.9em;'
        f'width:{100 * share:.1f}%;background:{COLOURS[k % len(COLOURS)]}"></span>'
        for k, (name, share) in enumerate(shares)
        if share >= 0.0005
    )
    return f'<span style="display:inline-block;width:8em;white-space:nowrap;line-height:1">{pieces}</span>'


# Told apart by those who do not see red and green apart (Okabe and Ito 2008).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#f0e442")
