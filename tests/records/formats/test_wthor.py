"""WTHOR: what is read, what is written, and what cannot be."""

from __future__ import annotations

import datetime
import io
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from record_samples import RECORDS, random_record, seed_with_pass
from reversi import PASS, InputError, Move, Position, RecordError, Square, parse_rules
from reversi.games.names import name_identity
from reversi.records import (
    Code,
    Line,
    Node,
    Record,
    Tags,
    format_record,
    format_records,
    losses,
    parse_record,
    validate_entry,
)
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.wthor.header import WthorHeader, WthorKind, wthor_kind
from reversi.records.formats.wthor.names import (
    WthorNames,
    find_wthor_names,
    load_wthor_names,
    parse_wthor_names,
    read_wthor_names,
)
from reversi.records.formats.wthor.reader import read_wthor, read_wthor_file
from reversi.records.formats.wthor.writer import pack_wthor
from reversi.records.replay import position_after
from wthor_samples import PLAYERS, SHARED, TOURNAMENTS, files, game, jou, names, random_game, score_of, trn, wtb

DATE = datetime.date(2026, 11, 20)
PASSING = seed_with_pass(2)


# --- reading


def test_a_game_as_a_record() -> None:
    made = wtb([random_game(PASSING, tournament=2, black=2, white=3, theoretical=20)])
    (entry,) = read_wthor(made, PLAYERS, TOURNAMENTS)
    record = entry.record
    assert (entry.number, entry.findings, entry.ours) == (1, [], False)
    assert record.moves == random_record(PASSING).moves
    assert record.result == random_record(PASSING).result
    assert record.tags.pairs == (
        ("Event", "Été à Genève"),
        ("Site", "?"),
        ("Date", "2020.??.??"),
        ("Round", "?"),
        ("Black", "Björn"),
        ("White", "Ada"),
        ("WthorTournament", "2"),
        ("WthorBlack", "2"),
        ("WthorWhite", "3"),
        ("WthorTheoretical", "20"),
        ("WthorDate", "2026.11.20"),
        ("WthorDepth", "24"),
    )
    assert validate_entry(entry).valid


def test_numbers_without_a_name() -> None:
    made = wtb([random_game(1, tournament=3, black=5, white=65535)])
    (entry,) = read_wthor(made, PLAYERS, TOURNAMENTS)
    tags = entry.record.tags
    assert (tags["Event"], tags["Black"], tags["White"]) == ("?", "?", "?")
    assert (tags["WthorTournament"], tags["WthorBlack"], tags["WthorWhite"]) == ("3", "5", "65535")
    (bare,) = read_wthor(made)
    assert bare.record.black == "?"


def test_a_game_that_stops_early_has_the_score_that_was_recorded() -> None:
    made = wtb([game(random_record(1).moves[:30], 41), game([], 0)])
    first, second = read_wthor(made)
    assert (first.record.result, first.record.tags["Termination"]) == ("41-23", "adjudication")
    assert second.record.result == "0-64"
    for entry in (first, second):
        verdict = validate_entry(entry)
        assert (verdict.valid, verdict.ended_early) == (True, True)


def test_a_score_that_is_not_the_boards() -> None:
    record = random_record(1)
    right = score_of(1)
    for score, shown in ((right - 2, f"{right - 2}-{66 - right}"), (200, "200")):
        (entry,) = read_wthor(wtb([game(record.moves, score)]))
        (finding,) = validate_entry(entry).findings
        assert finding.code is Code.RESULT_MISMATCH
        assert f"the game ended {position_after(record).result}" in finding.message
        assert entry.record.result == shown


def test_wrong_moves() -> None:
    moves = list(random_record(PASSING).moves)
    first_pass = moves.index(PASS)
    placed: list[Move | int] = [move for move in moves if move is not PASS]
    wrong: list[tuple[list[Move | int], Code, int | None, str]] = [
        ([*placed[:20], Square("d4"), *placed[20:59]], Code.DUPLICATE_SQUARE, 21, "d4: the square is occupied"),
        ([*placed[:20], 99, *placed[21:]], Code.INVALID_MOVE, 21, "99 is not the number of a square"),
        (
            [*placed[:20], 0, *placed[21:]],
            Code.SYNTAX,
            None,
            "a move after the end of the moves, in byte 22 of 60",
        ),
        ([*placed, placed[0]][-60:], Code.ILLEGAL_MOVE, 1, "flips nothing"),
    ]
    for codes, code, ply, message in wrong:
        (entry,) = read_wthor(wtb([game(codes, 32)]))
        (finding,) = validate_entry(entry).findings
        assert (finding.code, message in finding.message) == (code, True), finding
        if code is not Code.ILLEGAL_MOVE:
            assert finding.ply == (ply if ply is None or first_pass >= 20 else ply + 1)
    after = [*placed[:first_pass], placed[0]]  # the pass before a wrong move is counted
    (entry,) = read_wthor(wtb([game(after, 32)]))
    (finding,) = validate_entry(entry).findings
    assert (finding.code, finding.ply) == (Code.DUPLICATE_SQUARE, first_pass + 2)


def test_one_bad_game_does_not_hide_the_next() -> None:
    made = wtb([random_game(1), b"\xff" * 68, random_game(2)])
    entries = list(read_wthor(made))
    assert [entry.number for entry in entries] == [1, 2, 3]
    assert [bool(entry.findings) for entry in entries] == [False, True, False]
    assert entries[2].record.moves == random_record(2).moves


@pytest.mark.parametrize("count", [1, 2, 1024, 1025, 3000])
def test_files_that_are_cut_off(count: int) -> None:
    whole = wtb([random_game(1)] * count)
    for cut in {1, 67, 68, len(whole) - 16}:
        *good, last = read_wthor(whole[:-cut])
        assert len(good) == (len(whole) - 16 - cut) // 68
        assert last.number == len(good) + 1
        (finding,) = last.findings
        assert finding.code is Code.TRUNCATED
        assert ("inside" if cut % 68 and cut % 68 != len(whole) - 16 else "before") in finding.message
        assert f"of {count} that" in finding.message


def test_bytes_after_the_end_of_a_file() -> None:
    for behind in (b"x", random_game(2), b"\0" * 1024 * 68):
        first, second = read_wthor(wtb([random_game(1)]) + behind)
        assert first.findings == []
        (finding,) = second.findings
        assert (finding.code, finding.message) == (
            Code.SYNTAX,
            "the file goes on behind its end: its header announces 1 game",
        )


def test_a_hole_ends_the_reading() -> None:
    made = wtb([random_game(1)] * 1024, count=1 << 31) + b"\0" * 68 * 5000
    *good, last = read_wthor(made)
    assert len(good) == 1024
    assert (last.number, last.findings[0].code) == (1025, Code.TRUNCATED)
    assert last.findings[0].message.startswith("nothing but zero bytes from this game on")


def test_reading_takes_what_it_needs() -> None:
    class Slow(io.BytesIO):
        taken = 0

        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            self.taken += len(data)
            return data

    stream = Slow(wtb([random_game(1)] * 5000))
    entries = read_wthor(stream)
    next(entries)
    assert stream.taken < 100_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 bytes are not a WTHOR header, which has 16"),
        (b"\x14\x1a\x0b", "3 bytes are not a WTHOR header"),
        (b"(;GM[Othello]PB[a];)", "not a WTHOR file"),
        (wtb([], board=10), "WTHOR games on 10x10 boards; only games on 8x8 boards are read"),
        (wtb([], kind=1), "WTHOR solitaires; only games on 8x8 boards are read"),
        (wtb([], kind=2), "not a WTHOR file"),
        (wtb([], board=6), "not a WTHOR file"),
        (jou(), "WTHOR names of players; only games on 8x8 boards are read"),
        (wtb([], date=(20, 26, 13, 1)), "not a WTHOR file"),
    ],
)
def test_what_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read_wthor(data)


# --- names


def test_names() -> None:
    players = parse_wthor_names(jou())
    assert (players.kind, players.names) == (WthorKind.PLAYERS, PLAYERS)
    assert players.pack() == jou()
    tournaments = parse_wthor_names(trn())
    assert (tournaments.kind, tournaments.names) == (WthorKind.TOURNAMENTS, TOURNAMENTS)
    assert tournaments.pack() == trn()
    new = WthorNames.of(WthorKind.PLAYERS, ["A" * 30, "日本", "nul\0in"], DATE)
    assert parse_wthor_names(new.pack()).names == ("A" * 19, "??", "nul in")


def test_names_that_are_damaged() -> None:
    for data in (b"", jou()[:-1], jou() + b"x", names(20, PLAYERS, count=4), wtb([random_game(1)])):
        with pytest.raises(RecordError, match="not a WTHOR file of names"):
            parse_wthor_names(data)
        with pytest.raises(RecordError, match=r"not a WTHOR header|announces"):
            parse_wthor_names(data, WthorKind.PLAYERS)
    with pytest.raises(RecordError, match="at most 65535"):
        WthorNames.of(WthorKind.PLAYERS, ["x"] * 65536, DATE).pack()


def test_names_lie_beside_the_games_in_any_case(tmp_path: Path) -> None:
    games = tmp_path / "WTH_2020.wtb"
    assert find_wthor_names(games) == (None, None)
    for name, data in (("zzz.JOU", b"damaged"), ("Wthor.jOU", jou()), ("a.trn", trn())):
        (tmp_path / name).write_bytes(data)
    assert find_wthor_names(games) == (tmp_path / "Wthor.jOU", tmp_path / "a.trn")
    assert load_wthor_names(games) == (PLAYERS, TOURNAMENTS, [])
    games.write_bytes(wtb([random_game(1, tournament=1, black=1, white=4)]))
    (entry,) = read_wthor_file(games)
    assert (entry.record.tags["Event"], entry.record.white) == ("Club evening", "Åsa Ångström")
    (tmp_path / "WTH_2020.JOU").write_bytes(b"damaged")
    assert find_wthor_names(games)[0] == tmp_path / "WTH_2020.JOU"
    found = load_wthor_names(games)
    assert found[:2] == ((), TOURNAMENTS)
    assert found[2] == [f"{tmp_path / 'WTH_2020.JOU'}: 7 bytes are not a WTHOR header, which has 16"]
    (tmp_path / "WTH_2020.JOU").unlink()
    (tmp_path / "WTH_2020.jou").mkdir()
    assert load_wthor_names(games)[2][0].startswith(f"{tmp_path / 'WTH_2020.jou'}: cannot read: ")
    assert find_wthor_names(tmp_path / "none" / "x.wtb") == (None, None)


def test_a_huge_file_of_names_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "huge.jou"
    with path.open("wb") as stream:
        stream.write(jou())
        stream.truncate(1 << 30)
    with pytest.raises(RecordError, match=r"huge\.jou: the header announces 5 names"):
        read_wthor_names(path)


# --- what a file is


def test_header_and_size_identify_the_kind() -> None:
    for data, kind in (
        (wtb([random_game(1)]), WthorKind.GAMES),
        (wtb([]), WthorKind.GAMES),
        (wtb([random_game(1)])[:-30], WthorKind.GAMES),
        (wtb([random_game(1)]) + b"x", WthorKind.GAMES),
        (wtb([b"\0" * 104], board=10), WthorKind.LARGE_GAMES),
        (wtb([b"\0" * (512 + 36)], kind=1), WthorKind.SOLITAIRES),
        (jou(), WthorKind.PLAYERS),
        (trn(), WthorKind.TOURNAMENTS),
        (trn()[:-1], None),
        (wtb([random_game(1)])[:15], None),
        (wtb([], played=0), None),
        (wtb([], count=3), None),
        (wtb([b"x" * 68], count=3), None),
        (b"\0" * 1000, None),
        (format_record(random_record(1)).encode(), None),
        (b"", None),
    ):
        assert wthor_kind(data[:84], len(data)) is kind, data[:40]


def test_a_header_holds_what_its_bytes_can() -> None:
    header = WthorHeader.parse(wtb([], count=7, reserved=3))
    assert header.pack() == wtb([], count=7, reserved=3)
    assert (header.games, header.date, header.reserved) == (7, "2026.11.20", 3)
    with pytest.raises(RecordError, match="cannot hold"):
        WthorHeader(20, 26, 11, 20, games=1 << 32)


# --- writing


@given(files())
def test_a_file_read_and_written_is_the_same(data: bytes) -> None:
    entries = list(read_wthor(data, PLAYERS, TOURNAMENTS))
    text = "".join(format_records(entry.record for entry in entries))
    again = list(read_records(text)) if text else []
    assert [entry.record for entry in again] == [entry.record for entry in entries]
    played = [found.code for entry in entries for found in validate_entry(entry).findings]
    if entries and all(code is Code.RESULT_MISMATCH for code in played):
        for records in (entries, again):
            files = pack_wthor((entry.record for entry in records), players=PLAYERS, date=DATE)
            assert files.games == data
            assert not files.lost
            assert files.players.names[: len(PLAYERS)] == PLAYERS


@given(files())
def test_what_is_written_is_read_back(data: bytes) -> None:
    records = [entry.record for entry in read_wthor(data) if validate_entry(entry).valid]
    files = pack_wthor(records, date=DATE)
    again = [entry.record for entry in read_wthor(files.games, files.players.names, files.tournaments.names)]
    assert [record.moves for record in again] == [record.moves for record in records]
    assert [record.result for record in again] == [record.result for record in records]


def test_games_of_other_formats() -> None:
    one, two = random_record(1), random_record(PASSING)
    two.tags["Event"], two.tags["Black"] = "Another", "Cleo"
    two.tags["Date"] = "2026.??.??"
    files = pack_wthor([one, two, one], players=PLAYERS, date=DATE)
    first, second, third = read_wthor(files.games, files.players.names, files.tournaments.names)
    assert (first.record.black, first.record.white) == ("Ada", "Björn")
    assert first.record.tags["WthorBlack"] == "1"  # the first of two of that name
    assert (second.record.black, second.record.tags["Event"]) == ("Cleo", "Another")
    assert third.record == first.record
    assert files.players.names == (*PLAYERS, "Cleo")
    assert files.tournaments.names == ("Diverses parties", "Game 1", "Another")
    assert [entry.record.moves for entry in (first, second)] == [one.moves, two.moves]
    assert [entry.record.result for entry in (first, second)] == [one.result, two.result]
    assert first.record.tags["Date"] == "2026.??.??"
    assert first.record.tags["WthorTheoretical"] == str(score_of(1))
    assert files.lost == {"days and months": 2, "other tags": 3}
    assert files.games[:16] == wtb([], count=3, played=2026)
    assert parse_wthor_names(files.players.pack()).names == files.players.names


def test_names_that_changed_win_over_their_numbers() -> None:
    made = wtb([random_game(1, black=1, white=2), random_game(2, black=1, white=2)])
    records = [entry.record for entry in read_wthor(made, PLAYERS, TOURNAMENTS)]
    records[0].tags["Black"] = "Dora"
    files = pack_wthor(records, players=PLAYERS, tournaments=TOURNAMENTS)
    first, second = read_wthor(files.games, files.players.names, files.tournaments.names)
    assert (first.record.black, first.record.tags["WthorBlack"]) == ("Dora", "5")
    assert (second.record.black, second.record.tags["WthorBlack"]) == ("Ada", "1")


def test_names_claim_their_numbers_without_a_list() -> None:
    made = wtb([random_game(1, tournament=1, black=4, white=2)])
    (entry,) = read_wthor(made, PLAYERS, TOURNAMENTS)
    files = pack_wthor([entry.record])
    assert files.games == made
    assert files.players.names == ("???", "???", "Björn", "???", "Åsa Ångström")
    assert files.tournaments.names == ("Diverses parties", "Club evening")


def test_numbers_that_stand_for_nobody_may_be_claimed() -> None:
    first, second = wtb([random_game(1, black=4, white=2)]), wtb([random_game(2, black=1, white=3)])
    known = pack_wthor([entry.record for entry in read_wthor(first, PLAYERS)]).players.names
    assert known == ("???", "???", "Björn", "???", "Åsa Ångström")
    files = pack_wthor([entry.record for entry in read_wthor(second, PLAYERS)], players=known)
    assert files.games == second
    assert files.players.names == PLAYERS
    assert pack_wthor([random_record(1)], players=("???", "", "???")).players.names[3:] == ("Ada", "Björn")


def test_letters_that_latin_1_lacks_become_plain_ones() -> None:
    """Then both names are one, as in databases."""
    for name, stored in (
        ("Żak Łukasz", "Zak Lukasz"),
        ("Çelik Şükrü", "Çelik Sükrü"),
        ("Jose\u0301 O\u2019Neill\u2013Díaz", "José O'Neill-Díaz"),
        ("李 x", "? x"),
    ):
        record = Record(Tags([("Black", name)]))
        assert parse_wthor_names(pack_wthor([record]).players.pack()).names[1] == stored
        assert "names in full" in losses(record, "wthor")
        assert (name_identity(stored) == name_identity(name)) is ("?" not in stored)


def test_names_that_do_not_fit() -> None:
    long = "A name of more than nineteen letters"
    records = [random_record(1), random_record(2)]
    for record in records:
        record.tags["Black"], record.tags["White"] = long, "日本"
    files = pack_wthor(records)
    assert files.players.names == ("???", long[:19], "??")
    assert files.lost["names in full"] == 2
    again = pack_wthor(records, players=files.players.names)
    assert again.players.names == files.players.names


@pytest.mark.parametrize(
    ("result", "plies", "score", "lost"),
    [
        ("41-23", 30, 41, False),
        ("1-0", 30, 64, True),
        ("0-1", 30, 0, True),
        ("1/2-1/2", 30, 32, True),
        ("30-20", 30, 44, True),
        ("20-30", 30, 20, True),
        ("20-20", 30, 32, True),
        ("200", 30, 200, False),
        ("256", 30, None, True),
        ("99-99", 30, None, True),
        ("*", 30, None, True),
        ("*", 200, None, True),
    ],
)
def test_results(result: str, plies: int, score: int | None, lost: bool) -> None:
    record = random_record(1, plies=plies)
    record.result = result
    files = pack_wthor([record])
    assert ("results" in files.lost) == lost
    assert ("results" in losses(record, "wthor")) == lost
    expected = score_of(1, plies) if score is None else score
    assert files.games[16 + 6] == expected


def test_what_is_lost() -> None:
    record = random_record(PASSING)
    record.tags = Tags({"Event": "x", "Black": "a", "White": "b", "Date": "2020.??.??"})
    assert losses(record, "wthor") == []
    up_to_pass = Record(record.tags, line=Line(record.line.nodes[: record.moves.index(PASS) + 1]))
    assert "passes that do not follow from the moves" in losses(up_to_pass, "wthor")
    first = record.line.nodes[0]
    first.comments, first.nags, first.clock = ("good",), (1,), 5.0
    first.variations = (Line([Node(Square("d3"))]),)
    record.tags["Termination"], record.tags["Elo"] = "resignation", "1200"
    assert losses(record, "wthor") == [
        "terminations",
        "other tags",
        "comments",
        "glyphs",
        "clocks",
        "variations",
    ]
    other = random_record(1)
    other.tags["Date"] = "1999"
    with pytest.raises(
        RecordError, match=r"^game 2: games of 2020 and 1999; a WTHOR file has the games of one year$"
    ):
        pack_wthor([record, other])
    made = [entry.record for date in (1, 2) for entry in read_wthor(wtb([random_game(1)], date=(20, 20, 1, date)))]
    assert pack_wthor(made).lost["file dates and depths other than the first game's"] == 1


@pytest.mark.parametrize(
    ("name", "value", "lost"),
    [
        ("WthorBoard", "0", False),
        ("WthorBoard", "8", False),
        ("WthorBoard", "10", True),
        ("WthorBoard", "6", True),
        ("WthorBoard", "eight", True),
        ("WthorDate", "2001.12.31", False),
        ("WthorDate", "2001.00.00", False),
        ("WthorDate", "0000.00.00", False),
        ("WthorDate", "9901.12.31", True),
        ("WthorDate", "0001.12.31", True),
        ("WthorDate", "2001.13.01", True),
        ("WthorDate", "2001.12.32", True),
        ("WthorDate", "yesterday", True),
    ],
)
def test_headers_that_no_file_has_are_not_written(name: str, value: str, lost: bool) -> None:
    record = random_record(1)
    record.tags[name] = value
    files = pack_wthor([record], date=DATE)
    assert wthor_kind(files.games, len(files.games)) is WthorKind.GAMES
    (entry,) = read_wthor(files.games)
    assert (entry.record.tags.get(name, "8") == value) != lost
    assert ("dates of files and sizes of boards that WTHOR does not have" in files.lost) == lost


def test_what_cannot_be_written() -> None:
    turned = Record(line=Line([Node(Square("f5"), flips=())]))
    for record, message in (
        (Record(start=Position(parse_rules("adjacent"))), "game 2: WTHOR holds games of othello, not of adjacent"),
        (Record(start=Position().play("f5")), "game 2: WTHOR holds games from the standard start only"),
        (Record(line=Line([Node(Square("a1"))])), "game 2: ply 1: a1 is not allowed"),
        (turned, "game 2: ply 1: discs were flipped by hand"),
    ):
        with pytest.raises(RecordError, match=message):
            pack_wthor([random_record(1), record])
    players = [f"p{number}" for number in range(65535)]
    with pytest.raises(RecordError, match="too many names"):
        pack_wthor([random_record(1)], players=players)


@given(RECORDS)
def test_any_record_is_written_or_refused(record: Record) -> None:
    try:
        files = pack_wthor([record], date=DATE)
    except RecordError:
        return
    (entry,) = read_wthor(files.games, files.players.names, files.tournaments.names)
    assert entry.record.moves == record.moves
    text = "".join(format_records([entry.record]))
    assert pack_wthor([parse_record(text)]).games == files.games


# --- real files


def real(name: str) -> Path:
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"no {name} in {SHARED}")
    return path


def nth(name: str, number: int) -> Record:
    return next(entry.record for entry in read_wthor_file(real(name)) if entry.number == number)


def test_the_shortest_game() -> None:
    record = nth("WTH_2001.wtb", 1389)
    assert len(record.moves) == 9
    end = position_after(record)
    assert end.is_over
    assert (record.result, end.count.score) == ("13-0", 64)
    assert real("WTH_2001.wtb").read_bytes()[16 + 1388 * 68 + 6] == 64


def test_a_short_game_that_leaves_both_colors() -> None:
    record = nth("WTH_1989.wtb", 143)
    assert len([move for move in record.moves if move is not PASS]) == 18
    end = position_after(record)
    assert end.is_over
    assert end.black
    assert end.white


def test_the_game_with_fifteen_passes() -> None:
    record = nth("WTH_2007.wtb", 2209)
    assert record.moves.count(PASS) == 15
    assert position_after(record).is_over
    assert position_after(record).count.discs == record.result


def real_files() -> Iterator[Path]:
    return iter(sorted(SHARED.glob("**/*.wtb")))


@pytest.mark.parametrize("name", ["WTH_1977.wtb", "WTH_1984.wtb", "vintage_2022/WTH_2019.wtb"])
def test_real_files_to_ours_and_back(name: str) -> None:
    path = real(name)
    entries = list(read_wthor_file(path))
    assert not any(entry.findings for entry in entries)
    text = "".join(format_records(entry.record for entry in entries))
    again = [entry.record for entry in read_records(text)]
    assert again == [entry.record for entry in entries]
    files = pack_wthor(again)
    assert files.games == path.read_bytes()
    assert not files.lost


@pytest.mark.slow
def test_every_real_file_to_ours_and_back() -> None:
    paths = list(real_files())
    if not paths:
        pytest.skip(f"no files in {SHARED}")
    for path in paths:
        text = "".join(format_records(entry.record for entry in read_wthor_file(path)))
        assert pack_wthor(entry.record for entry in read_records(text)).games == path.read_bytes(), path


def test_real_names_are_written_as_they_were() -> None:
    for name in ("WTH.JOU", "WTH.TRN", "vintage_2022/WTHOR.JOU", "vintage_2022/WTHOR.TRN"):
        path = real(name)
        assert read_wthor_names(path).pack() == path.read_bytes()
    with pytest.raises(InputError, match="announces 4448 names"):
        parse_wthor_names(real("WTH.JOU").read_bytes()[:-1], WthorKind.PLAYERS)
    assert struct.unpack_from("<H", real("WTH.JOU").read_bytes(), 8) == (4448,)
