"""Files of transcripts: one game per line, or one game over several lines.

A file is one game when no square comes twice in it and a line after the first does not begin as a game can, or is
illegal alone and legal after the lines before it; otherwise every line is a game. Blank lines and those that begin
with ``%`` or ``#`` are skipped, and so is a count of the games in front of them; what follows a ``%``, or a blank
and ``#``, after moves is a comment on the game. A board and a semicolon before the moves give another start, as in
Edax. Passes that a game leaves out are put in, unless it writes any; without another result it is that of the
board, or ``*``.

A line may begin with its number, as in ``1<TAB>f5d6``, which is not kept. After the moves a result may follow
(``f5d6 -1``; see `reversi.records.formats.results`), or, after a tab or several blanks, a name, as in the lists of
openings of Zebra, which becomes a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final, NamedTuple

from reversi._core import PASS, Position, replay_line
from reversi.errors import InputError, RecordError
from reversi.records.capabilities import capabilities
from reversi.records.dialects import complete_entry, passes_follow
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.format import TextFormat
from reversi.records.formats.results import NUMBERS, bare_numbers_fit, numbers_mean, read_result
from reversi.records.limits import MAX_STRANGE
from reversi.records.notes import clean_comments
from reversi.records.record import SPELLED, Line, Record
from reversi.records.replay import board_result, flipped_by_hand, play_line
from reversi.rules import OTHELLO, Rules
from reversi.text.boards import format_board, read_board_line
from reversi.text.decoding import excerpt, iter_lines
from reversi.text.kinds import TextKind, text_kind
from reversi.text.transcripts import (
    TranscriptToken,
    begins_with_square,
    format_transcript,
    read_transcript_moves,
    tokenize_transcript,
)

HEAD: Final = 100_000
"""The characters at the beginning of a text that show what it is."""


SHOWN: Final = 100
"""The lines at the top of a text that show what the numbers behind the moves say."""

_SQUARE: Final = "[a-hA-H][1-8]"
_COUNT: Final = re.compile("[0-9]{1,7}")
_LABEL: Final = re.compile(rf"\s*[0-9]{{1,9}}(?:\t\s*+|[ ]*:[ ]*+|[ ]++)(?={_SQUARE})")
_SPELLED: Final = SPELLED.replace("([", "(?:[")
_COMMENT: Final = re.compile(r"%|(?<=\s)#")
_RESULT: Final = re.compile(
    rf"(?<={_SQUARE})(?:\t|[ ]++|[ ]*[:,][ ]*+)"
    rf"([+-]?[0-9]{{1,2}}|{_SPELLED}|\({_SPELLED}\)|\*)\s*+$"
)
_BARE: Final = re.compile("[2-9]|[0-9]{2}")
_NAME: Final = re.compile(  # at most 200 characters: each of many places in a long line costs no more
    rf"(?<={_SQUARE})(?:\t|[ ]{{2}})[ \t]*+(?!\S{{0,200}}[0-9]|(?:[pP][aAsSpP]|[pP]ass|PASS)\b)"
    r"([^\W\d_](?=[^\t]{0,200}(?:[^\W\d_]{3}|\.)|[^\W\d_]{2})[^\t]{0,200})$"
)


class _GameLine(NamedTuple):
    """A line that is a game, or a part of one: what is on it, where the moves begin, and what is wrong with it.

    ``after`` is the column of its result.
    """

    number: int
    board: str | None
    text: str
    moves: bytes
    strange: TranscriptToken | None
    shift: int
    error: str
    comment: str = ""
    result: str = ""
    numbered: bool = False
    after: int = 0


def read_transcripts(text: str, *, rules: Rules = OTHELLO) -> Iterator[Entry]:
    """Yield the games of a file of transcripts, one at a time."""
    start = Position(rules)
    if (whole := _one_game(text, start)) is not None:
        yield _entry(1, whole, start)
        return
    number = 0
    doubtful: list[Entry] = []  # wrong lines at the top, or no transcripts at all
    lines = _lines(text)
    top = list(islice(lines, SHOWN))
    number_is, note = _numbers_mean(top, start)
    for line in chain(top, lines):
        number += 1
        entry = _entry(number, [line], start, number_is)
        entry.note = note
        if len(doubtful) == number - 1 and _is_nothing(entry):
            doubtful.append(entry)
            if number == MAX_STRANGE:
                break
            continue
        if len(doubtful) == number - 1:
            yield from doubtful
            doubtful.clear()
        yield entry
    if doubtful:
        first = doubtful[0].findings[0]
        raise RecordError(f"line {first.line}: {first.message}; the text contains no games", first.line or 0)


def game_lines(text: str, rules: Rules = OTHELLO) -> tuple[int, int]:
    """Return how many lines of a text are each a game and nothing else, and how many are not comments."""
    start = Position(rules)
    games = lines = 0
    for line in _lines(text):
        lines += 1
        if line.result and not _is_one_word(line.text):  # as in PGN-like text without tags
            continue
        if line.moves and line.strange is None and (line.board is not None or _may_begin(line, start)):
            games += 1
    return games, lines


def _may_begin(line: _GameLine, start: Position) -> bool:
    """Return whether the first word of a line is a move that is allowed at the start."""
    return bool(line.moves) and replay_line(start, line.moves[:1], put_in=False)[2]


def _is_one_word(text: str) -> bool:
    """Return whether several moves follow one another without anything between them."""
    tokens = list(tokenize_transcript(text))
    if len(tokens) < 2:
        return False
    return tokens[-1].column + len(tokens[-1].text) - tokens[0].column == sum(len(token.text) for token in tokens)


def _is_nothing(entry: Entry) -> bool:
    codes = (Code.INVALID_MOVE, Code.SYNTAX)
    return not entry.record.line.numbers and any(finding.code in codes for finding in entry.findings)


def _lines(text: str) -> Iterator[_GameLine]:
    for number, line in iter_lines(text.removeprefix("\ufeff")):
        if isinstance(line, InputError):
            yield _GameLine(number, None, "", b"", None, 0, str(line))
        elif (body := line.strip()) and body[0] not in "%#":
            if number == 1 and _COUNT.fullmatch(body) and len(text.strip()) > len(body):
                continue
            begin, end, result, comment = game_part(line)
            game = line[begin:end]
            head, semicolon, after = game.partition(";")
            board, moves = (
                (head, after) if semicolon and head.strip() and not begins_with_square(head) else (None, game)
            )
            shift = begin + len(game) - len(moves)
            found, strange = read_transcript_moves(moves)
            at = line.find(result, end) + 1 if result else 0
            yield _GameLine(number, board, moves, found, strange, shift, "", comment, result, begin > 0, at)


def game_part(line: str) -> tuple[int, int, str, str]:
    """Return where the game on a line begins and ends, the result after it, and the comment."""
    if line.isalnum():  # nothing that could separate the moves from anything else
        return 0, len(line), "", ""
    begin = label.end() if (label := _LABEL.match(line)) else 0
    mark = _COMMENT.search(line, begin)
    end = mark.start() if mark else len(line)
    comment = line[mark.end() :] if mark else ""
    if found := _RESULT.search(line, begin, end):
        return begin, found.start(), found[1], comment
    if named := _NAME.search(line, begin, end):
        return begin, named.start(), "", f"{named[1]} {comment}"
    return begin, end, "", comment


def _numbers_mean(lines: list[_GameLine], start: Position) -> tuple[str, str]:
    """Return what the numbers behind the moves of some lines say, ``""`` for nothing, and a note of a guess."""
    cells = [
        (line.result, board_result(_entry(1, [line], start).record))
        for line in lines
        if line.result.lstrip("+-").isdecimal()
    ]
    if not cells:
        return "winner", ""
    if any(_BARE.fullmatch(text) for text, _ in cells) and not bare_numbers_fit(cells, start.rules):
        return "", ""
    number_is = numbers_mean(cells, start.rules)
    is_guess = number_is == "lead" and all(result is None for _, result in cells)
    return number_is, f"numbers after moves: read as {NUMBERS[number_is]}" if is_guess else ""


def _one_game(text: str, start: Position) -> list[_GameLine] | None:
    """Return the lines of a file that is one game on several lines, ``None`` for a file of any other form."""
    lines: list[_GameLine] = []
    seen: set[int] = set()
    begins_all = True
    for line in _lines(text):
        if line.error or line.numbered or (lines and (line.board is not None or lines[-1].result)):
            return None
        placements = line.moves.replace(bytes([PASS.index]), b"")
        if line.strange is not None or len(seen) + len(placements) > len(seen.union(placements)):
            return None
        seen.update(placements)
        if lines and not _may_begin(line, start):
            begins_all = False
        lines.append(line)
    if len(lines) < 2:
        return None
    if not begins_all:
        return lines
    alone = all(_is_legal([line], start) for line in lines[1:])
    return lines if not alone and _is_legal(lines, start) else None


def _is_legal(lines: list[_GameLine], start: Position) -> bool:
    record = _entry(1, lines, start).record
    return play_line(record.line, record.start).legal


def _entry(number: int, lines: list[_GameLine], start: Position, number_is: str = "lead") -> Entry:
    first = lines[0]
    record = Record(start=start)
    entry = Entry(number, first.number, record, ours=False)
    if first.error:
        entry.findings.append(Finding(Code.SYNTAX, first.error, None, first.number, 1))
        return entry
    record.line = Line.of_numbers(first.moves, first.number)
    for line in lines[1:]:
        record.line.nodes += Line.of_numbers(line.moves, line.number).nodes
    strange = first.strange  # a game on several lines has none
    if not number_is and _BARE.fullmatch(first.result):
        strange = TranscriptToken(first.result, None, 1, first.after - first.shift)
    if strange is not None:
        message = f"{excerpt(strange.text)} is not a move"
        ply, column = len(first.moves) + 1, strange.column + first.shift
        entry.findings.append(Finding(Code.INVALID_MOVE, message, ply, first.number, column))
    record.line.comments = clean_comments(line.comment for line in lines)
    if first.board is not None:
        try:
            board = read_board_line(first.board, start.rules)
            record.start = board.position(annotated=record.moves[:1])
        except InputError as error:
            entry.findings.append(Finding(Code.BAD_TAG, str(error), None, first.number, 1))
            return entry
    if (text := lines[-1].result) and not entry.findings:
        entry.result_line = lines[-1].number
        result = read_result(text, number_is or "winner", start.rules)
        if result is None:
            entry.findings.append(
                Finding(Code.SYNTAX, f"{excerpt(text)} is not a result", None, entry.result_line)
            )
        else:
            record.result = result.text
    complete_entry(entry)
    return entry


def format_record_moves(record: Record) -> str:
    """Return the moves of a game on one line, without its end: no forced passes, or all where one is a skip.

    A start that is not that of the rules comes before the moves, as a board and a semicolon.
    """
    if flipped_by_hand(record):
        raise RecordError("discs were flipped by hand, which a transcript cannot hold")
    text = format_transcript(record.moves, passes=not passes_follow(record))
    if record.start == Position(record.rules):
        if not text:
            raise RecordError("the game has no moves, which are all that a transcript holds")
        return text
    return f"{format_board(record.start)}; {text}"


def _recognize(text: str) -> bool:
    kind = text_kind(text)
    return kind is TextKind.TRANSCRIPT or (kind is None and game_lines(text[:HEAD])[0] > 0)  # after a heading


FORMAT: Final = TextFormat(
    name="transcript",
    title="a transcript",
    suffixes=(".txt", ".transcript"),
    holds=capabilities("starts"),
    recognize=_recognize,
    read=lambda text, rules: read_transcripts(text, rules=rules),
    write=lambda record, number: format_record_moves(record) + "\n",
)
