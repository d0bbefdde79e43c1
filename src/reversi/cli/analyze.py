"""``reversi analyze``: the values and mistakes of games."""

from __future__ import annotations

import enum
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from reversi._system.files import Target
from reversi._system.paths import source_name
from reversi.analysis.analysis import graph_lines, search_text, side_text, table_lines
from reversi.analysis.annotating import annotated
from reversi.analysis.run import AnalysisRun, AnalyzedGame, GameInput, read_results
from reversi.analysis.summary import LossSummary
from reversi.arguments import MAX_HASH_MB, MAX_THREADS, excerpt
from reversi.cli.analyze_summary import players_table, write_summary
from reversi.cli.cluster import Cluster
from reversi.cli.console import (
    StatusCollector,
    cancelled_by_signals,
    command,
    err,
    fail,
    named_options,
    out,
    out_json,
    refused,
)
from reversi.cli.engine_options import BookOptions, LevelOption, level_value
from reversi.cli.given_games import GivenGames
from reversi.cli.history import read_history
from reversi.cli.option_groups import Flag, excludes, names_of, needs, needs_name, other_files
from reversi.cli.options import PositionThreadsOption, PositionTimeOption, argument, option
from reversi.cli.outputs import Inputs, check_output, write_pieces
from reversi.cli.progress import ProgressLine
from reversi.cli.record.streams import ReadingOptions
from reversi.cli.reports import check_page, source_label, write_report
from reversi.cli.results import Results
from reversi.cli.selection import SelectionOptions, aliases_of
from reversi.cli.state import StateOption, state_folder
from reversi.cli.status import Status
from reversi.cli.table_output import page_table
from reversi.color import Color
from reversi.engine.levels import HINT_LEVEL
from reversi.games.aliases import Aliases
from reversi.games.selection import EVERY_GAME, Selection
from reversi.games.statistics.events import events_of
from reversi.games.statistics.results import result_of
from reversi.games.statistics.tables import Table, tables_of
from reversi.records.record import format_record
from reversi.rules import Rules
from reversi.solver.table import ANALYSIS_HASH_MB
from reversi.text.counting import counted
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.render import ReportGame


class TargetFormat(enum.Enum):
    """What ``--to`` names."""

    PGN = "pgn"


_NOTHING: Final = "? – ? *"
"""The heading of moves alone."""


@command(
    *excludes(
        "--summary",
        *("--output", "--resume", "--to", "--svg", "--png", "--html", "--level", "--time", "--exact-from"),
        *("--book", "--no-book", "--all-moves", "--cluster", "--from", "--columns", "--force", "--store"),
        *(name for name in names_of(SelectionOptions) if name not in ("--player", "--aliases")),
        why="it reads results and analyzes nothing",
    ),
    *excludes("--level", "--time"),
    *excludes("--to", "--resume", "--json", why="annotated games are no results"),
    *needs("--force", "--output FILE", "--html FILE", "--svg FILE", "--png FILE"),
    *needs_name("--output", "--to", why="--json writes to standard output"),
    *needs_name("--html", why="standard output gets the analysis"),
    *other_files("--output", "--html", "--svg", "--png"),
    *needs("--all-moves", "--html", "--json", "--output"),
    *excludes("--cluster", "--threads", "--workers", why="the workers have one thread for each game"),
    *excludes("--cluster", "--store", why="the workers have no file of this machine"),
    *excludes("--time", "--store", why="what a time allows is not kept, but what a level finds"),
)
def analyze(
    games: Annotated[
        list[str],
        argument("GAMES", "Files of games, folders, FILE#3 (its third game), or moves; - is standard input."),
    ],
    *,
    conditions: SelectionOptions,
    level: LevelOption = None,
    seconds: PositionTimeOption = None,
    exact_from: Annotated[
        int | None,
        option(
            "N",
            "Solve positions with at most N empty squares exactly.",
            min=0,
            max=64,
            show_default="20; fewer under other rules",
        ),
    ] = None,
    threads: PositionThreadsOption = 1,
    workers: Annotated[
        int, option("N", "Analyze N games at once; 0 uses one per CPU.", min=0, max=MAX_THREADS)
    ] = 0,
    hash_mb: Annotated[
        int, option("MB", "Use a hash table of MB megabytes per worker.", "--hash", min=1, max=MAX_HASH_MB)
    ] = ANALYSIS_HASH_MB,
    books: BookOptions,
    reading: ReadingOptions,
    results: Results,
    to: Annotated[
        TargetFormat | None,
        typer.Option(help="Write the annotated games in this format, in place of the results."),
    ] = None,
    svg: Annotated[str, option("FILE", "Draw the scores of one game as a graph to FILE, as SVG.")] = "",
    png: Annotated[str, option("FILE", "Draw the scores of one game as a graph to FILE, as PNG.")] = "",
    html: Annotated[
        str, option("FILE", "Write one HTML page to FILE to step through the games in a browser.")
    ] = "",
    all_moves: Annotated[
        bool,
        Flag(
            "Value every legal move and find the answer to it, for --html and the JSON: in the page each can"
            " be tried. The analysis takes about 3 times as long, and a game about 70 kB of the page, not 20."
        ),
    ] = False,
    summary: Annotated[
        bool, Flag("Read the --output files of earlier runs and report each player and year.")
    ] = False,
    cluster: Cluster,
    store: Annotated[
        bool,
        Flag("Take what the reviews of your games have found, and keep what is found, beside your history."),
    ] = False,
    json: Annotated[bool, Flag("Write one JSON object per game.")] = False,
    state: StateOption = None,
) -> None:
    """Analyze games: score each move, show the best moves, and mark the mistakes.

    Scores are from the view of the side that moves; ~ marks scores that are not exact. ?! is an inaccuracy, ? a
    mistake, ?? a blunder, ! the only move that keeps the win or the draw, !? a good move that looks bad. Good
    moves of the opening book are marked, and are no mistakes.
    Conditions select the games, as in 'reversi record filter'; of games that one --player selects, only that
    side is reported.

    Example: reversi analyze game.pgn

    Example: reversi analyze games.pgn#3 --level 24 --svg graph.svg

    Example: reversi analyze games.pgn --html report.html

    Example: reversi analyze game.pgn --html report.html --all-moves

    Example: reversi analyze club.pgn --player "Ada" --to pgn -o annotated.pgn

    Example: reversi analyze wthor/ --level 10 --output a.jsonl --resume

    Example: reversi analyze wthor/ --cluster local:4 --output a.jsonl --resume

    Example: reversi analyze --summary a.jsonl
    """
    player = conditions.one_player
    if summary:
        if conditions.player and not player:
            fail(Status.USAGE, "--summary reports one --player or all; give one")
        write_summary(games, player, aliases_of(conditions.aliases, reading.encoding), json=json)
        return
    outcome = StatusCollector(complete=json)
    output = results.output
    beside = Path(output) if output and output != "-" else None
    kept = read_history(state_folder(state)).store() if store else None
    if store and kept is None:
        fail(Status.USAGE, "--store: the history is off; 'reversi history on' switches it on")
    selection = conditions.read(reading.rule_set, reading.encoding)
    names = selection.aliases
    given = GivenGames(games, reading, outcome, beside, selection)
    source = partial(_selected, given, selection)
    inputs = Inputs(*given.paths)
    annotated_games = None
    if to is None:
        results.check(inputs)
    elif output:
        annotated_games = check_output(output, inputs, force=results.force)
    targets = {path: check_output(path, inputs, force=results.force) for path in (svg, png, html) if path}
    plies: dict[int, int] = {}
    rules: dict[Rules, None] = {}
    for each in source():
        plies[each.index], rules[each.record.rules] = len(each.record.moves), None
    if not plies:
        if outcome.status is Status.DONE:
            given_no = "no games" if selection == EVERY_GAME else "no game that meets the conditions"
            what = f"no game of {excerpt(player or '')}" if selection == Selection(player=(player,)) else given_no
            outcome.add(Status.BAD_DATA, f"reversi: the input has {what}")
        outcome.finish()
    if (svg or png) and len(plies) > 1:
        fail(Status.USAGE, f"--svg and --png draw one game, not {len(plies)}; name it, as in FILE#3")
    if png:
        from reversi.render.raster import check_extra

        with refused("--png"):  # before the analysis
            check_extra()
    if html:
        check_page(len(plies), "--html")
    book = books.open(*rules)
    cancel = Cancel()
    pictures = {format_: targets[path] for format_, path in (("svg", svg), ("png", png)) if path}
    shown = _Shown(
        plies,
        player,
        names,
        outcome,
        json=json,
        brief=bool(output),
        quiet=to is not None,
        pictures=pictures,
        page={} if html else None,
    )
    with (
        named_options(),
        results.written(),
        cluster.connection() as connection,
        AnalysisRun(
            source,
            output=output if output and to is None else None,
            resume=results.resume,
            overwrite=results.force,
            level=None if seconds is not None else level_value(level, HINT_LEVEL),
            time_s=seconds,
            exact_from=exact_from,
            threads=threads,
            hash_mb=hash_mb,
            book=book,
            all_moves=all_moves,
            workers=workers or None,
            cancel=cancel,
            poll=shown.progress,
            cluster=connection,
            store=kept,
        ) as run,
        cancelled_by_signals(cancel),
    ):
        if to is None:
            for game in run:
                shown.write(game)
        else:
            write_pieces(annotated_games, _annotated(run, shown), outcome)
    if html:
        shown.write_page(targets[html], run, source, output if to is None else "")
    if cancel.cancelled:
        written = [path for path in (output if to else "", html) if path not in ("", "-")]
        fail(Status.INTERRUPTED, _interrupted(run, len(plies), output if to is None else "", written))
    shown.sums(run, output if to is None else "")
    if kept is not None and kept.failure:
        outcome.add(Status.CANNOT_WRITE, f"reversi: {kept.failure}; the analyses are not kept")
    outcome.finish()


def _selected(given: GivenGames, selection: Selection) -> Iterator[GameInput]:
    """Yield the games that are wanted, numbered from 1."""
    index = 0
    for file, entry in given:
        if not entry.record.moves:
            what = "a position without moves; 'reversi hint' and 'reversi solve' judge positions"
            given.add(Status.BAD_DATA, f"{file or 'the text'}:game {entry.number}: {what}")
        elif selection.takes(entry.record):
            index += 1
            yield GameInput(index, file, entry.number, entry.record)


def _interrupted(run: AnalysisRun, games: int, results: str, written: list[str]) -> str:
    """What an interrupted run leaves: the file to continue, or the files with the games that it has analyzed."""
    if results:
        return f"interrupted; --resume continues {results}"
    if not written or not run.analyzed:
        return ""
    verb = "holds" if len(written) == 1 else "hold"
    return f"interrupted; {' and '.join(written)} {verb} {run.analyzed} of {counted(games, 'game')}"


def _annotated(run: AnalysisRun, shown: _Shown) -> Iterator[bytes]:
    """Yield the games with their analyses, in this project's format."""
    for number, game in enumerate(run):
        shown.write(game)
        text = format_record(annotated(game.source.record, game.analysis))
        yield (("\n" if number else "") + text).encode("utf-8", "surrogateescape")


@dataclass
class _Shown:
    """What the command writes of a run: games, sums, progress, pictures, a page."""

    plies: dict[int, int]
    player: str
    aliases: Aliases
    outcome: StatusCollector
    _: KW_ONLY
    json: bool
    brief: bool
    quiet: bool
    pictures: dict[str, Target | None]
    page: dict[int, ReportGame] | None

    def __post_init__(self) -> None:
        self._left: int | None = None
        self._began = time.monotonic()
        self._written = 0
        self._line = ProgressLine()

    def progress(self, run: AnalysisRun) -> None:
        """Draw the progress line."""
        if self._left is None:
            self._left = sum(plies for index, plies in self.plies.items() if index not in run.done)
        seconds = max(time.monotonic() - self._began, 1e-3)
        share = min(run.turns / self._left, 1.0) if self._left else None

        def text() -> str:
            rate = run.turns / seconds
            games = f"{run.earlier + run.analyzed}/{len(self.plies)} games"
            return f"{games}, {rate:.0f} turns/s"

        self._line.show(text, share)

    def write(self, game: AnalyzedGame) -> None:
        """Write a game, and draw the pictures of it."""
        if self.pictures:
            self._draw(game)
        if self.page is not None:
            self._add(game.source, game.fields())
        if self.quiet:
            return
        if self.json:
            out_json(game.fields())
        elif self.brief:
            out(self._row(game))
        else:
            self._whole(game)
        self._written += 1
        sys.stdout.flush()

    def write_page(
        self, target: Target | None, run: AnalysisRun, source: Callable[[], Iterator[GameInput]], results: str
    ) -> None:
        """Write the page, in the order of the input; without a game nothing is written.

        Args:
            target: the file.
            run: the run.
            source: returns the games of the input.
            results: the file of results, which may hold games of an earlier run; "" for none.
        """
        if results and run.done:
            for game, fields in read_results(results, source()):
                if game.index in run.done:
                    self._add(game, fields)
        if self.page:
            games = [self.page[index] for index in sorted(self.page)]
            title, tables = self._tables(games)
            write_report(target, games, title, list(map(page_table, tables)))

    def _tables(self, games: list[ReportGame]) -> tuple[str, list[Table]]:
        """Return the title of a page of an event; its standings and crosstable, and the losses of players."""
        events = events_of(result_of(game.record, self.aliases) for game in games)
        if len(games) == 1:
            return "", []
        losses = LossSummary(aliases=self.aliases)
        for game in games:
            losses.add(game.fields or {})
        tables = [players_table(losses)]
        if len(events) > 1 or not events[0].name or len(events[0].players) < 3:
            return "", tables
        event = [tables_of(events[0].games, name)[0] for name in ("standings", "crosstable")]
        for table, what in zip(event, ("Standings", "Crosstable"), strict=True):
            tables.insert(-1, replace(table.shown or table, title=what))
        return str(events[0]), tables

    def _add(self, game: GameInput, fields: dict[str, object]) -> None:
        from reversi.render import ReportGame

        assert self.page is not None
        where = source_label(source_name(game.file) if game.file else "", game.game)
        self.page[game.index] = ReportGame(record=game.record, analysis=fields, source=where)

    def _draw(self, game: AnalyzedGame) -> None:
        from reversi.render import graph

        picture = graph(game.analysis)
        for format_, target in self.pictures.items():
            if format_ == "svg":
                write_pieces(target, (picture.encode(),), self.outcome)
            else:
                from reversi.render.raster import svg_to_png

                write_pieces(target, (svg_to_png(picture),), self.outcome)

    def _colors(self, game: AnalyzedGame) -> list[Color]:
        """Return the sides to report: those that the player has, or both."""
        if not self.player:
            return list(Color)
        names = game.analysis.tags
        has_words = self.aliases.has_words
        return [color for color in Color if has_words(names.get(str(color), "?"), self.player)]

    def _heading(self, game: AnalyzedGame) -> str:
        tags, source = game.analysis.tags, game.source
        where = f"{source.file}#{source.game}: " if source.file else ""
        players = f"{tags.get('Black', '?')} – {tags.get('White', '?')}"
        return f"{where}{players} {game.analysis.result}"

    def _row(self, game: AnalyzedGame) -> str:
        parts = []
        for color in self._colors(game):
            side = game.analysis.sides[color]
            parts.append(f"{color.symbol} {side.mean_loss:.2f} {100 * side.best_share:.0f} %")
        return f"{self._heading(game)}: {', '.join(parts)}"

    def _whole(self, game: AnalyzedGame) -> None:
        analysis = game.analysis
        if self._written:
            out()
        if (heading := self._heading(game)) != _NOTHING:
            out(heading)
        facts = [analysis.tags[name] for name in ("Event", "Date") if name in analysis.tags]
        search = search_text(analysis.level, analysis.time_s)
        out(", ".join([*facts, search, f"exact from {analysis.exact_from} empty squares"]))
        out()
        width = min(shutil.get_terminal_size(fallback=(120, 24)).columns, 120)
        if any(analysis.values):
            for line in graph_lines(analysis, width=width):
                out(line)
            out()
        for line in table_lines(analysis, width=width):
            out(line)
        out()
        for color in self._colors(game):
            out(side_text(analysis, color))
        if analysis.decided is not None:
            ply = analysis.decided
            out(f"Decided at ply {ply}: {analysis.turn(ply).move}" if ply else "Decided from the start")

    def sums(self, run: AnalysisRun, output: str) -> None:
        """Write how many games were analyzed, where not every game is shown."""
        if not output:
            return
        before = f", {counted(run.earlier, 'game')} before" if run.earlier else ""
        err(f"reversi: {output}: {counted(run.analyzed, 'game')} analyzed{before}, {run.time_s:.1f} s")
