"""A session that is paused: engines step by step, and records that are looked at before anybody plays on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from reversi import Color, Game, GameError, Position, Random, Square, TimeControl, parse_rules
from reversi.records import parse_record
from reversi.records.from_game import record_from_game
from reversi.records.record import Record
from reversi.session.events import Restarted, SessionEvent
from reversi.session.players import Side
from reversi.session.saving import RecordKeeper, SessionFolder
from reversi.session.session import Flipping, Session
from reversi.session.text import session_from_text, session_to_text
from time_source import TimeSource

BLACK, WHITE = Color.BLACK, Color.WHITE
ONE = Side.engine(1)


def recorded(end: str = "*") -> Record:
    return parse_record(f'[Event "Final"]\n[Black "Ann"]\n[White "Bob"]\n\n1. f5 d6 2. c3 d3 3. c4 {end}\n')


def finished() -> Record:
    return parse_record('[Black "Ann"]\n[White "Bob"]\n\n1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5 13-0\n')


def test_engines_that_play_each_other_are_paused_and_stepped() -> None:
    source = TimeSource()
    session = Session(sides={BLACK: ONE, WHITE: ONE}, controls=TimeControl(60), now=source)
    session.begin()
    session.play_engine()
    session.pause()
    assert (session.is_paused, session.engine_to_move) == (True, True)
    assert session.is_paused or not session.engine_to_move
    source.now += 1000
    assert session.play_engine() is not None
    assert session.go().number == 3
    assert len(session.game) == 3
    assert session.is_paused or not session.engine_to_move
    assert not session.tick()
    session.begin()
    assert session.engine_to_move
    assert not session.is_paused
    assert session.clock is not None
    assert session.clock.running is session.game.to_move


def test_a_thought_that_a_pause_overtakes_is_not_played() -> None:
    session = Session(sides={BLACK: ONE, WHITE: ONE})
    session.begin()
    thought = session.thought()
    thought.think()
    session.pause()
    assert session.play_thought(thought) is None
    assert len(session.game) == 0


def test_taking_back_moves_of_engines_pauses_them() -> None:
    session = Session(sides={BLACK: ONE, WHITE: ONE})
    session.begin()
    played = [session.play_engine() for _ in range(4)]
    assert session.can_undo == 4
    assert [ply.number for ply in session.undo()] == [4]
    assert session.is_paused
    assert session.is_paused or not session.engine_to_move
    session.undo(2)
    assert (len(session.game), session.can_redo) == (1, 3)
    session.redo()
    assert session.game.last == played[1]


def test_a_move_of_a_person_continues_a_paused_game() -> None:
    session = Session(sides={WHITE: ONE}, controls=TimeControl(60))
    session.begin()
    session.pause()
    session.play("f5")
    assert (session.is_paused, session.engine_to_move and not session.is_paused) == (False, True)
    assert session.clock is not None
    assert session.clock.running is WHITE


def test_a_loaded_record_is_not_played_before_somebody_says_so() -> None:
    session = Session(sides={WHITE: ONE, BLACK: ONE}, controls=TimeControl(60))
    names: list[Mapping[str, str]] = []

    def note(event: SessionEvent) -> None:
        if isinstance(event, Restarted):
            names.append(session.state.names)

    session.listeners.append(note)
    session.begin()
    session.load(recorded(), 3)
    assert (session.is_replay, session.is_paused, session.engine_to_move and not session.is_paused) == (
        True,
        True,
        False,
    )
    assert names == [{"Black": "Ann", "White": "Bob"}]  # known when the listeners hear of the game
    session.undo()
    session.redo(2)
    assert (len(session.game), session.can_undo, session.can_redo) == (4, 4, 1)
    assert session.record().black == "Ann"
    session.begin()
    assert session.engine_to_move
    assert not session.is_paused
    session.play_engine()
    assert (session.is_replay, session.state.names, session.can_redo) == (False, {}, 0)


def test_a_forced_pass_keeps_the_names_of_a_record() -> None:
    game, random = Game(parse_rules("othello,board=4x4")), Random(3)
    while not game.must_pass:
        game.play(game.position.legal_moves.choice(random))
    session = Session(parse_rules("othello,board=4x4"))
    session.load(record_from_game(game, {"Black": "Ann"}))
    assert session.game.last is not None
    assert session.game.last.is_forced_pass
    assert session.state.names == {"Black": "Ann"}


def test_a_record_that_ended_on_time_can_be_stepped_through() -> None:
    record = parse_record('[Black "Ann"]\n[Termination "time forfeit"]\n\n1. f5 d6 2. c3 0-1\n')
    session = Session()
    session.load(record)
    assert session.is_over
    session.undo()
    assert len(session.game) == 2


def test_looking_at_a_record_keeps_nothing(tmp_path: Path) -> None:
    sessions, file = SessionFolder(tmp_path / "games"), tmp_path / "kept.pgn"
    session = Session(keepers=[sessions, RecordKeeper(file)])
    session.begin()
    session.load(finished())
    session.undo(2)
    assert sessions.unfinished() == []
    assert sessions.path is None
    session.pause()
    assert not file.exists()
    session.play("f5")
    assert sessions.path is not None
    assert "f5" in file.read_text(encoding="utf-8")


def test_a_continued_record_survives_a_crash_but_not_leaving(tmp_path: Path) -> None:
    sessions = SessionFolder(tmp_path)
    session = Session(keepers=[sessions])
    session.load(recorded())
    session.begin()
    assert sessions.path is not None  # as --load does it: killed now, it can be resumed
    session.undo()
    session.pause()
    sessions.close()
    assert list(tmp_path.iterdir()) == []


def test_a_position_that_was_set_up_is_kept_before_the_first_move(tmp_path: Path) -> None:
    sessions = SessionFolder(tmp_path)
    start = Position().play("f5").play("d6")
    session = Session(start, keepers=[sessions])
    session.begin()
    session.pause()
    sessions.close()
    assert SessionFolder(tmp_path).resume().position == start


def test_nobody_skips_while_discs_are_flipped_by_hand() -> None:
    session = Session(parse_rules("othello,optional-skip"), flipping=Flipping.MANUAL)
    session.begin()
    session.play("f5")
    assert not session.can_skip
    with pytest.raises(GameError, match="Black is flipping discs; finish, then White may skip"):
        session.skip()
    assert (len(session.game), session.flips_pending) == (1, True)
    session.flip("e5")
    session.finish_flips()
    assert session.can_skip
    session.skip()
    assert session.game.last is not None
    assert session.game.last.color is WHITE
    assert session.game[0].flips == (Square("e5"),)


def test_another_game_has_none_of_the_tags_of_a_record() -> None:
    session = Session(tags={"Date": "1999.12.31"})
    session.load(recorded())
    session.load(finished())
    session.load(recorded())
    assert session.tags["Event"] == "Final"
    session.tags["Round"] = "3"
    session.begin()
    resumed = session_from_text(session_to_text(session))
    for each in (session, resumed):
        each.new_game(opening="Tiger")
        date = each.tags.pop("Date")  # the day of the game that begins
        assert date > "1999.12.31"
        assert each.tags == {"Round": "3", "Opening": "Tiger"}
        each.set_position(Position(each.rules))
        assert "Opening" not in each.tags
