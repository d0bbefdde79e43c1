"""Certificates: the proof of a position's value as a file, which others can check without trusting the solver.

The file has one JSON object per line. The first is the claim: the format, the rules, the position and the bounds
of its value. Then every position of the strategy has a line with a bound of its value, for the side to move:

* ``{"p": "…", "at_least": k, "move": "c3"}``: the move leads to a position that is proved to be at most ``-k``;
* ``{"p": "…", "at_most": k}``: every legal move leads to a position that is proved to be at least ``-k``;
* either with ``"leaf": true``: the solver proved it, in the window of this one bound.

Symmetric positions have one line, that of `Position.canonical`. ``p`` has the cells, the side to move, and where
the rules remember passes ``--`` after one, or ``ended`` when two have ended the game. The last line counts the
statements. Every line ends with ``hash``: the SHA-256 of the hash before it and of the line without its hash.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from reversi._core import Move, Position, State
from reversi._system.files import atomic_stream
from reversi._system.plain_json import read_fields
from reversi.arguments import FilePath, check_count, check_type, is_number, lines_up_to, open_file
from reversi.color import Color
from reversi.errors import ArgumentError, InputError, ReversiError
from reversi.rules import Rules, parse_rules
from reversi.score import Kind
from reversi.solver.question import Question
from reversi.text.boards import format_board

FORMAT: Final = 1
_MOST_BYTES: Final = 1 << 12  # of a line


class CertificateError(InputError):
    """A file that is not a whole certificate, or one whose proof has a gap; the message names the line."""


class NoCertificateError(CertificateError):
    """A file that is not a certificate, or one of another format; the message names it."""


class ProofStopped(ReversiError):  # noqa: N818 - a person wanted it
    """A proof or a check was cancelled."""


class Relation(enum.Enum):
    """What a bound says about the value of a position for the side to move."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"

    @property
    def other(self) -> Relation:
        """The relation for the other side."""
        return Relation.AT_MOST if self is Relation.AT_LEAST else Relation.AT_LEAST


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of the value of a position; the position is canonical.

    Attributes:
        position: the position.
        relation: at least or at most.
        value: the bound, in discs for the side to move.
    """

    position: Position
    relation: Relation
    value: int

    def __str__(self) -> str:
        sign = "≥" if self.relation is Relation.AT_LEAST else "≤"
        return f"{format_board(self.position)} {sign} {self.value:+d}"


@dataclass(frozen=True, slots=True)
class Statement:
    """A line of a certificate: a bound and its reason.

    Attributes:
        bound: the bound.
        move: the move that reaches it; ``None`` at a leaf and where every move is meant.
        leaf: whether the solver proved it.
    """

    bound: Bound
    move: Move | None = None
    leaf: bool = False

    def children(self) -> dict[Move, Bound]:
        """Return what it needs of the position after its move, or after every move."""
        bound = self.bound
        moves = bound.position.legal_moves if self.move is None else (self.move,)
        other = bound.relation.other
        return {move: Bound(bound.position.play(move).canonical(), other, -bound.value) for move in moves}

    def fields(self) -> dict[str, object]:
        """Return it as JSON values."""
        fields: dict[str, object] = {"p": format_board(self.bound.position)}
        fields[self.bound.relation.value] = self.bound.value
        if self.move is not None:
            fields["move"] = str(self.move)
        if self.leaf:
            fields["leaf"] = True
        return fields


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim and the statements that prove it.

    Attributes:
        position: the position that the claim is about.
        lower: the lower bound of its value that is proved.
        upper: the upper bound.
        statements: the statements.
        package: the version of the package that wrote it.

    Raises:
        InputError: a bound is not a score on the board, or the lower one is above the upper one.
    """

    position: Position
    lower: int
    upper: int
    statements: tuple[Statement, ...] = field(repr=False)
    package: str = ""

    def __post_init__(self) -> None:
        check_bounds(self.position, self.lower, self.upper)

    @property
    def kind(self) -> Kind:
        """What the bounds state: the exact value, or a bound. Of two different bounds, the lower one counts."""
        if self.lower == self.upper:
            return Kind.EXACT
        return Kind.UPPER if self.lower == -self.position.rules.board.cells else Kind.LOWER

    def goals(self) -> list[Bound]:
        """Return what has to be proved of the position; a bound that holds for every game is not."""
        cells = self.position.rules.board.cells
        root = self.position.canonical()
        bounds = [Bound(root, Relation.AT_LEAST, self.lower)] if self.lower > -cells else []
        return [*bounds, Bound(root, Relation.AT_MOST, self.upper)] if self.upper < cells else bounds


def check_bounds(position: Position, lower: int, upper: int) -> None:
    """Refuse bounds that no value of a position can have.

    Raises:
        InputError: a bound is not a score on the board, or the lower one is above the upper one.
    """
    cells = position.rules.board.cells
    check_count("lower", lower, cells, least=-cells)
    check_count("upper", upper, cells, least=-cells)
    if lower > upper:
        raise InputError(f"lower must be at most upper, not {lower} and {upper}")


def check_question(question: Question) -> None:
    """Refuse questions that no proof answers.

    Raises:
        InputError: it asks for the scores of moves.
    """
    if question.all_moves or question.multi is not None:
        raise InputError("a proof is about the value of a position, not about the scores of moves")


def certificate_lines(certificate: Certificate) -> Iterator[bytes]:
    """Yield the lines of a certificate's file."""
    position = certificate.position
    head: dict[str, object] = {
        "reversi_proof": FORMAT,
        "package": certificate.package,
        "rules": str(position.rules),
        "p": format_board(position),
        "lower": certificate.lower,
        "upper": certificate.upper,
    }
    digest = ""
    rows = (statement.fields() for statement in certificate.statements)
    end: dict[str, object] = {"end": len(certificate.statements)}
    for fields in (head, *rows, end):
        digest = _chained(digest, fields)
        yield _plain({**fields, "hash": digest}).encode() + b"\n"


def write_certificate(path: FilePath, certificate: Certificate) -> None:
    """Write a certificate to a file, completely or not at all.

    Raises:
        InputError: a statement has a value that is not a score on the board.
        OSError: the file cannot be written.
    """
    path = Path(path)
    check_type("certificate", certificate, Certificate)
    cells = certificate.position.rules.board.cells
    for statement in certificate.statements:
        check_count(statement.bound.relation.value, statement.bound.value, cells, least=-cells)
    with atomic_stream(path) as stream:
        stream.writelines(certificate_lines(certificate))


def read_certificate(source: FilePath | Iterable[bytes], name: str = "") -> Certificate:
    """Read a certificate, and check its hashes and that it is whole.

    Args:
        source: the file; or a binary stream of it, or its lines.
        name: what errors call it; by default the path.

    Raises:
        NoCertificateError: it is something else, or of another format.
        CertificateError: it is changed or cut short.
    """
    if isinstance(source, (str, os.PathLike)):
        with open_file(source) as stream:
            return _read_lines(lines_up_to(stream, _MOST_BYTES), name or os.fspath(source))
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        raise ArgumentError(f"source must be a path, a binary file or its lines, not {type(source).__name__}")
    if isinstance(source, io.IOBase):
        source = lines_up_to(cast("BinaryIO", source), _MOST_BYTES)
    return _read_lines(source, name or "certificate")


def _read_lines(lines: Iterable[bytes], name: str) -> Certificate:
    claim: Certificate | None = None
    rules, digest = Rules(), ""
    statements: list[Statement] = []
    end: int | None = None
    number = 0
    for number, raw in enumerate(lines, 1):
        fields = _fields(raw, name, number)
        if end is not None:
            raise CertificateError(f"{name}:{number}: a line after the end")
        given = fields.pop("hash", None)
        digest = _chained(digest, fields)
        if claim is None and "reversi_proof" not in fields:
            raise NoCertificateError(f"{name}: not a certificate of 'reversi prove'")
        if claim is None and repr(fields["reversi_proof"]) != repr(FORMAT):  # true and 1.0 are others
            wrong = f"saved in format {fields['reversi_proof']}; this version reads format {FORMAT}"
            raise NoCertificateError(f"{name}: {wrong}")
        if given != digest:
            raise CertificateError(
                f"{name}:{number}: the hash does not fit: this line or one before it is changed"
            )
        try:
            if claim is None:
                claim = read_fields(fields, _claim)
                rules = claim.position.rules
            elif "end" in fields:
                end = _whole(fields, "end")
            else:
                statements.append(read_fields(fields, functools.partial(_statement, rules)))
        except InputError as error:
            raise CertificateError(f"{name}:{number}: not a line of a proof: {error}") from None
    if claim is None:
        raise NoCertificateError(f"{name}: the file is empty")
    if end is None:
        raise CertificateError(f"{name}:{number}: the file is cut short: its last line is missing")
    if end != len(statements):
        raise CertificateError(f"{name}:{number}: {len(statements)} statements, not {end}")
    return replace(claim, statements=tuple(statements))


def _fields(raw: bytes, name: str, number: int) -> dict[str, Any]:
    fields = None
    if len(raw) <= _MOST_BYTES:
        with contextlib.suppress(ValueError, RecursionError):
            fields = json.loads(raw)
    if isinstance(fields, dict) and raw.endswith(b"\n"):
        return fields
    if number == 1 and not raw.startswith(b"{"):
        raise NoCertificateError(f"{name}: not a certificate of 'reversi prove'")
    if len(raw) > _MOST_BYTES:
        raise CertificateError(f"{name}:{number}: not a line of a proof: more than {_MOST_BYTES} bytes")
    if not raw.endswith(b"\n"):
        raise CertificateError(f"{name}:{number}: the file is cut short: this line is not whole")
    raise CertificateError(f"{name}:{number}: not a line of a proof: not a JSON object")


def _claim(fields: Mapping[str, Any]) -> Certificate:
    """Return what the first line says, without the statements."""
    rules = parse_rules(fields["rules"])
    position = _position(fields["p"], rules)
    lower, upper = _score(fields, "lower", rules), _score(fields, "upper", rules)
    return Certificate(position, lower, upper, (), str(fields.get("package", "")))


def _whole(fields: Mapping[str, Any], name: str) -> int:
    value: int = fields[name]
    if not is_number(value):
        raise InputError(f"{name} must be a whole number, not {json.dumps(value)[:40]}")
    return value


def _score(fields: Mapping[str, Any], name: str, rules: Rules) -> int:
    value, most = _whole(fields, name), rules.board.cells
    if not -most <= value <= most:
        raise InputError(f"{name} must be from {-most} to {most}, not {str(value)[:40]}")
    return value


def _statement(rules: Rules, fields: Mapping[str, Any]) -> Statement:
    relations = [each for each in Relation if each.value in fields]
    if len(relations) != 1:
        raise InputError(f"give one of {', '.join(each.value for each in Relation)}")
    (relation,) = relations
    value = _score(fields, relation.value, rules)
    if unknown := set(fields) - {"p", "move", "leaf", relation.value}:
        raise InputError(f"unknown field {min(unknown)}")
    position = _position(fields["p"], rules)
    if position != position.canonical():
        raise InputError("the position is not the canonical one of its symmetries")
    leaf = fields.get("leaf", False)
    move = Move.parse(fields["move"]) if "move" in fields else None
    if (leaf is True) + (move is not None) + (leaf is False and relation is Relation.AT_MOST) != 1:
        raise InputError("give a leaf, or a move for at_least, or neither for at_most")
    return Statement(Bound(position, relation, value), move, leaf)


def _plain(fields: Mapping[str, object]) -> str:
    return json.dumps(fields, separators=(",", ":"), sort_keys=False)


def _chained(before: str, fields: Mapping[str, object]) -> str:
    return hashlib.sha256(
        f"{before}\n{json.dumps(fields, separators=(',', ':'), sort_keys=True)}".encode()
    ).hexdigest()


def _position(text: str, rules: Rules) -> Position:
    cells, turn, *rest = text.split(" ")
    if len(cells) != rules.board.cells or turn not in ("X", "O") or rest not in ([], ["--"], ["ended"]):
        raise InputError(f"not a position on a board of {rules.board}")
    if set(cells) - set("XO-"):
        raise InputError("cells are X, O and -")
    columns = rules.board.columns
    discs = {"X": 0, "O": 0, "-": 0}
    for index, cell in enumerate(cells):
        discs[cell] |= 1 << 8 * (index // columns) + index % columns
    state = {"": State.FRESH, "--": State.AFTER_PASS, "ended": State.ENDED}[rest[0] if rest else ""]
    side = Color.BLACK if turn == "X" else Color.WHITE
    return Position.from_discs(discs["X"], discs["O"], side, rules, state)
