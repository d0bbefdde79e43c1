"""Othello Quest JSON, from samples made by its description: no real file was at hand."""

from __future__ import annotations

import json

import pytest

from record_samples import random_record, seed_with_pass
from reversi import PASS, Position, RecordError, Square, parse_rules
from reversi.records import Code, Line, Node, Record, Tags, losses, read_games, recognize, validate_entry
from reversi.records.formats.quest import format_quest, read_quest
from reversi.records.formats.registry import text_format_named

QUEST = text_format_named("quest")
OPENING = ["f5", "d6", "c3"]


def game(moves: list[object], **others: object) -> str:
    return json.dumps({"players": ["Ann", "Bob"], "position": {"moves": moves}, **others})


def plain(*moves: str) -> list[object]:
    return [{"m": move} for move in moves]


def test_a_game_as_a_record() -> None:
    text = game([*plain(*OPENING), {"s": "RESIGN"}], id=17, created="2026")
    assert recognize(text) is QUEST
    (entry,) = read_games(text)
    record = entry.record
    assert (entry.findings, entry.ours) == ([], False)
    assert [str(move) for move in record.moves] == OPENING
    assert (record.black, record.white, record.result) == ("Ann", "Bob", "1-0")  # White is to move and resigns
    assert (record.tags["GameId"], record.tags["Termination"]) == ("17", "resignation")
    assert "created" not in record.tags


@pytest.mark.parametrize(
    ("moves", "result", "termination"),
    [
        ([*plain(*OPENING)], "*", None),
        ([*plain("f5", "d6"), {"s": "TIMEUP"}], "0-1", "time forfeit"),
        ([*plain("f5"), {"m": "D6", "s": "TIMEUP"}], "0-1", "time forfeit"),
        ([*plain("f5"), {"s": "ABORTED"}], "*", "ABORTED"),
    ],
)
def test_how_a_game_ends(moves: list[object], result: str, termination: str | None) -> None:
    (entry,) = read_quest(game(moves))
    assert entry.findings == []
    assert (entry.record.result, entry.record.tags.get("Termination")) == (result, termination)


def test_a_game_that_ends_on_the_board_has_its_result() -> None:
    record = random_record(1)
    moves = ["-" if move is PASS else str(move) for move in record.moves]
    (entry,) = read_quest(game([*plain(*moves), {"s": "TIMEUP"}]))
    assert (entry.record.result, entry.record.tags["Termination"]) == (record.result, "time forfeit")
    assert validate_entry(entry).valid


@pytest.mark.parametrize(
    ("players", "names"),
    [
        ([{"name": "Ann", "id": "a"}, {"id": "b"}], ("Ann", "b")),
        (["Ann"], ("Ann", "?")),
        ([3, None], ("3", "?")),
        ({"black": "Ann"}, ("?", "?")),
        (["Ann\n\ud800", "é"], ("Ann  ", "é")),
    ],
)
def test_players(players: object, names: tuple[str, str]) -> None:
    (entry,) = read_quest(game(plain("f5"), players=players))
    assert (entry.record.black, entry.record.white) == names


def test_files_of_several_games() -> None:
    one, two = game(plain("f5")), game(plain("c4"))
    for text in (
        one + "\n" + two,
        one + two,
        f"[{one},\n{two}]\n",
        json.dumps([json.loads(one), json.loads(two)]),
    ):
        assert [str(entry.record.moves[0]) for entry in read_games(text)] == ["f5", "c4"]
    pretty = json.dumps(json.loads(one), indent=1) + "\r\n" + two
    assert [(entry.number, entry.line) for entry in read_games(pretty)] == [(1, 1), (2, pretty.count("\n") + 1)]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (game(plain("f5", "zz", "c3")), Code.INVALID_MOVE, "move 2: 'zz' is not a move"),
        (game(["f5"]), Code.INVALID_MOVE, "move 1: '\"f5\"' is not a move"),
        (game([{}]), Code.INVALID_MOVE, "move 1: '{}' is not a move"),
        ('{"players":[]}', Code.SYNTAX, "position.moves is missing"),
        ('{"position":{"moves":"f5"}}', Code.SYNTAX, "position.moves is not a list of moves"),
        ('{"position":{"moves":[{"m":"f5"} {}]}}', Code.SYNTAX, "not JSON: Expecting ',' delimiter"),
        ("words", Code.SYNTAX, "'words' is not an object"),
        ('{"a":' + "[" * 100_000, Code.SYNTAX, "objects or arrays are nested too deeply"),
    ],
)
def test_a_malformed_game_does_not_hide_the_next(text: str, code: Code, message: str) -> None:
    (entry, *others) = read_quest(text + "\n" + game(plain("c4")))
    assert [(found.code, found.message, found.line) for found in entry.findings] == [(code, message, 1)]
    hidden = "nested" in message  # nothing shows where such a game ends
    assert [str(other.record.moves[0]) for other in others] == ([] if hidden else ["c4"])


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_file_that_is_cut_off(cut: int) -> None:
    good = game(plain("c4"))
    first, last = read_quest(good + "\n" + good[:-cut])
    assert first.findings == []
    assert [found.code for found in last.findings] == [Code.TRUNCATED]


def test_objects_of_any_length() -> None:
    moves = plain(*OPENING)
    games = [game(moves, id=str(number), note="x" * (37 * number % 90_000)) for number in range(200)]
    games[150:150] = ['{"note": "' + "y" * 70_000 + '"', '{"note": tru}', '{"note": "' + "z" * 70_000]
    entries = list(read_quest("\n".join(games)))
    assert [entry.number for entry in entries if entry.findings] == [151, 152, 153]
    assert [entry.record.tags.get("GameId") for entry in entries if not entry.findings] == [
        str(number) for number in range(200)
    ]


def test_what_is_written_is_read_back() -> None:
    for seed in (1, seed_with_pass(1), 3):
        record = random_record(seed)
        (entry,) = read_quest(format_quest(record))
        assert (entry.record.moves, entry.record.result) == (record.moves, record.result)
        assert (entry.record.black, entry.record.white) == (record.black, record.white)
    tags = Tags({"Black": 'A"n\\n', "White": "é", "GameId": "x", "Termination": "resignation"})
    resigned = Record(tags, line=Line([Node(Square("f5"))]), result="1-0")
    (entry,) = read_quest(format_quest(resigned))
    assert entry.record == resigned
    assert losses(resigned, "quest") == []


def test_what_is_lost() -> None:
    record = Record(Tags({"Event": "x", "Termination": "resignation"}), result="1-0")  # Black is to move
    record.line.comments = ("good",)
    assert losses(record, "quest") == ["other tags", "results", "comments"]
    assert QUEST.holds.lost_tags(record) == ["Event", "Termination"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (Record(start=Position(parse_rules("othello,board=4x4"))), "other rules"),
        (Record(start=Position().play("f5")), "another start"),
        (Record(line=Line([Node(Square("f5"), flips=())])), "flipped by hand"),
    ],
)
def test_what_cannot_be_written(record: Record, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        format_quest(record)


XOT = "f5d6c4d3c2b3b4b5"


def test_what_else_is_known() -> None:
    players = [{"name": "Ann", "id": "a", "oldR": 1812.4, "newR": 1800}, {"name": "Bob"}]
    text = json.dumps(
        {
            "id": "g3",
            "created": "2026-03-04T12:34:56Z",
            "gtype": "xot",
            "tcb": 300_000,
            "finalStatus": "END",
            "players": players,
            "position": {"startPos": XOT, "moves": plain("e6", "f4", "e3")},
        }
    )
    notes: list[str] = []
    (entry,) = read_games(text, notes=notes)
    assert (entry.findings, notes) == ([], [])
    assert "".join(map(str, entry.record.moves)) == XOT + "e6f4e3"
    tags = {name: value for name, value in entry.record.tags.pairs if value != "?"}
    assert tags == {
        "Date": "2026.03.04",
        "Black": "Ann",
        "White": "Bob",
        "TimeControl": "300",
        "GameId": "g3",
        "UTCTime": "12:34:56",
        "Variant": "xot",
        "FinalStatus": "END",
        "BlackId": "a",
        "BlackElo": "1812.4",
        "BlackEloAfter": "1800",
    }
    assert losses(entry.record, "quest") == []
    again = next(read_games(format_quest(entry.record))).record
    assert (dict(again.tags), again.moves) == (dict(entry.record.tags), entry.record.moves)


@pytest.mark.parametrize(
    ("position", "code", "message"),
    [
        ({"startPos": "f5zz"}, Code.INVALID_MOVE, "position.startPos: 'zz' is not a move"),
        ({"startPos": ["f5"]}, Code.INVALID_MOVE, "position.startPos: '[\"f5\"]' is not a move"),
        ({"fen": "x"}, Code.UNKNOWN_MEMBER, "position has 'fen', which may change the game: it is not read"),
    ],
)
def test_what_may_change_a_game_is_a_finding(position: dict[str, object], code: Code, message: str) -> None:
    (entry,) = read_quest(json.dumps({"position": {**position, "moves": plain("f5")}}))
    assert [(found.code, found.message) for found in validate_entry(entry).findings] == [(code, message)]


def test_a_list_of_games_and_what_of_it_is_not_read() -> None:
    listed = [game([{"m": "f5", "t": 3}], length=1), game(plain("c4"), length=2, rated=True), "5"]
    text = '{"user":"ann","games":[\n' + ",\n".join(listed) + "]}"
    assert recognize(text) is QUEST
    notes: list[str] = []
    first, second, wrong = read_games(text, notes=notes)
    assert [(entry.number, entry.line, str(entry.record.moves[0])) for entry in (first, second)] == [
        (1, 2, "f5"),
        (2, 3, "c4"),
    ]
    assert [str(finding) for finding in wrong.findings] == ["'\"5\"' is not a game [syntax]"]
    assert notes == ["not read: user, length, position.moves.t", "not read: rated"]
