"""The screen of a game: it shows a `Session`, thinks in another thread, and does what the keys say."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult

from reversi._core import SQUARES, Move, Position, Square
from reversi._system.paths import may_exist
from reversi.arguments import excerpt
from reversi.errors import (
    GameError,
    IllegalMoveError,
    InputError,
    MoveError,
    PlayerError,
    ReversiError,
)
from reversi.game.game import Game
from reversi.openings.names import opening_of_positions
from reversi.person.history_keeper import HistoryKeeper
from reversi.records.entry import Entry
from reversi.records.record import format_record
from reversi.rules import FLIPPING, OTHELLO, Rules, describe
from reversi.score import Score, short_score
from reversi.session.events import Ended, Played, Restarted, SaveFailed, SessionEvent
from reversi.session.places import RecordPlace, place_in
from reversi.session.players import Thought
from reversi.session.saving import save_game
from reversi.session.sentences import LEAVE, remark_lines, shows_supply, turn_sentence
from reversi.session.session import Flipping, Session
from reversi.session.variations import Variation
from reversi.solver.solution import MoveScore
from reversi.text.counting import counted
from reversi.tui.advice import Advice
from reversi.tui.board_drawing import Cell
from reversi.tui.board_screen import BoardScreen, copies_of, last_placement
from reversi.tui.board_widget import BoardWidget
from reversi.tui.graph import graph_lines
from reversi.tui.keys import BOARD_KEYS, MANUAL_KEYS, Key, board_keys, key_lines, key_table
from reversi.tui.panel import move_lines, player_lines, tip_heading, tip_lines
from reversi.tui.preferences import Preference, Preferences, Switch
from reversi.tui.sentences import (
    event_text,
    is_viewing,
    latest_notes,
    printable,
    sentence,
    status_text,
    warning_text,
)
from reversi.tui.setup import Setup
from reversi.tui.themes import VIEWS, BoardTheme
from reversi.tui.thinking import Question, Replied, Thinker
from reversi.tui.values import Values
from reversi.tui.widgets import Lines, Scrolled
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.analysis.analysis import Analysis
    from reversi.analysis.store import AnalysisStore
    from reversi.games.repertoire import Repertoire
    from reversi.inputs.input import Input
    from reversi.person.game_review import GameReview
    from reversi.records.record import Record
    from reversi.tui.explorer_screen import ExplorerScreen, OpenedGame

_BARS_HEIGHT: Final = 4  # title, two lines of words, keys
_LEAVE: Final = "or press q and run reversi play --resume --ui line"
_PLAYERS_WIDTH: Final = 56  # at most: counts and clocks stay near the names
_ROOMY: Final = 20  # lines of a terminal from which on blank ones are no waste
_WELCOME: Final = (  # two lines of sixty columns
    "Click a marked square, or use the arrows and Enter. New? q leaves, reversi learn teaches the game. n sets the"
    " level."
)
_RECORDED: Final = "This is a recorded game; press a to continue it from here."
_GRAPH_HEIGHT: Final = 7
MOST_GAMES: Final = 5000
"""Games of a database that a list shows; conditions select them."""


@contextlib.contextmanager
def _saying_the_ply() -> Iterator[None]:
    """Say of an illegal move of a record at which ply it is; the board does not show that."""
    try:
        yield
    except IllegalMoveError as error:
        raise InputError(str(error)) from None


class PlayScreen(BoardScreen[None]):
    """The board with everything around it.

    Args:
        preferences: keeps the chosen theme, and the name of the person.
        pace: the minimum time of an engine's move in seconds, so that people can follow; not in timed games.
        database: the file of the database of games, for the explorer; ``None`` for none.
        database_named: whether somebody named that file: where it is missing, messages say which it is.
        repertoire: the moves that the explorer marks; ``None`` for none.
        show_evaluation: whether the evaluation of engines shows after each of their moves.
        results: keeps the finished games in the personal history.
        view: what is in front at first; `reversi.tui.run` lists it.
    """

    DEFAULT_CSS: ClassVar[str] = """
    #words { height: 2; padding: 0 1; }
    #warning { height: 1; padding: 0 1; display: none; }
    #players { height: 3; }
    #tips, #graph { height: 0; display: none; }
    #moves { height: 1fr; }
    """
    SIDE: ClassVar[tuple[str, ...]] = ("players", "tips", "graph")
    BELOW: ClassVar[tuple[str, ...]] = ("words", "warning")
    KEYS: ClassVar[tuple[Key, ...]] = (*BOARD_KEYS, *(key for key in MANUAL_KEYS if key.action == "done"))
    TAKEN_BACK: ClassVar[Mapping[str, str]] = {"a": "pause", "c": "theme(-1)", "e": "graph", "f": "flips"}

    def __init__(
        self,
        session: Session,
        theme: BoardTheme,
        looks: Mapping[str, BoardTheme],
        preferences: Preferences,
        *,
        pace: float,
        database: Path | None = None,
        database_named: bool = False,
        repertoire: Repertoire | None = None,
        show_evaluation: bool = False,
        results: HistoryKeeper | None = None,
        view: str = "",
    ) -> None:
        super().__init__(session.rules.board, theme)
        self.session = session
        self.looks = looks
        self.preferences = preferences
        self.database = database
        self._database_named = database_named
        self._repertoire = repertoire
        self.marks_shown: bool = preferences.is_on("marks", True)
        self.flips_shown: bool = preferences.is_on("flips", False)
        self.tips_wanted: bool = False
        self.graph_wanted: bool = False
        self.stable_wanted: bool = False
        self.show_evaluation: bool = show_evaluation or preferences.is_on("evaluation", False)
        self.results = results
        self._pace = pace
        self._view = view
        self.advice: Advice = Advice(session, self.rating)
        self._notes: list[str] = []
        self._thinker = Thinker(self.post_message)
        self._browser: Thinker | None = None  # asks the database; made when it is first wanted
        self._asked_at = 0.0
        self._step = False  # whether an engine is to play one move of a paused game
        self._opening: tuple[tuple[Position, ...], list[str]] = ((), [])
        self._found: AnalysisStore | None = None  # by reviews; made when it is first wanted
        self._words_height = 2

    def compose_side(self) -> ComposeResult:
        yield from super().compose_side()
        yield Scrolled(id="moves", from_end=True)

    def on_mount(self) -> None:
        """Listen to the session, and begin or continue it."""
        self.session.listeners.append(self._heard)
        self.board.cursor = self.first_cursor()
        self.watch(self.board, "cursor", self._cursor_moved, init=False)
        self.session.begin()
        if self.results is not None and self.results.is_first:
            self._notes[:] = [_WELCOME]
        self.set_interval(0.1, self._tick)
        self.update()
        if self._view:
            self.call_after_refresh(self.action_explore if self._view == "explore" else self._analyze)

    def on_screen_suspend(self) -> None:
        """Leave thinking about tips to the screen in front."""
        self.call_later(self._think)

    def on_screen_resume(self) -> None:
        """Show what has happened meanwhile."""
        self.update()

    def rating(self) -> int | None:
        """Return the rating of people who play about as well as the person, ``None`` where nobody knows."""
        return None if self.results is None else self.results.rating

    def close_down(self) -> None:
        """Stop thinking, listening and the clocks, and save the game."""
        self._thinker.close()
        if self._browser is not None:
            self._browser.close()
        if self._heard in self.session.listeners:
            self.session.listeners.remove(self._heard)
            self.session.pause()

    @property
    def moves(self) -> Scrolled:
        return self.query_one("#moves", Scrolled)

    def first_cursor(self) -> int:
        """Return the first square of the cursor: the first legal placement."""
        placements = self.session.position.legal_moves.placements
        return (placements & -placements).bit_length() - 1 if placements else 27

    # --- events

    def _heard(self, event: SessionEvent) -> None:
        text = event_text(event, self.look, evaluation=self.show_evaluation)
        if isinstance(event, Restarted) or (isinstance(event, Played) and self.session.engines_only):
            self._notes.clear()
        if text:
            self._notes.append(text)
        if isinstance(event, SaveFailed):
            self.app.bell()
        if isinstance(event, Ended) and self.results is not None and (said := self.results.sentences()):
            self._notes += [*said, "H shows your history."]

    def note(self, text: str) -> None:
        self._notes.append(text)
        self.update()

    def do(self, act: Callable[[], object]) -> None:
        """Do something that the session may refuse; a note below the board says why."""
        self._notes.clear()
        self._step = False
        try:
            act()
        except IllegalMoveError as error:  # without the board, which the player sees
            self._notes.append(f"{error.text}: {error.reason}.")
        except (GameError, InputError, MoveError, OSError) as error:
            self._notes.append(self.look.worded(sentence(str(error))))
        self.update()

    def _tick(self) -> None:
        if self.session.clock is not None and not self.session.is_over:
            if self.session.tick():
                self.update()
            elif not self.has_class("small"):
                self._show_players()

    # --- thinking

    def _think(self) -> None:
        """Request what the screen needs now, and drop what it no longer needs."""
        now = self._thinker.request
        if self.tips_wanted or self.graph_wanted:  # they may stand there since the game before
            if self.session.is_serious and "hints" not in self.session.state.help_used:
                self.tips_wanted = self.graph_wanted = False  # a game with a clock begins without them
            else:
                self.session.use_help("hints")
        seen = self.is_current  # another screen in front has an engine of its own
        wanted = self.advice.wanted(
            now, step=self._step, tips=self.tips_wanted and seen, graph=self.graph_wanted and seen
        )
        if wanted is None and now is not None:
            self._thinker.stop()
        elif wanted is not None and wanted is not now:
            self._asked_at = time.monotonic()
            self._thinker.ask(wanted)

    def step(self) -> None:
        """Let the engine whose turn it is play one move, and pause."""
        self.do((lambda: None) if self.session.is_paused else self.session.pause)
        self._step = True
        self.update()

    def ask_for_move(self) -> None:
        """Let the engine choose for the person whose turn it is."""
        position = self.session.position

        def use(chosen: MoveScore) -> None:
            if position == self.session.position and not self.session.engine_to_move:
                self.play(chosen.move)

        self._thinker.ask(self.advice.move_question(use))
        self._notes[:] = [f"The engine chooses a move for {self.look.name_of(self.session.to_move)}."]
        self.update()

    def on_replied(self, message: Replied) -> None:
        """Play the engine's move; show what else was found, as tips."""
        request, error = message.request, message.error
        if not isinstance(request, Thought):
            self.call_later(self.update)  # with the answer, which the base takes
        elif isinstance(error, PlayerError):  # another program failed; the person decides what next
            self.session.pause()
            self._notes[:] = [sentence(str(error))]
            self.update()
        elif error is not None:
            raise error
        else:
            pace = 0.0 if self.session.clock is not None else self._pace
            wait = self._asked_at + pace - time.monotonic()
            if wait > 0:
                self.set_timer(wait, lambda: self._play(request))
            else:
                self._play(request)

    def _engine_thinks(self) -> bool:
        """Whether an engine is to move, by itself or on request."""
        return self.session.engine_to_move and (self._step or not self.session.is_paused)

    def _play(self, thought: Thought) -> None:
        if self._engine_thinks() and self.session.thought().number == thought.number:
            self._step = False
            self.session.play_thought(thought)
            self.update()

    # --- showing

    def update(self) -> None:
        """Show the present state, and request what the screen needs next."""
        if not self.is_mounted:
            return
        self._board_size = self.session.rules.board
        fits = self.fit_or_say(self._bars_height, _LEAVE)
        self._think()
        if not fits:
            return
        spare = self.size.height - self._bars_height - self.board.layout_now.size[1]
        self._words_height = 3 if spare > 0 else 2
        self._show_title()
        self._show_board()
        self._show_players()
        self._show_words()
        self._show_warning()
        side = self.side_width
        self._show_tips(side)
        self._show_graph(side)
        self.moves.show_all([[Cell(line)] for line in move_lines(self.session.game, side)])
        manual = self.session.flipping is Flipping.MANUAL
        keys = board_keys(self.session)
        self.show_keys([*(MANUAL_KEYS if manual else ()), *keys])

    @property
    def _bars_height(self) -> int:
        return _BARS_HEIGHT + bool(self.session.save_failures)

    def _show_title(self) -> None:
        session = self.session
        count = len(session.game)
        parts = [f"Reversi: {session.rules}", f"after ply {count}" if session.is_over else f"ply {count + 1}"]
        if session.rules.misere:
            parts.append("the fewest discs win")
        if count and session.rules == OTHELLO:
            parts += self._named_opening()
        self.show_title(*parts)

    def _named_opening(self) -> list[str]:
        positions = self.session.game.positions
        if self._opening[0] != positions:
            named = opening_of_positions(positions)
            self._opening = (positions, [] if named is None else [f"{named.opening} opening"])
        return self._opening[1]

    def _show_board(self) -> None:
        session, position = self.session, self.session.position
        tips = self.advice.tips() if self.tips_wanted and not self._engine_thinks() else None
        choices = () if tips is None else tips.choices
        marks = position.legal_moves.placements if self.marks_shown and self._person_places else 0
        labels = ((choice.move, short_score(choice.score)) for choice in choices)
        outlined = self._flips_at_cursor()
        if outlined is None and self._shows_stable:
            stable = self._stable()
            outlined = tuple(square for square in SQUARES if square.bit & stable)
        self.show_board(position, marks, last_placement(session.game), labels, outlined)

    @property
    def _shows_stable(self) -> bool:
        """Whether stable discs show; not in a game with a clock that begins without help."""
        return self.stable_wanted and (self.session.help_allowed or not self.session.is_serious)

    def _stable(self) -> int:
        from reversi.engine.explaining import stable_discs

        return stable_discs(self.session.position)

    @property
    def _person_places(self) -> bool:
        """Whether a person is to place a disc."""
        session = self.session
        return not (session.is_over or session.engine_to_move or session.flips_pending or is_viewing(session))

    def _flips_at_cursor(self) -> tuple[Square, ...] | None:
        """Return what a placement at the cursor would flip, ``None`` where that is not asked or legal."""
        square, position = SQUARES[self.board.cursor], self.session.position
        wanted = self.flips_shown and self._person_places and position.is_legal(square)
        return position.flips(square) if wanted else None

    def _cursor_moved(self) -> None:
        if self.flips_shown and not self.has_class("small"):
            self._show_board()
            self._show_words()

    def _show_players(self) -> None:
        side = min(self.side_width, _PLAYERS_WIDTH)
        widget = self.query_one("#players", Lines)
        self.open(widget, self._players_height)
        widget.show(player_lines(self.session, self.look, side))

    def _show_words(self) -> None:
        width = max(self.size.width - 2, 10)
        status = status_text(self.session, self.look, thinking=self._engine_thinks())
        if (flips := self._flips_at_cursor()) is not None:
            status += f"; {SQUARES[self.board.cursor]} would flip {counted(len(flips), 'disc')}"
        elif self._shows_stable:
            position, stable = self.session.position, self._stable()
            black, white = ((stable & discs).bit_count() for discs in (position.black, position.white))
            status += f"; stable: {self.look.names[0]} {black}, {self.look.names[1]} {white}"
        waits = self.session.is_paused or self.session.is_over
        noted = [f"Note: {note}"] if waits and (note := self.session.note) else []
        said = latest_notes([*self._notes, *noted], width, self._words_height - 1)
        widget = self.query_one("#words", Lines)
        self.open(widget, self._words_height)
        widget.show([[Cell(status, self.look.accent, bold=True)], *([Cell(line)] for line in said)])
        self.point(widget, bool(said))

    def _show_warning(self) -> None:
        """Show failures to save until they end."""
        failures = self.session.save_failures
        widget = self.query_one("#warning", Lines)
        self.open(widget, bool(failures))
        text = warning_text(failures, max(self.size.width - 2, 10))
        widget.show([[Cell(text, self.look.last, bold=True, reverse=self.look.colorless)]])

    def _show_tips(self, width: int) -> None:
        widget = self.query_one("#tips", Lines)
        lines: list[list[Cell]] = []
        session = self.session
        if self.tips_wanted and not session.is_over and not self._engine_thinks():
            tips = self.advice.tips()
            choices, final = ([], False) if tips is None else (tips.choices, tips.last)
            people = {} if tips is None else tips.people
            heading = tip_heading(choices, session.to_move, self.look, last=final, people=bool(people))
            lines = [[Cell(heading)]]
            if tips is not None:
                lines += tip_lines(tips.choices, session.to_move, self.look, width, people)
        room = self._side_room()
        self.open(widget, min(len(lines) + 1, max(room // 2, 4), room - self._graph_height) if lines else 0)
        widget.show(lines)

    def _show_graph(self, width: int) -> None:
        widget = self.query_one("#graph", Lines)
        height = self._graph_height
        self.open(widget, height)
        if height:
            widget.show(graph_lines(self._values, self.look, width, height))

    @property
    def _graph_height(self) -> int:
        """The lines of the graph: at least a heading, one up, one down, and the axis where the theme has one."""
        least = 4 if self.look.colorless or not self.tips_wanted else 3
        shown = self.graph_wanted or (self.show_evaluation and any(ply.evaluation for ply in self.session.game))
        return min(_GRAPH_HEIGHT, max(self._side_room() // 3, least)) if shown else 0

    @property
    def _values(self) -> list[Score | None]:
        """The values for the graph: those that the engines noted, and the computed ones where somebody asks."""
        return (self.advice.values if self.graph_wanted else Values()).of(self.session.game)

    def _side_room(self) -> int:
        return self.size.height - self._bars_height + 2 - self._words_height - self._players_height

    @property
    def _players_height(self) -> int:
        """A line per player, two with the supply, and a blank line where there is room."""
        lines = 4 if shows_supply(self.session.game) else 2
        return lines + (self.size.height >= _ROOMY)

    # --- the board

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        self.choose(message.square)

    def choose(self, square: int) -> None:
        """Place a disc, or flip one where people flip discs by hand."""
        session = self.session
        occupied = (session.position.black | session.position.white) >> square & 1
        if is_viewing(self.session):
            self.refuse()
        elif session.flipping is Flipping.MANUAL and occupied:
            self.do(lambda: session.flip(SQUARES[square]))
        elif session.engine_to_move:
            self.say(f"It is the turn of {self.look.name_of(session.to_move)}, an engine.")
        else:
            self.play(SQUARES[square])

    def refuse(self) -> None:
        """Say how to continue an opened record."""
        self.say(_RECORDED)

    def take(self, moves: Sequence[Move]) -> None:
        """Make one move for a person, or several for both sides."""
        session = self.session
        if is_viewing(session):
            raise GameError(_RECORDED)
        if len(moves) > 1:
            session.play_line(moves)
        elif isinstance(moves[0], Square) and session.flipping is Flipping.MANUAL:
            self.choose(moves[0].index)
        else:
            session.play(moves[0])

    def copies(self) -> dict[str, Callable[[], str]]:
        return copies_of(self.session.game) | {"game": lambda: format_record(self.session.record())}

    def play(self, move: Move) -> None:
        self.do(lambda: self.session.play(move))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow only leaving while the terminal is too small."""
        return not self.has_class("small") or action in {"quit", "app.interrupt"}

    # --- help

    def may_help(self, kind: str) -> bool:
        """Return whether hints or the explorer may be used now; a note says why not."""
        try:
            self.session.use_help(kind)
        except GameError as error:
            self.say(sentence(str(error)))
            return False
        return True

    def action_explore(self) -> None:
        """Open the explorer for the position on the board."""
        if self.session.flips_pending:
            self.say("The turn is not finished: flip the discs, then press d.")
        elif self.may_help("explorer"):
            self.app.push_screen(self.explorer(self.session.game, self.session.keep_variation), self.open_instead)

    def explorer(self, game: Game, keep: Callable[[Variation], None] | None) -> ExplorerScreen:
        """Return the explorer of a game; ``keep`` keeps lines as variations of it."""
        from reversi.explorer.explorer import Explorer
        from reversi.games.games import Games
        from reversi.tui.explorer_screen import ExplorerScreen

        path = self.database
        there = path is not None and (self._database_named or may_exist(path))
        archive = Games(path) if path is not None and there else None
        book, level = self.session.book, self.session.hint_level
        explorer = Explorer(archive, level=level, book=book, repertoire=self._repertoire, people=self.rating())
        return ExplorerScreen(game, self.look, explorer, keep)

    def open_instead(self, opened: OpenedGame | None) -> None:
        """Open a game of the database."""
        if opened is None:
            self._came_back()
        else:
            self._view = ""
            self.do(lambda: self.open_record(opened.record, opened.ply))

    def _came_back(self) -> None:
        """Show the game again; where the program began with the view in front of it, that was what it was for."""
        if self._view and not self.session.in_progress:
            self.app.exit(False)
        self.update()

    @_saying_the_ply()
    def open_record(self, record: Record, ply: int | None = None, place: RecordPlace | None = None) -> None:
        """Put a recorded game on the board, or show it beside a game in progress."""
        if not self.session.in_progress:
            self.session.load(record, ply, place=place)
            return
        from reversi.tui.peek_screen import PeekScreen

        beside = Session()
        beside.load(record, ply)

        def answer(ply: int | None) -> None:
            if ply is not None:
                self.leave_game(lambda: self.do(lambda: self.session.load(record, ply, place=place)))

        self.app.push_screen(PeekScreen(beside, self.session, self.look), answer)

    @_saying_the_ply()
    def open_what(self, what: Input) -> None:
        """Open a game or a position that somebody gave; a position asks before it takes the place of a game."""
        from reversi.session.opening import open_given

        start, ply = what.start(self.session.rules)
        if not self.session.in_progress:
            said = open_given(self.session, what)
            self._notes[:] = [said]  # in place of what the session says of another game
            self.update()
        elif isinstance(start, Position):
            self.leave_game(lambda: self.do(lambda: self.session.set_position(start)))
        else:
            self.open_record(start, ply, place_in(what, start))

    def leave_game(self, act: Callable[[], object]) -> None:
        """Do what puts another game on the board, after a question where a game is in progress."""
        if self.session.in_progress:
            self.confirm(LEAVE, act)
        else:
            act()

    def action_last(self) -> None:
        """Say the last turn."""
        last = self.session.game.last
        self.say("No turn yet." if last is None else turn_sentence(last, self.look.name_of))

    # --- moving

    @property
    def placements(self) -> int:
        return 0 if self._engine_thinks() else self.session.position.legal_moves.placements

    def action_choose(self) -> None:
        """Place or flip a disc at the cursor."""
        self.choose(self.board.cursor)

    def action_skip(self) -> None:
        if is_viewing(self.session):
            self.refuse()
        else:
            self.do(self.session.skip)

    def action_done(self) -> None:
        if self.session.flipping is Flipping.MANUAL:
            self.do(self.session.finish_flips)
        else:
            self.say("The rules flip the discs in this game: every placement ends the turn.")

    def action_undo(self) -> None:
        self.do(self.session.undo)

    def action_redo(self) -> None:
        self.do(self.session.redo)

    def action_go(self) -> None:
        """Let the engine choose this move, or play one move of its own and wait."""
        session = self.session
        if is_viewing(self.session):
            self.refuse()
        elif session.is_over:
            self.say("The game is over.")
        elif session.flips_pending:
            self.say("The turn is not finished: flip the discs, then press d.")
        elif not session.engine_to_move:
            if self.may_help("hints"):
                self.ask_for_move()
        elif session.engines_only or session.is_paused:
            self.step()
        else:
            self.say(f"{self.look.name_of(session.to_move)}, an engine, is thinking.")

    def action_pause(self) -> None:
        """Stop the clocks and the engines, or continue; analyze a game that is over."""
        session = self.session
        if session.is_over:
            self._analyze()
        elif session.is_paused:
            self.do(session.begin)
        else:
            self.do(session.pause)

    def action_review(self) -> None:
        """Analyze a game that has no end yet."""
        if not (self.session.is_paused or self.session.is_over):
            self.say("a pauses the game; A then reviews it.")
            return

        def review() -> None:
            self.session.use_help("analysis")
            self._analyze()

        self.do(review)

    def _analyze(self) -> None:
        from reversi.session.review import retry
        from reversi.tui.analysis_screen import AnalysisScreen

        game = self.session.game.copy()
        if not len(game):
            self.say("The game has no moves to analyze.")
            return

        def answer(ply: int | None) -> None:
            if ply is None:
                self._came_back()
                return
            self._view = ""
            self.do(lambda: retry(self.session, game, ply))
            self.board.cursor = self.first_cursor()

        session = self.session
        screen = AnalysisScreen(
            self._review(),
            self.look,
            explorer=lambda shown: self.explorer(shown, session.keep_variation),
            opened=self.open_instead,
        )
        self.app.push_screen(screen, answer)

    def _review(self) -> GameReview:
        """Return the review of the game up to now; without a history this screen keeps what it finds."""
        from reversi.analysis.store import AnalysisStore
        from reversi.person.game_review import GameReview

        self._found = self._found or AnalysisStore()
        return GameReview(self.session, None if self.results is None else self.results.history, self._found)

    def _known_analysis(self) -> Analysis | None:
        """Return what a review has found about the whole game; nothing about one that somebody plays."""
        if self.session.in_progress:
            return None
        review = self._review()
        review.game.redo(self.session.state.length - len(review.game))
        return review.known()

    def action_first(self) -> None:
        """Go to the start of a game that waits."""
        self._go_far(self.session.can_undo, self.session.undo)

    def action_final(self) -> None:
        """Go to the end of a game that waits."""
        self._go_far(self.session.can_redo, self.session.redo)

    def _go_far(self, turns: int, act: Callable[[int], object]) -> None:
        if self.session.is_over and not self.session.is_paused:
            self.say("The game is over: press a to review it; there Home and End step through it.")
        elif not self.session.is_paused:
            self.say("Home and End step through a paused game; press a to pause.")
        elif turns:
            self.do(lambda: act(turns))

    def action_resign(self) -> None:
        if is_viewing(self.session):
            self.refuse()
        elif self.session.is_over:
            self.say("The game is over.")
        else:
            self.confirm("Resign this game?", lambda: self.do(self.session.resign))

    def say(self, text: str) -> None:
        """Show one note below the board in place of the earlier ones."""
        self.do(lambda: self._notes.append(text))

    def action_tips(self) -> None:
        """Show or hide the scores of all moves."""
        if not self.tips_wanted and not self.may_help("hints"):
            return
        self.tips_wanted = not self.tips_wanted
        if self.tips_wanted and self.session.is_over:
            self.say("The game is over; tips return when a move is possible.")
        else:
            self.update()

    def action_stable(self) -> None:
        """Outline and count the discs that no move can flip, or no longer."""
        if self.stable_wanted or self.may_help("hints"):
            self.stable_wanted = not self.stable_wanted
            self.say("Stable discs are outlined and counted." if self.stable_wanted else "")

    def action_graph(self) -> None:
        """Show or hide the evaluation of the game."""
        if not self.graph_wanted and not self.may_help("hints"):
            return
        self.graph_wanted = not self.graph_wanted
        self.update()

    def action_evaluation(self) -> None:
        """Show or hide the evaluation of engines after each of their moves."""
        self.show_evaluation = not self.show_evaluation
        shown = "shows" if self.show_evaluation else "no longer shows"
        self._switched("evaluation", self.show_evaluation, f"The engine {shown} its evaluation after its moves.")

    def action_marks(self) -> None:
        """Show or hide the marks on legal placements."""
        self.marks_shown = not self.marks_shown
        shown = "marked" if self.marks_shown else "not marked"
        self._switched("marks", self.marks_shown, f"Legal moves are {shown}.")

    def action_flips(self) -> None:
        """Show or hide what a placement at the cursor would flip."""
        self.flips_shown = not self.flips_shown
        shown = "The cursor shows" if self.flips_shown else "The cursor no longer shows"
        self._switched("flips", self.flips_shown, f"{shown} what a move there would flip.")

    def _switched(self, what: Switch, on: bool, said: str) -> None:
        """Say what a key has switched, and keep it for the next session."""
        self.say(f"{said} {self._kept(what, 'on' if on else 'off')}".rstrip())

    def action_theme(self, step: int) -> None:
        """Take the next colors, among those that the terminal can show."""
        names = tuple(self.looks)
        if len(names) == 1:
            self.say(f"This terminal shows ASCII only; {self.look.name} is the only theme for it.")
            return
        at = names.index(self.look.name) if self.look.name in names else 0
        failure = self.take_theme(names[(at + step) % len(names)])
        self.say(f"Colors: {self.look.name}, {self.look.title}. {failure}".rstrip())

    def action_view(self) -> None:
        """Turn or mirror the board, or both."""
        self.look = self.look.seen(VIEWS[(VIEWS.index(self.look.view) + 1) % len(VIEWS)])
        self.say(f"The board is seen {self.look.view}. {self._kept('view', self.look.view)}".rstrip())

    def take_theme(self, name: str) -> str:
        """Change the colors and keep them for the next session; return why they are not kept, "" if they are."""
        if name == self.look.name:
            return ""
        self.look: BoardTheme = self.looks[name].seen(self.look.view)
        drawing = contextlib.ExitStack()
        drawing.enter_context(self.app.batch_update())  # the board and the colors around it at once
        self.app.theme = f"reversi-{name}"
        self.app.call_next(drawing.close)
        return self._kept("theme", name)

    def _kept(self, what: Preference, value: str) -> str:
        """Keep a choice for the next session; return why it is not kept, "" if it is."""
        try:
            self.preferences.keep(what, value)
        except OSError as error:
            return f"Not kept: {error}."
        return ""

    def action_rules(self) -> None:
        rules = self.session.rules
        lines = [f"{rules}", "", FLIPPING, *self.look.worded(describe(rules)).replace(". ", ".\n").split("\n")]
        if self.session.flipping is Flipping.MANUAL:
            lines += [
                "",
                "The players flip the discs by hand.",
                "A player may correct flips until the opponent moves;",
                "after that the board stands.",
            ]
        self.read("The rules of this game", lines)

    def action_help(self) -> None:
        board, by_hand = key_table(BOARD_KEYS), key_table(MANUAL_KEYS)
        wide = max(len(shown) for shown, _ in (*board, *by_hand))
        manual = ["", "With discs flipped by hand:", *key_lines(by_hand, wide)]
        self.read("Keys", [*key_lines(board, wide), *manual])

    def action_explain(self) -> None:
        """Show in words what is good or bad about the move at the cursor, else about the latest move."""
        if not self.may_help("hints"):
            return
        session, last = self.session, self.session.game.last
        square: Move = SQUARES[self.board.cursor]
        if not self._engine_thinks() and not session.flips_pending and session.position.is_legal(square):
            position, move = session.position, square
        elif last is not None:
            position, move = last.before, last.move
        else:
            self.say(f"{square} is not a legal move; move the cursor to a marked square.")
            return
        self.read(
            f"{self.look.name_of(position.to_move)} {move}",
            [self.look.worded(line) for line in remark_lines(position, move)],
        )

    def action_history(self) -> None:
        """Show the personal history of the person who plays, and analyze its new games."""
        from reversi.tui.history_box import HistoryBox

        history = None if self.results is None else self.results.history
        people = [side.name for side in self.session.sides.values() if not side.is_engine]
        if history is None or not people:
            self.say("No history is kept in this game.")
            return
        self.app.push_screen(
            HistoryBox(history, people[0], self.session.book, lambda: self.board.layout_now.size[0])
        )

    # --- games

    def action_new_game(self) -> None:
        """Ask for the choices of a new game; meanwhile the clocks stand."""
        from reversi.tui.new_game import NewGame

        session = self.session
        stopped = session.clock is not None and not session.is_paused and not session.is_over
        if stopped:
            session.pause()

        def answer(setup: Setup | None) -> None:
            if setup is None and stopped:
                session.begin()
            if setup is not None:
                failure = self.take_theme(setup.theme) or self._kept("name", setup.name)
                self.do(lambda: setup.begin(self.session))
                if failure:
                    self.note(failure)
                self.board.cursor = self.first_cursor()

        self.app.push_screen(NewGame(self.session, self.look.name, tuple(self.looks)), answer)

    def action_editor(self) -> None:
        from reversi.tui.editor import Editor

        def answer(position: Position | None) -> None:
            if position is not None:
                self.leave_game(lambda: self.do(lambda: self.session.set_position(position)))

        self.app.push_screen(
            Editor(self.session.position, self.look, self.explorer, self.session.encoding), answer
        )

    def action_save(self) -> None:
        from reversi.session.saving import suggested_name
        from reversi.tui.dialogs import AskText

        ask = AskText("Save the game as", suggested_name(self.session), partial(save_game, self.session))
        self.app.push_screen(ask, self._said)

    def action_note(self) -> None:
        """Ask for a mark and a comment at the ply on the board."""
        from reversi.tui.dialogs import AskNote

        session, last = self.session, last_placement(self.session.game)
        where = (
            "At the start"
            if last is None
            else f"At ply {last.number}, {self.look.name_of(last.color)} {last.move}"
        )

        def use(text: str) -> str:
            session.note = text
            return f"{where}: {'noted' if text.strip() else 'no note'}; s saves the game to a file."

        self.app.push_screen(
            AskNote(f"{where}: a mark (! ? !! ?? !? ?!), a comment, or both", session.note, use), self._said
        )

    def action_write(self) -> None:
        """Ask for a form, and write the game in it to a file of its own."""
        from reversi.session.saving import suggested_name
        from reversi.session.writing import SUFFIXES, write_game
        from reversi.tui.dialogs import AskText, Choose

        def answer(chosen: str | None) -> None:
            form = next((form for form in SUFFIXES if form == chosen), None)
            if form is not None:
                name = suggested_name(self.session, SUFFIXES[form])
                analysis = self._known_analysis() if form == "report" else None
                use = partial(write_game, self.session, form, analysis=analysis)
                self.app.push_screen(AskText(f"Write the {form} to", name, use), self._said)

        self.app.push_screen(
            Choose("Write a report, the transcript, or a picture of the board", tuple(SUFFIXES)), answer
        )

    def action_load(self) -> None:
        """Open a game or a position of a file, a database or a pasted text; list the games of several."""
        from reversi.session.opening import given, several_games
        from reversi.tui.dialogs import AskFile

        what: Input
        found: list[Entry] = []

        def use(text: str) -> str:
            nonlocal what
            what = given(text, self.session.encoding)
            found[:] = several_games(what, self.session.rules)
            if not found:
                start, ply = what.start(self.session.rules)
                if not isinstance(start, Position):
                    Session().load(start, ply)  # it says what is wrong
            return ""

        def answer(text: str | None) -> None:
            if text == AskFile.DATABASE:
                self._browse_database()
            elif text is not None and found:
                self._choose_game(what, found)
            elif text is not None:
                self.do(lambda: self.open_what(what))

        heading = (
            "Open a file (FILE, FILE#3 for its third game, FILE#3@20 after ply 20), or paste moves or a board"
        )
        self.app.push_screen(AskFile(heading, "", use), answer)

    def pasted(self, text: str) -> None:
        """Open what somebody pastes, as a text given to `action_load`."""
        from reversi.session.opening import given, several_games

        try:
            what = given(text, self.session.encoding)
            found = several_games(what, self.session.rules)
            what.start(self.session.rules)
        except (ReversiError, OSError, ValueError) as error:
            self.say(sentence(str(error)))
            return
        if found:
            self._choose_game(what, found)
        else:
            self.do(lambda: self.open_what(what))

    def _choose_game(self, what: Input, entries: list[Entry]) -> None:
        from reversi.session.opening import MOST_LISTED, one_of
        from reversi.tui.game_list import GameList, entry_lines

        def answer(at: int | None) -> None:
            if at is not None:
                self.do(lambda: self.open_what(one_of(what, entries[at].number)))

        first = "the first " if len(entries) == MOST_LISTED else ""
        heading = f"{printable(what.path) or 'The text'}: {first}{counted(len(entries), 'game')}"
        self.app.push_screen(GameList(heading, entry_lines(entries)), answer)

    def _browse_database(self, asked: dict[str, str] | None = None) -> None:
        """Ask which games of the database to list, and open the chosen one."""
        from reversi.tui.game_list import AskFilter

        path = self.database
        if path is None or not may_exist(path):
            missing = f"{excerpt(str(path))} does not exist" if self._database_named else "No database"
            self.say(f"{missing}; reversi db import PATH... makes it from your game files.")
            return

        def answer(games_asked: dict[str, str] | None) -> None:
            if games_asked is not None:
                self.say(f"Looking for games{self.look.ellipsis}")
                self._browser = self._browser or Thinker(self.post_message)
                self._browser.ask(
                    Question(
                        partial(_games, path, games_asked, self.session.rules),
                        partial(self._use_games, games_asked),
                        refused=self.say,
                    )
                )

        self.app.push_screen(AskFilter(asked or {}, self.session.rules), answer)

    def _use_games(self, asked: dict[str, str], found: tuple[int, list[Record]]) -> None:
        """List the games that the database has, and open the chosen one."""
        from reversi.tui.game_list import GameList, record_lines, words_of

        self.say("")
        if self.app.screen is not self:
            return  # something else was opened meanwhile
        count, games = found

        def chosen(at: int | None) -> None:
            if at is None:
                self._browse_database(asked)
            else:
                self.do(lambda: self.open_record(games[at]))

        first = f"; the first {len(games)}" if len(games) < count else ""
        about = f", {words_of(asked)}" if asked else ""
        self.app.push_screen(GameList(f"{counted(count, 'game')}{about}{first}", record_lines(games)), chosen)

    def _said(self, text: str | None) -> None:
        if text:
            self.say(text)

    # --- leaving

    def action_quit(self) -> None:
        self.app.exit(False)


def _games(path: Path, asked: dict[str, str], rules: Rules, cancel: Cancel) -> tuple[int, list[Record]]:
    """Return how many games of a database meet conditions, and the first of them."""
    from reversi.games.database.database import Database
    from reversi.games.sorting import Order
    from reversi.tui.game_list import selection_of

    with Database(path) as database, cancel.ends(database.interrupt):
        selection = selection_of(asked, rules)
        first = database.records(selection, Order(("year", "event"), MOST_GAMES))
        return database.count(selection), list(first)
