"""The public names; the package loads them when they are first used."""

from .reader import parse_record as parse_record, read_records as read_records
from .writer import COLUMNS as COLUMNS, write_record as write_record, write_records as write_records
