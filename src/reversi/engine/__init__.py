"""Heuristic answers: searching, levels, time management, the engine and its explanations."""

from __future__ import annotations

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
