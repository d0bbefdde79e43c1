"""Validation: one game, one file, many files."""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
