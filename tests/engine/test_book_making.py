"""Making books: which positions, negamax, merging, going on after an interruption; and engines that use one."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path

import pytest

from books import plan_book, write_book
from reversi import Cancel, Engine, InputError, Kind, Move, Position, parse_rules
from reversi.engine.book_graph import NOTHING, BookGraph, Searched, normal
from reversi.engine.book_growing import merged
from reversi.engine.book_log import BookLog, search_leaves, search_leaving
from reversi.engine.search import Searcher
from reversi.openings import Book
from reversi.openings.book import NO_SQUARE, BookEntry, book_key
from reversi.text.transcripts import parse_transcript

START = Position()
GAMES = ["f5d6c3d3c4", "f5d6c3d3c4", "f5f6e6f4", "d3c5f6f5e6", "f5d6c4", "e6f4c3c4d3", "f5f6e6d6", "a1"]


def games(texts: list[str]) -> list[list[Move]]:
    return [[Move.parse(text[at : at + 2]) for at in range(0, len(text), 2)] for text in texts]


def made(texts: list[str], path: Path, *, least: int = 2, depth: int = 4) -> Book:
    graph = plan_book(games(texts), least=least)
    searcher = Searcher(1)
    for key, node in graph.nodes.items():
        found = search_leaving(graph.nodes, node.position, searcher, depth)
        assert found is not None
        graph.set_searched(key, found)
    graph.settle()
    write_book(path, graph.entries(), graph.rules)
    return Book(path)


def test_the_plan_counts_positions_in_any_orientation() -> None:
    plan = plan_book(games(GAMES), least=2)
    counts: Counter[int] = Counter()
    for text in GAMES[:-1]:
        position = START
        counts[book_key(position)] += 1
        for move in parse_transcript(text, START):
            position = position.play(move)
            counts[book_key(position)] += 1
    counts[book_key(START)] += 1  # the game with an illegal first move
    found = {key: node.games for key, node in plan.nodes.items()}
    assert found == {key: times for key, times in counts.items() if times >= 2}
    assert all(book_key(node.position) == key for key, node in plan.nodes.items())
    assert len(plan_book(games(GAMES), least=2, plies=1)) == 2
    assert len(plan_book([], least=1)) == 0


def test_values_are_consistent(tmp_path: Path) -> None:
    book = made(GAMES, tmp_path / "a.book")
    for position in book.walk():
        entry = book.get(position)
        assert entry is not None
        values = [choice.score.value for choice in book.moves(position)]
        if (beside := book.beside(position)) is not None:
            values.append(beside[1].value)
        assert entry.value == max(values)
    assert len(list(book.walk())) == len(book)
    assert book.beside(START) is None  # all four first moves are one move of the book


def test_a_search_leaves_the_book() -> None:
    plan = plan_book(games(GAMES), least=2)
    position = START.play("f5")
    found = search_leaving(plan.nodes, position, Searcher(1), 4)
    assert found is not None
    assert (found.square, found.depth) != (NO_SQUARE, 0)
    assert search_leaving(plan.nodes, START, Searcher(1), 4) == NOTHING
    cancel = Cancel()
    cancel.cancel()
    assert search_leaving(plan.nodes, position, Searcher(1), 14, cancel) is None


def test_merging(tmp_path: Path) -> None:
    one = made(GAMES[:2], tmp_path / "one.book")
    two = made([*GAMES[2:], "f5f6e6f4"], tmp_path / "two.book", depth=6)
    path = tmp_path / "both.book"
    write_book(path, merged([one, two]).entries())
    both = Book(path)
    known = {book_key(position) for book in (one, two) for position in book.walk()}
    assert {book_key(position) for position in both.walk()} == known
    start, first, second = (book.get(START) for book in (both, one, two))
    assert start is not None
    assert first is not None
    assert second is not None
    assert start.games == first.games + second.games
    for position in both.walk():
        entry = both.get(position)
        values = [choice.score.value for choice in both.moves(position)]
        if (beside := both.beside(position)) is not None:
            values.append(beside[1].value)
        assert entry is not None
        assert entry.value == max(values)
    write_book(path, merged([one, one]).entries())
    again = Book(path).get(START)
    assert again is not None
    assert again.value == first.value


def test_the_log_continues(tmp_path: Path) -> None:
    path = tmp_path / "a.searches"
    questions = [(1 << 63, 33, 8), (7, 0, 8), (12, 8, 9)]
    found = [Searched(5, -3, 8, Kind.HEURISTIC), Searched(), Searched(3, 1, 20, Kind.SELECTIVE, 73)]
    log = BookLog(path)
    for question, search in zip(questions[:2], found, strict=False):
        log.add(question, search)
    log.close()
    with path.open("a") as stream:
        stream.write("12 3")  # cut off
    log = BookLog(path)
    assert list(map(log.find, questions)) == [*found[:2], None]
    assert log.find((1 << 63, 32, 8)) is None  # another choice of moves
    assert log.find((1 << 63, 33, 9)) is None  # another depth
    log.add(questions[2], found[2])
    log.close()
    log = BookLog(path)
    assert list(map(log.find, questions)) == found
    log.close()
    with pytest.raises(InputError, match=r"holds searches of rules othello, .*, not rules adjacent"):
        BookLog(path, parse_rules("adjacent"))
    path.write_text("something else\n")
    with pytest.raises(InputError, match="holds no searches for a book"):
        BookLog(path)
    BookLog(tmp_path / "b.searches").close()
    with (tmp_path / "b.searches").open("a") as stream:
        stream.write("1 2\n")
    with pytest.raises(InputError, match="line 2 is damaged"):
        BookLog(tmp_path / "b.searches")


def searched(plan: BookGraph, path: Path, depth: int, threads: int, stops: list[int]) -> dict[int, Searched]:
    """The searches for a book, stopped after so many of them each time, and then continued to the end."""
    for stop in [*stops, len(plan)]:
        cancel, found = Cancel(), dict[int, Searched]()
        with contextlib.closing(BookLog(path)) as log:
            before = path.read_text().count("\n") - 1
            wanted = dict.fromkeys(plan.nodes, depth)
            searches = search_leaves(plan, wanted, log, threads=threads, cancel=cancel)
            for number, (key, best) in enumerate(searches, 1):
                found[key] = best
                if number - before >= stop:
                    cancel.cancel()
    return found


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("depth", [7, 11])
def test_a_book_does_not_depend_on_interruptions_and_threads(depth: int, threads: int, tmp_path: Path) -> None:
    plan = plan_book(games(GAMES), least=1)
    whole = searched(plan, tmp_path / "whole", depth, 1, [])
    assert whole.keys() == plan.nodes.keys()
    stopped = searched(plan, tmp_path / "stopped", depth, threads, [1, 1, 3, 2, 5])
    assert stopped == whole
    for key, node in list(plan.nodes.items())[::5]:  # each as if it were the only one
        assert node.position == normal(node.position.symmetry(3))
        assert search_leaving(plan.nodes, node.position, Searcher(16), depth) == whole[key]


def test_a_changed_plan_searches_again_what_it_changes(tmp_path: Path) -> None:
    small, large = (plan_book(games(GAMES), least=least) for least in (3, 1))
    path = tmp_path / "log"
    searched(small, path, 5, 1, [])
    assert searched(large, path, 5, 1, []) == searched(large, tmp_path / "anew", 5, 1, [])
    assert searched(small, path, 5, 1, []) == searched(small, tmp_path / "again", 5, 1, [])


# --- engines with a book


def test_hints_come_from_a_search_where_a_move_beside_the_book_is_better(tmp_path: Path) -> None:
    position = START.play("f5")
    inside = position.play("d6")

    def kinds(value: int) -> set[Kind]:
        path = tmp_path / f"{value}.book"
        known = {book_key(inside): BookEntry(1, 5)}
        write_book(path, known | {book_key(position): BookEntry(value, 5)})
        return {choice.score.kind for choice in Engine(3, book=Book(path)).hint(position)}

    assert kinds(-1) == {Kind.BOOK}
    assert kinds(2) == {Kind.HEURISTIC}


def test_an_engine_plays_from_its_book(tmp_path: Path) -> None:
    book = made(GAMES, tmp_path / "a.book")
    position = START.play("f5")
    engine = Engine(8, book=book)
    chosen = engine.choose(position)
    assert chosen.score.kind is Kind.BOOK
    assert chosen.pv[0] == chosen.move
    assert chosen.score == book.moves(position)[0].score
    assert [scored.score.kind for scored in engine.hint(position, 5)] == [Kind.BOOK] * len(book.moves(position))
    assert engine.choose(position) == chosen
    # outside the book, under other rules and where exact values are asked for, it searches
    assert engine.choose(position.play("f4")).score.kind is Kind.HEURISTIC
    assert engine.choose(Position(parse_rules("othello,misere"))).score.kind is not Kind.BOOK
    assert Engine(8, book=book, exact=True).book is book


def test_an_engine_without_a_book_is_as_before(tmp_path: Path) -> None:
    position = START.play("f5")
    assert Engine(8, 3).choose(position).score.kind is Kind.HEURISTIC
    far = position.play("f4").play("e3")
    book = made(GAMES, tmp_path / "a.book")
    for level in (3, 8):
        assert Engine(level, 3, book=book).choose(far).move == Engine(level, 3).choose(far).move


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6, 10])
def test_levels_vary_by_the_book(level: int) -> None:
    from reversi.openings import default_book

    lines = set()
    for seed in range(12):
        engine, position, line = Engine(level, seed, book=default_book()), START, ""
        for _ in range(6):
            move = engine.choose(position).move
            position, line = position.play(move), f"{line}{move}"
        lines.add(line)
    assert len(lines) >= 6


def test_a_move_beside_the_book_may_be_better(tmp_path: Path) -> None:
    """Parallel play alone is a bad book: the engine leaves it."""
    book = made(["f5f4", "f5f4"], tmp_path / "a.book", depth=8)
    position = START.play("f5")
    assert [str(choice.move) for choice in book.moves(position)] == ["f4"]
    assert str(Engine(8, book=book).choose(position).move) != "f4"
