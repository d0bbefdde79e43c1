"""The public names; the package loads them when they are first used."""

from .weights import (
    FILE_NAME as FILE_NAME,
    FORMAT as FORMAT,
    Evaluation as Evaluation,
    WeightsError as WeightsError,
    default_weights as default_weights,
    evaluate as evaluate,
    load_weights as load_weights,
    pack_weights as pack_weights,
    read_weights as read_weights,
    weights_version as weights_version,
)
