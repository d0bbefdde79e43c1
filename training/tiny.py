"""Everything with tiny settings, from nothing to weights that help: what a continuous integration has time for."""

from __future__ import annotations

from pathlib import Path

from training.climb import Plan, anchor, climb, refit
from training.data import load_fitted, save_weights

__all__ = ["tiny"]


def tiny(folder: Path, data: Path, scale: float, seed: int) -> None:
    """Two rounds and their fits, with labels that are solved up to 10 empty squares and searched 3 deep above.

    The first round's players count mobility; the second's use what the first has learned, and begin half of their
    games from balanced random openings. `folder` is for positions and fitted weights and has to be new or empty.

    Raises:
        FileExistsError: it is not.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder}: not empty; name a new folder")
    plan = Plan(scale, exact=10, depth=3, ridge=50.0, steps=30)
    for number in (1, 2):
        climb(folder, data, number, plan, seed + number)
        refit(folder, plan.ridge, plan.steps)
    fitted, _ = load_fitted(folder / "weights.npy")
    anchor(fitted)
    save_weights(folder / "weights.npy", fitted)
