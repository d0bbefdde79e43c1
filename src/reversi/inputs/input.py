"""What a person gave: a board, moves, a game, a file, ``FILE#3@20``; and the games and positions in it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from types import NoneType
from typing import BinaryIO, Final

from reversi._core import Position
from reversi._system.paths import may_exist
from reversi.arguments import FilePath, check_type, open_file
from reversi.color import Color
from reversi.errors import GameError, InputError, RecordError, SideToMoveError
from reversi.game.game import Game
from reversi.inputs.place import Place, is_file, parse_place
from reversi.inputs.positions import PositionEntry, no_game, positions_in
from reversi.records.entry import Entry
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import POSITIONS, read_games, recognize
from reversi.records.formats.tables.table import TableOptions
from reversi.records.from_game import game_from_record
from reversi.records.limits import MAX_STRANGE
from reversi.records.record import Record, format_records, is_result
from reversi.records.replay import no_ply
from reversi.records.sources.finding import STANDARD_INPUT, source_name
from reversi.records.sources.kinds import HEAD_BYTES, FileKind, recognize_file
from reversi.records.sources.opening import open_source
from reversi.records.sources.packing import is_packed, unpacked
from reversi.rules import OTHELLO, Rules
from reversi.text.decoding import decode_text, excerpt

MAX_INPUT: Final = 64 << 20
"""The largest file whose positions are read, in bytes."""

_MAX_HELD: Final = 1 << 22  # characters of entries that are held back while none is a position
_LONGEST_NAME: Final = 80  # characters of a text that may be meant as the name of a file
_LONGEST_PATH: Final = 4096  # the same with folders


class MissingInputError(InputError):
    """A text that is neither the name of a file, nor a position, nor a game."""


class Input:
    """What a text stands for: itself, a file, or standard input; of each perhaps one game and one ply.

    Standard input can be read once: take `text`, `entries` or `positions`. A file is opened when it is read.

    Args:
        place: the file, and perhaps the game and the ply.
        pasted: the text itself, where it is not a place.
        stdin: opens standard input.

    Attributes:
        place: as given.
        tables: how tables are read.
        problems: what was not found or damaged beside the games, a line each, once they are read.
        notes: how the games are read where the file does not say so itself, a line each, once they are read.
    """

    def __init__(
        self, place: Place, pasted: str | None = None, stdin: Callable[[], BinaryIO] | None = None
    ) -> None:
        check_type("place", place, Place)
        self.place = place
        self.tables = TableOptions()
        self.problems: list[str] = []
        self.notes: list[str] = []
        self._text = pasted
        self._stdin = stdin
        self.name = "" if pasted is not None else source_name(place.path)
        """What messages call it; empty for a pasted text."""

    @property
    def path(self) -> str:
        """The file that it is read from, ``-`` for standard input; empty for a pasted text."""
        return self.place.path if self.name else ""

    @property
    def text(self) -> str:
        """The text that it stands for; games that are not text as records in this project's format.

        Raises:
            InputError: it holds none, or more than `MAX_INPUT` bytes.
            OSError: it cannot be read.
        """
        if self._text is None:
            self._text = self._read()
        return self._text

    def _read(self) -> str:
        if self.place.path == STANDARD_INPUT:
            data = _no_stdin() if self._stdin is None else self._stdin().read(MAX_INPUT + 1)
        else:
            with open_file(self.place.path) as stream:
                data = stream.read(MAX_INPUT + 1)
        if is_packed(data):
            with unpacked(io.BytesIO(data), data[:HEAD_BYTES], self.name) as stream:
                data = stream.read(MAX_INPUT + 1)
        if len(data) > MAX_INPUT:
            raise InputError(f"more than {MAX_INPUT >> 20} MB; split it", source=self.name)
        format_ = recognize_file(data[:HEAD_BYTES], len(data)).format
        if format_ is not None:
            return "".join(format_records(entry.record for entry in format_.read(io.BytesIO(data), None, [])))
        return decode_text(data, self.name)

    @property
    def holds_games(self) -> bool:
        """Whether its text has games, transcripts included, and not only positions."""
        return recognize(self.text) not in (None, POSITIONS)

    def entries(self, rules: Rules = OTHELLO, *, format_: TextFormat | None = None) -> Iterator[Entry]:
        """Read the games that are meant, one at a time: all, or the one that the place names.

        Args:
            rules: the rules of games that do not name their own.
            format_: the form of the text; recognized when not given.

        Raises:
            InputError: it holds no games, or no game of that number.
            OSError: it cannot be read.
        """
        wanted, count = self.place.game, 0
        for entry in self._games(rules, format_):
            count = entry.number
            if wanted in (None, count):
                yield entry
            if wanted == count:
                return
        if wanted is not None:
            raise RecordError(no_game(wanted, count), source=self.name)

    def _games(self, rules: Rules, format_: TextFormat | None) -> Iterator[Entry]:
        if self._text is not None:
            yield from read_games(self._text, rules=rules, format_=format_, options=self.tables, notes=self.notes)
            return
        stdin = None
        if self.place.path == STANDARD_INPUT and self._stdin is not None:
            stdin = self._stdin()
        with open_source(self.place.path, stdin) as source:
            self.notes = source.notes
            yield from source.entries(rules=rules, format_=format_, options=self.tables)
            self.problems += source.problems

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
            raise RecordError(f"game {entry.number}: {no_ply(self.place.ply, plies)}", source=self.name)
        return entry.record, self.place.ply

    def positions(
        self, rules: Rules | None = None, to_move: Color | None = None, *, asking: bool = False
    ) -> Iterator[PositionEntry]:
        """Read the positions that are meant, one per board, line of OBF, transcript or game.

        A bad entry is an entry with an error; the ones after it follow.

        Args:
            rules: the rules where the text names none; ``othello`` when not given.
            to_move: the side to move where the text neither states nor proves it.
            asking: whether the caller asks a person for a side to move that is not known, so that a position
                without it counts as one.

        Raises:
            InputError: none of the first 1000 entries is a position; or the game does not exist.
            OSError: it cannot be read.
        """
        held: list[PositionEntry] = []
        size = 0
        positions = positions_in(
            self.text,
            rules,
            to_move,
            game=self.place.game,
            ply=self.place.ply,
            options=self.tables,
            notes=self.notes,
        )
        for entry in positions:
            held.append(entry)
            size += len(entry.text)
            is_position = entry.position is not None or (asking and isinstance(entry.error, SideToMoveError))
            if is_position or size > _MAX_HELD:
                break
            if len(held) == MAX_STRANGE:
                raise self._no_position(held)
        yield from held
        held.clear()
        yield from positions

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
        if not self._is_positions():
            return self.game(rules)
        if not self.name:
            return parse_position(self.text, rules), None
        entry = next(self.positions(rules))
        return _position_of(entry, f"{self.name}:{entry.line}"), None

    def _is_positions(self) -> bool:
        """Return whether it is a text of positions alone. Games are not read for that, as there may be many."""
        if self._text is None and self.place.path != STANDARD_INPUT:
            with open_source(self.place.path) as source:
                if source.kind is not FileKind.TEXT:
                    return False
                self._text = source.text()
        return recognize(self.text) is POSITIONS


def _no_stdin() -> bytes:
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
    check_type("text", text, str)
    place = parse_place(text)
    if place.path == STANDARD_INPUT or is_file(place.path):
        return Input(place, stdin=stdin)
    pasted_text = decode_text(text.encode("utf-8", "surrogateescape"), "the text")  # arguments may be Latin-1
    if recognize(pasted_text) is not None and not is_result(pasted_text.strip()):  # * is a pattern without a file
        return Input(Place(text), pasted_text)
    if not pasted_text.strip():
        raise InputError("the text is empty; give a board, a line of OBF, moves or a file")
    longest = _LONGEST_PATH if "/" in text or os.sep in text else _LONGEST_NAME
    if len(text) > longest or "\n" in text:
        raise InputError(f"{excerpt(text)} is neither a board, nor a line of OBF, nor a game")
    if not may_exist(place.path):
        what = "no such file, and neither a board, nor a line of OBF, nor a game"
        raise MissingInputError(what, source=text)
    return Input(place, stdin=stdin)


def read_positions(
    source: FilePath, rules: Rules | None = None, to_move: Color | None = None
) -> Iterator[PositionEntry]:
    """Read the positions of anything: one per board, line of OBF, transcript or game, in order.

    A bad entry is an entry with an error; the ones after it follow.

        >>> from reversi import read_positions
        >>> [entry.position.empties for entry in read_positions("examples/games.pgn#1@20")]
        [40]

    Args:
        source: boards, moves, lines of OBF or games as text; or a file of them: its name, a `pathlib.Path`, or a
            place such as ``games.pgn#3@20``, the third game up to ply 20. A file wins over a text
            of the same letters.
        rules: the rules where the text names none; ``othello`` when not given.
        to_move: the side to move where the text neither states nor proves it.

    Raises:
        InputError: none of the first 1000 entries is a position; or the game does not exist.
        MissingFileError: no file has the name of the path.
        OSError: the file cannot be read.
    """
    yield from _given(source, rules, to_move).positions(rules, to_move)


def read_position(source: FilePath, rules: Rules = OTHELLO, to_move: Color | None = None) -> Position:
    """Read the one position of anything; see `read_positions`. `Position.parse` reads text alone.

        >>> from reversi import read_position
        >>> read_position("f5d6c3") == read_position("1. f5 d6 2. c3")
        True

    Args:
        source: as in `read_positions`.
        rules: the rule set.
        to_move: the side to move where the text neither states nor proves it.

    Raises:
        InputError: it has none, more than one, or it cannot be read.
        MissingFileError: no file has the name of the path.
        OSError: the file cannot be read.
    """
    return only_position(_given(source, rules, to_move), rules, to_move)


def _given(source: FilePath, rules: Rules | None, to_move: Color | None) -> Input:
    check_type("source", source, str, os.PathLike)
    check_type("rules", rules, Rules, NoneType, advice="parse_rules reads text")
    check_type("to_move", to_move, Color, NoneType)
    return resolve(source) if isinstance(source, str) else Input(Place(os.fspath(source)))


def load_game(place: str, rules: Rules = OTHELLO) -> Game:
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

    Raises:
        InputError: the game or the ply does not exist, or something is wrong with the game; an `IllegalMoveError`
            for an illegal move. The message names the place.
        OSError: the file cannot be read.
        ValueError: no file can have such a name.
    """
    record, ply = load_record(place, rules)
    try:
        game = game_from_record(record)
    except InputError as error:
        raise error.located(place) from None
    except GameError as error:
        raise RecordError(str(error), source=place) from None
    game.undo(0 if ply is None else len(game) - ply)
    return game


def load_record(place: str, rules: Rules = OTHELLO) -> tuple[Record, int | None]:
    """Return the record of the game that ``FILE#3@20`` names, and how many turns to play, or ``None``."""
    check_type("rules", rules, Rules, advice="parse_rules reads text")
    return file_at(place).game(rules)


def file_at(place: str) -> Input:
    """Return the file that ``FILE#3@20`` names, and the game and the ply of it; nothing is read yet.

    Raises:
        InputError: it is standard input, or game 0.
    """
    check_type("place", place, str)
    where = parse_place(place)
    if where.path == STANDARD_INPUT:
        _no_stdin()
    return Input(where)


def parse_position(text: str, rules: Rules = OTHELLO, to_move: Color | None = None) -> Position:
    """Return the one position of a pasted text: a board, a line of OBF, a transcript.

    Args:
        text: the text.
        rules: the rule set.
        to_move: the side to move, where the text does not show it.

    Raises:
        InputError: it has none or several, or cannot be read.
    """
    check_type("text", text, str)
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
