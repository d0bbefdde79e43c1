"""`reversi db import`: add games to a database."""

from __future__ import annotations

import functools
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from reversi._system.temporary_list import TemporaryList
from reversi.cli.console import Exit, StatusCollector, command, err, out, out_json, refused
from reversi.cli.database import DatabaseOptions
from reversi.cli.option_groups import Flag
from reversi.cli.options import option
from reversi.cli.outputs import ForceOption, Inputs, check_force, check_output, write_report
from reversi.cli.progress import ProgressLine
from reversi.cli.record.same import SameOption, same_option
from reversi.cli.record.streams import PathsArgument, ReadingOptions, WorkersOption
from reversi.cli.selection import AliasesOption, aliases_of
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.games import Imported
from reversi.games.changes import Changes
from reversi.games.database.importing import KnownGame, listed_path
from reversi.games.database.rows import Block, IllegalGame, changed_blocks
from reversi.games.files import FileGames
from reversi.games.identity import Why, reasons_in_words
from reversi.games.workers import made_of
from reversi.records.findings import game_finding_line
from reversi.text.counting import counted
from reversi.text.terminal import safe


@dataclass(frozen=True)
class _Options(DatabaseOptions):
    """The options of imports."""

    report: Annotated[str, option("FILE", "List in FILE the games already there, and why.")] = ""
    force: ForceOption = False
    aliases: AliasesOption = ""
    same: SameOption = ""
    json: Annotated[bool, Flag("Write one JSON object per file, then the summary.")] = False
    workers: WorkersOption = 0


@command
def import_(paths: PathsArgument, reading: ReadingOptions, options: _Options) -> None:
    """Add games to a database; create it if it does not exist. Skip games that it already has.

    An interrupted import adds no games. Games with an illegal move are reported; the database keeps them without
    their positions. A game is there already if its moves, players and year are, and no full date, id or round that
    both have differs ('reversi record dedupe --help' says more). It then gets the details that it lacks. A game
    with the numbers of WTHOR gets missing and corrected names. The order of the files does not matter. With
    --aliases, players and events get the names that the file gives.

    Example: reversi db import archive/ --db games.duckdb
    """
    _add(paths, reading, options, replace=False)


@command
def update(paths: PathsArgument, reading: ReadingOptions, options: _Options) -> None:
    """Replace imported files by newer ones: add their games, and remove those that they no longer have.

    A file replaces the imported file with the same path, or the only one with the same file name, if it has half
    of its games. Games that another imported file has, too, stay. If a file is damaged or a game in it is
    malformed, the database stays unchanged. A file that the database does not know is imported.

    Example: reversi db update WTH_2024.wtb --db games.duckdb
    """
    _add(paths, reading, options, replace=True)


def _add(paths: list[str], reading: ReadingOptions, options: _Options, *, replace: bool) -> None:
    json, db, report = options.json, options.db, options.report
    outcome = StatusCollector(complete=json)
    progress = ProgressLine()
    games = reading.games(paths, outcome, beside=database_path(db), before_question=progress.clear)
    check_force(options.force, {"--report": report})
    target = check_output(report, Inputs(*paths, database_path(db)), force=options.force) if report else None
    listed: TemporaryList[str] = TemporaryList()
    reasons: Counter[Why] = Counter()
    changes, compared = (
        Changes(aliases_of(options.aliases, reading.encoding)),
        same_option(options.same) if options.same else None,
    )
    replaced: list[tuple[str, str]] = []
    files: list[dict[str, object]] = []
    begin = time.perf_counter()
    total = Imported("", 0, 0, 0)
    with options.opened(write=True) as database:
        with refused():
            importing = database.importing(compared)
        make = functools.partial(changed_blocks, changes, importing.aliases, importing.same)
        try:
            with importing:
                for name, made in made_of(games, make, options.workers):
                    tell = functools.partial(_report, outcome, name, progress)
                    known = functools.partial(_known, name, reasons, listed if report else None)
                    with refused():
                        earlier = importing.earlier(name) if replace else {}
                        imported = importing.add_blocks(
                            name, _shown(made, games, progress), tell, known, replace=earlier
                        )
                    progress.clear()
                    if imported.games:
                        total += imported
                        replaced += [(name, old) for old in {*earlier.values()} if old != listed_path(name)]
                        files.append({"file": name, **_counts(imported, replace=replace)})
                games.check()
                if replace and (games.broken or outcome.status in (Status.NO_INPUT, Status.BAD_DATA)):
                    raise Exit(outcome.status, f"{database.path} is unchanged; mend the files, or import them")
        except KeyboardInterrupt:
            state = "has the games already" if importing.committed else "is unchanged"
            progress.clear()
            err(f"reversi: interrupted; {database.path} {state}")
            raise
        finally:
            progress.clear()
        path = database.path
    seconds = time.perf_counter() - begin
    for name, old in replaced:
        err(f"reversi: {name} replaces {old}")
    counts = {
        "files": games.files,
        **_counts(total, replace=replace),
        "games": games.count,
        "broken": games.broken,
    }
    if json:
        for file in files:
            out_json(file)
        out_json(
            {
                "summary": {
                    **counts,
                    "twins": importing.twins,
                    "reasons": _reasons(reasons),
                    "time_s": round(seconds, 3),
                }
            }
        )
    elif games.count:
        named = f" ({total.named} of them get their names)" if total.named else ""
        gone = f", {total.gone} gone" if replace else ""
        out(f"{games}: {total.added} added to {path}, {total.known} already there{named}{gone}; {seconds:.1f} s")
    if reasons.keys() - {Why.REPEATS} and not json:
        how = "" if report else "; --report FILE lists them"
        err(f"reversi: already there: {reasons_in_words(reasons.elements())}{how}")
    with listed:
        if report:
            write_report(target, ((safe(line) + "\n").encode("utf-8", "backslashreplace") for line in listed))
    if total.illegal:
        err(
            f"reversi: {counted(total.illegal, 'game')} with an illegal move; {path} does not have their positions"
        )
    if importing.twins:
        how = f"'reversi record filter {path} --list --twins' lists them"
        err(f"reversi: same moves and year as an earlier game, other names: {importing.twins}; {how}")
    outcome.finish()


def _report(outcome: StatusCollector, name: str, progress: ProgressLine, game: IllegalGame) -> None:
    progress.clear()
    outcome.add(Status.FINDING, game_finding_line(name, game.game, game.black, game.white, game.finding))


def _known(name: str, reasons: Counter[Why], listed: TemporaryList[str] | None, game: KnownGame) -> None:
    reasons[game.why] += 1
    if listed is not None:
        who = f"{game.black or '?'} – {game.white or '?'}"
        listed.append(f"{name}:game {game.game} ({who}) {game.why.value} game {game.same} of the database")


def _reasons(reasons: Counter[Why]) -> dict[str, int]:
    return {why.name.lower(): reasons[why] for why in Why}


def _counts(imported: Imported, *, replace: bool) -> dict[str, object]:
    names = ("games", "added", "known", "named", "illegal", *(("gone",) if replace else ()))
    return {name: getattr(imported, name) for name in names}


def _shown(made: Iterator[Block], games: FileGames, progress: ProgressLine) -> Iterator[Block]:
    for block in made:
        progress.show(lambda: counted(games.count, "game"))
        yield block
