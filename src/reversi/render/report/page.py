"""The page of a report: one HTML file with its style, its program and its data, which makes no request.

The policy in the page (``Content-Security-Policy``) allows the style and the program of this package, by their
hashes, and nothing else. So no text of a game becomes a program or a request, even where it is not escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._version import __version__
from reversi.arguments import check_type
from reversi.game.game import Game
from reversi.games.statistics.curves import Curves
from reversi.records.record import Record
from reversi.render.report.curves import curves_svg
from reversi.render.report.data import ReportGame, game_data, report_games
from reversi.text.terminal import safe

_FEW: Final = 20  # columns that always fit on paper
_CHARACTERS: Final = 116  # that fit on paper beside the first column
_PLACE: Final = re.compile(r"\{\{(\w+)\}\}")
_NOSCRIPT: Final = '<noscript><p class="trouble">This report needs JavaScript to show its games.</p></noscript>\n'
_UNSAFE: Final = str.maketrans({"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"})


class ReportTable(NamedTuple):
    """A table above the games of a report.

    Attributes:
        title: its heading.
        rows: rows of texts; the first one has the headings of the columns, the first cell of each that of the row.
        notes: sentences below it.
        first: how many rows the page shows until a reader opens the others; 0 for all.
        curves: ratings over the years, drawn above the rows, which a reader opens.
    """

    title: str
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    first: int = 0
    curves: Curves = {}  # noqa: RUF012 - nobody changes it


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
        "tables": f'<div id="tables">\n{"".join(map(_section, tables))}</div>\n' if tables else "",
        "data": _json({"title": name, "games": data}),
    }
    page = _PLACE.sub(lambda match: parts[match[1]], _part("page.html"))
    return page.encode("ascii", "xmlcharrefreplace").decode()


def _section(table: ReportTable) -> str:
    """A table as HTML, of which a reader opens some rows, under its curves."""
    name = _text(table.title)
    head, *body = table.rows
    picture, first = (curves_svg(table.curves), 0) if table.curves else ("", table.first or len(body))
    shown, folded = body[:first], body[first:]
    parts = _parts(table.rows)
    visible = _tables(f"{name}, table", head, shown, parts) if shown or not folded else ""
    rest = f"{len(folded)} more" if shown else "The numbers"
    more = _tables(f"{name}, {rest}", head, folded, parts)
    details = f"<details><summary>{rest}</summary>{more}</details>" if folded else ""
    notes = "".join(f"<p>{_text(note)}</p>" for note in table.notes)
    return f'<section aria-label="{name}"><h2>{name}</h2>{picture}{visible}{details}{notes}</section>\n'


def _parts(rows: Sequence[Sequence[str]]) -> list[slice]:
    """Return the columns of each part of a table: of one with many columns as many as fit on paper."""
    columns, begins, width = len(rows[0]), [1], 0
    for column in range(1, columns if columns > _FEW else 0):
        wide = 1 + max(len(row[column]) for row in rows)
        if width + wide > _CHARACTERS:
            begins.append(column)
            width = 0
        width += wide
    return [slice(begin, end) for begin, end in pairwise([*begins, columns])] if columns > 1 else [slice(1, 1)]


def _tables(name: str, head: Sequence[str], rows: Sequence[Sequence[str]], parts: Sequence[slice]) -> str:
    """The parts of a table; where they are too wide, they scroll sideways."""
    kind = "figures" if len(head) > 2 else "words"
    texts = []
    for part in parts:
        heads = [_text(cell) for cell in (head[0], *head[part])]
        top = "".join(f'<th scope="col">{cell}</th>' if cell else "<td></td>" for cell in heads)
        cells = ("".join(f"<td>{_text(cell)}</td>" for cell in row[part]) for row in rows)
        lines = (
            f'<tr><th scope="row">{_text(row[0])}</th>{cell}</tr>' for row, cell in zip(rows, cells, strict=True)
        )
        texts.append(f'<table class="{kind}"><thead><tr>{top}</tr></thead><tbody>{"".join(lines)}</tbody></table>')
    many = " parts" if len(parts) > 1 else ""
    return f'<div class="wide{many}" tabindex="0" role="region" aria-label="{name}">{"".join(texts)}</div>'


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
