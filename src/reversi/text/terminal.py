"""Text from files and arguments, made safe for a terminal."""

from __future__ import annotations

import re
from typing import Final

# Characters that control or reorder a terminal: controls (Cc, except tab and line feed), format characters (Cf,
# such as the bidirectional overrides), line and paragraph separators (Zl, Zp). The pattern
# is compiled when a text is not plain.
_UNSAFE: Final = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)


def safe(text: str) -> str:
    """Escape control and format characters, as ``\\x1b`` or ``\\u202e``; keep tab and line feed."""
    if text.isascii() and (text.isprintable() or text.replace("\n", "").isprintable()):
        return text
    return re.sub(_UNSAFE, _escape, text)


def escape_json(text: str) -> str:
    """Escape the same characters in JSON text, as JSON does; it reads back to the same values."""
    return text if text.isascii() and text.isprintable() else re.sub(_UNSAFE, _escape_json, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escape_json(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
