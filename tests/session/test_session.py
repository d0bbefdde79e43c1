"""A session: turns, players, clocks, take-backs, flips by hand, and its events."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings, strategies as st

from patience import SOON_S
from random_games import random_game
from reversi import (
    PASS,
    Color,
    GameError,
    IllegalMoveError,
    InputError,
    InvalidMoveError,
    Position,
    Random,
    RecordError,
    Square,
    parse_rules,
)
from reversi.engine.engine import EngineCancelled
from reversi.game.clocks import ClockState, parse_controls
from reversi.game.ply import Termination
from reversi.games import Repertoire
from reversi.records import format_record, parse_record, validate_record
from reversi.records.findings import Code
from reversi.records.from_game import game_from_record
from reversi.session.events import (
    By,
    Ended,
    FlagFell,
    Flipped,
    FlipsFinished,
    OpeningLeft,
    Played,
    PlayedAgain,
    Resigned,
    Restarted,
    SessionEvent,
    TakenBack,
)
from reversi.session.players import HUMAN, Side, parse_side
from reversi.session.session import Flipping, Session
from reversi.session.text import session_from_text, session_to_text
from sittings import play_on
from time_source import TimeSource

BLACK, WHITE = Color.BLACK, Color.WHITE
WIPE_OUT = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]
ONE = Side.engine(1)


def timed(controls: str, **more: object) -> tuple[TimeSource, Session]:
    """A session with clocks, begun, and the time that they read."""
    source = TimeSource()
    session = Session(controls=parse_controls(controls), now=source, **more)  # type: ignore[arg-type]
    session.begin()
    return source, session


def listening(session: Session) -> list[SessionEvent]:
    told: list[SessionEvent] = []
    session.listeners.append(told.append)
    return told


# --- turns


@pytest.mark.parametrize(
    "rules",
    [
        "othello,board=4x4",
        "othello,board=4x6,misere",
        "othello,optional-skip,board=4x4",
        "othello,anywhere,optional-capture,optional-skip,full-board,board=4x6",
        "adjacent,optional-skip,board=4x4",
        "adjacent,optional-skip,no-moves,board=4x4",
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_forced_passes_happen_by_themselves(rules: str, seed: int) -> None:
    game = random_game(rules, seed)
    session = Session(parse_rules(rules))
    told = listening(session)
    session.begin()
    for ply in game:
        if not ply.is_forced_pass:
            assert session.play(ply.move).move == ply.move
    assert session.game.moves == game.moves
    assert session.outcome == game.outcome
    played = [event for event in told if isinstance(event, Played)]
    assert [event.ply.move for event in played] == list(game.moves)
    assert [event.by is By.FORCED for event in played] == [ply.is_forced_pass for ply in game]
    assert [event for event in told if isinstance(event, Ended)] == [Ended(game.outcome)]  # type: ignore[arg-type]
    assert told[-1] == Ended(game.outcome)  # type: ignore[arg-type]
    again = game_from_record(parse_record(format_record(session.record())))
    assert (again.moves, again.outcome, again.rules) == (game.moves, game.outcome, game.rules)
    with pytest.raises(GameError, match="over"):
        session.play("a1")


def test_illegal_moves_change_nothing() -> None:
    session = Session()
    told = listening(session)
    for wrong, error in (("a1", IllegalMoveError), ("--", IllegalMoveError), ("z9", InvalidMoveError)):
        with pytest.raises(error):
            session.play(wrong)
    assert (told, len(session.game)) == ([], 0)


def test_skips_only_where_the_rules_allow_them() -> None:
    session = Session()
    assert not session.can_skip
    with pytest.raises(IllegalMoveError):
        session.skip()
    session = Session(parse_rules("adjacent,optional-skip,board=4x4"))
    assert session.can_skip
    assert session.skip().is_skip
    assert not session.can_skip
    with pytest.raises(IllegalMoveError):
        session.skip()
    against = Session(parse_rules("othello,optional-skip"), sides={BLACK: ONE})
    assert not against.can_skip


def test_an_engine_plays_its_side() -> None:
    session = Session(sides={WHITE: ONE}, seed=3)
    session.begin()
    assert not session.engine_to_move
    with pytest.raises(GameError, match="not an engine's turn"):
        session.play_engine()
    session.play("f5")
    assert session.engine_to_move
    with pytest.raises(GameError, match="the turn of White, an engine"):
        session.play("d6")
    ply = session.play_engine()
    assert ply is not None
    assert ply.color is WHITE
    assert ply.evaluation is not None
    again = Session(sides={WHITE: ONE}, seed=3)
    again.play("f5")
    repeated = again.play_engine()
    assert repeated is not None
    assert repeated.move == ply.move


def test_two_engines_play_a_whole_game() -> None:
    session = Session(parse_rules("adjacent,optional-skip,board=4x4"), sides={BLACK: ONE, WHITE: Side.engine(2)})
    session.begin()
    while session.engine_to_move:
        session.play_engine()
    assert session.is_over
    assert validate_record(session.record()).valid


def test_a_thought_in_another_thread() -> None:
    session = Session(sides={WHITE: ONE})
    session.play("f5")
    thought = session.thought()
    with pytest.raises(GameError, match="not answered"):
        session.play_thought(thought)
    worker = threading.Thread(target=thought.think)
    worker.start()
    worker.join()
    ply = session.play_thought(thought)
    assert ply is not None
    assert session.play_thought(thought) is None  # the game has gone on


def test_a_thought_that_came_too_late_is_dropped() -> None:
    session = Session(sides={WHITE: ONE})
    session.play("f5")
    thought = session.thought()
    thought.think()
    session.undo()
    session.play("f5")
    assert session.play_thought(thought) is None
    assert len(session.game) == 1


def test_a_thought_can_be_cancelled() -> None:
    session = Session(sides={BLACK: Side.engine(60)})
    thought = session.thought()
    raised: list[BaseException] = []

    def think() -> None:
        try:
            thought.think()
        except EngineCancelled as error:
            raised.append(error)

    worker = threading.Thread(target=think)
    worker.start()
    thought.cancel()
    worker.join(timeout=SOON_S)
    assert not worker.is_alive()
    assert len(raised) == 1
    assert session.go(1).color is BLACK  # another question is answered


def test_go_plays_for_a_person() -> None:
    session = Session()
    told = listening(session)
    ply = session.go(1)
    assert (ply.color, session.game.to_move) == (BLACK, WHITE)
    assert isinstance(told[0], Played)
    assert told[0].by is By.ENGINE
    assert session.can_undo == 1


def test_play_line_plays_both_sides_and_all_or_nothing() -> None:
    session = Session(sides={WHITE: ONE})
    assert len(session.play_line(["f5", "d6", "c3"])) == 3
    assert session.engine_to_move
    with pytest.raises(IllegalMoveError):
        session.play_line(["d3", "a1"])
    assert len(session.game) == 3
    game = random_game("othello,board=4x4", 3)
    assert any(ply.is_forced_pass for ply in game)
    for moves in (game.moves, [move for move in game.moves if not move.is_pass]):
        session = Session(parse_rules("othello,board=4x4"))
        session.play_line(moves)
        assert session.game.moves == game.moves
        assert session.outcome == game.outcome


def test_hints() -> None:
    session = Session()
    choices = session.hint(2)
    assert len(choices) == 2
    other = Position().play("f5")
    assert session.hint(1, other)[0].move in other.legal_moves
    session.hint_level = 1
    assert session.hint_level == 1
    assert len(session.hint(4)) == 4


# --- taking back


@pytest.mark.parametrize("rules", ["othello,board=4x4", "othello,optional-skip,full-board,board=4x4"])
def test_undo_and_redo_across_passes(rules: str) -> None:
    games = (random_game(rules, seed) for seed in range(200))
    game = next(game for game in games if any(ply.is_forced_pass for ply in game[:-2]))
    session = Session(parse_rules(rules))
    for ply in game:
        if ply.is_forced_pass:
            continue
        session.play(ply.move)
        before = session.game.moves
        turns = session.can_undo
        session.undo()
        assert session.position.legal_moves.placements
        assert session.can_undo == turns - 1
        session.redo()
        assert session.game.moves == before
    turns = session.can_undo
    session.undo(turns)
    assert len(session.game) == 0
    session.redo(turns)
    assert session.game.moves == game.moves
    assert session.outcome == game.outcome
    assert session.record().moves == game.moves


@given(st.integers(0, 1 << 40), st.booleans())
@settings(max_examples=30)
def test_undo_against_the_engine_is_by_whole_turns(seed: int, engine_first: bool) -> None:
    person = WHITE if engine_first else BLACK
    session = Session(parse_rules("othello,board=4x6"), sides={person.opponent: ONE}, seed=seed)
    session.begin()
    play_on(session, Random(seed))
    moves = session.game.moves
    while session.can_undo:
        session.undo()
        assert session.game.to_move is person
        assert not session.engine_to_move
    assert len(session.game) < 4
    while session.can_redo:
        session.redo()
    assert session.game.moves == moves
    with pytest.raises(GameError, match="nothing to redo"):
        session.redo()


def test_undo_limits() -> None:
    session = Session()
    with pytest.raises(GameError, match="nothing to take back"):
        session.undo()
    session.play("f5")
    with pytest.raises(GameError, match="at most 1"):
        session.undo(2)
    with pytest.raises(GameError, match="turns to take back must be at least 1, not 0"):
        session.undo(0)
    strict = Session(takebacks=False)
    strict.play("f5")
    assert strict.can_undo == 0
    with pytest.raises(GameError, match="moves cannot be taken back"):
        strict.undo()


def test_a_resignation_is_withdrawn() -> None:
    session = Session()
    told = listening(session)
    session.play("f5")
    session.resign()
    assert told[1:] == [Resigned(WHITE), Ended(session.outcome)]  # type: ignore[arg-type]
    assert session.outcome is not None
    assert session.outcome.winner is BLACK
    assert session.record().tags["Termination"] == "resignation"
    again = game_from_record(parse_record(format_record(session.record())))
    assert (again.moves, again.outcome) == (session.game.moves, session.outcome)
    assert session.can_redo == 0
    assert session.can_undo == 2
    assert session.undo() == ()
    assert session.outcome is None
    assert isinstance(told[-1], TakenBack)
    session.resign(BLACK)
    session.undo(2)
    assert len(session.game) == 0
    against = Session(sides={WHITE: ONE})
    against.play("f5")
    assert against.resign().winner is WHITE  # the person gives up, though the engine is to move
    with pytest.raises(GameError, match="over"):
        against.resign()


def test_events_of_taking_back() -> None:
    session = Session()
    told = listening(session)
    session.play("f5")
    plies = session.undo()
    assert told[-1] == TakenBack(plies)
    assert session.redo() == plies
    assert told[-1] == PlayedAgain(plies)


# --- clocks


def test_clocks_run_and_are_in_the_record() -> None:
    source = TimeSource()
    session = Session(controls=parse_controls("5:00+3"), now=source)
    assert session.clock is not None
    source.now += 50  # not begun yet
    session.begin()
    assert session.clock.running is None  # until the first move
    source.now += 10
    assert session.play("f5").clock == 300
    assert session.clock.running is WHITE
    source.now += 10
    session.play("d6")
    source.now += 1.5
    session.play("c3")
    record = session.record()
    assert [node.clock for node in record.line.nodes] == [300, 293, 301.5]
    assert record.tags["TimeControl"] == "5:00+3"
    assert "[%clk 0:04:53]" in format_record(record)
    session.pause()
    source.now += 1000
    assert session.clock.time_left(WHITE) == 293
    session.begin()
    source.now += 1
    assert session.clock.time_left(WHITE) == 292


@pytest.mark.parametrize("color", list(Color))
def test_flag_fall_ends_the_game(color: Color) -> None:
    source, session = timed("1:00")
    told = listening(session)
    source.now += 70
    session.play("f5")
    if color is BLACK:
        session.play("d6")
    source.now += 59.9
    assert not session.tick()
    source.now += 0.2
    assert session.tick()
    assert not session.tick()
    assert session.outcome is not None
    assert (session.outcome.termination, session.outcome.winner) == (Termination.TIME_FORFEIT, color.opponent)
    assert told[-2:] == [FlagFell(color), Ended(session.outcome)]
    record = session.record()
    assert record.tags["Termination"] == "time forfeit"
    assert record.result == ("0-1" if color is BLACK else "1-0")
    assert validate_record(record).valid
    assert game_from_record(parse_record(format_record(record))).outcome == session.outcome


def test_a_move_after_the_flag_is_refused() -> None:
    source, session = timed("1:00")
    session.play("f5")
    source.now += 61
    with pytest.raises(GameError, match="Black wins by time forfeit"):
        session.play("d6")
    assert len(session.game) == 1
    with pytest.raises(GameError, match="the flag has fallen"):
        session.undo()


def test_an_engine_that_is_too_slow_loses() -> None:
    source, session = timed("0:10/-", sides={BLACK: ONE})
    thought = session.thought()
    thought.think()
    source.now += 11
    assert session.play_thought(thought) is None
    assert session.outcome is not None
    assert session.outcome.winner is WHITE


def test_taking_back_turns_the_clocks_back() -> None:
    source, session = timed("-/1:00+1+2x10")
    assert session.clock is not None
    assert session.play("f5").clock is None
    source.now += 62
    assert session.play("d6").clock == 1
    assert session.clock.state(WHITE) == ClockState(1.0, 2)
    source.now += 100
    assert session.play("c3").clock is None
    source.now += 12
    assert session.play("d3").clock == 1
    assert session.clock.state(WHITE) == ClockState(1.0, 1)
    session.undo(2)
    assert session.clock.state(WHITE) == ClockState(1.0, 2)
    session.redo(2)
    assert session.clock.state(WHITE) == ClockState(1.0, 1)
    session.undo(3)
    assert session.clock.state(WHITE) == ClockState(60.0, 2)
    assert session.clock.running is WHITE
    session.undo()
    assert session.clock.running is None


def test_a_flag_that_fell_stands() -> None:
    source, session = timed("1:00")
    session.play("f5")
    source.now += 70
    session.tick()
    assert (session.can_undo, session.can_redo) == (0, 0)
    with pytest.raises(GameError, match="the flag has fallen, and the game is over: Black wins by time forfeit"):
        session.undo()
    assert len(session.game) == 1
    assert session.outcome is not None


def test_a_forced_pass_gets_its_increment() -> None:
    """White must pass after h8: the pass is a ply and takes no time."""
    source = TimeSource()
    start = parse_record('[SetUp "1"]\n[Board "' + "-" * 16 + "XO" + "-" * 42 + 'XOO- X"]\n\n*\n').start
    session = Session(start, controls=parse_controls("1:00+2"), now=source)
    session.begin()
    source.now += 1
    session.play("h8")
    assert [ply.clock for ply in session.game] == [60, 62]
    assert session.clock is not None
    assert session.clock.running is BLACK


# --- discs flipped by hand


def test_flipping_and_correcting_until_the_opponent_moves() -> None:
    session = Session(flipping=Flipping.MANUAL)
    told = listening(session)
    session.begin()
    session.play("f5")
    assert session.flips_pending
    assert session.to_move is BLACK
    assert session.position["e5"] is WHITE
    session.flip("d4")  # the wrong one
    session.flip("d4", "e5")  # corrected
    assert [type(event) for event in told] == [Played, Flipped, Flipped]
    assert session.position == Position().play("f5")
    session.play("d6")  # ends Black's turn
    assert isinstance(told[3], FlipsFinished)
    assert session.game[0].hand_flips == (Square("e5"),)
    session.flip("d5")
    with pytest.raises(GameError, match="too late; White has moved"):
        session.flip("e5", color=BLACK)
    assert validate_record(session.record()).valid


def test_a_forgotten_flip_stands_when_the_opponent_has_moved() -> None:
    session = Session(flipping=Flipping.MANUAL)
    session.play("f5")
    session.play("g5")  # legal on the board as it stands only: e5 is still White's
    with pytest.raises(GameError, match="e5: too late to correct f5; White has moved"):
        session.flip("e5")
    session.flip_all()
    assert session.position["f5"] is WHITE
    record = parse_record(format_record(session.record()))
    assert record.line.nodes[0].flips == ()
    verdict = validate_record(record)
    assert [finding.code for finding in verdict.findings] == [Code.WRONG_FLIPS]
    assert validate_record(record, accept_flips=True).valid
    session.undo()
    session.flip("e5")  # the opponent's move is taken back: not too late any more
    assert validate_record(session.record()).valid


def test_an_illegal_reply_does_not_end_the_turn() -> None:
    session = Session(flipping=Flipping.MANUAL)
    session.play("f5")
    with pytest.raises(IllegalMoveError):
        session.play("a1")
    assert session.flips_pending


def test_against_an_engine_the_turn_is_ended_by_hand() -> None:
    source, session = timed("1:00+5", sides={WHITE: ONE}, flipping=Flipping.MANUAL)
    assert session.clock is not None
    source.now += 3
    session.play("f5")
    assert not session.engine_to_move
    assert session.clock.running is BLACK
    with pytest.raises(GameError, match="your turn is not finished; flip your discs"):
        session.play("d6")
    source.now += 4
    session.flip_all()
    session.finish_flips()
    assert session.game[0].clock == 61  # the clock ran from the placement on
    assert session.engine_to_move
    ply = session.play_engine()
    assert ply is not None
    assert ply.hand_flips is None
    with pytest.raises(GameError, match="too late; White has moved"):
        session.flip("e5")
    with pytest.raises(GameError, match="nobody is flipping discs"):
        session.finish_flips()
    session.undo()
    assert not session.flips_pending


def test_the_last_disc_is_flipped_before_the_game_ends() -> None:
    game = random_game("othello,board=4x4", 0)
    assert game.position.empties == 0
    session = Session(parse_rules("othello,board=4x4"), flipping=Flipping.MANUAL)
    session.begin()
    for ply in game:
        if not ply.is_pass:
            session.play(ply.move, flips=ply.flips)
    assert not session.is_over
    assert session.outcome is None
    with pytest.raises(GameError, match="flip its discs, then finish"):
        session.play("a1")
    session.finish_flips()
    assert session.outcome == game.outcome
    with pytest.raises(GameError, match="too late; the game is over"):
        session.flip("a1")


def test_running_out_of_time_while_flipping_the_last_discs() -> None:
    game = random_game("othello,board=4x4", 0)
    source, session = timed("0:10", game=parse_rules("othello,board=4x4"), flipping=Flipping.MANUAL)
    for ply in game:
        if not ply.is_pass:
            session.play(ply.move, flips=ply.flips)
    source.now += 11
    assert session.tick()
    assert session.outcome is not None
    assert session.outcome.termination is Termination.TIME_FORFEIT
    assert session.outcome.winner is game[-1].color.opponent


def test_wrong_uses_of_flipping() -> None:
    with pytest.raises(GameError, match="the rules flip the discs"):
        Session().flip("e5")
    session = Session(flipping=Flipping.MANUAL)
    with pytest.raises(GameError, match="nobody has placed a disc"):
        session.flip("e5")
    with pytest.raises(IllegalMoveError):
        session.play("f5", flips=[Square("a1")])
    assert len(session.game) == 0
    session.play("f5")
    with pytest.raises(IllegalMoveError, match="a1 has no disc to flip"):
        session.flip("a1")
    with pytest.raises(GameError, match="Black is flipping discs; finish, then play a line"):
        session.play_line(["d6"])


def test_a_turn_with_no_reply_is_followed_by_the_forced_pass() -> None:
    start = parse_record('[SetUp "1"]\n[Board "' + "-" * 16 + "XO" + "-" * 42 + 'XOO- X"]\n\n*\n').start
    session = Session(start, flipping=Flipping.MANUAL)
    session.begin()
    session.play("h8", flips=[Square("f8"), Square("g8")])
    assert len(session.game) == 1
    session.play("c3")  # Black again: White's pass happens in between
    assert [str(move) for move in session.game.moves] == ["h8", "--", "c3"]


# --- other games


def test_another_game() -> None:
    session = Session(sides={WHITE: ONE}, controls=parse_controls("1:00"))
    told = listening(session)
    session.begin()
    session.play("f5")
    session.new_game(parse_rules("adjacent"), sides={WHITE: HUMAN}, controls={})
    assert isinstance(told[-1], Restarted)
    assert (session.games, session.clock, session.sides[WHITE]) == (1, None, HUMAN)
    assert str(session.rules) == "adjacent"
    session.set_position(Position().play("f5"))
    assert session.game.to_move is WHITE
    session.new_game()
    assert session.position == Position()


def test_loading_a_record_and_going_on() -> None:
    record = parse_record('[Event "E"]\n[Black "A"]\n[White "B"]\n\n1. f5 d6 2. c3 {[%clk 0:00:30]} d3 *\n')
    session = Session(controls=parse_controls("1:00"))
    session.load(record, 3)
    assert [str(move) for move in session.game.moves] == ["f5", "d6", "c3"]
    assert session.can_redo == 1
    assert session.clock is not None
    assert session.clock.state(BLACK).main_s == 30
    assert (session.record().black, session.record().tags["Event"]) == ("A", "E")
    session.redo()
    assert (session.record().black, len(session.game)) == ("A", 4)
    session.play("c4")
    assert (session.record().black, session.record().tags["Event"]) == ("A", "E")
    session.sides[BLACK] = Side(name="Ada")
    assert (session.record().black, session.record().white) == ("Ada", "B")
    with pytest.raises(RecordError, match="ply 5 does not exist; the game has 4"):
        session.load(record, 5)


def test_a_loaded_game_keeps_what_follows_a_forced_pass() -> None:
    game = random_game("othello,board=4x4", 3)
    number = next(ply.number for ply in game if ply.is_forced_pass)
    record = Session(game).record()
    session = Session(parse_rules("othello,board=4x4"))
    session.load(record, number - 1)
    assert len(session.game) == number
    session.redo(session.can_redo)
    assert session.game.moves == game.moves


def test_names_in_records() -> None:
    session = Session(sides={WHITE: Side.engine(3)})
    record = session.record()
    assert record.black == "human"
    assert record.white.startswith("reversi ")
    assert record.white.endswith("level 3")
    named = Session(sides={BLACK: Side(name="Ada"), WHITE: Side.engine(time_s=0.5)})
    assert (named.record().black, named.record().white[-5:]) == ("Ada", "0.5 s")


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("human", HUMAN),
        ("Engine", Side.engine()),
        ("engine:7", Side.engine(7)),
        ("engine:2s", Side.engine(time_s=2)),
        ("engine:0.25s", Side.engine(time_s=0.25)),
        ("engine:9000n", Side.engine(nodes=9000)),
    ],
)
def test_players(text: str, side: Side) -> None:
    assert parse_side(text) == side


@pytest.mark.parametrize(
    "text", ["", "robot", "engine:", "engine:0", "engine:99", "human:", "engine:0s", "engine:0n", "engine:-1"]
)
def test_no_players(text: str) -> None:
    with pytest.raises(InputError):
        parse_side(text)


def test_passes_are_plies_of_their_own() -> None:
    session = Session(parse_rules("othello,optional-skip"))
    session.skip()
    session.skip()
    assert session.is_over
    assert session.game.moves == (PASS, PASS)
    session.undo()
    assert not session.is_over


def test_wipe_out() -> None:
    session = Session()
    session.play_line(WIPE_OUT)
    assert session.outcome is not None
    assert session.outcome.text == "13-0"


# --- an opening to hold

HOLD = "1. f5 d6 2. c3 (2. c4 {weight 9} 2... d3 3. c3) 2... d3 3. c4 f4 *"


def held(**more: object) -> tuple[Session, list[SessionEvent]]:
    session = Session(**more)  # type: ignore[arg-type]
    session.hold = Repertoire.read(HOLD)
    told = listening(session)
    session.begin()
    return session, told


def left(told: list[SessionEvent]) -> list[tuple[str, list[str]]]:
    events = [event for event in told if isinstance(event, OpeningLeft)]
    return [(str(event.ply.move), [*map(str, event.known)]) for event in events]


class Bot:
    """Plays what it must not be asked for in an opening to hold."""

    def choose(self, position: Position, clock: object = None) -> str:
        return str(min(position.legal_moves))


@pytest.mark.parametrize("side", [ONE, Side.of(Bot())], ids=["engine", "bot"])
def test_engines_hold_an_opening_as_long_as_the_game_is_in_it(side: Side) -> None:
    session, told = held(sides={BLACK: side})
    assert str(session.play_engine().move) == "f5"  # type: ignore[union-attr]
    session.play("d6")
    assert str(session.play_engine().move) in ("c3", "c4")  # type: ignore[union-attr]
    assert left(told) == []
    ply = session.play("e3" if session.position.is_legal("e3") else "f4")
    assert left(told) == [(str(ply.move), ["d3"])]
    assert session.play_engine() is not None
    assert len(left(told)) == 1


def test_the_weights_and_the_seed_choose() -> None:
    def second(seed: int) -> str:
        session, _ = held(sides={BLACK: ONE}, seed=seed)
        session.play_engine()
        session.play("d6")
        return str(session.play_engine().move)  # type: ignore[union-attr]

    drawn = [second(seed) for seed in range(40)]
    assert drawn == [second(seed) for seed in range(40)]
    assert 0 < drawn.count("c3") < 12


def test_the_end_of_the_opening_is_said_and_other_orders_are_in_it() -> None:
    session, told = held(sides={WHITE: ONE})
    session.play("e6")
    assert str(session.play_engine().move) == "f4"  # type: ignore[union-attr]
    assert session.hold is not None
    assert session.position in session.hold
    session, told = held()
    for move in ("f5", "d6", "c4", "d3", "c3"):
        session.play(move)
    assert left(told) == []
    session.play("f4")
    assert left(told) == [("f4", [])]
    session.play("e3")
    assert len(left(told)) == 1


def test_an_opening_to_hold_is_saved_with_the_game() -> None:
    session, _ = held(sides={WHITE: ONE})
    again = session_from_text(session_to_text(session))
    assert again.hold is not None
    assert [*map(again.hold.moves, again.hold.walk())] == [*map(session.hold.moves, session.hold.walk())]  # type: ignore[union-attr]
    session.hold = None
    assert session_from_text(session_to_text(session)).hold is None
