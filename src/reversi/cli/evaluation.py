"""``--no-eval`` and ``--weights FILE``: the evaluation that orders the search."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from reversi._core import Weights
from reversi.cli.console import fail, read_bytes
from reversi.cli.status import Status
from reversi.evaluation.weights import read_weights, weights_version

NoEval = Annotated[
    bool, typer.Option("--no-eval", help="Solve without the learned evaluation: same values, more nodes.")
]
OwnWeights = Annotated[
    str,
    typer.Option("--weights", metavar="FILE", help="Evaluate with the weights in FILE."),
]


class EvaluationChoice(NamedTuple):
    """The value of both options.

    Attributes:
        use: whether to evaluate, or the weights to evaluate with.
        version: the checksum of the weights; empty without evaluation, ``None`` for the weights of the package,
            which the solver reads when it needs them.
    """

    use: bool | Weights
    version: str | None


def evaluation_option(no_eval: bool, weights: str) -> EvaluationChoice:
    """Return the choice that ``--no-eval`` and ``--weights FILE`` make.

    Raises:
        WeightsError: the file is damaged, or no weights file of this version.
    """
    if no_eval and weights:
        fail(Status.USAGE, "--no-eval and --weights exclude each other")
    if no_eval:
        return EvaluationChoice(False, "")
    if weights:
        data = read_bytes(weights)
        return EvaluationChoice(read_weights(data, weights), weights_version(data))
    return EvaluationChoice(True, None)
