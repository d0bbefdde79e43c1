"""The page of a report: one HTML file with its style, its program and its data, which makes no request.

The policy in the page (``Content-Security-Policy``) allows the style and the program of this package, by their
hashes, and nothing else. So no text of a game becomes a program or a request, even where it is not escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final, NamedTuple

from reversi._version import __version__
from reversi.arguments import check_type
from reversi.game.game import Game
from reversi.records.record import Record
from reversi.render.report.data import ReportGame, game_data, report_games
from reversi.text.terminal import safe

_PLACE: Final = re.compile(r"\{\{(\w+)\}\}")
_NOSCRIPT: Final = '<noscript><p class="trouble">This report needs JavaScript to show its games.</p></noscript>\n'
_UNSAFE: Final = str.maketrans({"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"})


class ReportTable(NamedTuple):
    """A table above the games of a report.

    Attributes:
        title: its heading.
        rows: rows of texts; the first one has the headings of the columns, the first cell of each that of the row.
        notes: sentences below it.
    """

    title: str
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()


def html_report(
    games: Iterable[ReportGame | Record | Game], *, title: str = "", tables: Sequence[ReportTable] = ()
) -> str:
    """Games as one HTML page to step through, which works without a network.

    The page shows the board after each ply, the values of the game as a graph, the best lines and the mistakes; of
    several games it has a list. The one file is all of it: send it, or put it on a site.

        >>> from reversi import Game
        >>> html_report([Game().play_all("f5d6")])[:15]
        '<!doctype html>'

    Args:
        games: games, records, or records with their analysis (`ReportGame`), at least one.
        title: what the page is called; the players or the number of games when not given.
        tables: tables above the games; with them a report may have no game.

    Returns:
        The page, in ASCII. The same input gives the same text.

    Raises:
        InputError: no game, or too many of them.
    """
    check_type("title", title, str)
    given = list(games)
    data = [game_data(game) for game in report_games(given)] if given or not tables else []
    name = title or _title(data)
    style, program = _part("report.css"), _part("report.js")
    parts = {
        "title": escape(safe(name)),
        "version": escape(__version__),
        "style": style,
        "program": program,
        "style_hash": _hash(style),
        "program_hash": _hash(program),
        "noscript": _NOSCRIPT if data else "",
        "tables": "".join(map(_section, tables)),
        "data": _json({"title": name, "games": data}),
    }
    page = _PLACE.sub(lambda match: parts[match[1]], _part("page.html"))
    return page.encode("ascii", "xmlcharrefreplace").decode()


def _section(table: ReportTable) -> str:
    """A table as HTML; it scrolls sideways where it is too wide."""
    name = _text(table.title)
    head, *body = ([_text(cell) for cell in row] for row in table.rows)
    rows = [
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>' for row in body
    ]
    heads = "".join(f'<th scope="col">{cell}</th>' if cell else "<td></td>" for cell in head)
    kind = "figures" if len(head) > 2 else "words"
    notes = "".join(f"<p>{_text(note)}</p>" for note in table.notes)
    return (
        f'<section aria-label="{name}"><h2>{name}</h2><div class="wide" tabindex="0" role="region"'
        f' aria-label="{name}, table"><table class="{kind}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{notes}</section>\n"
    )


def _text(text: str) -> str:
    return escape(safe(text))


def _title(games: list[dict[str, object]]) -> str:
    if len(games) != 1:
        return f"{len(games)} games"
    black, white, result = (games[0][name] for name in ("black", "white", "result"))
    return f"{black or 'Black'} – {white or 'White'} {result}".rstrip()


@cache
def _part(name: str) -> str:
    """Return a file of this package, with line feeds as line ends on every system: the hashes are of the text as
    such.
    """
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(value: object) -> str:
    """JSON that can stand within an element of a page: in ASCII, without the characters that end one."""
    return json.dumps(value, separators=(",", ":")).translate(_UNSAFE)
