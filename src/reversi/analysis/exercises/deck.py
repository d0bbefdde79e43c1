"""Decks: files of exercises, as JSON with one exercise per line.

The format is described in `docs/training.md`. A file is written whole or not at all.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from reversi._core import Move, Position
from reversi._system.files import write_atomically
from reversi._system.locks import beside
from reversi._system.plain_json import read_fields
from reversi._system.state_files import read_state
from reversi.analysis.exercises.exercise import Exercise, Origin
from reversi.analysis.exercises.themes import ExerciseTheme
from reversi.arguments import FilePath, excerpt, is_number, open_file
from reversi.errors import InputError
from reversi.score import Kind, MoveValue
from reversi.solver.solution import MoveScore, best_first
from reversi.text.position_json import position_fields, position_of

DECK_VERSION: Final = 1
_KEY: Final = "reversi exercises"
_MAX_BYTES: Final = 256 << 20
_MOST_DIFFICULT: Final = 4000
STANDARD: Final = "standard"
"""The name of the built-in deck."""
_FILE: Final = "standard.deck.gz"
_WAIT_S: Final = 3.0  # for another program that writes the same file


def deck_text(exercises: Iterable[Exercise]) -> str:
    lines = ",\n".join(json.dumps(exercise_fields(exercise), ensure_ascii=False) for exercise in exercises)
    return f'{{"{_KEY}": {DECK_VERSION}, "exercises": [\n{lines}\n]}}\n'


def write_deck(path: FilePath, exercises: Iterable[Exercise]) -> None:
    """Write a deck, in place of what the file holds.

    Raises:
        OSError: the file cannot be written.
    """
    path = Path(path)
    write_atomically(path, deck_text(exercises))


def add_to_deck(path: FilePath, exercises: Iterable[Exercise]) -> int:
    """Add the exercises that a deck does not have yet, and return how many these are.

    Creates a missing file, and its folder. Other programs may add to the same deck at the same time.

    Raises:
        InputError: the file is not a deck; it stays as it is.
        OSError: the file cannot be read or written.
    """
    path = Path(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with beside(path, wait_s=_WAIT_S):
        deck: list[Exercise] = []
        with contextlib.suppress(FileNotFoundError):
            deck = read_deck(path)
        new = list(_without({exercise.id for exercise in deck}, exercises))
        if new:
            write_deck(path, [*deck, *new])
    return len(new)


def _without(seen: set[str], exercises: Iterable[Exercise]) -> Iterator[Exercise]:
    for exercise in exercises:
        if exercise.id not in seen:
            seen.add(exercise.id)
            yield exercise


def read_deck(path: FilePath) -> list[Exercise]:
    """Read the exercises of a deck; of several with one position the first.

    Raises:
        InputError: the file is not a deck, a later version wrote it, or an exercise is damaged.
        OSError: the file cannot be read.
    """
    path = Path(path)
    with open_file(path) as stream:
        data = stream.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise InputError(f"more than {_MAX_BYTES >> 20} MB; split it", source=str(path))
    try:
        return parse_deck(data)
    except InputError as error:
        raise error.located(str(path)) from None


@functools.cache
def standard_deck() -> tuple[Exercise, ...]:
    """Return the exercises that come with the package; see `docs/training.md`."""
    packed = Path(__file__).with_name(_FILE).read_bytes()
    return tuple(replace(each, origin=Origin("built-in")) for each in parse_deck(gzip.decompress(packed)))


def parse_deck(text: str | bytes) -> list[Exercise]:
    """Read the exercises of a text; see `read_deck`."""
    remedy = "make one with 'reversi train make'; 'reversi train openings' asks a repertoire"
    return read_state(text, _KEY, _deck, what="a deck of exercises", remedy=remedy, version=DECK_VERSION)


def _deck(fields: dict[str, Any]) -> list[Exercise]:
    listed = fields.get("exercises")
    if not isinstance(listed, list):
        raise InputError("'exercises' is not a list")
    return list(_without(set(), (_exercise(number, each) for number, each in enumerate(listed, 1))))


def exercise_fields(exercise: Exercise) -> dict[str, object]:
    score, origin = exercise.score, exercise.origin
    return {
        "id": exercise.id,
        **position_fields(exercise.position),
        "theme": exercise.theme.value,
        "difficulty": exercise.difficulty,
        "kind": str(score.kind),
        "depth": score.depth,
        "confidence": score.confidence,
        "moves": [
            {"move": str(scored.move), "score": scored.score.value, "pv": [str(move) for move in scored.pv]}
            for scored in exercise.moves
        ],
        "played": None if exercise.played is None else str(exercise.played),
        "file": origin.file,
        "game": origin.game,
        "ply": origin.ply,
        "black": origin.black,
        "white": origin.white,
        "date": origin.date,
    }


def _exercise(number: int, fields: Any) -> Exercise:
    try:
        return read_fields(fields, _exercise_of)
    except InputError as error:
        raise InputError(f"exercise {number}: {error}") from None


def _exercise_of(fields: dict[str, Any]) -> Exercise:
    position = position_of(fields)
    if position.is_over:
        raise InputError("the game is over in this position")
    moves = tuple(_scored(fields, scored, position) for scored in fields["moves"])
    legal = position.legal_moves
    if len(moves) != len(legal) or {scored.move for scored in moves} != set(legal) or len(legal) < 2:
        raise InputError(f"the moves are not the legal ones: {' '.join(map(str, legal))}")
    played = None if fields.get("played") is None else Move.parse(fields["played"])
    if played is not None and not position.is_legal(played):
        raise InputError(f"the move {played} is not legal")
    texts = (str(fields.get(name) or "") for name in ("black", "white", "date"))
    game, ply = (_count(fields, name) if fields.get(name) else 0 for name in ("game", "ply"))
    origin = Origin(str(fields.get("file") or ""), game, ply, *texts)
    difficulty = fields["difficulty"]
    if difficulty is not None and not (is_number(difficulty) and 0 <= difficulty <= _MOST_DIFFICULT):
        raise InputError(f"the difficulty {excerpt(difficulty)} is not a number from 0 to {_MOST_DIFFICULT}")
    return Exercise(position, best_first(moves), ExerciseTheme(fields["theme"]), difficulty, played, origin)


def _scored(fields: dict[str, Any], written: dict[str, Any], position: Position) -> MoveScore:
    value, depth = written["score"], _count(fields, "depth")
    confidence = fields["confidence"] and _count(fields, "confidence")
    cells = position.rules.board.cells
    if not is_number(value) or abs(value) > cells:
        raise InputError(f"{excerpt(value)} is not a score in discs on {cells} squares")
    kind = Kind(fields["kind"])
    score = MoveValue.stated(value, kind, position.to_move, cells, depth=depth, confidence=confidence)
    line = []
    for text in written["pv"]:  # as far as it can be played
        move = Move.parse(text)
        if position.is_over or not position.is_legal(move):
            break
        line.append(move)
        position = position.play(move)
    return MoveScore(Move.parse(written["move"]), score, tuple(line))


def _count(fields: dict[str, Any], name: str) -> int:
    value: int = fields[name]
    if not is_number(value) or value < 0:
        raise InputError(f"{excerpt(name)} must be a number from 0 up, not {excerpt(value)}")
    return value
