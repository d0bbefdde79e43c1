"""The commands of the line dialogue: what it does for each word of `reversi.cli.play.play_vocabulary`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from reversi._core import PASS, Move, Position, Square
from reversi.arguments import excerpt
from reversi.cli.console import reason
from reversi.cli.play import dialogue_lines as lines
from reversi.cli.play.play_vocabulary import VOCABULARY, WORDS
from reversi.color import Color
from reversi.engine.levels import AUTO, parse_level
from reversi.errors import GameError, IllegalMoveError, InputError, InvalidMoveError
from reversi.person.history_keeper import HistoryKeeper
from reversi.records.record import format_record
from reversi.rules import FLIPPING, describe, parse_rules
from reversi.session.players import HUMAN, engine_side
from reversi.session.saving import save_game
from reversi.session.sentences import LEAVE, remark_lines
from reversi.session.session import Session
from reversi.solver.solution import MoveScore
from reversi.text.board_drawing import format_diagram
from reversi.text.transcripts import typed_move, typed_moves

if TYPE_CHECKING:
    from reversi.cli.play.review import Review
    from reversi.inputs.input import Input

_HINTS: Final = 3
_REMARKS: Final = 4


class Commands:
    """The commands of a dialogue. `reversi.cli.play.dialogue.Dialogue` describes the arguments."""

    def __init__(
        self,
        session: Session,
        *,
        say: Callable[[str], None],
        sure: Callable[[str], bool] | None = None,
        quiet: bool,
        level: int | str,
        results: HistoryKeeper | None = None,
    ) -> None:
        self.session = session
        self.board_due: bool = True
        """Whether the board has changed since the dialogue showed it."""
        self._say = say
        self._sure = sure
        self._quiet = quiet
        self._results = results
        self._engine = next((side for side in session.sides.values() if side.is_engine), engine_side(level))
        self._commands: Final[dict[str, Callable[[str], None]]] = {
            word.name: getattr(self, f"_{word.name}") for word in WORDS if word.name != "quit"
        }

    def run(self, name: str, argument: str) -> None:
        """Run the command ``name`` with the rest of its line.

        Raises:
            GameError: the game does not allow it.
            InputError: the rest of the line is not what the command takes.
            IllegalMoveError: a move is not legal.
            OSError: a file cannot be read or written.
        """
        word = VOCABULARY.find(name)
        if argument and word is not None and not word.arguments:
            raise InputError(f"{name} takes no argument, not {excerpt(argument)}")
        self._commands[name](argument)

    # --- moves

    def _undo(self, argument: str) -> None:
        self.session.undo(_count(argument, 1))

    def _redo(self, argument: str) -> None:
        self.session.redo(_count(argument, 1))

    def _go(self, _: str) -> None:
        if not self.session.engine_to_move:
            self.session.use_help("hints")
        self.session.go()

    def _pause(self, _: str) -> None:
        self.session.pause()
        self._say(lines.PAUSED)

    def _continue(self, _: str) -> None:
        self.session.begin()
        self.board_due = True

    def _play(self, argument: str) -> None:
        try:
            self.session.play_line(typed_moves(argument))
        except InvalidMoveError as error:
            raise InputError(f"{excerpt(error.text)} is not a move; write play f5d6") from None
        except IllegalMoveError as error:
            raise InputError(f"{error.text}: {error.reason}") from None

    def _resign(self, _: str) -> None:
        self.session.resign()

    # --- advice

    def _hint(self, argument: str) -> None:
        self.session.use_help("hints")
        for choice in self.session.hint(_count(argument, _HINTS)):
            self._say(lines.hint_line(choice, self.session.position))

    def _explain(self, argument: str) -> None:
        self.session.use_help("hints")
        position = self.session.position
        if not argument:
            choices = self.session.hint(_HINTS)
            for choice in choices:
                self._say(lines.hint_line(choice, position))
                self._remarks(position, choice.move, choices[0], choice.pv[1:])
            return
        try:
            move = typed_move(argument)
        except InvalidMoveError:
            raise InputError(f"{excerpt(argument)} is not a move; write explain f5") from None
        if not position.is_legal(move):
            raise GameError(lines.why_not(position, move))
        choices = self.session.hint(_HINTS)
        scored = next((choice for choice in choices if choice.move == move), None)
        unscored = f"{move!s:3} is not among the best {_HINTS}"
        self._say(unscored if scored is None else lines.hint_line(scored, position))
        self._remarks(position, move, choices[0], () if scored is None else scored.pv[1:])

    def _remarks(self, position: Position, move: Move, best: MoveScore, line: Iterable[Move]) -> None:
        said = remark_lines(position, move, _REMARKS, better=best.move, line=line, better_line=best.pv[1:])
        self._say("\n".join(f"    {text}" for text in said))

    @cached_property
    def _review(self) -> Review:
        from reversi.cli.play.review import Review  # few games are analyzed, and it loads the analysis

        history = self._results.history if self._results else None
        return Review(self.session, self._say, history, graph=not self._quiet)

    def _analyze(self, argument: str) -> None:
        self._review.analyze(parse_level(argument) if argument else None)

    def _mistakes(self, _: str) -> None:
        self._review.mistakes()

    def _retry(self, argument: str) -> None:
        self._review.retry(_count(argument, 1) if argument else None)

    # --- discs flipped by hand

    def _flip(self, argument: str) -> None:
        if argument.lower() == "all":
            self.session.flip_all()
            return
        words = argument.lower().replace(",", " ").split()
        color = None
        if words and words[0] in ("black", "white"):
            color = Color.BLACK if words.pop(0) == "black" else Color.WHITE
        if not words:
            raise InputError("flip needs squares or all, as in flip e5 d5")
        self.session.flip(*(_square(word) for word in words), color=color)

    def _done(self, _: str) -> None:
        self.session.finish_flips()
        self.board_due = True

    # --- showing

    def asked(self) -> Color:
        session, game = self.session, self.session.game
        waits = game.is_over or game.must_pass or session.sides[game.to_move].is_engine
        return session.to_move if waits else game.to_move

    def diagram(self) -> str:
        """Return the board with the legal moves of the player whom the prompt asks."""
        session = self.session
        marks = (
            ()
            if session.game.is_over or self.asked() is not session.game.to_move
            else session.position.legal_moves
        )
        return format_diagram(session.position, marks=marks)

    def _moves(self, _: str) -> None:
        self._say(lines.board_words(self.session.position, "moves"))

    def _last(self, _: str) -> None:
        last = self.session.game.last
        self._say("No turn yet." if last is None else lines.ply_line(last))

    def _count(self, _: str) -> None:
        self._say(lines.board_words(self.session.position, "count"))

    def _read(self, argument: str) -> None:
        self._say(lines.board_words(self.session.position, f"read {argument}"))

    def _board(self, _: str) -> None:
        self.board_due = True
        if self._quiet:
            self._say(f"{self.diagram()}\n{lines.status_line(self.session)}")

    def _clock(self, _: str) -> None:
        self._say("This game is untimed." if self.session.clock is None else f"{lines.clock_line(self.session)}.")

    def _rules(self, _: str) -> None:
        self._say(f"{self.session.rules}\n{FLIPPING}\n{describe(self.session.rules)}")

    def _record(self, _: str) -> None:
        self._say(format_record(self.session.record()).rstrip("\n"))

    def _help(self, _: str) -> None:
        self._say(VOCABULARY.help_text())

    # --- other games and players

    def _new(self, argument: str) -> None:
        rules = parse_rules(argument) if argument else None
        self.session.new_game(rules)

    def _opening(self, argument: str) -> None:
        if not argument:
            raise InputError("opening needs a name, as in opening tiger")
        from reversi.openings.games import opening_game

        game, name = opening_game(Position(self.session.rules), argument)
        self.session.new_game(game, opening=name)

    def _xot(self, argument: str) -> None:
        if argument and not (argument.isascii() and argument.isdigit() and len(argument) <= 20):
            raise InputError(f"{excerpt(argument)} is not a whole number from 0 up")
        seed = int(argument) if argument else self.session.seed + self.session.games
        from reversi.openings.games import drawn_game

        game = drawn_game(Position(self.session.rules), seed)
        self.session.new_game(game)

    def _setboard(self, argument: str) -> None:
        if not argument:
            raise InputError("setboard needs a board: 64 characters and the side to move")
        from reversi.inputs.input import parse_position

        position = parse_position(argument, self.session.rules)
        if self._leaves():
            self.session.set_position(position)

    def _leaves(self) -> bool:
        """Return whether another game may take the place of this one: a person decides about one in progress."""
        return self._sure is None or not self.session.in_progress or self._sure(LEAVE)

    def _open(self, argument: str) -> None:
        if not argument:
            raise InputError("open needs a file, as in open games.pgn#3@20, or a game as text")
        from reversi.session.opening import given

        try:
            self._show(given(argument, self.session.encoding))
        except OSError as error:
            raise InputError(f"{argument}: {reason(error)}") from None

    def open_pasted(self, text: str) -> bool:
        """Open a text that is no command; return false where it is no game or position either.

        Raises:
            InputError: something is wrong with it, or nobody can say whether to leave the present game.
        """
        from reversi.inputs.input import MissingInputError
        from reversi.session.opening import given

        with contextlib.suppress(MissingInputError):
            what = given(text, self.session.encoding)
            if not what.path:
                self._show(what, asked=False)
                return True
        return False

    def _show(self, what: Input, *, asked: bool = True) -> None:
        """Put a game or position on the board, after a question where a game is in progress."""
        from reversi.session.opening import open_given, several_games

        what.start(self.session.rules)
        if self._sure is None and self.session.in_progress and not asked:
            raise InputError("this is another game or position; open TEXT leaves the present game for it")
        if self._leaves():
            open_given(self.session, what)
            if several_games(what, self.session.rules):
                self._say("This is the first of several games.")
            if self.session.is_replay:
                self._say(lines.replay_line(self.session))

    def _save(self, argument: str) -> None:
        if not argument:
            raise InputError("save needs a file, as in save game.pgn")
        try:
            self._say(save_game(self.session, argument))
        except InputError:
            raise
        except (OSError, ValueError) as error:
            self._say(str(error))

    def _mode(self, argument: str) -> None:
        session = self.session
        if argument:
            if argument not in ("0", "1", "2", "3"):
                raise InputError(
                    f"{excerpt(argument)} is not a mode; modes: 0 you play Black, 1 White, 2 neither, 3 both"
                )
            humans = {"0": (Color.BLACK,), "1": (Color.WHITE,), "2": (), "3": tuple(Color)}[argument]
            person = next((side for side in session.sides.values() if not side.is_engine), HUMAN)
            for color in Color:
                session.set_side(color, person if color in humans else self._engine)
            if self._results is not None:
                self._results.adapt()
        self._say(lines.greeting(session))

    def _level(self, argument: str) -> None:
        session = self.session
        if argument:
            self._engine = engine_side(AUTO if argument.lower() == AUTO else parse_level(argument))
            for color, side in session.sides.items():
                if side.is_engine:
                    session.set_side(color, self._engine)
            if self._results is not None:
                self._results.adapt()
            self._engine = next((side for side in session.sides.values() if side.is_engine), self._engine)
        self._say(f"Engine: {str(self._engine).removeprefix('engine ')}.")


def _square(word: str) -> Square:
    move = Move.parse(word)
    if move == PASS or not isinstance(move, Square):
        raise InputError(f"{excerpt(word)} is not a square")
    return move


def _count(text: str, default: int) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text)):
        raise InputError(f"{excerpt(text)} is not a whole number from 1 to 9999")
    return int(text)
