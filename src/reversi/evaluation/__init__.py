"""The learned evaluation, its weights and how sure a selective search is."""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
