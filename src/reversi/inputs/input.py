"""What a person gave: a board, moves, a game, a file, ``FILE#3@20``; and the games and positions in it."""

from __future__ import annotations

import functools
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import NoneType
from typing import TYPE_CHECKING, BinaryIO, Final, NoReturn, Self, TypeVar

from reversi._core import Position
from reversi._system.paths import STANDARD_INPUT, may_exist, source_name
from reversi.arguments import FilePath, Frame, check_type, excerpt, is_frame
from reversi.color import Color
from reversi.errors import GameError, InputError, RecordError, SideToMoveError
from reversi.inputs.place import Place, is_file, parse_place
from reversi.inputs.positions import PositionEntry, game_positions, no_game, text_positions, with_side
from reversi.records.limits import held_back
from reversi.rules import OTHELLO, Rules
from reversi.text.boards import stated_rules
from reversi.text.decoding import check_encoding, decode_text
from reversi.text.kinds import TextKind, is_plain, text_kind

if TYPE_CHECKING:
    from reversi.game.game import Game
    from reversi.records.entry import Entry
    from reversi.records.formats.format import Format, TextFormat
    from reversi.records.formats.tables.columns import Row
    from reversi.records.formats.tables.table import TableOptions
    from reversi.records.record import Record
    from reversi.records.sources.opening import GameSource

_T = TypeVar("_T")

_MAX_HELD: Final = 1 << 22  # characters of entries that are held back while none is a position
_HEAD: Final = 1 << 16  # characters that show whether a text is a table of positions
_LONGEST_NAME: Final = 80  # characters of a text that may be meant as the name of a file
_LONGEST_PATH: Final = 4096  # the same with folders


class MissingInputError(InputError):
    """A text that is neither the name of a file, nor a position, nor a game."""


class Input:
    """What a text stands for: itself, a file, or standard input; of each perhaps one game and one ply.

    What it is, is found out once, when it is first asked. A file is opened when it is read.

    Args:
        place: the file, and perhaps the game and the ply.
        pasted: the text itself, where it is not a place.
        stdin: opens standard input.

    Attributes:
        place: as given.
        name: what messages call it; empty for a pasted text.
        problems: what was not found or damaged beside the games, a line each, once they are read.
        notes: how the games are read where the file does not say so itself, a line each, once they are read.
    """

    def __init__(
        self,
        place: Place,
        pasted: str | None = None,
        stdin: Callable[[], BinaryIO] | None = None,
        frame: Frame | None = None,
    ) -> None:
        self.place = place
        self.name: str = "" if pasted is not None else source_name(place.path)
        self.problems: list[str] = []
        self.notes: list[str] = []
        self._text = pasted
        self._stdin = stdin
        self._frame = frame
        self._rules = ""  # those that a pasted text names

    @functools.cached_property
    def tables(self) -> TableOptions:
        """How tables are read; set it before anything is."""
        from reversi.records.formats.tables.table import TableOptions

        return TableOptions()

    def read_as(self, encoding: str = "", columns: Sequence[str] = ()) -> Self:
        """Have a file of text read in an encoding, and a table of positions with columns; return this input.

        Raises:
            InputError: there is no such encoding, or the columns are not those of positions.
        """
        if encoding or columns:
            from reversi.inputs.position_tables import position_columns
            from reversi.records.formats.tables.table import TableOptions

            self.tables = TableOptions(position_columns(columns), encoding=check_encoding(encoding))
        return self

    @property
    def path(self) -> str:
        """The file that it is read from, ``-`` for standard input; empty for a pasted text."""
        return self.place.path if self.name else ""

    @property
    def text(self) -> str:
        """The text that it stands for; empty for games in a format that is not text.

        Raises:
            InputError: it holds neither text nor games, or too much.
            OSError: it cannot be read.
        """
        return self._content[0]

    @functools.cached_property
    def format(self) -> Format | None:
        """The format that it is in, `POSITIONS` for positions alone, ``None`` for an unknown one.

        Raises:
            InputError: it holds neither text nor games, or too much.
            OSError: it cannot be read.
        """
        from reversi.records.formats.registry import POSITIONS, recognize

        if self.has_board_rows:
            return POSITIONS
        text, format_ = self._content
        return format_ or recognize(text)

    @functools.cached_property
    def _content(self) -> tuple[str, Format | None]:
        """The text, or the format of games that are not text."""
        if self._text is None:
            with self._open() as source:
                if source.format is not None:
                    if self.place.path == STANDARD_INPUT:  # which gives its bytes once
                        data = source.stream().read()
                        self._stdin = lambda: io.BytesIO(data)
                    return "", source.format
                self._text = source.text()
                self.problems += source.problems
        if is_plain(self._text):
            return self._text, None
        from reversi.inputs.shapes import known_shape

        shaped = known_shape(self._text)
        self._text, self._rules = shaped.text, shaped.rules
        self.notes += filter(None, (shaped.note,))
        return self._text, None

    def _open(self) -> GameSource:
        from reversi.records.sources.opening import open_source

        if self.place.path != STANDARD_INPUT:
            return open_source(self.place.path, encoding=self.tables.encoding)
        stdin = _no_stdin() if self._stdin is None else self._stdin()
        return open_source(STANDARD_INPUT, stdin, self.tables.encoding)

    @functools.cached_property
    def has_board_rows(self) -> bool:
        """Whether it is a table with a position on each row, which is read a row at a time.

        Raises:
            InputError: it holds neither text nor games, or too much.
            OSError: it cannot be read.
        """
        if self._frame is not None or ("tables" in vars(self) and self.tables.columns):
            return True
        if self._text is not None or self.place.path == STANDARD_INPUT:
            return _is_table(self.text[:_HEAD])
        from reversi.inputs.position_tables import has_boards
        from reversi.records.formats.tables.table import BinaryTableFormat
        from reversi.records.sources.kinds import FileKind

        with self._open() as source:
            if isinstance(source.format, BinaryTableFormat):
                return has_boards(source.format.table(source.stream()))
            return source.kind is FileKind.TEXT and _is_table(source.head())

    def _board_rows(self) -> Iterator[Row]:
        """Yield the rows of a table of positions."""
        from reversi.records.formats.registry import table_format

        if self._frame is not None:
            from reversi.records.formats.tables.parquet_table import frame_rows

            yield from frame_rows(self._frame)
            return
        if self.place.path == STANDARD_INPUT:
            _ = self.text
        if self._text is not None:
            yield from table_format(self._text).table(iter([self._text]))
            return
        with self._open() as source:
            if rows := source.table(None if source.format else table_format(source.head())):
                yield from rows

    @property
    def means_games(self) -> bool:
        """Whether its games are meant, and not positions.

        Boards, lines of OBF and transcripts stand for positions. With a ply, a transcript is a game.
        """
        if self._text is not None and self.place.ply is None and is_plain(self._text):
            return False
        format_ = self.format
        if self.place.ply is None and format_ is not None and format_.name in ("transcript", "csv"):
            return text_kind(self.text) is not TextKind.TRANSCRIPT  # in CSV, a name and a tab before it
        return format_ is not None and format_.name not in ("positions", "obf")

    def entries(self, rules: Rules = OTHELLO, *, format_: TextFormat | None = None) -> Iterator[Entry]:
        """Read the games that are meant, one at a time: all, or the one that the place names.

        Args:
            rules: the rules of games that do not name their own.
            format_: the form of the text; recognized when not given.

        Raises:
            InputError: it holds no games, or no game of that number.
            OSError: it cannot be read.
        """
        return self._meant(self._games(rules, format_), lambda entry: entry.number, "game")

    def _games(self, rules: Rules, format_: TextFormat | None) -> Iterator[Entry]:
        if self._text is not None:
            from reversi.records.formats.format import TextFormat
            from reversi.records.formats.registry import read_games

            if isinstance(self.format, TextFormat):
                format_ = format_ or self.format
            yield from read_games(self._text, rules=rules, format_=format_, options=self.tables, notes=self.notes)
            return
        with self._open() as source:
            self.notes = source.notes
            yield from source.entries(rules=rules, format_=format_, options=self.tables)
            self.problems += source.problems

    def _meant(self, items: Iterator[_T], number_of: Callable[[_T], int], noun: str) -> Iterator[_T]:
        """Yield the items that are meant: all, or the one whose number the place names."""
        wanted, count = self.place.game, 0
        for item in items:
            count = number_of(item)
            if wanted in (None, count):
                yield item
            if wanted == count:
                return
        if wanted is not None:
            raise RecordError(no_game(wanted, count, noun), source=self.name)

    def game(self, rules: Rules = OTHELLO) -> tuple[Record, int | None]:
        """Return the game that is meant, the first of several, and how many of its turns to play.

        Raises:
            InputError: the game or the ply does not exist, or something is wrong with the game.
            OSError: it cannot be read.
        """
        entry = next(self.entries(rules), None)
        if entry is None:
            raise RecordError(no_game(1, 0), source=self.name)
        if entry.findings:
            finding = entry.findings[0]
            line = f":{finding.line}" if finding.line else ""
            source = f"{self.name}{line}" if self.name else ""
            raise InputError(f"game {entry.number}: {finding.message}", source=source)
        plies = len(entry.record.moves)
        if self.place.ply is not None and self.place.ply > plies:
            from reversi.records.replay import no_ply

            raise RecordError(f"game {entry.number}: {no_ply(self.place.ply, plies)}", source=self.name)
        return entry.record, self.place.ply

    def positions(
        self,
        rules: Rules | None = None,
        to_move: Color | None = None,
        ask: Callable[[PositionEntry], Color | None] | None = None,
    ) -> Iterator[PositionEntry]:
        """Read the positions that are meant, one per board, line of OBF, transcript or game.

        A bad entry is an entry with an error; the ones after it follow.

        Args:
            rules: the rules where the text names none; ``othello`` when not given.
            to_move: the side to move where the text neither states nor proves it.
            ask: asks a person for the side to move of an entry that lacks it.

        Raises:
            InputError: none of the first 1000 entries is a position; or the game does not exist.
            OSError: it cannot be read.
        """

        def is_nothing(entry: PositionEntry) -> bool:
            return entry.position is None and not (ask and isinstance(entry.error, SideToMoveError))

        positions = self._positions(rules, to_move)
        for entry in held_back(positions, is_nothing, lambda entry: len(entry.text), _MAX_HELD, self._no_position):
            unknown = entry.text and isinstance(entry.error, SideToMoveError)
            side = ask(entry) if ask is not None and unknown else None
            yield entry if side is None else with_side(entry, rules, side)

    def _positions(self, rules: Rules | None, to_move: Color | None) -> Iterator[PositionEntry]:
        if self.has_board_rows:
            from reversi.inputs.position_tables import read_table

            rows = read_table(self._board_rows(), rules, to_move, self.notes, self.tables.columns)
            return self._meant(rows, lambda entry: entry.index, "position")
        means_games = self.means_games
        if self._rules:
            rules = stated_rules(self._rules, rules)
        if means_games:
            return game_positions(self.entries(rules or OTHELLO), self.place.ply)
        if self.place.ply is not None:
            raise RecordError(f"@{self.place.ply}: only a game has plies, not a position")
        return self._meant(text_positions(self.text, rules, to_move), lambda entry: entry.index, "position")

    def _no_position(self, held: list[PositionEntry]) -> InputError:
        first, last = held[0], held[-1]
        source = f"{self.name}:{first.line}" if self.name else f"line {first.line}"
        what = f"{first.error}; none of the {len(held)} entries up to line {last.line} is a position"
        return InputError(what, source=source)

    def start(self, rules: Rules = OTHELLO) -> tuple[Record | Position, int | None]:
        """Return the one game or position that is meant, and how many turns of the game to play.

        Of several games without a number the first is meant, and the first position of a file; a pasted text has
        one position.

        Raises:
            InputError: it has none, or is damaged.
            OSError: it cannot be read.
        """
        from reversi.records.formats.registry import POSITIONS

        if self.format is not POSITIONS:
            return self.game(rules)
        if not self.name:
            return only_position(self, rules), None
        entry = next(self.positions(rules))
        return _position_of(entry, f"{self.name}:{entry.line}"), None


def _is_table(head: str) -> bool:
    if is_plain(head):
        return False
    from reversi.inputs.position_tables import is_table

    return is_table(head)


def _no_stdin() -> NoReturn:
    raise InputError("standard input cannot be opened as a file; give the name of one")


def resolve(text: str, *, stdin: Callable[[], BinaryIO] | None = None) -> Input:
    """Find out what a text stands for: a file, ``FILE#3@20``, ``-`` for standard input, or the text itself.

    A file of that literal name wins. Nothing is read yet.

    Args:
        text: what a person gave: the name of a file, a place, or a board, moves or games.
        stdin: opens standard input; without it ``-`` is an error when it is read.

    Raises:
        PlaceError: the place names game 0.
        MissingInputError: no file has the name, and the text is neither a position nor a game.
        InputError: the text is empty, or binary data.
    """
    place = parse_place(text)
    if place.path == STANDARD_INPUT or is_file(place.path):
        return Input(place, stdin=stdin)
    pasted_text = decode_text(text.encode("utf-8", "surrogateescape"), "the text")  # arguments may be Latin-1
    pasted = Input(Place(text), pasted_text)
    if is_plain(pasted_text):
        return pasted
    from reversi.inputs.shapes import EXAMPLES
    from reversi.records.record import is_result

    is_known = pasted.format is not None or pasted.has_board_rows
    if is_known and not is_result(pasted_text.strip()):  # * is a pattern without a file
        return pasted
    if not pasted_text.strip():
        raise InputError("the text is empty; give a board, a line of OBF, moves or a file")
    longest = _LONGEST_PATH if "/" in text or os.sep in text else _LONGEST_NAME
    if len(text) > longest or "\n" in text:
        raise InputError(f"{excerpt(text)} is neither a board, nor a line of OBF, nor a game; {EXAMPLES}")
    if not may_exist(place.path):
        what = f"no such file, and neither a board, nor a line of OBF, nor a game; {EXAMPLES}"
        raise MissingInputError(what, source=text)
    return Input(place, stdin=stdin)


def moves_or_text(text: str) -> str:
    """Return the moves of the opening that a text names; another text as it is. A file of the name wins.

    Raises:
        MissingInputError: the text can only be a name, and no file or opening has it.
    """
    from reversi.openings.names import OpeningError, opening_named

    if is_file(text) or not text.strip():
        return text
    try:
        return opening_named(text).transcript
    except OpeningError as error:
        if text.replace(" ", "").isalpha() and not may_exist(text):
            raise MissingInputError(f"no such file, and {error}", source=text) from None
    return text


def read_positions(
    source: FilePath | Frame,
    rules: Rules | None = None,
    to_move: Color | None = None,
    *,
    encoding: str = "",
    columns: Mapping[str, str | int] | None = None,
) -> Iterator[PositionEntry]:
    """Read the positions of anything: one per board, line of OBF, transcript or game, in order.

    A bad entry is an entry with an error; the ones after it follow.

        >>> from reversi import read_positions
        >>> [entry.position.empties for entry in read_positions("examples/games.pgn#1@20")]
        [40]

    Args:
        source: boards, moves, lines of OBF or games as text; or a file of them: its name, a `pathlib.Path`, or a
            place such as ``games.pgn#3@20``, the third game up to ply 20. A file wins over a text
            of the same letters. A table in memory (of polars, pandas, PyArrow) has a board in each row.
        rules: the rules where the text names none; ``othello`` when not given.
        to_move: the side to move where the text neither states nor proves it.
        encoding: the encoding of a file of text, as in `reversi.open_records`.
        columns: what columns of a table say, as in ``{"board": "position", "score": 3}``: for ``board``,
            ``to_move``, ``score``, ``rules``, ``after_pass`` and ``ended`` the name of a column, or its number.
            Guessed when not given.

    Raises:
        InputError: none of the first 1000 entries is a position; the game does not exist; or there is no such
            encoding or column.
        MissingFileError: no file has the name of the path.
        OSError: the file cannot be read.
    """
    check_type("columns", columns, Mapping, NoneType)
    named = [f"{role}={column}" for role, column in (columns or {}).items()]
    yield from _given(source, rules, to_move, encoding, named).positions(rules, to_move)


def read_position(
    source: FilePath, rules: Rules = OTHELLO, to_move: Color | None = None, *, encoding: str = ""
) -> Position:
    """Read the one position of anything; see `read_positions`. `Position.parse` reads text alone.

        >>> from reversi import read_position
        >>> read_position("f5d6c3") == read_position("1. f5 d6 2. c3")
        True

    Args:
        source: as in `read_positions`.
        rules: the rule set.
        to_move: the side to move where the text neither states nor proves it.
        encoding: as in `read_positions`.

    Raises:
        InputError: it has none, more than one, or it cannot be read.
        MissingFileError: no file has the name of the path.
        OSError: the file cannot be read.
    """
    return only_position(_given(source, rules, to_move, encoding), rules, to_move)


def _given(
    source: FilePath | Frame,
    rules: Rules | None,
    to_move: Color | None,
    encoding: str,
    columns: Sequence[str] = (),
) -> Input:
    check_type("rules", rules, Rules, NoneType, advice="parse_rules reads text")
    check_type("to_move", to_move, Color, NoneType)
    if is_frame(source):
        return Input(Place(""), "", frame=source).read_as(encoding, columns)
    given = resolve(source) if isinstance(source, str) else Input(Place(os.fspath(source)))
    return given.read_as(encoding, columns)


def load_game(place: str, rules: Rules = OTHELLO, *, encoding: str = "") -> Game:
    """Return the recorded game that ``FILE#3@20`` names, at that ply; `Game.redo` plays the plies after it.

    Without ``#`` it is the first game of the file, without ``@`` the whole of it. `reversi.open_records` gives the
    records of games, with their tags.

        >>> from reversi.inputs import load_game
        >>> game = load_game("examples/games.pgn#1@20")
        >>> len(game), game.position.empties, game.can_redo
        (20, 40, 43)

    Args:
        place: the file, and perhaps the game and the ply.
        rules: the rules of games that do not name their own.
        encoding: the encoding of a file of text, as in `reversi.open_records`.

    Raises:
        InputError: the game or the ply does not exist, or something is wrong with the game; an `IllegalMoveError`
            for an illegal move. The message names the place.
        OSError: the file cannot be read.
        ValueError: no file can have such a name.
    """
    from reversi.records.from_game import game_from_record

    record, ply = load_record(place, rules, encoding)
    try:
        game = game_from_record(record)
    except InputError as error:
        raise error.located(place) from None
    except GameError as error:
        raise RecordError(str(error), source=place) from None
    game.undo(0 if ply is None else len(game) - ply)
    return game


def load_record(place: str, rules: Rules = OTHELLO, encoding: str = "") -> tuple[Record, int | None]:
    """Return the record of the game that ``FILE#3@20`` names, and how many turns to play, or ``None``."""
    check_type("rules", rules, Rules, advice="parse_rules reads text")
    return file_at(place).read_as(encoding).game(rules)


def file_at(place: str) -> Input:
    """Return the file that ``FILE#3@20`` names, and the game and the ply of it; nothing is read yet.

    Raises:
        InputError: it is standard input, or game 0.
    """
    where = parse_place(place)
    if where.path == STANDARD_INPUT:
        _no_stdin()
    return Input(where)


def positions_in(text: str, rules: Rules | None = None, to_move: Color | None = None) -> Iterator[PositionEntry]:
    """Read the positions in anything pasted, or in the contents of a file; see `Input.positions`."""
    return Input(Place(""), text).positions(rules, to_move)


def parse_position(text: str, rules: Rules = OTHELLO, to_move: Color | None = None) -> Position:
    """Return the one position of a pasted text: a board, a line of OBF, a transcript.

    Args:
        text: the text.
        rules: the rule set.
        to_move: the side to move, where the text does not show it.

    Raises:
        InputError: it has none or several, or cannot be read.
    """
    check_type("rules", rules, Rules, advice="parse_rules reads text")
    return only_position(Input(Place(text), text), rules, to_move)


def only_position(given: Input, rules: Rules = OTHELLO, to_move: Color | None = None) -> Position:
    """Return the one position of an input.

    Raises:
        InputError: it has none, more than one, or it cannot be read.
        OSError: it cannot be read.
    """
    first, second = next(entries := given.positions(rules, to_move), None), None
    if first is not None:
        second = next(entries, None)
    if first is None or second is not None:
        raise InputError("more than one position; give one" if first else "not a position", source=given.name)
    return _position_of(first, given.name)


def _position_of(entry: PositionEntry, source: str) -> Position:
    if entry.error is not None:
        raise entry.error.located(source)
    assert entry.position is not None
    return entry.position
