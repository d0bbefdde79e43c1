"""Validation at scale: files and folders of games, checked with several workers, reported in the order of the
input.

Games in WTHOR are replayed in the compiled core, a thousand in a call, in threads: the interpreter is free
meanwhile. Games as text are read and judged one by one; long texts are cut between games, and the pieces go to
processes. What is found is the same for any number of workers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import BinaryIO, Final, TypeAlias

from reversi._system.paths import STANDARD_INPUT, source_name
from reversi.arguments import MAX_THREADS, FilePath, check_count, check_type
from reversi.errors import InputError
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding, game_finding_line
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import read_games, recognize
from reversi.records.formats.tables.table import TableOptions
from reversi.records.formats.wthor.names import load_wthor_names, parse_wthor_names
from reversi.records.formats.wthor.reader import WthorGames, is_hole, player_names
from reversi.records.formats.wthor.wthor_format import FORMAT as WTHOR
from reversi.records.sources.cutting import PIECE_CHARS, CutError, Piece, cut_text
from reversi.records.sources.finding import FoundFile, find_files
from reversi.records.sources.kinds import FileKind
from reversi.records.sources.opening import GameSource, open_source, why_skipped
from reversi.records.validation.checked import PartChecked, StoppedGame
from reversi.records.validation.game import Counts, ValidationSummary
from reversi.records.validation.pieces import check_entries, check_piece
from reversi.records.validation.wthor import check_wthor_games
from reversi.rules import OTHELLO, Rules
from reversi.work.here import Here
from reversi.work.jobs import Call, Job
from reversi.work.processes import Processes, WorkerDied
from reversi.work.threads import Threads
from reversi.work.workers import Workers

ENOUGH_CHARS: Final = 1 << 22
"""The characters of text from which processes are started: a few seconds' work."""

_AHEAD: Final = 3  # pieces for each worker that wait or are being worked on
_STREAM: Final = 200  # games between two looks at what was found, where a text is not cut


@dataclass(frozen=True, slots=True)
class GameFinding:
    """A finding, and the game it is about.

    Attributes:
        path: the file, ``-`` for standard input.
        game: the number of the game in the file, from 1.
        black: the name of the player who has Black.
        white: the name of the player who has White.
        finding: what was found.
    """

    path: str
    game: int
    black: str
    white: str
    finding: Finding

    def __str__(self) -> str:
        return game_finding_line(source_name(self.path), self.game, self.black, self.white, self.finding)

    def as_json(self) -> dict[str, object]:
        """Return the finding as the JSON of ``record validate`` has it."""
        finding = self.finding
        return {
            "file": self.path,
            "game": self.game,
            "ply": finding.ply,
            "line": finding.line,
            "code": str(finding.code),
            "message": finding.message,
        }


@dataclass(frozen=True, slots=True)
class StoppedEarly:
    """A valid game that stops before its end.

    Attributes:
        path: the file, ``-`` for standard input.
        game: the number of the game in the file, from 1.
        black: the name of the player who has Black.
        white: the name of the player who has White.
        plies: how many turns it has, passes included.
        result: as recorded.
        ended_early: whether the record gives a result or a reason; else it is unfinished.
    """

    path: str
    game: int
    black: str
    white: str
    plies: int
    result: str
    ended_early: bool

    def __str__(self) -> str:
        place = f"{source_name(self.path)}:game {self.game} ({self.black}–{self.white})"
        how = "ended early" if self.ended_early else "unfinished"
        return f"{place}: {how} after {self.plies} plies; recorded: {self.result}"

    def as_json(self) -> dict[str, object]:
        """Return the game as the JSON of ``record validate`` has it."""
        return {
            "file": self.path,
            "game": self.game,
            "ended_early" if self.ended_early else "unfinished": True,
            "plies": self.plies,
            "result": self.result,
        }


@dataclass(slots=True, kw_only=True)
class FileDone(Counts):
    """The counts of a file, at its end.

    Attributes:
        path: the file, ``-`` for standard input.
        hidden: how many of these were counted only: the file was given up.
        names: whether it has names for other files' games instead of games.
        error: what kept the file, or the rest of it, from being read; empty when nothing did.
        missing: whether the file does not exist or may not be read.
        problems: what was wrong beside the games, a line each.
        notes: how its games were read where it does not say so itself, a line each.
        skipped: why the file, found in a folder, is not one of games; empty for one that was read.
    """

    path: str
    hidden: int = 0
    names: bool = False
    error: str = ""
    missing: bool = False
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: str = ""

    def add_to(self, summary: ValidationSummary) -> None:
        """Add the games of the file to a count, and its findings that are counted only."""
        summary.files += self.games > 0
        summary.include(self)
        summary.findings += self.hidden


ValidationEvent: TypeAlias = GameFinding | StoppedEarly | FileDone


class _File:
    def __init__(self, path: str, encoding: str) -> None:
        self.done = FileDone(path=path)
        self._encoding = encoding
        self.whole: Callable[[], Iterator[Entry]] | None = None  # its games, read as one text
        self.split = True  # whether its pieces still begin where games begin
        self.given_up = False
        self.held: list[GameFinding] = []  # while no game of it is valid
        self.codes: Counter[Code] = Counter()  # of these
        self.told: set[str] = set()  # of how it is read
        self._names: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    def players(self, game: bytes) -> tuple[str, str]:
        """Return the names of the players of a game in WTHOR."""
        if self.done.path == STANDARD_INPUT:
            return "?", "?"
        if self._names is None:
            players, tournaments, problems = load_wthor_names(Path(self.done.path), self._encoding)
            self._names = players, tournaments
            self.done.problems += problems
        return player_names(game, self._names[0])


@dataclass(slots=True)
class _Item:
    """A part of a file: what checks it, and the job that does so meanwhile; or the end of the file."""

    file: _File
    parts: Callable[[], Iterator[PartChecked]] | None = None
    job: Job[None, PartChecked] | None = None


class Validation:
    """Checks files of games.

    Args:
        rules: the rules of games that do not name their own.
        format_: what files of text are; recognized for each when not given.
        tables: how tables are read.
        accept_flips: whether flips by hand may break the rules.
        workers: the number of threads or processes. With more than one, a script must do its work under
            ``if __name__ == "__main__":``, as for `multiprocessing`.
        stopped: whether games that stop before their end are reported one by one.
        give_up: the findings of one kind after which a file without a valid game is given up: its ``error`` has
            the first of them and their number. 0 sets no limit.
        stdin: what the path ``-`` reads.
        poll: called now and then with the number of games that are checked.
    """

    def __init__(
        self,
        *,
        rules: Rules = OTHELLO,
        format_: TextFormat | None = None,
        tables: TableOptions | None = None,
        accept_flips: bool = False,
        workers: int = 1,
        stopped: bool = False,
        give_up: int = 0,
        stdin: BinaryIO | None = None,
        poll: Callable[[int], None] | None = None,
    ) -> None:
        check_type("rules", rules, Rules, advice="parse_rules reads text")
        check_type("format_", format_, TextFormat, NoneType, advice="format_named gives one by its name")
        check_type("tables", tables, TableOptions, NoneType)
        self._rules = rules
        self._format = format_
        self._tables = tables or TableOptions()
        self._accept_flips = accept_flips
        check_count("workers", workers, MAX_THREADS)
        check_count("give_up", give_up, least=0)
        self._workers = workers
        self._stopped = stopped
        self._give_up = give_up
        self._stdin = stdin
        self._poll = poll
        self._checked = 0
        self._pending: deque[_Item] = deque()
        self._text = 0
        self.at: FileDone | None = None
        """The file that the last event is about, its count up to there."""

    def check(self, paths: Iterable[FilePath]) -> Generator[ValidationEvent, None, None]:
        """Check the files that paths name: files, folders with all below them, patterns (``**/*.wtb``), and ``-``.

        Closing the iterator early stops the workers.

        Yields:
            What was found, in the order of the files and of their games, and at the end of each file its count.
        """
        with (
            Threads[None, PartChecked](self._workers) if self._workers > 1 else Here() as self._threads,
            Processes[None, PartChecked](self._workers) as self._processes,
        ):
            self._pending.clear()
            for file in find_files(paths):
                if file.path == STANDARD_INPUT:  # it may wait for somebody
                    yield from self._emit(0)
                for item in self._items(file):
                    self._pending.append(item)
                    yield from self._emit(_AHEAD * self._workers)
            yield from self._emit(0)

    def _emit(self, limit: int) -> Iterator[ValidationEvent]:
        """Yield the finished items at the front; wait until at most ``limit`` items are left."""
        while self._pending:
            item = self._pending[0]
            if len(self._pending) <= limit and item.job is not None and not item.job.is_done:
                break
            self._pending.popleft()
            file = item.file
            self.at = file.done
            if item.parts is None:
                yield from _let_go(file)
                if not (file.done.games or file.done.names or file.done.error or file.done.skipped):
                    file.done.error = f"{source_name(file.done.path)} contains no games"
                yield file.done
                continue
            if file.given_up or not file.split:
                if item.job is not None:
                    item.job.cancel.cancel()
                continue
            try:
                try:
                    for part in item.parts():
                        yield from self._events(file, part)
                        if file.given_up:
                            break
                        if not part.whole:
                            yield from self._rest(file)
                except (InputError, WorkerDied):
                    if file.whole is None:
                        raise
                    yield from self._rest(file)  # what a piece cannot be, the whole text may
            except (InputError, OSError) as error:
                _failed(file.done, error)

    def _rest(self, file: _File) -> Iterator[ValidationEvent]:
        """Yield the games of a text after those that were counted, where it was cut in a wrong place."""
        file.split = False
        assert file.whole is not None
        entries = islice(file.whole(), file.done.games, None)
        for part in check_entries(entries, self._accept_flips, _STREAM):
            yield from self._events(file, part)
            if file.given_up:
                break

    def _events(self, file: _File, part: PartChecked) -> Iterator[ValidationEvent]:
        file_done = file.done
        before, valid = file_done.games, file_done.valid
        wrong = last = 0  # games of the part with findings so far, the last of them
        file_done.include(part)
        notes = [f"{source_name(file_done.path)}: {note}" for note in dict.fromkeys(part.reading)]
        file_done.notes += [note for note in notes if note not in file.told]
        file.told.update(notes)
        self._checked += part.games
        if self._poll is not None:
            self._poll(self._checked)
        for number, players, what in part.notes:
            black, white = file.players(players) if isinstance(players, bytes) else players
            if isinstance(what, StoppedGame):
                yield from _let_go(file)
                if self._stopped:
                    yield StoppedEarly(file_done.path, before + number, black, white, *what)
                continue
            wrong += number != last
            last = number
            file_done.findings += 1
            finding = GameFinding(file_done.path, before + number, black, white, what)
            if not self._give_up or valid or number > wrong:
                yield from _let_go(file)
                yield finding
                continue
            file.held.append(finding)
            file.codes[what.code] += 1
            if file.codes[what.code] > self._give_up:
                file_done.games = before + number
                file_done.valid = file_done.unfinished = file_done.ended_early = 0
                _give_up(file, what.code)
                return
        if file_done.valid:
            yield from _let_go(file)

    def _items(self, given: FoundFile) -> Iterator[_Item]:
        file = _File(given.path, self._tables.encoding)
        if given.error:
            file.done.error = f"{given.path}: {given.error}"
            file.done.missing = given.missing
        elif why := "" if self._format or self._tables.columns else why_skipped(given):
            file.done.skipped = why
        else:
            try:
                with open_source(given.path, self._stdin, self._tables.encoding) as source:
                    if source.format is WTHOR:
                        yield from self._wthor(file, source)
                    elif source.format is not None or source.table_format(self._format, self._tables):
                        yield _Item(file, partial(self._in_one_go, file, source))
                    elif source.kind is FileKind.WTHOR_NAMES:
                        parse_wthor_names(source.stream().read())
                        file.done.names = True
                    else:
                        yield from self._texts(file, source)
            except (InputError, OSError) as error:
                _failed(file.done, error)
        yield _Item(file)

    def _wthor(self, file: _File, source: GameSource) -> Iterator[_Item]:
        games = WthorGames(source.stream())
        for number, data in games.chunks():
            if number <= games.header.games and not is_hole(data):
                yield _later(file, self._threads, partial(check_wthor_games, data, tell_stopped=self._stopped))
            if (damage := games.damage(number, data)) is not None:
                yield _Item(file, partial(check_entries, [damage], self._accept_flips, 1))

    def _in_one_go(self, file: _File, source: GameSource) -> Iterator[PartChecked]:
        """Yield the games of a file that is not cut. It may be closed meanwhile, while other files were read."""
        if source.path != STANDARD_INPUT:
            source = open_source(source.path, encoding=self._tables.encoding)
        with source:
            entries = source.entries(rules=self._rules, format_=self._format, options=self._tables)
            for part in check_entries(entries, self._accept_flips, _STREAM):
                file.done.notes += source.notes
                source.notes.clear()
                yield part
            file.done.problems += source.problems

    def _texts(self, file: _File, source: GameSource) -> Iterator[_Item]:
        file.done.problems = source.problems  # reading adds to them
        if source.is_long:
            yield from self._long_text(file, source)
            return
        text = source.text()
        format_ = self._format or recognize(text)
        self._text += len(text)
        if self._workers == 1 or self._text < ENOUGH_CHARS:
            yield _Item(file, partial(self._stream, text, format_))
            return
        file.whole = partial(read_games, text, rules=self._rules, format_=self._format)
        for piece in cut_text(text, format_, PIECE_CHARS):
            if file.given_up:
                break
            if len(piece.text) == len(text) > ENOUGH_CHARS:  # it could not be cut
                yield _Item(file, partial(self._stream, text, format_))
            else:
                yield self._check_later(file, piece, format_)

    def _long_text(self, file: _File, source: GameSource) -> Iterator[_Item]:
        """Yield the parts of a text that is cut while it is read."""
        if self._workers == 1:
            entries = source.entries(rules=self._rules, format_=self._format)
            yield _Item(file, partial(check_entries, entries, self._accept_flips, _STREAM))
            return
        file.whole = partial(self._reread, source.path)
        try:
            for format_, piece in source.pieces(self._format):
                if file.given_up or not file.split:
                    return
                yield self._check_later(file, piece, format_)
        except (CutError, InputError):  # the whole text may be read, or says what is wrong
            yield _Item(file, lambda: iter([PartChecked(whole=False)]))

    def _reread(self, path: str) -> Iterator[Entry]:
        with open_source(path, encoding=self._tables.encoding) as source:
            yield from read_games(source.text(), rules=self._rules, format_=self._format)

    def _check_later(self, file: _File, piece: Piece, format_: TextFormat | None) -> _Item:
        """Let another process check a piece."""
        check = partial(check_piece, piece, format_, self._rules, self._accept_flips)
        return _later(file, self._processes, check)

    def _stream(self, text: str, format_: TextFormat | None) -> Iterator[PartChecked]:
        return check_entries(read_games(text, rules=self._rules, format_=format_), self._accept_flips, _STREAM)


def _let_go(file: _File) -> Iterator[GameFinding]:
    """Yield the findings that were held back while the file had no valid game."""
    yield from file.held
    file.held.clear()


def _give_up(file: _File, code: Code) -> None:
    """Note that a file has nothing but findings."""
    file_done, first = file.done, next(held for held in file.held if held.finding.code is code)
    file.given_up = True
    file_done.hidden = len(file.held)
    file_done.error = (
        f"{first}; {file.codes[code]} such findings in the first {file_done.games} games, of which none is valid"
    )
    file.held.clear()


def _later(file: _File, workers: Workers[None, PartChecked], check: Callable[[], PartChecked]) -> _Item:
    """Let workers make a check."""
    job = workers.send(None, Call(check))

    def parts() -> Iterator[PartChecked]:
        if (part := workers.result(job)) is not None:
            yield part

    return _Item(file, parts, job)


def _failed(file_done: FileDone, error: InputError | OSError) -> None:
    if isinstance(error, InputError):
        file_done.error = error.naming(source_name(file_done.path))
    elif isinstance(error, FileNotFoundError):
        file_done.error, file_done.missing = f"{file_done.path}: no such file", True
    else:
        file_done.error, file_done.missing = f"{file_done.path}: cannot read: {error.strerror or error}", True
