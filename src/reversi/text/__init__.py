"""Positions and transcripts as text: boards on one line or many, OBF, transcripts, and what a line of text is.

The public names are in ``__init__.pyi``; the modules also have the parts that record formats use.
"""

from __future__ import annotations

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
