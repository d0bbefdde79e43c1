"""The encodings of files of games, which are read as UTF-8 whatever they are.

An encoding that somebody names is obeyed, then the mark of UTF-16, then what a game in SGF declares (``CA``).
Everything else is UTF-8, or Windows-1252 where it cannot be, as `reversi.text.decoding` reads it; that it may be
Japanese, Chinese or Korean is said, and not guessed.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import BinaryIO, Final

import reversi._regex as re
from reversi.arguments import excerpt
from reversi.errors import InputError
from reversi.records.sources.decoding import MAX_BYTES, TOO_LARGE
from reversi.text.decoding import UTF_16_MARKS, codec_of, decode_lines

_GAME: Final = re.compile(rb"(?:\A\s*|\n|\)\s*)\(\s*;\s*(?:FF|GM|CA|AP|SZ)\s*\[")
_DECLARED: Final = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
_HEAD: Final = 5000  # bytes in which a game says its encoding
_OURS: Final = frozenset(("utf-8", "ascii", "iso8859-1", "cp1252"))  # read so where nobody says it

# Of bytes in another encoding: signs beside letters, capitals after small letters, and signs that nobody writes.
_DOUBTFUL: Final = (
    "[\xdf-\xff][\xc0-\xde]|[\xa1-\xbf][\xa1-\xff]|[\xc0-\xff][\xa1-\xbf]|[ƒ†‡ˆ‰˜™\ufffd]|‚[\x80-\U0010ffff]"
)
_FOREIGN: Final = "[\x80-\U0010ffff]+"
_HAN: Final = "[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]"
_SCRIPTS: Final = {  # encodings, and what is written in them
    "shift_jis": rf"{_HAN}*[\u3041-\u30ff]{_HAN}*",
    "euc_kr": "[\uac00-\ud7a3]+",
    "gb18030": f"{_HAN}+",
    "cp932": f"{_HAN}+",
    "big5": f"{_HAN}+",
}


def recoded(stream: BinaryIO, head: bytes, encoding: str, name: str, problems: list[str]) -> BinaryIO | None:
    """Return the bytes of a stream as UTF-8, ``None`` where nothing says that they are in another encoding.

    Args:
        stream: the bytes after the first.
        head: the first bytes.
        encoding: the encoding that somebody names; empty for none.
        name: what messages call the file.
        problems: collects what a file declares that there is not.

    Raises:
        InputError: too many bytes.
    """
    if encoding:
        decode = _as(encoding)
    elif head.startswith(UTF_16_MARKS):
        decode = _as("utf-16")
    elif _GAME.match(head) and any(codec_of(found.decode()) not in _OURS for found in _DECLARED.findall(head)):
        decode = partial(_declared, name)
    else:
        return None
    data = head + stream.read(MAX_BYTES + 1 - len(head))
    if len(data) > MAX_BYTES:
        raise InputError(TOO_LARGE, source=name)
    return io.BytesIO(decode(data, problems).encode("utf-8", "replace"))


def _as(encoding: str) -> Callable[[bytes, list[str]], str]:
    return lambda data, problems: data.decode(encoding, "replace").removeprefix("\ufeff")


def _declared(name: str, data: bytes, problems: list[str]) -> str:
    """Return a text in SGF, each game in the encoding that it declares."""
    begins = [0, *(match.start() for match in _GAME.finditer(data) if match.start()), len(data)]
    texts = []
    for begin, end in pairwise(begins):
        found = _DECLARED.search(data, begin, min(end, begin + _HEAD))
        codec = codec_of(found[1].decode()) if found else "utf-8"
        if codec is None and found is not None:
            line = data.count(b"\n", 0, found.start()) + 1
            problems.append(
                f"{name}: line {line}: CA: {excerpt(found[1].decode())} is not an encoding; give --encoding"
            )
        game = data[begin:end]
        texts.append(game.decode(codec, "replace") if codec and codec not in _OURS else decode_lines(game))
    return "".join(texts)


def likelier_reading(data: bytes) -> str:
    """Return what a text that is not UTF-8 is more probably than Windows-1252, empty where nothing says so."""
    if data.isascii() or is_utf_8(data):
        return ""
    lines = [(at, line) for at, line in enumerate(data.split(b"\n"), 1) if not (line.isascii() or is_utf_8(line))]
    doubtful, foreign = re.compile(_DOUBTFUL), re.compile(_FOREIGN)  # here: the sets are large, and few files ask
    strange = [(at, line, read) for at, line in lines if doubtful.search(read := decode_lines(line))]
    for encoding, script in _SCRIPTS.items() if strange else ():
        try:
            words = [foreign.findall(line.decode(encoding)) for _, line, _ in strange]
        except UnicodeDecodeError:
            continue
        letters = "".join(word for found in words for word in found)
        if len(letters) > 1 and re.fullmatch(script, letters):
            number, _, read = strange[0]
            shown, other = excerpt(foreign.findall(read)[0]), excerpt(words[0][0])
            return (
                f"line {number}: {shown} may be {other} ({encoding}); --encoding says it, cp1252 if it is as read"
            )
    return ""


def is_utf_8(data: bytes) -> bool:
    """Return whether bytes are a text in UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
