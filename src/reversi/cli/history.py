"""``reversi history``: the games that people have played here against engines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reversi._system.files import write_atomically
from reversi._system.paths import may_exist
from reversi.arguments import excerpt
from reversi.cli.console import cancelled_by_signals, command, err, fail, out, out_json, reading, writing
from reversi.cli.engine_options import BookOptions
from reversi.cli.line_reader import at_terminal
from reversi.cli.option_groups import Flag
from reversi.cli.options import argument, option
from reversi.cli.outputs import ForceOption, Inputs, check_output
from reversi.cli.progress import ProgressLine
from reversi.cli.state import StateOption, StatesOption, state_folder
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.openings.book import Books
from reversi.person.history import ANALYSES, History
from reversi.person.history_lines import history_lines, pupils_table
from reversi.person.losses import losses_of
from reversi.person.played_game import PlayedGame
from reversi.text.counting import counted
from reversi.work.cancel import Cancel

_PlayerOption = Annotated[str | None, option("NAME", "Take the games of this person only.", "--player")]


def history_path(state: Path) -> Path:
    """Return the file of the history."""
    return state / "history.json"


@command
def show(
    books: BookOptions,
    player: _PlayerOption = None,
    json: Annotated[bool, Flag("Write one JSON object per game.")] = False,
    state: StatesOption = None,
) -> None:
    """Show the results by level, the mean loss game by game, mistakes, openings and reasons of each person.

    Several folders, as a coach has them from pupils, are one table. Games without an analysis are analyzed first,
    about a second each; Ctrl-C leaves the rest for the next time.

    Example: reversi history

    Example: reversi history --player Ada --json

    Example: reversi history --state pupils/ada --state pupils/bob
    """
    histories = {folder: read_history(folder) for folder in state or [state_folder(None)]}
    for folder in histories if len(histories) > 1 else ():
        if not may_exist(history_path(folder)):
            fail(Status.NO_INPUT, f"{folder}: there is no history in this folder")
    book = books.open()
    for history in histories.values():
        _analyze(history, _of(history, player, refuse=len(histories) == 1), book)
    if json:
        for history in histories.values():
            for game in _of(history, player, refuse=False):
                out_json(game.to_json())
        return
    if len(histories) > 1:
        for line in pupils_table({folder.name: history for folder, history in histories.items()}, player):
            out(line)
        return
    (history,) = histories.values()
    games = _of(history, player)
    if not games:
        out("No games yet: 'reversi play' adds each game against an engine that you finish.")
    for number, name in enumerate(dict.fromkeys(game.player for game in games)):
        if number:
            out()
        out(f"{name or 'You'}: {history_lines(history, name)[0]}")
        for line in history_lines(history, name)[1:]:
            out(line)
    if not history.on:
        out("The history is off: no more games join it. 'reversi history on' switches it on.")


@command
def export(
    file: Annotated[Path, argument("FILE", "The file; - is standard output.")],
    player: _PlayerOption = None,
    force: ForceOption = False,
    state: StateOption = None,
) -> None:
    """Write the games of the history as records, for 'reversi train make' and every other command.

    Example: reversi history export my-games.pgn
    """
    games = _of(read_history(state_folder(state)), player)
    if not games:
        fail(Status.NO_INPUT, "there are no games in the history")
    text = "\n".join(f"{game.record.rstrip()}\n" for game in games)
    if str(file) == "-":
        out(text.rstrip("\n"))
        return
    target = check_output(file, Inputs(), force=force)
    assert target is not None
    with writing(str(file)):
        write_atomically(target, text)
    err(f"reversi: {counted(len(games), 'game')} in {file}")


@command
def on(state: StateOption = None) -> None:
    """Let finished games join the history again.

    Example: reversi history on
    """
    _switch(state, on=True)


@command
def off(state: StateOption = None) -> None:
    """Let no more games join the history, and keep no more analyses.

    What it has stays until 'reversi history delete'.

    Example: reversi history off
    """
    _switch(state, on=False)


@command
def delete(yes: Annotated[bool, Flag("Do not ask.")] = False, state: StateOption = None) -> None:
    """Delete the history: the games, their analyses, the results, and the place on the adaptive level.

    Example: reversi history delete
    """
    path = history_path(state_folder(state))
    analyses = path.with_name(ANALYSES)
    if not may_exist(path) and not may_exist(analyses):
        out("There is no history.")
        return
    if not yes:
        if not at_terminal():
            fail(Status.USAGE, "'reversi history delete' asks first; give --yes where nobody can answer")
        if not typer.confirm("Delete the whole history of games?", err=True):
            return
    for file in (path, analyses):
        with writing(str(file)):
            file.unlink(missing_ok=True)
    out("The history is deleted.")


def _switch(state: Path | None, *, on: bool) -> None:
    history = read_history(state_folder(state))
    with writing(str(history.path)):
        history.switch(on=on)
    out(f"The history is {'on' if on else 'off'}.")


def read_history(state: Path) -> History:
    """Read the history of a state folder; end the command where it is damaged."""
    path = history_path(state)
    with reading(str(path)):
        return History(path)


def usual_history(state: Path, without: str) -> History | None:
    """Read the history of a state folder; where that fails say so, and what the command does without it."""
    try:
        return History(history_path(state))
    except (InputError, OSError) as error:
        err(f"reversi: {error}; {without}")
        return None


def _of(history: History, player: str | None, *, refuse: bool = True) -> list[PlayedGame]:
    games = [game for game in history.games if player is None or game.player.casefold() == player.casefold()]
    if player is not None and not games and refuse:
        names = ", ".join(name or "(without a name)" for name in history.players) or "nobody yet"
        fail(Status.NO_INPUT, f"no games of {excerpt(player)} in the history; it has {names}")
    return games


def _analyze(history: History, games: list[PlayedGame], book: Books | None) -> None:
    """Analyze the games that are not analyzed yet."""
    missing = [game for game in games if game.losses is None]
    cancel, progress, store = Cancel(), ProgressLine(), history.store()
    with cancelled_by_signals(cancel):
        for number, game in enumerate(missing):
            progress.counting("games")(number, len(missing))
            losses = None if cancel.cancelled else losses_of(game, book, cancel, store)
            if losses is None:
                break
            with writing(str(history.path)):
                history.keep_losses(game, losses)
    if store is not None and store.failure:
        err(f"reversi: {store.failure}; the analyses are not kept")
