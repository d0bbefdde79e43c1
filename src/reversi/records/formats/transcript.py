"""Files of transcripts: games on a line or on several, with or without their names above them.

A line continues the game before it where it is legal there and illegal from the start, and begins one otherwise; a
wrong move in it does not end the game. Lines without a gap that are a game together, but not each alone, are one.
Blank lines and those that begin with ``%`` or ``#`` are skipped, and so is a count of the games in front of them;
what follows a ``%``, or a blank and ``#``, after moves is a comment on the game. ``Black: Ann`` or ``Noir : Ann``
above moves is a tag. A board and a semicolon before the moves give another start, as in Edax. Passes that a game
leaves out are put in, unless it writes any; without another result it is that of the board, or ``*``.

A line may begin with its number, as in ``1<TAB>f5d6``, which is not kept. After the moves a result may follow
(``f5d6 -1``; see `reversi.records.formats.results`), or, after a tab or several blanks, a name, as in the lists of
openings of Zebra, which becomes a comment.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import PASS, Position, replay_line
from reversi.arguments import excerpt
from reversi.errors import InputError, RecordError
from reversi.records.dialects import complete_entry, passes_follow
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.format import TextFormat
from reversi.records.formats.results import NUMBERS, bare_numbers_fit, numbers_mean, read_result
from reversi.records.formats.tag_words import TAG_WORDS
from reversi.records.holding import capabilities
from reversi.records.limits import MAX_STRANGE
from reversi.records.notes import clean_comments
from reversi.records.record import SPELLED, PackedTurns, Record, Tags
from reversi.records.replay import board_result, flipped_by_hand
from reversi.rules import OTHELLO, Rules
from reversi.text.boards import format_board, read_board_line
from reversi.text.decoding import iter_lines
from reversi.text.kinds import TextKind, text_kind
from reversi.text.transcripts import (
    TranscriptToken,
    begins_with_square,
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
_TAGS: Final = {word: tag.capitalize() for tag, words in TAG_WORDS.items() for word in words.split()}
_WORD: Final = "|".join(sorted(map(re.escape, _TAGS), reverse=True))
_SAID: Final = re.compile(
    rf"({_WORD})\s*[:=\uff1a]\s*(?!{_SQUARE}\s*(?:{_SQUARE}|$))(\S.{{0,200}}?)\s*", re.IGNORECASE
)
_PARTS: Final = re.compile(rf"[\s,;|]+(?=(?:{_WORD})\s*[:=\uff1a])", re.IGNORECASE)
_MOST_LINES: Final = 128
_EITHER: Final = (
    "a line that may begin a game or continue the one before it begins one; write the moves of a game on one line"
)
_BARE: Final = re.compile("[2-9]|[0-9]{2}")
_NAME: Final = re.compile(  # at most 200 characters: each of many places in a long line costs no more
    rf"(?<={_SQUARE})(?:\t|[ ]{{2}})[ \t]*+((?:[A-H][1-8][ ](?=[A-Z]))?"  # E7 Buffalo
    r"(?!\S{0,200}[0-9]|(?:[pP][aAsSpP]|[pP]ass|PASS)\b)[^\W\d_](?=[^\t]{0,200}(?:[^\W\d_]{3}|\.)|[^\W\d_]{2})[^\t]{0,200})$"
)


class _GameLine(NamedTuple):
    """A line that is a game, or a part of one: what is on it, where the moves begin, and what is wrong with it.

    ``after`` is the column of its result; ``tags`` stand above it.
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
    tags: tuple[tuple[str, str], ...] = ()


def read_transcripts(text: str, *, rules: Rules = OTHELLO) -> Iterator[Entry]:
    """Yield the games of a file of transcripts, one at a time."""
    start = Position(rules)
    number = 0
    doubtful: list[Entry] = []  # wrong lines at the top, or no transcripts at all
    games = _games(_lines(text), start)
    top = list(islice(games, SHOWN))
    number_is, note = _numbers_mean([lines for lines, _ in top], start)
    for lines, is_either in chain(top, games):
        number += 1
        entry = _entry(number, lines, start, number_is)
        entry.note = _EITHER if is_either else note
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


def lines_of_games(text: str, rules: Rules = OTHELLO) -> Iterator[list[int]]:
    """Yield the numbers of the lines of each game."""
    for lines, _ in _games(_lines(text), Position(rules)):
        yield [line.number for line in lines]


def game_lines(text: str) -> tuple[int, int]:
    """Return how many lines of a text are each a game and nothing else, and how many are not comments."""
    start = Position()
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
    tags: tuple[tuple[str, str], ...] = ()
    for number, line in iter_lines(text):
        if isinstance(line, InputError):
            yield _GameLine(number, None, "", b"", None, 0, str(line))
        elif (body := line.strip()) and body[0] not in "%#":
            if number == 1 and _COUNT.fullmatch(body) and len(text.strip()) > len(body):
                continue
            if said := head_tags(body):
                tags += said
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
            yield _GameLine(number, board, moves, found, strange, shift, "", comment, result, begin > 0, at, tags)
            tags = ()


def head_tags(line: str) -> tuple[tuple[str, str], ...]:
    """Return the tags that a line above moves says, as ``Black: Ann`` and ``Date: 2024.05.01`` do."""
    if not (":" in line or "=" in line or "\uff1a" in line):  # the last in full width
        return ()
    parts = [_SAID.fullmatch(part) for part in _PARTS.split(line)]
    if not all(parts):
        return ()
    return tuple((_TAGS[found[1].casefold()], found[2]) for found in parts if found)


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


def _numbers_mean(games: list[list[_GameLine]], start: Position) -> tuple[str, str]:
    """Return what the numbers behind the moves of some games say, ``""`` for nothing, and a note of a guess."""
    cells = [
        (lines[-1].result, board_result(_entry(1, lines, start).record))
        for lines in games
        if lines[-1].result.lstrip("+-").isdecimal()
    ]
    if not cells:
        return "winner", ""
    if any(_BARE.fullmatch(text) for text, _ in cells) and not bare_numbers_fit(cells, start.rules):
        return "", ""
    number_is = numbers_mean(cells, start.rules)
    is_guess = number_is == "lead" and all(result is None for _, result in cells)
    return number_is, f"numbers after moves: read as {NUMBERS[number_is]}" if is_guess else ""


def _games(lines: Iterator[_GameLine], start: Position) -> Iterator[tuple[list[_GameLine], bool]]:
    """Yield the lines of each game, and whether its first line may also continue the game before it."""
    game: list[_GameLine] = []
    is_either = False
    for paragraph in _paragraphs(lines):
        together = len(paragraph) if _is_one_game(paragraph, start) else 1
        for part in (paragraph[:together], *([line] for line in paragraph[together:])):
            joins = _continues(game, part[0], start)
            if joins is _Joins.ONLY:
                game += part
                continue
            if game:
                yield game, is_either
            game, is_either = part, joins is _Joins.EITHER
    if game:
        yield game, is_either


class _Joins(enum.Enum):
    """Whether a line continues the game before it."""

    NOT = enum.auto()
    EITHER = enum.auto()
    ONLY = enum.auto()


def _continues(game: list[_GameLine], line: _GameLine, start: Position) -> _Joins:
    """Return whether a line continues a game: it is legal there and illegal from the start."""
    if not game or line.error or line.board is not None or not line.moves or line.tags:
        return _Joins.NOT
    if game[-1].result or len(game) == _MOST_LINES or any(part.error or part.strange for part in game):
        return _Joins.NOT
    end, legal = _replayed(game, start)
    if legal and end.is_over:
        return _Joins.NOT
    begins = _may_begin(line, start)
    if begins or legal:
        may_continue = legal and replay_line(end, line.moves[:1], put_in=True)[2]
    else:  # a wrong move must not make each line a game of its own
        may_continue = _are_apart([*game, line])
    if not may_continue or not begins:
        return _Joins.ONLY if may_continue else _Joins.NOT
    if line.strange is not None or not _replayed([*game, line], start)[1]:
        return _Joins.NOT
    return _Joins.EITHER if _replayed([line], start)[1] else _Joins.ONLY


def _replayed(lines: list[_GameLine], start: Position) -> tuple[Position, bool]:
    """Return the position after lines of one game, and whether all of its moves are allowed."""
    moves = b"".join([line.moves for line in lines])
    begin = start if lines[0].board is None else _entry(1, lines, start).record.start
    _, end, legal = replay_line(begin, moves, put_in=PASS.index not in moves)
    return end, legal


def _are_apart(lines: list[_GameLine]) -> bool:
    """Return whether no square comes twice in some lines."""
    placements = b"".join([line.moves for line in lines]).replace(bytes([PASS.index]), b"")
    return len(set(placements)) == len(placements)


def _paragraphs(lines: Iterator[_GameLine]) -> Iterator[list[_GameLine]]:
    """Yield the lines that follow one another without a gap, a few at a time; none begins below the first."""
    paragraph: list[_GameLine] = []
    for line in lines:
        if paragraph and (line.number > paragraph[-1].number + 1 or line.tags or len(paragraph) == _MOST_LINES):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def _is_one_game(lines: list[_GameLine], start: Position) -> bool:
    """Return whether lines are one game: no square comes twice, and not all are games of their own."""
    if len(lines) < 2 or not _are_apart(lines):
        return False
    if any(line.error or line.strange for line in lines) or any(line.result for line in lines[:-1]):
        return False
    if any(line.board is not None for line in lines[1:]):
        return False
    if not all(_may_begin(line, start) for line in lines[1:]):
        return not any(line.numbered for line in lines) or _replayed(lines, start)[1]
    return not all(_replayed([line], start)[1] for line in lines[1:]) and _replayed(lines, start)[1]


def _entry(number: int, lines: list[_GameLine], start: Position, number_is: str = "lead") -> Entry:
    first = lines[0]
    record = Record(Tags(first.tags), start)
    entry = Entry(number, first.number, record, ours=False)
    if first.error:
        entry.findings.append(Finding(Code.SYNTAX, first.error, None, first.number, 1))
        return entry
    moves, offsets = first.moves, bytes(len(first.moves))
    for line in lines[1:]:
        moves += line.moves
        offsets += bytes([min(line.number - first.number, 255)]) * len(line.moves)
    record.line.packed = PackedTurns(moves, first.number, offsets)
    last = lines[-1]
    strange = last.strange  # only the last line of a game has one
    if not number_is and _BARE.fullmatch(last.result):
        strange = TranscriptToken(last.result, None, 1, last.after - last.shift)
    if strange is not None:
        message = f"{excerpt(strange.text)} is not a move"
        ply, column = len(record.line.numbers) + 1, strange.column + last.shift
        entry.findings.append(Finding(Code.INVALID_MOVE, message, ply, last.number, column))
    if comments := [line.comment for line in lines if line.comment]:
        record.line.comments = clean_comments(comments)
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
    text = record.line.transcript
    if passes_follow(record):
        text = text.replace(str(PASS), "")
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
