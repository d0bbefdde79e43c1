"""The public names; the package loads them when they are first used."""

from .reader import read_ggf as read_ggf
from .writer import format_ggf as format_ggf, ggf_keeps_result as ggf_keeps_result, ggf_keeps_tag as ggf_keeps_tag
