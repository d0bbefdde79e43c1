"""``--no-eval`` and ``--weights FILE``: the evaluation that orders the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

from reversi._core import Weights
from reversi.cli.console import read_bytes
from reversi.cli.option_groups import Flag, Table, one_of
from reversi.cli.options import option
from reversi.evaluation.weights import read_weights, weights_version


class EvaluationChoice(NamedTuple):
    """The value of both options.

    Attributes:
        use: whether to evaluate, or the weights to evaluate with.
        version: the checksum of the weights; empty without evaluation, ``None`` for the weights of the package,
            which the solver reads when it needs them.
    """

    use: bool | Weights
    version: str | None


@dataclass(frozen=True)
class Evaluation:
    """``--no-eval`` and ``--weights FILE``."""

    TABLE: ClassVar[Table] = one_of("--no-eval", "--weights")

    no_eval: Annotated[bool, Flag("Solve without the learned evaluation: same values, more nodes.")] = False
    weights: Annotated[str, option("FILE", "Evaluate with the weights in FILE.")] = ""

    def read(self) -> EvaluationChoice:
        """Return the choice that both options make.

        Raises:
            WeightsError: the file is damaged, or no weights file of this version.
        """
        if self.no_eval:
            return EvaluationChoice(False, "")
        if self.weights:
            data = read_bytes(self.weights)
            return EvaluationChoice(read_weights(data, self.weights), weights_version(data))
        return EvaluationChoice(True, None)
