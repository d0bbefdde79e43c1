"""Growing books: values stay consistent after every step, stops and threads do not matter, limits hold."""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from books import checked_values, plan_book, write_book
from reversi import PASS, Cancel, Color, Kind, Move, Position, Random
from reversi._core import canonical_square
from reversi.engine.book_graph import BookGraph, Limits, Searched, line_of, placements
from reversi.engine.book_growing import Growth, merged, pruned, usual_depth
from reversi.engine.book_log import BookLog
from reversi.openings import Book, opening_named
from reversi.openings.book import BookEntry, book_key

START = Position()
TIGER = opening_named("Tiger").moves
GAMES = ["f5d6c3d3c4f4c5b3c2", "f5d6c3d3c4f4f6", "f5f6e6f4", "d3c5f6f5e6", "f5d6c4", "e6f4c3c4d3"]


def moves_of(text: str) -> list[Move]:
    return [Move.parse(text[at : at + 2]) for at in range(0, len(text), 2)]


def line(text: str) -> list[Position]:
    found = [START]
    for move in moves_of(text):
        found.append(found[-1].play(move))
    return found


def lines(*texts: str) -> list[array[int]]:
    return [line_of(moves_of(text), 20) for text in texts]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A book of what two of the games reach."""
    graph = plan_book(map(moves_of, GAMES), least=2)
    with growing(graph, tmp_path / "small.searches", depth=4) as growth:
        assert growth.add_games([])
    path = tmp_path / "small.book"
    path.write_bytes(graph.pack("made"))
    return path


@contextlib.contextmanager
def growing(
    graph: BookGraph, log: Path, *, depth: int = 5, threads: int = 1, cancel: Cancel | None = None
) -> Iterator[Growth]:
    with contextlib.closing(BookLog(log, graph.rules)) as opened:
        yield Growth(graph, opened, depth, threads, cancel)


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file: books that are open keep the former one."""
    new = path.with_suffix(".new")
    new.write_bytes(data)
    new.replace(path)


def read(path: Path) -> BookGraph:
    return BookGraph.of(Book(path))


def check(path: Path) -> Book:
    """A book whose values are consistent, and whose moves beside it are beside it and legal."""
    book = Book(path)
    walked = list(book.walk())
    assert len({*map(book_key, walked)}) == len(walked)
    for position in walked:
        inside = book.moves(position)
        beside = book.beside(position)
        values = [choice.score.value for choice in inside]
        if beside is not None:
            moves, score = beside
            values.append(score.value)
            assert not {choice.move for choice in inside} & {*moves}
            assert score.kind in (Kind.HEURISTIC, Kind.SELECTIVE, Kind.EXACT)
        else:  # every move stays in the book
            assert {choice.move for choice in inside} == {*position.legal_moves}
        assert book[position].value == max(values)
    return book


Step = Callable[[Growth], bool]
STEPS: dict[str, Step] = {
    "follow": lambda growth: growth.follow(START, Limits(2, 3, 7)),
    "follow from a line": lambda growth: (
        growth.add_line(line("f5d6c3d3c4")) and growth.follow(line("f5d6c3d3c4")[-1], Limits(1, 1, 9))
    ),
    "follow from a board": lambda growth: (
        growth.add_line([line("f5f6e6d6c5")[-1]]) and growth.follow(line("f5f6e6d6c5")[-1], Limits(0, 0, 8))
    ),
    "games": lambda growth: growth.add_games(lines(*GAMES, "f5d6c3g5g6")),
    "deepen": lambda growth: growth.deepen(START, Limits(2, 4), 7),
    "all": lambda growth: all(step(growth) for name, step in STEPS.items() if name != "all"),
}


def grown(path: Path, step: Step, *, stops: tuple[int, ...] = (), threads: int = 1) -> bytes:
    """The bytes of a book after a step that is stopped after so many searches each time, and then continued."""
    log = path.with_suffix(".searches")
    for stop in (*stops, None):
        cancel, graph = Cancel(), read(path)
        with growing(graph, log, threads=threads, cancel=cancel) as growth:
            before = len(log.read_text().splitlines())

            def counted(done: int, all_: int, stop=stop, cancel=cancel, before=before) -> None:
                if stop is not None and len(log.read_text().splitlines()) - before >= stop:
                    cancel.cancel()

            growth.progress = counted
            if step(growth) or growth.searches:
                write_atomically(path, graph.pack("grew"))
    return path.read_bytes()


@pytest.mark.parametrize("name", STEPS)
def test_values_are_consistent_after_every_step(name: str, small: Path) -> None:
    before = check(small)
    grown(small, STEPS[name])
    book = check(small)
    assert {book_key(position) for position in before.walk()} <= {key for key, _ in book.items()}
    assert len([*book.walk()]) == len(book)
    assert book.notes.history == ("made", "grew")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ["follow", "follow from a board", "deepen"])
def test_stops_and_threads_do_not_matter(name: str, threads: int, small: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.book"
    other.write_bytes(small.read_bytes())
    whole = grown(small, STEPS[name])
    assert grown(other, STEPS[name], stops=(1, 2, 3, 5, 8, 13), threads=threads) == whole


def test_games_are_taken_whole_or_not_at_all(small: Path) -> None:
    before, cancel, graph = small.read_bytes(), Cancel(), read(small)
    with growing(graph, small.with_suffix(".log"), cancel=cancel) as growth:
        growth.progress = lambda done, all_: cancel.cancel()
        assert not growth.add_games(lines(*GAMES))
        assert not growth.searches
    cancelled = {key: entry for key, entry in graph.entries().items() if key not in dict(Book(small).items())}
    assert not cancelled  # what was added has no value yet
    assert small.read_bytes() == before


def test_the_order_and_the_image_of_positions_do_not_matter(tmp_path: Path) -> None:
    """What a search is asked does not depend on how a position is reached."""
    found = []
    for index in (0, 3, 6):
        graph = BookGraph()
        with growing(graph, tmp_path / f"{index}.log") as growth:
            positions = line("f5d6c3d3c4")
            for position in positions if index else reversed(positions):
                graph.add(position.symmetry(index))
            swapped = Position.from_discs(positions[2].player, positions[2].opponent, Color.WHITE)
            graph.add(swapped)
            assert growth.add_line([START])
        found.append(graph.pack("made"))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(("error", "total", "plies"), [(0, 0, 8), (1, 1, 7), (3, 4, 5), (0, 9, 12)])
def test_growing_keeps_within_its_limits(error: int, total: int, plies: int, small: Path) -> None:
    before = {key for key, _ in Book(small).items()}
    limits = Limits(error, total, plies)
    grown(small, lambda growth: growth.follow(START, limits))
    graph, book = read(small), check(small)
    assert len(book) > len(before)
    assert all(placements(graph.nodes[key].position) <= plies for key in graph.nodes.keys() - before)
    for lost, _, node in graph.within(book_key(START), limits):  # nothing is left to follow
        if node.searched.kind is Kind.HEURISTIC and placements(node.position) < plies:
            assert node.value is not None
            assert not limits.allow(lost, node.value - node.searched.value)


@pytest.mark.parametrize("most", [1, 12, 13, 30])
def test_growing_stops_at_a_number_of_positions(most: int, small: Path) -> None:
    before = len(Book(small))
    grown(small, lambda growth: growth.follow(START, Limits(9, 9, 20), most))
    assert len(check(small)) == max(before, most)


def test_deepening_leaves_nothing_shallow_and_adds_nothing(small: Path) -> None:
    before, limits = Book(small), Limits(2, 4)
    grown(small, lambda growth: growth.deepen(START, limits, 7))
    graph = read(small)
    assert graph.nodes.keys() == {key for key, _ in before.items()}
    for total, key, node in graph.within(book_key(START), limits):
        assert node.value is not None
        if node.searched.kind is Kind.HEURISTIC and limits.allow(total, node.value - node.searched.value):
            assert node.searched.depth >= 7
        else:
            assert node.searched.depth in (0, 4, 7), key


def test_a_game_is_searched_deeper_where_it_turned(small: Path) -> None:
    """g5 gives the corner's neighbours away: the best line before it and the answer to it are searched deeper."""
    grown(small, lambda growth: growth.add_games(lines("f5d6c3d3c4f4c5b3c2b4g5")))
    graph = read(small)
    keys = line_of(moves_of("f5d6c3d3c4f4c5b3c2b4g5"), 20)
    values = [graph.nodes[key].value or 0 for key in keys]
    losses = [before + after for before, after in pairwise(values)]
    deeper = {key for key, node in graph.nodes.items() if node.searched.depth > 5}
    assert max(losses) > 0
    assert 0 < len(deeper) <= 2
    turn = losses.index(max(losses))
    assert deeper & {graph.leaf(keys[turn]), graph.leaf(keys[turn + 1]), *keys[turn : turn + 2]}
    assert graph.nodes[keys[-1]].games == 1
    assert graph.nodes[keys[0]].games == len(GAMES) + 1


def test_few_games_add_nothing_but_count(small: Path) -> None:
    before = Book(small)
    grown(small, lambda growth: growth.add_games(lines("f5d6c3d3c4f4f6", "f5d6c3d3c4", "f5f4"), 2))
    book = check(small)
    assert [len(book), book[START].games] == [len(before), before[START].games + 3]
    assert book.get(START.play("f5").play("f4")) is None
    for position in line("f5d6c3d3c4"):
        assert book[position].games == before[position].games + 2 + (position in line("f5"))


def test_a_move_that_stays_in_the_book_now_is_searched_again(tmp_path: Path) -> None:
    """Adding a position searches every position again whose best move beside the book leads there."""
    first, second = line("f5d6c4"), line("f5f6")
    path = tmp_path / "a.book"
    graph = BookGraph()
    with growing(graph, tmp_path / "log") as growth:
        assert growth.add_line(first)
        assert growth.add_line(second)
    square = graph.nodes[book_key(first[1])].searched.square
    assert square == canonical_square(first[1], Move.parse("f4"))
    path.write_bytes(graph.pack("made"))
    check(path)


def test_lines_that_begin_beside_the_book_are_roots(small: Path) -> None:
    board = line("f5f6e6d6c5")[-1]
    grown(small, STEPS["follow from a board"])
    book = check(small)
    assert book.notes.roots == (board,)
    again = grown(small, lambda growth: growth.add_line(line("f5f6e6d6c5")))  # the line leads there now
    assert Book(small).notes.roots in ((), (board,))
    assert again == small.read_bytes()
    assert read(small).roots == []
    assert pruned(read(small), [book_key(START)]).roots == []


def test_entries_that_no_line_reaches_stay_until_one_does(tmp_path: Path) -> None:
    path, far = tmp_path / "a.book", line("f5d6c3d3")
    leaf = BookEntry(3, 2, canonical_square(far[4], Move.parse("c4")), 3, 8, Kind.HEURISTIC)
    write_book(path, {book_key(far[4]): leaf, book_key(far[3]): BookEntry(7, 5)})
    assert read(path).entries() == dict(Book(path).items())
    assert [len(read(path).nodes), len(read(path).loose), len(read(path))] == [0, 2, 2]
    grown(path, lambda growth: growth.add_line(far[:3]))
    book = checked_values(path)
    assert book[far[4]] == leaf
    assert book[far[3]].games == 5
    assert not read(path).loose


def test_what_merging_left_unsearched_is_searched(small: Path, tmp_path: Path) -> None:
    other, both = tmp_path / "other.book", tmp_path / "both.book"
    graph = BookGraph()
    with growing(graph, tmp_path / "other.log", depth=4) as growth:
        assert growth.add_line(line("f5f6e6f4"))
        assert growth.follow(START, Limits(0, 0, 9))
    other.write_bytes(graph.pack("made"))
    both.write_bytes(merged([Book(small), Book(other)]).pack("merged"))
    checked_values(both)
    grown(both, lambda growth: growth.follow(START, Limits(), most=1))
    check(both)


# --- pruning


@pytest.mark.parametrize(
    "limits", [Limits(error=1), Limits(total_error=1), Limits(plies=4), Limits(games=2), Limits(0, 0, 3, 1)]
)
def test_pruning_keeps_values(limits: Limits, small: Path, tmp_path: Path) -> None:
    grown(small, STEPS["all"])
    graph, path = read(small), tmp_path / "part.book"
    keep = {key for _, key, _ in graph.within(book_key(START), limits)}
    path.write_bytes(pruned(graph, keep).pack("pruned"))
    book, whole = check(path), Book(small)
    assert 0 < len(book) < len(whole)
    assert {book_key(position) for position in book.walk()} == keep
    for position in book.walk():
        assert (book[position].value, book[position].games) == (whole[position].value, whole[position].games)
        found = book.beside(position)
        if found is not None and (inside := whole.get(position.play(found[0][0]))) is not None:
            assert found[1].value == -inside.value
            assert found[1].depth > 4
    assert book.notes.history == (*whole.notes.history, "pruned")
    again = grown(path, STEPS["follow"])
    assert len(check(path)) > len(book)
    assert again


# --- rules of the road


def test_the_depth_of_a_book_is_that_of_most_searches(small: Path) -> None:
    graph = read(small)
    assert usual_depth(graph) == 4
    assert usual_depth(BookGraph()) == 16
    for key in [*graph.nodes][: len(graph) // 2 + 1]:
        graph.set_searched(key, Searched(graph.nodes[key].searched.square, 0, 9, Kind.HEURISTIC))
    assert usual_depth(graph) == 9


def test_growing_to_the_end_of_a_game_through_passes(tmp_path: Path) -> None:
    """Near the end values are exact, and a pass is a move of the book like others."""
    random = Random(11)
    while True:
        position, played = START, [START]
        while not position.is_over:
            position = position.play(position.legal_moves.choice(random))
            played.append(position)
        passed = [at for at, each in enumerate(played) if [*each.legal_moves] == [PASS]]
        if passed and played[passed[0]].empties > 3:
            break
    at, path = passed[0] - 1, tmp_path / "a.book"
    path.write_bytes(BookGraph().pack("made"))
    grown(path, lambda growth: growth.add_line(played[:-1]) and growth.follow(played[-4], Limits(64, 64)))
    assert len(Book(path)) == len(played) - 1  # an exact value has nothing behind it
    grown(path, lambda growth: growth.follow(played[at], Limits(64, 64)))
    book = check(path)
    beside = book.beside(played[-2])
    assert beside is not None
    assert beside[1].kind is Kind.EXACT
    assert book.moves(played[passed[0]])[0].move == PASS


def test_a_pass_line_has_no_position_after_its_end() -> None:
    whole = line_of([*TIGER, Move.parse("a1"), Move.parse("f4")], 20)
    assert [*whole] == [*line_of(TIGER, 20)]
    assert len(line_of(TIGER, 2)) == 3
