"""Rule sets: fields, names, the text form, and which of them play alike."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
import random
import re

import pytest
from hypothesis import given, strategies as st

from reversi import ADJACENT, OTHELLO, InputError, Rules, RulesError, parse_rules
from reversi.arguments import excerpt
from reversi.rules import NAMED_RULES, RULE_WORDS, BoardSize, Ending, Objective, Start, describe
from rule_sets import SIZES, distinct_behaviors, every_rule_set, rules

# Section 2 of the specification: the words of each field, in the order in which they are written.
WORDS_IN_ORDER = [
    ("mandatory-capture", "optional-capture"),
    ("adjacent-only", "anywhere"),
    ("optional-skip", "no-skip"),
    ("full-board", "no-moves"),
    tuple(f"board={size.rows}x{size.columns}" for size in SIZES),
    ("start=parallel", "start=diagonal"),
    ("misere", "most-discs"),
    ("discs-only", "empties-to-winner"),
]


def test_defaults_are_othello():
    assert Rules() == OTHELLO == NAMED_RULES["othello"]
    assert OTHELLO.mandatory_capture
    assert not OTHELLO.adjacent_only
    assert not OTHELLO.optional_skip
    assert OTHELLO.ending is Ending.NO_MOVES
    assert OTHELLO.board == (8, 8)
    assert OTHELLO.start is Start.DIAGONAL
    assert OTHELLO.objective is Objective.MOST
    assert not OTHELLO.misere
    assert OTHELLO.empties_to_winner


def test_adjacent_differs_in_three_fields():
    expected = Rules(mandatory_capture=False, adjacent_only=True, ending=Ending.FULL_BOARD)
    assert expected == ADJACENT == NAMED_RULES["adjacent"]
    assert list(NAMED_RULES) == ["othello", "adjacent"]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("othello", {}),
        ("adjacent", {"mandatory_capture": False, "adjacent_only": True, "ending": Ending.FULL_BOARD}),
        (
            "adjacent,optional-skip",
            {
                "mandatory_capture": False,
                "adjacent_only": True,
                "optional_skip": True,
                "ending": Ending.FULL_BOARD,
            },
        ),
        ("adjacent,mandatory-capture", {"adjacent_only": True, "ending": Ending.FULL_BOARD}),
        (
            "adjacent,optional-skip,no-moves",
            {"mandatory_capture": False, "adjacent_only": True, "optional_skip": True},
        ),
        ("othello,optional-capture", {"mandatory_capture": False}),
        ("othello,full-board", {"ending": Ending.FULL_BOARD}),
        ("othello,board=6x6", {"board": BoardSize(6, 6)}),
        ("othello,board=4x8", {"board": BoardSize(4, 8)}),
        ("othello,start=parallel,misere", {"start": Start.PARALLEL, "objective": Objective.FEWEST}),
        ("othello,discs-only", {"empties_to_winner": False}),
    ],
)
def test_text_form_reads_and_writes_the_same(text, fields):
    assert parse_rules(text) == Rules(**fields)
    assert str(Rules(**fields)) == text


def test_every_rule_set_survives_its_text_form():
    texts = {}
    for one in every_rule_set():
        text = str(one)
        assert parse_rules(text) == one
        assert str(parse_rules(text)) == text
        texts[text] = one
    assert len(texts) == 1152, "two rule sets share a text"


def test_writer_takes_the_nearest_name_and_the_order_of_the_table():
    names = list(NAMED_RULES.items())
    for one in every_rule_set():
        name, *words = str(one).split(",")
        differing = {
            other: sum(getattr(one, f.name) != getattr(base, f.name) for f in dataclasses.fields(Rules))
            for other, base in names
        }
        assert len(words) == differing[name] == min(differing.values())
        places = [next(i for i, known in enumerate(WORDS_IN_ORDER) if word in known) for word in words]
        assert places == sorted(set(places))


def test_every_word_of_the_specification_exists():
    assert sorted(RULE_WORDS) == sorted(itertools.chain(*WORDS_IN_ORDER))


@given(rules(), st.randoms(use_true_random=False), st.booleans())
def test_reader_takes_any_order_case_and_spaces(one, chance, with_name):
    words = [
        next(word for word in known if getattr(parse_rules(word), field) == getattr(one, field))
        for known, field in zip(WORDS_IN_ORDER, Rules.__dataclass_fields__, strict=True)
    ]
    if with_name:  # every field is given, so either name will do
        words.append(chance.choice(list(NAMED_RULES)))
    chance.shuffle(words)
    assert parse_rules(",".join(words)) == one
    assert parse_rules(" , ".join(word.upper() for word in words)) == one


def test_reader_needs_no_name_and_knows_the_accent():
    assert parse_rules("board=6x6") == parse_rules("othello,board=6x6")
    assert parse_rules("misère").misere


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "unknown word ''"),
        (",", "unknown word ''"),
        ("othello,", "unknown word ''"),
        ("chess", "unknown word 'chess'"),
        ("othelo", "did you mean 'othello'?"),
        ("othello,misre", "did you mean 'misere'?"),
        ("othello misere", "unknown word"),
        ("othello,othello", "more than one name"),
        ("othello,adjacent", "more than one name"),
        ("misere,misere", "'misere' is repeated"),
        ("board=6x6,board=6x6", "'board=6x6' is repeated"),
        ("board=6x6,board=4x4", "'board=6x6' contradicts 'board=4x4'"),
        ("misere,most-discs", "'misere' contradicts 'most-discs'"),
        ("no-moves,full-board", "'no-moves' contradicts 'full-board'"),
        ("mandatory-capture,optional-capture", "contradicts"),
        ("anywhere,adjacent-only", "contradicts"),
        ("board=5x5", "a board of 5x5 is not possible"),
        ("board=10x10", "a board of 10x10 is not possible"),
        ("board=8x2", "a board of 8x2 is not possible"),
        ("board=0x0", "a board of 0x0 is not possible"),
        ("board=8", "unknown word 'board=8'"),
        ("board=8x8x8", "unknown word 'board=8x8x8'"),
        ("board=-8x8", "unknown word 'board=-8x8'"),
        ("start=sideways", "unknown word 'start=sideways'"),
    ],
)
def test_refusals_say_what_is_wrong_and_what_exists(text, says):
    with pytest.raises(RulesError, match=says) as refusal:
        parse_rules(text)
    message = str(refusal.value)
    assert "\n" not in message
    assert isinstance(refusal.value, InputError)
    assert isinstance(refusal.value, ValueError)
    if "more than one name" in message:
        assert "othello, adjacent" in message
    elif "is not possible" in message:
        assert "4, 6 or 8" in message
    else:
        for word in ("othello", "adjacent", "optional-skip", "misere", "board=ROWSxCOLUMNS (each 4, 6 or 8)"):
            assert word in message


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        one = parse_rules(text)
    except RulesError:
        one = None
    if one is None:
        with pytest.raises(RulesError, match=re.escape(excerpt(text))):
            parse_rules(text)
    else:
        assert parse_rules(str(one)) == one


@given(st.lists(st.sampled_from([*NAMED_RULES, *RULE_WORDS]), min_size=1, max_size=5))
def test_known_words_are_refused_only_when_they_clash(words):
    fields = [next((i for i, known in enumerate(WORDS_IN_ORDER) if word in known), "name") for word in words]
    if len(set(fields)) == len(fields):
        parsed = parse_rules(",".join(words))
        for word in words:
            if word not in NAMED_RULES:
                alone = parse_rules(word)
                field = list(Rules.__dataclass_fields__)[
                    WORDS_IN_ORDER.index(next(known for known in WORDS_IN_ORDER if word in known))
                ]
                assert getattr(parsed, field) == getattr(alone, field)
    else:
        with pytest.raises(RulesError):
            parse_rules(",".join(words))


@pytest.mark.parametrize("board", [(5, 5), (8, 7), (2, 8), (10, 10), (0, 0), (-8, 8)])
def test_impossible_boards_are_refused_in_the_constructor(board):
    with pytest.raises(
        RulesError,
        match=f"a board of {board[0]}x{board[1]} is not possible: rows and columns must each be 4, 6 or 8",
    ):
        Rules(board=BoardSize(*board))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"board": "4x4"}, "board must be a BoardSize, not '4x4'"),
        ({"ending": "full-board"}, "ending must be an Ending, not 'full-board'"),
        ({"optional_skip": 1}, "optional_skip must be a bool, not 1"),
    ],
)
def test_a_field_of_a_wrong_type_is_an_error_of_the_rules_and_of_the_type(fields, says):
    for kind in (RulesError, TypeError, ValueError):
        with pytest.raises(kind, match=f"^{says}$"):
            Rules(**fields)


def test_a_plain_tuple_is_a_board():
    one = Rules(board=(4, 6))  # type: ignore[arg-type]
    assert one.board == BoardSize(4, 6)
    assert one.board.rows == 4
    assert one.board.columns == 6
    assert one.board.cells == 24
    assert str(one.board) == "4x6"
    assert one == Rules(board=BoardSize(4, 6))


def _plays_like(one: Rules, other: Rules) -> bool:
    """Section 2: capture implies adjacency; without skips the two endings are one rule; all else matters."""
    same_adjacency = one.mandatory_capture or one.adjacent_only == other.adjacent_only
    same_ending = not one.optional_skip or one.ending == other.ending
    return (
        same_adjacency
        and same_ending
        and all(
            getattr(one, f.name) == getattr(other, f.name)
            for f in dataclasses.fields(Rules)
            if f.name not in ("adjacent_only", "ending")
        )
    )


def test_same_play_of_every_pair_with_one_board():
    sample = [one for one in every_rule_set() if one.board == (8, 8)]
    assert len(sample) == 128
    for one, other in itertools.product(sample, repeat=2):
        assert one.same_play(other) == _plays_like(one, other)


def test_same_play_tells_boards_apart():
    sample = [Rules(board=size) for size in SIZES]
    for one, other in itertools.product(sample, repeat=2):
        assert one.same_play(other) == (one.board == other.board)


def test_idle_fields_still_make_different_values():
    capture_next_to = Rules(adjacent_only=True)
    full = Rules(ending=Ending.FULL_BOARD)
    assert capture_next_to.same_play(OTHELLO)
    assert full.same_play(OTHELLO)
    assert len({OTHELLO, capture_next_to, full}) == 3
    assert str(capture_next_to) == "othello,adjacent-only"


def test_there_are_nine_ways_to_play():
    assert len(distinct_behaviors()) == 9


def test_rules_are_values():
    for one in random.Random(0).sample(list(every_rule_set()), 100):
        twin = parse_rules(str(one))
        assert twin == one
        assert hash(twin) == hash(one)
        for copied in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert copied == one
            assert hash(copied) == hash(one)
            assert isinstance(copied.board, BoardSize)
            assert copied.ending is one.ending
    assert dataclasses.replace(OTHELLO, optional_skip=True) == parse_rules("optional-skip")


def test_rules_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        OTHELLO.optional_skip = True  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        OTHELLO.color = "red"  # type: ignore[attr-defined]


def test_errors_pickle():
    with pytest.raises(RulesError) as refusal:
        parse_rules("chess")
    error = pickle.loads(pickle.dumps(refusal.value))
    assert isinstance(error, RulesError)
    assert "chess" in str(error)


def test_description_tells_the_nine_behaviors_apart():
    assert len({describe(one) for one in distinct_behaviors()}) == 9
    assert describe(Rules(adjacent_only=True, ending=Ending.FULL_BOARD)) == describe(OTHELLO)
    assert "fewest discs win" in describe(Rules(objective=Objective.FEWEST))
    assert "not empty squares" in describe(Rules(empties_to_winner=False))
    assert "4 rows, 6 columns, parallel" in describe(Rules(board=BoardSize(4, 6), start=Start.PARALLEL))
