"""The commands analyze, mistakes and retry of a game played line by line."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from random_games import random_game
from reversi import Color, Game, Random, Session, Side, parse_rules
from reversi.analysis import AnalyzedTurn, analyze
from reversi.analysis.exercises import read_deck
from reversi.analysis.finding import people_sentence
from reversi.analysis.turning_points import turning_points
from reversi.cli.play.dialogue import Dialogue
from reversi.engine.levels import LEVEL_CHOICES
from reversi.game.clocks import TimeControl
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.players import parse_side
from reversi.session.review import turn_loss_text
from sittings import play_on, sitting

RULES = parse_rules("othello,board=6x6")
finished = partial(random_game, "othello,board=6x6", 3)


def talk(session: Session, *lines: str, results: HistoryKeeper | None = None) -> str:
    said: list[str] = []
    rest = iter(lines)
    Dialogue(
        session,
        read=lambda prompt: next(rest, None),
        say=said.append,
        quiet=True,
        stay=True,
        results=results,
    ).run()
    return "\n".join(said)


def test_analyze_lists_how_both_sides_played_and_their_mistakes() -> None:
    game = finished()
    known = analyze(game, level=6)
    assert len(known.mistakes) > 2
    said = talk(Session(game.copy()), "analyze 6", "mistakes")
    assert f"Analyzing {len(game)} turns at level 6; Ctrl-C stops." in said
    for color in Color:
        assert f"\n{color}: mean loss {known.sides[color].mean_loss:.2f} discs" in said
    assert f"Decided at ply {known.decided}." in said
    for number, turn in enumerate(known.mistakes, 1):
        assert f"\n{number}. ply {turn.ply}, {turn.mover} {turn.move}" in said
    assert said.count("retry N plays on from a mistake.") == 1
    listed = re.search(r"^All mistakes: (.*)\.$", said, re.MULTILINE)
    assert listed is not None
    signs = known.marks
    assert listed[1].split(", ") == [
        f"{number} {turn.move}{signs[turn.ply]} -{turn.loss}" for number, turn in enumerate(known.mistakes, 1)
    ]


def test_a_review_leads_with_turning_points_and_leaves_exercises(tmp_path: Path) -> None:
    session, keeper = sitting(tmp_path, Color.BLACK)
    session.hint_level = 11
    whole = session.game.copy()
    known = analyze(whole, level=10)
    own = sorted((turn for turn in known.mistakes if turn.mover is Color.BLACK), key=lambda turn: -turn.loss)[:3]
    deck = tmp_path / "training" / "exercises.json"
    for times, begun in (
        (1, f"Analyzing {len(session.game)} turns at level 10;"),
        (2, "Analyzed before, at level 10."),
    ):
        said = talk(session, "analyze", results=keeper)
        assert begun in said
        points = said[said.index("Turning points:\n") : said.index("All mistakes: ")].splitlines()[1:]
        heads = [line for line in points if not line.startswith("    ")]
        assert [re.sub(r";.*", "", head) for head in heads] == [
            f"{known.mistakes.index(turn) + 1}. ply {turn.ply}, Black {turn.move}{known.marks[turn.ply]}:"
            f" loses {turn_loss_text(turn)}"
            for turn in own
        ]
        assert sum(line.startswith("    Rule of thumb: ") for line in points) == 3
        assert sum(line.startswith("    bad: ") for line in points) >= 3
        count = len(read_deck(deck))
        assert f"{count} exercises from this game: 'reversi train' asks them." in said, times
        assert 1 < count <= 3
    talk(session, "analyze 11", "retry", results=keeper)
    deeper = [turn for turn in analyze(whole, level=11).mistakes if turn.mover is Color.BLACK]
    assert session.position == max(deeper, key=lambda turn: turn.loss).position
    session.new_game(whole.copy())
    assert "Analyzed before, at level 11." in talk(session, "analyze", results=keeper)
    deck.write_text("{", encoding="utf-8")
    assert "The exercises of this game are not kept: " in talk(session, "analyze", results=keeper)
    assert deck.read_text(encoding="utf-8") == "{"


def test_a_review_says_whether_people_at_ones_level_find_better() -> None:
    session = Session(
        sides={Color.BLACK: parse_side("human:Ada"), Color.WHITE: Side.engine("people-1200")}, seed=2
    )
    keeper = HistoryKeeper(session, None)
    session.begin()
    play_on(session, Random(3), 20)
    known = turning_points(analyze(session.game.copy(), level=4), [Color.BLACK])
    sentences = [sentence for turn in known if (sentence := people_sentence(turn, 1200))]
    assert sentences
    said = talk(session, "analyze 4", results=keeper)
    assert all(f"    {sentence}\n" in said for sentence in sentences)
    alone = Session(session.game.copy())  # of two people nobody knows it
    assert "at your level" not in talk(alone, "analyze 4")


def test_a_game_of_two_people_leaves_no_exercises(tmp_path: Path) -> None:
    session = Session(finished())
    keeper = HistoryKeeper(session, History(tmp_path / "history.json"))
    said = talk(session, "analyze 3", results=keeper)
    assert "Turning points:" in said
    assert "exercises from this game" not in said
    assert not (tmp_path / "training").exists()


def test_retry_begins_again_from_a_mistake() -> None:
    game = finished()
    mistakes = analyze(game, level=6).mistakes
    session = Session(game.copy())
    said = talk(session, "analyze 6", "retry 2")
    turn = mistakes[1]
    assert f"Ply {turn.ply}: {turn.move} lost here. {turn.mover} is yours: find a better move." in said
    assert session.position == turn.position
    assert session.game.moves == game.moves[: turn.ply - 1]
    worst = max(mistakes, key=lambda one: one.loss)
    talk(session := Session(game.copy()), "analyze 6", "retry")
    assert session.position == worst.position


def test_after_a_retry_the_mistakes_are_still_those_of_the_analyzed_game() -> None:
    game = finished()
    mistakes = analyze(game, level=6).mistakes
    session = Session(game.copy())
    said = talk(session, "analyze 6", "mistakes", "retry 3", "mistakes", "retry 1")
    assert said.count("Analyzing") == 1
    assert said.count(f"\n1. ply {mistakes[0].ply}, ") == 2
    assert session.position == mistakes[0].position


def test_mistakes_analyzes_what_is_new() -> None:
    session = Session(RULES)
    moves = [str(move) for move in finished().moves[:3]]
    said = talk(session, *moves[:2], "mistakes", "mistakes", moves[2], "mistakes")
    assert said.count("Analyzing 2 turns") == 1
    assert said.count("Analyzing 3 turns") == 1
    assert re.search(r"^Black: ", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["analyze"], "the game has no moves yet; analyze needs some."),
        (["mistakes"], "the game has no moves yet; analyze needs some."),
        (["retry"], "analyze the game first; retry then goes back to a mistake."),
        (
            ["analyze 99"],
            f"level must be {LEVEL_CHOICES}, not '99'.",
        ),
        (
            ["analyze x"],
            f"level must be {LEVEL_CHOICES}, not 'x'.",
        ),
        (["retry x"], "'x' is not a whole number from 1 to 9999."),
        (["mistakes 3"], "mistakes takes no argument, not '3'."),
    ],
)
def test_what_cannot_be_done(lines: list[str], answer: str) -> None:
    assert answer in talk(Session(RULES), *lines)


def test_a_level_or_a_mistake_that_does_not_exist() -> None:
    said = talk(Session(finished()), "analyze 99", "analyze 4", "retry 999")
    assert f"level must be {LEVEL_CHOICES}, not '99'." in said
    assert re.search(r"mistake 999 does not exist; mistakes lists \d+\.", said)


def test_an_engine_plays_the_other_side_of_a_retry() -> None:
    game = finished()
    mistakes = analyze(game, level=6).mistakes
    number, turn = next((at, one) for at, one in enumerate(mistakes, 1) if one.mover is Color.WHITE)
    session = Session(game.copy(), sides={Color.WHITE: Side.engine(1)}, seed=1)
    talk(session, "analyze 6", f"retry {number}")
    assert not session.sides[Color.WHITE].is_engine
    assert session.sides[Color.BLACK].is_engine
    assert session.position == turn.position


def test_ctrl_c_stops_an_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    from reversi.analysis.analyzer import Analyzer

    whole = Analyzer.analyze
    seen: list[int] = []

    def interrupted(self: Analyzer, game: Game, **options: object) -> object:
        def progress(turn: AnalyzedTurn) -> None:
            seen.append(turn.ply)
            if len(seen) == 3:  # of the glance
                signal.raise_signal(signal.SIGINT)

        return whole(self, game, **{**options, "progress": progress})  # type: ignore[arg-type]

    monkeypatch.setattr(Analyzer, "analyze", interrupted)
    said = talk(Session(finished()), "analyze 6", "f5")
    assert re.search(r"^Stopped: the last \d+ turns are analyzed\.$", said, re.MULTILINE)
    assert "the game is over" in said


def test_an_analysis_in_a_game_with_a_clock_is_help() -> None:
    session = Session(RULES, controls=TimeControl(300))
    said = talk(session, "play " + str(session.position.legal_moves[0]), "analyze 1", "mistakes")
    assert said.count("off in a game with a clock") == 2
    assert "mean loss" not in said
    session = Session(RULES, controls=TimeControl(300), help_allowed=True)
    assert "mean loss" in talk(session, "play " + str(session.position.legal_moves[0]), "analyze 1")
    assert session.record().tags["Help"] == "analysis"
