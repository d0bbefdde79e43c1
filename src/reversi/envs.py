"""Environments for reinforcement learning: Gymnasium, PettingZoo, and many games at once.

They need the extra `envs`: `pip install "reversi-engine[envs]"`. Every rule set works.

An action is the number of a cell, row by row from a1, or the number of cells for a pass. An observation has two
keys: ``observation``, an array of 8-bit numbers with the shape ``(rows, columns, 2)``, 1 for the discs of the
side to move in the first plane, for those of the other side in the second; and ``action_mask``, 1 for each
legal action. A reward is 1 for a win, -1 for a loss, 0 for a draw and before the end.

    >>> from reversi.envs import OthelloEnv
    >>> env = OthelloEnv()
    >>> seen, info = env.reset(seed=1)
    >>> seen["observation"].shape, int(info["action_mask"].sum())
    ((8, 8, 2), 4)
"""

from __future__ import annotations

from reversi.learning.envs import OthelloAEC, OthelloEnv, OthelloVectorEnv, aec_env, register

__all__ = ["OthelloAEC", "OthelloEnv", "OthelloVectorEnv", "aec_env", "register"]
