"""Players as people write them: people with names, engines of levels, what to write instead of a wrong one."""

from pathlib import Path
from typing import Any

import pytest

from reversi import Color
from reversi.errors import InputError, PlayerError
from reversi.game.game import Game
from reversi.session.players import HUMAN, Side, parse_side
from reversi.session.review import retry
from reversi.session.session import Session
from reversi.session.text import session_from_text, session_to_text

BLACK, WHITE = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("text", "name"),
    [("human:Ada", "Ada"), ("HUMAN:  Ada  Lovelace ", "Ada Lovelace"), ("human:黒木", "黒木"), ("human", "")],
)
def test_people_have_names(text: str, name: str) -> None:
    side = parse_side(text)
    assert side == Side(name=name)
    assert not side.is_engine
    assert side.record_name == str(side) == (name or "human")


@pytest.mark.parametrize(
    ("text", "side", "shown"),
    [
        (
            "engine:8 book=a.book",
            Side(8, books=(str(Path("a.book").absolute()),)),
            "engine level 8, book a.book",
        ),
        ("engine:2s book=standard", Side(60, 2.0, books=("standard",)), "engine 2 s, book standard"),
        (
            "ENGINE:9000n  book=/b/my own.book book=standard",
            Side(60, nodes=9000, books=("/b/my own.book", "standard")),
            "engine 9000 nodes, book my own.book, book standard",
        ),
        ("engine book=standard", Side(level=5, books=("standard",)), "engine level 5, book standard"),
        ("gtp:other book=a.book", Side(program="gtp:other book=a.book"), "gtp:other book=a.book"),
    ],
)
def test_engines_have_books(text: str, side: Side, shown: str) -> None:
    assert parse_side(text) == side
    assert str(side) == shown


def test_a_book_is_for_an_engine_of_this_package() -> None:
    with pytest.raises(InputError, match="opening books are for an engine of this package"):
        Side(name="Ada", books=("standard",))
    side = Side(level=1, books=("/none/a.book",))
    with pytest.raises(PlayerError, match=r"level 1, book a.book: /none/a.book: no such file"):
        side.open()


def test_records_and_saved_games_keep_a_name() -> None:
    session = Session(sides={BLACK: parse_side("human:Ada"), WHITE: parse_side("engine:beginner-2")})
    session.play("f5")
    tags = session.record().tags
    assert tags["Black"] == "Ada"
    assert tags["White"].endswith(" beginner-2")
    assert session_from_text(session_to_text(session)).sides == session.sides


def test_a_person_keeps_the_name_when_the_sides_change() -> None:
    game = Game()
    for move in ("f5", "d6", "c3"):
        game.play(move)
    ada, engine = parse_side("human:Ada"), Side.engine(1)
    session = Session(game.copy(), sides={BLACK: ada, WHITE: engine})
    retry(session, game, 2)
    assert session.sides == {BLACK: engine, WHITE: ada}


@pytest.mark.parametrize(
    ("text", "level"), [("engine:7", 7), ("engine:beginner-1", "beginner-1"), ("Engine:Beginner-4", "beginner-4")]
)
def test_engines_have_levels(text: str, level: int | str) -> None:
    assert parse_side(text).level == level


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ada", "'Ada' is not a player; write human:Ada for a person of this name; others are human, engine, "),
        ("humna", "'humna' is not a player; did you mean human, or human:humna for a person of this name?"),
        ("rino", "did you mean rhino, or human:rino for a person of this name?"),
        ("human:", "'human:' names nobody; write human:Ada, or human for a person without a name"),
        ("human:" + "x" * 41, "a name has at most 40 characters, not 41"),
        ("human:a\x1bb", "is not a name; write one of letters, digits and spaces"),
        (
            "engine:beginner-9",
            "level must be 1 to 60, beginner-1 to beginner-7, people-1100 to people-1700, or club-1 to club-3,"
            " not 'beginner-9'",
        ),
        ("engine:x", "write engine:LEVEL with a level"),
    ],
)
def test_what_is_no_player_comes_with_a_way_out(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_side(text, names=["rhino"])
    assert said in str(caught.value)


def test_a_person_without_a_name_is_human() -> None:
    assert parse_side("human") == HUMAN


@pytest.mark.parametrize("limit", [{"time_s": 2}, {"nodes": 9000}])
def test_a_level_beside_another_limit_is_refused(limit: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"^level and (time_s|nodes) are different limits; give one of them$"):
        Side.engine(8, **limit)
    assert Side.engine(60, **limit) == Side.engine(**limit)  # level 60 sets no limit
