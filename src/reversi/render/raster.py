"""Pictures as PNG, and games as animated GIF and APNG.

This needs the extra ``plot``: ``pip install "reversi-engine[plot]"``. resvg draws the SVG; Pillow puts the
pictures of a game together and brings the font, so that the same input gives the same pixels on every machine.
Characters beyond ASCII take a font of the system.
"""

from __future__ import annotations

import contextlib
import functools
import io
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import reversi._regex as re
from reversi.arguments import check_count, excerpt
from reversi.errors import InputError, MissingExtraError, ResourceError
from reversi.text.picture.board import FONT, to_svg
from reversi.text.picture.options import Options, with_changes
from reversi.text.picture.plan import plan_of
from reversi.text.picture.scene import Drawable, Scene, scene_of

if TYPE_CHECKING:
    from PIL.Image import Image

MISSING: Final = 'pictures as PNG, GIF and APNG need resvg and Pillow: pip install "reversi-engine[plot]"'
"""What an error says where the extra is not installed."""

_UNSEEN: Final = re.compile(r'<(title|desc)>.*?</\1>| aria-label="[^"]*"', re.DOTALL)
# the font has one weight: an outline makes it bolder
_BOLD: Final = re.compile(r'(?<=<g )fill="(#\w{6})"(?=><text)')
_SEMIBOLD: Final = re.compile(r'font-weight="600" fill="(#\w{6})"')
_DASHES: Final = str.maketrans("–—−", "---")  # the font lacks them
_MAX_PIXELS: Final = 100_000_000  # of all the frames of an animation


def png(what: Drawable, options: Options | None = None, **changes: Any) -> bytes:
    """Return a position or a game as PNG, drawn as `reversi.render.svg` draws it.

    Args:
        what: a position, a game or a record of one.
        options: what to show; the defaults when not given.
        changes: options by name, instead of those in ``options``.

    Raises:
        InputError: as `reversi.render.svg`.
        IllegalMoveError: as `reversi.render.svg`.
        MissingExtraError: the extra ``plot`` is not installed.
    """
    options = with_changes(options, changes)
    return _rendered(scene_of(what, options.ply), options)


def animation(
    what: Drawable,
    options: Options | None = None,
    *,
    format_: Literal["gif", "apng"] = "gif",
    delay_ms: int = 800,
    last_ms: int = 3000,
    **changes: Any,
) -> bytes:
    """Return a game ply by ply as an animated picture that repeats without end.

    Squares that options name (texts, losses, arrows, highlights) are marked on the last position only.

    Args:
        what: a game or a record of one; a position is a single frame.
        options: what to show; the defaults when not given. ``ply`` is the last ply that is shown.
        format_: ``gif``, or ``apng`` with all its colors.
        delay_ms: milliseconds for which each position is seen.
        last_ms: milliseconds for which the last one is seen.
        changes: options by name, instead of those in ``options``.

    Raises:
        InputError: as `reversi.render.svg`; another form; or too many pixels.
        IllegalMoveError: as `reversi.render.svg`.
        MissingExtraError: the extra ``plot`` is not installed.
    """
    if format_ not in {"gif", "apng"}:
        raise InputError(f"format_: {excerpt(format_)} is not an animated format; give gif or apng")
    check_count("delay_ms", delay_ms, 60_000, least=20, unit="milliseconds")
    check_count("last_ms", last_ms, 60_000, least=20, unit="milliseconds")
    options = with_changes(options, changes, "format_", "delay_ms", "last_ms")
    scene = scene_of(what, options.ply)
    count = len(scene.positions)
    if count * options.size**2 > _MAX_PIXELS:
        raise InputError(f"size: {count} pictures {options.size} pixels wide are too many; give a smaller size")
    check_extra()
    frames = [*_frames(scene, options)]
    if format_ == "gif":
        from PIL import Image

        # one palette for all, so that no color flickers
        palette = _montage(frames[:1] + frames[-1:]).quantize(256, dither=Image.Dither.NONE)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [delay_ms] * (count - 1) + [last_ms]
    stream = io.BytesIO()
    frames[0].save(
        stream,
        format="PNG" if format_ == "apng" else "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        **({"disposal": 1, "optimize": False} if format_ == "gif" else {}),
    )
    return stream.getvalue()


def _frames(scene: Scene, options: Options) -> Iterator[Image]:
    from PIL import Image

    earlier = replace(
        options,
        values={},
        losses={},
        arrows=(),
        highlights=(),
        last_move=options.last_move is not False,
        flips=bool(options.flips),
    )
    for count in range(len(scene.positions)):
        part = scene._replace(positions=scene.positions[: count + 1], turns=scene.turns[:count])
        shown = options if count == len(scene.turns) else earlier
        # a picture has no transparent corners here: GIF cannot smooth them
        data = _rendered(part, shown, background="#ffffff")
        yield Image.open(io.BytesIO(data)).convert("RGB")


def _montage(frames: list[Image]) -> Image:
    from PIL import Image

    width, height = frames[0].size
    whole = Image.new("RGB", (width, height * len(frames)))
    for number, frame in enumerate(frames):
        whole.paste(frame, (0, number * height))
    return whole


def _rendered(scene: Scene, options: Options, background: str | None = None) -> bytes:
    return svg_to_png(to_svg(plan_of(scene, options)), background)


def svg_to_png(svg: str, background: str | None = None) -> bytes:
    """Return a picture that this package has drawn, `reversi.render.graph` for example, as PNG.

    Args:
        svg: the picture.
        background: the color behind it; transparent when not given.

    Raises:
        MissingExtraError: the extra ``plot`` is not installed.
    """
    check_extra()
    import resvg_py

    svg = _UNSEEN.sub("", svg).translate(_DASHES).replace(f'"{FONT}"', '"sans-serif"')
    svg = _BOLD.sub(r'fill="\1" stroke="\1" stroke-width="0.9"', svg)
    svg = _SEMIBOLD.sub(r'fill="\1" stroke="\1" stroke-width="0.4"', svg)
    with _font_file() as (path, family):
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                background=background,
                skip_system_fonts=svg.isascii(),
                font_files=[path],
                sans_serif_family=family,
            )
        )


def check_extra() -> None:
    """Check that the extra is installed.

    Raises:
        MissingExtraError: it is not; the message says what to install.
    """
    try:
        import PIL.Image  # noqa: F401 - whether they are installed
        import resvg_py  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(MISSING) from error


@contextlib.contextmanager
def _font_file() -> Iterator[tuple[str, str]]:
    """Lend a file with the font, and its name: resvg takes no other.

    Nobody else can change it, as it lies in a new folder, and none that cleans up takes it away between pictures.
    """
    font, family = _font()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "font.ttf")
        path.write_bytes(font)
        yield str(path), family


@functools.cache
def _font() -> tuple[bytes, str]:
    """Return the font that Pillow brings, as the content of a file, and its name."""
    from PIL import ImageFont

    font = ImageFont.load_default(16)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise ResourceError("Pillow is installed without FreeType; texts in pictures need it")
    return font.font_bytes, font.getname()[0] or "sans-serif"
