"""A game with players, clocks, take-backs and saving, without any screen."""

from __future__ import annotations

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
