"""Arguments that parsers misread: boards that begin with dashes, options with an optional value."""

from __future__ import annotations

from collections.abc import Iterable

import reversi._regex as re

_BOARD = re.compile(r"-[-.*XxOoBbWw|/\s]{14,}")

_VALUE_OR_NONE = ("--xot", "--resume")  # the options of play that may stand without a value
_SETTING = re.compile(r"(?:elo0|elo1|alpha|beta)=.*", re.DOTALL)  # words that belong to match --sprt


def protect_boards(arguments: Iterable[str]) -> list[str]:
    """Return the arguments with a blank before each board, so that parsers do not read it as an option."""
    return [f" {argument}" if _BOARD.match(argument) else argument for argument in arguments]


def complete_options(arguments: Iterable[str]) -> list[str]:
    """Return the arguments of ``play`` with an empty value for options without one: ``--xot`` becomes ``--xot=``.

    In those of ``match`` the words after ``--sprt`` become its value: ``--sprt elo0=0 elo1=10`` is one option.
    """
    given = list(arguments)
    if "match" in given[:1]:
        return _with_whole_test(given)
    if "play" not in given[:1]:
        return given
    following = [*given[1:], "--"]
    return [
        f"{argument}=" if argument in _VALUE_OR_NONE and after.startswith("-") and after != "-" else argument
        for argument, after in zip(given, following, strict=False)
    ]


def _with_whole_test(given: list[str]) -> list[str]:
    whole: list[str] = []
    coming = iter(given)
    for word in coming:
        if word != "--sprt":
            whole.append(word)
            continue
        words: list[str] = []
        after = next(coming, None)
        while after is not None and _SETTING.fullmatch(after):
            words.append(after)
            after = next(coming, None)
        whole.append(f"--sprt={' '.join(words)}")
        if after is not None:
            whole += _with_whole_test([after, *coming])
    return whole
