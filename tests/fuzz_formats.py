"""What the fuzzer of the record readers knows of each format: valid files, and what must hold for any bytes.

A reader is an entry of :data:`READERS`. For a format that is text, :func:`text_reader` makes one from functions
that read and write it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from record_samples import edax, flyordie, from_wthor, playok, random_record, seed_with_pass
from reversi.errors import IllegalMoveError, InputError, RecordError, ReversiError
from reversi.records import (
    Code,
    Entry,
    Record,
    Skip,
    decode_records,
    parse_record,
    read_records,
    read_transcripts,
    validate_entry,
    write_record,
    write_records,
    write_transcript,
    wthor,
)
from reversi.records.recognise import FileKind, recognise_file
from reversi.records.wthor import SIZE, player_names, read_wthor
from reversi.records.wthor_check import check_wthor_games
from reversi.records.wthor_header import HEADER_BYTES, WthorHeader, WthorKind
from reversi.records.wthor_names import parse_wthor_names
from reversi.records.wthor_writer import write_wthor
from reversi.rules import parse_rules
from reversi.text.decoding import decode_text
from reversi.text.transcripts import format_transcript, parse_transcript, read_transcript
from wthor_samples import PLAYERS, TOURNAMENTS, game, jou, random_game, trn, wtb

PASSING = seed_with_pass(1)
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Reader:
    """A format under test.

    Attributes:
        seeds: makes valid files, to begin with.
        check: reads any bytes and holds what was read against what must be true; raises when it is not. Whatever
            it raises is a find; it catches the errors that a reader may raise itself.
        modules: the modules that read the format, whose lines are counted.
        max_bytes: the longest input that is tried.
        apart: functions of those modules that read no bytes of the format (they write it, or open files), by name.
    """

    seeds: Callable[[], Iterable[bytes]]
    check: Callable[[bytes], None]
    modules: tuple[str, ...]
    max_bytes: int = 2000
    apart: tuple[str, ...] = ()


def refused(error: ReversiError, right: bool = True) -> None:
    """Hold what a reader says when it refuses an input against what a message must be."""
    assert right, error
    assert not CONTROL.search(str(error)), error


def text_reader(
    read: Callable[[str], Iterable[Entry]],
    write: Callable[[Record], str] | None,
    seeds: Callable[[], Iterable[str]],
    modules: tuple[str, ...],
    *,
    same: Callable[[Record], object] = lambda record: record,
    also: Callable[[bytes], None] | None = None,
    apart: tuple[str, ...] = (),
) -> Reader:
    """A reader of text: what it reads is judged, and a valid game that is written is read back the same.

    Args:
        read: gives the games of a text.
        write: the text of a game, which may refuse one with an ``InputError``.
        seeds: makes valid texts.
        modules: the modules that read the format.
        same: what of a record the format holds.
        also: what else must be true of any input.
        apart: functions of those modules that do not read, by name.
    """

    def check(data: bytes) -> None:
        if also is not None:
            also(data)
        try:
            text = decode_records(data, "input")
            entries = list(read(text))
        except InputError as error:
            refused(error)
            return
        for number, entry in enumerate(entries, 1):
            assert entry.number == number
            for finding in entry.findings:
                assert not CONTROL.search(finding.message), finding
            verdict = validate_entry(entry)
            if write is None or not verdict.valid:
                continue
            try:
                written = write(entry.record)
            except InputError:
                continue
            (again,) = read(written)
            assert same(again.record) == same(entry.record), written

    return Reader(lambda: (seed.encode() for seed in seeds()), check, modules, apart=apart)


# --- this project's format and its dialects, and transcripts


def _check_pgn(data: bytes) -> None:
    try:
        text = decode_records(data, "input")
        entries = list(read_records(text))
    except InputError as error:
        refused(error)
        return
    for skip in (Skip.COMMENTS | Skip.VARIATIONS, Skip.MOVES):
        for _ in read_records(text, skip=skip):
            pass
    try:
        assert parse_record(text) == entries[0].record
        assert len(entries) == 1
    except RecordError as error:
        refused(error, len(entries) > 1 or bool(entries[0].findings))
    for number, entry in enumerate(entries, 1):
        assert entry.number == number
        validate_entry(entry)
        assert parse_record(write_record(entry.record)) == entry.record


def _pgn_seeds() -> Iterator[bytes]:
    for seed, rules in enumerate(
        ("othello", "othello,board=6x6", "adjacent,optional-skip,board=4x4", "othello,misere")
    ):
        record = random_record(seed, parse_rules(rules))
        yield write_record(record).encode()
    record = random_record(5)
    yield from (text.encode() for text in (playok(record), edax(record), flyordie(record, "0-1")))
    yield from_wthor(record, record.result).encode()
    yield (
        b'[Event "x"]\n[Rules "othello,flipping"]\n\n1. f5! $7 {[%clk 0:05:00] a \\} b} (1. d3 {[%eval +2 exact]} '
        b"1... c3 (1... c5)) 1... d6?! {[%flips e5]} ; rest\n% line\n2. c3 -- 1-0\n"
    )
    fen = "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"
    yield f'[FEN "{fen}"]\n[Termination "resignation"]\n[Result "1/2-1/2"]\n\n1. f5 d6 *\n'.encode()
    yield b'[SetUp "1"]\n[Board "---------------------------OX------XO--------------------------- X"]\n\n1. d3 *\n'
    yield b"1. f5 (" * 101 + b"x)"
    yield b'[Black "a"]\n1. f5 d6 {[%emt 0:00:03]} 2. c3 {cut'
    yield from_wthor(random_record(PASSING), "32-32").replace("\n\n", "\nx9\n\n").encode()
    yield "".join(write_records(random_record(seed, plies=7) for seed in range(3))).encode()


def _transcript(record: Record) -> str:
    if not record.moves:
        raise RecordError("a transcript without moves is an empty text")
    return write_transcript(record) + "\n"


def _one_transcript(data: bytes) -> None:
    """The reader of a single game, which may stand on a board whose side to move its moves prove."""
    try:
        one = read_transcript(decode_text(data, "input"))
    except (InputError, IllegalMoveError) as error:
        refused(error)
        return
    assert parse_transcript(format_transcript(one.moves), one.start) == list(one.moves)
    assert one.end.rules == one.start.rules


def _transcripts() -> Iterator[str]:
    for seed in range(4):
        yield write_transcript(random_record(seed)) + "\n"
    yield "1. F5 d6 2. C3 d3\n\nf5-d6-c3\n"
    yield "f5 d6\nc3 pa d3 -- @@ @@@@ ps PP pass\n# comment\n% comment\n"
    yield "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + "; d3 c3\n"
    yield "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + "\n"
    yield "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X; d3 c3\n"


# --- WTHOR

wthor.CHUNK = 2  # type: ignore[misc] # games that are read at once: more than these do not fit into short inputs


def _check_wthor(data: bytes) -> None:
    kind = recognise_file(data, len(data)).kind
    try:
        entries = list(read_wthor(data, PLAYERS, TOURNAMENTS))
    except InputError as error:
        refused(error, kind is not FileKind.WTHOR_GAMES)
        return
    announced = WthorHeader.parse(data).games
    assert len(entries) <= min(announced, len(data) // SIZE) + 1
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    whole = [entry for entry in entries if "WthorDate" in entry.record.tags]
    if whole:
        _check_batch(whole, data[HEADER_BYTES : HEADER_BYTES + len(whole) * SIZE])
    verdicts = [validate_entry(entry) for entry in entries]
    played = [found.code for verdict in verdicts for found in verdict.findings]
    if not entries or any(code is not Code.RESULT_MISMATCH for code in played):
        return
    text = "".join(write_records(entry.record for entry in entries))
    files = write_wthor(entry.record for entry in read_records(text))
    header = WthorHeader.parse(data)
    if header.played < 10_000:
        assert files.games == data, (files.games, data)


def _check_batch(entries: list[Entry], games: bytes) -> None:
    """The batch finds what the judge of entries finds."""
    part = check_wthor_games(games)
    assert part.unfinished == check_wthor_games(games, tell_unfinished=False).unfinished
    for number, entry in enumerate(entries):
        assert player_names(games[number * SIZE :], PLAYERS) == (entry.record.black, entry.record.white)
    told = {(number, str(what)) for number, _, what in part.told if hasattr(what, "code")}
    expected = {(entry.number, str(found)) for entry in entries for found in validate_entry(entry).findings}
    assert told == expected, (told, expected)
    assert part.games == len(entries)
    assert part.unfinished == sum(validate_entry(entry).unfinished for entry in entries)


def _wthor_seeds() -> Iterator[bytes]:
    yield wtb([random_game(seed, tournament=seed, black=seed, white=4) for seed in range(3)])
    yield wtb([random_game(PASSING)])
    yield wtb([game(random_record(1).moves[:9], 41)], played=1977, board=0, depth=22, reserved=1)
    yield wtb([random_game(7)])[:-5]
    yield wtb([random_game(7)]) + b"behind"
    yield wtb([], board=10)
    yield wtb([b"\0" * 548], kind=1)
    yield trn()
    yield wtb([random_game(1)] * 2, count=9) + b"\0" * 2 * SIZE
    yield jou()


def _check_names(data: bytes) -> None:
    for kind in (WthorKind.PLAYERS, WthorKind.TOURNAMENTS):
        try:
            parse_wthor_names(data, kind)
        except InputError as error:
            refused(error)
    try:
        names = parse_wthor_names(data)
    except InputError as error:
        refused(error)
        return
    packed = names.pack()
    assert len(packed) == len(data)
    assert parse_wthor_names(packed, names.kind) == names


READERS: dict[str, Reader] = {
    "pgn": Reader(
        _pgn_seeds,
        _check_pgn,
        (
            "reversi.records.pgn_reader",
            "reversi.records.movetext",
            "reversi.records.notes",
            "reversi.records.syntax",
            "reversi.records.dialects",
        ),
        apart=("note_pieces", "comment_pieces", "_in_braces", "format_clock", "format_evaluation"),
    ),
    "transcript": text_reader(
        read_transcripts,
        _transcript,
        _transcripts,
        ("reversi.records.transcript", "reversi.text.transcripts"),
        same=lambda record: (record.start, record.moves),
        also=_one_transcript,
        apart=("write_transcript", "_passes_follow", "_turned_by_hand", "format_transcript"),
    ),
    "wthor": Reader(
        _wthor_seeds,
        _check_wthor,
        ("reversi.records.wthor", "reversi.records.wthor_check", "reversi.records.wthor_header"),
        max_bytes=600,
        apart=("read_wthor_file", "pack"),
    ),
    "wthor-names": Reader(
        lambda: (jou(), trn(), jou()[:-1], b"short"),
        _check_names,
        ("reversi.records.wthor_names", "reversi.records.wthor_header"),
        apart=(
            "read_wthor_names",
            "find_wthor_names",
            "load_wthor_names",
            "NameTable",
            "of",
            "pack",
            "stored_name",
            "date",
        ),
    ),
}
"""The readers by name."""
