"""``reversi openings repertoire``: propose a repertoire from book and games, and check one against them."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Annotated

from reversi._core import Position
from reversi.cli.console import StatusCollector, command, err, fail, out, out_json, rules_option
from reversi.cli.database import MemoryOption
from reversi.cli.engine_options import BookOptions, level_option, level_value
from reversi.cli.inputs import beginning, to_move_option
from reversi.cli.option_groups import Flag
from reversi.cli.options import AtOption, EncodingOption, RulesOption, argument, option, output_option
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.progress import ProgressLine
from reversi.cli.record.output import output_format
from reversi.cli.record.streams import ArchiveArgument, archive_games
from reversi.cli.selection import GameOptions
from reversi.cli.status import Status
from reversi.cli.train.store import read_colored_repertoire
from reversi.explorer.repertoires import LEVEL, OpeningAdviser, RepertoireSize, reached
from reversi.games.repertoire import Repertoire
from reversi.games.selection import Selection
from reversi.records.formats.registry import target_format
from reversi.records.record import Line, Node, Record
from reversi.records.replay import position_after
from reversi.text.counting import counted
from reversi.text.transcripts import format_transcript


@dataclass(frozen=True)
class _Measures(BookOptions):
    """Which moves are sound, and which are to be expected."""

    error: Annotated[int, option("DISCS", "Let a sound move lose at most DISCS.", min=0, max=64)] = 1
    share: Annotated[
        float,
        option("PERCENT", "Expect the opponents' moves that at least PERCENT of the games play.", min=0, max=100),
    ] = 5.0
    level: Annotated[
        str | None, level_option("Search at this level where the book ends.", show_default=str(LEVEL))
    ] = None
    memory: MemoryOption = None
    encoding: EncodingOption = ""
    rules: RulesOption = "othello"

    def adviser(
        self,
        paths: list[str] | None,
        selection: Selection,
        begins: tuple[Position, ...],
        placements: int,
        outcome: StatusCollector,
        progress: ProgressLine,
    ) -> OpeningAdviser:
        """Return what says which moves these are; say how many games it takes that reach one of ``begins``."""
        counts: Counter[int] = Counter()
        games = archive_games(paths, begins[0].rules, self.encoding, self.memory, outcome)
        if games is not None:
            read = games.select(replace(selection, positions=(*selection.positions, begins)))
            number = 0
            for number, keys in enumerate(reached(read, placements), 1):
                counts.update(keys)
                progress.show(lambda: f"{number} games")  # noqa: B023 - called at once
            err(f"reversi: {counted(number, 'game')} of {', '.join(games.paths)}")
        return OpeningAdviser(
            self.open(begins[0].rules),
            counts,
            level=level_value(self.level, LEVEL),
            error=self.error,
            share=self.share / 100,
        )


@command
def make(
    paths: ArchiveArgument = None,
    *,
    color: Annotated[str, option("black|white", "Choose the moves of this color.")],
    at: AtOption = "",
    plies: Annotated[int, option("N", "Follow opponents until N discs are placed.", min=1, max=60)] = 20,
    measures: _Measures,
    conditions: GameOptions,
    output: Annotated[str, output_option("Write the repertoire to FILE.", show_default="standard output")] = "-",
    force: ForceOption = False,
) -> None:
    """Propose a repertoire: one move for you, and an answer to each move that opponents are expected to play.

    Your move is the one that most games play among the sound ones, which lose at most --error discs. Opponents are
    expected to play the sound moves of the book, and what at least --share percent of the games play. Without
    games of yours, those that the book counts do. The repertoire is a game file with variations, for you to edit.

    Positions to learn are those of your color, except where the only sound move is also the best one of a search
    of one ply. 'reversi openings list' lists the names for --at.

    Example: reversi openings repertoire make --color black --at Tiger --output mine.pgn

    Example: reversi openings repertoire make archive/ --color white --at f5d6c5 --share 10 -o mine.sgf
    """
    rules, side = rules_option(measures.rules), to_move_option(color, "--color")
    if side is None:
        fail(Status.USAGE, "--color: give black or white (X or O)")
    selection, outcome, progress = conditions.read(rules, measures.encoding), StatusCollector(), ProgressLine()
    target = check_output(output, Inputs(at, *(paths or ())), force=force)
    form = output_format(output, "", target_format(".pgn"))
    start, moves = beginning(at, measures.encoding, rules)
    begin = position_after(Record(start=start, line=Line(map(Node, moves))))
    if (placed := begin.rules.board.cells - 4 - begin.empties) >= plies:
        fail(Status.USAGE, f"--plies {plies}: {counted(placed, 'disc')} are placed where it begins; give more")
    adviser = measures.adviser(paths, selection, (begin,), plies + 1, outcome, progress)
    record = adviser.proposed(
        side, moves, start, plies=plies, progress=lambda count: progress.show(lambda: f"{count} positions")
    )
    if len(record.moves) <= len(moves) + (begin.to_move is side):
        what = "neither the book nor enough games have what opponents play"
        fail(Status.BAD_DATA, f"{what} {f'after {format_transcript(moves)}' if moves else 'at the start'}")
    writer = form.writer()
    pieces = [writer.add(record), writer.finish()]
    if writer.lost:
        fail(Status.USAGE, f"{output}: {form.name} has no variations; give a name with .pgn or .sgf")
    write_pieces(target, pieces, outcome)
    say, name = (err, "reversi") if target is None else (out, output)
    way = "" if target is None else f"; 'reversi train openings {name}' asks them"
    say(f"{name}: {_in_words(adviser.size(Repertoire([record])))}{way}")
    outcome.finish()


def _in_words(size: RepertoireSize) -> str:
    lines, positions = counted(size.lines, "line"), counted(size.positions, "position")
    return f"{lines}, {positions} of yours, {size.hard} to learn"


@command
def check(
    repertoire: Annotated[
        str, argument("REPERTOIRE", "A file of games with variations, or FILE#3; - is standard input.")
    ],
    paths: ArchiveArgument = None,
    *,
    color: Annotated[
        str, option("black|white", "Check the moves of this color.", show_default="what the file says")
    ] = "",
    measures: _Measures,
    conditions: GameOptions,
    json: Annotated[bool, Flag("Write one JSON object per problem, then a summary.")] = False,
) -> None:
    """Check a repertoire against the opening book, games and searches.

    It reports moves that opponents are expected to play and that have no answer, your moves that lose more than
    --error discs, and positions that several lines reach and answer differently. 'reversi openings repertoire
    make --help' says which moves are expected. Where the file has the tag RepertoireAt, it is checked from there
    on.

    Example: reversi openings repertoire check mine.pgn

    Example: reversi openings repertoire check mine.pgn archive/ --error 2 --share 10
    """
    rules = rules_option(measures.rules)
    selection, outcome, progress = conditions.read(rules, measures.encoding), StatusCollector(), ProgressLine()
    mine = read_colored_repertoire(repertoire, color, rules, measures.encoding)
    judged = list(mine.judged())
    placements = max(position.rules.board.cells - position.empties for position in judged) - 3
    adviser = measures.adviser(paths, selection, mine.begins, placements, outcome, progress)
    count, checked = 0, progress.counting("positions")
    for problem in adviser.problems(mine, lambda done: checked(done, len(judged))):
        count += 1
        outcome.add(Status.FINDING)
        if json:
            path = [str(move) for move in problem.path]
            move = None if problem.move is None else str(problem.move)
            out_json(
                {
                    "file": mine.source,
                    "path": path,
                    "code": problem.kind.value,
                    "move": move,
                    "games": problem.games,
                    "loss": problem.loss,
                    "message": problem.text,
                }
            )
        else:
            after = format_transcript(problem.path) or "the start"
            out(f"{mine.source or 'repertoire'}: after {after}: {problem.text}")
    size = adviser.size(mine)
    if json:
        out_json({"summary": {**asdict(size), "problems": count}})
    else:
        out(f"{_in_words(size)}; {counted(count, 'problem')}")
    outcome.finish()
