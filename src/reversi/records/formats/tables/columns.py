"""Which column of a table says what: as somebody names them, or guessed from their names and their cells.

Columns of text are found by their names. Those of moves, and of results and dates that have no name, are found by
what their cells say.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from reversi._core import Position
from reversi.errors import InputError, RecordError
from reversi.records.dates import read_date
from reversi.records.formats.results import NUMBERS, read_result
from reversi.records.formats.tables.cells import begins_as_moves, cell_text, count_moves
from reversi.records.notes import clean
from reversi.records.record import DERIVED_TAGS, is_result
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.text.boards import parse_board
from reversi.text.counting import counted
from reversi.text.decoding import excerpt

Key: TypeAlias = int | str
"""A column: its number from 0, or its name where the rows name their cells."""

Columns: TypeAlias = Mapping[str, str]
"""What columns say: the name or number of a column for each of `ROLES`, or for a tag."""

ROLES: Final = {
    "moves": (
        "moves move movelist gamemoves transcript kifu sequence zuege züge coups mosse jugadas partie"
        " 棋譜 着手 movetext playedmoves"
    ),
    "black": "black blackplayer blackname playerblack blackplayername player1 playerone firstplayer schwarz noir"
    " noirs 黒 黒番 先手 dark first",
    "white": "white whiteplayer whitename playerwhite whiteplayername player2 playertwo secondplayer weiß weiss"
    " blanc blancs 白 白番 後手 light second",
    "result": "result outcome ergebnis résultat resultat finalscore winner score sieger gagnant discdiff"
    " discdifference diff blackscore blackdiscs blackresult 結果",
    "date": "date gamedate day datum played playedat playedon datetime timestamp starttime startedat"
    " createdat 日付",
    "year": "year jahr année annee",
    "event": "event tournament tourney competition turnier tournoi eventname tournamentname 大会",
    "site": "site place location server venue ort lieu",
    "round": "round rd runde ronde roundnumber",
    "id": "gameid eothellogameid gamenumber uuid id",
    "white_discs": "whitediscs whitescore whiteresult whitecount",
    "rules": "rules variant",
    "start": "start board startposition startboard",
    "tags": "tags",
    "record": "record",
}
"""What columns can say, each with names of such columns in lower case, without what separates words."""

_TAGS: Final = {
    "BlackElo": "blackelo blackrating ratingblack elonoir",
    "WhiteElo": "whiteelo whiterating ratingwhite eloblanc",
    "TimeControl": "timecontrol",
    "Termination": "termination endedby",
}
_NAMES: Final = {
    name: (rank, role) for role, names in {**ROLES, **_TAGS}.items() for rank, name in enumerate(names.split())
}
_START: Final = Position(OTHELLO)
_MOST_COLUMNS: Final = 500  # that are looked at
_PAIR: Final = re.compile(r",(?=\s*\w[\w-]*\s*=)")
_TAG: Final = re.compile(r"[A-Z]\w*")
_SEPARATORS: Final = re.compile(r"[\s_.\-/()#:]+")
_OURS: Final = (  # the columns that show that this program wrote a table, and those that are read
    (
        {"moves", "rules", "start", "tags", "record"},
        (
            "moves",
            "black",
            "white",
            "result",
            "date",
            "event",
            "site",
            "round",
            "rules",
            "start",
            "tags",
            "record",
        ),
    ),
    (  # of `analyze --json`
        {"moves", "board", "to_move", "after_pass", "tags", "rules", "result", "flips", "turns"},
        ["moves", "result", "rules", "tags", "start", "flips"],
    ),
)


class ColumnsError(RecordError):
    """Columns that are not given as they should be, that a table does not have, or that cannot be guessed.

    Attributes:
        guess: what the columns may be, ``None`` where nobody knows.
    """

    def __init__(self, message: str, guess: Guess | None = None, *, source: str = "") -> None:
        super().__init__(message, source=source)
        self.guess = guess

    def __reduce__(self) -> tuple[type[ColumnsError], tuple[str, Guess | None], dict[str, str]]:  # type: ignore[override]
        return type(self), (str(self), self.guess), {"source": self.source}


def parse_columns(texts: Iterable[str]) -> dict[str, str]:
    """Return the columns that texts such as ``moves=transcript,black=3`` name.

    A column is its name or its number, from 1. What it says is one of `ROLES`, or a tag, which begins with a
    capital.

    Raises:
        ColumnsError: a text is not of this form, or names something twice, or no moves.
    """
    columns: dict[str, str] = {}
    for text in texts:
        for pair in _PAIR.split(text):
            role, equals, column = (part.strip() for part in pair.partition("="))
            if not equals or not column:
                raise ColumnsError(f"{excerpt(pair)}: write what a column says and its name or number: moves=3")
            if role not in ROLES and (not _TAG.fullmatch(role) or role in DERIVED_TAGS):
                raise ColumnsError(f"{excerpt(role)} is not one of {', '.join(ROLES)}, nor a tag such as BlackElo")
            if role in columns:
                raise ColumnsError(f"{role} is given twice")
            columns[role] = column
    if columns and not {"moves", "record"} & columns.keys():
        raise ColumnsError("give the column of the moves, too: moves=3")
    return columns


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        line: the line it begins on, or its number where a table has no lines; from 1.
        cells: what is in each column; empty for a row that cannot be read.
        error: why it cannot be read.
    """

    line: int
    cells: Mapping[Key, object]
    error: str = ""


class Grid:
    """The beginning of a table: its columns, and the cells of its rows with their places.

    Args:
        top: the first rows. Where their cells have no names, the first may be the names of the columns.
        columns: what columns say, as far as it is known.

    Attributes:
        header: the cells of the row that names the columns, ``None`` without one.
        keys: the columns.
        names: the name of each, empty for one without a name.
        titles: what messages call each column.
        rows: the rows that can be read.
        wrong: the first that cannot, ``None`` where all can.
    """

    def __init__(self, top: Sequence[Row], columns: Columns = MappingProxyType({})) -> None:
        self.keys = list(dict.fromkeys(key for row in top for key in row.cells))
        is_named = any(isinstance(key, str) for key in self.keys)
        self.header = None if is_named or not top else self._header(top[0], columns)
        body = [row for row in top if row.error or row.cells != self.header]
        self.rows = [row for row in body if not row.error]
        self.wrong = next((row for row in body if row.error), None)
        names = self.header or (dict(zip(self.keys, self.keys, strict=True)) if is_named else {})
        self.names = [clean(cell_text(names.get(key))) for key in self.keys]
        times = Counter(self.names)
        self.titles = {
            key: name if name and times[name] == 1 and not name.isdecimal() else str(number)
            for number, (key, name) in enumerate(zip(self.keys, self.names, strict=True), 1)
        }

    def _header(self, first: Row, columns: Columns) -> Mapping[Key, object] | None:
        """Return the cells of the first row if they are the names of the columns."""
        texts = [cell_text(first.cells.get(key)) for key in self.keys]
        if first.error or not any(texts) or any(map(begins_as_moves, texts)):
            return None
        folded = {text.casefold() for text in texts if text}
        wanted = any(not column.isdecimal() and column.casefold() in folded for column in columns.values())
        if wanted or any(_plain(text) in _NAMES for text in texts):
            return first.cells
        numbers = any(text.lstrip("+-").replace(".", "", 1).isdecimal() for text in texts)
        return None if numbers else first.cells

    @property
    def roles(self) -> list[tuple[int, int, str, Key]]:
        """What the names of columns say: how sure that is (0 is surest), the place, what, and the column."""
        found = []
        for number, (key, name) in enumerate(zip(self.keys, self.names, strict=True)):
            rank, role = _NAMES.get(_plain(name), (0, ""))
            found += [(rank, number, role, key)] if role else []
        return sorted(found)

    def cells(self, key: Key | None) -> list[object]:
        return [row.cells.get("" if key is None else key) for row in self.rows]

    def texts(self, key: Key | None) -> list[str]:
        return list(map(cell_text, self.cells(key)))

    def counts(self, starts: Sequence[Position] = ()) -> dict[Key, list[int]]:
        """Return how many moves each cell has that is nothing but moves, by column.

        Args:
            starts: where the game of each row starts, if not as usual.
        """
        starts = starts or [_START] * len(self.rows)
        return {key: list(map(count_moves, self.cells(key), starts)) for key in self.keys[:_MOST_COLUMNS]}

    @property
    def games(self) -> int:
        """How many rows have a game: several moves, in the column where most have them."""
        return max((sum(n > 1 for n in made) for made in self.counts().values()), default=0)

    @property
    def names_moves(self) -> bool:
        """Whether a column has the name of one of moves."""
        return any(role == "moves" for _, _, role, _ in self.roles)

    def key_of(self, column: str) -> Key:
        """Return the column of a name or number.

        Raises:
            ColumnsError: there is none.
        """
        for wanted, names in (
            (column, self.names),
            (column.casefold(), [name.casefold() for name in self.names]),
        ):
            found = [key for key, name in zip(self.keys, names, strict=True) if name == wanted]
            if len(found) == 1:
                return found[0]
            if found:
                raise ColumnsError(f"several columns have the name {excerpt(column)}; give the number of one")
        if column.isdecimal() and 1 <= int(column) <= len(self.keys):
            return self.keys[int(column) - 1]
        has = f"the table has {counted(len(self.keys), 'column')}"
        names = [name for name in self.names if name]
        named = f": {_listed(names)}" if names else ""
        raise ColumnsError(f"column {excerpt(column)} does not exist; {has}{named}")


@dataclass(frozen=True, slots=True)
class Guess:
    """What the columns of a table may say.

    Attributes:
        columns: the columns.
        doubt: why that is not certain; empty where moves are in every row at the top.
        unread: the columns that say nothing known.
        ours: whether this program wrote the table, so that nothing is guessed.
    """

    columns: dict[str, str]
    doubt: str = ""
    unread: tuple[str, ...] = ()
    ours: bool = False

    @property
    def option(self) -> str:
        """The columns as the option ``--columns`` has them."""
        text = ",".join(f"{role}={column}" for role, column in self.columns.items())
        return text if re.fullmatch(r"[\w=,.-]*", text) else f'"{text}"'

    def __str__(self) -> str:
        unread = f"; not read: {_listed(self.unread)}" if self.unread else ""
        return f"columns guessed: {self.option}{unread}"


def _listed(names: Sequence[str], most: int = 12) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(name[:40] for name in names[:most]) + more


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()


def named_moves(name: str) -> bool:
    """Return whether a column of this name has moves."""
    return _NAMES.get(_plain(name), (0, ""))[1] == "moves"


def columns_of_ours(names: Iterable[str]) -> dict[str, str]:
    """Return what the columns of a table say that this program wrote, by their names; empty for any other."""
    names = set(names)
    for needed, roles in _OURS:
        if needed <= names:
            return {role: role for role in roles if role in names or role == "start"}
    return {}


def guess(grid: Grid, rules: Rules) -> Guess:
    """Guess what the columns of a table say."""
    if ours := columns_of_ours(grid.names):
        return Guess(ours, ours=True)
    found: dict[str, Key] = {}
    starts = [Position(rules)] * len(grid.rows)
    named = [(role, key) for _, _, role, key in grid.roles if role not in ("moves", "tags", "record")]
    for role, key in sorted(named, key=lambda one: one[0] != "rules"):  # which a start needs
        if role in ("rules", "start") and role not in found:
            with contextlib.suppress(InputError):
                starts = [start_of(role, text, at) for text, at in zip(grid.texts(key), starts, strict=True)]
                found[role] = key
    moves, doubt = _moves_column(grid, starts)
    if moves is not None:
        found["moves"] = moves
    for role, key in sorted(named, key=lambda one: one[0] == "result"):  # which may name the players
        if role not in ("rules", "start") and role not in found and key != moves:
            found |= {role: key} if role != "result" or _are_results(grid, key, found, rules) else {}
    if "white_discs" in found and not _plain(grid.titles.get(found.get("result", ""), "")).startswith("black"):
        del found["white_discs"]  # the count of both sides, or of none
    nameless = [key for key, name in zip(grid.keys, grid.names, strict=True) if not name and key != moves]
    for role, is_one in (("result", _is_result), ("date", _is_date)):
        fit = [key for key in nameless if grid.rows and all(map(is_one, grid.texts(key)))]
        if len(fit) == 1:
            found.setdefault(role, fit[0])
    order = [role for role in (*ROLES, *_TAGS) if role in found]
    unread = tuple(grid.titles[key] for key in grid.keys if key not in found.values())
    return Guess({role: grid.titles[found[role]] for role in order}, doubt, unread)


def start_of(role: str, text: str, at: Position) -> Position:
    """Return where a game starts by what its row says of its rules or its start, if anything.

    Raises:
        InputError: the text is no rule set, or no board.
    """
    if not text:
        return at
    return _usual_start(text) if role == "rules" else parse_board(text, at.rules)


@functools.lru_cache(64)
def _usual_start(rules: str) -> Position:
    return Position(parse_rules(rules))


def _are_results(grid: Grid, key: Key, found: Mapping[str, Key], rules: Rules) -> bool:
    """Return whether all cells of a column can be read as results, in one way."""
    players = (grid.texts(found.get(side)) for side in ("black", "white"))
    rows = list(zip(grid.texts(key), *players, strict=True))
    return any(all(read_result(text, kind, rules, (*names,)) for text, *names in rows) for kind in NUMBERS)


def _is_result(text: str) -> bool:
    return is_result(text) and text != "*"


def _is_date(text: str) -> bool:
    return len(text) >= 8 and read_date(text)[0] != text


def _moves_column(grid: Grid, starts: Sequence[Position]) -> tuple[Key | None, str]:
    """Return the column of moves, and why that is not certain.

    Args:
        grid: the table.
        starts: where the game of each row starts.
    """
    counts = grid.counts(starts)
    named = [key for _, _, role, key in grid.roles if role == "moves"]
    rows = len(grid.rows)
    games = {key: sum(map(bool, made)) for key, made in counts.items() if 2 * sum(n > 1 for n in made) >= rows > 0}
    whole = [key for key, made in games.items() if made == rows]
    longest = max(whole or games, key=lambda key: (sum(counts[key]), key in named), default=None)
    if longest is None:
        return (named[0] if named else None), "no column has moves in its rows"
    where = grid.titles[longest]
    if longest not in whole:
        line = grid.rows[counts[longest].index(0)].line
        return longest, f"line {line} has no moves in column {where}"
    if grid.wrong is not None:
        return longest, f"line {grid.wrong.line}: {grid.wrong.error}"
    rival = next((key for key in whole if key != longest and not _is_part(counts[key], counts[longest])), None)
    if rival is not None:
        return longest, f"columns {where} and {grid.titles[rival]} have moves"
    return longest, ""


def _is_part(one: list[int], other: list[int]) -> bool:
    """Return whether a column of moves is never longer than another: it has the opening."""
    return all(short <= long for short, long in zip(one, other, strict=True)) and sum(one) < sum(other)
