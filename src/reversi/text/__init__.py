"""Positions and transcripts as text: boards on one line or many, OBF, transcripts, and whatever is pasted.

The names here are the public ones; the modules hold the parts that record formats are made of.
"""

from __future__ import annotations

from reversi.text.boards import format_board, format_cells, parse_board
from reversi.text.decoding import decode_text
from reversi.text.diagrams import format_diagram
from reversi.text.obf import ObfEntry, format_obf, parse_obf, read_obf
from reversi.text.pasted import PositionEntry, TextKind, read_positions, recognise
from reversi.text.transcripts import (
    Transcript,
    TranscriptToken,
    format_transcript,
    parse_transcript,
    read_transcript,
    tokenize_transcript,
)

__all__ = [
    "ObfEntry",
    "PositionEntry",
    "TextKind",
    "Transcript",
    "TranscriptToken",
    "decode_text",
    "format_board",
    "format_cells",
    "format_diagram",
    "format_obf",
    "format_transcript",
    "parse_board",
    "parse_obf",
    "parse_transcript",
    "read_obf",
    "read_positions",
    "read_transcript",
    "recognise",
    "tokenize_transcript",
]
