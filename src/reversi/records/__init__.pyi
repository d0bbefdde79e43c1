"""The public names; the package loads them when they are first used."""

from .dialects import complete_entry as complete_entry
from .entry import Entry as Entry
from .findings import Code as Code, Finding as Finding
from .formats.format import BinaryFormat as BinaryFormat, Format as Format, TextFormat as TextFormat
from .formats.game_per_line import read_game_lines as read_game_lines
from .formats.pgn.reader import parse_record as parse_record
from .formats.registry import (
    format_named as format_named,
    known_formats as known_formats,
    read_games as read_games,
    recognize as recognize,
    register_format as register_format,
)
from .formats.wthor.reader import read_wthor_file as read_wthor_file
from .from_game import game_from_record as game_from_record, record_from_game as record_from_game
from .holding import Capabilities as Capabilities, capabilities as capabilities
from .losing import losses as losses
from .notes import RecordedScore as RecordedScore
from .record import (
    Line as Line,
    Node as Node,
    Record as Record,
    Tags as Tags,
    format_record as format_record,
    format_records as format_records,
)
from .replay import position_after as position_after, positions as positions
from .validation.game import (
    Verdict as Verdict,
    validate_entry as validate_entry,
    validate_record as validate_record,
)
