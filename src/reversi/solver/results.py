"""Results of solving as JSON, and files of them: one object per line, in order of completion.

A file can be continued (`reversi.work.results_file`). A line is known by its position (board, side to move, after
a pass or not, ended by two passes or not, rules) and by the question that the file answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from reversi._core import ISA, Position
from reversi.arguments import FilePath
from reversi.solver.annotations import Comparison
from reversi.solver.question import Question
from reversi.solver.solution import Solution
from reversi.text.position_json import position_fields
from reversi.work.results_file import ResultsError as ResultsError, ResumableFile  # noqa: PLC0414 - public here, too

_KEY = ("board", "to_move", "after_pass", "rules")
_Key = tuple[object, ...]


class _Asked(NamedTuple):
    moves: bool
    multi: int | None
    wld: bool
    window: list[int] | None
    at_least: int | None
    checked: bool


def solution_fields(
    solution: Solution,
    question: Question,
    *,
    threads: int,
    check: Comparison | None = None,
) -> dict[str, object]:
    """Return a result as JSON values.

    The fields of the position, ``score``, ``kind``, ``lower``, ``upper``, ``depth``,
    ``confidence``, ``best``, ``pv``, ``nodes``, ``time_s``, ``threads``, ``isa``; ``multi``, ``wld``, ``window``
    or ``at_least`` when that was asked; ``likely`` when ``best`` is empty in a game that is not over; ``moves``
    when every move or several were asked for; ``expected`` and ``ok`` when checked.

    Args:
        solution: the answer.
        question: what was asked.
        threads: how many threads worked on it.
        check: how it compares with the annotated scores.
    """
    score = solution.score
    fields: dict[str, object] = {
        **position_fields(solution.position),
        "score": score.value,
        "kind": str(score.kind),
        "lower": score.lower,
        "upper": score.upper,
        "depth": score.depth,
        "confidence": score.confidence,
        "best": [str(move) for move in solution.best],
        "pv": [str(move) for move in solution.pv],
        "nodes": score.nodes,
        "time_s": round(score.time_s, 6),
        "threads": threads,
        "isa": ISA,
        **_question_fields(question),
    }
    if solution.likely is not None:
        fields["likely"] = str(solution.likely)
    if question.all_moves or question.multi is not None:
        fields["moves"] = [
            {
                "move": str(scored.move),
                "score": scored.score.value,
                "kind": str(scored.score.kind),
                "pv": [str(move) for move in scored.pv],
            }
            for scored in solution.moves
        ]
    if check is not None:
        fields["expected"] = check.expected
        fields["ok"] = check.ok
    return fields


def _question_fields(question: Question) -> dict[str, object]:
    if question.multi is not None:
        return {"multi": question.multi}
    if question.wld:
        return {"wld": True}
    if question.window is not None:
        return {"window": list(question.window)}
    if question.at_least is not None:
        return {"at_least": question.at_least}
    return {}


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a file held when it was continued; only results that need not be repeated.

    Attributes:
        count: how many.
        right: that were checked and right.
        wrong: that were checked and wrong.
        bare: that were to be checked but are not annotated.
    """

    count: int = 0
    right: int = 0
    wrong: int = 0
    bare: int = 0


class ResultsFile(ResumableFile[Position]):
    """A file that results are appended to: each line given to the system at once, and to the disk once a second.

    Args:
        path: the file. It is made when it does not exist; an empty one is used.
        question: what all its results answer.
        checked: whether they are compared with annotated scores.
        resume: continue a file that holds results of an earlier run.
        overwrite: drop what the file holds.
        inputs: when continuing, all positions of the input with their indices.

    Attributes:
        done: indices of the positions whose results are in the file already.
        earlier: those results, counted.

    Raises:
        FileExistsError: it holds something, and neither ``resume`` nor ``overwrite`` is given.
        ResultsError: it cannot be continued; it is left as it was.
        OSError: it cannot be read or written, or another run is writing to it.
    """

    def __init__(
        self,
        path: FilePath,
        question: Question,
        *,
        checked: bool = False,
        resume: bool = False,
        overwrite: bool = False,
        inputs: Iterable[tuple[int, Position]] = (),
    ) -> None:
        path = Path(path)
        form = _SolveLine(question, checked)
        super().__init__(path, form, resume=resume, overwrite=overwrite, inputs=inputs)
        self.earlier: Earlier = Earlier(
            len(self.held),
            sum(line.fields.get("ok") is True for line in self.held),
            sum(line.fields.get("ok") is False for line in self.held),
            sum(line.fields.get("expected") is None for line in self.held),
        )


class _SolveLine:
    """What a line says: the answer to one question about a position."""

    title = "result of reversi solve"
    noun = "position"
    kept: tuple[str, ...] = ("expected", "ok")

    def __init__(self, question: Question, checked: bool) -> None:
        self._question = question
        self._asked = _asked(_question_fields(question), question.all_moves or question.multi is not None, checked)

    def key_of(self, item: Position) -> _Key:
        return _key(position_fields(item))

    def key(self, fields: Mapping[str, Any]) -> _Key:
        return _key(fields)

    def conflict(self, fields: Mapping[str, Any]) -> str:
        asked = _asked(fields, "moves" in fields, "ok" in fields)
        if asked == self._asked:
            return ""
        if asked._replace(checked=self._asked.checked) == self._asked:
            compared = "is" if asked.checked else "is not"
            way = f"{'with' if asked.checked else 'without'} --check (check={asked.checked})"
            return f"{compared} compared with annotated scores; continue it {way}"
        return f"answers another question: {_in_words(asked)}, not {_in_words(self._asked)}"

    def described(self, fields: Mapping[str, Any]) -> str:
        state = " after a pass" if fields["after_pass"] else " ended by two passes" if "ended" in fields else ""
        return f"{fields['board']} {fields['to_move']}{state}, {fields['rules']}"

    def is_done(self, fields: Mapping[str, Any], item: Position) -> bool:
        return self._question.is_answered(Solution.from_json(fields))


def _key(fields: Mapping[str, Any]) -> _Key:
    return *(fields[name] for name in _KEY), "ended" in fields


def _asked(fields: Mapping[str, Any], moves: bool, checked: bool) -> _Asked:
    """Return the fields of a line that identify its question."""
    return _Asked(
        bool(moves),
        fields.get("multi"),
        fields.get("wld", False),
        fields.get("window"),
        fields.get("at_least"),
        checked,
    )


def _in_words(asked: _Asked) -> str:
    window = None if asked.window is None else (asked.window[0], asked.window[1])
    return str(Question(asked.moves and asked.multi is None, asked.multi, asked.wld, window, asked.at_least))
