"""Converting games from one format to another: what is written, left out and lost.

Every reader goes with every writer, since all of them read into and write from one model. A game that is wrong is
reported, and kept where the new format holds it as it was read; one that the format cannot hold at all is reported
and left out. The others lose what `reversi.records.losses` lists. The result of a game that stops early, or was
decided off the board, is kept as it was recorded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reversi.errors import RecordError
from reversi.records.entry import Entry
from reversi.records.findings import UNDERSTOOD, Finding
from reversi.records.formats.format import Format, NameFile, OtherFileError, Writer
from reversi.records.outcome import UNDECIDED
from reversi.records.record import Record
from reversi.records.replay import board_result
from reversi.records.validation.game import findings_of, is_well_formed


@dataclass(frozen=True, slots=True)
class Trouble:
    """A finding about a game, or the reason why it cannot be written.

    Attributes:
        entry: the game.
        finding: what is wrong with the game, ``None`` for a game that the new format cannot hold.
        reason: why the game cannot be written; empty where a finding is given.
        left_out: whether the game is left out because of it.
    """

    entry: Entry
    finding: Finding | None
    reason: str
    left_out: bool


class Conversion:
    """Games on their way into one format.

    Args:
        to: the format.
        report: called with each trouble when it is met.
        players: for WTHOR, names of players that have numbers already.
        tournaments: for WTHOR, names of tournaments that have numbers already.
        keep_wrong: whether a game is kept in which validation finds something.

    Attributes:
        games: the number of games read.
        written: the number of games written.
        lost: what the written games have that the format does not hold, with the number of games.
        lost_tags: the tags among that, other than the players, by name.
        as_recorded: the number of written games that stop early and keep their recorded result.
        names: for WTHOR, the names of players and tournaments that the games refer to, once all are written.
    """

    def __init__(
        self,
        to: Format,
        report: Callable[[Trouble], None],
        *,
        players: Sequence[str] = (),
        tournaments: Sequence[str] = (),
        keep_wrong: bool = True,
    ) -> None:
        self.games: int = 0
        self.written: int = 0
        self.lost: Counter[str] = Counter()
        self.lost_tags: Counter[str] = Counter()
        self.as_recorded: int = 0
        self.names: tuple[NameFile, NameFile] | None = None
        self._to = to
        self._report = report
        self._known = (players, tournaments)
        self._keep_wrong = keep_wrong

    @property
    def format_name(self) -> str:
        """The format in words."""
        return self._to.title

    def pieces(self, games: Iterable[Entry], writer: Writer | None = None) -> Iterator[bytes]:
        """Yield the bytes of the games in the format, piece by piece; nothing where no game can be written.

        Args:
            games: the games.
            writer: takes the games; one for a single file where not given.

        Raises:
            OtherFileError: the format keeps the games in several files.
            RecordError: too many names for WTHOR.
            InputError: what reading the games raises.
        """
        writer = self._to.writer(self._known) if writer is None else writer
        self.lost, self.lost_tags = writer.lost, writer.lost_tags
        for entry in games:
            piece = self._piece(entry, writer)
            if piece:
                yield piece
        if self.written:
            if piece := writer.finish():
                yield piece
            self.names = writer.names

    def _piece(self, entry: Entry, writer: Writer) -> bytes:
        """Write a game if it can be, and report what is wrong with it."""
        self.games += entry.is_game
        record, findings = entry.record, findings_of(entry)
        why, piece = "", b""
        is_kept = not findings or ((self._keep_wrong or entry.cut) and is_well_formed(entry))
        if is_kept:
            try:
                piece = writer.add(record)
            except OtherFileError:
                raise
            except RecordError as error:
                is_kept = False
                why = "" if any(finding.code not in UNDERSTOOD for finding in findings) else str(error)
        for finding in findings:
            self._report(Trouble(entry, finding, "", left_out=not is_kept))
        if why:
            self._report(Trouble(entry, None, why, left_out=True))
        if is_kept:
            self.written += 1
            off_board = record.result not in UNDECIDED and board_result(record) is None
            self.as_recorded += off_board and not self._loses_result(record)
        return piece

    def _loses_result(self, record: Record) -> bool:
        is_lost = self._to.holds.lost.get("results")
        return is_lost is not None and is_lost(record)
