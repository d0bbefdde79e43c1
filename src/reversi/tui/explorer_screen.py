"""The explorer beside the board: what the engine, the book and a database say about every move; trial lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final, NamedTuple

from textual import on
from textual.message import Message
from textual.timer import Timer

from reversi._core import SQUARES, Move, Position
from reversi.engine.levels import MAX_LEVEL
from reversi.errors import GameError, ReversiError
from reversi.explorer.explorer import Explorer
from reversi.explorer.table import Column, ExplorerRow, ExplorerTable
from reversi.explorer.trial import Trial
from reversi.game.game import Game
from reversi.games.exploring import ply_at
from reversi.records.record import Record
from reversi.score import short_score
from reversi.session.variations import Variation
from reversi.text.counting import counted
from reversi.text.widths import cut, wrapped
from reversi.tui.board_drawing import Cell
from reversi.tui.board_screen import BoardScreen, copies_of, last_placement
from reversi.tui.board_widget import BoardWidget
from reversi.tui.explorer_lines import column_at, detail_lines, state_text, table_lines
from reversi.tui.keys import EXPLORER_KEYS, Key
from reversi.tui.sentences import printable, sentence
from reversi.tui.themes import BoardTheme
from reversi.tui.thinking import Question, Thinker
from reversi.tui.widgets import Lines
from reversi.work.cancel import Cancel

_DETAILS: Final = 7
_PACE: Final = 0.1
"""Seconds between two drawings of deeper values."""
_STEP: Final = 4
"""Levels that the engine looks deeper with every request."""


class OpenedGame(NamedTuple):
    """A game of the database that somebody wants to see, and the ply at which."""

    record: Record
    ply: int


def _reach(table: ExplorerTable) -> tuple[int, int]:
    """Return how deep the values of a table are, and how sure; a greater one says more."""
    score = table.basis
    return (-1, 0) if score is None else (score.depth, score.confidence or 0)


class _Found(Message):
    def __init__(self, question: Question, table: ExplorerTable) -> None:
        super().__init__()
        self.question = question
        self.table = table

    def can_replace(self, message: Message) -> bool:
        """Return whether a later table of the same position makes this one, still in the queue, superfluous."""
        return isinstance(message, _Found) and message.question is self.question


class ExplorerScreen(BoardScreen[OpenedGame]):
    """The explorer of a game; the game does not change. It returns a game to open instead, or ``None``.

    Args:
        game: the game, at the position to begin with.
        explorer: makes the tables; the screen closes it.
        keep: keeps a line as a variation of the game, or raises GameError; ``None`` where no game is behind it.
    """

    DEFAULT_CSS: ClassVar[str] = """
    ExplorerScreen #table { height: 1fr; }
    ExplorerScreen #details { height: 7; }
    ExplorerScreen #words { height: 2; padding: 0 1; }
    """
    KEYS: ClassVar[tuple[Key, ...]] = EXPLORER_KEYS
    SIDE: ClassVar[tuple[str, ...]] = ("table", "details")
    BELOW: ClassVar[tuple[str, ...]] = ("words",)
    TAKEN_BACK: ClassVar[Mapping[str, str]] = {"h": "step(1)"}

    def __init__(
        self,
        game: Game,
        look: BoardTheme,
        explorer: Explorer,
        keep: Callable[[Variation], None] | None = None,
    ) -> None:
        super().__init__(game.rules.board, look)
        self.trial: Trial = Trial(game)
        self.table: ExplorerTable | None = None
        """The best table of the position so far."""
        self.column: Column = Column.VALUE
        self.filter: dict[str, str] = {}
        self._explorer = explorer
        self._keep = keep
        self._chosen: Move | None = None  # None: the first row
        self._first = 0  # the first row that is shown
        self._thinker = Thinker(self.post_message)
        self._question: Question | None = None
        self._soon: Timer | None = None  # draws what came since

    def on_mount(self) -> None:
        self.board.cursor_shown = False
        self._look()

    def on_unmount(self) -> None:
        self._thinker.close()
        self._explorer.close()

    # --- thinking

    def _look(self) -> None:
        """Ask about the position on the board; what is under way stops at once."""
        self.table = None
        self._chosen = None
        self._ask()

    def _ask(self) -> None:
        position = self.trial.position

        def progress(table: ExplorerTable) -> None:
            self.post_message(_Found(question, table))

        def think(cancel: Cancel) -> None:
            self._explorer.explore(position, cancel=cancel, progress=progress)

        self._question = question = Question(think, lambda _: None, refused=self.say)
        self._thinker.ask(question)
        self.update()

    @on(_Found)
    def _use_table(self, message: _Found) -> None:
        if message.question is self._question:
            if self.table is not None and not message.table.last and _reach(message.table) < _reach(self.table):
                return  # a deeper search of the same position begins: its first tables say less
            first, self.table = self.table is None, message.table
            if first or self.table.last:
                self.update()
            elif (
                self._soon is None
            ):  # the first depths end within milliseconds: keys must not wait for all of them
                self._soon = self.set_timer(_PACE, self.update)

    # --- showing

    @property
    def rows(self) -> tuple[ExplorerRow, ...]:
        """The rows in the order in which they are shown."""
        return () if self.table is None else self.table.sorted_by(self.column)

    @property
    def at(self) -> int:
        """The number of the chosen row."""
        return next((at for at, row in enumerate(self.rows) if row.move == self._chosen), 0)

    def update(self) -> None:
        if not self.is_mounted:
            return
        if self._soon is not None:
            self._soon.stop()
            self._soon = None
        self.fit()
        self._show_names()
        self._show_board()
        self._show_table()
        self._show_words()
        self.show_keys(
            EXPLORER_KEYS if self._keep is not None else [k for k in EXPLORER_KEYS if k.action != "keep"]
        )

    def _show_names(self) -> None:
        trial = self.trial
        parts = ["Explore"]
        if self.table is not None and self.table.opening is not None:
            parts.append(f"{self.table.opening} opening")
        place = f"after ply {trial.common}" if trial.line else f"after ply {len(trial.game)}"
        parts.append(place)
        if trial.line:
            parts.append(f"trial {' '.join(map(str, trial.line))}")
        self.show_title(*parts)

    def _show_board(self) -> None:
        position = self.trial.position
        rows = self.rows
        chosen = rows[self.at].move if rows else None
        marks = sum(1 << row.move.index for row in rows if not row.move.is_pass)
        labels = ((row.move, short_score(row.value.score)) for row in rows if row.value is not None)
        self.show_board(position, marks, last_placement(self.trial.game), labels)
        self.board.cursor_shown = chosen is not None and not chosen.is_pass
        if chosen is not None and not chosen.is_pass:
            self.board.cursor = chosen.index

    def _show_table(self) -> None:
        width, rows = self.side_width, self.rows
        height = max(self.size.height - self.BARS, 2)
        details = min(_DETAILS, max(height - len(rows) - 2, 0)) if height < 16 else _DETAILS
        widget = self.query_one("#details", Lines)
        self.open(widget, details)
        if self.table is None or not rows:
            result = self.trial.position.result
            self.query_one("#table", Lines).show(
                [[Cell("" if result is None else f"The game is over: {result}.")]]
            )
            widget.show([])
            return
        lines, self._first = table_lines(
            self.table, rows, self.at, self.column, self.look, width, max(height - details, 2)
        )
        self.query_one("#table", Lines).show(lines)
        problem, most = wrapped(printable(self.table.problem), max(width, 10)), max(details - 1, 1)
        if len(problem) > most:  # the name of a file loses its end: the way out comes after it
            first = cut("".join(problem), max(width, 10), self.look.ellipsis)
            problem = [first, *problem[len(problem) - most + 1 :]]
        said = detail_lines(rows[self.at], self.look, width, details - 1 - len(problem))
        widget.show([[Cell("")], *said, *([Cell(line)] for line in problem)])

    def _show_words(self) -> None:
        width = max(self.size.width - 2, 10)
        state = "" if self.table is None else state_text(self.table, self.look)
        text = self._note
        if self.filter:
            from reversi.tui.game_list import words_of

            state = f"{state}; only {words_of(self.filter)}"
        second = wrapped(printable(text), width, most=1) or [""]
        state = cut(state, width, self.look.ellipsis)
        widget = self.query_one("#words", Lines)
        widget.show([[Cell(state, self.look.accent, bold=True)], [Cell(second[0])]])
        self.point(widget, bool(text))

    # --- moves

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        self._play(SQUARES[message.square])

    @on(Lines.Clicked, "#table")
    def _clicked(self, message: Lines.Clicked) -> None:
        rows = self.rows
        if not message.y:
            games = self.table is not None and self.table.exploration is not None
            people = any(row.people is not None for row in rows)
            column = column_at(message.x, self.side_width, games=games, people=people)
            if column is not None:
                self.column = column
                self.update()
        elif 0 <= (at := self._first + message.y - 1) < len(rows):
            self._play(rows[at].move)

    def action_choose(self, step: int) -> None:
        rows = self.rows
        if rows:
            self._chosen = rows[(self.at + step) % len(rows)].move
            self.update()

    def action_play(self) -> None:
        if self.rows:
            self._play(self.rows[self.at].move)

    def _play(self, move: Move) -> None:
        self._note = ""
        try:
            self.trial.play(move)
        except ReversiError as error:
            self.say(sentence(str(error).partition("; legal")[0]))
            return
        self._look()

    def take(self, moves: Sequence[Move]) -> None:
        self.trial.play_all(moves)
        self._note = ""
        self._look()

    def copies(self) -> dict[str, Callable[[], str]]:
        return copies_of(self.trial.game)

    def action_step(self, step: int) -> None:
        self._note = ""
        if self.trial.back() if step < 0 else self.trial.forward():
            self._look()

    def action_home(self) -> None:
        self._note = ""
        self.trial.home()
        self._look()

    # --- the table

    def action_order(self, step: int) -> None:
        columns = tuple(Column)
        self.column = columns[(columns.index(self.column) + step) % len(columns)]
        self.say(f"Sorted by {self.column}.")

    def action_deeper(self) -> None:
        if self._explorer.level < MAX_LEVEL:
            self._explorer.level = min(self._explorer.level + _STEP, MAX_LEVEL)
            self._note = f"The engine looks as deeply as level {self._explorer.level}."
            if self.table is not None:
                self.table = replace(self.table, last=False)
            self._ask()

    def action_keep(self) -> None:
        """Keep the line as a variation."""
        if self._keep is None:
            return
        try:
            self._keep(self.trial.variation)
        except GameError as error:
            self.say(sentence(str(error)))
        else:
            self.say("The line is kept: the saved game has it as a variation.")

    def action_filter(self) -> None:
        from reversi.tui.game_list import AskFilter, selection_of

        def answer(asked: dict[str, str] | None) -> None:
            if asked is not None and asked != self.filter:
                self.filter = asked
                self._explorer.selection = selection_of(asked, self.trial.position.rules)
                self._ask_again()

        self.app.push_screen(AskFilter(self.filter, self.trial.position.rules), answer)

    def _ask_again(self) -> None:
        self._note = ""
        self.table = None
        self._ask()

    def action_games(self) -> None:
        """List the games that passed here; the chosen one is opened at this ply."""
        self._question, position = None, self.trial.position
        self._thinker.ask(
            Question(
                lambda cancel: self._explorer.games(position, cancel=cancel),
                lambda games: self._list_games(games, position),
                refused=self.say,
            )
        )
        self.say(f"Looking for games{self.look.ellipsis}")

    def _list_games(self, games: list[Record], position: Position) -> None:
        from reversi.tui.game_list import GameList, record_lines

        def answer(at: int | None) -> None:
            if at is None:
                self._ask_again()
            else:
                self.dismiss(OpenedGame(games[at], ply_at(games[at], position)))

        if games:
            found = None if self.table is None else self.table.exploration
            all_games = len(games) if found is None else found.games
            first = f"; the first {len(games)}" if len(games) < all_games else ""
            heading = f"{counted(all_games, 'game')} that passed here{first}"
            self.app.push_screen(GameList(heading, record_lines(games)), answer)
        else:
            self._ask_again()
            self.say("No game of the database passed here.")
