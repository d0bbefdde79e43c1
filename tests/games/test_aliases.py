"""Other names of players, names that are alike, and changes of games."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from files import new_file
from reversi.errors import MissingFileError
from reversi.games.aliases import NO_ALIASES, AliasError, Aliases
from reversi.games.changes import Changes
from reversi.games.selection import Selection
from reversi.games.similar_names import Likeness, similar_names
from reversi.records import Entry, parse_record

PAIRS = [("Oh J.", "Oh, Joung-Mok"), ("Aleksandr Petrov", "Alexandr Petrov"), ("Sasha", "Alexandr Petrov")]


def test_a_file(tmp_path: Path) -> None:
    path = new_file(tmp_path / "names.txt", "# people\n\n" + "".join(f"{alias}={name}\n" for alias, name in PAIRS))
    aliases = Aliases.of(path)
    assert aliases.name_of("oh j") == "Oh, Joung-Mok"
    assert aliases.name_of("SASHA") == "Alexandr Petrov"
    assert aliases.name_of("Somebody") == "Somebody"
    assert aliases.has_words("Alexandr Petrov", "sasha")
    assert aliases.has_words("Aleksandr Petrov", "alexandr")
    assert not aliases.has_words("Alexandr Ivanov", "sasha")
    assert aliases
    assert not NO_ALIASES
    assert pickle.loads(pickle.dumps(aliases)).name_of("Sasha") == "Alexandr Petrov"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# x\nOh J.\n", "line 2: 'Oh J.': write Alias = Name"),
        ("Oh J. =\n", "line 1: 'Oh J. =': write Alias = Name"),
        ("A = B\na = C\n", "'a' is an alias of both 'B' and 'C'"),
        ("A = B\nB = C\n", "'A' is an alias of 'B', which is one of 'C'; write 'A' = 'C'"),
    ],
)
def test_wrong_files(tmp_path: Path, text: str, why: str) -> None:
    path = new_file(tmp_path / "names.txt", text)
    with pytest.raises(AliasError) as caught:
        Aliases.of(path)
    assert str(caught.value) == f"{path}: {why}"
    with pytest.raises(MissingFileError):
        Aliases.of(tmp_path / "none.txt")


def test_events(tmp_path: Path) -> None:
    path = new_file(tmp_path / "names.txt", "A = B\n[Events]\nMeisterschaft = Open\n\n[players]\nC = D\n")
    aliases = pickle.loads(pickle.dumps(Aliases.of(path)))
    assert [aliases.name_of(name) for name in ("a", "C", "Meisterschaft")] == ["B", "D", "Meisterschaft"]
    assert aliases.events.name_of("MEISTERSCHAFT") == "Open"
    assert (bool(aliases), repr(aliases)) == (True, "<Aliases of 3 names>")
    entry = Entry(1, 0, parse_record('[Event "Meisterschaft"]\n\n1. f5 *\n'))
    assert Selection(event="open", aliases=aliases).takes(entry.record)
    assert Changes(Aliases((), [("Meisterschaft", "Open")])).changed(entry).record.tags["Event"] == "Open"
    with pytest.raises(AliasError, match="'a' is an alias of both 'B' and 'C'"):
        Aliases((), [("A", "B"), ("a", "C")])


def test_changes() -> None:
    text = '[Black "Sasha"]\n[White "Oh J."]\n[Opening "mine"]\n\n1. f5 d6 2. c3 d3 3. c4 *\n'
    changed = Changes(Aliases(PAIRS), openings=True).changed(Entry(1, 0, parse_record(text))).record
    assert (changed.black, changed.white) == ("Alexandr Petrov", "Oh, Joung-Mok")
    assert (changed.tags["Opening"], changed.tags["OpeningCode"]) == ("mine", "f5d6c3d3c4")
    plain = Changes().changed(Entry(1, 0, parse_record(text))).record
    assert plain == parse_record(text)
    assert Selection(player="petrov", aliases=Aliases(PAIRS)).takes(plain)
    assert not Selection(player="petrov").takes(plain)


def test_similar_names() -> None:
    names = [
        *("Aleksandr Petrov", "Alexandr Petrov", "Petrov A.", "Oh Joung-Mok", "Oh J.", "Kim J.", "Tastet Marc"),
        *("Tastet Mark", "Tatset Marc", "Zebra 1", "Zebra 2", "Müller Anna", "Muller, Anna", "Ada", "Bob"),
    ]
    found = {(pair.name, pair.other): pair.likeness for pair in similar_names(names)}
    assert found == {
        ("Aleksandr Petrov", "Alexandr Petrov"): Likeness.SOUND,
        ("Aleksandr Petrov", "Petrov A."): Likeness.INITIAL,
        ("Alexandr Petrov", "Petrov A."): Likeness.INITIAL,
        ("Oh J.", "Oh Joung-Mok"): Likeness.INITIAL,
        ("Tastet Marc", "Tastet Mark"): Likeness.SOUND,
        ("Tastet Marc", "Tatset Marc"): Likeness.LETTER,
        ("Muller, Anna", "Müller Anna"): Likeness.SPELLING,
    }
