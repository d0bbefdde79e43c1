"""The screen of a game: it shows a `Session`, and thinks in another thread."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from textual import on
from textual.app import ComposeResult

from reversi._core import SQUARES, Move, Position
from reversi.errors import GameError, IllegalMoveError, InputError, MoveError, PlayerError
from reversi.openings.names import opening_of_positions
from reversi.person.history_keeper import HistoryKeeper
from reversi.rules import OTHELLO
from reversi.score import short_score
from reversi.session.events import Ended, Played, Restarted, SaveFailed, SessionEvent
from reversi.session.players import Thought
from reversi.session.sentences import shows_supply
from reversi.session.session import Flipping, Session
from reversi.text.counting import counted
from reversi.tui.advice import Advice
from reversi.tui.board_drawing import LEAST_SIZE, Cell, View, too_small
from reversi.tui.board_screen import SIDE_WIDTH, BoardScreen, Replied
from reversi.tui.board_widget import BoardWidget
from reversi.tui.graph import graph_lines
from reversi.tui.keys import MANUAL_KEYS, board_keys
from reversi.tui.panel import move_lines, player_lines, tip_heading, tip_lines
from reversi.tui.sentences import (
    event_text,
    is_viewing,
    latest_notes,
    sentence,
    status_text,
    warning_text,
)
from reversi.tui.themes import THEMES, BoardTheme
from reversi.tui.thinking import MoveRequest, Reply, Thinker
from reversi.tui.widgets import Lines, MoveList

_BARS_HEIGHT: Final = 4  # title, two lines of words, keys
_LEAVE: Final = "or press q and run reversi play --resume --ui line"
_PLAYERS_WIDTH: Final = 56  # at most: counts and clocks stay near the names
_ROOMY: Final = 20  # lines of a terminal from which on blank ones are no waste
_WELCOME: Final = (
    "Click a marked square, or choose it with the arrows and Enter. New to the game? q leaves, reversi learn"
    " teaches it. Strong? n sets the level."
)
_GRAPH_HEIGHT: Final = 7
_PACE: Final = 0.35


class GameScreen(BoardScreen[None]):
    """The board with everything around it.

    Args:
        session: the session.
        theme: the first theme.
        looks: the themes to choose from, by their names.
        keep_theme: keeps the name of the chosen theme, or raises OSError.
        pace: the minimum time of an engine's move in seconds, so that people can follow; not in timed games.
        database: the file of the database of games, for the explorer; ``None`` for none.
        show_evaluation: whether the evaluation of engines shows after each of their moves.
        results: keeps the finished games in the personal history.
        keep_name: keeps the name of the person, or raises OSError.
    """

    DEFAULT_CSS = """
    #words { height: 2; padding: 0 1; }
    #warning { height: 1; padding: 0 1; display: none; }
    #players { height: 3; }
    #tips, #graph { height: 0; display: none; }
    #moves { height: 1fr; }
    #small { display: none; height: 1fr; padding: 1; }
    GameScreen.small > * { display: none; }
    GameScreen.small > #small { display: block; }
    """

    def __init__(
        self,
        session: Session,
        theme: BoardTheme,
        *,
        looks: Mapping[str, BoardTheme] = THEMES,
        keep_theme: Callable[[str], None] = lambda name: None,
        pace: float = _PACE,
        database: Path | None = None,
        show_evaluation: bool = False,
        results: HistoryKeeper | None = None,
        keep_name: Callable[[str], None] = lambda name: None,
    ) -> None:
        super().__init__(session.rules.board, theme)
        self.session = session
        self.looks = looks
        self.keep_theme = keep_theme
        self.database = database
        self.marks_shown = True
        self.tips_wanted = False
        self.graph_wanted = False
        self.show_evaluation = show_evaluation
        self.results = results
        self.keep_name = keep_name
        self._pace = pace
        self.advice = Advice(session)
        self._notes: list[str] = []
        self._thinker = Thinker(self._replied)
        self._asked_at = 0.0
        self._step = False  # whether an engine is to play one move of a paused game
        self._opening: tuple[tuple[Position, ...], list[str]] = ((), [])
        self._words_height = 2

    def compose_side(self) -> ComposeResult:
        yield Lines(id="players")
        yield Lines(id="tips")
        yield Lines(id="graph")
        yield MoveList(id="moves")

    def compose_below(self) -> ComposeResult:
        """Yield the notes, the warning, and the text that stands in for all in a small terminal."""
        yield Lines(id="words")
        yield Lines(id="warning")
        yield Lines(id="small")

    def on_mount(self) -> None:
        """Listen to the session, and begin or continue it."""
        self.session.listeners.append(self._heard)
        self.board.cursor = self.first_cursor()
        self.session.begin()
        if self.results is not None and self.results.is_first:
            self._notes[:] = [_WELCOME]
        self.set_interval(0.1, self._tick)
        self.update()

    def on_screen_suspend(self) -> None:
        """Leave thinking about tips to the screen in front."""
        self.call_later(self._think)

    def on_screen_resume(self) -> None:
        """Show what has happened meanwhile."""
        self.update()

    def close_down(self) -> None:
        """Stop thinking, listening and the clocks, and save the game."""
        self._thinker.close()
        if self._heard in self.session.listeners:
            self.session.listeners.remove(self._heard)
            self.session.pause()

    @property
    def moves(self) -> MoveList:
        return self.query_one("#moves", MoveList)

    def first_cursor(self) -> int:
        """Return the first square of the cursor: the first legal placement."""
        placements = self.session.position.legal_moves.placements
        return (placements & -placements).bit_length() - 1 if placements else 27

    @property
    def is_viewing(self) -> bool:
        """Whether the game is an opened record that nobody has continued yet."""
        return is_viewing(self.session)

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
            self._notes[:] = [*said, "H shows your history."]

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
        except (GameError, InputError, MoveError) as error:
            self._notes.append(self.look.worded(sentence(str(error))))
        self.update()

    def _tick(self) -> None:
        if self.session.clock is not None and not self.session.is_over:
            if self.session.tick():
                self.update()
            elif not self.has_class("small"):
                self._show_players()

    # --- thinking

    def _replied(self, reply: Reply) -> None:
        """Post a reply to the screen; the thinking thread calls this."""
        self.post_message(Replied(reply))

    def _think(self) -> None:
        """Request what the screen needs now, and drop what it no longer needs."""
        now = self._thinker.request
        if self.tips_wanted or self.graph_wanted:  # they may stand there since the game before
            if self.session.is_serious and "hints" not in self.session.help_used:
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

    def pause(self) -> None:
        self.do(self.session.pause)

    def go_on(self) -> None:
        """Let the clocks and the engines run again."""
        self.do(self.session.begin)

    def step(self) -> None:
        """Let the engine whose turn it is play one move, and pause."""
        self.do((lambda: None) if self.session.is_paused else self.session.pause)
        self._step = True
        self.update()

    def ask_for_move(self) -> None:
        """Let the engine choose for the person whose turn it is."""
        self._thinker.ask(self.advice.move_request())
        self._notes[:] = [f"The engine chooses a move for {self.look.name_of(self.session.to_move)}."]
        self.update()

    @on(Replied)
    def use_reply(self, message: Replied) -> None:
        """Use a reply: play the engine's move, show tips, draw the graph."""
        reply = message.reply
        if isinstance(reply.error, PlayerError):  # another program failed; the person decides what next
            self.session.pause()
            self._notes[:] = [sentence(str(reply.error))]
            self.update()
            return
        if reply.error is not None:
            raise reply.error
        request = reply.request
        if isinstance(request, Thought):
            pace = 0.0 if self.session.clock is not None else self._pace
            wait = self._asked_at + pace - time.monotonic()
            if wait > 0:
                self.set_timer(wait, lambda: self._play(request))
            else:
                self._play(request)
        elif isinstance(request, MoveRequest):
            if request.position == self.session.position and not self.session.engine_to_move:
                self.play(reply.result.move)
        else:
            self.advice.learn(reply)
            self.update()

    def _play(self, thought: Thought) -> None:
        due = self.session.engine_due or (self._step and self.session.engine_to_move)
        if due and self.session.thought().number == thought.number:
            self._step = False
            self.session.play_thought(thought)
            self.update()

    # --- showing

    def update(self) -> None:
        """Show the present state, and request what the screen needs next."""
        if not self.is_mounted:
            return
        self._arrange()
        self._think()
        if self.has_class("small"):
            return
        self._show_title()
        self._show_board()
        self._show_players()
        self._show_words()
        self._show_warning()
        side = self.side_width
        self._show_tips(side)
        self._show_graph(side)
        self.moves.show_moves(move_lines(self.session.game, side))
        manual = self.session.flipping is Flipping.MANUAL
        keys = board_keys(self.session)
        self.show_keys([*(MANUAL_KEYS if manual else ()), *keys])

    def _arrange(self) -> None:
        width, height = self.size
        room = (width - SIDE_WIDTH, height - self._bars_height)
        fits = width >= LEAST_SIZE[0] and height >= LEAST_SIZE[1]
        fits = fits and self.board.fit(self.session.rules.board, self.look, *room)
        self.set_class(not fits, "small")
        spare = height - self._bars_height - self.board.layout_now.size[1]
        self._words_height = 3 if spare > 0 else 2
        if not fits:
            text = f"{too_small(width, height)}; enlarge it, {_LEAVE}.".capitalize()
            lines = textwrap.wrap(text, max(width - 2, 1))
            self.query_one("#small", Lines).show([[Cell(line)] for line in lines])

    @property
    def _bars_height(self) -> int:
        return _BARS_HEIGHT + bool(self.session.save_failures)

    def _show_title(self) -> None:
        session = self.session
        count = len(session.game)
        parts = [f"Reversi: {session.rules}", counted(count, "move") if session.is_over else f"move {count + 1}"]
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
        last = session.game.last
        person = not session.is_over and not session.engine_to_move and not self.is_viewing
        tips = self.advice.tips() if self.tips_wanted and not session.engine_due else None
        labels: dict[int, str] = {}
        if tips is not None:
            labels = {
                choice.move.index: short_score(choice.score) for choice in tips.choices if not choice.move.is_pass
            }
        manual = last is not None and last.hand_flips is not None and session.flips_pending
        marks = position.legal_moves.placements if self.marks_shown and person and not session.flips_pending else 0
        self.board.show(
            View(
                black=position.black,
                white=position.white,
                marks=marks,
                last=next((ply.move.index for ply in reversed(session.game) if not ply.is_pass), -1),
                labels=labels,
                flipped=sum(square.bit for square in last.flips) if manual and last is not None else 0,
            )
        )

    def _show_players(self) -> None:
        side = min(self.side_width, _PLAYERS_WIDTH)
        widget = self.query_one("#players", Lines)
        self._open(widget, self._players_height)
        widget.show(player_lines(self.session, self.look, side))

    def _show_words(self) -> None:
        width = max(self.size.width - 2, 10)
        thinking = self.session.engine_due or (self._step and self.session.engine_to_move)
        status = status_text(self.session, self.look, thinking=thinking)
        said = latest_notes(self._notes, width, self._words_height - 1)
        widget = self.query_one("#words", Lines)
        self._open(widget, self._words_height)
        widget.show([[Cell(status, self.look.accent, bold=True)], *([Cell(line)] for line in said)])

    def _show_warning(self) -> None:
        """Show failures to save until they end."""
        failures = self.session.save_failures
        widget = self.query_one("#warning", Lines)
        self._open(widget, bool(failures))
        text = warning_text(failures, max(self.size.width - 2, 10))
        widget.show([[Cell(text, self.look.last, bold=True, reverse=self.look.colorless)]])

    def _show_tips(self, width: int) -> None:
        widget = self.query_one("#tips", Lines)
        lines: list[list[Cell]] = []
        session = self.session
        if self.tips_wanted and not session.is_over and not session.engine_due:
            tips = self.advice.tips()
            choices, final = ([], False) if tips is None else (tips.choices, tips.last)
            lines = [[Cell(tip_heading(choices, session.to_move, self.look, last=final))]]
            if tips is not None:
                lines += tip_lines(tips.choices, session.to_move, self.look, width)
        room = self._side_room()
        self._open(widget, min(len(lines) + 1, max(room // 2, 4), room - self._graph_height) if lines else 0)
        widget.show(lines)

    def _show_graph(self, width: int) -> None:
        widget = self.query_one("#graph", Lines)
        height = self._graph_height
        self._open(widget, height)
        if height:
            widget.show(graph_lines(self.advice.values.of(self.session.game), self.look, width, height))

    @property
    def _graph_height(self) -> int:
        """The lines of the graph: at least a heading, one up, one down, and the axis where the theme has one."""
        least = 4 if self.look.colorless or not self.tips_wanted else 3
        return min(_GRAPH_HEIGHT, max(self._side_room() // 3, least)) if self.graph_wanted else 0

    def _side_room(self) -> int:
        return self.size.height - self._bars_height + 2 - self._words_height - self._players_height

    @property
    def _players_height(self) -> int:
        """A line per player, two with the supply, and a blank line where there is room."""
        lines = 4 if shows_supply(self.session.game) else 2
        return lines + (self.size.height >= _ROOMY)

    @staticmethod
    def _open(widget: Lines, height: int) -> None:
        """Give a widget ``height`` lines, or hide it."""
        if widget.display != bool(height):
            widget.display = bool(height)
        if height and (widget.styles.height is None or widget.styles.height.value != height):
            widget.styles.height = height

    # --- the board

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        self.choose(message.square)

    def choose(self, square: int) -> None:
        """Place a disc, or flip one where people flip discs by hand."""
        session = self.session
        occupied = (session.position.black | session.position.white) >> square & 1
        if self.is_viewing:
            self.refuse()
        elif session.flipping is Flipping.MANUAL and occupied:
            self.do(lambda: session.flip(SQUARES[square]))
        elif session.engine_to_move:
            self.do(lambda: None)
            self.note(f"It is the turn of {self.look.name_of(session.to_move)}, an engine.")
        else:
            self.play(SQUARES[square])

    def refuse(self) -> None:
        """Say how to continue an opened record."""
        self.do(lambda: None)
        self.note("This is a recorded game; press a to continue it from here.")

    def play(self, move: Move) -> None:
        self.do(lambda: self.session.play(move))
