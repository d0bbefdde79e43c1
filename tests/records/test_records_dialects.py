from __future__ import annotations

import pytest

from record_samples import edax, final, flyordie, from_wthor, playok, random_record, seed_with_pass
from reversi import OTHELLO, PASS, Color, Position, Result, parse_rules
from reversi.records import Code, Line, Node, Record, format_record, parse_record, validate_entry
from reversi.records.dialects import is_ours, put_in_passes
from reversi.records.formats.pgn.reader import read_records
from reversi.records.outcome import Outcome
from reversi.records.record import ROSTER

PLAYED = random_record(seed_with_pass(2))
EARLY = random_record(seed_with_pass(2), plies=40)


def check(text: str) -> Record:
    """The one game of a text, which is foreign and valid, and stays what it is when it is written as ours."""
    (entry,) = read_records(text)
    assert not entry.ours
    assert validate_entry(entry).findings == ()
    (again,) = read_records(format_record(entry.record))
    assert again.ours
    assert again.record == entry.record
    assert validate_entry(again).findings == ()
    return entry.record


def test_playok() -> None:
    record = check(playok(PLAYED))
    assert (record.moves, record.result) == (PLAYED.moves, PLAYED.result)
    assert (record.tags["Time"], record.tags["BlackElo"], record.white) == ("20:13:30", "1224", "björn")


def test_flyordie() -> None:
    record = check(flyordie(PLAYED, "1-0" if final(PLAYED).count.winner is Color.BLACK else "0-1"))
    assert (record.moves, record.result) == (PLAYED.moves, PLAYED.result)
    assert (record.black, record.white, record.tags["BlackRating"]) == ("ozi", "LK", "?618")
    resigned = check(flyordie(EARLY, "0-1"))
    assert (resigned.result, resigned.tags["Termination"]) == ("0-1", "normal")


def test_edax() -> None:
    record = check(edax(PLAYED))
    assert (record.moves, record.result) == (PLAYED.moves, PLAYED.result)
    assert record.tags["Date"] == "2026.??.??"
    assert ("Date", "0.0.0") in record.tags.pairs
    assert record.line.nodes[-1].comments[-1].startswith(("Ada wins", "Edax wins", "Draw"))
    assert check(edax(PLAYED, time=False)).moves == PLAYED.moves


def test_edax_with_another_start() -> None:
    fen = "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"  # the usual start: row 8 comes first
    assert check(edax(PLAYED, fen=fen)).start == Position()
    start = Position().play("f5")
    record = random_record(4, start=start)
    read = check(edax(record, fen="8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1"))
    assert (read.start, read.moves) == (start, record.moves)
    assert '[Board "---------------------------OX------XXX-------------------------- O"]' in format_record(read)
    assert "FEN" not in format_record(read)


def test_games_made_from_wthor() -> None:
    record = check(from_wthor(PLAYED, PLAYED.result))
    assert (record.moves, record.result, record.tags["Site"]) == (PLAYED.moves, PLAYED.result, "?")
    adjudicated = check(from_wthor(EARLY, "40-24"))
    assert (adjudicated.moves, adjudicated.result) == (EARLY.moves, "40-24")


def test_wthor_results_give_the_empties_to_the_winner() -> None:
    text = '[Event "x"]\n[Result "64-0"]\n' + "1. E6 F4\n2. E3 F6\n3. G5 D6\n4. E7 F5\n5. C5\n\n"
    record = check(text)
    assert (len(record.moves), record.result) == (9, "13-0")


@pytest.mark.parametrize(
    ("text", "black", "white", "right"),
    [
        ("37-27", 37, 27, True),
        ("38-26", 37, 27, False),
        ("13-0", 13, 0, True),
        ("64-0", 13, 0, True),
        ("0-64", 13, 0, False),
        ("32-32", 30, 30, True),
        ("30-30", 30, 30, True),
        ("1-0", 37, 27, True),
        ("0-1", 37, 27, False),
        ("1/2-1/2", 30, 30, True),
        ("*", 37, 27, False),
        ("B+10", 37, 27, False),
    ],
)
def test_results_that_fit(text: str, black: int, white: int, right: bool) -> None:
    assert Outcome(text).fits(Result(black, white, OTHELLO)) is right


@pytest.mark.parametrize(
    ("names", "ours"),
    [
        ([*ROSTER], True),
        ([*ROSTER, "Rules", "SetUp", "Board", "TimeControl", "Termination", "Zeit", "Date"], True),
        ([*ROSTER, "TimeControl", "Time"], True),
        ([*ROSTER, "Time", "TimeControl"], False),
        ([*ROSTER[:-1]], False),
        (["Event", "Site", "Date", "Round", "White", "Black", "Result"], False),
        (["Event", "Site", "Date", "Date", "Round", "Black", "White", "Result"], False),
        ([*ROSTER, "FEN"], False),
        (["Black", "Rules"], True),
        (["Board"], True),
        ([], False),
    ],
)
def test_whose_a_game_is(names: list[str], ours: bool) -> None:
    values = {"Rules": "adjacent", "Board": f"{'-' * 62}XO X"}
    assert is_ours([(name, values.get(name, "?")) for name in names]) is ours


@pytest.mark.parametrize("tag", [("Board", "7"), ("Rules", "WOF"), ("Board", "7, by the window")])
def test_tags_of_other_programs_are_plain_tags(tag: tuple[str, str]) -> None:
    name, value = tag
    text = f'[White "Ada"]\n[Black "Bob"]\n[{name} "{value}"]\n[Result "*"]\n\n1. f5 d6 *\n'
    (entry,) = read_records(text)
    assert (entry.findings, entry.ours) == ([], False)
    assert (entry.record.tags[f"{name}-"], entry.record.start) == (value, Position())
    assert len(entry.record.moves) == 2
    assert parse_record(format_record(entry.record)) == entry.record
    (own,) = read_records(format_record(entry.record).replace(f"[{name}- ", f"[{name} "))
    assert [found.code for found in own.findings] == [Code.BAD_TAG]


def test_a_board_that_is_set_up_must_be_understood() -> None:
    tags = '[White "Ada"]\n[SetUp "1"]\n[Board "XO"]\n'
    (entry,) = read_records(f"{tags}\n1. f5 *\n")
    assert [found.code for found in entry.findings] == [Code.BAD_TAG]
    fen = '[FEN "8/8/8/3pP3/3Pp3/8/8/8 b"]\n'
    (entry,) = read_records(f"{tags}{fen}\n1. f5 *\n")
    assert (entry.findings, entry.record.tags["Board-"]) == ([], "XO")


def test_an_edited_copy_of_ours_stays_ours() -> None:
    text = format_record(PLAYED)
    edited = text.replace("Ada", "Ada L.").replace(" -- ", " ", 1).replace('[Round "1"]', '[Round "2"]')
    (entry,) = read_records(edited.replace("\n\n", '\n[Zeit "1"]\n\n', 1))
    assert entry.ours
    assert [finding.code for finding in validate_entry(entry).findings] == [Code.PASS_REQUIRED]


def test_passes_are_put_in_only_where_a_game_writes_none() -> None:
    words = [str(move) for move in PLAYED.moves]
    assert parse_record(" ".join(word for word in words if word != "--")).moves == PLAYED.moves
    first = words.index("--")
    partly = [word for at, word in enumerate(words) if word != "--" or at == first]
    (entry,) = read_records(" ".join(partly))
    assert [finding.code for finding in validate_entry(entry).findings] == [Code.PASS_REQUIRED]


def test_the_caller_may_say_whose_a_game_is() -> None:
    bare = " ".join(str(move) for move in PLAYED.moves if move is not PASS)
    (entry,) = read_records(f"{bare} {PLAYED.result}", ours=True)
    assert [finding.code for finding in validate_entry(entry).findings] == [Code.PASS_REQUIRED]
    text = format_record(PLAYED).replace(" -- ", " ")
    (entry,) = read_records(text, ours=False)
    assert entry.record == PLAYED


def test_passes_are_put_into_variations_too() -> None:
    moves = list(PLAYED.moves)
    at = moves.index(PASS)
    bare = [Node(move) for move in moves if move is not PASS]
    bare[at - 1].variations = (Line([Node(move) for move in moves[at - 1 :] if move is not PASS]),)
    record = Record(line=Line(bare))
    assert put_in_passes(record)
    assert record.moves == PLAYED.moves
    (variation,) = record.line.nodes[at - 1].variations
    assert variation.moves == PLAYED.moves[at - 1 :]


def test_a_skip_is_never_inferred() -> None:
    rules = parse_rules("othello,optional-skip")
    record = Record(start=Position(rules), line=Line([Node(move) for move in random_record(1).moves[:20]]))
    put_in_passes(record)
    assert PASS not in record.moves


def test_a_missing_result_is_filled_in_from_the_board() -> None:
    bare = " ".join(str(move) for move in PLAYED.moves)
    for end in ("", " *"):
        assert parse_record(bare + end).result == PLAYED.result
    assert parse_record('[Result "?"]\n\n' + bare).result == PLAYED.result
    assert parse_record("f5 d6").result == "*"


def test_rules_of_foreign_games_may_be_given() -> None:
    rules = parse_rules("othello,board=6x6")
    record = random_record(1, rules)
    text = " ".join(str(move) for move in record.moves if move is not PASS)
    assert parse_record(text, rules=rules).moves == record.moves
    assert parse_record(format_record(PLAYED), rules=rules) == PLAYED
