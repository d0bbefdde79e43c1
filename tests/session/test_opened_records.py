"""A game that was opened: the session holds its whole record, and changes it only where somebody plays."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import given, strategies as st

from record_samples import EVALUATIONS, LINES, TEXT, random_moves
from reversi import Color, Game, Position, Random, Session, Side, Square, parse_rules
from reversi.errors import GameError
from reversi.game.clocks import TimeControl
from reversi.records import Line, Node, Record, Tags, format_record, parse_record, record_from_game
from reversi.session import Flipping, Variation
from reversi.session.text import session_from_text, session_to_text

ANNOTATED = """\
[Event "Final"]
[Site "Here"]
[Date "1997.08.17"]
[Round "3"]
[Black "Ann"]
[White "Bob"]
[Result "0-1"]
[TimeControl "1500+30"]
[Termination "resignation"]
[Annotator "Cy"]

{Before it.} {All of it.} 1. f5 $1 {[%clk 0:24:59.5] [%emt 0:00:00.5] [%eval
-0.5 heuristic] Usual.} {Twice.} 1... d6 (1... f4 $6 {Better?} 2. e3 (2. d3))
2. c3 {[%eval +2 selective 95%]} 2... d3 3. c4 $4 $22 0-1
"""


def moves(text: str) -> str:
    """The moves of a record's text on one line, tags left out."""
    return " ".join(text.split("\n\n")[1].split())


def opened(text: str, ply: int | None = None, **options: Any) -> Session:
    session = Session(**options)
    session.load(parse_record(text), ply)
    return session


def resumed(session: Session) -> Session:
    return session_from_text(session_to_text(session))


def written(session: Session) -> str:
    """The record of a session, the same after a crash."""
    text = format_record(session.record())
    assert format_record(resumed(session).record()) == text
    return text


@st.composite
def playable_records(draw: st.DrawFn) -> Record:
    """Legal games with anything noted about them."""
    start = Position()
    nodes = [
        Node(
            move,
            comments=draw(st.lists(TEXT, max_size=2).map(tuple)),
            nags=draw(st.lists(st.integers(0, 999), max_size=2).map(tuple)),
            clock=draw(st.none() | st.floats(0, 1e6)),
            elapsed=draw(st.none() | st.floats(0, 1e4)),
            evaluation=draw(st.none() | EVALUATIONS),
            variations=draw(st.lists(LINES, max_size=1).map(tuple)),
        )
        for move in random_moves(start, draw(st.integers(0, 99)), draw(st.integers(0, 6)))
    ]
    tags = Tags([("Black", draw(TEXT)), ("Odd", draw(TEXT)), ("Odd", "twice"), ("TimeControl", "60")])
    result = draw(st.sampled_from(["*", "1-0", "37-27", "1/2-1/2"]))
    return Record(tags, start, Line(nodes, draw(st.lists(TEXT, max_size=2).map(tuple))), result)


@given(record=playable_records(), data=st.data())
def test_what_was_opened_is_what_is_saved(record: Record, data: st.DataObject) -> None:
    text = format_record(record)
    session = Session(sides={Color.WHITE: Side.engine(1)}, controls=TimeControl(60), tags={"Date": "2026.01.01"})
    session.load(record, data.draw(st.none() | st.integers(0, len(record.line.nodes))))
    for _ in range(data.draw(st.integers(0, 3))):
        step = data.draw(st.sampled_from([session.undo, session.redo]))
        if session.can_undo if step == session.undo else session.can_redo:
            step()
    assert session.record() == record
    assert resumed(session).record() == record
    session.record().line.comments = ("changed",)
    assert format_record(session.record()) == text


def is_in(old: Line, new: Line) -> bool:
    """Whether a line has all of another one, with everything noted about it."""
    return old.comments == new.comments and all(
        replace(one, variations=()) == replace(other, variations=())
        and all(is_in(*pair) for pair in zip(one.variations, other.variations, strict=False))
        and len(one.variations) <= len(other.variations)
        for one, other in zip_longest(old.nodes, new.nodes[: len(old.nodes)])
    )


@pytest.mark.thorough
@given(
    record=playable_records(), seed=st.integers(0, 999), steps=st.lists(st.sampled_from("ppppurabkR"), max_size=20)
)
def test_whatever_is_played_the_record_stays(record: Record, seed: int, steps: list[str]) -> None:
    random, session = Random(seed), Session(flipping=list(Flipping)[seed % 2])
    session.load(record, seed % (len(record.moves) + 1))
    before, ended = format_record(record), False
    for step in steps:
        moves = session.position.legal_moves.placements
        match step:
            case "p" if moves and not session.is_over:
                session.play(session.position.legal_moves.choice(random))
            case "u" if session.can_undo:
                session.undo(session.can_undo if seed % 3 else 1)
            case "r" if session.can_redo:
                session.redo()
            case "a":
                session.pause()
            case "b":
                session.begin()
            case "k" if session.position.legal_moves:
                line = (session.position.legal_moves[-1],)
                with contextlib.suppress(GameError):
                    session.keep_variation(Variation(session.game.moves, line))
            case "R" if not session.is_over:
                session.resign()
                ended = True
        now = session.record()
        assert is_in(record.line, now.line)
        assert ended or record.result == "*" or now.result == record.result
        assert len(record.moves) == len(now.moves) or record.result == "*" or not record.moves
        assert resumed(session).record() == now == parse_record(format_record(now))
    assert format_record(record) == before


def test_what_is_played_from_the_middle_is_a_variation() -> None:
    session = opened(ANNOTATED, 2, controls=TimeControl(300), now=lambda: 0.0)
    session.begin()
    session.play("c4")
    session.play("b3")
    text = written(session)
    assert "3. c4 $4 $22 0-1" in moves(text)
    assert "2. c3 {[%eval +2 selective 95%]} (2. c4 {[%clk 0:24:59.5]} 2... b3 {[%clk 0:05:00]})" in moves(text)
    assert text.split("\n\n")[0] == ANNOTATED.split("\n\n", maxsplit=1)[0]
    session.undo(2)  # taken back in a game that goes on: it is gone
    assert written(session) == ANNOTATED
    session.play("c3")  # the move of the file
    assert written(session) == ANNOTATED


def test_a_line_that_the_file_has_goes_on_there() -> None:
    session = opened(ANNOTATED, 1)
    for move in ("f4", "e3", "d6"):
        session.play(move)
    assert "(1... f4 $6 {Better?} 2. e3 (2. d3) 2... d6) 2. c3" in moves(written(session))
    session.undo(2)
    session.play("d3")
    session.play("f6")
    assert "(1... f4 $6 {Better?} 2. e3 (2. d3 f6)) 2. c3" in moves(written(session))


def test_what_one_steps_back_from_stays() -> None:
    session = opened(ANNOTATED, 2)
    session.play("c4")
    session.pause()
    session.undo(3)
    assert "(2. c4)" in written(session)
    session.play("d3")
    text = written(session)
    assert "(2. c4)" in text
    assert text.index("1. f5 $1") < text.index("(1. d3)")
    session.pause()
    session.undo()
    session.play("c4")
    assert all(f"({line})" in written(session) for line in ("1. d3", "1. c4", "2. c4"))


def test_an_unfinished_game_goes_on() -> None:
    text = ANNOTATED.replace("0-1", "*").replace('[Termination "resignation"]\n', "")
    session = opened(text, sides={Color.WHITE: Side.engine(1)})
    assert written(session) == text
    session = opened(text, sides={Color.WHITE: Side.engine(1), Color.BLACK: Side(name="Dan")})
    session.begin()
    session.play_engine()
    record = session.record()
    assert format_record(record).startswith(text.split("[White")[0])  # Black has not moved yet
    assert record.white.endswith("level 1")
    assert moves(format_record(record)).startswith(moves(text).removesuffix(" *"))
    assert len(record.moves) == 6
    session.resign(Color.BLACK)
    record = session.record()
    assert (record.result, record.tags["Termination"]) == ("0-1", "resignation")
    assert resumed(session).record() == record


def test_an_ended_game_stays_as_it_ended() -> None:
    session = opened(ANNOTATED)
    session.undo()  # the resignation
    played = session.position.legal_moves[0]
    session.play(played)
    assert moves(written(session)).endswith(f"3. c4 $4 $22 (3. c4 {played}) 0-1")
    session.resign()
    assert session.record().result == "0-1"
    assert session.record().tags == parse_record(ANNOTATED).tags


def test_nobody_goes_on_by_a_forced_pass() -> None:
    game, random = Game(parse_rules("othello,board=4x4")), Random(3)
    while not game.must_pass:
        game.play(game.position.legal_moves.choice(random))
    record = record_from_game(game)
    session = Session(game.rules)
    session.load(record)
    session.begin()
    assert session.game.last is not None
    assert session.game.last.is_forced_pass
    assert session.record() == record


def test_stepping_through_a_paused_game_takes_nothing_back() -> None:
    session = Session()
    session.begin()
    for move in ("f5", "d6", "c3"):
        session.play(move)
    session.pause()
    session.undo(3)
    assert moves(written(session)) == "1. f5 d6 2. c3 *"
    session.begin()
    session.redo(2)
    session.undo()
    assert moves(written(session)) == "1. f5 *"  # taken back


def test_flips_by_hand_are_those_of_the_file_where_they_agree() -> None:
    text = "1. f5 {[%flips e5]} 1... d6 {[%flips]} 2. c3 *"
    session = opened(text, 0)
    session.play("f5")
    assert moves(written(session)) == text
    session.play("d6")
    assert moves(written(session)) == "1. f5 {[%flips e5]} 1... d6 {[%flips]} (1... d6) 2. c3 *"
    session = opened("1. f5 d6 2. c3 *", 0, flipping=Flipping.MANUAL)
    session.play("f5", flips=["e5"])
    session.play("d6", flips=["d5", "e5"])
    assert moves(written(session)) == "1. f5 d6 (1... d6 {[%flips d5 e5]}) 2. c3 *"


def test_tags_that_somebody_changes() -> None:
    session = opened(ANNOTATED)
    session.tags["Annotator"] = "Dan"
    session.tags["Round"] = "4"
    del session.tags["Site"]
    tags = session.record().tags
    assert (tags["Annotator"], tags["Round"], tags["Site"], tags["TimeControl"]) == ("Dan", "4", "?", "1500+30")
    assert resumed(session).record().tags == tags


def test_lines_that_the_file_has_are_kept_already() -> None:
    session = opened(ANNOTATED)
    f5, f4, d3, g3 = (Square(square) for square in ("f5", "f4", "d3", "g3"))
    with pytest.raises(GameError, match="kept already"):
        session.keep_variation(Variation((f5,), (f4, d3)))
    session.keep_variation(Variation((f5, f4), (g3,)))
    assert "{Better?} 2. e3 (2. d3) (2. g3))" in moves(written(session))
    assert not session.is_untouched  # leaving it loses the line
    assert session.is_replay


def test_a_line_tried_beside_a_variation_is_kept_there() -> None:
    session = opened(ANNOTATED, 1)
    for move in ("f4", "d3", "f6"):
        session.play(move)
    session.keep_variation(Variation(session.game.moves[:3], (Square("d6"),)))
    assert "(2. d3 f6 (2... d6))" in moves(written(session))
