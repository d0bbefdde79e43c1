"""`reversi train make`: exercises from the mistakes of games, and from positions with one best move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from reversi._system.files import Target
from reversi.analysis.analyzer import Analyzer
from reversi.analysis.exercises.deck import deck_text
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.judge import Judge
from reversi.analysis.exercises.making import (
    MIN_LOSS,
    annotated_moves,
    from_analysis,
    from_game,
    from_position,
    origin_of,
    spread,
)
from reversi.analysis.exercises.ratings import CLASSES, class_text
from reversi.analysis.store import AnalysisStore
from reversi.cli.console import StatusCollector, command, err
from reversi.cli.engine_options import level_option, level_value
from reversi.cli.history import usual_history
from reversi.cli.option_groups import Flag, excludes, needs
from reversi.cli.options import PositionThreadsOption, argument, option, output_option
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.progress import ProgressLine
from reversi.cli.record.streams import ReadingOptions
from reversi.cli.selection import SelectionOptions
from reversi.cli.state import StateOption, state_folder
from reversi.cli.status import Status
from reversi.cli.train.sources import Sources
from reversi.cli.train.store import Wanted, collect, parse_span
from reversi.color import Color
from reversi.engine.levels import HINT_LEVEL
from reversi.games.aliases import Aliases
from reversi.text.counting import counted

if TYPE_CHECKING:
    from reversi.cli.train.sources import Source

_EMPTIES: Final = "6-16"
_LEVEL: Final = 16


@dataclass(frozen=True)
class _Maker:
    """Makes the exercises of games and positions, as the options say."""

    min_loss: Annotated[
        int | None,
        option(
            "DISCS",
            "Take moves that lose at least DISCS, or the win or draw.",
            min=1,
            max=64,
            show_default=str(MIN_LOSS),
        ),
    ] = None
    best_moves: Annotated[
        bool, Flag("Take the positions of games that have a single best move (instead of mistakes).")
    ] = False
    gap: Annotated[
        int, option("DISCS", "Call a move the single best move if all others lose at least DISCS.", min=1, max=64)
    ] = 2
    only_moves: Annotated[bool, Flag("Take positions in which the best move alone keeps the win or draw.")] = False
    empties: Annotated[
        str | None,
        option(
            "SPAN", "With --best-moves, take positions with this number of empty squares.", show_default=_EMPTIES
        ),
    ] = None
    per_game: Annotated[
        int | None,
        option(
            "N", "With --best-moves, take the N hardest positions per game; 0 takes all.", min=0, show_default="1"
        ),
    ] = None
    level: Annotated[
        str | None,
        level_option(
            "Search at this level where the solver would take too long.",
            show_default=f"{_LEVEL}; {HINT_LEVEL} for games of your history, as their review",
        ),
    ] = None
    threads: PositionThreadsOption = 1

    def prepare(self) -> None:
        """Read what the options name; a wrong one ends the command."""
        _ = self._span, self._tools(own=False)

    @cached_property
    def _span(self) -> range:
        return parse_span("--empties", _EMPTIES if self.empties is None else self.empties)

    @cached_property
    def left_out(self) -> Counter[int]:
        """How many exercises were left out by default, by their class."""
        return Counter()

    @cached_property
    def _kept(self) -> dict[int | str, tuple[Judge, Analyzer]]:
        return {}

    def _tools(self, *, own: bool) -> tuple[Judge, Analyzer]:
        """Return what judges and analyzes a game, of the history or another one."""
        level = level_value(self.level, HINT_LEVEL if own else _LEVEL)
        if level not in self._kept:
            judge, analyzer = Judge(level, threads=self.threads), Analyzer(level=level, threads=self.threads)
            self._kept[level] = judge, analyzer
        return self._kept[level]

    def exercises(
        self, source: Source, player: str, aliases: Aliases, store: AnalysisStore | None, wanted: Wanted
    ) -> Iterator[Exercise]:
        """Yield the wanted exercises of a source; of a player's mistakes only, unless the name is empty.

        Args:
            store: keeps the analysis of the game, where it is one of the history.
        """
        most = None
        if self.best_moves and not source.is_position:
            most = 1 if self.per_game is None else self.per_game or None
        found = (each for each in self._every(source, player, aliases, store) if self._takes(each, wanted))
        yield from islice(found, most)

    def _takes(self, exercise: Exercise, wanted: Wanted) -> bool:
        if not wanted.takes(exercise):
            return False
        hard = exercise.difficulty_class
        usual = wanted.classes is not None or hard is None or hard in CLASSES
        if not usual and hard is not None:
            self.left_out[hard] += 1
        return usual

    def _every(
        self, source: Source, player: str, aliases: Aliases, store: AnalysisStore | None
    ) -> Iterator[Exercise]:
        judge, analyzer = self._tools(own=store is not None)
        judge.store = store
        origin = origin_of(source.tags, source.file, source.number)
        if source.is_position:
            start, stated = source.record.start, annotated_moves(source.record)
            only = self.only_moves
            exercise = from_position(
                start, judge, annotated=stated, margin=self.gap, only_moves=only, origin=origin
            )
            if exercise is not None:
                yield exercise
            return
        names = ((Color.BLACK, origin.black), (Color.WHITE, origin.white))
        colors = [color for color, name in names if aliases.has_words(name, player)]
        if self.best_moves:
            yield from from_game(
                source.record,
                judge,
                empties=self._span,
                margin=self.gap,
                only_moves=self.only_moves,
                count=None,
                origin=origin,
            )
            return
        analysis = source.analysis
        if analysis is None:
            analysis = analyzer.analyze(source.record, store=store)
        least = MIN_LOSS if self.min_loss is None else self.min_loss
        yield from from_analysis(analysis, judge, colors=colors, min_loss=least, origin=origin)


@command(
    *excludes("--best-moves", "--min-loss", why="the one takes good moves, the other mistakes"),
    *excludes("--only-moves", "--min-loss", why="the one takes good moves, the other mistakes"),
    *needs("--empties", "--best-moves"),
    *needs("--per-game", "--best-moves"),
    *needs("--even", "--count"),
    *needs("--force", "--output FILE"),
)
def make(
    paths: Annotated[
        list[str],
        argument(
            "PATH",
            "Files of games or positions, analyses of 'reversi analyze', folders, or patterns; - is standard"
            " input.",
        ),
    ],
    output: Annotated[
        str,
        output_option(
            "Write a deck to FILE instead of adding to your exercises; - is standard output.", show_default=False
        ),
    ] = "",
    force: ForceOption = False,
    *,
    conditions: SelectionOptions,
    maker: _Maker,
    wanted: Wanted,
    count: Annotated[int, option("N", "Stop after N exercises; 0 makes all.", "-n", "--count", min=0)] = 0,
    even: Annotated[
        bool, Flag("Choose the exercises of --count from all, evenly by difficulty and by theme.")
    ] = False,
    reading: ReadingOptions,
    state: StateOption = None,
) -> None:
    """Make exercises from games and positions.

    From games, the command takes the positions where a player lost at least 4 discs, or the win or draw. From
    positions (OBF), and from games with --best-moves, it takes those with a single best move. Trivial and hopeless
    exercises are left out, unless --difficulty asks for class 0 or 6. Conditions select the games, as in 'reversi
    record filter'; of games that one --player selects, only this player's mistakes count. What a review of a game
    of your history has found is not searched again.

    Example: reversi train make my-games.pgn --player ada

    Example: reversi train make endgames.obf

    Example: reversi train make archive/ --best-moves --difficulty 3- --count 100 --even -o deck.json
    """
    outcome = StatusCollector()
    folder = state_folder(state)
    target = check_output(output, Inputs(*paths), force=force) if output else None
    maker.prepare()
    _ = wanted.classes
    made: dict[str, Exercise] = {}
    history = usual_history(folder, "the games are analyzed without it")
    store = None if history is None else history.store()
    selection = conditions.read(reading.rule_set, reading.encoding)
    sources = Sources(paths, reading, outcome, selection)
    progress = ProgressLine()

    def keep() -> None:
        kept = spread(made.values(), count) if even else list(made.values())[: count or None]
        _keep(kept, output, target, folder, str(sources), maker.left_out)

    try:
        for source in sources:
            own = None if history is None else history.find(source.record.start, source.record.moves)
            kept = None if own is None else store
            for exercise in maker.exercises(source, conditions.one_player, selection.aliases, kept, wanted):
                made.setdefault(exercise.id, exercise)
            progress.show(lambda: f"{sources}, {counted(len(made), 'exercise')}")
            if count and not even and len(made) >= count:
                break
    except KeyboardInterrupt:
        err("reversi: interrupted; the exercises so far are kept")
        keep()
        raise
    keep()
    if store is not None and store.failure:
        outcome.add(Status.CANNOT_WRITE, f"reversi: {store.failure}; the analyses are not kept")
    outcome.finish()


def _keep(
    exercises: list[Exercise],
    output: str,
    target: Target | None,
    folder: Path,
    read: str,
    left_out: Mapping[int, int],
) -> None:
    """Write a deck, or add to the own one, and report it."""
    others = ", ".join(f"{left_out[number]} {class_text(number)}" for number in sorted(left_out))
    made = f"{counted(len(exercises), 'exercise')} from {read}{others and f' ({others} left out)'}"
    if not exercises:
        err(f"reversi: {made}; nothing is written")
        return
    if output:
        write_pieces(target, [deck_text(exercises).encode()])
        err(f"reversi: {made}")
        return
    err(f"reversi: {made}, {collect(exercises, folder)} of them new; 'reversi train' asks them")
