"""Decks: what is written is read again, and damaged files are refused."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread

import pytest

from reversi import InputError, Move, parse_rules
from reversi.analysis.exercises import (
    Exercise,
    Judge,
    add_to_deck,
    from_position,
    read_deck,
    write_deck,
)
from reversi.analysis.exercises.deck import deck_text, parse_deck
from reversi.analysis.exercises.exercise import Origin
from reversi.analysis.exercises.making import from_mistake
from reversi.text import parse_board

BOARDS = [
    "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX O",
    "OOOOOO--XOOOO---XXOOOO--XXXOO--OXXXXXOXOXXXXXXXOXXXXXXXOXXXXXXXO X",
]


@pytest.fixture(scope="module")
def exercises() -> list[Exercise]:
    judge = Judge()
    first = from_position(parse_board(BOARDS[0]), judge, origin=Origin("ä.pgn", 3, 7, 'A "x"', "B", "2024"))
    rules = parse_rules("adjacent,optional-skip,board=4x4")
    variant = from_position(parse_board("-XO--OOOOOO--X-X X", rules), judge, margin=1)
    position = parse_board(BOARDS[1])
    second = from_mistake(position, Move.parse("f2"), judge, min_loss=1)
    assert first is not None
    assert variant is not None
    assert second is not None
    return [first, variant, second]


def test_a_deck_reads_back(tmp_path: Path, exercises: list[Exercise]) -> None:
    write_deck(tmp_path / "deck.json", exercises)
    read = read_deck(tmp_path / "deck.json")
    assert read == exercises
    assert [one.id for one in read] == [one.id for one in exercises]
    assert deck_text(read) == deck_text(exercises)
    assert [one.difficulty is None for one in read] == [False, True, False]
    assert read[0].origin == exercises[0].origin
    assert read[2].played == Move.parse("f2")
    assert [one.moves[0].pv for one in read] == [one.moves[0].pv for one in exercises]


def test_adding_keeps_what_is_there(tmp_path: Path, exercises: list[Exercise]) -> None:
    deck = tmp_path / "deck.json"
    assert add_to_deck(deck, exercises[:2]) == 2
    before = deck.read_bytes()
    assert add_to_deck(deck, exercises[:2]) == 0
    assert deck.read_bytes() == before
    assert add_to_deck(deck, exercises) == 1
    assert [one.id for one in read_deck(deck)] == [one.id for one in exercises]


def test_two_programs_add_to_one_deck(tmp_path: Path, exercises: list[Exercise]) -> None:
    deck = tmp_path / "deck.json"
    threads = [Thread(target=add_to_deck, args=(deck, [one])) for one in exercises]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {one.id for one in read_deck(deck)} == {one.id for one in exercises}


def test_other_files_are_refused_and_stay(tmp_path: Path, exercises: list[Exercise]) -> None:
    deck = tmp_path / "deck.json"
    for data, why in (
        (b"1. f5 d6 *\n", "not a deck of exercises"),
        (b"\xff\xfe", "not a deck of exercises"),
        (b"[1]", "not a deck of exercises"),
        (b'{"reversi exercises": 2, "exercises": []}', "saved in format 2; this version reads format 1"),
        (b'{"reversi exercises": 1}', "'exercises' is not a list"),
    ):
        deck.write_bytes(data)
        with pytest.raises(InputError, match=why) as raised:
            read_deck(deck)
        assert str(raised.value).startswith(f"{deck}: ")
        with pytest.raises(InputError):
            add_to_deck(deck, exercises)
        assert deck.read_bytes() == data


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("difficulty", -1, "difficulty"),
        ("difficulty", True, "difficulty"),
        ("board", "X", "cells"),
        ("rules", "chess", "chess"),
        ("moves", [], "not the legal ones"),
        ("moves", 3, "'moves' has a wrong value: 3; make one with"),
        ("played", "a1", "not legal"),
        ("theme", "mistake", "'theme' has a wrong value: \"mistake\"; make one"),
        ("kind", "other", "'kind' has a wrong value: \"other\"; make one"),
        ("depth", None, "'depth' must be a number from 0 up, not None"),
        ("confidence", "all", "'confidence' must be a number from 0 up, not 'all'"),
        ("game", -1, "'game'"),
    ],
)
def test_damaged_exercises_are_named(field: str, value: object, why: str, exercises: list[Exercise]) -> None:
    deck = json.loads(deck_text(exercises))
    deck["exercises"][0][field] = value
    with pytest.raises(InputError, match=why) as raised:
        parse_deck(json.dumps(deck))
    assert "exercise 1" in str(raised.value)


@pytest.mark.parametrize("field", ["board", "rules", "to_move", "moves", "kind", "theme", "difficulty"])
def test_a_missing_field_is_named(field: str, exercises: list[Exercise]) -> None:
    deck = json.loads(deck_text(exercises))
    del deck["exercises"][0][field]
    with pytest.raises(InputError, match=f"^damaged: exercise 1: '{field}' is missing; make one with"):
        parse_deck(json.dumps(deck))


def test_a_field_of_a_move_is_named_with_its_place(exercises: list[Exercise]) -> None:
    deck = json.loads(deck_text(exercises))
    del deck["exercises"][1]["moves"][2]["pv"]
    with pytest.raises(InputError, match=r"^damaged: exercise 2: 'pv' of item 3 of 'moves' is missing; "):
        parse_deck(json.dumps(deck))


def test_a_value_beyond_the_board_is_refused(exercises: list[Exercise]) -> None:
    deck = json.loads(deck_text(exercises))
    deck["exercises"][0]["moves"][0]["score"] = 65
    with pytest.raises(InputError, match="exercise 1: 65 is not a score"):
        parse_deck(json.dumps(deck))
