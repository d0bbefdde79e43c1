from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import rule_sets
from record_samples import RECORDS, final, random_record, seed_with_pass
from reversi import PASS, Position, Rules, Square, parse_rules
from reversi.games.selection import Selection
from reversi.games.statistics.overview import Statistics
from reversi.games.statistics.results import results_of
from reversi.records import Code, Finding, Line, Node, Record, Tags, format_record, validate_entry, validate_record
from reversi.records.entry import finding_line
from reversi.records.facts import facts_of
from reversi.records.formats.pgn.reader import read_records
from reversi.records.validation.game import ValidationSummary
from reversi.text.boards import parse_board


def line(moves: str) -> Line:
    return Line([Node(PASS if word == "--" else Square(word)) for word in moves.split()])


def findings(record: Record) -> list[tuple[Code, int | None, str]]:
    return [(found.code, found.ply, found.message) for found in validate_record(record).findings]


@given(st.integers(0, 10**6), rule_sets.rules(), st.integers(0, 130))
def test_what_was_played_is_valid(seed: int, rules: Rules, plies: int) -> None:
    record = random_record(seed, rules, plies)
    verdict = validate_record(record)
    assert verdict.valid
    assert verdict.unfinished is not final(record).is_over
    (entry,) = read_records(format_record(record))
    assert validate_entry(entry) == verdict


@given(RECORDS)
def test_any_record_is_judged(record: Record) -> None:
    verdict = validate_record(record)
    (entry,) = read_records(format_record(record))
    again = validate_entry(entry)
    told = sorted((found.code.value, found.ply, found.message) for found in verdict.findings if found.ply)
    assert told == sorted((found.code.value, found.ply, found.message) for found in again.findings if found.ply)
    assert again.unfinished is verdict.unfinished


@pytest.mark.parametrize(
    ("moves", "code", "ply", "message"),
    [
        ("f5 d6 a1", Code.ILLEGAL_MOVE, 3, "a1: flips nothing; legal: c3 d3 e3 c4 b5"),
        ("f5 d6 f5", Code.DUPLICATE_SQUARE, 3, "f5: the square is occupied; legal: c3"),
        ("d4", Code.DUPLICATE_SQUARE, 1, "d4: the square is occupied; legal: d3 c4 f5 e6"),
        ("f5 --", Code.PASS_FORBIDDEN, 2, "--: White has a placement; legal: f4 d6 f6"),
    ],
)
def test_wrong_moves(moves: str, code: Code, ply: int, message: str) -> None:
    ((found, at, said),) = findings(Record(line=line(moves + " h8 h7")))
    assert (found, at) == (code, ply)
    assert said.startswith(message.split("; legal", maxsplit=1)[0])
    if ply < 3:
        assert said == message


def test_a_pass_that_is_not_written_is_required() -> None:
    record = random_record(seed_with_pass(1))
    at = record.moves.index(PASS)
    del record.line.nodes[at]
    ((code, ply, message),) = findings(record)
    assert (code, ply) == (Code.PASS_REQUIRED, at + 1)
    assert message == f"{record.moves[at]}: {'White' if at % 2 else 'Black'} must pass; legal: --"


def test_moves_after_the_end() -> None:
    nine = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
    assert findings(Record(line=line(nine), result="13-0")) == []
    assert findings(Record(line=line(nine + " a1"))) == [(Code.ILLEGAL_MOVE, 10, "a1: the game is over")]
    assert findings(Record(line=line(nine + " --"))) == [(Code.PASS_FORBIDDEN, 10, "--: the game is over")]
    ((code, _, message),) = findings(Record(line=line(nine + " e6")))
    assert (code, message) == (Code.DUPLICATE_SQUARE, "e6: the square is occupied; the game is over")


def test_under_other_rules() -> None:
    adjacent = Position(parse_rules("adjacent,board=6x6"))
    assert findings(Record(start=adjacent, line=line("a1")))[0][2].startswith("a1: touches no disc; legal: b2")
    ((code, _, message),) = findings(Record(start=adjacent, line=line("h8")))
    assert (code, message.split(";")[0]) == (Code.ILLEGAL_MOVE, "h8: outside the 6x6 board")
    full = Position(parse_rules("adjacent,optional-skip"))
    ((code, ply, message),) = findings(Record(start=full, line=line("-- --")))
    assert (code, ply, message.split(";")[0]) == (Code.PASS_FORBIDDEN, 2, "--: no pass after a pass")


def test_variations_are_judged_and_do_not_stop_the_game() -> None:
    game = line("f5 d6 c3")
    game.nodes[1].variations = (line("f6 a1 h8"), line("f4 e3"))
    game.nodes[2].variations = (line("c3 c3"),)
    verdict = validate_record(Record(line=game))
    assert [(found.code, found.ply) for found in verdict.findings] == [
        (Code.ILLEGAL_MOVE, 3),
        (Code.DUPLICATE_SQUARE, 4),
    ]
    assert all(found.message.endswith("(in a variation)") for found in verdict.findings)
    assert not verdict.unfinished


@pytest.mark.parametrize(
    ("result", "termination", "right"),
    [
        ("{discs}", None, True),
        ("{winner}", None, True),
        ("{loser}", None, False),
        ("{loser}", "resignation", True),
        ("{loser}", "Time Forfeit", True),
        ("{loser}", "normal", False),
        ("1/2-1/2", None, False),
        ("0-64", None, False),
        ("*", None, False),
        ("what", None, False),
    ],
)
def test_results_of_finished_games(result: str, termination: str | None, right: bool) -> None:
    record = random_record(1)
    count = final(record).count
    assert count.score != 0
    winner, loser = ("1-0", "0-1") if count.score > 0 else ("0-1", "1-0")
    record.result = result.format(discs=count.discs, winner=winner, loser=loser)
    if termination:
        record.tags["Termination"] = termination
    assert [code for code, _, _ in findings(record)] == ([] if right else [Code.RESULT_MISMATCH])


def test_the_winner_under_misere_has_fewer_discs() -> None:
    record = random_record(1, parse_rules("othello,misere"))
    black_has_more = final(record).count.black > final(record).count.white
    record.result = "0-1" if black_has_more else "1-0"
    assert findings(record) == []
    (entry,) = read_records(format_record(record))
    assert validate_entry(entry).valid


@pytest.mark.parametrize(
    ("result", "termination", "early"),
    [
        ("*", "", False),
        ("*", "unterminated", False),
        ("*", " Time Forfeit ", True),
        ("37-27", "", True),
        ("1-0", "", True),
        ("0-1", "resignation", True),
        ("1/2-1/2", "adjudication", True),
        ("what", "", False),
        ("what", "resignation", True),
    ],
)
def test_a_game_that_stops_ended_early_or_is_unfinished(result: str, termination: str, early: bool) -> None:
    record = random_record(1, plies=20)
    record.result = result
    if termination:
        record.tags["Termination"] = termination
    verdict = validate_record(record)
    assert (verdict.findings, verdict.unfinished, verdict.ended_early) == ((), not early, early)
    facts = facts_of(record)
    assert (facts.finished, facts.ended_early) == (False, early)
    assert Selection(results=frozenset({"ended-early"})).takes(record) is early
    assert Selection(results=frozenset({"unfinished"})).takes(record) is not early
    assert statistics_of_one(record) == (0, int(early), int(not early))


def statistics_of_one(record: Record) -> tuple[int, int, int]:
    statistics = Statistics()
    for game in results_of([record]):
        statistics.add(game)
    return statistics.finished, statistics.ended_early, statistics.unfinished


def test_after_a_wrong_move_nothing_more_is_judged() -> None:
    record = random_record(1)
    record.result = "1-63"
    record.line.nodes[10] = Node(Square("d4"))
    record.line.nodes[20] = Node(Square("d4"))
    assert [(code, ply) for code, ply, _ in findings(record)] == [(Code.DUPLICATE_SQUARE, 11)]
    text = format_record(record)
    broken = text.replace('[Result "1-63"]', '[Result "2-62"]').replace(" 20. ", " 20. what ")
    (entry,) = read_records(broken)
    assert [found.code for found in entry.findings] == [Code.INVALID_MOVE]
    assert [found.code for found in validate_entry(entry).findings] == [Code.DUPLICATE_SQUARE]


def test_a_wrong_move_does_not_hide_that_the_file_ends() -> None:
    record = random_record(1)
    record.line.nodes[10] = Node(Square("d4"))
    (entry,) = read_records(format_record(record)[:-20])
    assert [found.code for found in validate_entry(entry).findings] == [Code.DUPLICATE_SQUARE, Code.TRUNCATED]


def test_wrong_flips() -> None:
    game = line("f5 d6")
    game.nodes[0].flips = (Square("d4"),)
    record = Record(line=game)
    assert findings(record)[0] == (Code.WRONG_FLIPS, 1, "f5: flipped d4; by the rules: e5")
    accepted = validate_record(Record(line=Line(game.nodes[:1])), accept_flips=True)
    assert (accepted.findings, accepted.unfinished) == ((), True)


def test_flips_that_cannot_be_are_never_accepted() -> None:
    record = Record(line=Line([Node(Square("f5"), flips=(Square("a1"),))]))
    (finding,) = validate_record(record, accept_flips=True).findings
    assert (finding.code, finding.message) == (Code.WRONG_FLIPS, "f5: a1 has no disc to flip")


def test_moves_are_judged_on_the_board_as_it_stood() -> None:
    game = line("f5 f6")  # by the rules f6 would turn e5; here that disc was left white
    game.nodes[0].flips = ()
    assert [code for code, _, _ in findings(Record(line=game))] == [Code.WRONG_FLIPS, Code.ILLEGAL_MOVE]


def test_a_start_of_its_own() -> None:
    start = parse_board("XXXXXXXX" * 7 + "XXXXXXO- O")
    record = Record(start=start, line=line("-- h8"), result="64-0")
    assert findings(record) == []
    (entry,) = read_records(format_record(record))
    assert validate_entry(entry).valid


def test_bad_tags_leave_the_moves_unjudged() -> None:
    text = format_record(random_record(1)).replace("\n\n", '\n[Rules "chess"]\n\n', 1)
    (entry,) = read_records(text)
    verdict = validate_entry(entry)
    assert ([found.code for found in verdict.findings], verdict.unfinished) == ([Code.BAD_TAG], False)


def test_findings_have_the_line_of_the_file() -> None:
    record = random_record(1)
    record.line.nodes[40] = Node(Square("d4"))
    text = format_record(record)
    number = next(at for at, row in enumerate(text.split("\n"), 1) if " 21. d4 " in f" {row} ")
    (entry,) = read_records(text)
    assert [(found.ply, found.line) for found in validate_entry(entry).findings] == [(41, number)]


def test_a_finding_for_people() -> None:
    record = Record(Tags({"Black": "Ada", "White": "Björn"}), line=line("f5 a1"))
    (entry,) = read_records(format_record(record))
    (finding,) = validate_entry(entry).findings
    assert finding_line("a.pgn", entry, finding) == (
        "a.pgn:game 1 (Ada–Björn):ply 2: a1: flips nothing; legal: f4 d6 f6 [illegal-move]"
    )
    other = Finding(Code.TRUNCATED, "the file ends", line=9)
    assert finding_line("-", entry, other) == "-:game 1 (Ada–Björn):line 9: the file ends [truncated]"


def test_counting() -> None:
    summary = ValidationSummary()
    for record in (random_record(1), random_record(1, plies=10), Record(line=line("a1"))):
        summary.add(validate_record(record))
    assert summary == ValidationSummary(games=3, valid=2, unfinished=1, findings=1)
