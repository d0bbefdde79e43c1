"""The columns of tables of games and positions: their types, what they say, and their units.

Every table of games that this program writes has these columns, whether it comes from files or from a database.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from reversi._core import Position
from reversi._version import __version__
from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.dates import full_date
from reversi.records.facts import facts_of, theory_of
from reversi.records.record import Record, Tags, format_record, is_result
from reversi.text.boards import format_board

MAX_CELL: Final = 65_536
"""The most characters of a cell that is read."""

MAX_RECORD: Final = 1 << 20
"""The most characters of a cell that has a whole record, or its tags."""

_LONG: Final = ("record", "tags")


class Column(NamedTuple):
    """A column.

    Attributes:
        type_: its type in Arrow; ``tags`` is a map from text to text.
        meaning: what it says.
        unit: the unit of its numbers, empty for none.
    """

    type_: str
    meaning: str
    unit: str = ""


_KEY: Final = "unsigned number of 64 bits"
_WON: Final = "black, white or draw; null while unknown"
_LEAD: Final = (
    "Black's lead, with empty squares as the rules score them; the recorded one of a game that stops early"
)

GAMES: Final = {
    "black": Column("string", "the player who has Black"),
    "white": Column("string", "the player who has White"),
    "year": Column("int16", "the year, also of a date that is known in part", "year"),
    "date": Column("date32", "the date, null unless its day is known; tags has it as recorded"),
    "event": Column("string", "the event"),
    "site": Column("string", "the place"),
    "round": Column("string", "the round"),
    "result": Column("string", "the result as recorded, Black first"),
    "score": Column("int16", _LEAD, "discs"),
    "winner": Column("string", _WON),
    "theoretical_score": Column(
        "int16",
        "Black's lead by best play from the position with theoretical_empties empty squares, by WTHOR",
        "discs",
    ),
    "theoretical_empties": Column("int16", "the empty squares of that position", "squares"),
    "finished": Column("bool_", "whether the game ends on the board"),
    "legal": Column("bool_", "whether all moves are legal"),
    "plies": Column("uint16", "turns, passes included, up to the first illegal move", "turns"),
    "passes": Column("uint16", "how many of them are passes", "turns"),
    "opening": Column("string", "the name of the opening"),
    "rules": Column("string", "the rule set"),
    "start": Column("string", "the first position, null for that of the rules"),
    "moves": Column("string", "all moves, two characters each; -- is a pass"),
    "tags": Column("tags", "all tags that are known, as recorded"),
    "record": Column("string", "the whole game where it has more than the other columns say: comments, clocks, …"),
}
"""The columns of a game, whatever it comes from. What is unknown is null."""

IN_DATABASE: Final = {
    "game": Column("int32", "the number of the game in the database"),
    "source": Column("string", "the file that it came from"),
    "number": Column("int32", "its number in that file"),
    "game_key": Column("uint64", f"a key of the rules, the moves up to symmetry and the players: {_KEY}"),
    "play_key": Column("uint64", f"a key of the moves up to symmetry and the year: {_KEY}"),
}
"""The columns of a game that only a database has."""

POSITIONS: Final = {
    "game": IN_DATABASE["game"],
    "ply": Column("uint16", "the turns before the position, passes included", "turns"),
    "key": Column("uint64", f"a key of the position up to symmetry: {_KEY}"),
    "move": Column("string", "the move as the game plays it, null in the last position"),
    "canonical_move": Column("string", "the same move on the image of the position that stands for all"),
    "winner": Column("string", f"of the game: {_WON}"),
    "score": Column("int16", f"of the game: {_LEAD}", "discs"),
    "board": Column("string", "the cells row by row, a1 first: X black, O white, - empty"),
    "mover": Column("string", "black or white: who is to move"),
    "empties": Column("uint8", "the empty squares", "squares"),
}
"""The columns of a position of a game."""

_UNKNOWN: Final = frozenset(("", "?", "????.??.??"))
_BARE: Final = frozenset(Tags().pairs)


def described(arrow: Any, schema: Any, columns: dict[str, Column], source: str) -> Any:
    """Return a schema of Arrow with what its columns mean, their units, and the source of the table.

    Args:
        arrow: the module `pyarrow`.
        schema: the schema.
        columns: its columns; others have no meaning.
        source: where the rows come from.
    """
    about = {
        name: {"description": column.meaning, **({"unit": column.unit} if column.unit else {})}
        for name, column in columns.items()
    }
    fields = [field.with_metadata(about.get(field.name)) for field in schema]
    return arrow.schema(fields, {"source": source, "software": f"reversi {__version__}"})


def row_of(record: Record) -> dict[str, Any]:
    """Return the row of a game, by the names of `GAMES`: `tags` is a dictionary."""
    facts, pairs = facts_of(record), record.tags.pairs
    said = [pair for pair in pairs if pair[1] not in _UNKNOWN]
    tags = dict(reversed(said))  # of a name that is there twice, the first
    tags = {name: tags[name] for name, _ in pairs if name in tags}
    theory = theory_of(tags)
    is_said = is_result(record.result) and len(record.tags) == len(pairs)
    is_said = is_said and (len(said) == len(pairs) or all(pair in _BARE for pair in pairs if pair[1] in _UNKNOWN))
    winner = "draw" if facts.winner is None else "black" if facts.winner is Color.BLACK else "white"
    return {
        "black": facts.black or None,
        "white": facts.white or None,
        "year": facts.year,
        "date": full_date(tags.get("Date", "")),
        "event": facts.event or None,
        "site": tags.get("Site"),
        "round": tags.get("Round"),
        "result": record.result,
        "score": facts.score,
        "winner": winner if facts.decided else None,
        "theoretical_score": None if theory is None else theory.score,
        "theoretical_empties": None if theory is None else theory.empties,
        "finished": facts.finished,
        "legal": facts.legal,
        "plies": facts.plies,
        "passes": facts.passes,
        "opening": facts.opening.opening.name if facts.opening else None,
        "rules": str(record.rules),
        "start": None if record.start == Position(record.rules) else format_board(record.start),
        "moves": record.line.transcript,
        "tags": tags,
        "record": None if record.line.is_bare and is_said else format_record(record),
    }


def too_long(column: str, value: object, title: str = "") -> str:
    """Return why a cell is not read for its length; empty for one that is.

    Args:
        column: what the column says.
        value: the cell.
        title: what messages call the column.
    """
    limit = MAX_RECORD if column in _LONG else MAX_CELL
    if not isinstance(value, str) or len(value) <= limit:
        return ""
    return f"column {title or column} has {len(value)} characters; the limit is {limit}"


def checked_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row to write, unless it is too long to be read.

    Raises:
        RecordError: it is.
    """
    for column, value in row.items():
        if isinstance(value, str) and len(value) > MAX_CELL and (why := too_long(column, value)):
            raise RecordError(why)
    return row
