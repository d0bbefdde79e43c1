"""``--no-eval`` and ``--weights FILE``: which evaluation helps to solve."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from reversi._core import Weights
from reversi.cli.console import fail, read_bytes
from reversi.cli.status import Status
from reversi.evaluation.weights import read_weights, weights_version

_LONGEST = 1 << 26  # bytes; the package's own file has a few millions

NoEval = Annotated[
    bool, typer.Option("--no-eval", help="Without the learned evaluation: the same values, more nodes.")
]
OwnWeights = Annotated[
    str,
    typer.Option("--weights", metavar="FILE", help="Weights for the evaluation other than the package's own."),
]


class EvaluationChoice(NamedTuple):
    """What the two options say: whether, or with which weights, to evaluate; and the weights' checksum, empty
    without evaluation and ``None`` for those of the package, which are read when they are needed."""

    use: bool | Weights
    version: str | None


def evaluation_option(no_eval: bool, weights: str) -> EvaluationChoice:
    """What ``--no-eval`` and ``--weights FILE`` say together.

    Raises:
        WeightsError: the file is damaged, or no weights file of this version.
    """
    if no_eval and weights:
        fail(Status.USAGE, "--no-eval and --weights exclude each other")
    if no_eval:
        return EvaluationChoice(False, "")
    if weights:
        data = read_bytes(weights, _LONGEST)
        return EvaluationChoice(read_weights(data, weights), weights_version(data))
    return EvaluationChoice(True, None)
