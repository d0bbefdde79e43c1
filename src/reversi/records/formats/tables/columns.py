"""Which column of a table says what: as somebody names them, or guessed from their names and their cells.

Columns of text are found by their names. Those of moves, and of results and dates that have no name, are found by
what their cells say.
"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import reversi._regex as re
from reversi._core import PASS, Position, replay_line
from reversi.arguments import excerpt
from reversi.errors import InputError, RecordError
from reversi.records.dates import read_date
from reversi.records.formats.results import NUMBERS, numbers_contradict, read_result
from reversi.records.formats.tables.cells import (
    begins_as_moves,
    board_text,
    cell_text,
    count_moves,
    read_cell_moves,
)
from reversi.records.formats.tag_words import TAG_WORDS
from reversi.records.limits import MAX_PARTS
from reversi.records.notes import clean
from reversi.records.outcome import Outcome
from reversi.records.record import DERIVED_TAGS, is_result
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.score import Result
from reversi.text.boards import parse_board
from reversi.text.counting import counted

Key: TypeAlias = int | str
"""A column: its number from 0, or its name where the rows name their cells."""

Columns: TypeAlias = Mapping[str, str]
"""What columns say: the name or number of a column for each of `ROLES`, or for a tag."""

ROLES: Final = {
    "moves": (
        "moves move actions action movelist gamemoves transcript kifu sequence zuege züge coups mosse jugadas"
        " partie 棋譜 着手 棋谱 movetext playedmoves"
    ),
    "black": TAG_WORDS["black"],
    "white": TAG_WORDS["white"],
    "result": "result outcome ergebnis résultat resultat finalscore winner score sieger gagnant discdiff"
    " discdifference diff blackscore blackdiscs blackresult resultado risultato uitslag 結果 结果 比分 결과",
    "date": TAG_WORDS["date"],
    "year": "year jahr année annee",
    "event": TAG_WORDS["event"],
    "site": TAG_WORDS["site"],
    "round": TAG_WORDS["round"],
    "id": "gameid eothellogameid gamenumber uuid id",
    "ply": "ply plynumber moveno movenumber turn turnnumber",
    "white_discs": "whitediscs whitescore whiteresult whitecount",
    "rules": "rules variant",
    "start": "start board startposition startboard startpos startmoves setup fen initialposition initialboard",
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
_MOST_TRIES: Final = 20  # columns that may have moves, and that may tell games apart
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

_POSITION: Final = frozenset(("board", "to_move", "after_pass", "rules"))


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


def parse_columns(
    texts: Iterable[str], roles: Iterable[str] = ROLES, least: Sequence[str] = ("moves", "record")
) -> dict[str, str]:
    """Return the columns that texts such as ``moves=transcript,black=3`` name.

    A column is its name or its number, from 1. What it says is one of the roles or, of a game, a tag, which
    begins with a capital.

    Args:
        texts: the texts.
        roles: what columns can say.
        least: of these, at least one has to be named.

    Raises:
        ColumnsError: a text is not of this form, or names something twice, or nothing of the least.
    """
    tags = ", nor a tag such as BlackElo" if roles is ROLES else ""
    columns: dict[str, str] = {}
    for text in texts:
        for pair in _PAIR.split(text):
            role, equals, column = (part.strip() for part in pair.partition("="))
            if not equals or not column:
                raise ColumnsError(
                    f"{excerpt(pair)}: write what a column says and its name or number: {least[0]}=3"
                )
            if role not in roles and (not tags or not _TAG.fullmatch(role) or role in DERIVED_TAGS):
                raise ColumnsError(f"{excerpt(role)} is not one of {', '.join(roles)}{tags}")
            if role in columns:
                raise ColumnsError(f"{role} is given twice")
            columns[role] = column
    if columns and columns.keys().isdisjoint(least):
        raise ColumnsError(f"give the column of the {least[0]}, too: {least[0]}=3")
    return columns


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        line: the line it begins on, or its number where a table has no lines; from 1.
        cells: what is in each column; empty for a row that cannot be read.
        error: why it cannot be read.
        size: no cell has more characters; 0 where nobody counted.
    """

    line: int
    cells: Mapping[Key, object]
    error: str = ""
    size: int = 0


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
        self.keys: list[Key] = list(dict.fromkeys(key for row in top for key in row.cells))
        is_named = any(isinstance(key, str) for key in self.keys)
        self.header: Mapping[Key, object] | None = None if is_named or not top else self._header(top[0], columns)
        body = [row for row in top if row.error or row.cells != self.header]
        self.rows: list[Row] = [row for row in body if not row.error]
        self.wrong: Row | None = next((row for row in body if row.error), None)
        names = self.header or (dict(zip(self.keys, self.keys, strict=True)) if is_named else {})
        self.names: list[str] = [clean(cell_text(names.get(key))) for key in self.keys]
        times = Counter(self.names)
        self.titles: dict[Key, str] = {
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
        if wanted or any(plain_name(text) in _NAMES for text in texts):
            return first.cells
        numbers = any(text.lstrip("+-").replace(".", "", 1).isdecimal() for text in texts)
        return None if numbers else first.cells

    @property
    def roles(self) -> list[tuple[int, int, str, Key]]:
        """What the names of columns say: how sure that is (0 is surest), the place, what, and the column."""
        found = []
        for number, (key, name) in enumerate(zip(self.keys, self.names, strict=True)):
            rank, role = _NAMES.get(plain_name(name), (0, ""))
            found += [(rank, number, role, key)] if role else []
        return sorted(found)

    def by_move(self, columns: Mapping[str, Key]) -> Grid:
        """Return it with a row for each game, where each move has one."""
        grid = copy.copy(self)
        grid.rows = list(games_by_move(self.rows, columns))
        return grid

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
    def boards(self) -> int:
        """How many rows have a board, in the column where most have one."""
        found = (sum(map(bool, map(board_text, self.cells(key)))) for key in self.keys[:_MOST_COLUMNS])
        return max(found, default=0)

    @property
    def names_moves(self) -> bool:
        """Whether a column has the name of one of moves."""
        return any(role == "moves" for _, _, role, _ in self.roles)

    def ends(self, moves: Key | None, starts: Sequence[Position]) -> list[Result | None]:
        """Return how the game of each row ended on the board, ``None`` where it did not."""
        ends = []
        for cell, start in zip(self.cells(moves), starts, strict=True):
            written, strange = read_cell_moves(cell, start)
            _, end, legal = replay_line(start, written, put_in=PASS.index not in written)
            ends.append(end.result if legal and strange is None else None)
        return ends

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
        is_by_move: whether a row has a move, and not a game.
    """

    columns: dict[str, str]
    doubt: str = ""
    unread: tuple[str, ...] = ()
    ours: bool = False
    is_by_move: bool = False

    @property
    def option(self) -> str:
        """The columns as the option ``--columns`` has them."""
        text = ",".join(f"{role}={column}" for role, column in self.columns.items())
        return text if re.fullmatch(r"[\w=,.-]*", text) else f'"{text}"'

    def __str__(self) -> str:
        unread = f"; not read: {_listed(self.unread)}" if self.unread else ""
        rows = "; a row for each move" if self.is_by_move else ""
        return f"columns guessed: {self.option}{rows}{unread}"


def _listed(names: Sequence[str], most: int = 12) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(name[:40] for name in names[:most]) + more


def plain_name(name: str) -> str:
    """Return the name of a column in lower case, without what separates words."""
    return _SEPARATORS.sub("", name).casefold()


def named_moves(name: str) -> bool:
    """Return whether a column of this name has moves."""
    return _NAMES.get(plain_name(name), (0, ""))[1] == "moves"


def columns_of_ours(names: Iterable[str]) -> dict[str, str]:
    """Return what the columns of a table say that this program wrote, by their names; empty for any other."""
    names = set(names)
    for needed, roles in _OURS:
        if needed <= names:
            return {role: role for role in roles if role in names or role == "start"}
    return {}


def are_positions(names: Iterable[str]) -> bool:
    """Return whether a table has positions as this program writes them, by the names of its columns."""
    names = set(names)
    return names >= _POSITION and not columns_of_ours(names)


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
                texts = grid.texts(key)
                starts = [start_of(role, text, at) for text, at in zip(texts, starts, strict=True)]
                if role == "start":
                    starts = list(map(after_first_moves, texts, starts))
                found[role] = key
    moves, doubt = _moves_column(grid, starts)
    if doubt and "start" in found:
        usual = [Position(start.rules) for start in starts]
        if not (other := _moves_column(grid, usual))[1]:  # the boards show where the games end
            (moves, doubt), starts = other, usual
            del found["start"]
    if by_move := _move_on_each_row(grid, Position(rules)) if doubt else {}:
        found |= by_move
        moves, doubt = found["moves"], ""
        grid = grid.by_move(found)
        starts = [Position(rules)] * len(grid.rows)
    elif moves is not None:
        found["moves"] = moves
    taken = {moves, *by_move.values()}
    for role, key in sorted(named, key=lambda one: one[0] == "result"):  # which may name the players
        if role not in ("rules", "start", "ply") and role not in found and key not in taken:
            found |= {role: key} if role != "result" or _are_results(grid, key, found, rules) else {}
    if not plain_name(grid.titles.get(found.get("result", ""), "")).startswith("black"):
        found.pop("white_discs", None)  # the count of both sides, or of none
    if moves is not None:
        doubt = doubt or _settle_results(grid, found, grid.ends(moves, starts), rules)
    nameless = [key for key, name in zip(grid.keys, grid.names, strict=True) if not name and key != moves]
    for role, is_one in (("result", _is_result), ("date", _is_date)):
        fit = [key for key in nameless if grid.rows and all(map(is_one, grid.texts(key)))]
        if len(fit) == 1:
            found.setdefault(role, fit[0])
    order = [role for role in (*ROLES, *_TAGS) if role in found]
    unread = tuple(grid.titles[key] for key in grid.keys if key not in found.values())
    columns = {role: grid.titles[found[role]] for role in order}
    return Guess(columns, doubt, unread, is_by_move=bool(by_move))


def start_of(role: str, text: str, at: Position) -> Position:
    """Return where a game starts by what its row says of its rules or its start, if anything.

    Raises:
        InputError: the text is no rule set, or neither a board nor moves.
    """
    if not text or (role == "start" and first_moves(text, at)):
        return at
    return _usual_start(text) if role == "rules" else parse_board(text, at.rules)


def first_moves(text: str, start: Position) -> bytes:
    """Return the moves that a start is, which come before those of the row; none where it is a board."""
    if begins_as_moves(text):
        moves, strange = read_cell_moves(text, start)
        if strange is None and replay_line(start, moves, put_in=PASS.index not in moves)[2]:
            return moves
    return b""


def after_first_moves(text: str, start: Position) -> Position:
    """Return the position where the moves of a row begin."""
    moves = first_moves(text, start)
    return replay_line(start, moves, put_in=PASS.index not in moves)[1]


@functools.lru_cache(64)
def _usual_start(rules: str) -> Position:
    return Position(parse_rules(rules))


def _are_results(grid: Grid, key: Key, found: Mapping[str, Key], rules: Rules) -> bool:
    """Return whether all cells of a column can be read as results, in one way."""
    players = (grid.texts(found.get(side)) for side in ("black", "white"))
    rows = list(zip(grid.texts(key), *players, strict=True))
    return any(all(read_result(text, kind, rules, (*names,)) for text, *names in rows) for kind in NUMBERS)


def _settle_results(grid: Grid, found: dict[str, Key], ends: Sequence[Result | None], rules: Rules) -> str:
    """Let the games that ended on the board decide about results; return what contradicts them.

    Columns with the names of the players have the discs where their numbers are those of the board.
    """
    sides = [found[side] for side in ("black", "white") if side in found]
    texts = [[text.removesuffix(".0") for text in grid.texts(side)] for side in sides]
    pairs = list(zip(*texts, strict=True)) if len(sides) == 2 else []
    if pairs and all(text.isdecimal() and int(text) <= rules.board.cells for pair in pairs for text in pair):
        fits = [
            Outcome("-".join(pair), rules).fits(end)
            for pair, end in zip(pairs, ends, strict=True)
            if end is not None
        ]
        black, white = (grid.titles[side] for side in sides)
        if 0 < 3 * sum(fits) <= 2 * len(fits):
            return (
                f"columns {black} and {white}: as discs (result={black},white_discs={white}) they fit"
                f" {sum(fits)} of {len(fits)} finished games; as players they name {pairs[0][0]} and {pairs[0][1]}"
            )
        if any(fits) or (not fits and all(sum(map(int, pair)) == rules.board.cells for pair in pairs)):
            del found["black"], found["white"]
            found |= {} if "result" in found else {"result": sides[0], "white_discs": sides[1]}
    if "result" in found and "white_discs" not in found:
        title, key = grid.titles[found["result"]], found["result"]
        if why := numbers_contradict(list(zip(grid.texts(key), ends, strict=True)), rules):
            del found["result"]  # which leaves it to the board
            return f"column {title} has no results: {why}"
    return ""


def _move_on_each_row(grid: Grid, start: Position) -> dict[str, Key]:
    """Return the columns of a table with a move on each row: the moves, and what tells the games apart, if any."""
    roles = {key: role for _, _, role, key in reversed(grid.roles)}
    keys = sorted(grid.keys[:_MOST_COLUMNS], key=lambda key: roles.get(key) not in ("moves", "id", "ply"))
    first = [key for key in keys if grid.rows and count_moves(grid.texts(key)[0], start) == 1]
    for moves in sorted(first, key=lambda key: roles.get(key) != "moves")[:_MOST_TRIES]:
        apart = [{"ply" if roles.get(key) == "ply" else "id": key} for key in keys[:_MOST_TRIES] if key != moves]
        for more in (*apart, dict[str, Key]()):
            if is_by_move(grid, columns := {"moves": moves, **more}, start):
                return columns
    return {}


def is_by_move(grid: Grid, columns: Mapping[str, Key], start: Position) -> bool:
    """Return whether the rows have a move each: those with the same id are a game, or those with growing plies."""
    games = grid.by_move(columns).cells(columns["moves"])
    return 0 < 2 * len(games) <= len(grid.rows) and all(
        isinstance(cells, list)
        and len(moves := read_cell_moves(cells, start).moves) == len(cells)
        and replay_line(start, moves, put_in=PASS.index not in moves)[2]
        for cells in games
    )


def games_by_move(rows: Iterable[Row], columns: Mapping[str, Key]) -> Iterator[Row]:
    """Yield a row for each game of a table with a move on each row; it has the result of the last."""

    def is_new(row: Row, last: Row) -> bool:
        if "id" in columns:
            return row.cells.get(columns["id"]) != last.cells.get(columns["id"])
        ply, before = (cell_text(one.cells.get(columns.get("ply", ""))) for one in (row, last))
        return ply.isdecimal() and before.isdecimal() and int(ply) < int(before)

    moves, result = columns["moves"], columns.get("result")
    game: Row | None = None
    last = Row(0, {})
    for row in rows:
        if row.error:
            yield row
            continue
        if game is None or is_new(row, last):
            if game is not None:
                yield game
            game = Row(row.line, {**row.cells, moves: []})
        turns = game.cells[moves]
        if isinstance(turns, list) and len(turns) < MAX_PARTS:
            turns.append(row.cells.get(moves))
        if result is not None and row.cells.get(result):
            game = Row(game.line, {**game.cells, result: row.cells[result]})
        last = row
    if game is not None:
        yield game


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
        if named:
            return named[0], "no column has moves in its rows"
        return None, "a table without a column of moves"
    where = grid.titles[longest]
    if longest not in whole:
        line = grid.rows[counts[longest].index(0)].line
        return longest, f"line {line} has no moves in column {where}"
    if grid.wrong is not None:
        return longest, f"line {grid.wrong.line}: {grid.wrong.error}"
    others = [
        key for key in grid.keys if key in whole or (key in named and any(map(begins_as_moves, grid.cells(key))))
    ]
    rival = next((key for key in others if key != longest and not _is_part(grid, key, longest)), None)
    if rival is not None:
        meant, other = (rival, longest) if rival in named and longest not in named else (longest, rival)
        names = grid.titles[meant], grid.titles[other]
        return meant, f"columns {' and '.join(names)} have moves (start={names[1]} where they come first)"
    return longest, ""


def _is_part(grid: Grid, one: Key, other: Key) -> bool:
    """Return whether a column has the first moves of another, and not the same: its openings."""
    short, long = ([read_cell_moves(cell).moves for cell in grid.cells(key)] for key in (one, other))
    return short != long and all(map(bytes.startswith, long, short))
