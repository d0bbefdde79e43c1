"""The public names; the package loads them when they are first used."""

from .board_drawing import format_diagram as format_diagram
from .boards import format_board as format_board, parse_board as parse_board
from .obf import ObfEntry as ObfEntry, format_obf as format_obf, parse_obf as parse_obf
from .transcripts import (
    format_transcript as format_transcript,
    parse_transcript as parse_transcript,
)
