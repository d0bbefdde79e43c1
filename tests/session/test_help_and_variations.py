"""Help in games with a clock, and lines that are kept as variations of the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from reversi import Color, Game, Move, Session, Side
from reversi.errors import GameError
from reversi.game.clocks import TimeControl
from reversi.records import format_record, parse_record
from reversi.records.formats.pgn.reader import read_records
from reversi.session import Variation
from reversi.session.saving import save_game
from reversi.session.text import session_from_text, session_to_text

CLOCK = TimeControl(300)


def moves(text: str) -> tuple[Move, ...]:
    return tuple(Move.parse(word) for word in text.split())


def test_help_is_off_while_a_game_with_a_clock_runs() -> None:
    session = Session(controls=CLOCK)
    session.begin()
    with pytest.raises(GameError, match="off in a game with a clock; allow them"):
        session.use_help("hints")
    session.resign()
    session.use_help("hints")
    assert "Help" not in session.record().tags


@pytest.mark.parametrize(
    "session",
    [
        Session(),
        Session(sides=dict.fromkeys(Color, Side.engine(1)), controls=CLOCK),
    ],
)
def test_untimed_games_and_games_between_engines_are_free(session: Session) -> None:
    session.use_help("explorer")
    assert session.state.help_used == {"untimed"}
    assert "Help" not in session.record().tags


def test_a_game_that_used_help_says_so_in_its_record(tmp_path: Path) -> None:
    session = Session(controls=CLOCK, help_allowed=True)
    session.begin()
    session.play("f5")
    assert "Help" not in session.record().tags
    session.use_help("hints")
    session.use_help("explorer")
    session.use_help("hints")
    assert session.record().tags["Help"] == "explorer, hints"
    again = session_from_text(session_to_text(session))
    assert again.help_allowed
    assert again.record().tags["Help"] == "explorer, hints"
    path = tmp_path / "game.pgn"
    save_game(session, str(path))
    assert '[Help "explorer, hints"]' in path.read_text()
    session.new_game()
    assert "Help" not in session.record().tags


def test_a_recorded_game_is_free() -> None:
    session = Session(controls=CLOCK)
    session.load(parse_record("1. f5 d6 *\n"))
    session.use_help("explorer")


@pytest.mark.parametrize(
    ("before", "line", "written"),
    [
        ("f5", "f4 e3", "1. f5 d6 (1... f4 2. e3) 2. c3 d3"),
        ("", "d3 c3", "1. f5 (1. d3 c3) 1... d6 2. c3 d3"),
        ("f5 d6 c3 d3", "c4 f4", "1. f5 d6 2. c3 d3 (2... d3 3. c4 f4)"),
        ("f5", "d6 c4", "1. f5 d6 2. c3 (2. c4) 2... d3"),
        ("f5", "d6 c3", "1. f5 d6 2. c3 d3"),  # the game itself
        ("f5 f6", "e6", "1. f5 d6 2. c3 d3"),  # taken back since
    ],
)
def test_a_line_becomes_a_variation_of_the_record(before: str, line: str, written: str) -> None:
    session = Session(Game().play_all("f5d6c3d3"))
    session.keep_variation(Variation(moves(before), moves(line)))
    text = format_record(session.record())
    assert text.split("\n\n")[1].split(" *")[0] == written
    (entry,) = read_records(text)
    assert not entry.findings
    again = session_from_text(session_to_text(session))
    assert again.state.variations == session.state.variations
    assert format_record(again.record()) == text


def test_a_line_is_kept_once_and_saved() -> None:
    saved: list[str] = []
    session = Session(Game().play_all("f5d6"), keepers=[lambda one: saved.append(format_record(one.record()))])
    session.begin()
    session.keep_variation(Variation(moves("f5"), moves("f4")))
    assert "(1... f4)" in saved[-1]
    with pytest.raises(GameError, match="kept already"):
        session.keep_variation(Variation(moves("f5"), moves("f4")))
    with pytest.raises(GameError, match="no move"):
        session.keep_variation(Variation(moves("f5"), ()))
    session.undo(2)
    assert "(" not in saved[-1]
    session.redo(2)
    assert "(1... f4)" in saved[-1]
    session.new_game()
    assert session.state.variations == ()


def test_a_loaded_game_has_its_variations_beside_those_that_are_kept() -> None:
    text = "1. f5 {comment} f6 (1... d6 2. c3 (2. c5 d3) 2... d3) (1... f4) 2. e6 f4 (2... d6) *\n"
    session = Session()
    session.load(parse_record(text))
    assert session.state.variations == ()
    session.keep_variation(Variation(moves("f5 d6"), moves("c4")))
    written = " ".join(format_record(session.record()).split())
    assert "1... f6 (1... d6 2. c3 (2. c5 d3) (2. c4) 2... d3) (1... f4) 2. e6 f4 (2... d6)" in written
    session.load(parse_record("1. f5 *\n"))
    assert session.state.variations == ()
    assert "(" not in format_record(session.record())
