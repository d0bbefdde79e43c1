"""How long tests wait for what takes a moment."""

from typing import Final

SOON_S: Final = 60.0
"""Seconds within which a machine with much else to do ends what takes a moment; the contrary would take hours."""
