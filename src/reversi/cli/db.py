"""`reversi db`: a database of games: import files, explore positions, list games."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reversi.cli.console import StatusCollector, command, err, fail, out, out_json, rules_option
from reversi.cli.options import GameRulesOption, InputArgument, RulesOption, ToMoveOption
from reversi.cli.outputs import ForceOption, Inputs
from reversi.cli.pasted import entries, read_input, to_move_option
from reversi.cli.progress import ProgressLine
from reversi.cli.record.files import FormOption
from reversi.cli.record.filter import (
    BlackOption,
    OpeningOption,
    PlayerOption,
    PositionOption,
    ResultOption,
    WhiteOption,
    YearOption,
    positions_of,
    select,
)
from reversi.cli.record.output import GamesWriter, ToOption
from reversi.cli.record.streams import PathsArgument, WorkersOption, games_of, years_between
from reversi.cli.status import Status
from reversi.cli.tree import Commands
from reversi.records.collection.games import Games
from reversi.records.collection.workers import made_of
from reversi.records.entry import Entry
from reversi.records.findings import game_finding_line
from reversi.text.counting import counted
from reversi.text.json_fields import position_fields
from reversi.text.terminal import safe

if TYPE_CHECKING:
    from reversi.database import Database, DatabaseGame, Exploration, Illegal, Imported, MoveTally
    from reversi.database.rows import Block

_File = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="FILE",
        envvar="REVERSI_DB",
        help="Use this database instead of games.duckdb in the user's data folder.",
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="Write one JSON object per line.")]


def register(app: Commands) -> None:
    """Add the command group to `app`."""
    group = Commands()
    group.command("import")(_import)
    group.command("explore")(_explore)
    group.command("games")(_games)
    group.command("info")(_info)
    app.add_typer(group, name="db", help="Import games into a database, explore positions, list games.")


def _path(option: str) -> Path:
    if option:
        return Path(option)
    from platformdirs import user_data_path

    return user_data_path("reversi", appauthor=False) / "games.duckdb"


@contextlib.contextmanager
def _database(option: str, *, write: bool = False) -> Iterator[Database]:
    """Open the database of an option; a file that is missing or cannot be created ends the command."""
    from reversi.database import DatabaseUnavailableError, DatabaseWriteError

    try:
        with _opened(_path(option), write=write, make_folder=not option) as database:
            yield database
    except DatabaseUnavailableError as error:
        fail(Status.USAGE, str(error))
    except DatabaseWriteError as error:
        fail(Status.CANNOT_WRITE, str(error))


def _opened(path: Path, *, write: bool, make_folder: bool) -> Database:
    from reversi.database import Database

    try:
        if path.is_dir():
            fail(Status.USAGE, f"{path}: is a folder; name a file in it")
        if write:
            if make_folder:
                path.parent.mkdir(parents=True, exist_ok=True)
            if not path.parent.is_dir():
                fail(Status.CANNOT_WRITE, f"{path}: folder {path.parent} does not exist; create it first")
        elif not path.exists():
            fail(
                Status.NO_INPUT,
                f"{path}: does not exist; 'reversi db import PATH... --db FILE' creates it",
            )
        return Database.open(path, create=write)
    except OSError as error:  # a name too long, a folder that cannot be created
        fail(Status.CANNOT_WRITE if write else Status.NO_INPUT, f"{path}: {error.strerror or error}")


@command
def _import(
    paths: PathsArgument,
    db: _File = "",
    json: Annotated[
        bool, typer.Option("--json", help="Write one JSON object per file, then the summary.")
    ] = False,
    form: FormOption = None,
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Add games to a database; create it if it does not exist. Skip games that it already has.

    An interrupted import adds no games. Games with an illegal move are reported; the database keeps them without
    their positions. A later import can add missing names to WTHOR games.

    Example: reversi db import archive/ --db games.duckdb
    """
    outcome = StatusCollector()
    from reversi.database import Imported
    from reversi.database.rows import blocks

    games = games_of(paths, rules_option(rules), outcome, form, beside=_path(db))
    begin = time.perf_counter()
    progress = ProgressLine()
    total = Imported("", 0, 0, 0)
    with _database(db, write=True) as database:
        importing = database.importing()
        try:
            with importing:
                for name, made in made_of(games, blocks, workers):
                    report = functools.partial(_report, outcome, name, progress)
                    done = importing.add_blocks(name, _shown(made, games, progress), report)
                    progress.clear()
                    if done.games:
                        total += done
                        if json:
                            out_json({"file": name, **_counts(done)})
        except KeyboardInterrupt:
            state = "has the games already" if importing.committed else "is unchanged"
            progress.clear()
            err(f"reversi: interrupted; {database.path} {state}")
            raise
        finally:
            progress.clear()
        path = database.path
    games.check()
    seconds = time.perf_counter() - begin
    counts = {"files": games.files, **_counts(total), "games": games.count, "broken": games.broken}
    if json:
        out_json({"summary": {**counts, "twins": importing.twins, "time_s": round(seconds, 3)}})
    elif games.count:
        named = f" ({total.named} of them get their names)" if total.named else ""
        out(f"{games}: {total.added} added to {path}, {total.known} already there{named}; {seconds:.1f} s")
    if total.illegal:
        err(
            f"reversi: {counted(total.illegal, 'game')} with an illegal move; {path} does not have their positions"
        )
    if importing.twins:
        listed = "'reversi db games --twins' lists them"
        err(f"reversi: same moves and year as an earlier game, other names: {importing.twins}; {listed}")
    outcome.finish()


def _report(outcome: StatusCollector, name: str, progress: ProgressLine, game: Illegal) -> None:
    """Report a game with an illegal move, as validation does."""
    progress.clear()
    outcome.add(Status.FINDING, game_finding_line(name, game.game, game.black, game.white, game.finding))


def _counts(done: Imported) -> dict[str, object]:
    names = ("games", "added", "known", "named", "illegal")
    return {name: getattr(done, name) for name in names}


def _shown(made: Iterator[Block], games: Games, progress: ProgressLine) -> Iterator[Block]:
    """Yield the blocks, and show how many games they have."""
    for block in made:
        progress.show(lambda: counted(games.count, "game"))
        yield block


@command
def _explore(
    position: InputArgument,
    db: _File = "",
    json: _Json = False,
    to_move: ToMoveOption = "",
    rules: RulesOption = "othello",
) -> None:
    """Show the moves played in a position, with results and years.

    Games that reach the position in another order of moves, mirrored or rotated count, too. The columns Black and
    White count wins. The lead is Black's mean lead, in discs.

    Example: reversi db explore f5d6c3d3c4

    Example: reversi db explore "game.pgn@12" --json
    """
    rule_set, side = rules_option(rules), to_move_option(to_move)
    pasted = read_input(position)
    outcome = StatusCollector()
    shown = 0
    with _database(db) as database:
        for entry in entries(pasted, rule_set, side):
            if entry.position is None:
                outcome.add(Status.BAD_DATA, f"{pasted.place(entry.line)}: {entry.error}")
                continue
            begin = time.perf_counter()
            found = database.explore(entry.position)
            seconds = time.perf_counter() - begin
            if json:
                out_json(_exploration(found, seconds))
            else:
                if shown:
                    out()
                _show(found, seconds)
                shown += 1
    outcome.finish()


def _exploration(found: Exploration, seconds: float) -> dict[str, object]:
    return {
        **position_fields(found.position),
        "opening": found.opening.name if found.opening else None,
        "games": found.games,
        "moves": [_move(tally) for tally in found.moves],
        "stopped": _move(found.stopped) if found.stopped else None,
        "time_s": round(seconds, 4),
    }


def _move(tally: MoveTally) -> dict[str, object]:
    return {
        "move": None if tally.move is None else str(tally.move),
        "also": [str(move) for move in tally.also],
        "games": tally.games,
        "black": tally.black,
        "draws": tally.draws,
        "white": tally.white,
        "score": None if tally.score is None else round(tally.score, 2),
        "first": tally.first,
        "last": tally.last,
        "opening": tally.opening.name if tally.opening else None,
    }


def _show(found: Exploration, seconds: float) -> None:
    name = f"{found.opening}: " if found.opening else ""
    out(f"{name}{counted(found.games, 'game')}, {found.position.to_move} to move ({seconds:.3f} s)")
    if not found.games:
        return
    out(f"{'move':6}{'games':>8}{'':>8}{'Black':>8}{'draws':>8}{'White':>8}{'lead':>8}  {'years':9}  then")
    for tally in (*found.moves, *((found.stopped,) if found.stopped else ())):
        lead = "" if tally.score is None else f"{tally.score:+.1f}"
        years = years_between(tally.first, tally.last)
        notes = ["stopped here" if not found.position.is_over else "the end"] if tally.move is None else []
        notes += [str(tally.opening)] if tally.opening else []
        notes += [f"also {' '.join(map(str, tally.also))}"] if tally.also else []
        out(
            f"{'' if tally.move is None else str(tally.move):6}{tally.games:8}"
            f"{100 * tally.games / found.games:6.1f} %{tally.black:8}{tally.draws:8}{tally.white:8}{lead:>8}"
            f"  {years:9}  {', '.join(notes)}".rstrip()
        )


@command
def _games(
    db: _File = "",
    player: PlayerOption = None,
    black: BlackOption = None,
    white: WhiteOption = None,
    event: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Select games by words of the event or their beginnings."),
    ] = None,
    year: YearOption = None,
    opening: OpeningOption = None,
    result: ResultOption = None,
    position: PositionOption = None,
    to_move: ToMoveOption = "",
    rules: Annotated[str, typer.Option(metavar="RULES", help="Use this rule set for the positions.")] = "othello",
    twins: Annotated[
        bool,
        typer.Option(
            "--twins", help="List only games that match another game in moves and year, but not in names."
        ),
    ] = False,
    limit: Annotated[int, typer.Option(min=0, metavar="N", help="List at most N games; 0 lists all.")] = 20,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the complete records to FILE; - is standard output."
        ),
    ] = "",
    to: ToOption = None,
    force: ForceOption = False,
    json: _Json = False,
) -> None:
    """List the games that meet every condition, or write their records.

    A repeated option selects games that fit any of its values; --player twice selects games between two players.

    Example: reversi db games --player "tastet" --year 1997 --opening Tiger

    Example: reversi db games --position f5d6c3d3c4f4 --limit 0 -o games.pgn

    Example: reversi db games --twins --limit 0
    """
    from reversi.database import GameQuery

    if not output and (to is not None or force):
        fail(Status.USAGE, f"{'--force' if to is None else '--to'}: name the file to write with --output")
    rule_set = rules_option(rules)
    chosen = select(
        rule_set,
        player=player,
        black=black,
        white=white,
        year=year,
        results=result,
        positions=positions_of(rule_set, opening, position, to_move),
    )
    query = GameQuery(
        chosen.player,
        chosen.black,
        chosen.white,
        tuple(event or ()),
        chosen.years,
        chosen.results,
        chosen.positions,
        twins,
        limit or None,
    )
    outcome = StatusCollector()
    inputs = Inputs(_path(db), f"{_path(db)}.wal")
    writer = GamesWriter(output or "-", to, outcome, inputs, force=force)
    with _database(db) as database:
        count = database.count(query)
        shown = min(count, limit or count)
        if output:
            entries = (Entry(number, 0, record) for number, record in enumerate(database.records(query), 1))
            writer.write(entries, lambda: str(_path(db)))
            if output != "-":
                writer.report(shown)
        else:
            for game in database.games(query):
                if json:
                    out_json(_game(game))
                else:
                    out(_line(game))
    more = f"; these are the first {shown} (--limit)" if shown < count else ""
    err(f"reversi: {counted(count, 'game')}{more}")
    outcome.finish()


def _game(game: DatabaseGame) -> dict[str, object]:
    return {
        "id": game.id,
        "black": game.black or None,
        "white": game.white or None,
        "year": game.year,
        "event": game.event or None,
        "result": game.result,
        "score": game.score,
        "opening": game.opening or None,
        "plies": game.plies,
        "moves": game.moves,
        "file": game.source,
        "game": game.number,
    }


def _line(game: DatabaseGame) -> str:
    players = f"{game.black or '?'} – {game.white or '?'}"
    about = ", ".join(part for part in (game.event, game.opening) if part)
    return f"{game.year or '????'}  {game.result:>7}  {players:44}  {about}  [{safe(game.source)}#{game.number}]"


@command
def _info(db: _File = "", json: _Json = False) -> None:
    """Show what a database contains.

    Example: reversi db info --db games.duckdb
    """
    with _database(db) as database:
        info = database.info()
        path = database.path
    if json:
        out_json(
            {
                "file": str(path),
                "games": info.games,
                "positions": info.positions,
                "players": info.players,
                "sources": info.sources,
                "first": info.first,
                "last": info.last,
                "bytes": path.stat().st_size,
            }
        )
        return
    years = "" if info.first is None else f" of {years_between(info.first, info.last)}"
    out(
        f"{path}: {counted(info.games, 'game')}{years} by {counted(info.players, 'player')}, from"
        f" {counted(info.sources, 'file')}; {info.positions} positions, {path.stat().st_size / 1e6:.1f} MB"
    )
