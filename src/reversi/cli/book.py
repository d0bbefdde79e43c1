"""``reversi book``: make, show, merge and convert opening books."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from reversi._core import Move, Position
from reversi._system.locks import LockedError, beside
from reversi.cli.console import (
    StatusCollector,
    cancelled_by_signals,
    command,
    err,
    fail,
    out,
    out_json,
    reading,
    rules_option,
    writing,
)
from reversi.cli.inputs import PositionInput
from reversi.cli.option_groups import Flag, needs_name
from reversi.cli.options import EncodingOption, RulesOption, ThreadsOption, argument, option, output_option
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.progress import ProgressLine
from reversi.cli.status import Status
from reversi.engine.levels import MAX_LEVEL
from reversi.inputs.positions import PositionEntry
from reversi.openings.book import DEEP, STANDARD, Book, open_books
from reversi.records.replay import moves_by_rule
from reversi.rules import Rules
from reversi.score import Kind, score_text
from reversi.text.boards import format_board
from reversi.text.counting import counted
from reversi.text.position_json import position_fields
from reversi.work.cancel import Cancel

_WAIT_S = 0.2  # for the lock of the file: another run may test it for a moment


def check_new(name: str) -> str:
    """Refuse the name of the built-in book for a file."""
    if name == STANDARD:
        raise typer.BadParameter(f"{STANDARD} is the built-in book; give another name, or ./{STANDARD}")
    return name


BookOutput = Annotated[str, output_option("Write the book to FILE.", callback=check_new)]


@command(*needs_name("--output", why="the searches are kept beside it"))
def make(
    files: Annotated[list[str], argument("PATH", "Files of games, folders, or patterns; - is standard input.")],
    output: BookOutput,
    plies: Annotated[int, option("N", "Take the first N plies of each game.", min=1, max=60)] = 20,
    games: Annotated[int, option("N", "Take positions that at least N games reach.", min=1)] = 20,
    depth: Annotated[int, option("N", "Search N placements deep.", min=1, max=MAX_LEVEL)] = 16,
    threads: ThreadsOption = 1,
    encoding: EncodingOption = "",
    rules: RulesOption = "othello",
    force: ForceOption = False,
) -> None:
    """Make an opening book from recorded games and searches.

    The book holds the positions that at least --games games reach. In each of them, a search scores the best move
    that leaves the book; negamax then carries these values back to the start. FILE.searches keeps the searches
    until the book is complete: after an interruption, run the same command again. The book is the same, however
    often making it stopped and with any number of threads, each of which searches a position.

    Example: reversi book make archive/ --output my.book

    Example: reversi book make games.pgn --output my.book --games 5 --depth 20
    """
    from reversi.engine.book_graph import BookGraph, line_of
    from reversi.engine.book_growing import Growth
    from reversi.engine.book_log import BookLog

    rule_set, searches = rules_option(rules), Path(f"{output}.searches")
    target = check_output(output, Inputs(*files), force=force)
    outcome, progress, cancel = StatusCollector(), ProgressLine(), Cancel()
    graph = BookGraph(rule_set)
    with contextlib.ExitStack() as stack:
        stack.enter_context(locked_book(output, " or name another file"))
        stack.enter_context(cancelled_by_signals(cancel))
        read = book_games(files, rule_set, encoding, plies, outcome, progress, cancel)
        graph.add_games((line_of(moves, plies, rule_set) for moves in read), games)
        if cancel.cancelled:
            fail(Status.INTERRUPTED, "")
        if not graph.nodes:
            if outcome.status in {Status.DONE, Status.FINDING}:
                outcome.add(Status.BAD_DATA, f"no position was reached by {games} games; lower --games")
            outcome.finish()

        with writing(str(searches)):
            with contextlib.closing(BookLog(searches, rule_set)) as log:
                done = Growth(graph, log, depth, threads, cancel, progress.counting("positions")).search({})
            if not done:
                fail(Status.INTERRUPTED, f"{searches} keeps the searches; run it again to continue")
        count = max(node.games for node in graph.nodes.values())
        story = f"made from {count} games: positions that at least {games} of them reach within {plies} plies,"
        story += f" searched {depth} placements deep"
        write_pieces(target, [graph.pack(story)], outcome)
        with writing(str(searches)):
            searches.unlink()
    if outcome.status is not Status.CANNOT_WRITE:
        out(f"{output}: {counted(len(graph), 'position')}")
    outcome.finish()


@contextlib.contextmanager
def locked_book(path: str, way: str = "") -> Iterator[None]:
    """Keep other runs from changing a book; where one does, end the command, and name another way out."""
    try:
        with beside(Path(path), wait_s=_WAIT_S):
            yield
    except LockedError:
        fail(Status.CANNOT_WRITE, f"{path}: another run changes this book; wait for it{way}")


def book_games(
    files: list[str],
    rules: Rules,
    encoding: str,
    plies: int,
    outcome: StatusCollector,
    progress: ProgressLine,
    cancel: Cancel,
) -> Iterator[Sequence[Move]]:
    """Yield the moves of the games that begin at the start, each up to the first wrong flip.

    Report the files and games that cannot be read.
    """
    from reversi.cli.record.streams import ReadingOptions

    start = Position(rules)
    games = ReadingOptions(encoding=encoding, rules=str(rules)).games(files, outcome)
    for entry in games:
        if cancel.cancelled:
            return
        progress.show(lambda: f"{games.at}: {games.count} games")
        if entry.record.start == start:
            yield moves_by_rule(entry.record)[:plies]


@command
def show(
    positions: PositionInput,
    book: Annotated[str, option("FILE", "Read this book, not the built-in one.", "--book")] = STANDARD,
    json: Annotated[bool, Flag("Write one JSON object per position.")] = False,
) -> None:
    """Show the moves of an opening book in a position, best first.

    Values are for the player to move. The column of games counts the games that reached the position. A value
    rests on the searches where the best lines leave the book: the more of them are exact or deep, the surer it is.

    Example: reversi book show f5d6c3

    Example: reversi book show f5 --book my.book --json
    """
    opening_book = open_books([book]).books[0]
    outcome = StatusCollector(complete=json)
    for entry, position in positions.positions(outcome):
        if json:
            _write_json(entry, position, opening_book)
        else:
            _write_text(position, opening_book)
    outcome.finish()


def _write_text(position: Position, book: Book) -> None:
    out(format_board(position))
    moves = book.moves(position)
    booked = book.get(position)
    if booked is None:
        out("    not in the book")
        return
    ends = book.ends(position)
    share = f"{100 * sum(end.is_deep for end in ends) // len(ends)}% of them exact or searched {DEEP} deep"
    out(f"    value {booked.value:+d}; its best lines end in {counted(len(ends), 'position')}, {share}")
    for choice in moves:
        line = (choice.move, *book.line(position.play(choice.move)))
        score = score_text(choice.score)
        out(f"    {choice.move!s:2}  {score}  {choice.games} games  {' '.join(map(str, line))}")
    if (beside := book.beside(position)) is not None:
        score = score_text(beside[1], depth=True)
        out(f"    {beside[0][0]!s:2}  {score}; best move beside the book")


def _write_json(entry: PositionEntry, position: Position, book: Book) -> None:
    from reversi.engine.hints import score_fields

    booked, beside = book.get(position), book.beside(position)
    ends = Counter((end.kind, end.confidence, end.depth) for end in book.ends(position))
    out_json(
        {
            "index": entry.index,
            "line": entry.line,
            **position_fields(position),
            "score": None if booked is None else booked.value,
            "kind": None if booked is None else "book",
            "games": 0 if booked is None else booked.games,
            "moves": [
                {
                    "move": str(choice.move),
                    "score": choice.score.value,
                    "kind": "book",
                    "depth": choice.score.depth,
                    "games": choice.games,
                }
                for choice in book.moves(position)
            ],
            "ends": _counts(ends),
            "beside": None
            if booked is None or beside is None
            else {"move": str(beside[0][0]), **score_fields(beside[1])},
        }
    )


@command
def info(
    book: Annotated[str, argument("BOOK", f"An opening book; {STANDARD} is the built-in one.")],
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
) -> None:
    """Say what an opening book has: its rules and positions, how its values were found, and where it came from.

    The value of a position follows by negamax from the best moves that leave the book, which were searched.

    Example: reversi book info my.book

    Example: reversi book info standard --json
    """
    opened = open_books([book]).books[0]
    line = opened.line(Position(opened.rules))
    if json:
        out_json(
            {
                "book": book,
                "rules": str(opened.rules),
                "positions": len(opened),
                "line": [str(move) for move in line],
                "searches": _counts(opened.searches()),
                "history": opened.notes.history,
            }
        )
        return
    out(f"{book}: an opening book for {opened.rules}")
    known, longest = counted(len(opened), "position", grouped=True), counted(len(line), "move")
    out(f"{known}; the best line from the start has {longest}")
    out("Values of the best moves beside the book:")
    for (kind, confidence, depth), number in opened.searches().most_common():
        out(f"{number:12,}  {_found(kind, confidence, depth)}")
    out("History:" if opened.notes.history else "History: unknown")
    for sentence in opened.notes.history:
        out(f"  {sentence}")


def _counts(searches: Counter[tuple[Kind | None, int | None, int]]) -> list[dict[str, object]]:
    """Return as JSON values how many positions have values of each kind, confidence and depth."""
    return [
        {"kind": kind and str(kind), "confidence": confidence, "depth": depth, "positions": number}
        for (kind, confidence, depth), number in searches.most_common()
    ]


def _found(kind: Kind | None, confidence: int | None, depth: int) -> str:
    """Return how values were found, in words."""
    if kind is None:
        return "no such move: all stay in the book"
    if kind is Kind.BOOK:
        return f"of another program, level {depth}"
    if kind is Kind.SELECTIVE:
        return f"selective {confidence} %, depth {depth}"
    return f"{kind}, depth {depth}"


@command
def merge(
    books: Annotated[list[str], argument("BOOK", "Two or more opening books.")],
    output: BookOutput,
    force: ForceOption = False,
) -> None:
    """Merge opening books of the same rules into one.

    The new book adds up the games of each position and keeps the deeper of two searches. Negamax then computes the
    values again.

    Example: reversi book merge one.book two.book --output both.book
    """
    from reversi.engine.book_growing import merged

    if len(books) < 2:
        fail(Status.USAGE, "merging takes at least two books")
    target = check_output(output, Inputs(*books), force=force)
    opened = open_books(books).books
    for path, book in zip(books, opened, strict=True):
        if book.rules != opened[0].rules:
            fail(Status.BAD_DATA, f"{path} is a book for {book.rules}, {books[0]} one for {opened[0].rules}")
    made = merged(opened)
    write_pieces(target, [made.pack(f"merged from {len(books)} books")])
    if target is not None:
        out(f"{output}: {counted(len(made), 'position')}")


@command
def convert(
    source: Annotated[str, argument("IN", "A book of ours, of Edax (.dat or its text) or of Egaroucid (.egbk3).")],
    target: Annotated[
        str,
        argument("OUT", "The new book: one of Edax for a name with .dat, else one of ours.", callback=check_new),
    ],
    force: ForceOption = False,
) -> None:
    """Convert an opening book of another program, or write one for Edax; report what the new book cannot hold.

    The content of IN says what it is. The memory does not grow with the book of another program.

    Example: reversi book convert edax.dat my.book

    Example: reversi book convert my.book edax.dat
    """
    from datetime import UTC, datetime

    from reversi.openings.other_books import EDAX_SUFFIX, edax_book, is_other_book, read_other_book

    place = check_output(target, Inputs(source), force=force)
    progress, is_edax = ProgressLine(), target.lower().endswith(EDAX_SUFFIX)

    with reading(source):
        if source == STANDARD or not is_other_book(source):
            book = open_books([source]).books[0]
            if not is_edax:
                why = f"one for Edax has a name with {EDAX_SUFFIX}"
                fail(Status.USAGE, f"{target}: {source} is a book of ours already; {why}")
            read, pieces = edax_book(book, datetime.now(UTC))
        elif is_edax:
            fail(Status.USAGE, f"{target}: {source} is a book of another program; make one of ours of it first")
        else:
            read, pieces = read_other_book(source, progress.counting("positions"))
        write_pieces(place, pieces)
    progress.clear()
    if target != "-":
        out(f"{target}: {counted(read.positions, 'position')}")
    for what, number in read.lost.items():
        if number:
            err(f"reversi: {target}: does not hold: {what} ({number})")
