"""Judging records: every turn legal, every pass where it must be, the result that of the board.

One cause gives one finding: after the first move of a line that is wrong, the rest of the line and the result are
not judged. A game that stops before its end is no mistake. It *ended early* where its record gives a result or a
reason, and is *unfinished* otherwise; the result is not compared with the board. In a record passes are written;
those that a foreign file left out have been put in by the reader.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from reversi._core import Position
from reversi.arguments import check_type, excerpt
from reversi.errors import IllegalMoveError
from reversi.game.ply import Termination
from reversi.records.dates import has_unknown_year
from reversi.records.entry import Entry
from reversi.records.facts import says_end
from reversi.records.findings import UNDERSTOOD, Code, Finding
from reversi.records.limits import MAX_FINDINGS
from reversi.records.outcome import Outcome
from reversi.records.record import Line, Node, Record, is_result
from reversi.records.replay import legal_beginning, rule_flips
from reversi.score import Result


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found in one game.

    Attributes:
        findings: what is wrong, in the order of the game; empty for a valid one.
        unfinished: whether the game is valid, but stops before its end, without a result or a reason.
        ended_early: whether the game is valid and stops before its end, with a result or a reason.
    """

    findings: tuple[Finding, ...]
    unfinished: bool = False
    ended_early: bool = False

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


_VALID: Final = Verdict(())


@dataclass(slots=True)
class Counts:
    """How many games there are, and how many of them are what.

    Attributes:
        games: all of them.
        valid: those without a finding.
        unfinished: the valid ones that stop before their end, without a result or a reason.
        ended_early: the valid ones that stop before their end, with a result or a reason.
        findings: how many were reported.
    """

    games: int = 0
    valid: int = 0
    unfinished: int = 0
    ended_early: int = 0
    findings: int = 0

    def add(self, verdict: Verdict, games: int = 1) -> None:
        """Count one game."""
        self.games += games
        if verdict.findings:
            self.findings += len(verdict.findings)
            return
        self.valid += 1
        self.unfinished += verdict.unfinished
        self.ended_early += verdict.ended_early

    def include(self, other: Counts) -> None:
        """Count other games too, but not what was reported of them."""
        self.games += other.games
        self.valid += other.valid
        self.unfinished += other.unfinished
        self.ended_early += other.ended_early


@dataclass(slots=True)
class ValidationSummary(Counts):
    """The count over many files."""

    files: int = 0


def validate_record(record: Record, *, accept_flips: bool = False) -> Verdict:
    """Judge a record.

    Args:
        record: the record.
        accept_flips: whether flips by hand may break the rules.
    """
    check_type("record", record, Record)
    judge = _Judge(accept_flips)
    end = judge.line(record.line, record.start, 0, variation=False)
    if end is not None:
        judge.result(record, end, None)
    judge.date(record, None)
    judge.lost(record, None)
    return _verdict(judge.findings, record, end)


def validate_entry(entry: Entry, *, accept_flips: bool = False) -> Verdict:
    """Judge a game of a file: its writing and its play.

    Args:
        entry: the game as it was read.
        accept_flips: whether flips by hand may break the rules.
    """
    check_type("entry", entry, Entry)
    written = entry.findings
    judge = _Judge(accept_flips)
    end: Position | None = None
    if not (written and any(finding.code is Code.BAD_TAG for finding in written)):
        end = judge.line(entry.record.line, entry.record.start, 0, variation=False)
    if end is None and judge.findings:  # a wrong move: what comes after it is not judged
        kept = (Code.TRUNCATED, Code.SYNTAX, Code.BAD_TAG, Code.UNKNOWN_MEMBER)
        written = [finding for finding in written if finding.code in kept and finding.ply is None]
    elif end is not None and not written:
        judge.result(entry.record, end, entry.result_line or None)
    judge.date(entry.record, entry.line or None)
    judge.lost(entry.record, entry.line or None)
    findings = [*written, *judge.findings]
    if len(findings) > 1:
        findings.sort(key=lambda finding: finding.line or 0)
    if len(findings) > MAX_FINDINGS:
        last, more = findings[MAX_FINDINGS - 1], len(findings) - MAX_FINDINGS
        findings[MAX_FINDINGS:] = [Finding(last.code, f"{more} more findings in this game", None, last.line)]
    return _verdict(findings, entry.record, end)


def findings_of(entry: Entry) -> tuple[Finding, ...]:
    """Return what is wrong with a game of a file that is written again; flips by hand may break the rules."""
    return validate_entry(entry, accept_flips=True).findings


def is_well_formed(entry: Entry) -> bool:
    """Return whether a record says what the file says, whatever was played."""
    return entry.is_game and (entry.cut or all(finding.code in UNDERSTOOD for finding in entry.findings))


def cut_short(entry: Entry) -> Entry:
    """Return a game that ends before its first wrong turn, as an unfinished one, with the same findings.

    A game without a wrong turn, or with a malformed start or malformed rules, stays as it is.
    """
    findings = [finding for finding in findings_of(entry) if finding.code not in UNDERSTOOD]
    if not findings or not entry.is_game or any(finding.code is Code.BAD_TAG for finding in findings):
        return entry
    return replace(entry, record=legal_beginning(entry.record), findings=findings, cut=True)


def _verdict(findings: list[Finding], record: Record, end: Position | None) -> Verdict:
    if findings:
        return Verdict(tuple(findings))
    if end is None or end.is_over:
        return _VALID
    said = says_end(record)
    return Verdict((), unfinished=not said, ended_early=said)


@dataclass(slots=True)
class _Judge:
    accept_flips: bool
    findings: list[Finding] = field(default_factory=list)

    def line(self, line: Line, position: Position, before: int, *, variation: bool) -> Position | None:
        """Judge a line of play; return the position it ends in, ``None`` after a wrong move."""
        if line.is_plain:
            moves, end, legal = line.play(position)
            if not legal:
                node, ply = line.nodes[len(moves)], before + len(moves) + 1
                self.findings.append(move_finding(end, node, ply, variation=variation))
            return end if legal else None
        for ply, node in enumerate(line.nodes, before + 1):
            for other in node.variations:
                self.line(other, position, ply - 1, variation=True)
            try:
                after = node.played_on(position)
            except IllegalMoveError:
                self.findings.append(move_finding(position, node, ply, variation=variation))
                return None
            if node.flips is not None and not self.accept_flips and not rule_flips(position, node):
                flipped = " ".join(map(str, node.flips)) or "none"
                right = " ".join(map(str, position.flips(node.move))) or "none"
                message = f"{node.move}: flipped {flipped}; by the rules: {right}"
                self.findings.append(_at(Code.WRONG_FLIPS, message, node, ply, variation))
            position = after
        return position

    def result(self, record: Record, end: Position, line: int | None) -> None:
        """Compare the result with the board where the game ended on it; before that, it need only be possible."""
        on_board = end.result
        if on_board is None:
            if Outcome.of(record).too_many_discs:
                cells = record.rules.board.cells
                message = f"the recorded result {record.result} has more discs than the board has squares, {cells}"
                self.findings.append(Finding(Code.RESULT_MISMATCH, message, None, line))
            return
        text = record.result
        if text == on_board.discs:
            return
        outcome = Outcome.of(record)
        if outcome.names_winner and (
            Termination.declared(record.tags.get("Termination", "")) or outcome.winner is on_board.winner
        ):
            return
        self.findings.append(result_finding(text, on_board, line))

    def date(self, record: Record, line: int | None) -> None:
        """Report a date whose year is lost."""
        text = record.tags["Date"]
        if has_unknown_year(text):
            message = f"the year of the date {excerpt(text)} is unknown; write it as 1997.05.01 or 1997"
            self.findings.append(Finding(Code.UNKNOWN_YEAR, message, None, line))

    def lost(self, record: Record, at: int | None) -> None:
        """Report a character that the encoding of the file does not have."""
        line, turns = record.line, record.line.packed
        texts = [*record.tags.texts, *line.comments]
        texts += (text for node in line.nodes for text in node.comments) if turns is None else turns.comments
        if "\ufffd" in "".join(texts):
            shown = excerpt(next(text for text in texts if "\ufffd" in text))
            message = f"{shown} has characters that are lost; --encoding names the encoding of the file"
            self.findings.append(Finding(Code.LOST_CHARACTERS, message, None, at))


def result_finding(text: str, on_board: Result, line: int | None = None) -> Finding:
    """Return why a result is not that of the board, at the line of the file that gives it."""
    return Finding(Code.RESULT_MISMATCH, _mismatch(text, on_board), None, line)


def _mismatch(text: str, on_board: Result) -> str:
    if not is_result(text):
        return f"the recorded result {excerpt(text)} is none; the game ended {on_board}"
    if text == "*":
        return f"no result is recorded, but the game ended {on_board}"
    return f"the recorded result is {text}, but the game ended {on_board}"


def _at(code: Code, message: str, node: Node, ply: int, variation: bool) -> Finding:
    where = " (in a variation)" if variation else ""
    return Finding(code, message + where, ply, node.source_line or None)


def move_finding(position: Position, node: Node, ply: int, *, variation: bool = False) -> Finding:
    """Return why a turn that is not allowed is wrong, given the position before it and its number in the game."""
    move, side = node.move, position.to_move
    legal = position.legal_moves
    over = position.is_over
    if position.is_legal(move):
        return _at(Code.WRONG_FLIPS, _impossible_flips(position, node), node, ply, variation)
    if move.is_pass:
        code = Code.PASS_FORBIDDEN
        why = "no pass after a pass" if position.rules.optional_skip else f"{side} has a placement"
    elif (position.black | position.white) >> move.index & 1:
        code, why = Code.DUPLICATE_SQUARE, "the square is occupied"
    elif not position.empty >> move.index & 1:
        code, why = Code.ILLEGAL_MOVE, f"outside the {position.rules.board} board"
    elif not over and not legal.placements:
        code, why = Code.PASS_REQUIRED, f"{side} must pass"
    else:
        code = Code.ILLEGAL_MOVE
        why = "flips nothing" if position.rules.mandatory_capture else "touches no disc"
    tail = "the game is over" if over else "legal: " + " ".join(map(str, legal))
    if over and code in (Code.PASS_FORBIDDEN, Code.ILLEGAL_MOVE):
        return _at(code, f"{move}: {tail}", node, ply, variation)
    return _at(code, f"{move}: {why}; {tail}", node, ply, variation)


def _impossible_flips(position: Position, node: Node) -> str:
    try:
        node.played_on(position)
    except IllegalMoveError as error:
        return str(error)
    return f"{node.move}: impossible flips"
