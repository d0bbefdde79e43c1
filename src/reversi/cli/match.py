"""``reversi match``: games between players, with openings, clocks, statistics and a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import reversi._regex as re
from reversi._system.files import Target
from reversi.arguments import excerpt
from reversi.cli.cluster import Cluster
from reversi.cli.config import named_engines
from reversi.cli.console import (
    command,
    err,
    fail,
    named_options,
    out,
    out_json,
    reading,
    reason,
    refused,
    writing,
)
from reversi.cli.engine_options import AddToBookOption, book_journal
from reversi.cli.option_groups import Flag, excludes, needs, needs_name, other_files
from reversi.cli.options import EncodingOption, argument, option
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.progress import ProgressLine
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.game.clocks import Controls, parse_controls
from reversi.match.contestants import Contestant, parse_contestants
from reversi.match.games import MatchGame
from reversi.match.openings import DEFAULT_PLIES, MatchOpening, balanced_openings, read_openings
from reversi.match.report import report_html, report_json, report_lines
from reversi.match.runner import DEFAULT_ADJUDICATION, DEFAULT_GAMES, Match, MatchError, MatchSettings
from reversi.match.statistics import Sprt
from reversi.openings.book import BookError
from reversi.openings.journal import add_to_journal
from reversi.rules import OTHELLO
from reversi.text.counting import counted

_SETTING = re.compile(r"(elo0|elo1|alpha|beta)=([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)", re.ASCII)


@command(
    *excludes("--adjudicate", "--no-adjudication"),
    *excludes("--json", "--html -", why="both write to standard output"),
    *excludes("--cluster", "--concurrency", why="each thread of the workers plays a game"),
    *needs("--encoding", "--openings FILE"),
    *needs("--resume", "--save FILE"),
    *needs_name("--save", why="a match adds to it game by game"),
    *other_files("--save", "--html"),
    *excludes("--resume", "--force", why="one continues the file, the other overwrites it"),
    *needs("--force", "--save FILE", "--html FILE"),
)
def match(
    players: Annotated[
        list[str],
        argument(
            "PLAYER",
            "Two or more players: a level (7, beginner-1 or people-1400), a time per move (2s), positions per"
            " move (9000n), gtp:COMMAND, nboard:COMMAND, python:MODULE:CLASS, or a name from the configuration"
            " file; NAME=PLAYER names a player. A level, time or number of positions has no opening book, or its"
            " own: '8 book=FILE'.",
        ),
    ],
    games: Annotated[int, option("N", "Play N games, an even number, in each pairing.", min=1)] = DEFAULT_GAMES,
    gauntlet: Annotated[bool, Flag("Pair only the first player with each of the others.")] = False,
    openings: Annotated[
        Path | None,
        option(
            "FILE",
            "Take the openings from FILE: transcripts, one per line as in XOT, or recorded games; by"
            " default from the built-in balanced openings.",
        ),
    ] = None,
    opening_plies: Annotated[
        int, option("N", "Take the first N plies of each recorded game.", min=0, max=40)
    ] = DEFAULT_PLIES,
    encoding: EncodingOption = "",
    clock: Annotated[
        str | None,
        option(
            "TIME",
            "Set the time of each player: 5:00+3 is five minutes plus 3 s per move, 0:02+0.05 two seconds"
            " plus 0.05 s per move.",
        ),
    ] = None,
    concurrency: Annotated[int, option("N", "Play N games at once.", min=1)] = 1,
    adjudicate: Annotated[
        int | None,
        option(
            "N",
            f"Let the solver decide each game at N empty squares ({DEFAULT_ADJUDICATION} by default).",
            min=1,
            max=30,
        ),
    ] = None,
    no_adjudication: Annotated[bool, Flag("Play every game to the end.")] = False,
    sprt: Annotated[
        str | None,
        option(
            "[elo0=0 elo1=10 alpha=0.05 beta=0.05]",
            "Stop when a sequential probability ratio test decides between two Elo differences.",
        ),
    ] = None,
    save: Annotated[str | None, option("FILE", "Add each game to FILE when it ends.")] = None,
    add_to_book: AddToBookOption = "",
    resume: Annotated[bool, Flag("Continue the match in the file of --save.")] = False,
    page: Annotated[
        str | None,
        option("FILE", "Write the report to FILE as one HTML page, with the games to step through.", "--html"),
    ] = None,
    seed: Annotated[int, option("N", "Use this seed to choose openings and equally good moves.", min=0)] = 0,
    timeout: Annotated[
        float, option("SECONDS", "Limit an external engine to SECONDS per move if no clock runs.")
    ] = 600.0,
    *,
    cluster: Cluster,
    json: Annotated[bool, Flag("Write the report as one JSON object.")] = False,
    force: ForceOption = False,
) -> None:
    """Play a match between two or more players, and report the result with its margin of error.

    Each pair of players plays each opening twice, with colors swapped. Elo differences and their intervals come
    from these pairs of games. A player that fails or plays an illegal move loses the game. gtp:, nboard: and
    python: run other programs with your permissions.

    Ctrl-C and SIGTERM end a match; --resume continues it. A match that a script starts in the background ignores
    SIGINT, because its shell says so: end it with SIGTERM (kill PID).

    Example: reversi match 4 7 --games 20

    Example: reversi match 3 "gtp:gtp-rhino" --games 20 --save rhino.pgn

    Example: reversi match new=nboard:./new old=nboard:./old --clock 0:10+0.1 --sprt elo0=0 elo1=10 --save test.pgn

    Example: reversi match 7 10 --games 1000 --cluster local:4 --save match.pgn
    """
    settings = MatchSettings(
        games,
        gauntlet,
        _controls(clock),
        concurrency,
        0 if no_adjudication else DEFAULT_ADJUDICATION if adjudicate is None else adjudicate,
        seed,
        timeout,
        None if sprt is None else _sprt(sprt),
    )
    contestants, starts = _players_and_openings(players, openings, opening_plies, encoding)
    with named_options():
        match = Match(contestants, starts, settings)
    inputs = Inputs(*([] if openings is None else [openings]))
    path = _file(save, inputs, resume=resume, force=force)
    target = None if page is None else check_output(page, inputs, force=force or resume)
    shown = _Shown(match, book_journal(add_to_book, OTHELLO) if add_to_book else None)
    with cluster.connection() as connection, refused():
        try:
            match.try_players(connection)
        except BookError as error:
            fail(Status.BAD_DATA, str(error))
        try:
            match.run(path, shown, resume=resume, overwrite=force, cluster=connection)
        except KeyboardInterrupt:
            _report(match, json, page, target)
            if path is not None:
                err(f"reversi: interrupted; --resume continues the match in {path}")
            raise
        except MatchError:
            if not match.stopped:  # the report says why it stopped
                raise
        except OSError as error:
            if path is None:
                raise
            fail(Status.CANNOT_WRITE, f"{path}: cannot write: {reason(error)}")
    _report(match, json, page, target)
    if failures := sum(bool(game.failure) for game in match.games):  # those of an earlier run, too
        fail(Status.FINDING, f"{counted(failures, 'game')} ended by a failure")


class _Shown:
    """Shows how far a match is, reports failures as they happen, and adds games to the journal of a book."""

    def __init__(self, match: Match, journal: Path | None) -> None:
        self._match = match
        self._journal = journal
        self._line = ProgressLine()
        self._noisy: set[str] = set()

    def __call__(self, result: MatchGame) -> None:
        match = self._match
        place = f"game {result.pair}.{result.half} ({result.black}-{result.white})"
        for text in filter(None, (result.failure, *result.notes)):
            err(f"reversi: {place}: {text}")
        for name, noise in zip((result.black, result.white), result.noise, strict=True):
            if noise and name not in self._noisy:  # once: the report counts the games
                self._noisy.add(name)
                err(f"reversi: {place}: {name}: {noise}")
        if self._journal is not None and not result.failure:
            with writing(str(self._journal)):
                add_to_journal(self._journal, result.text)
        self._line.counting("games")(len(match.games), len(match.schedule))


def _players_and_openings(
    players: list[str], openings: Path | None, plies: int, encoding: str
) -> tuple[tuple[Contestant, ...], tuple[MatchOpening, ...]]:
    with refused():
        contestants = parse_contestants(players, named_engines())
    if openings is None:
        return contestants, balanced_openings()
    with reading(str(openings)):
        return contestants, read_openings(openings, plies, encoding)


def _file(save: str | None, inputs: Inputs, *, resume: bool, force: bool) -> Path | None:
    """Return the file of the match, which may be written."""
    if save is None:
        return None
    path = Path(save)
    check_output(path, inputs, force=force or resume, else_="--resume continues it, ")
    return path


def _controls(text: str | None) -> Controls | None:
    if text is None:
        return None
    with refused("--clock"):
        return parse_controls(text)


def _sprt(text: str) -> Sprt:
    values: dict[str, float] = {}
    try:
        for word in text.replace(",", " ").split():
            match = _SETTING.fullmatch(word)
            if match is None:
                raise InputError(f"{excerpt(word)} is not a setting of the test")
            if match[1] in values:
                raise InputError(f"{match[1]} is given twice")
            values[match[1]] = float(match[2])
        return Sprt(**values)
    except InputError as error:
        example = "--sprt elo0=0 elo1=10 alpha=0.05 beta=0.05"
        fail(Status.USAGE, f"--sprt: {error}; write it as in {example}")


def _report(match: Match, json: bool, page: str | None, target: Target | None) -> None:
    if json:
        out_json(report_json(match))
    elif page != "-":
        for line in report_lines(match):
            out(line)
    if page is not None:
        write_pieces(target, [report_html(match).encode()])
