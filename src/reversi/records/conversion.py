"""Games from one form to another: what is written, what is left out and why, and what the new form does not hold.

Every reader goes with every writer, since all of them read into and write from one model. A game that is wrong, or
that the new form cannot have at all, is left out and told; the others lose what :mod:`reversi.records.losses`
names. The result of a game that stops before its end, or was decided otherwise than on the board, is kept as it
was recorded.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reversi.errors import RecordError
from reversi.records.counts import UNDECIDED, board_result
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.eothello import HEADER, write_eothello
from reversi.records.formats.ggf.writer import write_ggf
from reversi.records.formats.obf import write_obf
from reversi.records.formats.pgn.writer import write_record
from reversi.records.formats.sgf.writer import write_sgf
from reversi.records.formats.transcript import write_transcript
from reversi.records.formats.wthor.names import WthorNames
from reversi.records.formats.wthor.writer import write_wthor, wthor_refusal
from reversi.records.losses import CAPABILITIES, losses, lost_tags
from reversi.records.record import Record
from reversi.records.validation.game import validate_entry

__all__ = ["Conversion", "TargetForm", "Trouble", "target_form"]


class TargetForm(enum.Enum):
    """The forms that games are written in."""

    PGN = "pgn"
    TRANSCRIPT = "transcript"
    GGF = "ggf"
    SGF = "sgf"
    WTHOR = "wthor"
    EOTHELLO = "eothello"
    OBF = "obf"


_SUFFIXES: Final = {
    ".pgn": TargetForm.PGN,
    ".txt": TargetForm.TRANSCRIPT,
    ".transcript": TargetForm.TRANSCRIPT,
    ".ggf": TargetForm.GGF,
    ".sgf": TargetForm.SGF,
    ".wtb": TargetForm.WTHOR,
    ".csv": TargetForm.EOTHELLO,
    ".obf": TargetForm.OBF,
}

# With these a game was understood all the same, and its record says what the file says.
_UNDERSTOOD: Final = (Code.RESULT_MISMATCH, Code.WRONG_FLIPS)


def target_form(suffix: str) -> TargetForm | None:
    """The form that the suffix of a file's name stands for, ``None`` for an unknown one."""
    return _SUFFIXES.get(suffix.lower())


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong with a game, or why it cannot be written.

    Attributes:
        entry: the game.
        finding: what is wrong with it, ``None`` for a game that the new form cannot have.
        reason: why it cannot be written; empty where a finding is given.
        left_out: whether the game is left out because of it.
    """

    entry: Entry
    finding: Finding | None
    reason: str
    left_out: bool


class Conversion:
    """Games on their way into one form.

    Args:
        to: the form.
        tell: called with everything that is wrong, when it is met.
        players: for WTHOR, names of players by number that are there already.
        tournaments: for WTHOR, names of tournaments by number that are there already.

    Attributes:
        games: how many games there were.
        written: how many of them were written.
        lost: what those had that the form does not hold, with the number of games.
        lost_tags: the tags among that, other than the players, by their names.
        as_recorded: how many have a result that is not the board's, as they stop before their end.
        names: for WTHOR, the names of players and tournaments that the games refer to, when all are written.
    """

    def __init__(
        self,
        to: TargetForm,
        tell: Callable[[Trouble], None],
        *,
        players: Sequence[str] = (),
        tournaments: Sequence[str] = (),
    ) -> None:
        self.games = 0
        self.written = 0
        self.lost: Counter[str] = Counter()
        self.lost_tags: Counter[str] = Counter()
        self.as_recorded = 0
        self.names: tuple[WthorNames, WthorNames] | None = None
        self._to = to
        self._tell = tell
        self._known = (players, tournaments)

    @property
    def form_name(self) -> str:
        """The new form in words."""
        return "WTHOR" if self._to is TargetForm.WTHOR else CAPABILITIES[self._to.value].name

    def pieces(self, games: Iterable[Entry]) -> Iterator[bytes]:
        """The bytes of the games in the new form, piece by piece; nothing where no game can be written.

        Raises:
            RecordError: too many names for WTHOR.
            InputError: what reading the games raises.
        """
        if self._to is TargetForm.WTHOR:
            yield from self._wthor(games)
            return
        before, between = _FRAMES.get(self._to, ("", ""))
        for text in self._texts(games):
            yield ((between if self.written > 1 else before) + text).encode()

    def _texts(self, games: Iterable[Entry]) -> Iterator[str]:
        write = _WRITERS[self._to]
        for entry in self._good(games):
            try:
                text = write(entry.record, self.written + 1)
            except RecordError as error:
                self._tell(Trouble(entry, None, str(error), left_out=True))
                continue
            lost = losses(entry.record, self._to.value)
            self._count(entry.record, holds_result="results" not in lost)
            self.lost.update(lost)
            self.lost_tags.update(lost_tags(entry.record, self._to.value))
            yield text

    def _wthor(self, games: Iterable[Entry]) -> Iterator[bytes]:
        files = write_wthor(self._writable(games), players=self._known[0], tournaments=self._known[1])
        if self.written:
            self.lost.update(files.lost)
            self.names = files.players, files.tournaments
            yield files.games

    def _writable(self, games: Iterable[Entry]) -> Iterator[Record]:
        for entry in self._good(games):
            reason = wthor_refusal(entry.record)
            if reason is not None:
                self._tell(Trouble(entry, None, reason, left_out=True))
                continue
            self._count(entry.record, holds_result=True)
            yield entry.record

    def _good(self, games: Iterable[Entry]) -> Iterator[Entry]:
        """The games that were understood; what is wrong with any is told."""
        for entry in games:
            self.games += 1
            findings = validate_entry(entry, accept_flips=True).findings
            good = all(finding.code in _UNDERSTOOD for finding in findings)
            for finding in findings:
                self._tell(Trouble(entry, finding, "", left_out=not good))
            if good:
                yield entry

    def _count(self, record: Record, *, holds_result: bool) -> None:
        self.written += 1
        self.as_recorded += holds_result and record.result not in UNDECIDED and board_result(record) is None


_WRITERS: Final[dict[TargetForm, Callable[[Record, int], str]]] = {
    TargetForm.PGN: lambda record, _: write_record(record),
    TargetForm.TRANSCRIPT: lambda record, _: write_transcript(record) + "\n",
    TargetForm.GGF: lambda record, _: write_ggf(record) + "\n",
    TargetForm.SGF: lambda record, _: write_sgf(record),
    TargetForm.EOTHELLO: lambda record, number: write_eothello(record, number) + "\n",
    TargetForm.OBF: lambda record, _: write_obf(record) + "\n",
}
# What stands before the first game, and between two.
_FRAMES: Final = {
    TargetForm.PGN: ("", "\n"),
    TargetForm.SGF: ("", "\n"),
    TargetForm.EOTHELLO: (f"{HEADER}\n", ""),
}
