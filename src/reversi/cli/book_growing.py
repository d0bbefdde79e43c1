"""``reversi book grow`` and ``prune``: opening books that get larger and surer, or smaller."""

from __future__ import annotations

import contextlib
from array import array
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reversi._core import Position
from reversi._system.files import Target
from reversi._system.locks import beside
from reversi._system.paths import real_path
from reversi.cli.book import BookOutput, book_games, locked_book
from reversi.cli.console import (
    StatusCollector,
    cancelled_after,
    cancelled_by_signals,
    command,
    err,
    fail,
    out,
    writing,
)
from reversi.cli.engine_options import own_book
from reversi.cli.inputs import beginning, read_repertoire
from reversi.cli.option_groups import excludes, needs
from reversi.cli.options import (
    AtOption,
    EncodingOption,
    ThreadsOption,
    TotalTimeOption,
    argument,
    option,
)
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.progress import ProgressLine
from reversi.cli.status import Status
from reversi.engine.levels import MAX_LEVEL
from reversi.openings.book import STANDARD, book_key, open_books
from reversi.openings.journal import JOURNAL_WAIT_S, drop_from_journal, journal_mark, journal_of
from reversi.rules import Rules
from reversi.text.counting import counted
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.engine.book_graph import BookGraph

_INSTEAD = tuple(
    refusal
    for name in ("--at", "--error", "--total-error", "--positions", "--deepen")
    for refusal in excludes("--add-games", name, why="the lines of games are added as they are")
)


@command(
    *_INSTEAD,
    *excludes("--deepen", "--positions", why="it adds no positions"),
    *needs("--games", "--add-games"),
)
def grow(
    book: Annotated[str, argument("BOOK", "The opening book, which grows.")],
    at: AtOption = "",
    plies: Annotated[
        int, option("N", "Grow lines up to N placements on the board, and take N plies of games.", min=1, max=60)
    ] = 20,
    error: Annotated[int, option("DISCS", "Follow moves that lose at most DISCS.", min=0, max=128)] = 1,
    total_error: Annotated[
        int, option("DISCS", "Follow lines whose moves lose at most DISCS together.", min=0, max=128)
    ] = 4,
    most: Annotated[int | None, option("N", "Stop when the book has N positions.", "--positions", min=1)] = None,
    deepen: Annotated[
        int | None,
        option(
            "N",
            "Add no positions, but search again N placements deep what rests on less.",
            min=1,
            max=MAX_LEVEL,
        ),
    ] = None,
    add_games: Annotated[
        list[str] | None,
        option("PATH", "Add the lines of these games instead, and search deeper where each of them turned."),
    ] = None,
    games: Annotated[int, option("N", "Add positions that at least N of the games reach.", min=1)] = 1,
    depth: Annotated[
        int | None,
        option(
            "N", "Search N placements deep.", min=1, max=MAX_LEVEL, show_default="as most searches of the book"
        ),
    ] = None,
    total_time: TotalTimeOption = None,
    threads: ThreadsOption = 1,
    encoding: EncodingOption = "",
) -> None:
    """Grow an opening book: along good moves, by the lines of games, or by deeper searches.

    From --at on, the book follows its best moves and those that lose little to new positions. A search scores each
    of them, and negamax carries the values back to the start. Games that wait in the journal of the book (see
    'reversi play --add-to-book') are always taken in first.

    Ctrl-C and the end of --total-time write what has been grown so far. BOOK.searches keeps the searches of the
    unfinished step: run the same command again to continue. The book is the same, however often growing stopped
    and with any number of threads, each of which searches a position.

    Example: reversi book grow my.book --at Tiger --error 2

    Example: reversi book grow my.book --add-games my-games.pgn

    Example: reversi book grow my.book --deepen 20 --threads 2
    """
    from reversi.engine.book_graph import BookGraph, Limits, line_of
    from reversi.engine.book_growing import Growth, usual_depth
    from reversi.engine.book_log import BookLog

    outcome, progress, cancel = StatusCollector(), ProgressLine(), Cancel()
    searches = Path(f"{book}.searches")
    with contextlib.ExitStack() as stack:
        own_book(book)  # before a lock appears beside it
        stack.enter_context(locked_book(book))
        opened = own_book(book)
        before, graph = len(opened), BookGraph.of(opened)
        del opened  # a file that is mapped cannot be replaced everywhere
        line = _line(at, encoding, graph.rules)
        target = Target.of(Path(book))
        stack.enter_context(cancelled_by_signals(cancel))
        over = stack.enter_context(cancelled_after(cancel, total_time))

        def show(done: int, all_: int) -> None:
            progress.show(lambda: f"{len(graph)} positions, {done} of {all_} searches", done / all_)

        with writing(str(searches)):
            log = stack.enter_context(contextlib.closing(BookLog(searches, graph.rules)))
            growth = Growth(graph, log, depth or usual_depth(graph), threads, cancel, show)
            searched = f"searched {growth.depth} placements deep"

            def write(story: str) -> None:
                write_pieces(target, [graph.pack(story)])

            journal = journal_of(book)
            waiting = _waiting(journal, graph, plies, progress, cancel)
            done = growth.add_games(waiting) and not cancel.cancelled
            if done and waiting:
                took = f"took in {counted(len(waiting), 'game')} of the journal, {searched}"
                write(took)  # before the games are removed there: no game is lost, or counts twice
                with writing(str(journal)):
                    drop_from_journal(journal, graph.journal)
                graph.journal = ""
                write(took)
            paths = [path for path in add_games or () if real_path(Path(path)) != journal]
            if done and paths:
                read = book_games(paths, graph.rules, encoding, plies, outcome, progress, cancel)
                lines = [line_of(moves, plies, graph.rules) for moves in read]
                done = growth.add_games(lines, games) and not cancel.cancelled
                if done and lines:
                    write(f"took in {counted(len(lines), 'game')}, {searched}")
                elif done and outcome.status is Status.DONE:
                    outcome.add(Status.BAD_DATA, f"no game begins at the start of {graph.rules}")
            elif done and add_games is None and (done := growth.add_line(line)):
                limits, start = Limits(error, total_error, plies), f"from {at or 'the start'}"
                if deepen is None:
                    done = growth.follow(line[-1], limits, most)
                    loss = f"{counted(error, 'disc')} each and {total_error} together"
                    story = f"grew {start} to {plies} placements by moves that lose at most {loss}, {searched}"
                else:
                    done = growth.deepen(line[-1], limits, deepen)
                    story = f"searched again {start}, {deepen} placements deep"
                if growth.searches:
                    write(story)
        entries = len(graph.entries())
        new = f"{book}: {counted(entries, 'position')}, {entries - before} of them new"
        new += f"; {growth.searches} searched"
        if done:
            with writing(str(searches)):
                searches.unlink()
            out(new)
            outcome.finish()
            return
        kept = f"{searches} keeps the searches of the unfinished step; run it again to continue"
        if over.is_set():
            out(new)
            err(f"reversi: the time is over; {kept}")
        else:
            fail(Status.INTERRUPTED, f"{new}; {kept}")


def _line(at: str, encoding: str, rules: Rules) -> list[Position]:
    """Return the positions of the line that --at gives; of a board only that one."""
    start, moves = beginning(at, encoding, rules)
    line = [*accumulate(moves, Position.play, initial=start)]
    if line[-1].is_over:
        fail(Status.USAGE, "--at: the game is over there")
    if not start.rules.same_play(rules):
        fail(Status.USAGE, f"--at: its rules are {start.rules}, not {rules}")
    return line


def _waiting(
    journal: Path, graph: BookGraph, plies: int, progress: ProgressLine, cancel: Cancel
) -> list[array[int]]:
    """Return the lines of the games that wait in a journal; a wrong one ends the command before it is removed."""
    from reversi.engine.book_graph import line_of

    outcome = StatusCollector()
    with writing(str(journal)):
        drop_from_journal(journal, graph.journal)  # for a run that was killed before it could
        with beside(journal, wait_s=JOURNAL_WAIT_S):
            graph.journal = journal_mark(journal)
            if not graph.journal:
                return []
            games = book_games([str(journal)], graph.rules, "", plies, outcome, progress, cancel)
            lines = [line_of(moves, plies, graph.rules) for moves in games]
    outcome.finish()
    return lines


@command
def prune(
    book: Annotated[str, argument("BOOK", f"An opening book; {STANDARD} is the built-in one.")],
    output: BookOutput,
    at: AtOption = "",
    plies: Annotated[int | None, option("N", "Keep positions with at most N placements.", min=0, max=60)] = None,
    error: Annotated[
        int | None, option("DISCS", "Keep lines whose moves lose at most DISCS each.", min=0, max=128)
    ] = None,
    total_error: Annotated[
        int | None, option("DISCS", "Keep lines whose moves lose at most DISCS together.", min=0, max=128)
    ] = None,
    games: Annotated[int, option("N", "Keep positions that at least N games reached.", min=0)] = 0,
    repertoire: Annotated[
        str, option("FILE", "Keep positions of this game file with variations, or of one game of it.")
    ] = "",
    encoding: EncodingOption = "",
    force: ForceOption = False,
) -> None:
    """Write the part of an opening book that lies within limits, or in a repertoire.

    The line to --at stays, too. All positions keep their values: the best move to one that is left out becomes
    the best move beside the book. Positions that no line of the book reaches are left out.

    Example: reversi book prune my.book --output small.book --error 2 --total-error 4

    Example: reversi book prune my.book --output mine.book --repertoire mine.pgn
    """
    from reversi.engine.book_graph import BookGraph, Limits
    from reversi.engine.book_growing import pruned

    target = check_output(output, Inputs(book, at, repertoire), force=force)
    graph = BookGraph.of(open_books([book]).books[0])
    line = [book_key(position) for position in _line(at, encoding, graph.rules)]
    if line[-1] not in graph.nodes:
        fail(Status.BAD_DATA, f"{book}: no line of the book reaches {at or 'the start'}")
    keep = {key for _, key, _ in graph.within(line[-1], Limits(error, total_error, plies, games))}
    if repertoire:
        keep &= set(map(book_key, read_repertoire(repertoire, graph.rules, encoding).walk()))
    part = pruned(graph, keep | (graph.nodes.keys() & line))
    write_pieces(target, [part.pack(f"pruned from {counted(len(graph), 'position')}")])
    if target is not None:
        out(f"{output}: {counted(len(part), 'position')} of {len(graph)}")
