"""The keys of the screen of a game, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message

from reversi._core import SQUARES, Move, Position
from reversi._system.paths import may_exist
from reversi.errors import GameError, ReversiError
from reversi.game.game import Game
from reversi.records.entry import Entry
from reversi.rules import FLIPPING, Rules, describe
from reversi.session.saving import GameSaver
from reversi.session.sentences import remark_lines
from reversi.session.session import Flipping
from reversi.session.variations import Variation
from reversi.text.counting import counted
from reversi.tui.game_screen import GameScreen
from reversi.tui.keys import BOARD_KEYS, MANUAL_KEYS, key_table
from reversi.tui.sentences import printable, sentence
from reversi.tui.setup import Setup
from reversi.tui.thinking import Reply, Thinker
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.games.database.searching import DatabaseGame
    from reversi.tui.explorer_screen import ExplorerScreen, OpenedGame

MOST_GAMES: Final = 5000
"""Games of a database that a list shows; conditions select them."""


class _GamesRequest:
    """The games of a database that meet conditions: how many, and the first of them.

    Args:
        path: the database.
        asked: the conditions.
        rules: the rules of an opening among them.
    """

    def __init__(self, path: Path, asked: dict[str, str], rules: Rules) -> None:
        self.path = path
        self.asked = asked
        self._rules = rules
        self._cancel = Cancel()

    def think(self) -> tuple[int, list[DatabaseGame]]:
        from reversi.games.database.database import Database
        from reversi.tui.game_list import selection_of

        with Database(self.path) as database, self._cancel.ends(database.interrupt):
            selection = selection_of(self.asked, self._rules)
            return database.count(selection), database.games(selection, limit=MOST_GAMES)

    def cancel(self) -> None:
        self._cancel.cancel()


class _Browsed(Message):
    """The games of the database that were asked for."""

    def __init__(self, reply: Reply) -> None:
        super().__init__()
        self.reply = reply


class PlayScreen(GameScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.keys, key.action, key.meaning, show=False)
        for key in (*BOARD_KEYS, *(key for key in MANUAL_KEYS if key.action == "done"))
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow only leaving while the terminal is too small."""
        return not self.has_class("small") or action in {"quit", "app.interrupt"}

    _browser: Thinker | None = None  # asks the database; made when it is first wanted

    def close_down(self) -> None:
        if self._browser is not None:
            self._browser.close()
        super().close_down()

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
        from reversi.tui.explorer_screen import ExplorerScreen

        return ExplorerScreen(game, self.look, Explorer(self.database, level=self.session.hint_level), keep)

    def open_instead(self, opened: OpenedGame | None) -> None:
        """Put a game of the database on the board."""
        if opened is None:
            self.update()
        else:
            self.leave_game(lambda: self.do(lambda: self.session.load(opened.record, opened.ply)))

    def leave_game(self, act: Callable[[], object]) -> None:
        """Do what puts another game on the board, after a question where a game is in progress."""
        from reversi.tui.dialogs import Confirm

        def answer(sure: bool | None) -> None:
            if sure:
                act()

        session = self.session
        if session.is_over or session.is_replay or not session.has_begun:
            act()
        else:
            question = "Leave this game? It stays saved; reversi play --resume continues it."
            self.app.push_screen(Confirm(question), answer)

    # --- moving

    def action_cursor(self, rows: int, columns: int) -> None:
        self.board.move_cursor(rows, columns)

    def action_next_move(self, step: int) -> None:
        """Move the cursor to the next legal placement, around the board."""
        placements = self.session.position.legal_moves.placements
        squares = [square.index for square in SQUARES if placements >> square.index & 1]
        if not squares or self.session.engine_due:
            return
        now = self.board.cursor
        if step > 0:
            self.board.cursor = next((square for square in squares if square > now), squares[0])
        else:
            self.board.cursor = next((square for square in reversed(squares) if square < now), squares[-1])

    def action_choose(self) -> None:
        """Place or flip a disc at the cursor."""
        self.choose(self.board.cursor)

    def action_skip(self) -> None:
        if self.is_viewing:
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
        if self.is_viewing:
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
            self.go_on()
        else:
            self.pause()

    def _analyze(self) -> None:
        from reversi.session.review import retry
        from reversi.tui.analysis_screen import AnalysisScreen

        game = self.session.game.copy()
        if not len(game):
            self.say("The game has no moves to analyze.")
            return

        def answer(ply: int | None) -> None:
            if ply is None:
                self.update()
                return
            self.do(lambda: retry(self.session, game, ply))
            self.board.cursor = self.first_cursor()

        session = self.session
        screen = AnalysisScreen(
            game,
            self.look,
            session.hint_level,
            book=session.book,
            explorer=lambda shown: self.explorer(shown, session.keep_variation),
            opened=self.open_instead,
        )
        self.app.push_screen(screen, answer)

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
        from reversi.tui.dialogs import Confirm

        if self.is_viewing:
            self.refuse()
            return
        if self.session.is_over:
            self.say("The game is over.")
            return

        def answer(sure: bool | None) -> None:
            if sure:
                self.do(self.session.resign)

        self.app.push_screen(Confirm("Resign this game?"), answer)

    # --- showing

    def say(self, text: str) -> None:
        """Show one note below the board in place of the earlier ones."""
        self.do(lambda: None)
        self.note(text)

    def action_tips(self) -> None:
        """Show or hide the scores of all moves."""
        if not self.tips_wanted and not self.may_help("hints"):
            return
        self.tips_wanted = not self.tips_wanted
        if self.tips_wanted and self.session.is_over:
            self.say("The game is over; tips return when a move is possible.")
        else:
            self.update()

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
        self.say(f"The engine {shown} its evaluation after its moves.")

    def action_marks(self) -> None:
        """Show or hide the marks on legal placements."""
        self.marks_shown = not self.marks_shown
        self.update()

    def action_theme(self, step: int) -> None:
        """Take the next colors, among those that the terminal can show."""
        names = tuple(self.looks)
        if len(names) == 1:
            self.say(f"This terminal shows ASCII only; {self.look.name} is the only theme for it.")
            return
        at = names.index(self.look.name) if self.look.name in names else 0
        failure = self.take_theme(names[(at + step) % len(names)])
        self.say(f"Colors: {self.look.name}, {self.look.title}. {failure}".rstrip())

    def take_theme(self, name: str) -> str:
        """Change the colors and keep them for the next session; return why they are not kept, "" if they are."""
        if name == self.look.name:
            return ""
        self.look = self.looks[name]
        self.app.theme = f"reversi-{name}"
        self.update()
        try:
            self.keep_theme(name)
        except OSError as error:
            return f"Not kept: {error}."
        return ""

    def action_moves_up(self) -> None:
        self.moves.page(1)

    def action_moves_down(self) -> None:
        self.moves.page(-1)

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
        tables = [key_table(BOARD_KEYS), key_table(MANUAL_KEYS)]
        wide = max(len(shown) for table in tables for shown, _ in table)
        board, by_hand = ([f"{shown:<{wide}}  {meaning}" for shown, meaning in table] for table in tables)
        lines = [*board, "", "With discs flipped by hand:", *by_hand]
        self.read("Keys", lines)

    def action_explain(self) -> None:
        """Show in words what is good or bad about the move at the cursor, else about the latest move."""
        if not self.may_help("hints"):
            return
        session, last = self.session, self.session.game.last
        square: Move = SQUARES[self.board.cursor]
        if not session.engine_due and not session.flips_pending and session.position.is_legal(square):
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
        self.app.push_screen(HistoryBox(history, people[0], lambda: self.board.layout_now.size[0]))

    # --- games

    def action_new_game(self) -> None:
        """Ask for the choices of a new game; meanwhile the clocks stand."""
        from reversi.tui.new_game import NewGame

        session = self.session
        stopped = session.clock is not None and session.is_live and not session.is_over
        if stopped:
            session.pause()

        def answer(setup: Setup | None) -> None:
            if setup is None and stopped:
                session.begin()
            if setup is not None:
                failure = self.take_theme(setup.theme) or self._take_name(setup.name)
                self.do(lambda: setup.begin(self.session))
                if failure:
                    self.note(failure)
                self.board.cursor = self.first_cursor()

        self.app.push_screen(NewGame(self.session, self.look.name, tuple(self.looks)), answer)

    def _take_name(self, name: str) -> str:
        """Keep the person's name for the next session; return why it is not kept, "" if it is."""
        try:
            self.keep_name(name)
        except OSError as error:
            return f"Not kept: {error}."
        return ""

    def action_editor(self) -> None:
        from reversi.tui.editor import Editor

        def answer(position: Position | None) -> None:
            if position is not None:
                self.leave_game(lambda: self.do(lambda: self.session.set_position(position)))

        self.app.push_screen(Editor(self.session.position, self.look, self.explorer), answer)

    def action_save(self) -> None:
        from reversi.tui.dialogs import AskText
        from reversi.tui.opening_files import suggested_name

        ask = AskText("Save the game as", suggested_name(self.session), GameSaver(self.session))
        self.app.push_screen(ask, self._said)

    def action_load(self) -> None:
        """Open a game or a position from a file, a database or pasted text."""
        self.leave_game(self._ask_for_game)

    def _ask_for_game(self) -> None:
        """Ask for a file or a text, and list the games of a file that has several."""
        from reversi.tui.dialogs import AskFile
        from reversi.tui.opening_files import listed_games, open_game

        found: list[Entry] = []
        named = ""

        def use(text: str) -> str:
            nonlocal named
            found[:] = listed_games(text, self.session.rules)
            named = text
            return "" if found else open_game(self.session, text)

        def answer(text: str | None) -> None:
            if text == AskFile.DATABASE:
                self._browse_database()
            elif text is not None and found:
                self._choose_game(named, found)
            else:
                self._said(text)

        heading = (
            "Open a file (FILE, FILE#3 for its third game, FILE#3@20 after ply 20), or paste moves or a board"
        )
        self.app.push_screen(AskFile(heading, "", use), answer)

    def _choose_game(self, name: str, entries: list[Entry]) -> None:
        from reversi.tui.game_list import GameList, record_lines
        from reversi.tui.opening_files import MOST_LISTED, open_game

        def answer(at: int | None) -> None:
            if at is not None:
                self.do(lambda: open_game(self.session, f"{name}#{entries[at].number}"))

        first = "the first " if len(entries) == MOST_LISTED else ""
        heading = f"{printable(name)}: {first}{counted(len(entries), 'game')}"
        self.app.push_screen(GameList(heading, record_lines(entries)), answer)

    def _browse_database(self, asked: dict[str, str] | None = None) -> None:
        """Ask which games of the database to list, and open the chosen one."""
        from reversi.tui.game_list import AskFilter

        path = self.database
        if path is None or not may_exist(path):
            where = "" if path is None else f"{path}: "
            self.say(f"{where}no database; reversi db import PATH... makes it from your game files.")
            return

        def answer(games_asked: dict[str, str] | None) -> None:
            if games_asked is not None:
                self.say(f"Looking for games{self.look.ellipsis}")
                self._browser = self._browser or Thinker(lambda reply: self._post(_Browsed(reply)))
                self._browser.ask(_GamesRequest(path, games_asked, self.session.rules))

        self.app.push_screen(AskFilter(asked or {}, self.session.rules), answer)

    def _post(self, message: Message) -> None:
        """Post a message to the screen; the thread that asks the database calls this."""
        self.post_message(message)

    @on(_Browsed)
    def _use_games(self, message: _Browsed) -> None:
        """List the games that the database has, and open the chosen one."""
        from reversi.games.database.database import Database
        from reversi.tui.game_list import GameList, database_lines, words_of

        reply = message.reply
        if reply.error is not None:
            if not isinstance(reply.error, ReversiError | OSError):
                raise reply.error
            self.say(sentence(str(reply.error)))
            return
        self.say("")
        if self.app.screen is not self:
            return  # something else was opened meanwhile
        request = reply.request
        assert isinstance(request, _GamesRequest)
        count, games = reply.result

        def chosen(at: int | None) -> None:
            if at is None:
                self._browse_database(request.asked)
                return
            with Database(request.path) as database:
                record = database.record(games[at].id)
            self.do(lambda: self.session.load(record))

        first = f"; the first {len(games)}" if len(games) < count else ""
        about = f", {words_of(request.asked)}" if request.asked else ""
        self.app.push_screen(GameList(f"{counted(count, 'game')}{about}{first}", database_lines(games)), chosen)

    def _said(self, text: str | None) -> None:
        if text:
            self.say(text)

    # --- leaving

    def action_quit(self) -> None:
        self.app.exit(False)
