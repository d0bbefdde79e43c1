from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import rule_sets
from record_samples import random_record, seed_with_pass
from reversi import PASS, Kind, Position, RecordError, Rules, Square
from reversi.inputs import read_positions
from reversi.records import (
    Code,
    Line,
    Node,
    Record,
    RecordedScore,
    format_named,
    losses,
    recognize,
    validate_entry,
)
from reversi.records.formats.registry import read_games
from reversi.records.formats.transcript import format_record_moves, game_lines, read_transcripts
from reversi.records.replay import board_result, position_after
from reversi.text.decoding import MAX_LINE

BOARD = "---------------------------OX------XXX-------------------------- O"


def words(text: str) -> list[str]:
    return [" ".join(map(str, entry.record.moves)) for entry in read_transcripts(text)]


@given(st.integers(0, 10**6), rule_sets.rules(), st.integers(2, 130))
def test_what_is_written_is_read_as_it_was(seed: int, rules: Rules, plies: int) -> None:
    record = random_record(seed, rules, plies)
    (entry,) = read_transcripts(format_record_moves(record) + "\n", rules=rules)
    assert (entry.findings, entry.record.moves, entry.record.start) == ([], record.moves, record.start)
    assert entry.record.result == record.result
    assert validate_entry(entry).valid


def test_passes_are_left_out_where_they_follow_and_all_written_where_one_does_not() -> None:
    record = random_record(seed_with_pass(2))
    assert "--" not in format_record_moves(record)
    assert next(read_games(format_record_moves(record))).record.moves == record.moves
    up_to_pass = Record(line=Line(record.line.nodes[: record.moves.index(PASS) + 1]))
    assert format_record_moves(up_to_pass).endswith("--")


def test_one_game_per_line() -> None:
    assert words("f5d6c3\n\n% openings\n# more\nF5 F6 E6\nf5-d6-c5\r\n1. f5 d6 2. c4\n") == [
        "f5 d6 c3",
        "f5 f6 e6",
        "f5 d6 c5",
        "f5 d6 c4",
    ]
    assert words("f5d6c3\nc4e3") == ["f5 d6 c3", "c4 e3"]


def test_one_game_over_several_lines() -> None:
    assert words("F5 D6 C3\nD3 C4 F4\nC5\n") == ["f5 d6 c3 d3 c4 f4 c5"]
    record = random_record(seed_with_pass(1))
    text = format_record_moves(record)
    rows = [text[at : at + 40] for at in range(0, len(text), 40)]
    assert [entry.record.moves for entry in read_transcripts("\n".join(rows))] == [record.moves]


def test_a_start_before_the_moves() -> None:
    start = Position().play("f5")
    record = random_record(3, start=start)
    text = format_record_moves(record)
    assert text.startswith(BOARD + "; ")
    (entry,) = read_transcripts(text)
    assert (entry.record.start, entry.record.moves) == (start, record.moves)
    (proved,) = read_transcripts(text.replace(" O;", ";"))
    assert (proved.record.start, proved.record.moves) == (start, record.moves)
    (unknown,) = read_transcripts(BOARD[:64] + ";\n")
    assert [found.code for found in unknown.findings] == [Code.BAD_TAG]


def test_a_bad_line_does_not_hide_the_next_ones() -> None:
    text = f"f5d6c3\nf5d6xx\nf5a1\n{'x' * (MAX_LINE + 1)}\nf5f6"
    entries = list(read_transcripts(text))
    assert [(entry.number, entry.line) for entry in entries] == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    verdicts = [
        [(found.code, found.ply, found.line) for found in validate_entry(entry).findings] for entry in entries
    ]
    assert verdicts == [
        [],
        [(Code.INVALID_MOVE, 3, 2)],
        [(Code.ILLEGAL_MOVE, 2, 3)],
        [(Code.SYNTAX, None, 4)],
        [],
    ]
    assert entries[1].findings[0].column == 5


def test_findings_count_the_passes_that_were_put_in() -> None:
    record = random_record(seed_with_pass(1))
    text = format_record_moves(record)[:-2] + "xx"
    (entry,) = read_transcripts(text)
    assert [found.ply for found in entry.findings] == [len(record.moves)]


@pytest.mark.parametrize("text", ["hello", "hello\nworld\n", "12345"])
def test_a_text_without_a_move_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="the text contains no games"):
        list(read_transcripts(text))


def test_an_empty_text_has_no_games() -> None:
    assert words("\n% comment\n") == []


def test_a_wrong_first_line_is_reported_when_games_follow() -> None:
    first, second = read_transcripts("Openings\nf5d6\n")
    assert [found.code for found in first.findings] == [Code.INVALID_MOVE]
    assert second.record.moves == (Square("f5"), Square("d6"))


def test_wrong_lines_at_the_top_hide_no_games() -> None:
    text = "Our club games\nplayed in May\nf5d6c3\nf5f6e6"
    entries = list(read_transcripts(text))
    assert [(entry.number, entry.line, len(entry.record.moves)) for entry in entries] == [
        (1, 1, 0),
        (2, 2, 0),
        (3, 3, 3),
        (4, 4, 3),
    ]
    assert [bool(entry.findings) for entry in entries] == [True, True, False, False]
    assert game_lines(text) == (2, 4)


def test_too_many_wrong_lines_are_not_transcripts() -> None:
    assert len(list(read_transcripts("word\n" * 999 + "f5d6"))) == 1000
    with pytest.raises(RecordError, match=r"^line 1: 'word' is not a move; the text contains no games"):
        next(read_transcripts("word\n" * 100_000 + "f5d6"))


def test_what_follows_a_percent_sign_is_a_comment() -> None:
    first, second = read_transcripts(f"f5d6c3 % my game; 50%\n{BOARD}; f6 %second\n")
    assert (first.findings, str(first.record.moves[-1]), first.record.line.comments) == (
        [],
        "c3",
        ("my game; 50%",),
    )
    assert (second.findings, second.record.line.comments) == ([], ("second",))
    assert second.record.start == Position().play("f5")
    (long,) = read_transcripts("F5 D6 % one\nC3 D3 % two\n")
    assert (len(long.record.moves), long.record.line.comments) == (4, ("one", "two"))


def test_what_a_transcript_does_not_hold() -> None:
    record = Record({"Black": "A", "Zeit": "1"}, line=Line([Node(Square("f5"))]))  # type: ignore[arg-type]
    assert losses(record, "transcript") == ["players", "other tags"]
    assert losses(Record(), "transcript") == []
    node = Node(Square("f5"), ("c",), (1,), 60, RecordedScore(1, Kind.EXACT), None, (Line(),))
    full = Record(start=Position(Rules(optional_skip=True)), line=Line([node], ("x",)), result="1-0")
    assert losses(full, "transcript") == [
        "results",
        "rules",
        "comments",
        "glyphs",
        "clocks",
        "evaluations",
        "variations",
    ]


def test_transcripts_cannot_hold_hand_flips() -> None:
    with pytest.raises(RecordError, match="flipped by hand"):
        format_record_moves(Record(line=Line([Node(Square("f5"), flips=())])))
    assert format_record_moves(Record(line=Line([Node(Square("f5"), flips=(Square("e5"),))]))) == "f5"


def _scores(records: list[Record]) -> list[int]:
    results = [board_result(record) for record in records]
    return [result.score for result in results if result is not None]


@pytest.mark.parametrize(
    "line",
    [
        "{moves} {sign}",
        "{moves} {lead:+d}",
        "{moves} {lead}",
        "{moves} ({result})",
        "{moves}\t{result}",
        "{number}\t{moves}",
        "{number} {moves} {lead:+d} # the end",
        "{number}: {moves}: {sign}",
        "{moves} # the end",
        "{moves}, {lead:+d} % the end",
    ],
)
def test_numbers_results_and_comments_around_the_moves(line: str) -> None:
    made = [random_record(seed) for seed in range(20)]
    lines = ["# a list\n"]
    for number, (record, lead) in enumerate(zip(made, _scores(made), strict=True)):
        moves = "".join(str(move) for move in record.moves if not move.is_pass)
        sign = (lead > 0) - (lead < 0)
        lines.append(line.format(moves=moves, sign=sign, lead=lead, result=record.result, number=number) + "\n")
    text = "".join(lines)
    entries = list(read_games(text))
    assert recognize(text) is format_named("transcript")
    assert [(entry.findings, entry.record.moves) for entry in entries] == [([], record.moves) for record in made]
    assert [entry.record.result for entry in entries] == [record.result for record in made]
    assert {entry.record.line.comments for entry in entries} == {("the end",) if "the end" in line else ()}


def test_a_wrong_result_after_the_moves() -> None:
    made = random_record(1)
    moves = "".join(str(move) for move in made.moves if not move.is_pass)
    (lead,) = _scores([made])
    (_, entry) = read_games(f"{moves} {lead:+d}\n{moves} {-lead:+d}\n")
    assert [str(finding.code) for finding in validate_entry(entry).findings] == ["result-mismatch"]
    assert [entry.record.result for entry in read_games("f5d6 +4\nf5f6 -63\nf5f4 1/2-1/2\n")] == [
        "34-30",
        "*",
        "1/2-1/2",
    ]
    (_, entry, _) = read_games("f5d6 +4\nf5f6 -63\nf5f4 1/2-1/2\n")
    assert [(finding.message, finding.line) for finding in entry.findings] == [("'-63' is not a result", 2)]


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("f5d6 40:24\nf5f6 ½-½", ["40-24", "1/2-1/2"]),
        ("f5d6 (40–24)\nf5f6 (1/2)", ["40-24", "1/2-1/2"]),
        ("f5d6 1:0\nf5f6 0.5-0.5", ["1-0", "1/2-1/2"]),
        ("f5d6 +2\nf5f6 ½", ["33-31", "1/2-1/2"]),
        ("f5d6 2\nf5f6 -2\nf5f4 +40", ["33-31", "31-33", "52-12"]),
        ("1. f5 d6 {a} (40-24)", ["40-24"]),
        ("1. f5 d6 (1. f5 f6) 40:24", ["40-24"]),
        ("1. f5 d6 {a} 1/2\n", ["1/2-1/2"]),
        ('[Black "A"]\n[Result "40:24"]\n\n1. f5 d6 40–24', ["40-24"]),
        ('[Black "A"]\n[Result "½-½"]\n\n1. f5 d6', ["1/2-1/2"]),
        ("id,winner,moves\n1,½-½,f5d6\n2,1:0,f5f6\n", ["1/2-1/2", "1-0"]),
        ("+f5-d6: 40:24\n+f5-f6: (½-½)\n", ["40-24", "1/2-1/2"]),
        ("(;GM[2]RE[40:24];B[f5])(;GM[2]RE[½-½];B[f5])(;GM[2]RE[1-0];B[f5])", ["40-24", "1/2-1/2", "1-0"]),
        (
            "(;GM[Othello]RE[40–24]B[f5];)\n(;GM[Othello]RE[½]B[f5];)\n(;GM[Othello]RE[0:1]B[f5];)",
            ["40-24", "1/2-1/2", "0-1"],
        ),
        ("black,result,moves\nann,(40-24),f5d6c3\nbob,½-½,f5f6e6\n", ["40-24", "1/2-1/2"]),
    ],
)
def test_results_as_people_write_them(text: str, results: list[str]) -> None:
    entries = list(read_games(text))
    assert ([entry.record.result for entry in entries], [entry.findings for entry in entries]) == (
        results,
        [[]] * len(results),
    )


def test_a_guess_about_numbers_is_said() -> None:
    notes: list[str] = []
    assert [entry.record.result for entry in read_games("f5d6 -2\nf5f6 +4", notes=notes)] == ["31-33", "34-30"]
    assert notes == ["numbers after moves: read as Black's lead"]


def test_numbers_without_a_sign_must_fit_every_finished_game() -> None:
    made = [random_record(seed) for seed in range(20)]
    moves = ["".join(str(move) for move in record.moves if not move.is_pass) for record in made]
    leads = [*_scores(made)]
    leads[7] += 2
    entries = list(read_games("".join(f"{line} {lead}\n" for line, lead in zip(moves, leads, strict=True))))
    assert {len(entry.findings) for entry, lead in zip(entries, leads, strict=True) if lead > 1} == {1}


def test_names_of_openings_after_the_moves() -> None:
    text = (
        "3\r\nC4c3                    Diagonal Opening\r\nC4c3D3c5B2      X-square\r\nC4c3D3c5B5  F.A.T. Draw\r\n"
    )
    entries = list(read_games(text))
    assert [entry.findings for entry in entries] == [[], [], []]
    assert [entry.record.line.comments for entry in entries] == [
        ("Diagonal Opening",),
        ("X-square",),
        ("F.A.T. Draw",),
    ]
    assert [entry.comment for entry in read_positions(text)] == ["Diagonal Opening", "X-square", "F.A.T. Draw"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("f5d6c3 zz\n", "zz"),
        ("f5d6c3  zz9\n", "zz9"),
        ("f5d6  d3 foo\n", "foo"),
        ("f5d6 Tiger\n", "Tiger"),
        ("f5d6 3\n", "3"),
        ("f5d6 3\nf5f6 4\n", "3"),
        ("1. f5 d6 2. c3 d3 3\n", "3"),
        ("x f5d6\nf5d6\n", "x"),
        ("f5d6  x\n", "x"),
    ],
)
def test_what_is_neither_a_result_nor_a_name(text: str, word: str) -> None:
    entry = next(read_transcripts(text))
    assert [finding.message for finding in entry.findings] == [f"'{word}' is not a move"]


def _wrapped(seed: int, width: int) -> str:
    moves = "".join(str(move) for move in random_record(seed).moves if not move.is_pass)
    return "\n".join(moves[at : at + width] for at in range(0, len(moves), width))


@pytest.mark.parametrize(
    ("text", "games"),
    [
        (_wrapped(1, 40), [60]),
        (_wrapped(1, 40) + "\n\n" + _wrapped(2, 30), [60, 60]),
        (_wrapped(1, 40) + "\n" + _wrapped(2, 40), [60, 60]),
        (_wrapped(1, 40).replace("\n", "\n\n") + "\n\n" + _wrapped(2, 60).replace("\n", "\n\n"), [60, 60]),
        ("Black: Ann\n" + _wrapped(1, 30) + "\n\nBlack: Cid\n" + _wrapped(2, 50), [60, 60]),
        ("1 f5 d6\n2 c3 d3\n", [4]),
        ("f5\nd6\nc3\nd3", [4]),
        ("f5d6\nf5f6\nf5f4", [2, 2, 2]),
        ("f5d6c3d3\nf5a1", [4, 2]),
        ("f5d6c3d3 40-24\nc4e3", [4, 2]),
        ("f5d6c3d3c4\nf4a1\n\nf5f6\ne6f4", [7, 2, 2]),
    ],
)
def test_games_on_many_lines(text: str, games: list[int]) -> None:
    entries = list(read_games(text))
    assert [len(entry.record.moves) - entry.record.moves.count(PASS) for entry in entries] == games
    if "a1\n" not in text and "f5a1" not in text:
        expected = [position_after(entry.record) for entry in entries]
        assert [entry.position for entry in read_positions(text)] == expected


def test_a_line_that_may_begin_a_game_or_continue_one_begins_it_and_says_so() -> None:
    notes: list[str] = []
    assert [len(entry.record.moves) for entry in read_games("f5d6\n\nf5f6\ne6f4", notes=notes)] == [2, 2, 2]
    assert len(notes) == 1
    assert "continue the one before it" in notes[0]


@pytest.mark.parametrize(
    "head",
    [
        "Noir : Rémi\nBlanc : Zoé\nDate : 4.3.2019",
        "Schwarz: Rémi, Weiß: Zoé\nDatum: 4.3.2019",
        "黒\uff1aRémi\n白\uff1aZoé\n日付\uff1a4.3.2019",
        "NEGRAS = Rémi\nBLANCAS = Zoé\nFECHA = 4.3.2019",
    ],
)
def test_names_above_the_moves_in_other_languages(head: str) -> None:
    (entry,) = read_games(f"{head}\n\nF5 D6 C3\n")
    tags = entry.record.tags
    assert (tags["Black"], tags["White"], tags["Date"], entry.findings) == ("Rémi", "Zoé", "4.3.2019", [])


def test_moves_after_a_colon_are_no_name() -> None:
    first, second = read_games("f5d6\nNoir: c3d3\n")
    assert [finding.code for finding in second.findings] == [Code.INVALID_MOVE]
    assert first.record.black == "?"


def test_names_and_dates_above_the_moves() -> None:
    text = "Black: Ann  White: Bob\nDate: 2024.05.01\nf5d6\nc3d3 40-24\n\nblack = Cid\nf5f6\n"
    first, second = read_games(text)
    assert first.record.tags.pairs[2:] == (
        ("Date", "2024.05.01"),
        ("Round", "?"),
        ("Black", "Ann"),
        ("White", "Bob"),
    )
    assert (first.record.result, len(first.record.moves), second.record.black) == ("40-24", 4, "Cid")
