"""The positions in anything pasted, and in the contents of a file.

The positions of games are those after their last turns, or after the ply asked for. Any other text has one entry
per line (a line of OBF, a board, or a transcript, which stands for the position after its last move, in any
mixture), or boards on many lines, or one transcript over several lines. Blank lines and comments (``%``, ``#``) do
not matter. A name and a tab may come before a board or a transcript. A score from the mover's view may follow a
board with its side to move (``… X +4``) or, after a tab, a transcript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import reversi._regex as re
from reversi._core import Move, Position
from reversi.arguments import excerpt
from reversi.color import Color
from reversi.errors import InputError, RecordError
from reversi.rules import OTHELLO, Rules
from reversi.text.board_drawing import is_diagram_line
from reversi.text.boards import read_board
from reversi.text.cells import read_turn
from reversi.text.counting import counted
from reversi.text.decoding import MAX_ENTRY
from reversi.text.kinds import TextKind, begins_with_move, entry_lines, line_kind, text_kind
from reversi.text.transcripts import read_transcript

if TYPE_CHECKING:
    from reversi.records.entry import Entry

_MOST_LINES: Final = 130  # lines of one transcript, or of a board with its decoration
_FIRST_NUMBER = re.compile(r"\s*1(?:\.+|\))", re.ASCII)
_SCORE = re.compile(r"[+-]?\d{1,2}", re.ASCII)
_OTHERS: Final = (
    (r"\s*\(;\s*GM\[Othello", "a game in GGF"),
    (r"\s*\(;", "a game in SGF"),
    (r"\s*\{\s*\"", "JSON"),
    (r"\s*[rnbqkp1-8]{1,8}(?:/[rnbqkp1-8]{1,8}){7}\s", "a chess position"),
)
_NUMBERED = re.compile(r"\s*(?:[2-9]|\d\d+)(?:\.+|\))", re.ASCII)


@dataclass(frozen=True, slots=True)
class PositionEntry:
    """A position of a text, or the error in its place.

    Attributes:
        index: the number of the entry from 1; blank and comment lines have none.
        line: the number of its first line from 1.
        text: the entry as written.
        position: the position, or ``None`` with an error.
        annotated: the moves of an OBF line, with their scores in discs from the mover's view.
        score: the score of an OBF line without a move, or at the end of the line.
        comment: the comment of the line, after the name that a tab separates from the moves or the board.
        error: the reason why the entry has no position.
    """

    index: int
    line: int
    text: str
    position: Position | None = None
    annotated: tuple[tuple[Move, int], ...] = ()
    score: int | None = None
    comment: str = ""
    error: InputError | None = None

    @property
    def best(self) -> int | None:
        """The score that the text states for the position (that of its best move), or ``None``."""
        return max((score for _, score in self.annotated), default=self.score)


def game_positions(games: Iterator[Entry], ply: int | None = None) -> Iterator[PositionEntry]:
    """Yield the positions of games after their last turns, or after a ply."""
    from reversi.records.replay import position_after

    for entry in games:
        try:
            if entry.findings:
                first = entry.findings[0]
                raise RecordError(first.message, first.line or 0, first.column or 0)
            yield PositionEntry(entry.number, entry.line, "", position_after(entry.record, ply))
        except InputError as error:
            yield PositionEntry(entry.number, entry.line, "", error=error)


def no_game(wanted: int, count: int, noun: str = "game") -> str:
    """Return what a message says about a game, or what the noun names, that an input does not have."""
    return f"{noun} {wanted} does not exist: the input has {counted(count, noun)}"


def text_positions(text: str, rules: Rules | None = None, to_move: Color | None = None) -> Iterator[PositionEntry]:
    """Yield the positions of a text without games; keep only the text and one entry in memory."""
    whole = _whole(text, rules, to_move)
    for index, block in enumerate(_blocks(text, rules) if whole is None else [whole], 1):
        yield _entry(index, block, rules, to_move)


def with_side(entry: PositionEntry, rules: Rules | None, to_move: Color) -> PositionEntry:
    """Return an entry without a side to move, with that side to move."""
    return replace(next(text_positions(entry.text, rules, to_move)), index=entry.index, line=entry.line)


class _Block(NamedTuple):
    line: int  # of its first line
    kind: TextKind | None
    text: str | InputError


def _blocks(text: str, rules: Rules | None) -> Iterator[_Block]:
    """Yield the entries: single lines, and boards and games on many lines as one entry."""
    first, previous = 0, 0
    block: list[str] = []
    lines = entry_lines(text)
    top = [str(line).strip() for _, line in islice(entry_lines(text), 2)]
    games: Iterator[list[int]] = iter(())
    if len(top) > 1 and text_kind(text) is TextKind.TRANSCRIPT:
        from reversi.records.formats.transcript import lines_of_games

        if top[0].isdecimal():
            next(lines)  # a count of the transcripts
        games = lines_of_games(text, rules or OTHELLO)
    game: list[int] = []
    parts: list[str] = []
    for number, line in lines:
        kind = None if isinstance(line, InputError) else line_kind(line)
        while kind is TextKind.TRANSCRIPT and game[-1:] < [number]:
            game = next(games, [number])
        if number in game[:-1]:
            parts.append(str(line))
            continue
        if parts:
            yield _Block(game[0], TextKind.TRANSCRIPT, "\n".join([*parts, str(line)]))
            parts = []
            continue
        if block and (kind is not TextKind.DIAGRAM or number != previous + 1 or len(block) == _MOST_LINES):
            yield _Block(first, TextKind.DIAGRAM, "\n".join(block))
            block = []
        if kind is TextKind.DIAGRAM and isinstance(line, str):
            first = first if block else number
            block.append(line)
        else:
            yield _Block(number, kind, line)
        previous = number
    if block:
        yield _Block(first, TextKind.DIAGRAM, "\n".join(block))


def _entry(index: int, block: _Block, rules: Rules | None, to_move: Color | None) -> PositionEntry:
    number, kind, text = block
    if isinstance(text, InputError):
        return PositionEntry(index, number, "", error=text)
    if kind is None and "\t" in text:
        name, _, content = text.partition("\t")
        if (named := line_kind(content)) is not None:
            entry = _entry(index, _Block(number, named, content), rules, to_move)
            return replace(entry, text=text, comment=" ".join(filter(None, (name.strip(), entry.comment))))
    try:
        match kind:
            case TextKind.OBF:
                from reversi.text.obf import parse_obf

                obf = parse_obf(text, rules, to_move)
                return PositionEntry(index, number, text, obf.position, obf.annotated, obf.score, obf.comment)
            case TextKind.TRANSCRIPT if text.isalnum():
                return PositionEntry(index, number, text, read_transcript(text, rules, to_move).end)
            case TextKind.TRANSCRIPT if "\n" in text:
                from reversi.records.formats.transcript import game_part

                moves = "\n".join(line[slice(*game_part(line)[:2])] for line in text.splitlines())
                return PositionEntry(index, number, text, read_transcript(moves, rules, to_move).end)
            case TextKind.TRANSCRIPT:
                from reversi.records.formats.transcript import game_part

                moves, _, comment = text.partition("%")
                moves, score = _score_after(moves, "\t")
                first, last, result, more = game_part(moves)
                is_number = result.lstrip("+-").isdecimal()  # a score of either player, perhaps
                moves = moves[first : None if is_number else last]
                comment = f"{more.strip()} {comment.strip()}"
                end = read_transcript(moves, rules, to_move).end
                return PositionEntry(index, number, text, end, score=score, comment=comment.strip())
            case TextKind.BOARD:
                board, _, comment = text.partition("%")
                board, score = _score_after(board, None)
                position = read_board(board, rules).position(to_move)
                return PositionEntry(index, number, text, position, score=score, comment=comment.strip())
            case TextKind.DIAGRAM:
                return PositionEntry(index, number, text, read_board(text, rules).position(to_move))
    except InputError as error:
        return PositionEntry(index, number, text, error=error)
    other = next((name for form, name in _OTHERS if re.match(form, text, re.IGNORECASE)), None)
    what = (
        f"is {other}, not an Othello position"
        if other
        else "is neither a board, nor a line of OBF, nor a transcript"
    )
    return PositionEntry(index, number, text, error=InputError(f"{excerpt(text.strip())} {what}"))


def _score_after(text: str, separator: str | None) -> tuple[str, int | None]:
    """Split off a score at the end of a line: a signed one, or any after a separator or the side to move."""
    head, *last = text.replace(",", " " if separator is None else ",").rstrip().rsplit(separator, 1)
    if not last or not _SCORE.fullmatch(last[0].strip()):
        return text, None
    score = last[0].strip()
    if separator is None and score[0] not in "+-" and read_turn(head.split()[-1]) is None:
        return text, None
    return head, int(score)


def _whole(text: str, rules: Rules | None, to_move: Color | None) -> _Block | None:
    """Return a text that is one board, or one transcript over several lines; ``None`` for any other."""
    if len(text) > MAX_ENTRY:
        return None
    lines = list(islice(entry_lines(text), _MOST_LINES + 1))
    if not 1 < len(lines) <= _MOST_LINES or any(isinstance(line, InputError) for _, line in lines):
        return None
    number = lines[0][0]
    first, *rest = (str(line) for _, line in lines)
    kind = line_kind(first)
    if kind in (TextKind.BOARD, TextKind.DIAGRAM):
        is_one = all(map(is_diagram_line, rest)) and _reads(lambda: read_board(text, rules))
        return _Block(number, TextKind.DIAGRAM, text) if is_one else None
    if kind is TextKind.TRANSCRIPT or (kind is TextKind.OBF and first.rstrip().endswith(";")):
        joined = "\n".join([first, *rest])
        return _Block(number, TextKind.TRANSCRIPT, joined) if _is_one_game(first, rest, rules, to_move) else None
    return None


def _is_one_game(first: str, rest: list[str], rules: Rules | None, to_move: Color | None) -> bool:
    """Return whether lines are one transcript: move numbers continue, or only the whole text is a game."""
    if not begins_with_move(rest[0]):
        return False
    if _FIRST_NUMBER.match(first) and all(map(_NUMBERED.match, rest)):
        return True
    games = [_reads(partial(read_transcript, line, rules)) for line in rest]
    if _reads(lambda: read_transcript("\n".join([first, *rest]), rules, to_move)):
        return not all(games)
    # a wrong move must not make each line a game of its own
    return not any(games) and _reads(lambda: read_transcript(f"{first}\n{rest[0]}", rules))


def _reads(read: Callable[[], object]) -> bool:
    try:
        read()
    except InputError:
        return False
    return True
