"""A session as text, so that it survives the end of the program.

The text is one JSON object: the game as a record (with the plies to redo), the current ply, the record that was
opened, the players and the clock states. `session_from_text` reads the text that `session_to_text` writes.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from reversi._core import Move
from reversi._system.state_files import read_state
from reversi.color import Color
from reversi.game.clocks import ClockState, format_controls, parse_controls
from reversi.game.ply import Termination
from reversi.openings.book import default_book
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.from_game import game_from_record, record_from_game
from reversi.records.record import format_record
from reversi.session.places import RecordPlace
from reversi.session.players import Side
from reversi.session.session import Flipping, Keeper, Session
from reversi.session.variations import Variation

_KEY: Final = "reversi session"


def session_to_text(session: Session) -> str:
    """Return the whole state of a session, without its keepers and listeners."""
    game = session.game
    outcome = game.outcome
    declared = None
    if outcome is not None and outcome.termination is not Termination.NORMAL:
        declared = [str(outcome.termination), None if outcome.winner is None else str(outcome.winner)]
    whole = game.copy()
    whole.undo(0)
    whole.redo(whole.can_redo)
    clock = session.clock
    state = {
        _KEY: 1,
        "over": session.is_over,
        "record": format_record(record_from_game(whole)),
        "ply": len(game),
        "length": session.length,
        "opened": "" if (opened := session.opened) is None else format_record(opened),
        "places": [[str(place.path), place.number, place.text] for place in session.places.values()],
        "declared": declared,
        "turning": session.flips_pending,
        "sides": {
            str(color): {
                "level": side.level,
                "seconds": side.time_s,
                "name": side.name,
                "program": side.program,
                "adaptive": side.adaptive,
            }
            for color, side in session.sides.items()
        },
        "flipping": session.flipping.value,
        "takebacks": session.takebacks,
        "help_allowed": session.help_allowed,
        "help_used": session.help_used,
        "helped": session.helped,
        "whole": session.whole,
        "opening_plies": session.opening_plies,
        "steady": session.steady,
        "joined": session.joined,
        "variations": [
            [" ".join(map(str, kept.before)), " ".join(map(str, kept.line))] for kept in session.variations
        ],
        "seed": str(session.seed),  # perhaps more digits than a number has
        "hint_level": session.hint_level,
        "book": session.book is not None,
        "tags": session.tags,
        "tags_before": session.tags_before,
        "names": session.names,
        "clock": "" if clock is None else format_controls(clock.controls),
        "clocks": [] if clock is None else [_state_to_json(clock.state(color)) for color in Color],
        "history": [[_state_to_json(held) for held in states] for states in session.clock_history],
    }
    return json.dumps(state, ensure_ascii=False, indent=1) + "\n"


def session_from_text(
    text: str, *, keepers: Iterable[Keeper] = (), now: Callable[[], float] = time.monotonic
) -> Session:
    """Return the saved session; `Session.begin` continues it.

    Args:
        text: a text that `session_to_text` returned.
        keepers: functions that save the session from now on.
        now: the source of seconds for its clocks.

    Raises:
        InputError: the text is not a saved session, or a later version of this program wrote it.
    """
    return read_state(text, _KEY, lambda state: _session(state, keepers, now), what="a saved session")


def _session(state: dict[str, Any], keepers: Iterable[Keeper], now: Callable[[], float]) -> Session:
    game = game_from_record(parse_record(state["record"]))
    game.undo(len(game) - state["ply"])
    if state["declared"] is not None:
        termination, winner = state["declared"]
        colors = {str(color): color for color in Color}
        game.declare(Termination(termination), None if winner is None else colors[winner])
    sides = {}
    for color in Color:
        side = state["sides"][str(color)]
        sides[color] = Side(
            side["level"],
            side["seconds"],
            str(side["name"]),
            str(side["program"]),
            None,
            bool(side["adaptive"]),
        )
    session = Session(
        game,
        sides=sides,
        controls=parse_controls(state["clock"]) if state["clock"] else None,
        flipping=Flipping(state["flipping"]),
        takebacks=bool(state["takebacks"]),
        help_allowed=bool(state["help_allowed"]),
        seed=int(state["seed"]),
        hint_level=int(state["hint_level"]),
        tags=_tags(state["tags"]),
        keepers=keepers,
        now=now,
    )
    if state["book"]:
        session.book = default_book()
    session.put_back(
        flips_pending=bool(state["turning"]),
        history=[tuple(_state_from_json(held) for held in states) for states in state["history"]],
        clocks=tuple(_state_from_json(held) for held in state["clocks"]),
        names=state["names"],
        help_used=[str(kind) for kind in state["help_used"]],
        helped=bool(state["helped"]),
        whole=bool(state["whole"]),
        opening_plies=int(state["opening_plies"]),
        steady=bool(state["steady"]),
        joined=str(state["joined"]),
        tags_before=_tags_before(state["tags_before"]),
        variations=[_variation(kept) for kept in state["variations"]],
        opened=parse_record(state["opened"]) if state["opened"] else None,
        length=int(state["length"]),
        places=[RecordPlace(Path(path), int(number), str(text)) for path, number, text in state["places"]],
    )
    return session


def _tags(tags: dict[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in tags.items()}


def _tags_before(saved: list[dict[str, Any]] | None) -> tuple[dict[str, str], dict[str, str]] | None:
    if saved is None:
        return None
    own, recorded = saved
    return _tags(own), _tags(recorded)


def _variation(kept: list[str]) -> Variation:
    before, line = (tuple(map(Move.parse, moves.split())) for moves in kept)
    return Variation(before, line)


def _state_to_json(state: ClockState) -> list[float | int | None]:
    return [state.main_s if math.isfinite(state.main_s) else None, state.periods, state.used_s]


def _state_from_json(state: list[float | None]) -> ClockState:
    main, periods, used = state
    return ClockState(math.inf if main is None else float(main), int(periods or 0), float(used or 0))
