from __future__ import annotations

import copy
import pickle

import pytest

from record_samples import random_record, seed_with_pass
from reversi import PASS, Color, Kind, Position, RecordError, Score, Square, State, parse_rules
from reversi.records import Line, Node, Record, RecordedScore, Tags, losses
from reversi.records.formats.format import TextFormat
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.registry import format_named
from reversi.records.from_game import game_from_record
from reversi.records.record import ROSTER, is_result


def test_tags_are_always_in_writing_order() -> None:
    tags = Tags([("Zeit", "1"), ("Termination", "normal"), ("White", "W"), ("Abc", "2"), ("TimeControl", "60")])
    assert list(tags) == [*ROSTER[:-1], "TimeControl", "Termination", "Zeit", "Abc"]
    tags["Black"] = "B"
    tags["Nord"] = "3"
    assert list(tags)[-3:] == ["Zeit", "Abc", "Nord"]
    assert (tags["Black"], tags["White"], tags["Event"], tags["Date"]) == ("B", "W", "?", "????.??.??")


def test_the_first_of_a_repeated_tag_counts_and_all_are_kept() -> None:
    tags = Tags([("Date", "2026.??.??"), ("Date", "0.0.0"), ("Time", "1"), ("Time", "2")])
    assert tags["Date"] == "2026.??.??"
    assert tags.pairs[-3:] == (("Date", "0.0.0"), ("Time", "1"), ("Time", "2"))
    assert len(tags) == len(list(tags)) == 7
    tags["Date"] = "2026.11.20"
    assert [value for name, value in tags.pairs if name == "Date"] == ["2026.11.20"]


def test_deleting_a_tag_of_every_game_makes_it_unknown() -> None:
    tags = Tags({"Black": "B", "Time": "1"})
    del tags["Black"]
    del tags["Time"]
    assert tags == Tags()
    with pytest.raises(KeyError):
        del tags["Time"]


@pytest.mark.parametrize("name", ["Result", "Rules", "SetUp", "Board", "FEN"])
def test_what_the_record_holds_itself_is_no_tag(name: str) -> None:
    way_out = "set record.result" if name == "Result" else "set record.start"
    with pytest.raises(RecordError, match=f"^the tag {name} cannot be set.*; {way_out}$"):
        Tags({name: "x"})


@pytest.mark.parametrize("name", ["", "two words", 'quo"te', "[x]", "%x", "-"])
def test_impossible_tag_names_are_refused(name: str) -> None:
    with pytest.raises(RecordError, match="cannot be the name of a tag"):
        Tags({name: "x"})


def test_text_in_a_record_is_on_one_line_without_control_characters() -> None:
    record = Record(
        Tags({"Black": "a\x1b[31mb\nc"}), line=Line([Node(Square("f5"), (" a\nb\t\x00c ", "\n"))], ("\x85",))
    )
    assert record.black == "a [31mb c"
    assert record.line.nodes[0].comments == ("a b  c",)
    assert record.line.comments == ()


def test_flips_are_in_square_order() -> None:
    assert Node(Square("f5"), flips=(Square("e5"), Square("a1"), Square("e5"))).flips == (
        Square("a1"),
        Square("e5"),
    )


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(RecordError, match="no clock shows"):
        Node(Square("f5"), clock=-1)
    with pytest.raises(RecordError, match="no clock shows"):
        Node(Square("f5"), clock=float("nan"))
    with pytest.raises(RecordError, match="no glyph"):
        Node(Square("f5"), nags=(-1,))
    with pytest.raises(RecordError, match="not a value in discs"):
        RecordedScore(float("inf"), Kind.EXACT)
    with pytest.raises(RecordError, match="confidence"):
        RecordedScore(4, Kind.EXACT, 95)
    ended = Position(parse_rules("othello,optional-skip")).play("--").play("--")
    assert ended.state is State.ENDED
    with pytest.raises(RecordError, match="after the end"):
        Record(start=ended)


def test_an_evaluation_keeps_two_decimals() -> None:
    assert RecordedScore(2.346, Kind.HEURISTIC).value == 2.35
    assert repr(RecordedScore(-0.001, Kind.HEURISTIC).value) == "0"
    score = Score(6, Kind.SELECTIVE, -64, 64, Color.BLACK, confidence=95)
    assert RecordedScore.of(score) == RecordedScore(6, Kind.SELECTIVE, 95)


def test_the_confidence_of_an_evaluation_is_that_of_its_score() -> None:
    assert RecordedScore(2, Kind.HEURISTIC).confidence is None
    assert RecordedScore(2, Kind.EXACT).confidence == RecordedScore(2, Kind.SELECTIVE).confidence == 100
    for score in (Score(2, Kind.HEURISTIC, -64, 64, Color.BLACK, 9, None), Score.exact(2, Color.BLACK, 9)):
        assert RecordedScore.of(score).confidence == score.confidence
    (entry,) = read_records("1. f5 {[%eval +1.5 heuristic]} d6 {[%eval +2 exact]} *\n")
    first, second = (node.evaluation for node in entry.record.line.nodes)
    assert (first, second) == (RecordedScore(1.5, Kind.HEURISTIC), RecordedScore(2, Kind.EXACT))
    game = game_from_record(entry.record)
    assert [ply.evaluation.confidence for ply in game if ply.evaluation] == [None, 100]


def test_records_are_copied_and_pickled() -> None:
    node = Node(Square("f5"), ("c",), (1,), 1.5, RecordedScore(4, Kind.EXACT), (Square("e5"),), (Line(),))
    record = Record(Tags({"Black": "B", "Zeit": "1"}), Position(), Line([node], ("x",)), "37-27")
    assert pickle.loads(pickle.dumps(record)) == record
    other = copy.deepcopy(record)
    assert other == record
    other.tags["Black"] = "C"
    other.line.nodes.append(Node(Square("d6")))
    assert (record.black, len(record.moves)) == ("B", 1)


def test_the_line_a_move_was_read_from_is_no_part_of_it() -> None:
    assert Node(Square("f5"), source_line=3) == Node(Square("f5"))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("37-27", True), ("1-0", True), ("1/2-1/2", True), ("*", True), ("37", False), ("", False), ("B+4", False)],
)
def test_forms_of_results(text: str, is_one: bool) -> None:
    assert is_result(text) is is_one


@pytest.mark.parametrize("name", ["pgn", "sgf", "ggf", "csv", "jsonl", "transcript", "eothello", "logbook"])
@pytest.mark.parametrize("seed", [2, seed_with_pass(1)])
def test_packed_turns_are_written_as_others_are(name: str, seed: int) -> None:
    format_ = format_named(name)
    assert isinstance(format_, TextFormat)
    game = random_record(seed)
    record = Record(game.tags, game.start, Line.of_numbers(game.line.numbers), game.result)
    packed = format_.write(record, 1), losses(record, name)
    assert record.line.packed is not None
    assert [node.move.index for node in record.line.nodes] == list(record.line.numbers)
    assert (format_.write(record, 1), losses(record, name)) == packed


def test_a_line_is_played_from_where_it_is_asked_to() -> None:
    start, small = Position(), Position(parse_rules("othello,board=4x4"))
    line = Line.of_numbers(bytes([Square("f5").index, Square("d6").index]))
    assert line.play(start).legal
    assert line.play(start) is line.play(start)
    assert line.play(small) == (b"", small, False)
    assert line.play(start).end == start.play("f5").play("d6")
    line.nodes.append(Node(Square("f5")))
    assert not line.play(start).legal
    line.nodes.pop()
    assert line.play(start).legal
    line = Line.of_numbers(bytes([Square("a1").index]))
    assert line.play_putting_in(start) == line.play(start) == (b"", start, False)


def test_passes_that_are_put_in_are_played() -> None:
    moves = random_record(seed_with_pass(1)).line.numbers
    line = Line.of_numbers(moves.replace(bytes([PASS.index]), b""))
    assert line.play_putting_in(Position()) == line.play(Position()) == Line.of_numbers(moves).play(Position())
    assert line.numbers == moves
    assert line.transcript == "".join(map(str, line.moves))
    assert Line().transcript == ""


def test_what_a_name_has_is_asked_in_several_ways() -> None:
    tags = Tags({"Zeit": "1"})
    assert (tags.get("Zeit"), tags.get("Ort"), tags.get("Ort", 3), "Zeit" in tags, "Ort" in tags) == (
        *("1", None, 3),
        True,
        False,
    )
    assert tags.pairs == tuple(zip(tags.names, tags.texts, strict=True))
    assert tags == pickle.loads(pickle.dumps(tags)) == copy.deepcopy(tags) == Tags.named(("Zeit",), ["1"])
    assert tags != Tags({"Zeit": "2"})
    assert tags != Tags({"Ort": "1"})
    many = Tags((f"Tag{number}", "x") for number in range(100))
    assert many.names[-1] == "Tag99"
