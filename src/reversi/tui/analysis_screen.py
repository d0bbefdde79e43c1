"""The screen of an analyzed game: step through it, look at mistakes and best lines, try again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.message import Message
from textual.screen import Screen

from reversi._core import SQUARES, Move, Position
from reversi.analysis.analysis import Analysis, AnalyzedTurn
from reversi.analysis.exercises.making import MIN_LOSS
from reversi.analysis.turning_points import turning_points
from reversi.engine.engine import Engine
from reversi.errors import IllegalMoveError
from reversi.game.game import Game, continued
from reversi.person.game_review import GameReview
from reversi.solver.solution import MoveScore
from reversi.text.counting import counted
from reversi.text.widths import cut
from reversi.tui.advice import Tips
from reversi.tui.analysis_lines import (
    mistake_lines,
    place_lines,
    played_lines,
    ply_at,
    summary_lines,
    trial_lines,
    turn_lines,
    whole,
)
from reversi.tui.board_drawing import Cell
from reversi.tui.board_screen import BoardScreen, copies_of
from reversi.tui.board_widget import BoardWidget
from reversi.tui.graph import Scale
from reversi.tui.keys import ANALYSIS_KEYS, Key
from reversi.tui.themes import BoardTheme
from reversi.tui.thinking import Question, Thinker
from reversi.tui.widgets import Lines
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.tui.explorer_screen import OpenedGame

_GRAPH_HEIGHT: Final = 8
_LESSON: Final = 10
"""Steps of a lesson at most."""


class _Progressed(Message):
    """Another turn is analyzed."""

    def __init__(self, turn: AnalyzedTurn) -> None:
        super().__init__()
        self.turn = turn


class AnalysisScreen(BoardScreen[int]):
    """An analysis of a game, which runs in the background; it returns the ply to try again, or `None`.

    Args:
        review: the game, and how it is analyzed: quickly first, then deeper from its turning points on.
        opened: what becomes of a game of the database that the explorer opens.
    """

    DEFAULT_CSS: ClassVar[str] = """
    AnalysisScreen #turn { height: 6; }
    AnalysisScreen #graph { height: 0; }
    AnalysisScreen #sides { height: 3; }
    AnalysisScreen #mistakes { height: 1fr; }
    AnalysisScreen #words { height: 1; padding: 0 1; }
    """
    KEYS: ClassVar[tuple[Key, ...]] = ANALYSIS_KEYS
    BARS: ClassVar[int] = 3
    SIDE: ClassVar[tuple[str, ...]] = ("turn", "graph", "sides", "mistakes")
    BELOW: ClassVar[tuple[str, ...]] = ("words",)
    TAKEN_BACK: ClassVar[Mapping[str, str]] = {"b": "best_line", "h": "step(1)"}

    def __init__(
        self,
        review: GameReview,
        look: BoardTheme,
        explorer: Callable[[Game], Screen[OpenedGame]] | None = None,
        opened: Callable[[OpenedGame], object] | None = None,
    ) -> None:
        game = review.game
        super().__init__(game.rules.board, look)
        self.review = review
        self._explorer = explorer
        self._opened = opened
        self.analysis: Analysis | None = None
        self.ply: int = len(game)
        """How many plies of the game the board shows."""
        self.line: tuple[Move, ...] = ()
        """The best line on the board; empty while the board shows the game."""
        self._in_line = 0  # moves of the line that the board shows
        self.points: tuple[AnalyzedTurn, ...] = ()
        """The turning points, the worst one first."""
        self._game = game
        self._plies = tuple(game)
        self._level = review.level
        self._done: dict[int, AnalyzedTurn] = {}  # the turns of the analysis that runs
        self._made = ""  # the exercises of this game, in words
        self._maker = Thinker(self.post_message)
        self._thinker = Thinker(self.post_message)
        self.trying: bool = False
        """Whether the line on the board is one that somebody tries."""
        self._list = "mistakes"
        self._first = 0  # the first line of the list that is shown
        self._rows: list[int] = []  # the plies of the lines of the list of mistakes
        self._engines: dict[int, Engine] = {}
        self._values: dict[Position, Tips] = {}  # of positions in which somebody tries a move
        self._trier = Thinker(self.post_message)

    def on_mount(self) -> None:
        self.board.cursor_shown = False
        self._ask(self.review.first_level)
        self.update()

    def on_unmount(self) -> None:
        for thinker in (self._thinker, self._maker, self._trier):
            thinker.close()

    # --- the analysis

    def _ask(self, level: int) -> None:
        self._done = {}

        def progress(turn: AnalyzedTurn) -> None:
            self.post_message(_Progressed(turn))

        def think(cancel: Cancel) -> Analysis:
            return self.review.analyze(level, self.analysis, cancel=cancel, progress=progress)

        self._thinker.ask(Question(think, self._use_analysis))

    @on(_Progressed)
    def _use_turn(self, message: _Progressed) -> None:
        self._done[message.turn.ply] = message.turn
        if message.turn.ply - self.ply in (1, 2) and self.analysis is not None:
            self.update()
        else:
            self._show_words()

    def _use_analysis(self, analysis: Analysis) -> None:
        first, self.analysis = self.analysis is None, analysis
        self.points = self.review.turning_points(analysis)
        if first and self.ply == len(self._plies) and self.points:
            self.ply = self.points[0].ply - 1
        if first and self.review.keeps and self.points:
            self._make(self.points)  # and deepen then
        else:
            self._deepen()
        self.update()

    def _deepen(self) -> None:
        """Begin the next analysis, unless one runs."""
        level = self._thinking_level
        if level is not None and self._thinker.request is None:
            self._ask(level)

    def _make(self, turns: Sequence[AnalyzedTurn]) -> None:
        """Make exercises of turns, in another thread."""

        def made(count: int) -> None:
            of = "this game" if turns is self.points else f"ply {turns[0].ply}"
            say(f"{counted(count, 'exercise')} from {of}." if count else "That move is no mistake.")

        def say(text: str) -> None:
            self._made = text
            self._deepen()
            self.update()

        self._made = ""
        self._maker.ask(Question(lambda cancel: self.review.keep(turns, cancel), made, refused=say))

    # --- trying moves

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        self.try_move(SQUARES[message.square])

    def try_move(self, move: Move) -> None:
        """Try a move that somebody clicks."""
        try:
            self.take([move])
        except IllegalMoveError:
            self._note = f"{move} is not a legal move here."
            self.update()

    def take(self, moves: Sequence[Move]) -> None:
        """Put moves on the board in place of what follows, and ask for the value of the last one."""
        game = continued(self._shown(), moves)
        while game.pass_if_forced():
            pass
        self.line, self.trying = game.moves[self.ply :], True
        self._in_line = len(self.line)
        self._note = ""
        self.update()

    def _tried(self) -> tuple[Position, Move] | None:
        """Return the latest placement of the line that somebody tries, and the position before it."""
        if not self.trying or not self._in_line:
            return None
        at = self._in_line
        while at > 1 and self.line[at - 1].is_pass:
            at -= 1
        return self._position(at - 1), self.line[at - 1]

    def _value(self) -> None:
        """Ask for the values that the screen needs now; first quickly, then as deeply as the analysis."""
        tried = self._tried()
        known = None if tried is None else self._values.get(tried[0])
        if tried is None or (known is not None and known.last):
            self._trier.stop()
            return
        position, level = tried[0], self.review.first_level if known is None else self._level
        engine = self._engines.setdefault(level, Engine(level))

        def use(choices: list[MoveScore]) -> None:
            self._values[position] = Tips(position, choices, level >= self._level)
            self.update()

        hints = Question(lambda cancel: engine.hint(position, 64, cancel=cancel), use, (position, level))
        self._trier.ask_unless_asked(hints)

    @property
    def _thinking_level(self) -> int | None:
        """The level of the analysis that runs or comes next; `None` after the last one."""
        level = None if self.analysis is None else self.analysis.level
        if level is None:
            return self.review.first_level
        return self._level if level != self._level else None

    # --- showing

    def turn(self, later: int = 0) -> AnalyzedTurn | None:
        """Return the analyzed turn that follows the plies on the board, or a later one; `None` without one.

        It is the deepest one that is known.
        """
        ply = self.ply + 1 + later
        try:
            return None if self.analysis is None else self._done.get(ply) or self.analysis.turn(ply)
        except KeyError:
            return None

    def update(self) -> None:
        if not self.is_mounted:
            return
        self.fit()
        self._show_board()
        where = [f"after ply {self.ply} of {len(self._plies)}"]
        if self.line:
            what = f"trial {' '.join(map(str, self.line))}" if self.trying else "best line"
            where.append(f"{what}, ply {self._in_line} of {len(self.line)}")
        elif self.ply + 1 in self._point_plies:
            number = self._point_plies.index(self.ply + 1) + 1
            where.append(f"turning point {number} of {len(self.points)}")
        self.show_title("Review", *where)
        self._value()
        self._show_side(self.side_width, self.size.height - self.BARS)
        self._show_words()
        self.show_keys(ANALYSIS_KEYS)

    def _show_board(self) -> None:
        position = self._position()
        played = self.line[self._in_line - 1] if self._in_line else self._last_move()
        turn = None if self.line else self.turn()
        labels: list[tuple[Move, str]] = []
        marks = 0
        if turn is not None and not turn.forced:
            marks = sum(1 << move.index for move in turn.best if not move.is_pass)
            if not turn.is_best:
                labels.append((turn.move, f"-{turn.loss}"))
        elif self.trying:
            marks = position.legal_moves.placements
        self.show_board(position, marks, played, labels)

    def _position(self, moves: int | None = None) -> Position:
        """Return the position on the board, or that after fewer moves of the line."""
        position = self._plies[self.ply - 1].after if self.ply else self._game.start
        for move in self.line[: self._in_line if moves is None else moves]:
            position = position.play(move)
        return position

    def _last_move(self) -> Move | None:
        return self._plies[self.ply - 1].move if self.ply else None

    def _show_side(self, width: int, height: int) -> None:
        tried = self._tried()
        if tried is None:
            point = self.ply + 1 in self._point_plies
            turn = turn_lines(
                self.turn(),
                self.turn(1),
                self.look,
                width,
                turning_point=point,
                rating=self.review.rating,
                deeper=self._thinking_level if self.ply + 1 in self._done else None,
            )
        else:
            tips = self._values.get(tried[0])
            turn = trial_lines(*tried, None if tips is None else tips.choices, self.look, width)
        least = 4 if height >= 16 else 2  # of the list below
        graph = min(_GRAPH_HEIGHT, max((height - least) // 3, 0))
        graph = graph if graph > 4 else 0
        sides = 3 if height >= 26 else 0
        room = max(min(len(turn) + 1, height - graph - sides - least), 1)
        self._show("turn", whole(turn, room), room)
        self._show("graph", self._graph(width, graph), graph)
        self._show("sides", summary_lines(self.analysis, self.look, width), sides)
        rest = max(height - graph - sides - room, 1)
        if self._list == "moves":
            lines, self._first = played_lines(self._game, self.analysis, self.ply, self.look, width, rest)
        else:
            shown = self._shown_points()
            deeper = None if shown is self.points else self._thinking_level
            lines, self._rows, self._first = mistake_lines(
                shown, self.analysis, self.ply, self.look, width, rest, self._first, deeper
            )
        self.query_one("#mistakes", Lines).show(lines)

    @property
    def _point_plies(self) -> list[int]:
        return [turn.ply for turn in self.points]

    def _shown_points(self) -> Sequence[AnalyzedTurn]:
        """Return the turning points with values of one level: the deeper one where all of them have it."""
        deeper = [self._done[ply] for ply in self._point_plies if ply in self._done]
        return deeper if len(deeper) == len(self.points) else self.points

    def _graph(self, width: int, height: int) -> list[list[Cell]]:
        return place_lines(self.analysis, self._game, self.ply, self.look, width, height) if height else []

    def _show(self, name: str, lines: list[list[Cell]], height: int) -> None:
        widget = self.query_one(f"#{name}", Lines)
        self.open(widget, height)
        widget.show(lines)

    def _show_words(self) -> None:
        level = self._thinking_level
        text = "" if self.analysis is None else f"Level {self.analysis.level}"
        if level is not None:
            done = len(self._done) // 10 * 10  # a screen reader says each number
            progress = f"{done} of {counted(len(self._plies), 'turn')}"
            text = f"{text}{', level ' if text else 'Level '}{level}: analyzing{self.look.ellipsis} {progress}"
        text = " ".join(filter(None, (self._note, self._made, self.review.failure, text)))
        text = cut(text, max(self.size.width - 2, 10), self.look.ellipsis)
        widget = self.query_one("#words", Lines)
        widget.show([[Cell(text, self.look.accent, bold=True)]])
        self.point(widget if self._note else self.query_one("#turn", Lines), 0)

    # --- keys and the mouse

    def go_to(self, ply: int) -> None:
        """Show the game after ``ply`` plies."""
        self.ply = min(max(ply, 0), len(self._plies))
        self._leave_line()

    def _leave_line(self) -> None:
        self.line, self._in_line, self.trying = (), 0, False
        self._note = ""
        self.update()

    @on(Lines.Clicked, "#graph")
    def _graph_clicked(self, message: Lines.Clicked) -> None:
        if self._plies:
            self.go_to(Scale(len(self._plies), self.side_width).ply_at(message.x))

    @on(Lines.Clicked, "#mistakes")
    def _list_clicked(self, message: Lines.Clicked) -> None:
        at = self._first + message.y
        if self._list == "moves":
            ply = ply_at(message.x, at, self._game, self.side_width)
            if ply is not None:
                self.go_to(ply)
        elif at < len(self._rows) and self._rows[at]:
            self.go_to(self._rows[at] - 1)

    def action_step(self, step: int) -> None:
        """Go back or on by a ply, of the line on the board while there is one."""
        self._note = ""
        if self.line:
            self._in_line = min(max(self._in_line + step, 0), len(self.line))
            if self.trying and not self._in_line:
                self._leave_line()
        else:
            self.ply = min(max(self.ply + step, 0), len(self._plies))
        self.update()

    def action_far(self, end: int) -> None:
        if self.line:
            self._in_line = len(self.line) if end else 0
            if self.trying and not end:
                self._leave_line()
        else:
            self.ply = len(self._plies) if end else 0
        self.update()

    def action_turning_point(self, step: int) -> None:
        """Go to the next or previous turning point, the worst one first."""
        plies = self._point_plies
        if plies:
            at = plies.index(self.ply + 1) + step if self.ply + 1 in plies else min(step, 0)
            self._first = 0
            self.go_to(plies[at % len(plies)] - 1)

    def action_mistake(self, step: int) -> None:
        """Go to the next or previous mistake, around the game."""
        plies = [turn.ply - 1 for turn in self.analysis.mistakes] if self.analysis is not None else []
        if plies and step > 0:
            self.ply = next((ply for ply in plies if ply > self.ply), plies[0])
        elif plies:
            self.ply = next((ply for ply in reversed(plies) if ply < self.ply), plies[-1])
        self._leave_line()

    def action_best_line(self) -> None:
        """Put the best line on the board, or the game again."""
        turn = self.turn()
        self.line = () if self.line or turn is None else turn.pv
        self.trying = False
        self._in_line = min(1, len(self.line))
        self.update()

    def action_exercises(self) -> None:
        """Ask the own mistakes of this game as exercises, the turning points first."""
        from reversi.analysis.exercises.drill import Drill, Queue
        from reversi.tui.exercise_screen import ExerciseScreen

        analysis = self.analysis
        if analysis is None or not analysis.complete:
            self._note = "The analysis is not complete yet."
            self.update()
            return
        others = (turn for turn in analysis.turns if turn.mover in self.review.own and turn not in self.points)
        turns = [*self.points, *(turn for turn in others if turn.outcome_changed or turn.loss >= MIN_LOSS)]
        mistakes = partial(self.review.exercises, turns)
        self.app.push_screen(ExerciseScreen(Drill(Queue()), self.look, mistakes))

    def action_exercise(self) -> None:
        """Make an exercise of the move that follows the board."""
        turn = self.turn()
        if self.review.deck is None or turn is None or self._maker.request is not None:
            why = "There is no move to make an exercise of." if turn is None else "Exercises are being made."
            self._note = why if self.review.deck is not None else "There is no collection of exercises here."
            self.update()
        else:
            self._make([turn])

    def action_write(self) -> None:
        """Ask for a file, and write a lesson of the mistakes."""
        from reversi.person.lesson import format_lesson
        from reversi.session.writing import write_new
        from reversi.tui.dialogs import AskText

        turns = () if self.analysis is None else turning_points(self.analysis, self.review.own, _LESSON)
        if not turns:
            self.say("There are no mistakes to make a lesson of.")
            return

        def use(name: str) -> str:
            path = write_new(name, format_lesson(sorted(turns, key=lambda turn: turn.ply)))
            return f"Wrote {counted(len(turns), 'step')} to {path}; reversi learn {path} runs them."

        self.app.push_screen(AskText("Write a lesson to", "lesson.pgn", use), lambda text: self.say(text or ""))

    def action_list(self) -> None:
        """List the mistakes or all moves."""
        self._list = "moves" if self._list == "mistakes" else "mistakes"
        self.update()

    def action_retry(self) -> None:
        if self.ply < len(self._plies):
            self.dismiss(self.ply + 1)
        else:
            self.app.bell()

    def action_explore(self) -> None:
        """Open the explorer for the position on the board."""
        if self._explorer is None:
            return

        def answer(opened: OpenedGame | None) -> None:
            if opened is not None and self._opened is not None:
                self.dismiss(None)
                self._opened(opened)

        self.app.push_screen(self._explorer(self._shown()), answer)

    def _shown(self) -> Game:
        """Return the game up to the position on the board, with the line that somebody looks at."""
        game = self._game.copy()
        game.undo(len(game) - self.ply)
        for move in self.line[: self._in_line]:
            game.play(move)
        return game

    def action_leave(self) -> None:
        """Leave the line on the board, where there is one, else the review."""
        if self.line:
            self._leave_line()
        else:
            super().action_leave()

    def copies(self) -> dict[str, Callable[[], str]]:
        return copies_of(self._shown())
