"""The personal history: which games join it, the file, the adaptive level."""

import datetime
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from books import write_book
from reversi import OTHELLO, Color, Position, Rules, TimeControl, parse_rules
from reversi.engine.explaining import Feature
from reversi.engine.levels import AUTO, LADDER, PEOPLE_LEVELS
from reversi.errors import InputError
from reversi.game.game import Game
from reversi.openings.book import Book, BookEntry, book_key
from reversi.openings.games import drawn_game, opening_game
from reversi.person import auto_level
from reversi.person.auto_level import AUTO_RUNGS, Standing
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.person.history_lines import REASONS, history_lines, pupils_table
from reversi.person.losses import losses_of
from reversi.person.played_game import Losses, PlayedGame
from reversi.records.from_game import record_from_game
from reversi.records.record import format_record
from reversi.session.players import Side, engine_side, parse_side
from reversi.session.review import retry
from reversi.session.session import Flipping, Session
from reversi.session.text import session_from_text, session_to_text
from sittings import play_on

BLACK, WHITE = Color.BLACK, Color.WHITE
SMALL = parse_rules("othello,board=4x4")
ADA = parse_side("human:Ada")


def begun(tmp_path: Path, engine: Side | None = None, rules: Rules = OTHELLO) -> tuple[Session, HistoryKeeper]:
    session = Session(rules, sides={BLACK: ADA, WHITE: engine or engine_side(AUTO)}, seed=1)
    keeper = HistoryKeeper(session, History(tmp_path / "history.json"))
    session.begin()
    return session, keeper


def test_a_finished_game_joins_the_history(tmp_path: Path) -> None:
    session, keeper = begun(tmp_path, Side.engine(1))
    play_on(session)
    [game] = History(tmp_path / "history.json").games
    assert (game.player, game.color, game.opponent, game.level) == ("Ada", BLACK, "level 1", 1)
    outcome = session.outcome
    assert outcome is not None
    assert game.result == ("drawn" if outcome.winner is None else "won" if outcome.winner is BLACK else "lost")
    assert not game.helped
    assert '[Black "Ada"]' in game.record
    assert keeper.latest == game


def test_results_and_what_they_mean_are_said(tmp_path: Path) -> None:
    session, keeper = begun(tmp_path)
    assert keeper.sentences() == []
    session.resign(BLACK)
    assert keeper.sentences() == ["The next game is the same: beginner-1."]
    session.new_game()
    assert keeper.sentences() == []
    session.resign(WHITE)
    assert keeper.sentences() == [
        "You beat beginner-1 for the first time.",
        "The next game is harder: beginner-2.",
    ]
    session.new_game()
    assert session.sides[WHITE].level == "beginner-2"
    assert str(session.sides[WHITE]) == "engine beginner-2, auto"
    assert session.record().tags["White"].endswith(" beginner-2")
    lines = history_lines(History(tmp_path / "history.json"), "Ada")
    assert lines == [
        "2 games against engines",
        "  beginner-1  1 won, 1 lost",
        "2 games not analyzed yet",
        "You beat beginner-1.",
        "The next game on auto: beginner-2.",
    ]


@pytest.mark.parametrize("rules", ["othello,board=4x4", "othello,misere", "othello,start=parallel", "adjacent"])
def test_other_rules_count_for_no_level(rules: str, tmp_path: Path) -> None:
    for number, engine in enumerate([Side.engine(20), engine_side(AUTO)], 1):
        session, keeper = begun(tmp_path, engine, parse_rules(rules))
        session.resign(WHITE)
        assert keeper.sentences() == [f"This game counts for no level: {rules}."]
        history = History(tmp_path / "history.json")
        assert len(history.games) == number
        assert history.games[-1].level is None
        assert history.games[-1].opponent == f"{'level 20' if number == 1 else 'beginner-1'} ({rules})"
        assert history.standing("Ada") == Standing()


def changes_level(session: Session) -> None:
    session.set_side(WHITE, Side.engine(20))


def changes_sides(session: Session) -> None:
    session.set_side(BLACK, session.sides[WHITE])
    session.set_side(WHITE, ADA)


def plays_for_the_engine(session: Session) -> None:
    if not session.engine_to_move:
        session.play(session.position.legal_moves[0])
    session.play_line([session.position.legal_moves[0]])


@pytest.mark.parametrize("change", [changes_level, changes_sides, plays_for_the_engine])
def test_a_game_counts_for_a_level_only_if_the_players_stay(
    change: Callable[[Session], None], tmp_path: Path
) -> None:
    session, keeper = begun(tmp_path, Side.engine(1))
    session.play("f5")
    session.play_engine()
    change(session)
    session = session_from_text(session_to_text(session))
    keeper = HistoryKeeper(session, History(tmp_path / "history.json"))
    person = next(color for color, side in session.sides.items() if not side.is_engine)
    session.resign(person.opponent)
    assert keeper.sentences() == ["This game counts for no level: the players changed."]
    assert keeper.standing("Ada") == Standing()
    session.new_game()
    session.set_side(BLACK, ADA)
    session.set_side(WHITE, Side.engine(3))
    session.resign(WHITE)
    assert keeper.sentences() == ["You beat level 3 for the first time."]


def test_wrong_flips_count_for_no_level(tmp_path: Path) -> None:
    for flips in ([], ["e5"]):
        session, keeper = begun(tmp_path, Side.engine(1))
        session.flipping = Flipping.MANUAL
        session.play("f5", flips=flips)
        session.finish_flips()
        session.resign(WHITE)
        assert ("This game counts for no level: wrong flips." in keeper.sentences()) == (not flips)


def test_a_resumed_game_keeps_its_level(tmp_path: Path) -> None:
    session, keeper = begun(tmp_path)
    session.play("f5")
    saved = session_to_text(session)
    other, _ = begun(tmp_path)
    other.resign(WHITE)
    resumed = session_from_text(saved)
    keeper = HistoryKeeper(resumed, History(tmp_path / "history.json"))
    assert resumed.sides[WHITE].level == "beginner-1"
    resumed.resign(WHITE)
    assert keeper.latest is not None
    assert keeper.latest.level == "beginner-1"
    resumed.new_game()
    assert resumed.sides[WHITE].level == "beginner-3"


def test_a_game_lost_on_time_without_a_move_is_no_game(tmp_path: Path) -> None:
    now = [0.0]
    session = Session(sides={BLACK: Side.engine(1), WHITE: ADA}, controls=TimeControl(10), now=lambda: now[0])
    keeper = HistoryKeeper(session, History(tmp_path / "history.json"))
    session.begin()
    session.play_engine()
    now[0] += 11
    assert session.tick()
    assert keeper.latest is None
    session.new_game()
    session.play_engine()
    session.play(session.position.legal_moves[0])
    session.play_engine()
    now[0] += 11
    assert session.tick()
    assert keeper.latest is not None
    assert keeper.latest.result == "lost"


def test_the_adaptive_level_climbs_and_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    near = dict(zip(AUTO_RUNGS, (0, 120, 240, 360, 480, 600, 720, *range(1000, 9000, 200)), strict=False))
    monkeypatch.setattr(auto_level, "RUNG_ELO", near)
    now, seen = Standing(), []
    for result in ["won", "won", "won", "won", "lost", "drawn", "lost", "lost", "lost"]:
        now = now.after(result)
        seen.append(now.level)
    rungs = [2, 3, 5, 7, 6, 6, 5, 4, 2]
    assert seen == [f"beginner-{rung}" for rung in rungs]
    now = Standing("beginner-6", 2).after("won")
    assert now.level == "beginner-7"  # two rungs would be 400 Elo
    for _ in range(40):
        now = now.after("won")
    assert now.level == AUTO_RUNGS[-1]


def test_the_rungs_are_levels_in_the_order_of_their_strength() -> None:
    assert [LADDER.index(rung) for rung in AUTO_RUNGS] == sorted(LADDER.index(rung) for rung in AUTO_RUNGS)
    steps = [elo - below for below, elo in pairwise(auto_level.RUNG_ELO.values())]
    assert min(steps) > 0


@pytest.mark.parametrize(
    ("level", "rating"),
    [("beginner-1", 1000), ("people-1100", 1100), ("people-1400", 1400), ("people-1700", 1700), (60, 1900)],
)
def test_levels_have_the_rating_of_people_as_strong(level: int | str, rating: int) -> None:
    assert auto_level.rating_of(level) == rating
    assert 1700 < auto_level.rating_of(6) <= 1900
    assert auto_level.rating_of(2) < 1100


def test_rungs_that_play_like_people_have_stand_ins_under_other_rules(tmp_path: Path) -> None:
    for rung in AUTO_RUNGS:
        level = Standing(rung).level_under(parse_rules("adjacent"))
        assert level == rung if rung not in PEOPLE_LEVELS else isinstance(level, int)
        assert Standing(rung).level_under(OTHELLO) == rung
    session, keeper = begun(tmp_path, Side.engine("people-1300"))
    session.resign(WHITE)
    session.set_side(WHITE, engine_side(AUTO))
    session.new_game()
    keeper.adapt()
    assert session.sides[WHITE].level == "people-1300"
    session.new_game(Game(parse_rules("othello,misere")))
    assert session.sides[WHITE].level == 4
    session.play(session.position.legal_moves[0])
    session.play_engine()
    session.new_game(Game(OTHELLO))
    assert session.sides[WHITE].level == "people-1300"


@pytest.mark.parametrize(
    ("engine", "rules", "won", "rating"),
    [
        (Side.engine("people-1300"), OTHELLO, False, 1300),
        (Side.engine("people-1300"), OTHELLO, True, 1300),
        (Side.engine(60), OTHELLO, False, 1900),  # the opponent's
        (Side.engine("people-1300"), parse_rules("adjacent"), False, None),
        (Side.engine(time_s=1), OTHELLO, False, 1900),
        (parse_side("human:Bob"), OTHELLO, False, None),
    ],
)
def test_a_persons_rating_is_that_of_the_place_on_the_ladder_or_of_the_opponent(
    engine: Side, rules: Rules, won: bool, rating: int | None, tmp_path: Path
) -> None:
    session, keeper = begun(tmp_path, engine, rules)
    session.resign(WHITE if won else BLACK)
    if won:
        session.set_side(WHITE, Side.engine(60))
    assert keeper.rating == rating


@pytest.mark.parametrize(
    ("beaten", "rung"), [(7, 7), (2, "beginner-6"), (5, "people-1500"), ("beginner-2", "beginner-2"), (60, 20)]
)
def test_who_has_beaten_engines_is_no_newcomer(tmp_path: Path, beaten: int | str, rung: int | str) -> None:
    session, keeper = begun(tmp_path, Side.engine(beaten))
    assert keeper.standing("Ada").level == "beginner-1"
    session.resign(WHITE)
    assert keeper.standing("Ada").level == rung
    assert keeper.standing("Bob").level == "beginner-1"
    session.set_side(WHITE, engine_side(AUTO))
    session.new_game()
    keeper.adapt()
    assert session.sides[WHITE].level == rung
    session.resign(BLACK)
    assert AUTO_RUNGS.index(keeper.standing("Ada").level) == max(AUTO_RUNGS.index(rung) - 1, 0)


def test_taking_back_moves_and_hints_are_help(tmp_path: Path) -> None:
    session, keeper = begun(tmp_path, Side.engine(1))
    session.play(session.position.legal_moves[0])
    session.play_engine()
    session.undo()
    session.play(session.position.legal_moves[0])
    assert session.state.help_used
    session.resign(WHITE)
    assert keeper.latest is not None
    assert keeper.latest.helped
    assert keeper.sentences() == ["You beat level 1 with help."]
    assert not any("You beat" in line for line in history_lines(History(tmp_path / "history.json"), "Ada"))


def test_looking_back_is_no_help_and_another_move_is(tmp_path: Path) -> None:
    session, keeper = begun(tmp_path, Side.engine(1))
    play_on(session)
    session.undo()
    session.redo()
    assert keeper.latest is not None
    assert not keeper.latest.helped
    session.new_game()
    play_on(session)
    session.undo()
    session.pause()
    session.undo()
    assert not session.state.help_used
    session.play_line([session.position.legal_moves[0]])
    assert session.state.help_used


def test_hints_in_a_pause_are_help(tmp_path: Path) -> None:
    session, _ = begun(tmp_path, Side.engine(1))
    session.pause()
    session.use_help("hints")
    assert session.state.help_used


def test_who_looks_at_a_game_after_its_end_with_hints_changes_nothing(tmp_path: Path) -> None:
    session, keeper = begun(tmp_path, Side.engine(1))
    play_on(session)
    history = keeper.history
    assert history is not None
    [game] = history.games
    analyzed = history.keep_losses(game, losses_of(game, None) or Losses.sum(()))
    keeper._now = lambda: game.at + datetime.timedelta(hours=1)
    session.pause()
    session.undo(2)
    session.use_help("hints")
    session.redo(session.can_redo)
    [after] = History(tmp_path / "history.json").games
    assert (after, after.losses) == (game, analyzed.losses)
    session.undo(2)
    session.use_help("hints")
    session.begin()
    if session.engine_to_move:
        session.undo()
    session.play(session.position.legal_moves[0])
    assert session.state.help_used
    session.undo()
    session.resign(BLACK)
    session.use_help("hints")


def test_a_resumed_game_is_the_same_for_the_history(tmp_path: Path) -> None:
    session, _ = begun(tmp_path, Side.engine(1))
    session.use_help("hints")
    resumed = session_from_text(session_to_text(session))
    keeper = HistoryKeeper(resumed, History(tmp_path / "history.json"))
    resumed.resign(WHITE)
    assert keeper.sentences() == ["You beat level 1 with help."]
    play_on(session)
    retry(session, session.game.copy(), 3)
    resumed = session_from_text(session_to_text(session))
    keeper = HistoryKeeper(resumed, History(tmp_path / "history.json"))
    resumed.resign(WHITE)
    assert keeper.latest is None


def test_a_game_with_an_opening_joins_and_its_retries_do_not(tmp_path: Path) -> None:
    session = Session(sides={BLACK: ADA, WHITE: Side.engine(1)})
    keeper = HistoryKeeper(session, History(tmp_path / "history.json"))
    for number, (game, name) in enumerate([opening_game(Position(), "tiger"), (drawn_game(Position(), 3), "")], 1):
        session.new_game(game, opening=name)
        session.resign(WHITE)
        assert keeper.history is not None
        assert len(keeper.history.games) == number
        retry(session, game, 3)
        session.resign(WHITE)
        assert len(keeper.history.games) == number
        assert "Opening" not in session.record().tags


def test_a_game_that_ends_twice_counts_once(tmp_path: Path) -> None:
    session, _ = begun(tmp_path)
    session.resign(BLACK)
    session.undo()
    session.resign(WHITE)
    history = History(tmp_path / "history.json")
    assert [game.result for game in history.games] == ["won"]
    assert history.standing("Ada") == Standing("beginner-1", -1)


def test_a_game_that_ends_again_after_a_resume_or_its_analysis_counts_once(tmp_path: Path) -> None:
    session, keeper = begun(tmp_path)
    session.resign(BLACK)
    history, game = keeper.history, keeper.latest
    assert history is not None
    assert game is not None
    history.keep_losses(game, losses_of(game, None) or Losses.sum(()))
    session.undo()
    resumed = session_from_text(session_to_text(session))
    session.resign(BLACK)
    assert len(History(history.path).games) == 1
    HistoryKeeper(resumed, History(history.path))
    resumed.resign(WHITE)
    again = History(history.path)
    assert [game.result for game in again.games] == ["won"]
    assert again.standing("Ada") == Standing("beginner-1", -1)
    resumed.new_game()
    resumed.resign(BLACK)
    assert len(History(history.path).games) == 2


def test_the_rest_of_another_game_does_not_join(tmp_path: Path) -> None:
    session, _ = begun(tmp_path, Side.engine(1))
    play_on(session)
    retry(session, session.game.copy(), 3)
    play_on(session)
    people = Session(SMALL, sides={BLACK: ADA})
    HistoryKeeper(people, History(tmp_path / "history.json"))
    people.resign(BLACK)
    assert len(History(tmp_path / "history.json").games) == 1


def test_switched_off_it_takes_no_games_and_the_level_adapts_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    History(path).switch(on=False)
    session, keeper = begun(tmp_path)
    session.resign(WHITE)
    assert "The next game is harder: beginner-2." in keeper.sentences()
    assert History(path).games == ()
    History(path).switch(on=True)
    assert History(path).on


def test_the_analysis_of_a_game_is_kept(tmp_path: Path) -> None:
    session, keeper = begun(tmp_path, Side.engine(1))
    play_on(session)
    history, game = keeper.history, keeper.latest
    assert history is not None
    assert game is not None
    losses = losses_of(game, None)
    assert losses is not None
    assert sum(losses.turns.values()) <= sum(ply.color is BLACK for ply in session.game)
    history.keep_losses(game, losses)
    assert History(history.path).games[0].losses == losses
    assert any(line.startswith("Mistakes: opening ") for line in history_lines(history, "Ada"))
    assert Losses.sum([losses, losses]).mean == losses.mean
    assert sum(losses.reasons.values()) <= sum(losses.mistakes.values())
    assert Losses.sum([losses, losses]).reasons == {reason: 2 * times for reason, times in losses.reasons.items()}


def _game(number: int, level: int, loss: int, moves: str = "f5d6c3d3c4", player: str = "Ada") -> PlayedGame:
    by_phase = {"opening": 4, "middle": 0, "ending": 0}
    losses = Losses(by_phase, by_phase | {"opening": loss}, by_phase | {"opening": 1}, {"gives-corner": 1})
    at = datetime.datetime(2026, 1, number, tzinfo=datetime.UTC)
    game = Game()
    game.play_all(moves)
    record = format_record(record_from_game(game))
    return PlayedGame(at, player, BLACK, f"level {level}", level, "won", False, record, 0, losses)


def test_the_trend_the_openings_and_the_reasons(tmp_path: Path) -> None:
    history = History(tmp_path / "history.json")
    for number, (level, loss, moves) in enumerate(
        [(1, 32, "f5d6c3d3c4"), (2, 16, "f5d6c3d3c4"), (4, 4, "f5f6")], 1
    ):
        history.add(_game(number, level, loss, moves))
    assert History(history.path).games == history.games
    lines = history_lines(history, "Ada")
    assert "Mean loss by game: █▄▁  first 8.0, latest 1.0" in lines
    assert "Opponents by game: ▃▅█  first level 1, latest level 4" in lines
    assert "Openings: Tiger 2 won; Diagonal 1 won" in lines
    assert "Most often: corners given away (3)" in lines


def test_pupils_in_one_table(tmp_path: Path) -> None:
    histories = {}
    for folder, players in (("one", ("Ada", "Bob")), ("two", ("",))):
        histories[folder] = History(tmp_path / folder / "history.json")
        for number, player in enumerate(players, 1):
            histories[folder].add(_game(number, number, 8, player=player))
    table = pupils_table(histories)
    assert [line.split()[0] for line in table] == ["player", "Ada", "Bob", "two"]
    assert table[1].split(maxsplit=9) == [
        "Ada",
        "1",
        "1",
        "0",
        "2.0",
        "1",
        "0",
        "0",
        "█",
        "level 1  corners given away",
    ]
    assert [line.split()[0] for line in pupils_table(histories, "bob")] == ["player", "Bob"]


def test_a_given_opening_loses_nobody_discs(tmp_path: Path) -> None:
    session = Session(drawn_game(Position(), 4), sides={BLACK: ADA, WHITE: Side.engine(1)})
    HistoryKeeper(session, History(tmp_path / "history.json"))
    resumed = session_from_text(session_to_text(session))
    HistoryKeeper(resumed, History(tmp_path / "history.json"))
    for each in (session, resumed):
        each.resign(BLACK)
        game = History(tmp_path / "history.json").games[-1]
        assert game.opening_plies == len(session.game)
        assert losses_of(game, None) == Losses.sum(())
        assert losses_of(replace(game, opening_plies=0), None) != Losses.sum(())


def test_good_moves_of_the_book_in_use_are_no_mistakes(tmp_path: Path) -> None:
    now = datetime.datetime.now(datetime.UTC)
    game = PlayedGame(now, "Ada", WHITE, "level 1", 1, "lost", False, "1. f5 d6 2. c3 d3 3. c4 g5 *\n")
    line = [Position.from_moves("f5d6c3d3c4g5"[: 2 * plies]) for plies in range(7)]
    write_book(tmp_path / "own.book", {book_key(position): BookEntry(0, 1) for position in line})
    for book, mistakes in ((None, 1), (Book(tmp_path / "own.book"), 0)):
        losses = losses_of(game, book)
        assert losses is not None
        assert (losses.mistakes["opening"], losses.discs["opening"] >= 3) == (mistakes, True)


@pytest.mark.parametrize(
    "change", ["", "{", "[]", '{"reversi history": 2}', "cut", "level", "result", "record", "auto"]
)
def test_a_damaged_file_names_the_way_out_and_stays(tmp_path: Path, change: str) -> None:
    session, keeper = begun(tmp_path)
    path = tmp_path / "history.json"
    other = History(path)
    session.resign(BLACK)
    text = path.read_text(encoding="utf-8")
    state = json.loads(text)
    if change == "cut":
        text = text[: len(text) // 2]
    elif change == "auto":
        text = json.dumps(state | {"auto": {"Ada": [99, 1]}})
    elif change in ("level", "result", "record"):
        text = json.dumps(state | {"games": [state["games"][0] | {change: 5.5}]})
    else:
        text = change
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"history\.json: .*; move the file away, or delete it with"):
        History(path)
    with pytest.raises(InputError):
        other.switch(on=False)
    session.new_game()
    session.resign(BLACK)
    assert keeper.sentences()[-1].startswith("The game is not in your history: ")
    assert path.read_text(encoding="utf-8") == text


def test_two_programs_add_to_one_file(tmp_path: Path) -> None:
    first, second = begun(tmp_path), begun(tmp_path)
    first[0].resign(BLACK)
    second[0].resign(WHITE)
    assert [game.result for game in History(tmp_path / "history.json").games] == ["lost", "won"]


def test_every_reason_has_a_name_where_it_is_counted() -> None:
    assert {feature.value for feature in Feature} == set(REASONS)
