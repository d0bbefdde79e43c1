"""The public names; the package loads them when they are first used."""

from .weights import (
    Evaluation as Evaluation,
    WeightsError as WeightsError,
    evaluate as evaluate,
    load_weights as load_weights,
)
