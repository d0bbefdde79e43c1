"""Analyzing many games: order, files that are continued, cancelling, errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from random_games import random_game
from reversi import ArgumentError, Cancel, Color, Game, IllegalMoveError, Judgement, analyze
from reversi.analysis import Analysis, AnalysisFormatError, AnalysisRun, GameInput
from reversi.analysis.summary import LossSummary, Phase, phase_of
from reversi.errors import InputError
from reversi.records import Line, Node, Record
from reversi.records.from_game import record_from_game
from reversi.solver import ResultsError


def inputs(*seeds: int) -> list[GameInput]:
    return [
        GameInput(index, "a.pgn", index, record_from_game(random_game("othello,board=6x6", seed)))
        for index, seed in enumerate(seeds, 1)
    ]


def analyzed(black: str, white: str) -> Analysis:
    record = record_from_game(random_game("othello,board=6x6", 1), {"Black": black, "White": white})
    return analyze(record, level=2, exact_from=6)


def run(games: list[GameInput], path: Path | None = None, *, resume: bool = False, workers: int = 2) -> list[int]:
    with AnalysisRun(lambda: games, output=path, resume=resume, workers=workers, level=2, exact_from=6) as made:
        return [done.index for done in made]


def lines(path: Path) -> list[int]:
    return sorted(json.loads(line)["index"] for line in path.read_bytes().splitlines())


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_the_order_of_the_input(workers: int) -> None:
    assert run(inputs(*range(7)), workers=workers) == list(range(1, 8))


def test_the_same_game_twice_is_analyzed_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert run(inputs(1, 2), path) == [1, 2]
    games = inputs(1, 1, 2, 1)
    assert run(games, path, resume=True) == [2, 4]
    assert run(games, path, resume=True) == []
    assert len(lines(path)) == 4


def test_other_games_and_settings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run(inputs(1), path)
    before = path.read_bytes()
    with pytest.raises(ResultsError, match="game is not in the input"):
        run(inputs(2), path, resume=True)
    with pytest.raises(ResultsError, match="level 2, exact from 6, not level 3, exact from 6"):
        AnalysisRun(lambda: inputs(1), output=path, resume=True, level=3, exact_from=6)
    with pytest.raises(FileExistsError):
        run(inputs(1), path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("wrong", ["1e400", "99", "NaN", "1.5", '"x"', "1" * 400])
@pytest.mark.parametrize("name", ["score", "best_score", "depth", "time_s", "loss"])
def test_nonsense_is_not_continued_and_not_counted(tmp_path: Path, name: str, wrong: str) -> None:
    path = tmp_path / "a.jsonl"
    run(inputs(1), path)
    given = re.sub(rf'"{name}":-?[0-9.]+|"{name}":null', f'"{name}":{wrong}', path.read_text(), count=1)
    path.write_text(given)
    if (name, wrong) not in [("depth", "99"), ("depth", "1.5")] and name != "loss":
        with pytest.raises(ResultsError):
            run(inputs(1), path, resume=True)
    assert path.read_text() == given
    if name == "loss" and wrong != "1.5":
        with pytest.raises((AnalysisFormatError, ValueError)):
            LossSummary().add(json.loads(given))


def test_a_cancel_keeps_whole_games(tmp_path: Path) -> None:
    cancel, path = Cancel(), tmp_path / "a.jsonl"
    with AnalysisRun(
        lambda: inputs(*range(20)), output=path, workers=1, cancel=cancel, level=2, exact_from=6
    ) as made:
        for done in made:
            assert done.analysis.complete
            cancel.cancel()
    assert 1 <= len(lines(path)) < 20
    assert len(lines(path)) == made.analyzed


def test_errors_of_a_worker_are_raised() -> None:
    wrong = Record(line=Line([Node(Game().position.legal_moves[0])] * 2))
    with pytest.raises(IllegalMoveError):
        run([GameInput(1, "", 1, wrong)])


@pytest.mark.parametrize(
    "options", [{"workers": 0}, {"threads": 0}, {"level": 99}, {"hash_mb": 0}, {"resume": True}]
)
def test_numbers_outside_their_limits(options: dict[str, int]) -> None:
    with pytest.raises(InputError):
        AnalysisRun(list, **options)  # type: ignore[arg-type]


def test_the_input_is_read_when_it_is_needed() -> None:
    read = []

    def games() -> Iterator[GameInput]:
        for game in inputs(*range(30)):
            read.append(game.index)
            yield game

    with AnalysisRun(games, workers=1, level=2, exact_from=6) as made:
        next(iter(made))
    assert len(read) < 10


def test_phases_are_thirds() -> None:
    assert [phase_of(empties, 64) for empties in (60, 41, 40, 21, 20, 1)] == [
        Phase.OPENING, Phase.OPENING, Phase.MIDDLE, Phase.MIDDLE, Phase.ENDING, Phase.ENDING,
    ]  # fmt: skip
    assert phase_of(4, 16) is Phase.ENDING


def test_a_summary_is_of_analyzed_games() -> None:
    summary = LossSummary()
    wrongs: list[tuple[dict[str, object], str]] = [
        ({}, "'tags' is missing"),
        ({"tags": []}, r"'tags' has a wrong value: \[\]"),
    ]
    for wrong, reason in wrongs:
        with pytest.raises(AnalysisFormatError, match=rf"^not an analyzed game of reversi analyze \({reason}\)$"):
            summary.add(wrong)
    others: list[object] = [[], 3, None, "{}"]
    for other in others:
        with pytest.raises(
            ArgumentError, match=r"^analysis must be an Analysis or a Mapping, not \w+; analyze\(\)"
        ):
            summary.add(other)  # type: ignore[arg-type]
    assert summary.games == 0
    with AnalysisRun(lambda: inputs(1, 2), level=2, exact_from=6) as made:
        analyses = list(made)
    for done in analyses:
        summary.add(done.analysis)
    assert summary.games == 2
    assert summary.players == {}
    (losses,) = summary.years.values()
    assert losses.games == 2
    sides = [side for done in analyses for side in done.analysis.sides.values()]
    assert losses.loss == sum(side.loss for side in sides)
    assert losses.moves == sum(side.moves for side in sides) == sum(moves for moves, _ in losses.phases.values())
    assert losses.outcome_changes == sum(side.outcome_changes for side in sides)


def test_an_analysis_counts_as_its_json() -> None:
    analysis = analyzed("Ann", "Bob")
    one, other = LossSummary(), LossSummary()
    one.add(analysis)
    other.add(json.loads(analysis.to_json()))
    assert one.players == other.players
    assert one.years == other.years
    assert list(one.players.values()) == one.best_known()


def test_losses_are_printed() -> None:
    analysis = analyzed("Ann", "Bob")
    summary = LossSummary()
    assert str(summary) == ""
    summary.add(analysis)
    summary.add(analysis)
    for player, color in zip(summary.best_known(), Color, strict=True):
        side = analysis.sides[color]
        assert str(side).startswith(f"mean loss {side.mean_loss:.2f} discs in {side.moves} turns; ")
        assert str(player).startswith(f"{player.name}, 2 games: mean loss {side.mean_loss:.2f} discs in ")
        signs = [side.signs.get(sign, 0) for sign in (Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER)]
        for count, sign in zip(signs, ("?!", "?", "??"), strict=True):
            assert (f" {2 * count} {sign}" in str(player)) == (count > 0)
    assert str(summary).splitlines() == [str(player) for player in summary.best_known()]
