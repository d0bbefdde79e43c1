"""Find games in a database, and read their records."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from reversi._core import canonical_key
from reversi.color import Color
from reversi.game.ply import Termination
from reversi.games.database.rows import rules_salt
from reversi.games.selection import Selection, alternatives, seats, spans, tag_fits
from reversi.games.sorting import AS_FOUND, Order
from reversi.games.statistics.results import GameResult, result_of
from reversi.records.dates import moment_in
from reversi.records.entry import Entry
from reversi.records.facts import known
from reversi.records.formats.database.file import DatabaseError, DatabaseFile
from reversi.records.formats.database.reader import PARTS, entry_of, record_of, start_of
from reversi.records.record import DERIVED_TAGS, Record
from reversi.rules import OTHELLO
from reversi.text.boards import format_board

_TWINS = (
    "(g.play_high, g.play_low) in (select (play_high, play_low) from games group by play_high, play_low"
    " having count(distinct (digest_high, digest_low)) > 1)"
)
_VALUES: Final = r'\[{},\s*"((?:[^"\\]|\\.)*)"\]'
"""The values of a tag in the column `tags`, as JSON has them between quotes."""

_DECLARED: Final = ", ".join(f"'{kind}'" for kind in Termination if kind is not Termination.NORMAL)
_TAG: Final = "regexp_extract(g.tags, '{}', 1)"
_TERMINATION: Final = _TAG.format(_VALUES.format('"Termination"'))
_ENDED_EARLY: Final = (
    f"(g.legal and not g.finished and (g.winner is not null or lower(trim({_TERMINATION})) in ({_DECLARED})))"
)
_CONDITIONS = {
    "black": "g.winner = 1",
    "white": "g.winner = -1",
    "draw": "g.winner = 0",
    "decided": "g.winner is not null",
    "undecided": "g.winner is null",
    "finished": "g.finished",
    "ended-early": _ENDED_EARLY,
    "unfinished": f"(g.legal and not g.finished and not {_ENDED_EARLY})",
    "illegal": "not g.legal",
}


_UNSEEN: Final = [_TAG.format(_VALUES.format(f'"{name}"')) for name in ("Round", "Date", "Time")]
_THEORETICAL: Final = _TAG.format(_VALUES.format('"WthorTheoretical"'))
_THEORY: Final = (
    f"case when regexp_full_match({_THEORETICAL}, '[0-9]+') and try_cast({_THEORETICAL} as integer) <= 64"
    f" then 2 * {_THEORETICAL}::integer - 64 end"
)
_NUMBERS: Final = {
    "score": "g.score",
    "margin": "abs(g.score)",
    "theory": f"({_THEORY})",
    "theory_error": f"abs(g.score - ({_THEORY}))",
}
_NAME = "(select lower(name) from players where id = g.{})"
_SORTS: Final = {
    "year": "g.year",
    "event": "lower(nullif(g.event, ''))",
    "black": _NAME.format("black"),
    "white": _NAME.format("white"),
    "opening": "lower(nullif(g.opening, ''))",
    "plies": "g.plies",
    **_NUMBERS,
}


def entries(database: DatabaseFile, selection: Selection, order: Order = AS_FOUND) -> Iterator[Entry]:
    """Yield the games of a selection; see `Database.records`."""
    return (entry_of(database, row) for row in _in_order(database, f"{PARTS} from games g", selection, order))


def _in_order(
    database: DatabaseFile, columns: str, selection: Selection, order: Order
) -> Iterator[tuple[Any, ...]]:
    """Yield rows of the games of a selection in an order, part by part: DuckDB would sort whole rows in memory.

    Args:
        database: the database.
        columns: the columns, the number of the game first, and their tables.
        selection: the conditions.
        order: the order.
    """
    ids = numbers_of(database, selection, order)
    rows_of = f"select {columns} where g.id between ? and ? and g.id in (select unnest(?::integer[]))"
    for at in range(0, len(ids), _PART):
        part = ids[at : at + _PART]
        rows = {row[0]: row for row in database.rows(rows_of, [min(part), max(part), part.tolist()])}
        for game in part:
            yield rows.pop(game)


def numbers_of(database: DatabaseFile, selection: Selection, order: Order = AS_FOUND) -> array[int]:
    """Return the numbers of the games of a selection in an order.

    Raises:
        DatabaseError: the file cannot be read.
    """
    where, parameters = _where(database, selection, twins=order.twins)
    sorts = [f"{_SORTS[what]} {'desc' if down else 'asc'} nulls last" for what, down in order.keys]
    if order.twins and not sorts:
        sorts = ["min(g.id) over (partition by g.play_high, g.play_low)"]
    limit = "" if order.limit is None else f" limit {order.limit}"
    by = ", ".join([*sorts, "g.id"])
    numbers = database.stream(f"select g.id from games g{where} order by {by}{limit}", parameters)
    return array("i", (game for (game,) in numbers))


def count(database: DatabaseFile, selection: Selection, *, twins: bool = False) -> int:
    """Return how many games a selection has; see `Database.count`."""
    where, parameters = _where(database, selection, twins=twins)
    ((number,),) = database.rows(f"select count(*) from games g{where}", parameters)
    return int(number)


def _any(conditions: list[str]) -> str:
    return "(" + " or ".join(conditions) + ")"


def _where(database: DatabaseFile, selection: Selection, *, twins: bool) -> tuple[str, list[Any]]:
    conditions, parameters = conditions_of(database, selection)
    if twins:
        conditions.append(_TWINS)
    return (" where " + " and ".join(conditions) if conditions else ""), parameters


def conditions_of(database: DatabaseFile, selection: Selection) -> tuple[list[str], list[Any]]:
    """Return what a selection asks of the games `g`, in SQL, and the parameters of that.

    Raises:
        DatabaseError: the file cannot be read.
    """
    conditions: list[str] = []
    parameters: list[Any] = []
    sides = (
        ((black, "") for black in alternatives(selection.black)),
        (("", white) for white in alternatives(selection.white)),
    )
    for pairs in (tuple(seats(selection.player)), *map(tuple, sides)):
        if all(any(pair) for pair in pairs):
            names = database.rows("select id, name from players")
            either = []
            for pair in pairs:
                both = [(column, words) for column, words in zip(("black", "white"), pair, strict=True) if words]
                either.append(" and ".join(f"list_contains(?, g.{column})" for column, _ in both))
                parameters += [
                    [id_ for id_, name in names if selection.aliases.has_words(name, words)] for _, words in both
                ]
            conditions.append(_any(either))
    if all(events := alternatives(selection.event)):
        has_event = selection.aliases.events.has_words
        known = [name for (name,) in database.rows("select distinct event from games")]
        conditions.append("list_contains(?, g.event)")
        parameters.append([name for name in known if any(has_event(name, words) for words in events)])
    numbers = {name: (column, getattr(selection, name)) for name, column in _NUMBERS.items()}
    for column, wanted in (("g.year", selection.years), *numbers.values()):
        if (None, None) not in spans(wanted):
            either = []
            for span in spans(wanted):
                limits = [
                    (sign, number) for number, sign in zip(span, (">=", "<="), strict=True) if number is not None
                ]
                either.append(" and ".join(f"{column} {sign} ?" for sign, _ in limits))
                parameters += [number for _, number in limits]
            conditions.append(_any(either))
    if selection.outcome_changed:
        conditions.append(f"g.winner <> sign({_NUMBERS['theory']})")
    if selection.results:
        conditions.append(_any([_CONDITIONS[word] for word in sorted(selection.results)]))
    for group in selection.positions:
        wanted = group if isinstance(group, tuple) else (group,)
        conditions.append(f"g.id in (select game from positions where key in ({', '.join('?' * len(wanted))}))")
        parameters += [canonical_key(position, rules_salt(position.rules)) for position in wanted]
    if selection.tags:
        conditions.append("g.id in (select unnest(?::integer[]))")
        parameters.append(_with_tags(database, selection.tags))
    if selection.asks_for_play:
        if selection.patterns:
            conditions.append("g.legal")
        where = f" where {' and '.join(conditions)}" if conditions else ""
        parts = PARTS.replace("g.tags", "'[]'")
        rows = database.stream(f"select {parts} from games g{where}", parameters)
        games = [row[0] for row in rows if selection.has_play(record_of(database, row))]
        return ["g.id in (select unnest(?::integer[]))"], [games]
    return conditions, parameters


def _with_tags(database: DatabaseFile, tags: tuple[tuple[str, str], ...]) -> list[int]:
    """Return the numbers of the games that have some tags. Python compares each value once, not each game."""
    found: set[int] | None = None
    for name in {name for name, _ in tags}:
        wanted = [text for tag, text in tags if tag == name]
        games = {
            game
            for ids, values in _values_of(database, name)
            if any(tag_fits(value, text) for value in values for text in wanted)
            for game in ids
        }
        found = games if found is None else found & games
    return sorted(found or ())


def _values_of(database: DatabaseFile, name: str) -> Iterator[tuple[list[int], list[str]]]:
    """Yield the values of a tag, all that a game has, with the numbers of the games that have these."""
    query = "select list(g.id), {} from games g group by all"
    if name in _DERIVED:
        for games, value in database.stream(query.format(_DERIVED[name])):
            yield games, [value]
    elif name in DERIVED_TAGS:
        for games, rules, start in database.stream(query.format("g.rules, g.start")):
            yield games, [format_board(start_of(rules, start))]
    else:
        pattern = _VALUES.format(re.escape(json.dumps(name, ensure_ascii=False)))
        for games, values in database.stream(query.format("regexp_extract_all(g.tags, ?, 1)"), [pattern]):
            yield games, [json.loads(f'"{value}"') for value in values]


def results(database: DatabaseFile, selection: Selection) -> Iterator[GameResult]:
    """Yield the results of the games of a selection; see `Database.results`."""
    name_of, event_of = selection.aliases.name_of, selection.aliases.events.name_of
    columns = (
        f"g.id, g.rules = '{_OTHELLO}' and (g.score is not null or not g.finished), coalesce(b.name, ''),"
        " coalesce(w.name, ''), g.event, g.year, g.score, g.winner, g.winner is not null, g.opening, g.plies,"
        f" g.passes, g.finished, {_ENDED_EARLY}, g.legal, g.finished and abs(coalesce(g.score, 0)) = 64,"
        f" {', '.join(_UNSEEN)}"
        " from games g left join players b on b.id = g.black left join players w on w.id = g.white"
    )
    for row in _in_order(database, columns, selection, AS_FOUND):
        game, standard, black, white, event, year, score, winner, *rest, round_, date, time = row
        if standard:
            names = name_of(black), name_of(white), event_of(event)
            ended = GameResult(*names, year, score, _WINNERS.get(winner), *rest)
            moment = moment_in(_text(date), known(_text(time))) if date else ""
            yield replace(ended, round=known(_text(round_)), date=moment) if round_ or moment else ended
        else:  # the row does not say whether a side has no disc
            yield result_of(record(database, game), selection.aliases)


def _text(value: str) -> str:
    """Return the value of a tag as JSON has it between quotes."""
    return str(json.loads(f'"{value}"')) if "\\" in value else value


def record(database: DatabaseFile, game: int) -> Record:
    """Return the record of a game; see `Database.record`."""
    rows = database.rows(f"select {PARTS} from games g where g.id = ?", [game])
    if not rows:
        raise DatabaseError(f"{database.path}: game {game} does not exist")
    return record_of(database, rows[0])


_OTHELLO: Final = str(OTHELLO)
_WINNERS: Final = {1: Color.BLACK, -1: Color.WHITE}
_PART = 16_384
"""How many games are read at once."""

_DERIVED: Final = {"Result": "g.result", "Rules": "g.rules"}
