"""Whose mistakes a review is about, what it keeps, and what it knows already."""

from __future__ import annotations

from pathlib import Path

import pytest

from reversi import Color, Session, parse_rules
from reversi.analysis.exercises import read_deck
from reversi.analysis.store import AnalysisStore
from reversi.person.game_review import GameReview
from reversi.person.history import History
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.from_game import game_from_record
from sittings import sitting

RULES = parse_rules("othello,board=6x6")
BOTH = tuple(Color)


def adas(folder: Path, plies: int = 1000) -> tuple[Session, History]:
    """Ada plays White, and her history."""
    session, keeper = sitting(folder, Color.WHITE, plies)
    assert keeper.history is not None
    return session, keeper.history


def test_a_review_is_about_the_mistakes_of_the_person(tmp_path: Path) -> None:
    session, history = adas(tmp_path)
    [game] = history.games
    looked_at = Session(game_from_record(parse_record(game.record)))  # as a record of two people
    looked_at.hint_level = 4
    for review in (GameReview(session, history), GameReview(looked_at, history)):
        assert (list(review.own), review.keeps) == ([Color.WHITE], True)
        assert (review.first_level, review.level) == (4, 4)
        points = review.turning_points(review.analyze(4))
        assert points
        assert {turn.mover for turn in points} == {Color.WHITE}
    assert list(GameReview(session, None).own) == [Color.WHITE]
    assert GameReview(looked_at, None).own == BOTH
    assert not GameReview(session, None).keeps


def test_a_game_in_progress_makes_no_exercises_by_itself(tmp_path: Path) -> None:
    session, history = adas(tmp_path, 9)
    review = GameReview(session, history)
    assert (list(review.own), review.keeps, review.deck is not None) == ([Color.WHITE], False, True)
    assert review.analyze(4).complete
    assert (tmp_path / "analyses.txt").exists()


@pytest.mark.parametrize("on", [True, False])
def test_what_is_known_needs_no_search(on: bool, tmp_path: Path) -> None:
    session, history = adas(tmp_path)
    history.switch(on=on)
    first = GameReview(session, history)
    assert first.known() is None
    found = first.analyze(4)
    assert first.known() == found
    again = GameReview(session, history).known()
    assert again == (found if on else None)
    assert (tmp_path / "analyses.txt").exists() == on
    assert first.keeps == on
    assert first.keep(first.turning_points(found)) == len(read_deck(tmp_path / "training" / "exercises.json")) > 0


def test_the_deepest_whole_analysis_is_known(tmp_path: Path) -> None:
    session, history = adas(tmp_path)
    session.hint_level = 12
    review = GameReview(session, history)
    assert review.first_level < 12
    first = review.analyze(review.first_level)
    assert GameReview(session, history).known() == first
    last = review.analyze(12, first)
    assert GameReview(session, history).known() == last


def test_without_a_history_a_store_keeps_what_is_found(tmp_path: Path) -> None:
    session, _ = adas(tmp_path)
    store = AnalysisStore()
    found = GameReview(session, None, store).analyze(4)
    assert GameReview(session, None, store).known() == found
    assert GameReview(session, None).known() is None
