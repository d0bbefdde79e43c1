"""Records of games: what was played, by whom, with which notes and result; reading, writing and checking them.

A :class:`Record` is tags, a start position, a tree of moves and a result. :func:`read_records` gives the games of
a PGN-like text with what is wrong in their writing, :func:`parse_record` the one game of a text,
:func:`write_record` the text; what is written is read back as it was. There is such a reader and such a writer for
every other format; :func:`losses` says what of a record a format does not hold. :func:`validate_record` and
:func:`validate_entry` judge the play.
"""

from __future__ import annotations

from reversi.records.entry import Entry, Skip
from reversi.records.eothello import read_eothello, write_eothello
from reversi.records.files import MAX_BYTES, MAX_LINE_BYTES, decode_records
from reversi.records.findings import Code, Finding
from reversi.records.ggf import read_ggf
from reversi.records.ggf_writer import write_ggf
from reversi.records.losses import losses
from reversi.records.movetext import MAX_DEPTH
from reversi.records.obf import read_obf_records, write_obf
from reversi.records.pgn_reader import parse_record, read_records
from reversi.records.pgn_writer import write_record, write_records
from reversi.records.record import Evaluation, Line, Node, Record, Tags
from reversi.records.replay import play_node, positions
from reversi.records.sgf import read_sgf
from reversi.records.sgf_writer import write_sgf
from reversi.records.transcript import read_transcripts, write_transcript
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
    "losses",
    "parse_record",
    "play_node",
    "positions",
    "read_eothello",
    "read_ggf",
    "read_obf_records",
    "read_records",
    "read_sgf",
    "read_transcripts",
    "validate_entry",
    "validate_record",
    "write_eothello",
    "write_ggf",
    "write_obf",
    "write_record",
    "write_records",
    "write_sgf",
    "write_transcript",
]
