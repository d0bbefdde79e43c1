from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from record_samples import RECORDS, random_record
from reversi import Color, Kind, Position, RecordError, Square, parse_rules
from reversi.records import (
    Code,
    Entry,
    Line,
    Node,
    Record,
    RecordedScore,
    Tags,
    format_record,
    format_records,
    parse_record,
)
from reversi.records.formats.pgn.reader import read_records
from reversi.records.record import MAX_DEPTH
from reversi.text.boards import parse_board

HEAD = '[Event "E"]\n[Site "S"]\n[Date "2026.11.20"]\n[Round "1"]\n[Black "B"]\n[White "W"]\n[Result "*"]\n\n'

CELLS = "---------XX---OXX---XO--------------"


def read(text: str) -> list[Entry]:
    return list(read_records(text))


def moves(text: str) -> str:
    (entry,) = read(text)
    assert entry.findings == []
    return " ".join(map(str, entry.record.moves))


@given(RECORDS)
def test_what_is_written_is_read_as_it_was(record: Record) -> None:
    text = format_record(record)
    (entry,) = read(text)
    assert entry.findings == []
    assert entry.ours
    assert entry.record == record
    assert format_record(entry.record) == text


def test_no_line_begins_with_a_mark_that_would_get_lost() -> None:
    for length in range(40, 90):
        record = Record(line=Line([Node(Square("f5"), (f"{'x' * length} \ufeffy",))]))
        assert read(format_record(record))[0].record == record


@pytest.mark.thorough
@settings(max_examples=60)
@given(st.lists(RECORDS, max_size=4))
def test_files_of_many_games_are_rewritten_byte_for_byte(records: list[Record]) -> None:
    text = "".join(format_records(records))
    entries = read(text)
    assert [entry.record for entry in entries] == records
    assert [entry.number for entry in entries] == list(range(1, len(records) + 1))
    assert "".join(format_records(entry.record for entry in entries)) == text
    assert [entry.record for entry in read("\ufeff" + text.replace("\n", "\r\n"))] == records


def test_the_canonical_form() -> None:
    record = Record(
        Tags(
            {"White": 'Say "W"', "Black": "C:\\B", "Zeit": "1", "Termination": "adjudication", "TimeControl": "60"}
        ),
        parse_board(f"{CELLS} O --", parse_rules("othello,optional-skip,board=6x6")),
        Line(
            [
                Node(
                    Square("a1"), ("good } {one}",), (1, 14), 312.0, RecordedScore(4, Kind.EXACT), (Square("b2"),)
                ),
                Node(Square("b1"), variations=(Line([Node(Square("c1")), Node(Square("d1"))], ("or",)), Line())),
                Node(Square("e1"), clock=3661.25, evaluation=RecordedScore(-2.5, Kind.SELECTIVE, 95)),
                Node(Square("f1")),
            ],
            ("first",),
        ),
        "1/2-1/2",
    )
    assert format_record(record) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[Black "C:\\\\B"]\n[White "Say \\"W\\""]\n'
        '[Result "1/2-1/2"]\n[Rules "othello,optional-skip,board=6x6"]\n[SetUp "1"]\n'
        f'[Board "{CELLS} O --"]\n[TimeControl "60"]\n[Termination "adjudication"]\n'
        '[Zeit "1"]\n\n'
        "{first} 1... a1 $1 $14 {[%clk 0:05:12] [%eval +4 exact] [%flips b2] good \\}\n"
        "{one\\}} 2. b1 ({or} 2. c1 d1) () 2... e1 {[%clk 1:01:01.25] [%eval -2.5\n"
        "selective 95%]} 3. f1 1/2-1/2\n"
    )


def test_a_pass_takes_its_slot_and_black_may_not_be_first() -> None:
    start = Position().play("f5")
    assert start.to_move is Color.WHITE
    text = format_record(
        Record(start=start, line=Line([Node(move) for move in random_record(3, start=start).moves[:3]]))
    )
    assert text.splitlines()[-1].startswith("1... ")
    board = "-" * 26 + "OOO" + "-" * 5 + "OXO" + "-" * 5 + "OOO" + "-" * 19
    assert '[SetUp "1"]\n' in format_record(Record(start=parse_board(board + " X")))


def test_lines_have_at_most_79_columns() -> None:
    record = random_record(1)
    record.line.nodes[5].comments = ("word " * 100, "x" * 200)
    lines = format_record(record).split("\n")
    assert [len(line) for line in lines if len(line) > 79] == [202]
    assert max(len(line) for line in lines if len(line) < 200) >= 77


def test_moves_in_many_spellings() -> None:
    assert moves("1. f5 d6 2. c3") == "f5 d6 c3"
    assert moves("1.f5 d6 2.c3") == "f5 d6 c3"
    assert moves("1. F5 1... D6 2 c3") == "f5 d6 c3"
    assert moves("1.f5 1...d6 2.c3 2... D3") == "f5 d6 c3 d3"
    assert moves("f5d6c3 D3C4") == "f5 d6 c3 d3 c4"
    assert moves("1. f5! d6?? 2. c3!?") == "f5 d6 c3"
    assert moves("1. f5 pass 2. PA -- @@@@ *") == "f5 -- -- -- --"


def test_marks_become_glyphs() -> None:
    (entry,) = read("1. f5! d6? 2. c3!! d3?? 3. c4!? f4?! $7 *")
    assert [node.nags for node in entry.record.line.nodes] == [(1,), (2,), (3,), (4,), (5,), (6, 7)]


def test_comments_stay_where_they_were() -> None:
    text = (
        HEAD + "{before} 1. f5 {one} {two} (1. c4 {in it}) {three} d6 ; to the end of } the line\n2. c3 * ; last\n"
    )
    (entry,) = read("; of the file\n% not of the record {\n" + text)
    line = entry.record.line
    assert line.comments == ("of the file", "before")
    assert [node.comments for node in line.nodes] == [
        ("one", "two", "three"),
        ("to the end of } the line",),
        ("last",),
    ]
    assert line.nodes[0].variations == (Line([Node(Square("c4"), ("in it",))]),)


def test_notes_of_a_move() -> None:
    (entry,) = read(
        "1. f5 {[%clk 0:05:12] hm [%eval -3 selective 73%]} d6 {[%flips d5]} c3 {[%flips]} {[%emt 3]} *"
    )
    first, second, third = entry.record.line.nodes
    assert (first.clock, first.evaluation, first.comments) == (312, RecordedScore(-3, Kind.SELECTIVE, 73), ("hm",))
    assert second.flips == (Square("d5"),)
    assert (third.flips, third.comments) == ((), ("[%emt 3]",))


@pytest.mark.parametrize(
    "note", ["[%clk 5:12]", "[%clk 0:61:00]", "[%eval 0.3]", "[%eval +4 exact 95%]", "[%clk]"]
)
def test_commands_that_say_something_else_are_kept_as_text(note: str) -> None:
    (entry,) = read(HEAD + f"1. f5 {{{note}}} *\n")
    assert entry.record.line.nodes == [Node(Square("f5"), (note,))]
    assert read(format_record(entry.record))[0].record == entry.record


def test_tags_in_many_spellings() -> None:
    text = (
        '[ Event  "a \\"b\\" \\\\ c" ] [Site "S"]\n[Date "d"]\n[Black "The "Big" One"]\n[White "C:\\"]\n\n1. f5 *'
    )
    (entry,) = read(text)
    tags = entry.record.tags
    assert entry.findings == []
    assert (tags["Event"], tags["Black"], tags["White"]) == ('a "b" \\ c', 'The "Big" One', "C:\\")


def test_control_characters_of_a_file_become_blanks() -> None:
    record = parse_record('[Black "a\x1bb"]\n[Result "3\x1f4"]\n\nf5 {c\x07d} d6')
    assert (record.black, record.result, record.line.nodes[0].comments) == ("a b", "3 4", ("c d",))
    assert parse_record(format_record(record)) == record


def test_games_without_tags_end_with_their_result() -> None:
    first, second, third = read("1. f5 d6 *\n1. f5 f6 37-27 1-0\n")
    assert [str(move) for move in second.record.moves] == ["f5", "f6"]
    assert (first.record.result, second.record.result, third.record.result) == ("*", "37-27", "1-0")


def test_a_game_without_moves_ends_where_its_first_tag_comes_again() -> None:
    first, second = read('[Event "a"]\n[Result "*"]\n\n[Event "b"]\n\n1. f5 *\n')
    assert (first.record.moves, first.line) == ((), 1)
    assert (second.record.tags["Event"], second.line) == ("b", 4)


NEXT = "\n\n" + HEAD + "1. f5 *\n"


@pytest.mark.parametrize(
    ("body", "code", "line", "column", "ply", "message"),
    [
        ("1. f5 e9 *", Code.INVALID_MOVE, 9, 7, 2, "'e9' is not a move"),
        ("1. f5 d6\n2. c3 hello *", Code.INVALID_MOVE, 10, 7, 4, "'hello' is not a move"),
        ("1. f5 {never closed *", Code.SYNTAX, 9, 7, None, "a comment is not closed before the next game"),
        ("1. f5 d6 (1... f6 *", Code.SYNTAX, 9, 19, None, "the result * inside a variation"),
        ("1. f5 d6 (1... f6", Code.SYNTAX, 9, 10, None, "a variation is not closed before the next game"),
        ("1. f5 ) *", Code.SYNTAX, 9, 7, None, "')' closes nothing"),
        ("1. f5 } *", Code.SYNTAX, 9, 7, None, "'}' closes nothing"),
        ("(1. f5) *", Code.SYNTAX, 9, 1, None, "a variation that follows no move"),
        ("$3 f5 *", Code.SYNTAX, 9, 1, None, "the glyph $3 follows no move"),
        ("f5 $ *", Code.SYNTAX, 9, 4, None, "is not a glyph"),
        ("f5 [x] *", Code.SYNTAX, 9, 4, None, "'[' among the moves"),
        ("f5 {[%flips e9]} *", Code.SYNTAX, 9, 4, 1, "[%flips ...]: 'e9' is not a square"),
        ("f5 * what", Code.SYNTAX, 9, 6, None, "'what' after the result"),
        ("f5 37-27", Code.RESULT_MISMATCH, 9, 4, None, "the Result tag says *, the moves end with 37-27"),
        ("f5", Code.TRUNCATED, 9, 2, None, "the game ends without a result"),
    ],
)
def test_one_mistake_does_not_hide_the_next_game(
    body: str, code: Code, line: int, column: int, ply: int | None, message: str
) -> None:
    first, second = read(HEAD + body + NEXT)
    (finding,) = first.findings
    assert (finding.code, finding.line, finding.column, finding.ply) == (code, line, column, ply)
    assert message in finding.message
    assert (second.number, second.findings, second.record.moves) == (2, [], (Square("f5"),))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ('[Event "x\n', "is not a tag"),
        ("[Event x]\n", "is not a tag"),
        ('[Rules "chess"]\n', "Rules: "),
        ('[Board "XO"]\n', "Board: "),
        ('[FEN "8/8 b"]\n', "a board in FEN has 8 ranks, not 2"),
        (f'[Rules "othello,board=4x4"]\n[Board "{"-" * 16}"]\n', "side to move"),
    ],
)
def test_bad_tags_are_reported_and_the_game_is_read(broken: str, message: str) -> None:
    first, second = read(HEAD.rstrip("\n") + "\n" + broken + "\n1. f5 *" + NEXT)
    (finding,) = first.findings
    assert finding.line == 8 + broken.count("\n", 0, -1)
    assert message in finding.message
    assert (first.record.moves, second.findings) == ((Square("f5"),), [])


@pytest.mark.parametrize(
    "end", ["1. f5 d", "1. f5 p", "1. f5 d6 2", "1. f5 {no", "1. f5 (1. c4", "1. f5 $", "1. f5 -"]
)
@pytest.mark.parametrize("head", [HEAD, ""])
def test_files_that_end_inside_something(head: str, end: str) -> None:
    *_, last = read(HEAD + "1. f5 *\n\n" + head + end)
    assert [finding.code for finding in last.findings] == [Code.TRUNCATED]


@pytest.mark.parametrize("cut", range(1, len(HEAD)))
def test_files_that_end_among_the_tags(cut: int) -> None:
    entries = read(HEAD + "1. f5 *\n\n" + HEAD[:cut])
    assert entries[0].findings == []
    assert [finding.code for finding in entries[1].findings] == [Code.TRUNCATED]


def test_a_file_of_ours_cut_anywhere_is_never_taken_for_whole() -> None:
    record = random_record(2)
    record.line.nodes[30].comments = ("a comment",)
    record.line.nodes[31].variations = (Line([Node(move) for move in record.moves[31:34]]),)
    record.line.nodes[32].nags = (12,)
    text = format_record(record)
    for cut in range(5, len(text) - 1):
        (entry,) = read(text[:cut])
        assert [finding.code for finding in entry.findings] == [Code.TRUNCATED], text[:cut][-20:]


def test_text_before_the_first_game_is_reported() -> None:
    (entry,) = read("Games of our club:\n\n" + HEAD + "1. f5 *\n")
    (finding,) = entry.findings
    assert (finding.code, finding.line, finding.column) == (Code.SYNTAX, 1, 1)
    assert entry.record.moves == (Square("f5"),)


@pytest.mark.parametrize("text", ["hello world", "<html>\n<body>", '[{"a": 1}]', "[1, 2, 3]", "0000", "x" * 10**6])
def test_a_text_without_a_game_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="the text contains no games") as caught:
        read(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["", "\n \n", "; only a comment\n", "\ufeff"])
def test_a_text_with_nothing_has_no_games(text: str) -> None:
    assert read(text) == []


def test_variations_nested_too_deep_are_refused_both_ways() -> None:
    line = Line([Node(Square("f5"))])
    for _ in range(MAX_DEPTH):
        line = Line([Node(Square("f5"), variations=(line,))])
    record = Record(line=line)
    assert parse_record(format_record(record)) == record
    with pytest.raises(RecordError, match="nested more than 100 deep"):
        format_record(Record(line=Line([Node(Square("f5"), variations=(line,))])))
    (entry,) = read("f5 " + "(c4 " * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1) + " *")
    assert [finding.code for finding in entry.findings] == [Code.SYNTAX]


@pytest.mark.parametrize(
    ("tag", "token", "result"),
    [("37-27", "1-0", "37-27"), ("0-1", "27-37", "27-37"), ("32-32", "1/2-1/2", "32-32"), ("?", "1-0", "1-0")],
)
def test_a_result_given_twice(tag: str, token: str, result: str) -> None:
    assert parse_record(HEAD.replace("*", tag) + f"f5 {token}\n").result == result
    assert parse_record(f'[Result "{tag}"]\n\nf5 {token}\n').result == result


def test_foreign_games_may_give_the_result_once() -> None:
    assert parse_record('[Result "37-27"]\n\nf5 *').result == "37-27"
    assert parse_record('[Result "*"]\n\nf5 37-27').result == "37-27"
    with pytest.raises(RecordError, match="says 37-27, the moves end with 0-1"):
        parse_record('[Result "37-27"]\n\nf5 0-1')


def test_one_record_of_a_text() -> None:
    assert parse_record(HEAD + "1. f5 *").moves == (Square("f5"),)
    with pytest.raises(RecordError, match="line 9, column 7: 'e9' is not a move") as caught:
        parse_record(HEAD + "1. f5 e9 *")
    assert (caught.value.line, caught.value.column) == (9, 7)
    with pytest.raises(RecordError, match="line 11: a second game"):
        parse_record(HEAD + "1. f5 *" + NEXT)
    with pytest.raises(RecordError, match="an empty text contains no games"):
        parse_record("")


def test_many_unclosed_comments_take_no_longer_than_many_games() -> None:
    text = (HEAD + "1. f5 {never closed\n\n") * 5000
    entries = read(text)
    assert len(entries) == 5000
    assert [entry.findings[0].code for entry in entries[-2:]] == [Code.SYNTAX, Code.TRUNCATED]


def test_very_many_notes_on_one_turn() -> None:
    record = parse_record(f"1. f5 {'{x} ' * 50_000}{'$1 ' * 50_000}{'(c4) ' * 5_000}*")
    (node,) = record.line.nodes
    assert (len(node.comments), len(node.nags), len(node.variations)) == (50_000, 50_000, 5_000)


def test_numbers_alone_are_no_game_and_hide_none() -> None:
    wrong, right = read_records('1. 2.\n\n[Event "x"]\n\n1. f5 *\n')
    assert [(found.code, found.message, found.line) for found in wrong.findings] == [
        (Code.SYNTAX, "'1.' is not a move", 1)
    ]
    assert (right.findings, right.line, right.record.tags["Event"]) == ([], 3, "x")
