"""Texts cut into pieces are judged as the whole text is."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st

from record_samples import from_wthor, playok, random_record
from reversi import OTHELLO, InputError
from reversi.records import format_record
from reversi.records.formats.eothello import HEADER, format_eothello
from reversi.records.formats.registry import read_games, recognize, text_format_named
from reversi.records.sources import cutting
from reversi.records.sources.cutting import Piece, cut_text
from reversi.records.validation.checked import GameNote, PartChecked
from reversi.records.validation.pieces import check_entries, check_piece

GGF = "(;GM[Othello]PB[a]PW[b]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *]B[f5//1]W[d6/2.5];)\n"
SGF = "(;FF[4]GM[2]SZ[8]PB[a]PW[b];B[f5];W[d6])\n"
VARIED = "(;FF[4]GM[2]SZ[8]PB[a]PW[b];B[f5]\n(;W[d6]\n(;B[c3]C[x])\n(;B[c5]))\n(;W[f4])\n(;W[f6]))\n"
VARIATION = "\n(;W[f4]C[a long comment])"
TEXTS = {
    "ours": "\n".join(format_record(random_record(seed)) for seed in range(6)),
    "foreign": "\n".join(playok(random_record(seed)) for seed in range(6)),
    "wthor": "".join(from_wthor(random_record(seed), random_record(seed).result) for seed in range(6)),
    "ggf": GGF * 3 + "2 " + GGF + GGF * 2,
    "sgf": SGF * 6,
    "sgf with variations": VARIED * 6,
    "eothello": "\n".join([HEADER, *(format_eothello(random_record(seed), seed) for seed in range(6)), ""]),
}
PIECES = st.sampled_from(
    [
        *'{}[]();%$\\"\n\r,*',
        "\n\n",
        "\r\n",
        '\n\n[Event "x"]\n',
        '[Event "x"]',
        "\n(;",
        "\n(;CA[",
        "\\\n(;FF[4",
        ";)",
        "\n1,0,f5",
        HEADER,
        "1. f5",
        "37-27",
        " -- ",
    ]
)


def whole(text: str) -> tuple[list[PartChecked], str]:
    done: list[PartChecked] = []
    try:
        done += check_entries(read_games(text, rules=OTHELLO), False, 3)
    except InputError as error:
        return done, str(error)
    return done, ""


def in_pieces(text: str, size: int) -> tuple[list[PartChecked], int]:
    """The checks of the pieces up to the first that was cut in a wrong place, and how many pieces there are."""
    form = recognize(text)
    pieces = list(cut_text(text, form, size))
    done = []
    for piece in pieces:
        done.append(check_piece(piece, form, OTHELLO, False))
        if not done[-1].whole:
            break
    return done, len(pieces)


def told(parts: list[PartChecked]) -> list[GameNote]:
    before, games = 0, []
    for part in parts:
        games += [game._replace(number=game.number + before) for game in part.notes]
        before += part.games
    return games


@pytest.mark.parametrize("name", TEXTS)
def test_every_form_is_cut(name: str) -> None:
    text = TEXTS[name]
    parts, count = in_pieces(text, len(text) // 5)
    assert count > 2
    assert all(part.whole for part in parts)
    assert sum(part.games for part in parts) == 6
    assert told(parts) == told(whole(text)[0])
    assert "".join(piece.text for piece in cut_text(text, recognize(text), len(text))) == text


def test_a_piece_may_end_in_the_wrong_place() -> None:
    text = "1. f5 {a\n\nb} d6 *\n"
    done = check_piece(Piece(text, 0, 3), text_format_named("pgn"), OTHELLO, False)
    assert (done.games, done.whole) == (0, False)


def test_variations_on_lines_of_their_own_are_no_games() -> None:
    text = (VARIED.removesuffix(")\n") + VARIATION * 500 + ")\n") * 4
    parts, count = in_pieces(text, 6000)
    assert count > 2
    assert [(part.valid, part.notes, part.whole) for part in parts] == [
        (part.games, whole(text)[0][0].notes[: part.games], True) for part in parts
    ]
    assert sum(part.games for part in parts) == 4


LONG = {
    "sgf": (SGF, SGF.replace(";W[d6]", "\n(;W[d6])" + VARIATION * 9 + "\n(;CA[x];W[f6])" + VARIATION * 200)),
    "pgn": (
        '[Event "a"]\n[Site "b"]\n\n1. f5 d6 *\n\n',
        '[Site "b"]\n\n[Event "a"]\n\n1. f5 ' + "{a long comment} " * 300 + "d6 *\n\n",
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_a_game_that_continues_past_a_piece_is_not_judged_there(name: str) -> None:
    short, long = LONG[name]
    expected = [(3, 3, True), (0, 0, False)] if name == "sgf" else [(3, 3, False)]
    text = short * 3 + long + short * 50
    games, error = whole(text)
    assert (sum(part.games for part in games), sum(part.valid for part in games), error) == (54, 54, "")
    parts, _ = in_pieces(text, len(short) * 3 - 2)
    assert [(part.games, part.valid, part.whole) for part in parts] == expected


@settings(max_examples=5 * settings().max_examples)
@given(
    st.sampled_from(list(TEXTS)),
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 30), PIECES), min_size=1, max_size=4),
    st.integers(50, 1500),
    st.integers(40, 2000),
)
def test_a_text_in_pieces_is_judged_as_the_whole(
    name: str, changes: list[tuple[int, int, str]], size: int, overlap: int
) -> None:
    text = TEXTS[name]
    for place, length, new in changes:
        at = place % len(text)
        text = text[:at] + new + text[at + length :]
    parts, error = whole(text)
    if error:
        return
    try:
        with patch.object(cutting, "_OVERLAP", overlap):
            found_pieces, _ = in_pieces(text, size)
    except InputError:  # then the rest is read in one piece
        return
    found = told(found_pieces)
    assert found == told(parts)[: len(found)]
    if all(part.whole for part in found_pieces):
        assert found == told(parts)
        assert sum(part.games for part in found_pieces) == sum(part.games for part in parts)
        assert sum(part.valid for part in found_pieces) == sum(part.valid for part in parts)
