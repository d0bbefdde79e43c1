"""What each format holds of a record: read(write(record)) differs from it in nothing but what is told as lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given, settings, strategies as st

from record_samples import EVALUATIONS, TEXT, random_record
from reversi import OTHELLO, PASS, Color, Kind, Position, RecordError, Square, parse_rules
from reversi.records import Line, Node, Record, RecordedScore, Tags, format_record, losses
from reversi.records.formats.eothello import format_eothello
from reversi.records.formats.ggf.writer import format_ggf
from reversi.records.formats.obf import format_obf_record
from reversi.records.formats.registry import format_named, read_games, text_format_named
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.formats.transcript import format_record_moves
from reversi.records.holding import FEATURES
from reversi.records.losing import lost_tags
from reversi.text import format_board

WRITERS: dict[str, Callable[[Record], str]] = {
    "pgn": format_record,
    "sgf": format_sgf,
    "ggf": format_ggf,
    "transcript": format_record_moves,
    "eothello": format_eothello,
    "obf": format_obf_record,
}
RULES = [
    parse_rules(text) for text in ("othello", "othello,misere", "othello,board=4x4", "othello,board=6x6,misere")
]
WORDS = st.sampled_from(
    [
        "1720",
        "GGS/os",
        "2003.12.15",
        "13:24:03 MST",
        "13:24",
        "05:00//02:00",
        "5:00+3",
        "5:00+3/2:00",
        "300",
        "s8r18",
        "8",
        "4a",
        "-3.133",
        "resignation",
        "time forfeit",
        "abandoned",
        "agreement",
        "adjudication",
        "normal",
        "+3.5",
        "12",
        "a]b",
        "?",
        "",
        "x",
        "Void",
        "0",
    ]
)
GAME_TAGS = (
    "Event Site Date Round Black White Time TimeControl BlackTimeControl WhiteTimeControl BlackElo WhiteElo"
)
OTHER_TAGS = "Komi MatchType BlackBid Termination Score GameId XY PB FEN- RE Zeit Opening"
NAMES = st.sampled_from(tuple(f"{GAME_TAGS} {OTHER_TAGS}".split()))
TAGS = st.lists(st.tuples(NAMES, WORDS | TEXT), max_size=6).map(Tags)


@st.composite
def played(draw: st.DrawFn) -> Record:
    """The record of a legal game, finished or not, with all kinds of notes."""
    rules = draw(st.sampled_from(RULES))
    record = random_record(draw(st.integers(0, 200)), rules, draw(st.sampled_from([0, 1, 2, 7, 30, 200])))
    cut = draw(st.integers(0, min(3, len(record.line.nodes))))
    start = record.start
    for node in record.line.nodes[:cut]:
        start = start.play(node.move)
    nodes = [Node(node.move) for node in record.line.nodes[cut:]]
    for node in nodes[: draw(st.integers(0, 3))]:
        node.clock = draw(st.none() | st.integers(0, 500).map(float))
        node.elapsed = draw(st.none() | st.floats(0, 500).map(lambda seconds: round(seconds, 3)))
        node.evaluation = draw(st.none() | EVALUATIONS)
        node.nags = draw(st.sampled_from([(), (1,), (5,), (1, 2)]))
        node.comments = Node(PASS, comments=tuple(draw(st.lists(TEXT, max_size=2)))).comments
        if draw(st.booleans()):
            node.variations = (Line([Node(node.move)], tuple(draw(st.lists(TEXT, max_size=1)))),)
    comments = tuple(draw(st.lists(TEXT, max_size=2)))
    results = st.sampled_from(["*", "1-0", "0-1", "1/2-1/2", "40-24", "13-0", "20-10", "64-0"])
    result = draw(results)
    if record.result != "*" and (result == "*" or draw(st.booleans())):
        result = record.result
    return Record(draw(TAGS), start, Line(nodes, comments), result)


@st.composite
def positions(draw: st.DrawFn) -> Record:
    """A position with the values of some of its moves, as OBF has them."""
    record = draw(played())
    position = record.start
    values = st.one_of(
        st.none(),
        EVALUATIONS,
        st.builds(RecordedScore, st.integers(-16, 16), st.sampled_from([Kind.EXACT, Kind.HEURISTIC])),
    )
    nodes = [Node(move, evaluation=draw(values)) for move in position.legal_moves[: draw(st.integers(0, 4))]]
    if nodes:
        nodes[0].variations = tuple(Line([node]) for node in nodes[1:])
    return Record(record.tags, position, Line(nodes[:1], record.line.comments), record.result)


def every(line: Line) -> Iterator[Node]:
    for node in line.nodes:
        yield node
        for variation in node.variations:
            yield from every(variation)


def said(record: Record, other: Record) -> list[tuple[str, str]]:
    """The tags that say something; those that a result became in place of itself are left aside."""
    unknown, aside = Tags(), {"Black", "White"}
    if "GameId" not in other.tags:
        aside.add("GameId")  # a line of eOthello needs one
    if record.result != other.result:
        aside |= {"Score", "Termination"} - set(other.tags)
    return sorted(pair for pair in record.tags.pairs if pair[0] not in aside and pair[1] != unknown.get(pair[0]))


def shape(line: Line) -> list[object]:
    return [(node.move, [shape(variation) for variation in node.variations]) for node in line.nodes]


def notes(line: Line, *, variations: bool) -> list[tuple[str, ...]]:
    inner = [note for node in line.nodes for other in node.variations for note in notes(other, variations=True)]
    return [line.comments, *(node.comments for node in line.nodes), *(inner if variations else [])]


def differences(before: Record, after: Record) -> set[str]:
    """In which features two records of the same moves differ."""
    assert before.moves == after.moves
    same_tree = shape(before.line) == shape(after.line)
    nodes = list(
        zip(every(before.line), every(after.line), strict=True)
        if same_tree
        else zip(before.line.nodes, after.line.nodes, strict=True)
    )
    found = {
        "players": (before.black, before.white) != (after.black, after.white),
        "other tags": said(before, after) != said(after, before),
        "results": before.result != after.result,
        "rules": before.rules != after.rules,
        "starts": format_board(before.start) != format_board(after.start),
        "comments": notes(before.line, variations=same_tree) != notes(after.line, variations=same_tree),
        "glyphs": any(one.nags != other.nags for one, other in nodes),
        "clocks": any(one.clock != other.clock for one, other in nodes),
        "times of turns": any(one.elapsed != other.elapsed for one, other in nodes),
        "evaluations": any(
            (one.evaluation and one.evaluation.value) != (other.evaluation and other.evaluation.value)
            for one, other in nodes
        ),
        "kinds of evaluations": any(
            one.evaluation != other.evaluation for one, other in nodes if one.evaluation and other.evaluation
        ),
        "variations": not same_tree,
    }
    return {what for what, differs in found.items() if differs}


def check(record: Record, form: str) -> None:
    try:
        text = WRITERS[form](record)
    except RecordError:
        return
    (entry,) = read_games(text + "\n", rules=record.rules, format_=text_format_named(form))
    assert entry.findings == [] or {str(found.code) for found in entry.findings} == {"result-mismatch"}
    told = set(losses(record, form))
    if form not in ("ggf", "pgn", "sgf"):
        told.discard("rules")  # they were given to the reader
    assert differences(record, entry.record) <= told
    assert told <= {*FEATURES, *format_named(form).holds.partly}


@pytest.mark.parametrize("form", WRITERS)
def test_a_format_keeps_what_losses_do_not_report(form: str) -> None:
    @settings(max_examples=60)
    @given(st.one_of(played(), positions()) if form != "obf" else positions())
    @example(Record(Tags({"Komi": "1720"}), result="1-0"))
    @example(Record(Tags({"Komi": "-3.133"}), result="0-1"))
    @example(Record(Tags({"Komi": "12"}), result="1/2-1/2"))
    @example(Record(Tags({"BlackTimeControl": "1720", "WhiteTimeControl": "1720"}), result="*"))
    def run(record: Record) -> None:
        check(record, form)

    run()


def test_a_plain_game_loses_nothing_but_what_cannot_be_said() -> None:
    record = random_record(5)
    assert PASS not in record.moves
    assert {form: losses(record, form) for form in WRITERS if form != "obf"} == {
        "pgn": [],
        "sgf": [],
        "ggf": ["other tags"],
        "transcript": ["players", "other tags", "results"],
        "eothello": ["players", "other tags"],
    }
    assert lost_tags(record, "ggf") == ["Event", "Round"]
    assert lost_tags(record, "transcript") == ["Event", "Date", "Round"]
    assert lost_tags(record, "sgf") == []
    assert losses(record, "wthor") == ["days and months", "other tags"]


def test_a_full_record_in_each_format() -> None:
    node = Node(
        Square("f5"),
        ("good [of course]",),
        (1,),
        60,
        RecordedScore(2, Kind.EXACT),
        elapsed=1.5,
        variations=(Line([Node(Square("c4"))]),),
    )
    tags = Tags({"Black": "Ann", "Site": "Here", "Club": "Chess"})
    record = Record(tags, line=Line([node], ("before",)), result="1-0")
    assert losses(record, "pgn") == losses(record, "sgf") == []
    assert losses(record, "ggf") == [
        "other tags",
        "results",
        "comments",
        "glyphs",
        "clocks",
        "variations",
        "kinds of evaluations",
    ]
    assert losses(record, "obf") == [
        "players",
        "other tags",
        "results",
        "comments",
        "glyphs",
        "clocks",
        "times of turns",
    ]


@pytest.mark.parametrize(
    ("record", "form", "message"),
    [
        (Record(start=Position(parse_rules("othello,board=4x6"))), "ggf", "a board of 4x6"),
        (Record(start=Position(parse_rules("adjacent"))), "ggf", "rules adjacent"),
        (Record(line=Line([Node(Square("f5"), flips=())])), "ggf", "flipped by hand"),
        (Record(start=Position(parse_rules("othello,misere")), result="1-0"), "eothello", "other rules"),
        (Record(start=Position().play("f5"), result="1-0"), "eothello", "another start"),
        (Record(line=Line([Node(Square("f5"), flips=())]), result="1-0"), "eothello", "flipped by hand"),
        (Record(line=Line([Node(Square("f5"))])), "eothello", "no winner"),
        (
            Record(start=Position(parse_rules("othello,optional-skip")), line=Line([Node(PASS)]), result="1-0"),
            "eothello",
            "other rules",
        ),
        (Record(line=Line([Node(Square("f5"))])), "obf", "a game"),
        (
            Record(line=Line([Node(Square("f5"), evaluation=RecordedScore(0.5, Kind.EXACT))])),
            "obf",
            "not a whole score",
        ),
        (
            Record(
                line=Line(
                    [
                        Node(
                            Square("f5"),
                            evaluation=RecordedScore(1, Kind.EXACT),
                            variations=(Line([Node(Square("f5"), evaluation=RecordedScore(1, Kind.EXACT))]),),
                        )
                    ]
                )
            ),
            "obf",
            "listed twice",
        ),
    ],
)
def test_a_format_refuses_what_it_cannot_hold(record: Record, form: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        WRITERS[form](record)


def test_a_second_name_of_a_side_is_a_tag_that_gets_lost() -> None:
    record = Record(tags=Tags([("Black", "Ada"), ("Black", "")]))
    assert losses(record, "ggf") == ["other tags"]
    assert losses(record, "pgn") == []


def test_colors_are_those_of_the_start() -> None:
    record = Record(start=Position(OTHELLO).with_to_move(Color.WHITE), line=Line([Node(Square("c5"))]))
    for form in ("ggf", "sgf", "transcript"):
        check(record, form)
