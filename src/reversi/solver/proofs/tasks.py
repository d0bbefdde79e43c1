"""Lists of tasks in the format of the published proof of 8x8: positions with a window each, as CSV.

The columns are ``obf`` (64 cells, a blank, the side to move, and ``;``), ``count`` (which is kept), ``score``,
``alpha`` and ``beta``: the value is sought in the open window from alpha to beta. An answer has the same columns:
``alpha`` and ``beta`` are the proved bounds, and ``score`` is the value, or the bound that decides the window.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from reversi._core import Position
from reversi.errors import InputError, ReversiError
from reversi.rules import OTHELLO, Rules
from reversi.solver.proofs.prover import Proved
from reversi.solver.question import Question
from reversi.text.boards import format_board
from reversi.text.counting import counted

HEADER: Final = ("obf", "count", "score", "alpha", "beta")


class TaskError(InputError):
    """A line that is not a task; the message names it."""


@dataclass(frozen=True, slots=True)
class ProofTask:
    """A line of a list.

    Attributes:
        line: its number in the file, from 1.
        position: the position.
        count: what the list says of it; kept as it is.
        alpha: the lower end of the window, which it does not contain.
        beta: the upper end.
    """

    line: int
    position: Position
    count: str
    alpha: int
    beta: int

    @property
    def question(self) -> Question:
        """What is asked."""
        if self.beta - self.alpha == 1:
            return Question(at_least=self.beta)
        return Question(window=(self.alpha + 1, self.beta - 1))


def read_tasks(lines: Iterable[str], name: str, rules: Rules = OTHELLO) -> Iterator[ProofTask]:
    """Yield the tasks of a list.

    Args:
        lines: the lines of the file.
        name: what errors call the file.
        rules: the rules of the positions.

    Raises:
        TaskError: a line is something else.
    """
    rows = _rows(lines, name)
    _, row = next(rows, (0, None))
    if row is None or tuple(row) != HEADER:
        raise TaskError(f"{name}:1: not a list of tasks: the first line must be {','.join(HEADER)}")
    for number, row in rows:
        if row:
            try:
                yield _task(row, number, rules)
            except (ValueError, ReversiError) as error:
                raise TaskError(f"{name}:{number}: {error}") from None


def _rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each row, with the number of its last line."""
    reader = csv.reader(lines)
    while True:
        first = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            wrong = str(error)
            if "field limit" in wrong:
                wrong = f"a field has more than {csv.field_size_limit():,d} characters; is a quote not closed?"
            elif "new-line" in wrong:
                wrong = "a carriage return within the line; end lines with LF or CR LF"
            raise TaskError(f"{name}:{first}: {wrong}") from None
        yield reader.line_num, row


def _task(row: list[str], number: int, rules: Rules) -> ProofTask:
    if len(row) != len(HEADER):
        raise ValueError(f"{counted(len(row), 'field')}, not {len(HEADER)}")
    cells, count, _, alpha, beta = row
    text = cells.strip().removesuffix(";").strip()
    position = Position.parse(text, rules)
    try:
        window = int(alpha), int(beta)
    except ValueError:
        raise ValueError(f"alpha and beta must be whole numbers, not {alpha[:20]} and {beta[:20]}") from None
    if not -64 <= window[0] < window[1] <= 64:
        raise ValueError(f"alpha must be below beta, both from -64 to 64, not {window[0]} and {window[1]}")
    return ProofTask(number, position, count, *window)


def answer_fields(task: ProofTask, proved: Proved) -> dict[str, str | int]:
    score = proved.lower if proved.lower == proved.upper or proved.lower >= task.beta else proved.upper
    board = f"{format_board(proved.position)};"
    return dict(zip(HEADER, (board, task.count, score, proved.lower, proved.upper), strict=True))


def answer_line(task: ProofTask, proved: Proved) -> str:
    """Return the line of an answer, without its end."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(answer_fields(task, proved).values())
    return line.getvalue()


def tasks_subject(tasks: Iterable[ProofTask]) -> str:
    """Return what a store says that it is about, for a list: the checksum of its positions and windows."""
    digest = hashlib.sha256()
    for task in tasks:
        position = task.position
        digest.update(f"{position.cells} {position.to_move.symbol} {task.alpha} {task.beta}\n".encode())
    return f"tasks {digest.hexdigest()[:16]}"
