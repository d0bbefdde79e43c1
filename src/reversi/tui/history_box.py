"""The personal history in a box beside the board; new games are analyzed while it is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reversi.errors import ReversiError
from reversi.openings.book import Books
from reversi.person.history import History
from reversi.person.history_lines import history_lines
from reversi.person.losses import losses_of
from reversi.person.played_game import Losses, PlayedGame
from reversi.tui.dialogs import Reading
from reversi.tui.sentences import printable, sentence
from reversi.tui.thinking import Question, Replied, Thinker, settle


class HistoryBox(Reading):
    """The history of one person."""

    def __init__(self, history: History, player: str, book: Books | None, beside: Callable[[], int]) -> None:
        self._history = history
        self._book = book
        self._player = player
        super().__init__(printable(player) or "You", self._said(), beside)
        self._thinker = Thinker(self.post_message)

    def _said(self, *, analyzing: bool = True) -> list[str]:
        lines = history_lines(self._history, self._player, analyzing=analyzing)
        return lines if self._history.on else [*lines, "The history is off; no more games join it."]

    def on_mount(self) -> None:
        super().on_mount()
        self._analyze()

    def on_unmount(self) -> None:
        self._thinker.close()

    def _analyze(self) -> None:
        """Analyze the latest game that is not analyzed yet."""
        games = reversed(self._history.games)
        game = next((game for game in games if game.player == self._player and game.losses is None), None)
        if game is not None:
            self._thinker.ask(
                Question(
                    partial(losses_of, game, self._book, store=self._history.store()), partial(self._keep, game)
                )
            )

    def on_replied(self, message: Replied) -> None:
        settle(message)

    def _keep(self, game: PlayedGame, losses: Losses | None) -> None:
        if losses is None:
            return
        try:
            self._history.keep_losses(game, losses)
        except (OSError, ReversiError) as error:
            self.show([*self._said(analyzing=False), sentence(printable(str(error)))])
            return
        self.show(self._said())
        self._analyze()
