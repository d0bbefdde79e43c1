"""Names of openings, and lists of openings to start games from."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from files import new_file
from reversi import PASS, SQUARES, Color, Move, Position, Square, parse_rules
from reversi._core import canonical_key
from reversi.openings.names import (
    Named,
    Opening,
    OpeningError,
    named_openings,
    opening_named,
    opening_of_game,
    opening_of_position,
    opening_of_positions,
)
from reversi.openings.starts import balanced_lines, draw_line, parse_xot, read_xot

SHARED = Path(__file__).parents[3] / "shared" / "data"
OPENINGS = st.sampled_from(named_openings())
# the symmetries of the board that leave the start as it is
OF_START = [index for index in range(8) if Position().symmetry(index) == Position()]


def moves_of(text: str) -> list[Move]:
    return [Move.parse(word) for word in re.findall("[a-h][1-8]|--", text)]


def test_every_name_and_every_position_is_there_once() -> None:
    openings = named_openings()
    assert len(openings) > 100
    assert len({canonical_key(opening.position) for opening in openings}) == len(openings)
    names = [name.casefold() for opening in openings for name in (opening.name, *opening.other_names)]
    assert len(set(names)) == len(names)
    assert all(str(opening.moves[0]) == "f5" for opening in openings)


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("f5d6c3d3c4", "Tiger"),
        ("f5d6c3d3c4f4f6", "Stephenson"),
        ("f5d6c5f4e3c6d3f6e6d7", "Rose"),
        ("f5f6e6f4e3", "Cow"),
        ("f5f6e6f4e3d6", "Chimney"),
        ("f5f6e6f4c3", "Buffalo"),
        ("f5d6c4d3c5", "Cat"),
        ("f5f6e6f4e3c5c4e7", "Tanida"),
        ("f5f6e6f4g5e7d7", "Iwasaki"),
        ("f5d6c3d3c4f4f6b4", "Kung"),
        ("f5f4", "Parallel"),
    ],
)
def test_well_known_names(moves: str, name: str) -> None:
    assert opening_named(name).transcript == moves
    named = opening_of_game(moves_of(moves))
    assert named == Named(opening_named(name), len(moves) // 2)


@given(OPENINGS, st.sampled_from(OF_START))
def test_mirrored_and_turned_it_is_the_same(opening: Opening, index: int) -> None:
    named = opening_of_game(move.symmetry(index) for move in opening.moves)
    assert named == Named(opening, len(opening.moves))
    assert opening_of_position(opening.position.symmetry(index)) == opening


def test_the_order_of_the_moves_makes_no_difference() -> None:
    assert opening_of_game(moves_of("f5d6c4d3c3")) == Named(opening_named("Tiger"), 5)


@given(OPENINGS)
def test_a_game_is_called_by_its_last_name(opening: Opening) -> None:
    expected = None
    for ply in range(len(opening.moves) + 1):
        position = Position()
        for move in opening.moves[:ply]:
            position = position.play(move)
        if (found := opening_of_position(position)) is not None:
            expected = Named(found, ply)
    assert expected == Named(opening, len(opening.moves))
    nameless = opening.position.legal_moves[-1]
    after = opening_of_game([*opening.moves, nameless])
    assert after is not None
    assert after.ply >= len(opening.moves)


def test_the_name_of_a_game_prints() -> None:
    assert str(opening_of_game("f5d6c3d3c4")) == "Tiger"


def test_what_has_no_name() -> None:
    assert opening_of_position(Position()) is None
    assert opening_of_game([]) is None
    assert opening_of_game(moves_of("f5")) is None
    assert opening_of_positions([]) is None
    tiger = opening_named("Tiger").position
    assert opening_of_position(tiger.with_to_move(Color.BLACK)) is None


def test_a_wrong_move_ends_the_search() -> None:
    named = opening_of_game([*opening_named("Tiger").moves, Square("a1"), Square("f4")])
    assert named == Named(opening_named("Tiger"), 5)
    assert opening_of_game([PASS]) is None


def test_rules_that_open_otherwise_have_no_names() -> None:
    tiger = opening_named("Tiger")
    for rules, known in (("othello,misere", True), ("othello,optional-skip", True), ("adjacent", False)):
        position = tiger.position.with_rules(parse_rules(rules))
        assert (opening_of_position(position) == tiger) is known
        start = Position(parse_rules(rules))
        assert (opening_of_game(tiger.moves, start) is not None) is known
    assert opening_of_game(moves_of("d3"), Position(parse_rules("othello,board=6x6"))) is None


@pytest.mark.parametrize("name", ["tiger", " The TIGER opening", "Tora", "tOrA!"])
def test_names_in_any_spelling(name: str) -> None:
    assert opening_named(name).name == "Tiger"


@pytest.mark.parametrize(
    ("name", "like"), [("tigger", "Tiger"), ("Rosebil", "Rose-Bill"), ("comp oht", "Comp'Oth")]
)
def test_an_unknown_name_gets_suggestions(name: str, like: str) -> None:
    with pytest.raises(OpeningError, match=f"did you mean .*{like}"):
        opening_named(name)


def test_a_name_like_none_is_refused() -> None:
    with pytest.raises(OpeningError, match=r"^no opening is called 'xyzzy'$"):
        opening_named("xyzzy")


def test_names_agree_with_another_list() -> None:
    path = SHARED / "openings" / "zebra_openings.txt"
    if not path.is_file():
        pytest.skip(f"no {path}")
    lines = [line.split(None, 1) for line in path.read_text().splitlines()]
    agreed = 0
    for moves, name in (line for line in lines if len(line) == 2):
        named = opening_of_game(moves_of(moves.lower()))
        assert named is not None
        names = {named.opening.name, *named.opening.other_names}
        same = any(one.casefold() in name.casefold() for one in names)
        # the other list also names continuations, one by one
        assert same or "ontinuation" in name or "lternative" in name, (name, names)
        agreed += same and named.ply == len(moves) // 2
    assert agreed >= 65


# --- lists of openings


def test_a_list_is_read() -> None:
    lines = parse_xot("% a comment\n\nf5d6c4\r\nF5 F6 E6\nf5d6c4\n# another\n1. f5 d6 2. c3\n")
    assert [str(line) for line in lines] == ["f5d6c4", "f5f6e6", "f5d6c3"]
    assert lines[0].position == Position().play("f5").play("d6").play("c4")


def test_a_list_in_a_file(tmp_path: Path) -> None:
    path = new_file(tmp_path / "xot.txt", b"\xef\xbb\xbff5d6\n")
    assert [str(line) for line in read_xot(path)] == ["f5d6"]
    assert read_xot(str(path)) == read_xot(path)
    with pytest.raises(OSError, match="missing"):
        read_xot(tmp_path / "missing.txt")
    with pytest.raises(OSError, match="f5d6: no such file"):
        read_xot("f5d6")
    path.write_text("f5d6\nf5d7\n")
    with pytest.raises(OpeningError, match=r"xot\.txt: line 2: d7 is not allowed") as caught:
        read_xot(path)
    assert caught.value.source == str(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the list of openings is empty"),
        ("% nothing\n", "the list of openings is empty"),
        ("f5d6\nf5d7\n", "line 2: d7 is not allowed"),
        ("f5x9", "line 1: .* is not a move"),
        ("f5" * 600, "line 1: 1200 characters"),
        ("f5f6e6f4g5e7e3\nd3c5d6e7f5b5", "line 2"),
        ("e6f4e3f6g5d6e7f5c5", "line 1: the game is over"),
    ],
)
def test_a_wrong_list_is_refused(text: str, message: str) -> None:
    with pytest.raises(OpeningError, match=message):
        parse_xot(text)


@pytest.mark.parametrize(("name", "count"), [("xot_small.txt", 3623), ("xot_large.txt", 10784)])
def test_lists_of_others(name: str, count: int) -> None:
    path = SHARED / "xot" / name
    if not path.is_file():
        pytest.skip(f"no {path}")
    lines = read_xot(path)
    assert len(lines) == count
    assert {len(line.moves) for line in lines} == {8}


def test_the_projects_own_list() -> None:
    lines = balanced_lines()
    assert len(lines) >= 200
    assert all(len(line.moves) == 8 and str(line).startswith("f5") for line in lines)
    assert len({canonical_key(line.position) for line in lines}) == len(lines)
    assert [str(line) for line in lines] == sorted(
        map(str, lines), key=lambda text: [SQUARES.index(Square(text[at : at + 2])) for at in range(0, 16, 2)]
    )


def test_the_projects_own_list_is_balanced() -> None:
    from array import array

    from reversi._core import Table, batch_search
    from reversi.evaluation.weights import default_weights

    lines = random.Random(1).sample(balanced_lines(), 60)
    player = array("Q", [line.position.player for line in lines])
    opponent = array("Q", [line.position.opponent for line in lines])
    values = array("h", bytes(2 * len(lines)))
    batch_search(default_weights(), Table(16), player, opponent, values, 6)
    discs = [value / 128 for value in values]
    assert max(map(abs, discs)) < 6
    assert sum(map(abs, discs)) / len(discs) < 2


def test_a_seed_draws_the_same_opening() -> None:
    assert draw_line(7) == draw_line(7)
    assert len({str(draw_line(seed)) for seed in range(100)}) > 50
    lines = parse_xot("f5d6\nf5f6\nf5f4\n")
    assert {str(draw_line(seed, lines)) for seed in range(50)} == {"f5d6", "f5f6", "f5f4"}
    with pytest.raises(OpeningError, match="list of openings is empty"):
        draw_line(1, [])
