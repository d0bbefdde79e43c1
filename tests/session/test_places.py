"""Where a game stands in a file: saving it again replaces it there, and leaves the other games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from files import new_file
from reversi import Session
from reversi.errors import InputError
from reversi.inputs.input import file_at, resolve
from reversi.records import format_record
from reversi.records.formats.pgn.reader import read_records
from reversi.session.opening import open_given
from reversi.session.saving import RecordKeeper, save_game
from reversi.session.text import session_from_text, session_to_text

# foreign ones, ends of all kinds, and bytes outside UTF-8
GAMES = (
    b'\xef\xbb\xbf[Event "a"]\n\n1. f5 d6 *\n\n\n',
    b'[Event "b"]\n[Black "M\xfcller"]\n\n1. e6 {so} f4   2. c3 *\r\n\r\n',
    b'[Event "c"]\n[Weird "caf\xe9"]\n\n1. c4 ; a remark\nc3 $1 0-1 \n \n',
    b'[Event "d"]\n\n1. d3 (1. f5) 1... c5 *\n\n',
    b'[Event "e"]\n\n1. f5 f4 *',
)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return new_file(tmp_path / "club.pgn", b"".join(GAMES))


def opened(place: str, **options: Any) -> Session:
    session = Session(**options)
    open_given(session, file_at(place))
    return session


def moves_in(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8", "replace")
    return [" ".join(map(str, entry.record.moves)) for entry in read_records(text)]


@pytest.mark.parametrize("number", range(1, 6))
def test_a_game_of_a_file_is_replaced_there(club: Path, number: int) -> None:
    before = club.read_bytes()
    session = opened(f"{club}#{number}@1")
    say = save_game(session, str(club))
    assert say == f"Saved {'' if number == 1 else f'as game {number} of '}{club}."
    begin = len(b"".join(GAMES[: number - 1]))
    after = club.read_bytes()
    assert after.startswith(before[:begin])
    assert after.endswith(before[begin + len(GAMES[number - 1].rstrip()) :])
    assert moves_in(club) == ["f5 d6", "e6 f4 c3", "c4 c3", "d3 c5", "f5 f4"]
    session.redo()
    session.play(session.position.legal_moves[0])
    for _ in range(2):
        save_game(session, str(club))
    found = moves_in(club)
    assert [len(found), found[number - 1]] == [5, " ".join(map(str, session.record().moves))]
    assert not [each for each in club.parent.iterdir() if each != club]


def test_the_same_bytes_are_written_where_nothing_has_changed(tmp_path: Path, club: Path) -> None:
    for number in range(1, 6):
        save_game(opened(f"{club}#{number}"), str(club))
    written = club.read_bytes()
    for number in range(1, 6):
        save_game(opened(f"{club}#{number}@1"), str(club))
    assert club.read_bytes() == written
    assert b"M\xc3\xbcller" in written


def test_another_game_that_stands_there_stays(club: Path) -> None:
    session = opened(f"{club}#2")
    session.play(session.position.legal_moves[0])
    for text in (
        b"".join(GAMES[1:]),  # the game before is gone
        b"".join(GAMES).replace(b"{so}", b"{so!}"),  # somebody has commented it
        GAMES[0],
    ):
        club.write_bytes(text)
        with pytest.raises(InputError, match=r"game 2 there is another one by now.*nothing was written"):
            save_game(session, str(club))
        assert club.read_bytes() == text
    club.unlink()
    assert save_game(session, str(club)) == f"Saved {club}."
    assert len(moves_in(club)) == 1


@pytest.mark.parametrize(
    ("text", "number", "after"),
    [
        ('; of the club\n\n[Event "a"]\n\n1. f5 *\n', 1, "{G}\n"),
        (
            '% one\n\n[Event "a"]\n\n1. f5 *\n% two\n[Event "b"]\n\n1. e6 *\n% three\n',
            1,
            "% one\n\n{G}\n% two\n{R}",
        ),
        ('% one\n\n[Event "a"]\n\n1. f5 *\n% two\n[Event "b"]\n\n1. e6 *\n% three\n', 2, "{L}{G}\n% three\n"),
        ("1. f5 d6 *\n1. e6 f4 *\n1. c4 *\n", 2, "1. f5 d6 *\n{G}\n1. c4 *\n"),
        ("1. f5 d6 * 1. e6 f4 *\n", 2, ""),
    ],
)
def test_files_of_other_people(tmp_path: Path, text: str, number: int, after: str) -> None:
    path = new_file(tmp_path / "games.pgn", text.encode())
    session = opened(f"{path}#{number}")
    if not after:
        with pytest.raises(InputError, match="shares a line"):
            save_game(session, str(path))
        after = text
    else:
        save_game(session, str(path))
        at = text.find('[Event "b"]')
        game = format_record(session.record()).rstrip()
        after = after.replace("{G}", game).replace("{L}", text[:at]).replace("{R}", text[at:])
    assert path.read_bytes().decode() == after


def test_a_game_follows_those_of_another_file(club: Path, tmp_path: Path) -> None:
    before = club.read_bytes()
    session = Session()
    session.play("f5")
    for move in ("f6", "e6"):
        assert save_game(session, str(club)) == f"Saved as game 6 of {club}."
        session.play(move)
    assert club.read_bytes().startswith(before)
    assert moves_in(club)[5:] == ["f5 f6"]
    link = tmp_path / "link.pgn"
    link.symlink_to(club)
    save_game(session, str(link))
    assert moves_in(club)[5:] == ["f5 f6 e6"]
    session.new_game()
    session.play("d3")
    assert save_game(session, str(club)) == f"Saved as game 7 of {club}."


def test_a_resumed_game_keeps_its_places(club: Path, tmp_path: Path) -> None:
    kept: list[str] = []
    session = opened(f"{club}#4", keepers=[lambda session: kept.append(session_to_text(session))])
    save_game(session, str(tmp_path / "own.pgn"))
    again = session_from_text(kept[-1])
    again.play(again.position.legal_moves[0])
    save_game(again, str(club))
    save_game(again, str(tmp_path / "own.pgn"))
    assert (len(moves_in(club)), len(moves_in(tmp_path / "own.pgn"))) == (5, 1)
    assert moves_in(club)[3] == moves_in(tmp_path / "own.pgn")[0] == " ".join(map(str, again.game.moves))


def test_the_file_that_is_saved_after_every_move(club: Path) -> None:
    session = opened(f"{club}#4", keepers=[RecordKeeper(club)])
    before = club.read_bytes()
    session.undo()
    assert club.read_bytes() == before
    session.redo()
    session.play(session.position.legal_moves[0])
    assert (len(moves_in(club)), moves_in(club)[3]) == (5, " ".join(map(str, session.game.moves)))
    assert save_game(session, str(club)) == f"Saved {club}."
    session.new_game()
    session.play("d3")
    session.play("c5")
    assert save_game(session, str(club)) == f"Saved {club}."
    assert moves_in(club)[5:] == ["d3 c5"]
    before = club.read_bytes()
    assert before.startswith(b"".join(GAMES[:3]))


def test_a_resumed_game_is_saved_in_its_place_after_every_move(club: Path) -> None:
    kept: list[str] = []
    session = opened(
        f"{club}#4", keepers=[lambda session: kept.append(session_to_text(session)), RecordKeeper(club)]
    )
    session.play(session.position.legal_moves[0])
    again = session_from_text(kept[-1])  # killed
    keeper = RecordKeeper(club)
    keeper.prepare(again)
    again.keepers.append(keeper)
    again.begin()
    again.play(again.position.legal_moves[0])
    assert (len(moves_in(club)), moves_in(club)[3]) == (5, " ".join(map(str, again.game.moves)))


@pytest.mark.parametrize("data", [b"some words\n", b"f5d6c3\n", b"\x7fELF\0\0\1", b'{"moves": []}\n'])
def test_a_file_of_something_else_stays(tmp_path: Path, data: bytes) -> None:
    path = new_file(tmp_path / "file", data)
    for _ in range(2):
        with pytest.raises(InputError, match=r"file: "):
            save_game(Session(), str(path))
    assert path.read_bytes() == data


def test_pasted_games_have_no_place() -> None:
    session = Session()
    open_given(session, resolve("f5d6c3"))
    assert not session.state.places
