"""A board as SVG: valid, the same every time, and what was asked for is on it."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pictures import SVG, circles, discs, elements, has_no_reference, some_game, some_options, texts
from random_games import random_game
from reversi import (
    ArgumentError,
    Color,
    Game,
    IllegalMoveError,
    InputError,
    Position,
    ReversiError,
    Square,
    parse_rules,
)
from reversi.records import Line, Node, Record
from reversi.render import THEMES, Arrow, Options, Theme, plain_text, svg
from reversi.score import Kind, Score
from reversi.text.picture.colors import contrast

BLACK, WHITE = THEMES["green"].black, THEMES["green"].white
GOLDEN = Path(__file__).parent / "golden"


def test_no_text_reorders_a_picture() -> None:
    controls = "".join(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x9B)))
    made = svg(Position(), caption=f"a{controls}b", title=f"c{controls}d", values={"d3": "e\u202ef"})
    assert not set(controls) & set(made)
    assert "a" + "\ufffd" * len(controls) + "b" in made


def game_of(moves: str, rules: str = "othello") -> Game:
    game = Game(parse_rules(rules))
    game.play_all(moves.split())
    return game


@pytest.mark.parametrize("seed", range(200))
def test_random_pictures_are_valid_and_the_same_every_time(seed: int) -> None:
    game = some_game(seed)
    what = game if seed % 2 else game.position
    options = some_options(seed, game.position)
    picture = svg(what, **options)
    root = ET.fromstring(picture.encode())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    assert has_no_reference(picture.replace("&lt;script", ""))
    assert svg(what, Options(**options)) == picture
    if not options["numbers"]:
        look = Options(**options).look
        if not look.shadow and look.black != look.mark:
            assert circles(picture, look.black) == discs(game.position, Color.BLACK)


def test_the_same_bytes_in_another_process() -> None:
    code = (
        "from reversi import Position; from reversi.render import svg; import sys;"
        "sys.stdout.write(svg(Position(), values={'d3': '+1', 'c4': '+2'}, highlights=['a1', 'b2', 'c3'],"
        "losses={'c4': 0, 'd3': 1}, legal_moves=True))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


@pytest.mark.parametrize("seed", range(20))
def test_discs_are_where_the_position_has_them(seed: int) -> None:
    game = some_game(seed)
    picture = svg(game)
    assert circles(picture, BLACK) == discs(game.position, Color.BLACK)
    assert circles(picture, WHITE) == discs(game.position, Color.WHITE)


def test_squares_outside_a_small_board_are_absent() -> None:
    picture = svg(Position(parse_rules("othello,board=4x6")))
    root = ET.fromstring(picture)
    assert root.get("viewBox") == "0 0 428 308"
    labels = [text.text for text in elements(picture, "text")]
    assert labels == [*"abcdef", *"1234"]
    assert root.get("height") == "288"
    assert svg(Position(), coordinates=False).count("<text") == 0


def test_a_transcript_diagram() -> None:
    game = random_game("othello", 8)
    picture = svg(game, numbers=True)
    assert circles(picture, BLACK) == discs(game.start, Color.BLACK)
    assert circles(picture, WHITE) == discs(game.start, Color.WHITE)
    colors = {Color.BLACK: BLACK, Color.WHITE: WHITE}
    placements = [ply for ply in game if not ply.is_pass]
    assert len(placements) < len(game)
    assert texts(picture) == {
        str(ply.move): f"{number} {colors[ply.color]}" for number, ply in enumerate(placements, start=1)
    }


def test_numbers_stand_on_discs_where_they_could_not_be_read_otherwise() -> None:
    game = game_of("f5 d6 c3")
    picture = svg(game, numbers=True, theme="print")
    assert texts(picture) == {"f5": "1 #ffffff", "d6": "2 #111111", "c3": "3 #ffffff"}
    assert circles(picture, "#111111") == sorted([(3, 4), (4, 3), (4, 5), (2, 2)])
    assert circles(picture, "#ffffff") == sorted([(3, 3), (4, 4), (5, 3)])


def test_numbers_from_a_later_ply() -> None:
    game = game_of("f5 d6 c3 d3 c4")
    picture = svg(game, numbers=True, numbers_from=3, ply=4)
    assert texts(picture) == {"c3": f"3 {BLACK}", "d3": f"4 {WHITE}"}
    assert circles(picture, BLACK) == discs(game.positions[2], Color.BLACK)
    assert texts(svg(game, numbers=True, numbers_from=50)) == {}


def test_the_last_move_and_its_flips() -> None:
    game = game_of("f5 d6 c3")
    accent = THEMES["green"].accent
    assert circles(svg(game), accent, 7.5) == [(2, 2)]
    assert circles(svg(game, last_move=False), accent, 7.5) == []
    assert circles(svg(game.position, last_move="d6"), accent, 7.5) == [(5, 3)]
    assert circles(svg(game, ply=2), accent, 7.5) == [(5, 3)]
    for flips, squares in ((True, [(3, 3)]), (["e4", "d4"], [(3, 3), (3, 4)]), (False, [])):
        picture = svg(game, flips=flips)
        rings = [group for group in elements(picture, "g") if group.get("stroke") == accent]
        found = [
            (int(ring.get("cy", "")) // 60, int(ring.get("cx", "")) // 60)
            for group in rings
            for ring in group.findall(f"{SVG}circle")
        ]
        assert found == squares


def test_legal_moves_values_and_losses() -> None:
    position = Position()
    mark = THEMES["green"].mark
    assert circles(svg(position, legal_moves=True), mark, 7) == [(2, 3), (3, 2), (4, 5), (5, 4)]
    picture = svg(position, legal_moves=True, values={"d3": "+0", Square("c4"): "<b>"}, losses={"d3": 0, "c4": 99})
    assert circles(picture, mark, 7) == [(4, 5), (5, 4)]
    assert texts(picture) == {"d3": "+0 #111111", "c4": "<b> #ffffff"}
    fills = [rect.get("fill") for rect in elements(picture, "rect") if rect.get("width") == "60"]
    assert fills == ["#fff4bf", "#7a0a2a"]
    assert texts(svg(position, values={"e4": "a", "d4": "b", "a1": "c"})) == {
        "e4": "a #ffffff",
        "d4": "b #111111",
        "a1": "c #ffffff",
    }


def test_highlights_and_arrows() -> None:
    look = THEMES["green"]
    picture = svg(
        Position(), highlights=["a1", "h8"], arrows=["a1-a8", Arrow(Square("b2"), Square("c3")), ("h1", "a8")]
    )
    frames = [group for group in elements(picture, "g") if group.get("stroke") == look.highlight]
    assert len(frames[0].findall(f"{SVG}rect")) == 2
    arrows = [group for group in elements(picture, "g") if group.get("fill") == look.arrow]
    assert len(arrows[0].findall(f"{SVG}path")) == 3


def test_what_a_screen_reader_says() -> None:
    record = Record({"Black": "<script>", "White": "Ünal & Sons"}, line=Line([Node(Square("f5"))]))  # type: ignore[arg-type]
    root = ET.fromstring(svg(record, legal_moves=True))
    assert root[0].text == root.get("aria-label")
    assert root[0].text == "Game <script> – Ünal & Sons, after ply 1, Black f5, White to move, discs 4-1"
    assert root[1].text == (
        "8 rows, 8 columns. Black: e4 d5 e5 f5. White: d4. Last move: f5. Legal moves: f4 d6 f6."
    )
    assert "<script" not in svg(record)
    assert ET.fromstring(svg(Position(), title="a \x1b title"))[0].text == "a � title"
    over = random_game("othello", 1)
    assert "wins" in (ET.fromstring(svg(over))[0].text or "")


def test_a_game_that_was_resigned() -> None:
    game = game_of("f5 d6")
    game.resign(Color.BLACK)
    assert ET.fromstring(svg(game))[0].text == f"After ply 2, White d6, {game.outcome}, discs 3-3"
    assert "White to move" in svg(game, ply=1)
    assert f"% {game.outcome}\n" in plain_text(game)


def test_records_and_games_look_alike() -> None:
    game = game_of("f5 d6 c3")
    record = Record(line=Line([Node(move) for move in game.moves]))
    assert svg(record) == svg(game)
    record.line.nodes.append(Node(Square("a1")))
    assert svg(record, ply=3) == svg(game)
    with pytest.raises(IllegalMoveError, match=r"ply 4 \(White\): a1"):
        svg(record)


def test_themes_are_legible() -> None:
    for theme in THEMES.values():
        assert contrast(theme.label, theme.frame) >= 4.5, theme.name
        assert contrast(theme.ink, theme.board) >= 4, theme.name
        assert contrast(theme.black, theme.white) >= 12, theme.name
        for disc in (theme.black, theme.white):
            assert contrast(theme.accent, disc) >= 3, theme.name
        assert contrast(theme.highlight, theme.board) >= 2.4, theme.name


def test_ones_own_theme_and_disc_colors() -> None:
    theme = Theme(
        "mine", "", board="#fff", line="black", frame="white", label="black", ink="black", mark="gray",
        accent="red", highlight="blue", arrow="blue",
    )  # fmt: skip
    assert circles(svg(Position(), theme=theme, black="red", white="Green"), "#b3261e") == [(3, 4), (4, 3)]
    assert circles(svg(Position(), white="#a1B2c3"), "#a1b2c3") == [(3, 3), (4, 4)]
    with pytest.raises(InputError, match=r"board: 'mud' is not a color; give #rrggbb or one of black, white"):
        Theme("m", "", "mud", "", "", "", "", "", "", "", "")


WRONG_TYPES: list[tuple[dict[str, Any], str]] = [
    ({"theme": 3}, "theme: 3 does not exist"),
    ({"coordinates": 1}, "coordinates must be True or False, not 1"),
    ({"numbers": "yes"}, "numbers must be True or False"),
    ({"last_move": None}, "last_move: 'None' is not a square"),
    ({"flips": "d3"}, "flips must be squares, as in"),
    ({"flips": 5}, "flips must be squares"),
    ({"highlights": [7]}, "highlights: '7' is not a square"),
    ({"values": ["a1"]}, "values must map squares"),
    ({"values": {"a1": 4}}, "values: 4 is neither a score nor a text of at most 8 characters"),
    ({"losses": {"a1": "4"}}, "losses: '4'"),
    ({"arrows": "a1-b2"}, "arrows must be arrows, as in"),
    ({"title": 4}, "title must be a text of at most 1000 characters"),
    ({"black": 4}, "black: 4 is not a color"),
    ({"arrows": [4]}, "arrows: 4 is not an arrow"),
]  # fmt: skip
WRONG_VALUES: list[tuple[dict[str, Any], str]] = [
    ({"theme": "pink"}, "theme: 'pink' does not exist; give one of green, wood, print, dark, high-contrast"),
    ({"black": "#12345"}, "black: '#12345' is not a color; give #rrggbb or one of"),
    ({"black": "white"}, "too alike"),
    ({"size": 39}, "size must be a whole number of pixels, from 40 to 4096, not 39"),
    ({"size": 10}, "size must be"),
    ({"numbers_from": 0}, "numbers_from must be a whole number, at least 1"),
    ({"ply": -1}, "ply must be"),
    ({"ply": 1}, "ply 1 does not exist: a position has no plies"),
    ({"last_move": "z9"}, "last_move: 'z9' is not a square; give one from a1 to h8"),
    ({"last_move": "--"}, "last_move: '--' is not a square"),
    ({"values": {"a1": "123456789"}}, "values: '123456789' is neither a score nor a text"),
    ({"losses": {"a1": -1}}, "losses: -1 is not a number of discs, at least 0"),
    ({"losses": {"a1": float("nan")}}, "losses: nan"),
    ({"arrows": ["a1b2"]}, "arrows: 'a1b2' is not an arrow; give two squares, as in d3-f5"),
    ({"arrows": ["a1-a1"]}, "begins and ends on the same square"),
    ({"arrows": ["a1-b2"] * 501}, "501 are too many"),
    ({"caption": "x" * 1001}, "caption must be a text"),
    ({"them": "green"}, "'them' is not an option of a picture; did you mean 'theme'"),
    ({"nothing_like_it": 1}, "the options are theme, black, white, size"),
    ({"highlights": ["g1"]}, "highlights: g1 is outside the 6x6 board"),
    ({"values": {"a7": ""}}, "values: a7 is outside the 6x6 board"),
    ({"losses": {"h8": 1}}, "losses: h8 is outside the 6x6 board"),
    ({"arrows": ["a1-a8"]}, "arrows: a8 is outside the 6x6 board"),
    ({"last_move": "h1"}, "last_move: h1 is outside"),
    ({"flips": ["h1"]}, "flips: h1 is outside"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message", "error"),
    [
        *((options, message, ArgumentError) for options, message in WRONG_TYPES),
        *((options, message, InputError) for options, message in WRONG_VALUES),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str, error: type[ReversiError]) -> None:
    with pytest.raises(error) as caught:
        svg(Position(parse_rules("othello,board=6x6")), **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_things_without_a_picture() -> None:
    with pytest.raises(ArgumentError, match="a picture is of a Position, a Game or a Record, not of str"):
        svg("f5")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="options must be an Options, not dict"):
        svg(Position(), {})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="ply 4 does not exist: the game has 3"):
        svg(game_of("f5 d6 c3"), ply=4)


def test_options_are_values() -> None:
    values = {"f5": "+4"}
    options = Options(values=values, highlights=iter(["b2", "a1"]), flips=["c3"])
    values["f5"] = "gone"
    assert options == Options(values={"f5": "+4"}, highlights=["a1", "b2"], flips=["c3"])
    assert copy.deepcopy(options) == pickle.loads(pickle.dumps(options)) == options
    with pytest.raises(AttributeError):
        options.size = 4  # type: ignore[misc]


def test_passes_and_games_at_their_start() -> None:
    assert "Last move" not in svg(Game())
    game = Game(parse_rules("adjacent,optional-skip"))
    game.play("--")
    assert "Black passes" in svg(game, numbers=True, flips=True)
    assert "Moves: --." in svg(game, numbers=True)
    ended = Position(parse_rules("adjacent,optional-skip,no-moves")).play("--").play("--")
    assert "Draw 2-2" in svg(ended, legal_moves=True)


def golden_pictures() -> dict[str, str]:
    small = parse_rules("othello,board=4x4")
    game = random_game("othello,board=4x4", 3)
    start = Position(small)
    return {
        "values": svg(start, values={"b1": "+4", "a2": "-10"}, losses={"b1": 0, "a2": 14}, arrows=["b1-b3"]),
        "transcript": svg(game, theme="print", numbers=True, caption="Black & White", size=200),
        "marks": svg(
            game, theme="dark", ply=3, flips=True, legal_moves=True, highlights=["a1"], coordinates=False
        ),
    }


@pytest.mark.parametrize("name", ["values", "transcript", "marks"])
def test_golden(name: str) -> None:
    """What the picture is, byte for byte; ``python tests/render/test_render_svg.py`` writes the files anew."""
    assert golden_pictures()[name] == (GOLDEN / f"{name}.svg").read_text(encoding="utf-8")


if __name__ == "__main__":
    for name, picture in golden_pictures().items():
        (GOLDEN / f"{name}.svg").write_text(picture, encoding="utf-8", newline="\n")


def test_a_score_on_a_square_shows_what_it_is() -> None:
    scores = {"d3": Score.exact(-4, Color.BLACK), "c4": Score(6, Kind.LOWER, 6, 64, Color.BLACK)}
    assert svg(Position(), values=scores) == svg(Position(), values={"d3": "-4", "c4": ">=+6"})
