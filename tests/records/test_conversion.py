"""Every reader with every writer."""

from __future__ import annotations

import pytest

from record_samples import random_record, seed_with_pass
from reversi import PASS, Kind, Square
from reversi.records import Entry, Line, Node, Record, RecordedScore, Tags, format_record
from reversi.records.conversion import Conversion, Trouble
from reversi.records.formats.format import Format, TextFormat
from reversi.records.formats.registry import FORMATS, format_named, read_games, recognize, target_format
from reversi.records.formats.wthor.reader import read_wthor

GAMES = [random_record(1), random_record(seed_with_pass(1)), random_record(3, plies=20)]
POSITION = Record(line=Line([Node(Square("f5"), evaluation=RecordedScore(0, Kind.EXACT))]))


def entries(records: list[Record]) -> list[Entry]:
    return [Entry(number, 1, record) for number, record in enumerate(records, 1)]


def convert(
    records: list[Record], to: Format, *, keep_wrong: bool = True
) -> tuple[bytes, Conversion, list[Trouble]]:
    told: list[Trouble] = []
    conversion = Conversion(to, told.append, keep_wrong=keep_wrong)
    return b"".join(conversion.pieces(entries(records))), conversion, told


@pytest.mark.parametrize("to", [form for form in FORMATS if isinstance(form, TextFormat) and form.name != "obf"])
@pytest.mark.parametrize("via", [format_named("pgn"), format_named("ggf"), format_named("sgf")])
def test_games_go_from_any_form_to_any_other(via: Format, to: Format) -> None:
    games = GAMES[:2]  # a line of eOthello needs a winner
    text = convert(games, via)[0].decode()
    assert recognize(text) is via
    read = [entry.record for entry in read_games(text)]
    data, conversion, told = convert(read, to)
    assert (conversion.games, conversion.written, told) == (2, 2, [])
    again = [entry.record for entry in read_games(data.decode())]
    assert [record.moves for record in again] == [record.moves for record in games]
    if to is not format_named("transcript"):
        assert [record.result for record in again] == [record.result for record in games]
    assert recognize(data.decode()) is to


def test_to_wthor_with_the_names_it_refers_to() -> None:
    data, conversion, told = convert(GAMES, format_named("wthor"))
    assert told == []
    assert conversion.names is not None
    players, tournaments = conversion.names
    read = [entry.record for entry in read_wthor(data, players.names, tournaments.names)]
    assert [record.moves for record in read] == [record.moves for record in GAMES]
    assert [record.black for record in read] == ["Ada"] * 3
    assert conversion.lost["passes"] == 0
    assert conversion.format_name == "WTHOR"


WRONG = Record(line=Line([Node(Square("a1"))]))


@pytest.mark.parametrize(
    ("to", "keep", "left_out"),
    [("ggf", True, [3]), ("ggf", False, [1, 3]), ("wthor", True, [1, 3]), ("wthor", False, [1, 3])],
)
def test_wrong_games_are_reported_and_kept_where_the_format_holds_them(
    to: str, keep: bool, left_out: list[int]
) -> None:
    by_hand = Record(line=Line([Node(Square("f5"), flips=())]))
    data, conversion, told = convert([WRONG, GAMES[0], by_hand], format_named(to), keep_wrong=keep)
    assert (conversion.games, conversion.written) == (3, 3 - len(left_out))
    assert [trouble.entry.number for trouble in told if trouble.left_out] == left_out
    assert told[0].finding is not None
    assert "flipped by hand" in told[-1].reason
    assert data
    assert convert([WRONG], format_named("wthor"), keep_wrong=keep)[0] == b""


@pytest.mark.parametrize("name", ["sgf", "ggf", "quest", "csv", "jsonl", "pgn", "transcript"])
@pytest.mark.parametrize("moves", ["a1", "f5 --", "f5 d6 d6", "f5 d6 c3 d3 a8 c4", "f5 f6 e6 f4 -- -- h1"])
def test_a_wrong_game_that_is_kept_reads_as_it_was(name: str, moves: str) -> None:
    nodes = [Node(PASS if word == "--" else Square(word)) for word in moves.split()]
    data, conversion, told = convert([Record(line=Line(nodes))], format_named(name))
    assert (conversion.written, len(told)) == (1, 1)
    (entry,) = read_games(data.decode())
    assert [str(move) for move in entry.record.moves] == moves.split()


def test_results_of_games_that_stop_early_are_kept_as_recorded() -> None:
    tags = Tags({"Date": GAMES[2].tags["Date"], "Termination": "adjudication"})
    adjudicated = Record(tags, line=GAMES[2].line, result="40-24")
    for to in (format_named("pgn"), format_named("ggf"), format_named("sgf"), format_named("wthor")):
        data, conversion, _ = convert([adjudicated, GAMES[2]], to)
        assert conversion.as_recorded == 1 + (to is format_named("wthor") and GAMES[2].result != "*")
        reader = read_wthor(data) if to is format_named("wthor") else read_games(data.decode())
        assert next(iter(reader)).record.result == "40-24"
    assert convert([adjudicated], format_named("transcript"))[1].as_recorded == 0


def test_positions_become_records_and_obf_again() -> None:
    data, _, told = convert([POSITION], format_named("obf"))
    assert told == []
    (entry,) = read_games(data.decode())
    assert entry.record == POSITION
    _, conversion, told = convert([GAMES[0]], format_named("obf"))
    assert (conversion.written, told[0].reason) == (
        0,
        "a game; OBF holds positions with the values of the next moves",
    )


def test_losses_are_counted_by_game() -> None:
    noted = Record(line=Line([Node(Square("f5"), clock=3), Node(Square("d6"), clock=3)]))
    assert convert([noted, noted, GAMES[0]], format_named("ggf"))[1].lost == {"clocks": 2, "other tags": 1}
    assert convert([noted], format_named("pgn"))[0].decode() == format_record(noted)


def test_forms_by_their_suffixes() -> None:
    assert target_format(".SGF") is format_named("sgf")
    assert target_format(".wtb") is format_named("wthor")
    assert target_format(".doc") is None
