"""Names: spellings that are one name, and words that find a name."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from hostile_readers import MOST, growth
from reversi.games.names import has_words, name_identity
from reversi.records.formats.wthor.names import parse_wthor_names

WTHOR = Path(__file__).parents[3] / "shared" / "data" / "wthor"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Oh Joung-Mok", "Oh Joungmok", True),
        ("Oh Joung Mok", "JOUNGMOK, Oh", True),
        ("O'Brien", "O\u2019Brien", True),
        ("O'Brien Pat", "Pat O Brien", True),
        ("Bj\u00f6rn A\u2010B", "bjorn ab", True),
        ("Lee Chun Ae", "Lee Chunae", True),
        ("\u00d8deg\u00e5rd Martin", "Odegard Martin", True),
        ("\u0141ukasz \u017b\u00f3\u0142\u0107", "zolc lukasz", True),
        ("S\u00f8ren \u00c6b\u00fd \u00der\u00e1inn", "soren aeby thrainn", True),
        ("Zhou Chuan", "Zhuo Chuan", False),
        ("Ohlsson Tomas", "Olsson Thomas", False),
        ("Oh Joung-Mok", "Oh Joung-Min", False),
        ("edax 12", "edax 21", False),
        ("edax-12", "Edax 12", True),
        ("p1 2", "p12", False),
        ("a_b", "ab", False),
        ("", "?", False),
    ],
)
def test_spellings_of_a_name(one: str, other: str, same: bool) -> None:
    assert (name_identity(one) == name_identity(other)) is same


@given(st.text("abc", max_size=12))
def test_the_identity_of_letters_is_their_first_rotation(letters: str) -> None:
    rotations = [letters[at:] + letters[:at] for at in range(len(letters))]
    assert name_identity(letters).strip() == min(rotations, default="")


def test_names_of_the_archive() -> None:
    if not WTHOR.is_dir():
        pytest.skip(f"no {WTHOR}")
    same = defaultdict(set)
    for file in ("WTH.JOU", "vintage_2022/WTHOR.JOU"):
        for name in parse_wthor_names((WTHOR / file).read_bytes()).names:
            same[name_identity(name)].add(name)
    assert sorted(sorted(names) for names in same.values() if len(names) > 1) == [
        ["An Tay Yi", "Tay Yi An"],
        ["Er Ya", "Ya Er"],
        ["Erdenemunkh Manlai", "Manlai Erdenemunkh"],
        ["Lee Chun Ae", "Lee Chunae"],
        ["Lin Wei Hao Roy", "Lin Weihao Roy"],
        ["Oh Joung-Mok", "Oh Joungmok"],
    ]


@pytest.mark.parametrize(
    ("name", "words", "found"),
    [
        ("Oh Joung-Mok", "joungmok", True),
        ("Oh Joung-Mok", "joung-mo", True),
        ("Oh Joung-Mok", "mok", True),
        ("Oh Joung-Mok", "oungmok", False),
        ("Oh Joungmok", "joung-mok", True),
        ("Oh Joungmok", "joung mok", True),
        ("Oh Joungmok", "joung mok oh", True),
        ("Lee Chun Ae", "chunae", True),
        ("O\u2019Brien, Pat", "obrien", True),
        ("O Brien Pat", "o'brien", True),
        ("M\u00fcller, Anna", "anna MULL", True),
        ("M\u00fcller, Anna", "annam", False),
        ("\u0110or\u0111e", "dor", True),
        ("Kad\u0131k\u00f6y \u0130stanbul", "kadikoy istanbul", True),
        ("A Nelson", "an", False),
        ("Anna", "annabel", False),
        ("Round 1 2", "12", False),
        ("12 12", "1212", False),
        ("Cup 2019-20", "2019-20", True),
        ("Cup 2019-20", "2019", True),
        ("Logistello (buro)", "buro", True),
        ("Logistello(M.Buro)", "buro m", True),
        ("Logistello (buro)", "(buro)", True),
        ("Logistello (buro)", "logistello bu", True),
        ("Buro,Michael", "michael", True),
        ("D.Angelo", "angelo", True),
        ("O'Brien", "brien", True),
        ("Zebra [gunnar]", "gunnar", True),
        ("Logistello (buro)", "uro", False),
        ("Anna", "", True),
        ("Anna", " . ", True),
        ("", "anna", False),
    ],
)
def test_words_of_a_name(name: str, words: str, found: bool) -> None:
    assert has_words(name, words) is found


@pytest.mark.parametrize("unit", ["a", "ab", "a ", "a-", "1 "])
def test_long_names_cost_no_more_than_their_length(unit: str) -> None:
    def read(name: bytes) -> None:
        name_identity(name.decode())
        has_words(name.decode(), "aaab zz")

    found = growth(read, unit.encode() * 10_000, unit.encode() * 40_000)
    assert found.ratio < MOST, found
