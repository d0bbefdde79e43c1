"""``reversi play``: a game on the full screen, or line by line, at a terminal or through a pipe."""

from __future__ import annotations

import contextlib
import datetime
import enum
import os
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from reversi import tui
from reversi.cli.console import Exit, command, err, fail, out, rules_option
from reversi.cli.engine_options import AddToBookOption, BookOptions, book_journal, level_option, level_value
from reversi.cli.history import read_history, usual_history
from reversi.cli.line_reader import at_terminal, line_reader
from reversi.cli.option_groups import Flag, excludes, needs, one_of
from reversi.cli.options import EncodingOption, QuietOption, RepertoireOption, option, seconds_option
from reversi.cli.play.completion import candidates, seconds_left
from reversi.cli.play.dialogue import Dialogue
from reversi.cli.play.dialogue_lines import say_wrapped
from reversi.cli.play.screen import Ui, check_theme, on_screen, ui_option, use_screen
from reversi.cli.play.setup import (
    controls_option,
    load_into,
    load_latest,
    opened_game,
    read_opening,
    resumed,
    seed_option,
    side_option,
    start_position,
)
from reversi.cli.state import StateOption, database_path, state_folder
from reversi.cli.status import Status
from reversi.color import Color
from reversi.engine.levels import AUTO, DEFAULT_LEVEL, LEVEL_CHOICES
from reversi.errors import InputError, PlayerError
from reversi.game.game import Game
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.events import SaveFailed, SessionEvent
from reversi.session.saving import RecordKeeper, SessionFolder
from reversi.session.session import Flipping, Session
from reversi.tui.preferences import Preferences


class View(enum.Enum):
    """What a game begins with."""

    REVIEW = "review"
    EXPLORE = "explore"


_IN_LINES: Final = {View.REVIEW: "analyze", View.EXPLORE: "hint 60"}
"""The line that shows it line by line."""


@command(
    *excludes(
        "--resume",
        *("--start", "--load", "--opening", "--hold", "--xot", "--xot-list", "--to-move", "--rules", "--black"),
        *(
            "--white",
            "--level",
            "--clock",
            "--clock-black",
            "--clock-white",
            "--seed",
            "--no-undo",
            "--allow-help",
        ),
        "--flipping",
        why="it continues a game as it is",
    ),
    *one_of("--start", "--load", "--opening", "--xot", why="a game has one start"),
    *excludes("--to-move", "--load", "--opening", "--xot", why="the other one says whose turn it is"),
    *needs("--xot-list", "--xot"),
)
def play(
    black: Annotated[
        str | None,
        option(
            "PLAYER",
            "Set who plays Black and moves first: human, human:NAME, engine, engine:LEVEL, engine:2s for two"
            " seconds per move, gtp:COMMAND, nboard:COMMAND, python:MODULE:CLASS, or a name from the configuration"
            " file."
            " [default: human]",
        ),
    ] = None,
    white: Annotated[str | None, option("PLAYER", "Set who plays White. [default: engine]")] = None,
    level: Annotated[
        str | None,
        level_option(
            f"Set the engine's strength: {LEVEL_CHOICES}; beginner-1 is the weakest, and 1 to 6 are easy. auto"
            " begins there and follows your results. [default: auto at a terminal,"
            f" {DEFAULT_LEVEL} elsewhere]",
            auto=True,
        ),
    ] = None,
    rules: Annotated[
        str | None, option("RULES", "Use this rule set; see 'reversi rules list'. [default: othello]")
    ] = None,
    clock: Annotated[
        str | None,
        option(
            "TIME",
            "Set the time of each player: 5 or 5:00 is five minutes, 0:30 is thirty seconds, 5:00+3 adds 3"
            " seconds after each move, 5:00+3x30 adds 3 byo-yomi periods of 30 seconds, 5:00/1:00 is Black's and"
            " White's time, - sets no limit.",
        ),
    ] = None,
    clock_black: Annotated[str | None, option("TIME", "Set the time of Black.")] = None,
    clock_white: Annotated[str | None, option("TIME", "Set the time of White.")] = None,
    start: Annotated[
        str | None,
        option(
            "POSITION",
            "Start from a board or the end of a transcript, given as text, a file, or FILE#3@20 (see"
            " 'reversi --help'); - is standard input.",
        ),
    ] = None,
    to_move: Annotated[str, option("black|white", "Set the side to move where --start does not give it.")] = "",
    load: Annotated[
        str | None, option("FILE#G@P", "Continue game G of a file after ply P; see 'reversi --help'.")
    ] = None,
    encoding: EncodingOption = "",
    opening: Annotated[str | None, option("NAME", "Start with a named opening.")] = None,
    hold: Annotated[
        str | None,
        option(
            "NAME|MOVES|FILE",
            "Keep the engine to a named opening, a line of moves, or a repertoire in a file, as long as you do.",
        ),
    ] = None,
    xot: Annotated[
        str | None, option("[SEED]", "Start with a random balanced opening; the same SEED gives the same opening.")
    ] = None,
    xot_list: Annotated[Path | None, option("FILE", "Draw the --xot opening from FILE.")] = None,
    flipping: Annotated[
        Flipping, typer.Option(help="Choose who flips the discs: the program, or the players by hand.")
    ] = Flipping.AUTOMATIC,
    *,
    books: BookOptions,
    ponder: Annotated[bool, Flag("Let the engine think on your time, too: it answers sooner or deeper.")] = False,
    no_undo: Annotated[bool, Flag("Refuse to take back moves.")] = False,
    allow_help: Annotated[
        bool,
        Flag("Allow hints, analyses and the explorer in a game with a clock; its record says which were used."),
    ] = False,
    save: Annotated[
        Path | None,
        option(
            "FILE",
            "Save the game to FILE after every move: in place of the record that --load opened there, else"
            " as the last one.",
        ),
    ] = None,
    add_to_book: AddToBookOption = "",
    resume: Annotated[
        str | None, option("[FILE]", "Continue the latest unfinished game, or the one in FILE.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Make the engine repeat its game for the same moves; by default it varies."),
    ] = None,
    show_evaluation: Annotated[bool, Flag("Show the engine's evaluation after each of its moves.")] = False,
    pause: Annotated[
        float,
        option(
            "SECONDS",
            "Let the engine's answer on the full screen wait until SECONDS after your move, so that you see what"
            " it flipped; not in a game with a clock.",
            min=0,
            max=60,
            callback=seconds_option,
        ),
    ] = tui.PACE,
    ui: Annotated[Ui, ui_option("Play")] = Ui.AUTO,
    view: Annotated[
        View | None,
        typer.Option(
            help="Begin with the review of your last game (or of the one that --load or --resume opens), or with"
            " the values of every move; to leave that ends the program, unless a game is in progress."
        ),
    ] = None,
    theme: Annotated[
        str, option("NAME", "Choose the colors of the full screen; by default those of the last session.")
    ] = "",
    db: Annotated[
        str,
        option(
            "FILE",
            "Explore this database of games on the full screen instead of the default one of 'reversi db'.",
            envvar="REVERSI_DB",
        ),
    ] = "",
    repertoire: RepertoireOption = "",
    quiet: QuietOption = False,
    state: StateOption = None,
) -> None:
    """Play a game on the full screen or line by line.

    In line mode f5 places a disc, and help lists the commands. The program saves the game after every move;
    reversi play --resume continues it.

    Example: reversi play

    Example: reversi play --black engine --white human --rules adjacent,optional-skip --clock 5:00+3

    Example: reversi play --white "gtp:gtp-rhino"

    Example: printf 'f5\\nd6\\nquit\\n' | reversi play --white human --save game.pgn
    """
    check_theme(theme)
    folder = state_folder(state)
    sessions = SessionFolder(folder / "games")
    person = at_terminal()
    adaptive = level == AUTO or (level is None and person)
    strength = AUTO if adaptive else level_value(level, DEFAULT_LEVEL)
    screen = folder / "screen.json"
    if resume is not None:
        again = books.open() or False if books.book else not books.no_book
        session = resumed(sessions, Path(resume) if resume else None, again)
    else:
        if seed is None:
            seed = int.from_bytes(os.urandom(7), "big")
        position = start_position(start, rules_option(rules or "othello"), to_move, encoding)
        book = books.open(position.rules)
        game = Game(position)
        tags = {"Date": datetime.datetime.now().astimezone().strftime("%Y.%m.%d")}
        if opening is not None or xot is not None:
            drawn = seed_option("--xot", xot) if xot else seed
            game, name = opened_game(position, opening, drawn, xot_list, encoding)
            tags |= {"Opening": name} if name else {}
        session = Session(
            game,
            sides={
                Color.BLACK: side_option("--black", black, strength, _person(screen) if person else "human"),
                Color.WHITE: side_option("--white", white, strength, "engine"),
            },
            controls=controls_option(clock, clock_black, clock_white),
            flipping=flipping,
            takebacks=not no_undo,
            help_allowed=allow_help,
            seed=seed,
            tags=tags,
            keepers=[sessions],
        )
        session.book = book
        if hold is not None:
            session.hold = read_opening("--hold", hold, position.rules, encoding)
        if load is not None:
            load_into(session, load, encoding)
        elif view is View.REVIEW:
            load_latest(session, read_history(folder))
    marked = session.hold
    if repertoire:
        marked = read_opening("--repertoire", repertoire, session.rules, encoding)
    session.ponder, session.encoding = ponder, encoding
    try:
        try:
            session.open_players()
        except PlayerError as error:
            fail(Status.USAGE, str(error))
        records = {} if save is None else {"--save": RecordKeeper(save)}
        if add_to_book:
            records["--add-to-book"] = RecordKeeper(book_journal(add_to_book, session.rules), finished=True)
        saving = _Saving(session, sessions, records, resumes=resume is not None)
        results = HistoryKeeper(
            session,
            usual_history(folder, "this game does not join your history") if person or level == AUTO else None,
        )
        with _kept(session, sessions):
            if use_screen(ui):
                show = partial(
                    tui.run,
                    session,
                    pace=pause,
                    database=database_path(db),
                    database_named=bool(db),
                    repertoire=marked,
                    results=results,
                    show_evaluation=show_evaluation,
                    view="" if view is None else view.value,
                )
                on_screen(show, screen, theme)
            else:
                lines = folder / "history"
                _in_lines(session, strength, lines, results, view, quiet=quiet, show_evaluation=show_evaluation)
    except KeyboardInterrupt:
        with contextlib.suppress(ValueError):  # outside the main thread no second interrupt can come
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        session.pause()
        raise
    finally:
        sessions.close()
        session.close()
    if saving.status is not Status.DONE:
        raise Exit(saving.status)


def _person(preferences: Path) -> str:
    """Return the person who played last on the full screen, as a text of --black."""
    name = Preferences(preferences).name
    return f"human:{name}" if name else "human"


def _in_lines(
    session: Session,
    level: int | str,
    history: Path,
    results: HistoryKeeper,
    view: View | None,
    *,
    quiet: bool,
    show_evaluation: bool,
) -> None:
    person = at_terminal()
    first = [] if view is None else [_IN_LINES[view]]
    with line_reader(partial(candidates, session), history, partial(seconds_left, session)) as read:
        Dialogue(
            session,
            read=lambda prompt: first.pop() if first else read(prompt),
            say=say_wrapped if person else out,
            quiet=quiet,
            show_evaluation=show_evaluation,
            stay=person,
            level=level,
            results=results,
        ).run()


@contextlib.contextmanager
def _kept(session: Session, sessions: SessionFolder) -> Iterator[None]:
    """At the end, tell a person whether the game can be resumed."""
    try:
        yield
    finally:
        if at_terminal() and not session.is_over and not session.is_untouched:
            if why := session.save_failure(sessions):
                err(f"The game is not saved: {why}")
            else:
                err("The game is saved; reversi play --resume continues it.")


class _Saving:
    """Keeps the records that --save and --add-to-book ask for, and reports failures to save."""

    def __init__(
        self, session: Session, sessions: SessionFolder, records: dict[str, RecordKeeper], *, resumes: bool
    ) -> None:
        self.status = Status.DONE
        self._lost = False  # whether it is reported that --resume cannot continue the game
        self._records = records
        for name, record in records.items():
            try:  # before the first move, so that no game gets lost
                record.prepare(session if resumes else None)
            except InputError as error:
                fail(Status.BAD_DATA, f"{name}: {error}")
            except (OSError, ValueError) as error:
                fail(Status.CANNOT_WRITE, str(error))
            session.keepers.append(record)
        session.listeners.append(self._hear)
        try:  # before the first move too: without one, nothing is saved that could fail
            sessions.prepare()
        except (OSError, ValueError) as error:
            self._report_lost(str(error))

    def _hear(self, event: SessionEvent) -> None:
        if not isinstance(event, SaveFailed):
            return
        if event.keeper in self._records.values():
            if self.status is Status.DONE:
                err(f"reversi: {event.message}")
        else:
            self._report_lost(event.message)
        self.status = Status.CANNOT_WRITE

    def _report_lost(self, message: str) -> None:
        """Report once that the game cannot be resumed."""
        if not self._lost:
            err(f"reversi: {message}; --resume cannot continue this game")
        self._lost = True
        self.status = Status.CANNOT_WRITE
