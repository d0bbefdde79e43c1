"""The public names; the package loads them when they are first used."""

from .capabilities import Capabilities as Capabilities, capabilities as capabilities
from .collection.reading import open_records as open_records
from .conversion import Conversion as Conversion, Trouble as Trouble
from .dialects import complete_entry as complete_entry
from .entry import Entry as Entry, Skip as Skip, finding_line as finding_line
from .findings import Code as Code, Finding as Finding
from .formats.eothello import read_eothello as read_eothello, write_eothello as write_eothello
from .formats.format import BinaryFormat as BinaryFormat, Format as Format, TextFormat as TextFormat
from .formats.game_per_line import read_game_lines as read_game_lines
from .formats.ggf.reader import read_ggf as read_ggf
from .formats.ggf.writer import write_ggf as write_ggf
from .formats.obf import read_obf_records as read_obf_records, write_obf as write_obf
from .formats.pgn.reader import parse_record as parse_record, read_records as read_records
from .formats.registry import (
    POSITIONS as POSITIONS,
    format_named as format_named,
    known_formats as known_formats,
    read_games as read_games,
    recognize as recognize,
    register_format as register_format,
    target_format as target_format,
    text_format_named as text_format_named,
)
from .formats.sgf.reader import read_sgf as read_sgf
from .formats.sgf.writer import write_sgf as write_sgf
from .formats.transcript import read_transcripts as read_transcripts, write_transcript as write_transcript
from .from_game import game_from_record as game_from_record, record_from_game as record_from_game
from .losses import losses as losses
from .record import (
    MAX_DEPTH as MAX_DEPTH,
    Evaluation as Evaluation,
    Line as Line,
    Node as Node,
    Record as Record,
    Tags as Tags,
    write_record as write_record,
    write_records as write_records,
)
from .replay import play_node as play_node, position_after as position_after, positions as positions
from .sources.decoding import (
    MAX_BYTES as MAX_BYTES,
    MAX_LINE_BYTES as MAX_LINE_BYTES,
    decode_records as decode_records,
)
from .sources.finding import (
    STANDARD_INPUT as STANDARD_INPUT,
    FoundFile as FoundFile,
    find_files as find_files,
    source_name as source_name,
)
from .sources.opening import GameSource as GameSource, open_source as open_source
from .validation.game import (
    Summary as Summary,
    Verdict as Verdict,
    validate_entry as validate_entry,
    validate_record as validate_record,
)
