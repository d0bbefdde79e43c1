"""Sittings that outlive the program: their text, their folder, and locks."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reversi import Color, GameError, InputError, Position, Random, parse_rules
from reversi.clock import parse_controls
from reversi.players import HUMAN, Side
from reversi.records import parse_record, read_records, validate_record
from reversi.saving import FINISHED_KEPT, RecordKeeper, Sittings, save_record
from reversi.session import Flipping, Session
from reversi.session_events import SaveFailed
from reversi.session_state import session_from_text, session_to_text

BLACK, WHITE = Color.BLACK, Color.WHITE


class Source:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def observe(session: Session) -> tuple[object, ...]:
    """Everything that must be the same after a crash."""
    clock = session.clock
    return (
        session.game.moves,
        session.position,
        session.game.supply,
        session.outcome,
        session.is_turning,
        session.to_move,
        session.can_undo,
        session.can_redo,
        session.sides,
        session.flipping,
        session.takebacks,
        session.seed,
        session.hint_level,
        session.tags,
        session.record(),
        session.clock_history,
        None if clock is None else [clock.state(color) for color in Color],
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(
        ["othello", "adjacent,optional-skip,board=4x4", "othello,board=4x4,misere", "othello,board=4x6"]
    ),
    st.sampled_from(["", "5:00+3", "1:00/-", "0:10+2x5/3:00"]),
    st.booleans(),
    st.integers(0, 1 << 60),
    st.lists(st.sampled_from(["play"] * 6 + ["undo", "redo", "turn", "finish", "wait", "resign"]), max_size=30),
)
def test_a_session_comes_back_as_it_was(rules: str, clock: str, manual: bool, seed: int, steps: list[str]) -> None:
    source, random = Source(), Random(seed)
    session = Session(
        parse_rules(rules),
        controls=parse_controls(clock) if clock else None,
        flipping=Flipping.MANUAL if manual else Flipping.AUTOMATIC,
        sides={WHITE: Side.engine(1, name="Wally \u201eW\u201c")},
        seed=seed,
        tags={"Event": 'a "quoted" \\ event', "Date": "2026.11.20"},
        now=source,
    )
    session.begin()
    for step in steps:
        try:
            if step == "play":
                if session.engine_to_move:
                    session.play_engine()
                else:
                    session.play(session.position.legal_moves.choice(random))
            elif step == "turn":
                session.turn("c3" if random.below(2) else "b2")
            elif step == "finish":
                session.finish_turn()
            elif step == "wait":
                source.now += random.below(40)
            else:
                getattr(session, step)()
        except (GameError, ValueError):
            pass
        text = session_to_text(session)
        again = session_from_text(text, now=source)
        assert observe(again) == observe(session)
        assert session_to_text(again) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "[" * 100_000,
        '{"reversi sitting": 2}',
        '{"reversi sitting": 1}',
        '{"reversi sitting": 1, "record": 5}',
    ],
)
def test_what_is_no_sitting(text: str) -> None:
    with pytest.raises(InputError, match="sitting"):
        session_from_text(text)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damage_is_an_input_error(data: st.DataObject) -> None:
    session = Session(controls=parse_controls("5:00"), flipping=Flipping.MANUAL)
    session.play("f5")
    state = json.loads(session_to_text(session))
    key = data.draw(st.sampled_from(sorted(state)))
    state[key] = data.draw(
        st.none() | st.integers() | st.floats() | st.text() | st.lists(st.integers()) | st.just({"x": 1})
    )
    with contextlib.suppress(InputError):  # anything else would be a crash; some changes do no harm
        assert session_to_text(session_from_text(json.dumps(state)))


def test_the_record_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    session = Session(keepers=[RecordKeeper(path)])
    session.begin()
    session.play("f5")
    assert parse_record(path.read_text(encoding="utf-8")).moves == session.game.moves
    session.undo()
    record = parse_record(path.read_text(encoding="utf-8"))
    assert record.moves == ()
    assert validate_record(record).unfinished
    with pytest.raises(OSError, match="cannot write"):
        save_record(session, tmp_path / "no" / "game.pgn")
    with pytest.raises((OSError, ValueError), match="cannot write"):
        save_record(session, Path(f"{tmp_path}/a\0b"))


def test_the_next_game_of_a_sitting_does_not_replace_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    session = Session(keepers=[RecordKeeper(path)])
    session.begin()
    session.play("f5")
    session.resign()
    session.new_game()
    session.new_game()
    session.play("e6")
    session.play("f4")
    entries = list(read_records(path.read_text(encoding="utf-8")))
    assert [entry.findings for entry in entries] == [[], []]
    assert [str(move) for entry in entries for move in entry.record.moves] == ["f5", "e6", "f4"]
    assert [entry.record.result for entry in entries] == ["1-0", "*"]


def test_a_failure_is_told_once_and_the_sitting_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    keeper = RecordKeeper(folder / "game.pgn")
    session = Session(keepers=[keeper])
    told: list[SaveFailed] = []
    session.listeners.append(lambda event: told.append(event) if isinstance(event, SaveFailed) else None)
    session.begin()
    folder.rename(tmp_path / "elsewhere")
    session.play("f5")
    session.play("d6")
    assert [event.keeper for event in told] == [keeper]
    assert "cannot write" in told[0].message
    (tmp_path / "elsewhere").rename(folder)
    session.play("c3")
    folder.rename(tmp_path / "elsewhere")
    session.play("d3")
    assert len(told) == 2


def test_sittings_begin_with_the_first_ply_and_are_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "games"
    sittings = Sittings(folder)
    session = Session(sides={WHITE: Side.engine(1)}, keepers=[sittings])
    session.begin()
    assert not folder.exists()
    session.play("f5")
    session.play_engine()
    assert sittings.path is not None
    assert Sittings(folder).unfinished() == []  # it is being played
    with pytest.raises(InputError, match="another window"):
        Sittings(folder).resume(sittings.path)
    with pytest.raises(InputError, match="no unfinished game"):
        Sittings(folder).resume()
    sittings.close()
    assert len(Sittings(folder).unfinished()) == 1
    other = Sittings(folder)
    again = other.resume()
    assert observe(again) == observe(session)
    again.begin()
    again.play(again.position.legal_moves[0])
    assert len(json.loads(other.path.read_text())["history"]) == 4  # type: ignore[union-attr]
    again.resign(BLACK)
    assert other.path is not None
    assert other.path.suffix == ".done"
    again.undo()
    assert other.path.suffix == ".sitting"
    other.close()
    assert [path.suffix for path in folder.iterdir()] == [".sitting"]


def test_another_game_of_a_sitting_has_a_file_of_its_own(tmp_path: Path) -> None:
    sittings = Sittings(tmp_path)
    session = Session(keepers=[sittings])
    session.begin()
    session.play("f5")
    first = sittings.path
    session.new_game()
    assert sittings.path == first
    session.play("e6")
    assert sittings.path != first
    sittings.close()
    assert len(Sittings(tmp_path).unfinished()) == 2
    assert Sittings(tmp_path).resume().game.moves == session.game.moves


def test_a_broken_file_does_not_hide_the_one_before(tmp_path: Path) -> None:
    sittings = Sittings(tmp_path)
    session = Session(keepers=[sittings])
    session.play("f5")
    sittings.close()
    (tmp_path / "9999-later.sitting").write_bytes(b"\xff\xfe")
    assert Sittings(tmp_path).resume().game.moves == session.game.moves
    for path in tmp_path.glob("2*.sitting"):
        path.unlink()
    with pytest.raises(InputError, match="9999-later"):
        Sittings(tmp_path).resume()


def test_old_finished_games_go(tmp_path: Path) -> None:
    for number in range(FINISHED_KEPT + 5):
        (tmp_path / f"2000-{number:03}.done").write_text("")
    (tmp_path / "2000.lock").write_text("")
    (tmp_path / "2000.sitting").write_text("")
    session = Session(keepers=[Sittings(tmp_path)])
    session.play("f5")
    assert len(list(tmp_path.glob("*.done"))) == FINISHED_KEPT
    assert not (tmp_path / "2000-004.done").exists()
    assert not (tmp_path / "2000.lock").exists()
    assert (tmp_path / "2000.sitting").exists()


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere"
)
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    told: list[object] = []
    session = Session(keepers=[Sittings(tmp_path / "games")])
    session.listeners.append(told.append)
    session.play("f5")
    assert sum(isinstance(event, SaveFailed) for event in told) == 1


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("")
    told: list[object] = []
    session = Session(Position(), sides={BLACK: HUMAN}, keepers=[Sittings(tmp_path / "games")])
    session.listeners.append(told.append)
    session.play("f5")
    session.play("d6")
    failures = [event for event in told if isinstance(event, SaveFailed)]
    assert len(failures) == 1
    assert "games: cannot write" in failures[0].message
