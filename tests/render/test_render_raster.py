"""PNG, GIF and APNG: drawn by resvg without warnings, the same every time."""

from __future__ import annotations

import io
import re
import stat
import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from pictures import some_game, some_options
from random_games import random_game
from reversi import Game, InputError, Position, ResourceError, parse_rules
from reversi.render import THEMES, animation, graph, png, raster, svg
from reversi.render.raster import svg_to_png

resvg_py = pytest.importorskip("resvg_py", reason="pictures as PNG need resvg-py")
Image = pytest.importorskip("PIL.Image", reason="animations need Pillow")


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(200))
def test_resvg_draws_random_pictures_without_warnings(seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    game = some_game(seed)
    options = some_options(seed, game.position) | {"size": 120}
    what = game if seed % 2 else game.position
    # the fonts of the machine are its own: what they lack is no fault of the picture
    texts = {"values": {}, "caption": re.sub("[^ -~]", "", options["caption"])}
    picture = svg(what, **(options | texts))
    picture = picture.replace("Helvetica,Arial,", "")
    with raster._font_file() as (path, family):
        families = {"sans_serif_family": family, "font_files": [path], "skip_system_fonts": True}
        drawn = resvg_py.svg_to_bytes(svg_string=picture, log_information=True, **families)
    assert capfd.readouterr() == ("", "")
    assert struct.unpack(">I", bytes(drawn)[16:20]) == (120,)


def test_warnings_would_be_seen(capfd: pytest.CaptureFixture[str]) -> None:
    resvg_py.svg_to_bytes(
        svg_string='<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>a</text></svg>',
        skip_system_fonts=True,
        log_information=True,
    )
    assert "Warning" in "".join(capfd.readouterr())


def test_nothing_stays_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    drawn = resvg_py.svg_to_bytes
    seen = []

    def watched(*, font_files: list[str], **options: Any) -> Any:
        (path,) = map(Path, font_files)
        seen.append((path.parent.parent, stat.S_IMODE(path.parent.stat().st_mode)))
        return drawn(font_files=font_files, **options)

    monkeypatch.setattr(resvg_py, "svg_to_bytes", watched)
    first = png(Position())
    assert list(tmp_path.iterdir()) == []
    assert png(Position()) == first
    private = 0o700 if sys.platform != "win32" else seen[0][1]
    assert seen == [(tmp_path, private)] * 2
    assert pixels(first).tobytes() != pixels(png(Position(), coordinates=False)).tobytes()  # it has texts


def pixels(data: bytes) -> Any:
    return Image.open(io.BytesIO(data)).convert("RGB")


def test_png() -> None:
    data = png(Position(), size=548)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert png(Position(), size=548) == data
    picture = pixels(data)
    assert picture.size == (548, 548)

    def color(square: str) -> str:
        row, column = int(square[1]) - 1, ord(square[0]) - ord("a")
        return "#{:02x}{:02x}{:02x}".format(*picture.getpixel((34 + 60 * column + 30, 34 + 60 * row + 30)))

    look = THEMES["green"]
    assert {color("d4"), color("e5")} == {look.white}
    assert {color("d5"), color("e4")} == {look.black}
    assert color("c3") == look.board


def test_texts_are_drawn() -> None:
    plain = pixels(png(Position(), coordinates=False))
    assert pixels(png(Position(), coordinates=False, values={"c4": "8"})).tobytes() != plain.tobytes()
    assert svg_to_png(graph([1, 2])) != svg_to_png(graph([1, 2]).replace("+8", ""))


@pytest.mark.parametrize("value", ["+4", "-10", ">=+12", "~-12", "WWWWWWWW", "mmmm@@@@", "@", "日本", "Ünïçødé"])
def test_a_text_stays_on_its_square(value: str) -> None:
    from PIL import ImageChops

    options: dict[str, Any] = {"coordinates": False, "size": 500}
    changed = ImageChops.difference(
        pixels(png(Position(), **options)), pixels(png(Position(), values={"c4": value}, **options))
    )
    left, upper, right, lower = changed.getbbox() or (0, 0, 0, 0)
    assert left >= 130
    assert right <= 190
    assert upper >= 190
    assert lower <= 250


def test_a_title_changes_no_pixel() -> None:
    assert png(Position(), title="Żółw") == png(Position())


def frames(data: bytes) -> list[tuple[int, bytes]]:
    """How long each picture of an animation is seen, and its pixels."""
    found = []
    with Image.open(io.BytesIO(data)) as picture:
        for number in range(picture.n_frames):
            picture.seek(number)
            found.append((int(picture.info["duration"]), picture.convert("RGB").tobytes()))
        assert picture.info["loop"] == 0
    return found


@pytest.mark.parametrize("form", ["gif", "apng"])
def test_animations(form: Any) -> None:
    game = Game(parse_rules("othello,board=6x6"))
    game.play_all(["c2", "b2", "b3"])
    data = animation(game, format_=form, size=100, delay_ms=200, last_ms=700)
    assert animation(game, format_=form, size=100, delay_ms=200, last_ms=700) == data
    found = frames(data)
    assert [shown for shown, _ in found] == [200, 200, 200, 700]
    for ply, (_, drawn) in enumerate(found):
        expected = pixels(svg_to_png(svg(game, ply=ply, size=100), "#ffffff")).tobytes()
        if form == "apng":
            assert drawn == expected
        else:  # 256 colors
            assert sum(abs(one - two) for one, two in zip(drawn, expected, strict=True)) / len(drawn) < 2


def test_an_animation_up_to_a_ply() -> None:
    game = random_game("othello", 2)
    assert len(frames(animation(game, size=60, ply=5))) == 6
    assert len(frames(animation(game, size=60, ply=5, numbers=True))) == 6


def test_named_squares_are_marked_on_the_last_position_only() -> None:
    game = Game()
    game.play_all(["f5", "d6"])
    marks: dict[str, Any] = {"values": {"a1": "1"}, "losses": {"a1": 4}, "arrows": ["a1-b2"], "highlights": ["h8"]}
    marks |= {"last_move": "d6", "flips": ["d5"]}
    found = frames(animation(game, format_="apng", size=80, **marks))
    for ply in (0, 1):
        plain = svg_to_png(svg(game, ply=ply, size=80, flips=True), "#ffffff")
        assert found[ply][1] == pixels(plain).tobytes()
    assert found[2][1] == pixels(svg_to_png(svg(game, size=80, **marks), "#ffffff")).tobytes()


def test_a_position_is_one_frame() -> None:
    assert pixels(animation(Position(), size=80)).size == (80, 80)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format_": "mp4"}, "format_: 'mp4' is not an animated format; give gif or apng"),
        ({"delay_ms": 5}, "delay_ms must be a whole number of milliseconds, from 20 to 60000, not 5"),
        ({"last_ms": 10**9}, "last_ms must be"),
        ({"size": 4096}, "61 pictures 4096 pixels wide are too many; give a smaller size"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    game = next(game for seed in range(99) if len(game := random_game("othello", seed)) == 60)
    with pytest.raises(InputError) as caught:
        animation(game, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_the_extra_is_named_where_it_is_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    for call in (png, animation):
        with pytest.raises(ResourceError, match=r'need resvg and Pillow: pip install "reversi-engine\[plot\]"'):
            call(Position())


def test_a_wrong_name_of_an_option_names_the_right_one() -> None:
    with pytest.raises(InputError, match=r"'delay' is not an option of a picture; did you mean 'delay_ms'\?"):
        animation(Game().play_all("f5d6"), delay=500)
    with pytest.raises(InputError) as still:
        png(Game(), delay=500)
    assert "delay_ms" not in str(still.value)
