from __future__ import annotations

import pytest

from record_samples import random_record, seed_with_pass
from reversi import PASS, Color, Kind, Position, RecordError, Square, parse_rules
from reversi.records import Code, Entry, Line, Node, Record, RecordedScore, Tags, validate_entry
from reversi.records.dates import read_date
from reversi.records.formats.ggf.reader import read_ggf
from reversi.records.formats.ggf.values import format_date, parse_clock_value, parse_outcome
from reversi.records.formats.ggf.writer import format_ggf
from reversi.records.formats.property_lists import list_kind

START = "8 ---------------------------O*------*O--------------------------- *"
HEAD = f"(;GM[Othello]BO[{START}]"


def entry(text: str) -> Entry:
    (only,) = read_ggf(text)
    return only


def game(text: str) -> Record:
    only = entry(text)
    assert only.findings == []
    return only.record


def test_a_game_with_all_that_the_server_writes() -> None:
    record = game(
        "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ada]PW[b c]RB[2197.01]RW[1720]TI[05:00//02:00]"
        f"TY[8]RE[+0.000:r]BO[{START}]CO[before]B[F5//0.01]W[d6/2.39/1]CO[a fine\nmove]B[c3/-3.5]XY[a];)"
    )
    assert dict(record.tags) == {
        "Event": "?",
        "Site": "GGS/os",
        "Date": "2003.12.15",
        "Round": "?",
        "Black": "ada",
        "White": "b c",
        "TimeControl": "05:00//02:00",
        "Termination": "resignation",
        "XY": "a",
        "BlackElo": "2197.01",
        "WhiteElo": "1720",
        "Time": "13:24:03 MST",
    }
    assert (record.start, record.result) == (Position(), "32-32")
    assert record.line == Line(
        [
            Node(Square("f5"), elapsed=0.01),
            Node(Square("d6"), ("a fine", "move"), evaluation=RecordedScore(2.39, Kind.HEURISTIC), elapsed=1),
            Node(Square("c3"), evaluation=RecordedScore(-3.5, Kind.HEURISTIC)),
        ],
        ("before",),
    )
    assert game(format_ggf(record)) == record


def test_boards_in_rows_other_sizes_and_sides() -> None:
    record = game("1 (;GM[othello]BO[4 ---- -O*- -*O- ---- O]W[b1]B[pass/1]W[--];)")
    assert (record.rules.board.cells, record.start.to_move) == (16, Color.WHITE)
    assert record.moves == (Square("b1"), PASS, PASS)
    assert game("(;GM[Othello]B[f5];)").start == Position()
    assert game("(;TY[6]B[d2];)").start == Position(parse_rules("othello,board=6x6"))
    assert game(f"(;BO[{START[:-2]}]W[f4];)").start.to_move is Color.WHITE  # no side to move: the first turn's


def test_misere_by_type_reverses_the_result() -> None:
    record = game(f"(;GM[Othello]TY[8a]RE[-6.0]BO[{START}]B[f5];)")
    assert (record.rules.misere, record.result) == (True, "35-29")
    assert "MatchType" not in record.tags
    assert game(format_ggf(record)) == record
    assert not game(f"(;GM[Othello]TY[s8r18]BO[{START}]B[f5];)").rules.misere


@pytest.mark.parametrize(
    ("text", "komi", "rules", "outcome"),
    [
        ("?", 0, "othello", ("*", None, None)),
        ("", 0, "othello", ("*", None, None)),
        ("adjourned", 0, "othello", ("*", "adjourned", None)),
        ("+12.000", 0, "othello", ("38-26", None, None)),
        ("-2", 0, "othello,board=4x4", ("7-9", None, None)),
        ("-22.87", -3.133, "othello", ("19-45", None, None)),
        ("+64:t", 0, "othello", ("64-0", "time forfeit", None)),
        ("0:l", 0, "othello", ("32-32", "abandoned", None)),
        ("-5:s", 0, "othello", ("0-1", "agreement", "-5")),
        ("+5:x", 0, "othello", ("1-0", "x", "+5")),
        ("+6", 0, "othello,misere", ("29-35", None, None)),
        ("999", 0, "othello", ("*", None, "999")),
    ],
)
def test_results(text: str, komi: float, rules: str, outcome: tuple[str, str | None, str | None]) -> None:
    read = parse_outcome(text, komi, parse_rules(rules))
    assert (read.text, read.termination, read.written) == outcome


@pytest.mark.parametrize(
    ("text", "date", "time"),
    [
        ("2003.12.15_12:33:18.MST", "2003.12.15", "12:33:18 MST"),
        ("2000-4-16 11:13 EST", "2000.04.16", "11:13 EST"),
        ("2004-11-24 13:47:34 GMT", "2004.11.24", "13:47:34 GMT"),
        ("947375357", "2000.01.08", "23:49:17 UTC"),
        ("2004.01.02", "2004.01.02", ""),
        ("some day", "some day", ""),
    ],
)
def test_dates(text: str, date: str, time: str) -> None:
    assert read_date(text) == (date, time)
    assert read_date(format_date(date, time)) == (date, time)


def test_clocks_of_both_and_of_each() -> None:
    assert parse_clock_value("05:00/00:03") == "05:00+00:03"
    for value in ("15:00//02:00", "0//0", "01:00/00:00/02:00", "0"):
        assert parse_clock_value(value) == value
    record = game(f"(;TB[05:00/00:03]TW[02:00]BO[{START}];)")
    assert record.tags["TimeControl"] == "05:00+00:03/02:00"
    assert "TB[05:00/00:03]TW[02:00]" in format_ggf(record)
    each = game(f"(;TB[05:00//02:00]TW[02:00]BO[{START}];)")
    assert (each.tags["BlackTimeControl"], each.tags["WhiteTimeControl"]) == ("05:00//02:00", "02:00")
    for again in (record, each):
        assert game(format_ggf(again)) == again


def test_text_after_a_move_that_is_not_a_value_is_kept_as_a_comment() -> None:
    record = game(f"{HEAD}B[f5/good]W[d6//]B[c3/1/2/3]W[d3/99999];)")
    assert [node.comments for node in record.line.nodes] == [("/good",), (), ("/1/2/3",), ("/99999",)]
    assert game(format_ggf(record)).line.nodes[0] == record.line.nodes[0]


def test_passes_are_put_in_only_where_none_is_written() -> None:
    full = random_record(seed_with_pass(1))
    bare = format_ggf(full).replace("B[PA]", "").replace("W[PA]", "")
    assert game(bare) == game(format_ggf(full))
    other = random_record(seed_with_pass(2))
    text = format_ggf(other)
    at = text.index("[PA]")
    spoiled = entry(text[: at - 1] + text[at + 4 :])
    assert [(found.code, found.ply) for found in spoiled.findings] == [(Code.SYNTAX, other.moves.index(PASS) + 1)]


def test_several_games_with_their_lines() -> None:
    text = f"2 {HEAD};){HEAD}\nB[f5]\n;)\r\n\r\n{HEAD};)\n"
    assert [(one.number, one.line, one.findings) for one in read_ggf(text)] == [(1, 1, []), (2, 1, []), (3, 5, [])]


@pytest.mark.parametrize(
    ("text", "code", "ply", "message"),
    [
        ("(;GM[Chess];)", Code.BAD_TAG, None, "a game of 'Chess'"),
        ("(;GM[Othello]BO[10 x];)", Code.BAD_TAG, None, "a board of size '10'; there are 4, 6 and 8"),
        ("(;GM[Othello]TY[s10]B[a1];)", Code.BAD_TAG, None, "a board of size '10'"),
        ("(;GM[Othello]TY[s8r5]B[f5];)", Code.BAD_TAG, None, "no board (BO), which a game of type s8r5 needs"),
        ("(;GM[Othello]BO[8 x *];)", Code.BAD_TAG, None, "cells"),
        (f"{HEAD}W[f5];)", Code.SYNTAX, 1, "f5: it is Black's turn"),
        (f"{HEAD}B[z9];)", Code.INVALID_MOVE, 1, "'z9' is not a move"),
        (f"{HEAD}B[f5]W[f6", Code.SYNTAX, None, "the value of W is not closed before the next game"),
        (f"{HEAD}B[f5]", Code.SYNTAX, None, "is neither a tag nor the game's end ';)'"),
        (f"{HEAD}PB[a]PB[b];)", Code.SYNTAX, None, "PB is given twice"),
        (f"{HEAD};) and so on", Code.SYNTAX, None, "'and so on\\n' after the game is not a game"),
        (f"word {HEAD};)", Code.SYNTAX, None, "'word ' before the first game"),
    ],
)
def test_games_that_are_wrong_do_not_hide_the_next(text: str, code: Code, ply: int | None, message: str) -> None:
    first, second = read_ggf(f"{text}\n{HEAD}B[f5];)")
    (found,) = first.findings
    assert (found.code, found.ply) == (code, ply)
    assert message in found.message
    assert (second.findings, second.record.moves) == ([], (Square("f5"),))


@pytest.mark.parametrize(
    "text", ["(;", "(;GM", "(;GM[", "(;GM[Othello", "(;GM[Othello]", f"{HEAD};", f"{HEAD}B[f5]\n"]
)
def test_files_that_are_cut_off(text: str) -> None:
    assert [found.code for found in entry(text).findings] == [Code.TRUNCATED]


def test_results_that_contradict_the_board() -> None:
    record = random_record(3)
    text = format_ggf(record)
    right = text[text.index("RE[") + 3 : text.index("]", text.index("RE["))]
    for wrong in ("+1.000", "+2.5", f"{-float(right)}"):
        verdict = validate_entry(entry(text.replace(f"RE[{right}]", f"RE[{wrong}]")))
        assert [found.code for found in verdict.findings] == [Code.RESULT_MISMATCH]
    assert validate_entry(entry(text)).valid


def test_unknown_tags_are_carried_along() -> None:
    text = f"(;GM[Othello]PB[]PW[]TY[8]RE[?]AB[1]AB[2]FEN[x]BO[{START}];)"
    record = game(text)
    assert record.tags.pairs[6:] == (("AB", "1"), ("AB", "2"), ("FEN-", "x"))
    assert format_ggf(record) == (
        "(;GM[Othello]PB[]PW[]TY[8]RE[?]AB[1]AB[2]FEN[x]"
        "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *];)"
    )
    assert game(format_ggf(record)) == record


@pytest.mark.parametrize("tag", ["XM[d6]", "XM[f5 d6 c3]", f"XB[{START}]"])
def test_unknown_tags_that_may_change_the_game(tag: str) -> None:
    for text in (f"{HEAD}{tag}B[f5];)", f"{HEAD}B[f5]{tag}W[f4];)"):
        (finding,) = entry(text).findings
        assert (finding.code, finding.message.endswith(" may change the game: it is not read")) == (
            Code.UNKNOWN_MEMBER,
            True,
        )


def test_values_of_nothing_but_control_characters() -> None:
    record = game("(;DT[\x1c\x01]PB[\x02]TI[\x1d]B[f5];)")
    assert (record.tags["Date"], record.black) == ("????.??.??", " ")
    assert game(format_ggf(record)) == record


def test_very_many_comments_on_one_turn() -> None:
    record = game(f"{HEAD}B[f5]{'CO[x]' * 50_000};)")
    assert len(record.line.nodes[0].comments) == 50_000


def test_a_win_without_a_count_is_one_by_all_squares() -> None:
    tags = Tags({"Termination": "resignation"})
    assert "RE[+64.000:r]" in format_ggf(Record(tags, result="1-0"))
    assert "RE[-64.000:r]" in format_ggf(Record(tags, result="0-1"))
    assert "RE[+0.000:r]" in format_ggf(Record(tags, result="1/2-1/2"))
    assert "RE[?]" in format_ggf(Record(Tags({"Termination": "12"})))


def test_hand_flips_are_refused_unless_they_follow_the_rules() -> None:
    with pytest.raises(RecordError, match="flipped by hand"):
        format_ggf(Record(line=Line([Node(Square("f5"), flips=())])))
    with pytest.raises(RecordError, match="flipped by hand"):
        format_ggf(Record(line=Line([Node(Square("f5")), Node(Square("a1"), flips=())])))
    same = Record(line=Line([Node(Square("f5"), flips=(Square("e5"),))]))
    assert game(format_ggf(same)).moves == same.moves


def test_recognizing() -> None:
    assert list_kind(" 2 (;GM[Othello];)") == "ggf"
    assert list_kind("(\n;PB[a]B[f5];)") == "ggf"
    assert list_kind("(;B[f5]W[d6];)") == list_kind("(;B[f5];)") == "ggf"
    assert list_kind("(;FF[4]GM[*2];B[f5])") == "sgf"
    assert list_kind("2 (;GM[2];B[f5])") == ""
    assert list_kind("(;PC[x]gm[othello];)") == "ggf"
    assert list_kind("(;FF[4]GM[2];B[f5])") != "ggf"
    assert list_kind("f5d6") != "ggf"


def test_brackets_that_are_closed_become_parentheses() -> None:
    record = Record(Tags({"Black": "Müller [GER]", "White": "Ann [x", "Event": "?"}))
    assert "PB[Müller (GER)]PW[Ann [x]" in format_ggf(record)


def test_blanks_before_the_first_tag() -> None:
    first, second = read_ggf("(\n;GM[Othello]PB[a]TY[8]B[f5];)\n1 ( ;GM[Othello]PB[b]TY[8]B[f5];)")
    assert [(one.record.black, len(one.record.moves), one.findings) for one in (first, second)] == [
        ("a", 1, []),
        ("b", 1, []),
    ]


def test_a_match_of_which_a_game_is_missing() -> None:
    game = f"{HEAD}B[f5];)"
    for text, missing in ((f"2 {game}", 1), (f"2 {game}{game}", 0), (f"2 {game}\n1 {game}", 1), (f"1 {game}", 0)):
        entries = list(read_ggf(text))
        lost = [entry for entry in entries if not entry.is_game]
        assert [found.code for entry in lost for found in entry.findings] == [Code.TRUNCATED] * missing
        assert all(entry.findings == [] for entry in entries if entry.is_game)
    entries = list(read_ggf(f"2 {game} x {game}"))
    assert [(entry.number, entry.is_game) for entry in entries] == [(1, True), (2, False), (3, True)]
