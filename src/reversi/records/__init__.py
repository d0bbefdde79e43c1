"""Records of games: what was played, by whom, with which notes and result; reading, writing and checking them.

A :class:`Record` is tags, a start position, a tree of moves and a result. :func:`read_records` gives the games of
a PGN-like text with what is wrong in their writing, :func:`parse_record` the one game of a text,
:func:`write_record` the text; what is written is read back as it was. :func:`validate_record` and
:func:`validate_entry` judge the play.
"""

from __future__ import annotations

from reversi.records.entry import Entry, Skip
from reversi.records.files import MAX_BYTES, MAX_LINE_BYTES, decode_records
from reversi.records.findings import Code, Finding
from reversi.records.movetext import MAX_DEPTH
from reversi.records.pgn_reader import parse_record, read_records
from reversi.records.pgn_writer import write_record, write_records
from reversi.records.record import Evaluation, Line, Node, Record, Tags
from reversi.records.replay import play_node, positions
from reversi.records.transcript import read_transcripts, transcript_losses, write_transcript
from reversi.records.validate import Summary, Verdict, finding_line, validate_entry, validate_record

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_LINE_BYTES",
    "Code",
    "Entry",
    "Evaluation",
    "Finding",
    "Line",
    "Node",
    "Record",
    "Skip",
    "Summary",
    "Tags",
    "Verdict",
    "decode_records",
    "finding_line",
    "parse_record",
    "play_node",
    "positions",
    "read_records",
    "read_transcripts",
    "transcript_losses",
    "validate_entry",
    "validate_record",
    "write_record",
    "write_records",
    "write_transcript",
]
