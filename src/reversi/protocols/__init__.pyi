"""The public names; the package loads them when they are first used."""

from .gtp_text import (
    GtpCommand as GtpCommand,
    format_vertex as format_vertex,
    parse_color as parse_color,
    parse_command as parse_command,
    parse_vertex as parse_vertex,
)
