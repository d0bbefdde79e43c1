"""All steps with tiny settings, from nothing to weights that help, fast enough for continuous integration."""

from __future__ import annotations

from pathlib import Path

from training.climb import Plan, anchor, climb, refit
from training.data import load_fitted, save_weights


def tiny(folder: Path, data: Path, scale: float, seed: int) -> None:
    """Two rounds and their fits, with labels that are solved up to 10 empty squares and searched 3 deep above.

    The players of the first round count mobility. Those of the second use the weights of the first, and begin half
    of their games from balanced random openings. `folder` receives positions and fitted weights.

    Raises:
        FileExistsError: `folder` is not empty.
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
