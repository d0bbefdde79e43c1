"""The shipped example files are what their scripts make, and right."""

from pathlib import Path

import pytest

from command_line import run_program
from reversi.errors import ReversiError
from reversi.records.conversion import Conversion, Trouble
from reversi.records.formats.format import Format
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.registry import format_named, read_games
from reversi.records.formats.wthor.reader import read_wthor_file
from reversi.records.formats.wthor.writer import pack_wthor
from reversi.records.record import format_records
from reversi.records.validation.game import Verdict, validate_entry
from reversi.solver.solver import Solver
from reversi.text.obf import read_obf

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("script", "file"),
    [("make_endgames.py", "endgames.obf"), ("make_games.py", "games.pgn")],
    ids=["endgames", "games"],
)
def test_files_are_as_made(script: str, file: str) -> None:
    made = run_program(EXAMPLES / script).stdout
    assert made == (EXAMPLES / file).read_text()


def test_wthor_files_are_as_made(tmp_path: Path) -> None:
    assert run_program(EXAMPLES / "make_wthor.py", tmp_path).returncode == 0
    for name in ("example.wtb", "example.jou", "example.trn"):
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_games_in_wthor_are_valid_and_hold_what_the_format_can() -> None:
    entries = list(read_wthor_file(EXAMPLES / "example.wtb"))
    verdicts = [validate_entry(entry) for entry in entries]
    assert [verdict.valid for verdict in verdicts] == [True] * 8
    assert [verdict.ended_early for verdict in verdicts].count(True) == 1
    blacks = [(entry.record.tags["WthorBlack"], entry.record.black) for entry in entries]
    assert ("4", "Random Rita") in blacks
    assert ("2", "Random Rita") in blacks
    assert ("400", "?") in blacks
    text = "".join(format_records(entry.record for entry in entries))
    assert (
        pack_wthor(entry.record for entry in read_records(text)).games == (EXAMPLES / "example.wtb").read_bytes()
    )


def test_endgames_list_every_move_with_its_score() -> None:
    solver = Solver()
    entries = [entry for _, entry in read_obf((EXAMPLES / "endgames.obf").read_text())]
    assert len(entries) == 12
    for entry in entries:
        assert not isinstance(entry, ReversiError)
        scored = {move: solver.solve(entry.position.play(move)).score.value for move in entry.position.legal_moves}
        # a forced pass is a ply too, so what follows is always seen by the opponent
        assert dict(entry.annotated) == {move: -value for move, value in scored.items()}


def test_games_are_valid() -> None:
    verdicts = [validate_entry(entry) for entry in read_records((EXAMPLES / "games.pgn").read_text())]
    assert len(verdicts) == 5
    assert all(verdict == Verdict(()) for verdict in verdicts)


@pytest.mark.parametrize(("form", "games"), [(format_named("sgf"), 5), (format_named("ggf"), 3)])
def test_games_in_other_formats_are_those_in_the_first(form: Format, games: int) -> None:
    left_out: list[Trouble] = []
    conversion = Conversion(form, left_out.append)
    records = read_records((EXAMPLES / "games.pgn").read_text())
    file = EXAMPLES / f"games.{form.name}"
    assert b"".join(conversion.pieces(records)).decode() == file.read_text(encoding="utf-8")
    assert [trouble.entry.number for trouble in left_out] == list(
        range(games + 1, 6)
    )  # of boards it does not have
    again = list(read_games(file.read_text()))
    assert len(again) == games
    assert all(validate_entry(entry).valid for entry in again)
