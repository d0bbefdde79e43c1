"""Annotated records: they validate, keep what the record has, and give the same analysis back."""

from __future__ import annotations

from pathlib import Path

import pytest

from books import write_book
from random_games import random_game
from reversi import Analysis, Judgement, Kind, Position, RecordError, analyze
from reversi.analysis import analysis_from_record, annotated
from reversi.analysis.analysis import ANALYSIS_TAG, table_lines
from reversi.openings.book import Book, BookEntry, book_key
from reversi.records import Line, Record, format_record, parse_record, positions, read_games, validate_entry
from reversi.records.from_game import record_from_game


def record_of(rules: str, seed: int, plies: int | None = None) -> Record:
    record = record_from_game(random_game(rules, seed), {"Black": "Ada", "White": "<Bob>", "Annotator": "Eve"})
    return record if plies is None else Record(record.tags, record.start, Line(record.line.nodes[:plies]), "*")


@pytest.fixture(scope="module")
def pair() -> tuple[Record, Analysis]:
    record = record_of("othello", 4)
    return record, analyze(record, level=5, exact_from=12)


def check(record: Record, analysis: Analysis) -> Record:
    """Write the annotated record, read it, compare; the record that was read."""
    text = format_record(annotated(record, analysis))
    read = parse_record(text)
    assert format_record(read) == text
    assert [validate_entry(entry, accept_flips=True).findings for entry in read_games(text)] == [()]
    again = analysis_from_record(read)
    assert again.fields() == analysis.fields()
    assert again.turns == Analysis.from_json(analysis.to_json()).turns == analysis.turns
    assert format_record(annotated(read, again)) == text
    return read


def test_an_annotated_record_gives_the_analysis_back(pair: tuple[Record, Analysis]) -> None:
    read = check(*pair)
    assert ANALYSIS_TAG in read.tags
    assert ANALYSIS_TAG not in pair[0].tags
    assert read.tags["Annotator"] == "Eve"


def test_moves_of_an_opening_book(tmp_path: Path) -> None:
    """They are no mistakes, whatever the search says; only that changes, and JSON and records keep it."""
    record = record_of("othello", 4)
    bare = analyze(record, level=5, exact_from=12)
    mistake = max(bare.mistakes, key=lambda turn: turn.loss)
    inaccurate = next(turn for turn in bare.mistakes if turn is not mistake)
    entries = {}
    for turn, worse in ((mistake, 2), (inaccurate, 3)):
        entries[book_key(turn.position)] = BookEntry(4, 9)
        entries[book_key(turn.after)] = BookEntry(worse - 4, 9)
    write_book(tmp_path / "own.book", entries)
    analysis = analyze(record, level=5, exact_from=12, book=Book(tmp_path / "own.book"))
    assert [turn.ply for turn in analysis.turns if turn.book] == [mistake.ply]
    marked = analysis.turn(mistake.ply)
    assert (marked.judgement, marked.outcome_changed) == (None, False)
    assert analysis.values == bare.values
    assert [turn for turn in analysis.mistakes if turn.ply != mistake.ply] == list(analysis.mistakes)
    assert len(analysis.mistakes) == len(bare.mistakes) - 1
    assert "book" in "".join(row for row in table_lines(analysis))
    assert "book" not in "".join(row for row in table_lines(bare))
    assert Analysis.from_json(analysis.fields()).turn(mistake.ply).book
    check(record, analysis)


@pytest.mark.parametrize("rules", ["adjacent,board=4x4", "othello,misere,board=4x6", "othello,board=6x6"])
def test_other_rules(rules: str) -> None:
    record = record_of(rules, 2)
    check(record, analyze(record, level=3))


def test_a_move_that_ends_the_game_beside_moves_that_are_searched() -> None:
    """Its value is exact, also where it is the best move; that of the position is not."""
    met = 0
    for seed in (1, 10):
        record = record_of("othello,optional-skip,board=4x4", seed)
        analysis = analyze(record, level=1, exact_from=0)
        check(record, analysis)
        met += any(turn.score.kind is Kind.EXACT is not turn.best_score.kind for turn in analysis.turns)
    assert met == 2


def test_a_game_that_ends_before_the_board_is_full() -> None:
    games = (record_of("othello,board=6x6", seed) for seed in range(200))
    record = next(record for record in games if last_position(record).count.empties > 1)
    check(record, analyze(record, level=2, exact_from=4))


def last_position(record: Record) -> Position:
    *_, last = positions(record)
    return last


def test_an_unfinished_game_keeps_its_last_line() -> None:
    record = record_of("othello", 5, plies=20)
    analysis = analyze(record, level=4)
    check(record, analysis)
    assert any(len(turn.pv) > 1 for turn in analysis.turns[-1:])


def test_discs_flipped_by_hand() -> None:
    record = parse_record('[Result "*"]\n\n1. f5 {[%flips]} d6 *\n')
    analysis = analyze(record, level=3)
    check(record, analysis)
    assert analysis.flips == {1: ()}


def test_signs_are_glyphs_and_best_lines_are_variations(pair: tuple[Record, Analysis]) -> None:
    record, analysis = pair
    nodes = annotated(record, analysis).line.nodes
    worst = max(analysis.turns, key=lambda turn: turn.loss)
    assert worst.judgement is Judgement.BLUNDER
    node = nodes[worst.ply - 1]
    assert node.nags == (4,)
    assert node.variations[0].moves == worst.pv
    assert node.evaluation is not None
    assert node.evaluation.value == worst.score.value


def test_comments_clocks_and_other_variations_stay(pair: tuple[Record, Analysis]) -> None:
    record, analysis = pair
    first = record.line.nodes[0]
    move = next(move for move in record.start.legal_moves if move != first.move)
    text = format_record(record).replace(
        f"1. {first.move}", f"1. {first.move} $1 $146 {{[%clk 0:05:00] why not}} (1. {move} {{symmetric}})", 1
    )
    node = annotated(parse_record(text), analysis).line.nodes[0]
    assert node.clock == 300
    assert node.comments[-1] == "why not"
    assert node.nags[-1] == 146
    assert 1 not in node.nags or analysis.turns[0].judgement is Judgement.ONLY_MOVE
    assert node.variations[-1].nodes[0].comments == ("symmetric",)


def test_an_analysis_of_another_game_is_refused(pair: tuple[Record, Analysis]) -> None:
    with pytest.raises(RecordError, match="another game"):
        annotated(record_of("othello", 5), pair[1])


@pytest.mark.parametrize("tag", ["", '[Analysis "deep"]\n'])
def test_a_record_without_an_analysis_is_refused(tag: str) -> None:
    with pytest.raises(RecordError, match="Analysis"):
        analysis_from_record(parse_record(f'{tag}[Result "*"]\n\n1. f5 *\n'))
