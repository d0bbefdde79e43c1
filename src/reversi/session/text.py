"""A session as text, so that it survives the end of the program.

The text is one JSON object: the game as a record (with the plies to redo), the current ply, the record that was
opened, the players and the clock states. `session_from_text` reads the text that `session_to_text` writes.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from reversi._core import Move
from reversi._system.state_files import read_state
from reversi.color import Color
from reversi.errors import MissingFileError
from reversi.game.clocks import ClockState, format_controls, parse_controls
from reversi.game.ply import Termination
from reversi.openings.book import BookError, Books, open_books
from reversi.records.formats.pgn.reader import parse_record, read_records
from reversi.records.from_game import game_from_record, record_from_game
from reversi.records.record import format_record, format_records
from reversi.session.clocks import SavedClocks
from reversi.session.notes import Note
from reversi.session.places import RecordPlace
from reversi.session.players import Side
from reversi.session.session import Flipping, Session
from reversi.session.state import GameState
from reversi.session.variations import Variation

_KEY: Final = "reversi session"


def session_to_text(session: Session) -> str:
    """Return the whole state of a session, without its keepers and listeners."""
    game = session.game
    outcome = game.outcome
    declared = None
    if outcome is not None and outcome.termination is not Termination.NORMAL:
        declared = [str(outcome.termination), None if outcome.winner is None else str(outcome.winner)]
    clock, clocks = session.clock, session.saved_clocks
    fields = {
        _KEY: 1,
        "record": format_record(record_from_game(game.whole())),
        "ply": len(game),
        "declared": declared,
        "sides": {
            str(color): {
                "level": side.level,
                "seconds": side.time_s,
                "nodes": side.nodes,
                "books": side.books,
                "name": side.name,
                "program": side.program,
                "adaptive": side.adaptive,
            }
            for color, side in session.sides.items()
        },
        "flipping": session.flipping.value,
        "takebacks": session.takebacks,
        "help_allowed": session.help_allowed,
        "seed": str(session.seed),  # perhaps more digits than a number has
        "hint_level": session.hint_level,
        "books": [] if session.book is None else session.book.names,
        "hold": "" if session.hold is None else "".join(format_records(session.hold.records)),
        "tags": session.tags,
        **{name: write(getattr(session.state, name)) for name, (write, _) in _STATE.items()},
        "controls": "" if clock is None else format_controls(clock.controls),
        "clocks": [[_clock_to_json(held) for held in states] for states in (*clocks.history, clocks.now)],
    }
    return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"


def session_from_text(
    text: str,
    *,
    book: Books | bool = True,
    now: Callable[[], float] = time.monotonic,
) -> Session:
    """Return the saved session; `Session.begin` continues it.

    Args:
        book: a book in place of the one that the session has; ``False`` for none.

    Raises:
        BookError: the book of the session is missing or damaged.
        InputError: the text is not a saved session, or a later version of this program wrote it.
    """
    session, books = read_state(
        text,
        _KEY,
        lambda fields: _session(fields, now),
        what="a saved session",
        remedy="move the file away, or begin another game",
    )
    if not isinstance(book, bool):
        session.book = book
    elif book and books:
        try:
            session.book = open_books(books)
        except (BookError, MissingFileError) as error:
            raise BookError(f"the book of this game is missing or wrong: {error}") from None
    return session


def _session(fields: dict[str, Any], now: Callable[[], float]) -> tuple[Session, tuple[str, ...]]:
    game = game_from_record(parse_record(fields["record"]))
    game.undo(len(game) - fields["ply"])
    colors = {str(color): color for color in Color}
    if fields["declared"] is not None:
        termination, winner = fields["declared"]
        game.declare(Termination(termination), None if winner is None else colors[winner])
    session = Session(
        game,
        sides={colors[name]: _side(side) for name, side in fields["sides"].items()},
        controls=parse_controls(fields["controls"]) if fields["controls"] else None,
        flipping=Flipping(fields["flipping"]),
        takebacks=bool(fields["takebacks"]),
        help_allowed=bool(fields["help_allowed"]),
        seed=int(fields["seed"]),
        hint_level=int(fields["hint_level"]),
        tags=_tags(fields["tags"]),
        now=now,
    )
    if fields["hold"]:
        from reversi.games.repertoire import Repertoire

        session.hold = Repertoire(entry.record for entry in read_records(fields["hold"]))
    state = GameState(touched=True, **{name: read(fields[name]) for name, (_, read) in _STATE.items()})
    *history, present = (tuple(map(_clock_from_json, states)) for states in fields["clocks"])
    session.restore(state, SavedClocks(tuple(history), present))
    return session, tuple(map(str, fields["books"]))


def _side(fields: dict[str, Any]) -> Side:
    return Side(
        fields["level"],
        fields["seconds"],
        str(fields["name"]),
        str(fields["program"]),
        adaptive=bool(fields["adaptive"]),
        nodes=fields["nodes"],
        books=tuple(map(str, fields["books"])),
    )


def _tags(tags: dict[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in tags.items()}


def _tags_before(saved: list[dict[str, Any]] | None) -> tuple[dict[str, str], dict[str, str]] | None:
    if saved is None:
        return None
    own, recorded = saved
    return _tags(own), _tags(recorded)


def _variation(kept: list[str]) -> Variation:
    before, line = map(_moves, kept)
    return Variation(before, line)


def _moves(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.parse, text.split()))


def _clock_to_json(state: ClockState) -> list[float | int | None]:
    return [state.main_s if math.isfinite(state.main_s) else None, state.periods, state.used_s]


def _clock_from_json(state: list[float | None]) -> ClockState:
    main, periods, used = state
    return ClockState(math.inf if main is None else float(main), int(periods or 0), float(used or 0))


_STATE: Final[dict[str, tuple[Callable[[Any], object], Callable[[Any], Any]]]] = {
    "length": (int, int),
    "opening_plies": (int, int),
    "from_start": (bool, bool),
    "steady": (bool, bool),
    "flips_pending": (bool, bool),
    "help_used": (sorted, lambda kinds: frozenset(map(str, kinds))),
    "in_history": (str, str),
    "opened": (lambda opened: opened and format_record(opened), lambda text: parse_record(text) if text else None),
    "names": (dict, _tags),
    "tags_before": (lambda tags: tags, _tags_before),
    "variations": (
        lambda kept: [[" ".join(map(str, tried.before)), " ".join(map(str, tried.line))] for tried in kept],
        lambda kept: tuple(map(_variation, kept)),
    ),
    "notes": (
        lambda notes: [[" ".join(map(str, note.moves)), note.mark, note.comment] for note in notes],
        lambda kept: tuple(Note(_moves(moves), str(mark), str(comment)) for moves, mark, comment in kept),
    ),
    "places": (
        lambda places: [[str(place.path), place.number, place.text] for place in places],
        lambda kept: tuple(RecordPlace(Path(path), int(number), str(text)) for path, number, text in kept),
    ),
}
"""How each field of `GameState` is written, and read again; where somebody resumes a game, it has been touched."""
