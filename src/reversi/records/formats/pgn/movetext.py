"""Reading the moves of one game, with what is noted between them, up to its result."""

from __future__ import annotations

from reversi._core import Move, read_moves
from reversi.arguments import excerpt
from reversi.errors import RecordError
from reversi.records.findings import Code, Finding
from reversi.records.formats.pending_notes import PendingNotes
from reversi.records.formats.pgn.syntax import (
    BEGUN_TAG,
    BRACKETED,
    ENDING,
    FLIPS,
    MARKED,
    MARKS,
    MOVES,
    NUMBERED,
    NUMBERS,
    REMARK,
    TOKEN,
    begins_moves,
    is_cut,
    split_moves,
)
from reversi.records.formats.source import TAG_LINE, Source
from reversi.records.limits import MAX_PARTS
from reversi.records.notes import clean_comments, read_note
from reversi.records.record import MAX_DEPTH, Line, Node, PackedTurns, is_result, read_spelling


class Movetext:
    """The moves of a game, as far as they have been read.

    Attributes:
        line: the game's line of play.
        result: the result that ends it, or ``None``.
        result_at: where that is in the text.
        findings: what is wrong; at most one mistake ends the reading of a game.
        empty: whether there was nothing at all, neither a move nor a result.
    """

    result: str | None = None
    result_at: int = -1
    empty: bool = True
    _before = 0

    def __init__(self, source: Source, line: Line) -> None:
        self.line = self._current = line
        self.findings: list[Finding] = []
        self._source = source
        self._text = source.text
        self._opened: list[tuple[Line, int, int]] = []  # the line around, its plies before it, where it opened
        self._pending = PendingNotes()

    def read(self, at: int) -> int:
        """Read on from ``at``; return where the next game may begin."""
        at = self._read(at)
        self._pending.settle()
        return at

    def _read(self, at: int) -> int:
        text = self._text
        count = 0
        while True:
            stop = self._source.next_place(FLIPS, at)
            moves, lines, commented, comments, end = read_moves(text, at, "", True, stop)
            if moves:
                count += len(moves) + len(comments)
                self._add_run(PackedTurns(moves, self._source.line_at(at), lines, commented, comments))
            at = end
            if (ending := ENDING.match(text, at)) and not self._opened:
                self.empty = False
                self.result, self.result_at = ending[1], at
                return ending.end()
            match = TOKEN.search(text, at)
            if match is None:
                self._unclosed(len(text))
                return len(text)
            if count >= MAX_PARTS:
                return self._wrong(Code.SYNTAX, f"more than {MAX_PARTS} words in one game", match.start())
            count += 1
            word = match[0]
            move = MOVES.get(word)
            if move is not None:
                self._add(move, match.start())
            elif word not in NUMBERS:
                ended = self._other(word, match.start())
                if ended is not None:
                    return ended
            at = match.end()

    def _add_run(self, turns: PackedTurns) -> None:
        self.empty = False
        line = self._current
        if line.packed is None and not line.nodes:
            line.packed = turns
        else:
            line.nodes += turns.turns()

    # --- words

    def _add(self, move: Move, at: int) -> None:
        self.empty = False
        self._current.nodes.append(Node(move, source_line=self._source.line_at(at)))

    def _other(self, word: str, at: int) -> int | None:
        """Read what is neither a plain move nor a plain number; return where the game ends, if it does."""
        first = word[0]
        if first == "{":
            return self._braces(word, at)
        if first == ";":
            self._note(clean_comments((word[1:],)))
            return None
        if first == "(":
            return self._open(at)
        if first == ")":
            return self._close(at)
        if first == "[":
            return self._bracket(at)
        if first == "$":
            return self._glyph(word, at)
        if first in "}]":
            return self._wrong(Code.SYNTAX, f"{first!r} closes nothing that was opened", at)
        if first == "%" and self._text[at - 1 : at] in ("", "\n"):
            return None
        result = read_spelling(word)
        if is_result(result) and not (word != result and at + len(word) == len(self._text) and is_cut(word)):
            return self._end(result, at, len(word))
        return self._moves(word, at)

    def _moves(self, word: str, at: int) -> int | None:
        """Return a word with a number, with marks, in odd capitals, or with several moves in it."""
        if at + len(word) == len(self._text) and is_cut(word):
            return self._wrong(Code.TRUNCATED, f"the file ends inside {excerpt(word)}", at)
        numbered = NUMBERED.fullmatch(word)
        rest = numbered[1] if numbered else word
        if not rest or rest.strip(".\N{HORIZONTAL ELLIPSIS}") == "":
            return None
        marked = MARKED.fullmatch(rest)
        if len(rest) > MAX_PARTS:
            return self._wrong(Code.SYNTAX, f"a word of {len(rest)} characters", at)
        moves = split_moves(marked[1] if marked else rest)
        if moves is None:
            return self._wrong(Code.INVALID_MOVE, f"{excerpt(word)} is not a move", at, self._ply())
        for move in moves:
            self._add(move, at)
        if marked:
            self._pending.add(self._current.nodes[-1], "nags", (MARKS[marked[2]],))
        return None

    def _ply(self) -> int:
        return self._before + len(self._current.nodes) + 1

    def _glyph(self, word: str, at: int) -> int | None:
        if word == "$" and at + 1 == len(self._text):
            return self._wrong(Code.TRUNCATED, "the file ends inside '$'", at)
        if not 2 <= len(word) <= 4:
            return self._wrong(Code.SYNTAX, f"{excerpt(word)} is not a glyph from $0 to $999", at)
        if not self._current.nodes:
            return self._wrong(Code.SYNTAX, f"the glyph {word} follows no move", at)
        self._pending.add(self._current.nodes[-1], "nags", (int(word[1:]),))
        return None

    # --- comments

    def _braces(self, word: str, at: int) -> int | None:
        if len(word) == 1:
            if self._source.next_tag_line(at) == len(self._text):
                return self._wrong(Code.TRUNCATED, "the file ends inside a comment", at)
            return self._wrong(Code.SYNTAX, "a comment is not closed before the next game", at)
        nodes = self._current.nodes
        try:
            text = read_note(word[1:-1], nodes[-1] if nodes else None)
        except RecordError as error:
            return self._wrong(Code.SYNTAX, str(error), at, self._ply() - 1)
        self._note(clean_comments((text,)))
        return None

    def _note(self, comments: tuple[str, ...]) -> None:
        if comments:
            nodes = self._current.nodes
            self._pending.add(nodes[-1] if nodes else self._current, "comments", comments)

    # --- variations

    def _open(self, at: int) -> int | None:
        if (found := BRACKETED.match(self._text, at)) and not self._opened:
            return self._end(read_spelling(found[0]), at, len(found[0]))
        self.empty = False
        if not self._current.nodes:
            return self._wrong(Code.SYNTAX, "a variation that follows no move", at)
        if len(self._opened) == MAX_DEPTH:
            return self._wrong(Code.SYNTAX, f"variations nested more than {MAX_DEPTH} deep", at)
        variation = Line()
        self._pending.add(self._current.nodes[-1], "variations", (variation,))
        self._opened.append((self._current, self._before, at))
        self._before += len(self._current.nodes) - 1
        self._current = variation
        return None

    def _close(self, at: int) -> int | None:
        if not self._opened:
            return self._wrong(Code.SYNTAX, "')' closes nothing that was opened", at)
        self._current, self._before, _ = self._opened.pop()
        return None

    def _unclosed(self, at: int) -> None:
        """Report a variation that is open at the end of the text or before the next game."""
        if self._opened and at == len(self._text):
            self._wrong(Code.TRUNCATED, "the file ends inside a variation", self._opened[-1][2])
        elif self._opened:
            self._wrong(Code.SYNTAX, "a variation is not closed before the next game", self._opened[-1][2])

    # --- the end

    def _bracket(self, at: int) -> int:
        """Return a bracket among the moves: the tag of the next game, or a mistake."""
        text = self._text
        line = text.rfind("\n", 0, at) + 1
        begun = BEGUN_TAG.match(text, at)
        if self._source.starts_line(at) and (
            TAG_LINE.match(text, line) or (begun is not None and begun.end() == len(text))
        ):
            self._unclosed(line)
            return line
        return self._wrong(Code.SYNTAX, "'[' among the moves, where no tag can be", at)

    def _end(self, word: str, at: int, length: int) -> int:
        self.empty = False
        if self._opened:
            return self._wrong(Code.SYNTAX, f"the result {word} inside a variation", at)
        self.result, self.result_at = word, at
        after, comments = remarks(self._source, at + length)
        self._note(clean_comments(comments))
        following = self._text[after : after + 50].split(None, 1)
        if not following or following[0][0] == "[" or begins_moves(following[0]):
            return after
        if following[0][0] == "{":
            return self._braces("{", after) or after
        message = f"{excerpt(following[0])} after the result is neither a tag nor a move"
        return self._wrong(Code.SYNTAX, message, after)

    def _wrong(self, code: Code, message: str, at: int, ply: int | None = None) -> int:
        """Note what is wrong and stop reading this game; the next one begins with a tag."""
        self.empty = False
        self.findings.append(self._source.finding(code, message, at, ply))
        return self._source.next_tag_line(at + 1)


def remarks(source: Source, at: int) -> tuple[int, list[str]]:
    """Return where what is no comment and no blank begins, from ``at`` on, and the comments before it."""
    text = source.text
    comments: list[str] = []
    while True:
        at = source.skip_blanks(at)
        match = REMARK.match(text, at)
        if match is None:
            return at, comments
        if match[1]:
            comments.append(read_note(match[1][1:-1], None))
        elif match[0][0] == ";":
            comments.append(match[0][1:])
        at = match.end()
