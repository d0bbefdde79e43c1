"""The public names; the package loads them when they are first used."""

from .reader import parse_record as parse_record, read_records as read_records
