"""The text of GTP: command lines, colors, vertices and answers."""

from __future__ import annotations

import pytest

from reversi import PASS, Color, Square
from reversi.protocols.gtp_text import (
    GtpCommand,
    format_answer,
    format_vertex,
    parse_color,
    parse_command,
    parse_vertex,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", GtpCommand("name")),
        ("7 play b f5", GtpCommand("play", ("b", "f5"), "7")),
        ("007 name\r", GtpCommand("name", (), "007")),
        ("\tplay\tb  f5 # a comment", GtpCommand("play", ("b", "f5"))),
        ("na\x07me\x00", GtpCommand("name")),
        ("12", GtpCommand("", (), "12")),
        ("", None),
        ("   ", None),
        ("# a comment", None),
        ("12 # a comment", GtpCommand("", (), "12")),
        ("12345678901 name", GtpCommand("12345678901", ("name",))),
    ],
)
def test_command_lines(line: str, command: GtpCommand | None) -> None:
    assert parse_command(line) == command


def test_words() -> None:
    assert [parse_color(word) for word in ("b", "BLACK", "White", "w", "x", "")] == [
        Color.BLACK,
        Color.BLACK,
        Color.WHITE,
        Color.WHITE,
        None,
        None,
    ]
    assert [parse_vertex(word) for word in ("f5", "F5", "pass", "PASS", "i9", "f55", "")] == [
        Square("f5"),
        Square("f5"),
        PASS,
        PASS,
        None,
        None,
        None,
    ]
    assert [format_vertex(move) for move in (Square("f5"), PASS)] == ["f5", "pass"]


def test_answers() -> None:
    assert format_answer("text", "5") == "=5 text\n\n"
    assert format_answer("") == "=\n\n"
    assert format_answer("illegal move", "5", failed=True) == "?5 illegal move\n\n"
