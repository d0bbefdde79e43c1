"""What the fuzzer of the record readers knows of each format: valid files, and what must hold for any bytes.

A reader is an entry of `READERS`. For a format that is text, `text_reader` makes one from functions
that read and write it.
"""

from __future__ import annotations

import importlib.util
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from record_samples import edax, flyordie, from_wthor, playok, random_record, seed_with_pass
from reversi.errors import IllegalMoveError, InputError, RecordError, ReversiError
from reversi.records import (
    Code,
    Entry,
    Record,
    format_record,
    format_records,
    losses,
    parse_record,
    validate_entry,
)
from reversi.records.formats.eothello import HEADER, format_eothello, read_eothello
from reversi.records.formats.ggf.reader import read_ggf
from reversi.records.formats.ggf.writer import format_ggf
from reversi.records.formats.logbook import format_logbook, read_logbook
from reversi.records.formats.obf import format_obf_record, read_obf_records
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.quest import format_quest, read_quest
from reversi.records.formats.registry import format_named, read_games, table_format, text_format_named
from reversi.records.formats.sgf.reader import read_sgf
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.formats.tables.columns import parse_columns
from reversi.records.formats.tables.parquet_table import FORMAT as PARQUET
from reversi.records.formats.transcript import format_record_moves, read_transcripts
from reversi.records.formats.wthor import reader as wthor
from reversi.records.formats.wthor.header import HEADER_BYTES, WthorHeader, WthorKind
from reversi.records.formats.wthor.names import parse_wthor_names, stored_name
from reversi.records.formats.wthor.reader import SIZE, player_names, read_wthor
from reversi.records.formats.wthor.writer import pack_wthor
from reversi.records.sources.decoding import decode_records
from reversi.records.sources.kinds import recognize_file
from reversi.records.validation.wthor import check_wthor_games
from reversi.rules import OTHELLO, parse_rules
from reversi.text.decoding import decode_text
from reversi.text.transcripts import format_transcript, parse_transcript, read_transcript
from table_samples import SAMPLES
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
    max_bytes: int = 2000,
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
        max_bytes: the longest input that is tried.
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

    return Reader(lambda: (seed.encode() for seed in seeds()), check, modules, max_bytes, apart)


# --- this project's format and its dialects, and transcripts


def _check_pgn(data: bytes) -> None:
    try:
        text = decode_records(data, "input")
        entries = list(read_records(text))
    except InputError as error:
        refused(error)
        return
    try:
        assert parse_record(text) == entries[0].record
        assert len(entries) == 1
    except RecordError as error:
        refused(error, len(entries) != 1 or bool(entries[0].findings))
    for number, entry in enumerate(entries, 1):
        assert entry.number == number
        validate_entry(entry)
        assert parse_record(format_record(entry.record)) == entry.record


def _pgn_seeds() -> Iterator[bytes]:
    for seed, rules in enumerate(
        ("othello", "othello,board=6x6", "adjacent,optional-skip,board=4x4", "othello,misere")
    ):
        record = random_record(seed, parse_rules(rules))
        yield format_record(record).encode()
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
    yield "".join(format_records(random_record(seed, plies=7) for seed in range(3))).encode()


def _transcript(record: Record) -> str:
    if not record.moves:
        raise RecordError("a transcript without moves is an empty text")
    return format_record_moves(record) + "\n"


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
        yield format_record_moves(random_record(seed)) + "\n"
    yield "1. F5 d6 2. C3 d3\n\nf5-d6-c3\n"
    yield "f5 d6\nc3 pa d3 -- @@ @@@@ ps PP pass\n# comment\n% comment\n"
    yield "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + "; d3 c3\n"
    yield "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + "\n"
    yield "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X; d3 c3\n"


# --- WTHOR


def _check_wthor(data: bytes) -> None:
    usual = wthor.CHUNK
    wthor.CHUNK = 2  # type: ignore[misc] # games that are read at once: more do not fit into short inputs
    try:
        _check_games(data)
    finally:
        wthor.CHUNK = usual  # type: ignore[misc]


def _check_games(data: bytes) -> None:
    recognized = recognize_file(data, len(data))
    games = recognized.format is not None and recognized.format.name == "wthor"
    try:
        entries = list(read_wthor(data, PLAYERS, TOURNAMENTS))
    except InputError as error:
        refused(error, not games)
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
    text = "".join(format_records(entry.record for entry in entries))
    files = pack_wthor(entry.record for entry in read_records(text))
    header = WthorHeader.parse(data)
    if header.played < 10_000:
        assert files.games == data, (files.games, data)


def _check_batch(entries: list[Entry], games: bytes) -> None:
    """The batch finds what the judge of entries finds."""
    part = check_wthor_games(games)
    assert part.ended_early == check_wthor_games(games, tell_stopped=False).ended_early
    for number, entry in enumerate(entries):
        assert player_names(games[number * SIZE :], PLAYERS) == (entry.record.black, entry.record.white)
    told = {(number, str(what)) for number, _, what in part.notes if hasattr(what, "code")}
    expected = {(entry.number, str(found)) for entry in entries for found in validate_entry(entry).findings}
    assert told == expected, (told, expected)
    assert part.games == len(entries)
    assert part.ended_early == sum(validate_entry(entry).ended_early for entry in entries)


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
    again = parse_wthor_names(packed, names.kind)
    assert again == replace(names, names=tuple(stored_name(name, names.kind) for name in names.names))


# --- GGF, SGF, lists of eOthello, OBF


def _lossless(form: str, write: Callable[[Record], str]) -> Callable[[Record], str]:
    """A writer that refuses what its format does not hold whole."""

    def checked(record: Record) -> str:
        if lost := losses(record, form):
            raise RecordError(f"lost: {lost}")
        return write(record)

    return checked


def _ggf_seeds() -> Iterator[str]:
    board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
    small = "4 ---- -O*- -*O- ---- *"
    played = random_record(PASSING)
    bare = format_ggf(Record(line=played.line, result=played.result))
    yield bare
    yield bare.replace("W[PA]", "").replace("B[PA]", "")
    yield format_ggf(random_record(1, parse_rules("othello,board=4x4")))
    yield format_ggf(random_record(2, parse_rules("othello,board=4x4,misere"))) * 2
    yield (
        "2 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[a]PW[b]RB[1.5]RW[2]TI[05:00//02:00]TY[s8r5]"
        f"KB[B3/2.00/27.23]KW[B3/-8.27]KM[-3.133]RE[-22.87:r]BO[{board}]CO[x\ny]B[d3/1.5/2]W[C5//1]CO[z]B[f6/x];)"
        f"(;TY[8a]DT[947375357]TB[1:00/0:02]TW[2]RE[5:t]BO[{board}]XY[a]FEN[b]B[f5];)"
    )
    yield f"(;TB[1//2]TW[2]TI[5/3]RE[aborted]BO[{small}]B[b1]W[a1]B[PA];) junk (;BO[{small[:-2]}]W[a1];)"
    yield f"x (;TY[s8r5];)(;TY[10];)(;TY[6]B[z];)(;GM[Chess];)(;BO[9 x];)(;BO[8 -];)(;BO[{small}]W[b1];)"
    yield f"(;PB[a]PB[b]BO[{small}];)(;RE[+2.5]{format_ggf(random_record(2))[2:]}\r\n(;A[b\n(;A[c"
    yield "(;A[b]"
    yield "(;A[b] x (;A[b];"


def _sgf_seeds() -> Iterator[str]:
    full = random_record(PASSING)
    yield format_sgf(full)
    yield format_sgf(full).replace(";W[PA]", "").replace(";B[PA]", "")
    yield format_sgf(random_record(3, parse_rules("adjacent,optional-skip,board=4x6"), plies=5))
    yield format_sgf(random_record(1, parse_rules("othello,board=4x4")))
    yield (
        "(;FF[4]GM[2]AP[x:1]DT[2026-11-20]EV[a]SZ[8]AB[d5:d5][e4]AW[dd]AW[e5]AE[]PL[B]RE[B+R]C[a\\]\nb]"
        ";B[f5]BL[3]EMT[1.5]V[2]KV[selective 95%]TE[1]C[c\\\nd]"
        "(;W[d6]V[x]WL[2]NAG[7][8]FLIPS[d5](;B[c3])(;B[c4]DO[]))(;W[f6]IT[]FLIPS[]TR[a1][b2];C[n]PL[W];B[e6])(;C[empty]))"
    )
    yield "(;GM[2]RU[Japanese]TAG[Zeit:x\\:y][Result:1-0][bad]RE[W+3];W[fe];B[tt])\n\n(;RE[Void]PL[2];W[];B[@@@@])"
    yield "(;GM[2]RE[W+4];B[f5];W[d6];B[c3])x(;GM[2]RE[odd]EV[];B[f5]TE[3]BM[2]KV[x]V[1]NAG[x]FLIPS[x])"
    yield "(;GM[2]TAG[Rules:x]RE[Draw];B[f5];W[z])(;FF[4];B[f5]W[d6])(;GM[2];B[f5];AB[a1])(;GM[1];B[pd])"
    yield "y(;SZ[8][6]RU[othello,misere];B[f5](;B[d6])(;W[d6])(;W[d6];W[c3]))(;SZ[9])(;GM[2]PL[x])(;GM[2]AB[a])"
    yield f"(;GM[2]TAG[Board:{'-' * 27}OX------XO{'-' * 27} X]RE[0];B[f5] what (;GM[2];B[f5];W[d6] "
    yield "(;GM[2];B[f5](;W[d6]);W[f6])(;GM[2];B[f5"
    yield "(;GM[2]" + "(;B[f5])(" * 101
    yield "(;GM[2]" + "(;" * 1001
    moves = ";".join(f"{'BW'[at % 2]}[{'PA' if move.is_pass else move}]" for at, move in enumerate(full.moves))
    yield f"(;GM[2]RE[B+3];{moves})"


def _eothello_seeds() -> Iterator[str]:
    yield HEADER + "\n" + "".join(format_eothello(random_record(seed), seed) + "\n" for seed in (1, 2, PASSING))
    yield "1,1,f5d6\n\n2,2,f5\n3,1\n4,-1,f5x9\n"
    yield HEADER + "\n"


def _quest_seeds() -> Iterator[str]:
    yield "".join(format_quest(random_record(seed)) + "\n" for seed in (1, PASSING))
    yield '{"id":7,"players":["a",{"id":"b"}],"position":{"moves":[{"m":"f5"},{"m":"D6","s":"TIMEUP"}]}}'
    yield '[{"players":[{"name":"a"}],"position":{"moves":[{"m":"f5"},{"s":"RESIGN"}]}},\n {"position":{}}]'
    yield '{"position":{"moves":[{"m":"zz"}]}}\nx\n{"position":{"moves":[{"m":"f5"} {}]}}\n{"position":[]}\n{"a":"'
    yield '{"players":3,"position":{"moves":[{"s":"LEFT"},3]}}{"position":{"moves":{}}}{"a":' + "[" * 2000


def _logbook_seeds() -> Iterator[str]:
    yield "".join(format_logbook(random_record(seed)) + "\n" for seed in (1, PASSING))
    yield "+d3-c5+E6-f5: +4 2\n\n +f5 -d6 : -3 0\n+f5+d6: 0\n+f5-zz: 0 0\n+f5-d6\n+f5: x\n"


def _obf_seeds() -> Iterator[str]:
    board = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
    yield f"% suite\n{board} X; F5:+0; D3:-2; % alike\n{board} O; +2;\n{board} X\n"
    yield "X" * 62 + "O- X; H8:+64;\n" + f"{board}; PS:1;\n{board} X; z9:1;\n{board} X; f5:0; f5:1;\n"
    yield f"{board} X; f5:99;\n{board} X; 1; 2;\n{board} X; ?;\n"
    yield f"{board} X; f5:1; --:-127;\n{board} X; --:-127; f5:1\n"


# --- tables


def _csv_seeds() -> Iterator[str]:
    writer = format_named("csv").writer()
    records = [random_record(1), random_record(PASSING), random_record(2, parse_rules("adjacent,board=4x4"))]
    yield b"".join([*map(writer.add, records), writer.finish()]).decode()
    for sample in SAMPLES:
        if sample.name.endswith((".csv", ".tsv", ".txt")):
            lines = sample.data().decode("utf-8-sig").splitlines(keepends=True)
            yield "".join(lines[:3])
    yield 'moves;black\n\n"f5\nd6";"a ""b"\n"f5\nf5d6;x\nf5;"\n# x\nf5;b;\nf5d6\n'
    yield "f5d6,37-27,2024-05-01,B+4\nf5d6,1-0,20240501,W+R\nf5d6,64-0,2024-13-01,x\n"
    yield "moves|result|date|year|round\nf5d6|3|c. 2024|1999|2\nf5zz|-1|2024|x|\n|0.5||2000.0|\n"
    yield "moves:black_discs:white_discs\n['f5', 'd6']:2:40\n(f5 f6):x:1\n"
    yield "transcript\nf5d6\n\nf5f6\n"


def _json_seeds() -> Iterator[str]:
    writer = format_named("jsonl").writer()
    yield b"".join([*map(writer.add, (random_record(1), random_record(PASSING))), writer.finish()]).decode()
    yield '{"moves":["f5","d6"],"black":"a","result":"B+4"}\n{"moves":"f5d6","result":1}\n{}\n3\n{"moves":nul}\n'
    yield '{"version":1,"games":[{"moves":"f5d6","date":null},{"moves":7,"result":1.5},{"moves":["zz"]}]}'
    yield '[{"moves":"f5d6"},\n{"moves":{}}, 3]\n{"moves":[[]]}{"moves":true}'
    for tags in ('{"A":"b"}', '[["A","b"],["A","c"]]', '"[[1]]"', '"{"', "[3]", '[{"k":"A","v":"b"}]'):
        yield f'{{"moves":"f5d6","rules":"othello","start":null,"record":null,"tags":{tags}}}\n'
    yield (
        '{"moves":["f5"],"board":"%s","to_move":"X","after_pass":true,"tags":{},"rules":"othello","result":"*",'
        % ("-" * 27 + "OX------XO" + "-" * 27)
        + '"flips":{},"turns":[]}\n'
    )
    yield '{"record":"[Event \\"x\\"]\\n\\n1. f5 d6 *","moves":"","rules":"x","start":"y","tags":""}\n'


def _in_table(name: str, record: Record) -> str:
    writer = format_named(name).writer()
    return (writer.add(record) + writer.finish()).decode()


def _check_parquet(data: bytes) -> None:
    try:
        entries = list(PARQUET.read(io.BytesIO(data), None, [], ""))
    except InputError as error:
        refused(error)
        return
    for number, entry in enumerate(entries, 1):
        assert entry.number == number
        validate_entry(entry)


def _parquet_seeds() -> Iterator[bytes]:
    writer = PARQUET.writer()
    yield writer.add(random_record(1)) + writer.finish()
    yield next(sample.data() for sample in SAMPLES if sample.name.endswith(".parquet"))


def _guessed(data: bytes) -> None:
    """Whatever is guessed can be written as the option, and names columns that there are."""
    try:
        text = decode_records(data, "input")
    except InputError:
        return
    notes: list[str] = []
    try:
        entries = list(read_games(text, format_=table_format(text), notes=notes))
    except InputError as error:
        refused(error)
        return
    if notes:
        option = notes[0].removeprefix("columns guessed: ").partition("; not read")[0].strip('"')
        assert "moves" in parse_columns([option]), option
        assert entries


READERS: dict[str, Reader] = {
    "pgn": Reader(
        _pgn_seeds,
        _check_pgn,
        (
            "reversi.records.formats.pgn.reader",
            "reversi.records.formats.pgn.movetext",
            "reversi.records.notes",
            "reversi.records.formats.pgn.syntax",
            "reversi.records.dialects",
        ),
        max_bytes=700,
        apart=("_note_pieces", "_in_braces", "format_clock", "format_evaluation"),
    ),
    "transcript": text_reader(
        read_transcripts,
        _transcript,
        _transcripts,
        ("reversi.records.formats.transcript", "reversi.text.transcripts"),
        same=lambda record: (record.start, record.moves),
        also=_one_transcript,
        apart=("format_record_moves", "_recognize", "<lambda>", "format_transcript"),
    ),
    "csv": text_reader(
        lambda text: text_format_named("csv").read(text, OTHELLO),
        lambda record: _in_table("csv", record),
        _csv_seeds,
        (
            "reversi.records.formats.tables.csv_table",
            "reversi.records.formats.tables.table",
            "reversi.records.formats.tables.columns",
            "reversi.records.formats.tables.cells",
            "reversi.records.formats.results",
        ),
        also=_guessed,
        apart=("is_csv", "_line", "_written", "__reduce__", "__init__", "<lambda>"),
    ),
    "jsonl": text_reader(
        lambda text: text_format_named("jsonl").read(text, OTHELLO),
        lambda record: _in_table("jsonl", record),
        _json_seeds,
        ("reversi.records.formats.tables.json_table", "reversi.records.formats.json_objects"),
        also=_guessed,
        apart=("is_json_table", "begins_json", "_written", "<lambda>"),
    ),
    "wthor": Reader(
        _wthor_seeds,
        _check_wthor,
        (
            "reversi.records.formats.wthor.reader",
            "reversi.records.validation.wthor",
            "reversi.records.formats.wthor.header",
        ),
        max_bytes=600,
        apart=("read_wthor_file", "pack"),
    ),
    "wthor-names": Reader(
        lambda: (jou(), trn(), jou()[:-1], b"short"),
        _check_names,
        ("reversi.records.formats.wthor.names", "reversi.records.formats.wthor.header"),
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
    "ggf": text_reader(
        read_ggf,
        _lossless("ggf", format_ggf),
        _ggf_seeds,
        (
            "reversi.records.formats.property_lists",
            "reversi.records.formats.ggf.reader",
            "reversi.records.formats.ggf.values",
        ),
        max_bytes=700,
        apart=("list_kind", "format_outcome", "format_date", "format_clock_value", "format_move", "_plain"),
    ),
    "sgf": text_reader(
        read_sgf,
        _lossless("sgf", format_sgf),
        _sgf_seeds,
        (
            "reversi.records.formats.property_lists",
            "reversi.records.formats.sgf.reader",
            "reversi.records.formats.sgf.notes",
            "reversi.records.formats.sgf.values",
        ),
        max_bytes=700,
        apart=("list_kind", "escape", "compose", "format_size", "format_date", "format_result"),
    ),
    "eothello": text_reader(
        read_eothello,
        _lossless("eothello", format_eothello),
        _eothello_seeds,
        ("reversi.records.formats.eothello",),
        same=lambda record: (record.moves, record.result),
        apart=("is_eothello", "is_identity", "format_eothello", "_loses_result", "<lambda>"),
    ),
    "quest": text_reader(
        read_quest,
        _lossless("quest", format_quest),
        _quest_seeds,
        ("reversi.records.formats.quest",),
        apart=("is_quest", "format_quest", "_status", "_loses_result", "_keeps_tag", "<lambda>"),
    ),
    "logbook": text_reader(
        read_logbook,
        _lossless("logbook", format_logbook),
        _logbook_seeds,
        ("reversi.records.formats.logbook",),
        apart=("is_logbook", "format_logbook", "_score", "_loses_result", "_keeps_tag", "<lambda>"),
    ),
    "obf": text_reader(
        read_obf_records,
        _lossless("obf", format_obf_record),
        _obf_seeds,
        ("reversi.records.formats.obf", "reversi.text.obf"),
        apart=(
            "format_obf_record",
            "obf_score",
            "_first_turns",
            "_loses_result",
            "_loses_comments",
            "_keeps_tag",
            "<lambda>",
            "format_obf",
            "best",
        ),
    ),
}
"""The readers by name."""

if importlib.util.find_spec("pyarrow"):
    READERS["parquet"] = Reader(
        _parquet_seeds,
        _check_parquet,
        ("reversi.records.formats.tables.parquet_table",),
        max_bytes=8000,
        apart=("<lambda>",),
    )
