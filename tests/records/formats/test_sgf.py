from __future__ import annotations

import pytest

from record_samples import random_record, seed_with_pass
from reversi import PASS, Color, Kind, Position, RecordError, Square, parse_rules
from reversi.records import Code, Entry, Line, Node, Record, RecordedScore, Tags, validate_entry
from reversi.records.formats.property_lists import list_kind
from reversi.records.formats.sgf.reader import MAX_TREES, read_sgf
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.record import MAX_DEPTH

HEAD = "(;FF[4]GM[2]SZ[8]"
SETUP = "AB[d5][e4]AW[d4][e5]PL[B]"


def entry(text: str) -> Entry:
    (only,) = read_sgf(text)
    return only


def game(text: str) -> Record:
    only = entry(text)
    assert only.findings == []
    return only.record


def moves(text: str) -> list[str]:
    return [str(move) for move in game(text).moves]


def test_as_edax_writes_a_game() -> None:
    record = game(
        f"(;FF[4]GM[2]AP[edax:4.4]PC[Edax]DT[2026-11-20]PB[Ann]PW[Bob]SZ[8]{SETUP}RE[B+4];B[f5];W[d6];B[c3])"
    )
    assert record.start == Position()
    assert record.moves == (Square("f5"), Square("d6"), Square("c3"))
    assert (record.black, record.white, record.result) == ("Ann", "Bob", "34-30")
    assert (record.tags["Site"], record.tags["Date"], record.tags["AP"]) == ("Edax", "2026.11.20", "edax:4.4")
    assert game(format_sgf(record)) == record


@pytest.mark.parametrize("text", [";B[f5];W[d6];B[c3]", ";B[fe];W[df];B[cc]", ";B[F5];W[dF];B[ C3 ]"])
def test_squares_in_figures_and_in_letters(text: str) -> None:
    assert moves(f"{HEAD}{text})") == ["f5", "d6", "c3"]


@pytest.mark.parametrize("spelling", ["[PA]", "[]", "[tt]", "[@@@@]", "[--]", "[pass]", None])
def test_passes(spelling: str | None) -> None:
    record = random_record(seed_with_pass(1))
    text = format_sgf(record)
    at = text.index("[PA]")
    changed = text[: at - 2] + (text[at - 2 : at] + spelling if spelling else "") + text[at + 4 :]
    assert game(changed) == record


def test_a_missing_pass_beside_a_written_one_is_reported() -> None:
    record = random_record(seed_with_pass(2))
    text = format_sgf(record)
    at = text.index("[PA]")
    found = entry(text[: at - 2] + text[at + 4 :]).findings
    assert [(one.code, one.ply) for one in found] == [(Code.SYNTAX, record.moves.index(PASS) + 1)]


def test_set_up_positions() -> None:
    start = Position().play("f5")
    black = "AB[d5:f5]AB[e4]"
    assert game(f"{HEAD}{black}AW[d4]PL[W];W[d6])").start == start
    assert game(f"{HEAD}{black}AW[dd];W[d6])").start == start  # the first turn says who is to move
    assert game(f"{HEAD};{black}AW[d4]PL[2];W[d6])").start == start  # in a node of its own
    assert game(f"{HEAD}AE[a1]PL[B])").start == Position.from_discs(0, 0)
    assert game(f"{HEAD};W[d3])").start == Position().with_to_move(Color.WHITE)
    small = game("(;GM[2]SZ[6:4]RU[othello,board=4x6])")
    assert small.rules == parse_rules("othello,board=4x6")


@pytest.mark.parametrize(
    ("value", "result", "termination"),
    [
        ("B+12", "38-26", None),
        ("W+2.0", "31-33", None),
        ("0", "1/2-1/2", None),
        ("Draw", "1/2-1/2", None),
        ("B+R", "1-0", "resignation"),
        ("W+Time", "0-1", "time forfeit"),
        ("w+f", "0-1", "forfeit"),
        ("B+", "1-0", None),
        ("Void", "*", "void"),
        ("?", "*", None),
        ("", "*", None),
    ],
)
def test_results(value: str, result: str, termination: str | None) -> None:
    record = game(f"{HEAD}RE[{value}];B[f5])")
    assert (record.result, record.tags.get("Termination")) == (result, termination)
    assert game(format_sgf(record)) == record


def test_results_that_no_counts_make() -> None:
    record = game(f"{HEAD}RE[B+3];B[f5])")
    assert (record.result, record.tags["Score"]) == ("1-0", "+3")
    record = game(f"{HEAD}RE[who knows];B[f5])")
    assert (record.result, record.tags["RE"]) == ("*", "who knows")
    assert "RE[who knows]" in format_sgf(record)
    assert game(format_sgf(record)) == record
    finished = random_record(3)
    text = format_sgf(finished)
    right = text[text.index("RE[") : text.index("]", text.index("RE[")) + 1]
    for wrong in ("RE[B+1]", "RE[B+2]" if right != "RE[B+2]" else "RE[W+2]"):
        found = validate_entry(entry(text.replace(right, wrong))).findings
        assert [one.code for one in found] == [Code.RESULT_MISMATCH]


def test_notes_of_a_turn() -> None:
    text = (
        f"{HEAD}C[before\\: all\nsecond];B[f5]BL[299.5]EMT[1]V[2]KV[exact]TE[1]C[a \\] b\\\nc];W[d6]V[-1.5]BM[2])"
    )
    record = game(text)
    assert record.line.comments == ("before: all", "second")
    assert record.line.nodes == [
        Node(Square("f5"), ("a ] bc",), (1,), 299.5, RecordedScore(2, Kind.EXACT), elapsed=1),
        Node(Square("d6"), (), (4,), None, RecordedScore(1.5, Kind.HEURISTIC)),
    ]
    assert game(format_sgf(record)) == record


def test_unknown_properties_are_kept() -> None:
    text = f"{HEAD}GN[x]XY[1][2\\]]TAG[odd];B[f5]TR[d5][e4]CP[a:b]N[n];C[later]QQ[];W[d6]V[much]WL[-1]BL[3])"
    record = game(text)
    assert record.tags.pairs[6:] == (("GN", "x"), ("XY", "1"), ("XY", "2]"), ("TAG", "odd"))
    assert record.line.nodes[0].comments == (
        "%sgf TR[d5][e4]",
        "%sgf CP[a:b]",
        "%sgf N[n]",
        "later",
        "%sgf QQ[]",
    )
    assert record.line.nodes[1].comments == ("%sgf V[much]", "%sgf WL[-1]", "%sgf BL[3]")
    written = format_sgf(record)
    assert "GN[x]XY[1][2\\]]" in written
    assert game(written) == record
    assert ";B[f5]C[good]TR[d5][e4]" in format_sgf(
        Record(line=Line([Node(Square("f5"), ("good", "%sgf TR[d5][e4]"))]))
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(;GM[2]XM[f5d6c3];B[d3])", "XM[f5d6c3]"),
        ("(;GM[2];B[f5]ZZ[d6];W[f4])", "ZZ[d6]"),
        ("(;GM[2];B[f5]C[x]ZZ[d6][c4];W[d6];B[c3])", "ZZ[d6]"),
        (f"(;GM[2]XB[{'-' * 27}OX------XO{'-' * 27} X];B[f5])", f"XB[{'-' * 27}OX------XO---]"),
        ("(;GM[2]ZZ[\x1b2J][f5];B[d3])", "ZZ[ 2J]"),
    ],
)
def test_unknown_properties_that_may_change_the_game(text: str, shown: str) -> None:
    (entry,) = read_sgf(text)
    assert [(finding.code, finding.message) for finding in entry.findings] == [
        (Code.UNKNOWN_MEMBER, f"{shown} may change the game: it is not read")
    ]
    assert not validate_entry(entry).valid


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[2]HA[2]SZ[8];W[d3])", "HA[2] gives discs, and AB and AW set up none: the game may start otherwise"),
        ("(;GM[2]HA[2]AB[a1][h8][e4][d5]AW[d4][e5]PL[W];W[f4])", ""),
        ("(;GM[2]HA[0];B[f5])", ""),
        ("(;GM[2]HA[];B[f5])", ""),
    ],
)
def test_a_handicap_without_its_discs(text: str, message: str) -> None:
    (entry,) = read_sgf(text)
    assert [finding.message for finding in entry.findings if finding.code is Code.UNKNOWN_MEMBER] == [
        *([message] if message else [])
    ]


def test_marks_and_other_unknown_properties_change_nothing() -> None:
    text = "(;GM[2]XX[a name];B[f5]CR[f5][d6]TR[c3]LB[c4:1]MN[3]N[f5 it is]ZZ[good];W[d6]C[c3])"
    (entry,) = read_sgf(text)
    assert not entry.findings
    assert entry.record.tags["XX"] == "a name"
    assert entry.record.line.nodes[0].comments[0] == "%sgf CR[f5][d6]"


def test_variations() -> None:
    text = f"{HEAD};B[f5](;W[d6];B[c3](;W[d3])(;W[c4]))(;W[f6]C[or])(;W[f4]))"
    record = game(text)
    assert [str(move) for move in record.moves] == ["f5", "d6", "c3", "d3"]
    second, fourth = record.line.nodes[1], record.line.nodes[3]
    assert [[str(move) for move in line.moves] for line in second.variations] == [["f6"], ["f4"]]
    assert [[str(move) for move in line.moves] for line in fourth.variations] == [["c4"]]
    assert second.variations[0].nodes[0].comments == ("or",)
    assert game(format_sgf(record)) == record


def test_first_moves_that_differ_and_trees_without_moves() -> None:
    record = game(f"{HEAD}(;B[f5])(;B[c4](;W[c3])(;W[e3])))")
    (variation,) = record.line.nodes[0].variations
    assert [str(move) for move in variation.moves] == ["c4", "c3"]
    assert game(format_sgf(record)) == record
    assert moves(f"{HEAD};B[f5](;C[none])(;W[d6]))") == ["f5", "d6"]


def test_several_games_and_lower_case_names() -> None:
    first, second = read_sgf(f"{HEAD};B[f5])\r\n\r\n(;FileFormat[3]GaMe[2]GM[2];B[c4];W[c3])")
    assert (first.line, second.line, first.findings, second.findings) == (1, 3, [], [])
    assert second.record.moves == (Square("c4"), Square("c3"))


@pytest.mark.parametrize(
    ("text", "code", "ply", "message"),
    [
        ("(;GM[1]SZ[19];B[pd])", Code.BAD_TAG, None, "GM: a game of '1', not of Othello"),
        ("(;GM[2]SZ[10];B[f5])", Code.BAD_TAG, None, "a board of size '10'"),
        (f"{HEAD}AB[zz]PL[B];B[f5])", Code.BAD_TAG, None, "'zz' is not a square"),
        (f"{HEAD}AB[d4:e4:f4])", Code.BAD_TAG, None, "'d4:e4:f4' is not a square"),
        (f"{HEAD}AB[d4]AW[d4])", Code.BAD_TAG, None, "d4"),
        (f"{HEAD}PL[green])", Code.BAD_TAG, None, "PL: 'green' is not a side"),
        (f"{HEAD}TAG[Rules:x])", Code.BAD_TAG, None, "TAG: the tag Rules cannot be set"),
        (f"{HEAD};B[z9])", Code.INVALID_MOVE, 1, "'z9' is not a move"),
        (f"{HEAD};B[f5]W[d6])", Code.SYNTAX, None, "two moves in one node"),
        (f"{HEAD};B[f5][d6])", Code.SYNTAX, None, "two moves in one node"),
        (f"{HEAD};B[f5];AB[a1])", Code.SYNTAX, None, "set up in the middle"),
        (f"{HEAD};B[f5];B[d6])", Code.SYNTAX, 2, "d6: it is White's turn"),
        (f"{HEAD};B[f5](;W[d6])(;B[c4]))", Code.SYNTAX, 2, "White's turn (in a variation)"),
        (f"{HEAD};B[f5](;W[d6]);W[d6])", Code.SYNTAX, None, "a node after a tree that has ended"),
        (f"{HEAD};B[f5] what", Code.SYNTAX, None, "is not a property"),
        (f"{HEAD};B[f5]) and so on", Code.SYNTAX, None, "after the game is not a game"),
        (f"words {HEAD};B[f5])", Code.SYNTAX, None, "before the first game"),
        (f"{HEAD}=x;B[f5])", Code.SYNTAX, None, "is not a property"),
        (f"{HEAD}[6];B[f5])", Code.SYNTAX, None, "SZ is given twice"),
        ("(;GM[2]" + "(;" * MAX_TREES + ")" * (MAX_TREES + 1), Code.SYNTAX, None, f"more than {MAX_TREES} deep"),
        (
            HEAD + "(;B[f5])(" * (MAX_DEPTH + 1) + ";B[c4]" + ")" * (MAX_DEPTH + 2),
            Code.SYNTAX,
            None,
            f"nested more than {MAX_DEPTH} deep",
        ),
    ],
)
def test_games_that_are_wrong_do_not_hide_the_next(text: str, code: Code, ply: int | None, message: str) -> None:
    first, second = read_sgf(f"{text}\n{HEAD};B[f5])")
    assert [(found.code, found.ply) for found in first.findings] == [(code, ply)]
    assert message in first.findings[0].message
    assert (second.findings, second.record.moves) == ([], (Square("f5"),))


def test_comments_that_look_like_a_game() -> None:
    record = Record(line=Line([Node(Square("f5"), ("a", "(;GM[2]", "(;FF[4]"))], ("b", "(;SZ[")))
    assert entry(format_sgf(record)).record == record


def test_variations_have_a_limit() -> None:
    line = Line([Node(Square("f5"))])
    for _ in range(MAX_DEPTH):
        line = Line([Node(Square("f5"), variations=(line,))])
    record = Record(line=line)
    text = format_sgf(record)
    assert game(text) == record
    deeper = text.replace("(;B[f5])", "((;B[f5])(;B[f5]))") if "(;B[f5])" in text else ""
    assert deeper == "" or entry(deeper).findings
    with pytest.raises(RecordError, match="nested too deep"):
        format_sgf(Record(line=Line([Node(Square("f5"), variations=(line,))])))


@pytest.mark.parametrize("text", ["(;", "(;GM", "(;GM[2", "(;GM[2]", f"{HEAD};B[f5", f"{HEAD};B[f5](;W[d6])"])
def test_files_that_are_cut_off(text: str) -> None:
    assert [found.code for found in entry(text).findings] == [Code.TRUNCATED]


def test_an_unclosed_value_does_not_hide_the_next_game() -> None:
    first, second = read_sgf(f"{HEAD};B[f5]C[never closed\n{HEAD};B[f5])")
    assert [found.code for found in first.findings] == [Code.SYNTAX]
    assert second.findings == []


def test_rules_of_other_games_are_kept_and_ours_read() -> None:
    assert game(f"{HEAD}RU[Japanese];B[f5])").tags["RU"] == "Japanese"
    record = Record(start=Position(parse_rules("adjacent,board=4x4")), line=Line([Node(Square("a2"))]))
    assert "RU[adjacent,board=4x4]" in format_sgf(record)
    assert game(format_sgf(record)) == record


def test_very_many_comments_and_variations_on_one_turn() -> None:
    record = game(f"{HEAD}{';C[x]' * 50_000}(;B[f5]{';C[y]' * 50_000}){'(;B[d3])' * 5_000})")
    (node,) = record.line.nodes
    assert (len(record.line.comments), len(node.comments), len(node.variations)) == (50_000, 50_000, 5_000)


def test_recognizing() -> None:
    for text in ("(;FF[4]", " \n( ;GM[2]", "(;B[f5])", "(;;B[f5])", "(;AB[d4]"):
        assert list_kind(text) == "sgf", text
    for text in ("(;GM[Othello]", "f5d6", "(;BO[8", ""):
        assert list_kind(text) != "sgf", text


def test_tags_that_sgf_has_no_property_for() -> None:
    tags = Tags(
        [("Event", "a:b]\\"), ("Event", "again"), ("Zeit", " x "), ("BlackElo", "1"), ("TimeControl", "5:00")]
    )
    record = Record(tags, result="20-10")
    text = format_sgf(record)
    assert "TAG[Event:a:b\\]\\\\]" in text.replace("\n", "")
    assert game(text) == record


@pytest.mark.parametrize("result", ["37-27", "1-0", "*", "odd"])
def test_writing_does_not_read_what_it_writes(monkeypatch: pytest.MonkeyPatch, result: str) -> None:
    game = Record(Tags({"Black": "Ada", "Termination": "resignation"}), result=result, line=random_record(1).line)
    text = format_sgf(game)
    monkeypatch.setattr("reversi.records.formats.sgf.reader._Game.read", None)
    assert format_sgf(game) == text


@pytest.mark.parametrize("kind", ["odd", "selective 300%", "selective"])
def test_values_of_an_unknown_kind_are_kept_as_comments(kind: str) -> None:
    node = game(f"{HEAD};B[f5]V[2]KV[{kind}];W[d6])").line.nodes[0]
    known = kind == "selective"
    assert (node.evaluation is not None, node.comments) == (
        known,
        () if known else ("%sgf V[2]", f"%sgf KV[{kind}]"),
    )
