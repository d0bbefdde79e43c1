"""Transcripts: the moves of a game as text, in any case, with any separators and any spelling of a pass.

``f5d6c3``, ``F5 D6 C3``, ``f5-d6-c3``, ``1. f5 d6 2. c3``. A pass is ``--``, ``pass``, ``pa``, ``ps``, ``pp``,
``@@`` or ``@@@@``. In a text without any pass, the reader infers the forced ones. It never infers a voluntary
skip. Edax writes ``BOARD S;`` first when the game has another start.

Dashes: a single one separates moves, two are a pass. If single dashes separate the moves (``f5-d6``), a longer run
    is
passes with their separators (``f5-d6----c3``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import PASS, SQUARES, Move, Position, as_move, read_moves, replay_line
from reversi.arguments import TEXT_TO_POSITION, check_type, excerpt
from reversi.color import Color
from reversi.errors import ArgumentError, IllegalMoveError, InputError, InvalidMoveError, SideToMoveError
from reversi.rules import OTHELLO, Rules
from reversi.text.boards import BoardText, read_board
from reversi.text.decoding import MAX_ENTRY

_SQUARE: Final = r"[a-h][1-8]"
_TOKEN = re.compile(
    rf"(?P<space>[\s,;|\xa0]+)"
    rf"|(?P<square>{_SQUARE})"
    rf"|(?P<number>\d{{1,3}}(?:\.+|\)))"
    rf"|(?P<dashes>-+)"
    rf"|(?P<passed>@@@@|@@|(?:pass|pa|ps|pp)(?=[^a-z]|\Z|{_SQUARE}|p[asp]))"
    rf"|(?P<other>[a-z]\d|[^\s,;|\xa0-]+)",
    re.IGNORECASE | re.ASCII,
)
_BETWEEN: Final = ",;|\xa0-"
_DASHED = re.compile(rf"{_SQUARE}-{_SQUARE}", re.IGNORECASE | re.ASCII)


_MOVES: Final = (*SQUARES, PASS)
_TYPED_PASSES: Final = frozenset(("p", "skip"))


def typed_move(text: str) -> Move:
    """Read a move as a person types it at a prompt: a pass is also ``p``, its key on the screen, or ``skip``.

    Raises:
        InvalidMoveError: the text is not a move.
    """
    return PASS if text.strip().lower() in _TYPED_PASSES else Move.parse(text)


def typed_moves(text: str) -> list[Move]:
    """Read one move as `typed_move` does, or several as in ``f5d6``.

    Raises:
        InvalidMoveError: a word is not a move; or there is none.
    """
    tokens = list(tokenize_transcript(text))
    if len(tokens) < 2:
        return [typed_move(text)]
    return [Move.parse(token.text) if token.move is None else token.move for token in tokens]


class TranscriptToken(NamedTuple):
    """One word of a transcript.

    Attributes:
        text: the word as written.
        move: the move, or ``None`` when the word is not a move.
        line: the line number from 1.
        column: the column number from 1.
    """

    text: str
    move: Move | None
    line: int
    column: int


def tokenize_transcript(text: str) -> Iterator[TranscriptToken]:
    """Yield the moves of a transcript as written, without separators and move numbers.

    A word that is not a move yields a token whose ``move`` is ``None``; the next tokens follow.
    """
    dashed = _DASHED.search(text) is not None
    line, line_begin = 1, 0
    for match in _TOKEN.finditer(text):
        kind, word, begin = match.lastgroup, match[0], match.start()
        column = begin - line_begin + 1
        if kind == "space":
            if ends := word.count("\n"):
                line += ends
                line_begin = begin + word.rindex("\n") + 1
        elif kind == "square":
            yield TranscriptToken(word, Move.parse(word), line, column)
        elif kind == "passed":
            yield TranscriptToken(word, PASS, line, column)
        elif kind == "dashes":
            if len(word) == 1:
                continue
            separators = _separators_around(text, match) if dashed and len(word) > 2 else (0, 0)
            passes = _passes(len(word) - sum(separators), dashed)
            if passes is None:
                yield TranscriptToken(word, None, line, column)
                continue
            step = 3 if dashed else 2
            for at in range(passes):
                yield TranscriptToken("--", PASS, line, column + separators[0] + step * at)
        elif kind == "other":
            yield TranscriptToken(word, None, line, column)


class ReadMoves(NamedTuple):
    """The moves of a transcript, up to its first word that is not one.

    Attributes:
        moves: the numbers of the squares, one byte each; 64 is a pass.
        strange: that word, ``None`` where all are moves.
    """

    moves: bytes
    strange: TranscriptToken | None


def read_transcript_moves(text: str) -> ReadMoves:
    """Read the moves of a transcript as written, as `tokenize_transcript` gives them."""
    moves, _, _, _, end = read_moves(text, between=_BETWEEN)
    if end == len(text):
        return ReadMoves(moves, None)
    numbers = bytearray()
    for token in tokenize_transcript(text):  # which knows every form, and where a word is
        if token.move is None:
            return ReadMoves(bytes(numbers), token)
        numbers.append(token.move.index)
    return ReadMoves(bytes(numbers), None)


def _separators_around(text: str, run: re.Match[str]) -> tuple[int, int]:
    """Count the dashes of a run that separate it from a move before and after it."""
    before = run.start() > 0 and not text[run.start() - 1].isspace()
    after = run.end() < len(text) and not text[run.end()].isspace()
    return int(before), int(after)


def _passes(length: int, dashed: bool) -> int | None:
    """Return the number of passes that a run of dashes spells, or ``None``."""
    if dashed:  # two each, one between
        return (length + 1) // 3 if length % 3 == 2 else None
    return length // 2 if length % 2 == 0 else None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A game as a transcript has it.

    Attributes:
        start: the position before the first move.
        moves: the moves, inferred passes included.
    """

    start: Position
    moves: tuple[Move, ...]

    @property
    def end(self) -> Position:
        """The position after the last move."""
        position = self.start
        for move in self.moves:
            position = position.play(move)
        return position


def parse_transcript(text: str, start: Position) -> list[Move]:
    """Read the moves of a transcript that begins at ``start`` and infer the forced passes that it leaves out.

    Raises:
        InvalidMoveError: a word is not a move; the message names the ply (from 1) and the word.
        IllegalMoveError: a move is illegal; the message names the ply, the move and the position.
        InputError: the text is too long for a game.
    """
    check_type("start", start, Position, advice=TEXT_TO_POSITION)
    return _replay(text, start)


def read_transcript(text: str, rules: Rules | None = None, to_move: Color | None = None) -> Transcript:
    """Read a transcript from the start of the game, or from a board in front of it (``BOARD X; f5d6``).

    Args:
        text: the transcript.
        rules: the rules of the game; ``othello`` by default.
        to_move: with a board, the side to move if neither the board nor the moves determine it. Without a board,
            the side to move after the last move; the transcript must agree.

    Raises:
        InvalidMoveError: a word is not a move.
        IllegalMoveError: a move is illegal.
        SideToMoveError: nothing states or proves the side to move, or ``to_move`` contradicts the text.
        InputError: the text is too long, or the part before the semicolon is not a board.
    """
    head, semicolon, moves_text = text.partition(";")
    if not semicolon or begins_with_square(head):
        start = Position(rules or OTHELLO)
        transcript = Transcript(start, tuple(_replay(text, start)))
        if to_move not in (None, transcript.end.to_move):
            raise SideToMoveError(f"after these moves {transcript.end.to_move} is to move, not {to_move}")
        return transcript
    board = read_board(head, rules)
    if board.turn is None and to_move is None:
        return _proved(board, moves_text)
    start = board.position(to_move)
    return Transcript(start, tuple(_replay(moves_text, start)))


def first_move(text: str) -> Move | None:
    """Return the move that a text begins with, if any."""
    token = next(tokenize_transcript(text), None)
    return token and token.move


def begins_with_square(text: str) -> bool:
    """Return whether a text begins with a placement."""
    move = first_move(text)
    return move is not None and not move.is_pass


def _proved(board: BoardText, moves_text: str) -> Transcript:
    """Read a transcript on a board without a side to move; its moves must be legal for one side only."""
    transcripts = []
    for side in Color:
        start = board.position(side)
        try:
            transcripts.append(Transcript(start, tuple(_replay(moves_text, start))))
        except IllegalMoveError:
            continue
    if len(transcripts) == 1:
        return transcripts[0]
    start = board.position()
    return Transcript(start, tuple(_replay(moves_text, start)))


def _replay(text: str, start: Position) -> list[Move]:
    """Return the moves of a transcript from a position on, forced passes that it leaves out put in."""
    if len(text) > MAX_ENTRY:
        raise InputError(f"the transcript has {len(text)} characters; the limit is {MAX_ENTRY}")
    written, strange = read_transcript_moves(text)
    put_in = PASS.index not in written
    numbers, position, legal = replay_line(start, written, put_in)
    if not legal:
        read = len(numbers) - (numbers.count(PASS.index) if put_in else 0)
        move, word = _MOVES[written[read]], next(islice(tokenize_transcript(text), read, None)).text
        try:
            position.play(move)
        except IllegalMoveError as error:
            listed = " ".join(map(str, position.legal_moves)) or "none"
            raise IllegalMoveError(
                f"ply {len(numbers) + 1} ({position.to_move}): {move} is not allowed: {error.reason};"
                f" legal: {listed}",
                word,
                error.reason,
            ) from None
    if strange is not None:
        raise InvalidMoveError(f"ply {len(numbers) + 1}: {excerpt(strange.text)} is not a move", strange.text)
    return [_MOVES[number] for number in numbers]


def format_transcript(moves: Iterable[Move | str], *, passes: bool = True) -> str:
    """Write the moves without separators, in lower case, a pass as ``--``: ``f5d6c3--d3``.

    Args:
        moves: the moves.
        passes: whether to write passes. If not, a reader infers the forced ones, but never a voluntary skip.
    """
    if isinstance(moves, str):
        raise ArgumentError("moves must be several moves, not one text; Position.parse_moves reads one")
    return "".join(str(move) for move in map(as_move, moves) if passes or not move.is_pass)
