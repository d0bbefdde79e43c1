"""Validation at scale: what is found does not depend on the workers, and no file hides another."""

from __future__ import annotations

import io
import itertools
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from files import new_file
from record_samples import illegal, playok, random_record
from reversi.records import Code, format_records, validate_entry
from reversi.records.formats.wthor.reader import read_wthor
from reversi.records.validation import validation
from reversi.records.validation.validation import FileDone, GameFinding, StoppedEarly, Validation, ValidationEvent
from reversi.records.validation.wthor import check_wthor_games
from wthor_samples import SHARED, game, games, jou, random_game, trn, wtb


def check(
    *paths: Path | str, workers: int = 1, stopped: bool = False, stdin: bytes = b""
) -> list[ValidationEvent]:
    one = Validation(workers=workers, stopped=stopped, stdin=io.BytesIO(stdin))
    return list(one.check(map(str, paths)))


def shown(events: list[ValidationEvent]) -> list[str]:
    return [repr(event) if isinstance(event, FileDone) else str(event) for event in events]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of every kind, right and wrong."""
    wrong = bytearray(random_game(5))
    wrong[20] = 44
    (tmp_path / "a.wtb").write_bytes(
        wtb([random_game(1), bytes(wrong), game(random_record(3).moves[:9], 40)] * 900)
    )
    (tmp_path / "b.pgn").write_text(
        "".join(format_records(illegal(seed) if seed % 7 == 3 else random_record(seed) for seed in range(80))),
        encoding="utf-8",
    )
    (tmp_path / "c.pgn").write_text("\n".join(playok(random_record(seed)) for seed in range(60)), encoding="utf-8")
    (tmp_path / "d.pgn").write_bytes(b"")
    (tmp_path / "e.txt").write_text("f5d6c3\n\nf5a1\n")
    (tmp_path / "f.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    (tmp_path / "g.jou").write_bytes(jou())
    (tmp_path / "g.trn").write_bytes(trn())
    (tmp_path / "h.wtb").write_bytes(wtb([random_game(1)] * 3)[:-10])
    (tmp_path / "i.trn").write_bytes(trn()[:-1])
    return tmp_path


def test_any_number_of_workers_finds_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = shown(check(folder, folder / "none", stopped=True))
    assert shown(check(folder, folder / "none", workers=3, stopped=True)) == one
    monkeypatch.setattr(validation, "ENOUGH_CHARS", 1)  # processes at once, and small pieces
    monkeypatch.setattr(validation, "PIECE_CHARS", 4000)
    assert shown(check(folder, folder / "none", workers=2, stopped=True)) == one


def test_what_is_found(folder: Path) -> None:
    events = check(folder)
    done = {Path(event.path).name: event for event in events if isinstance(event, FileDone)}
    assert {
        name: (file.games, file.valid, file.unfinished, file.ended_early, file.findings)
        for name, file in done.items()
        if file.games
    } == {
        "a.wtb": (2700, 1800, 0, 900, 900),
        "b.pgn": (80, 69, 0, 0, 11),
        "c.pgn": (60, 60, 0, 0, 0),
        "e.txt": (2, 1, 1, 0, 1),
        "h.wtb": (3, 2, 0, 0, 1),
    }
    assert [name for name, file in done.items() if file.names] == ["g.jou", "g.trn"]
    errors = {name: file.error.partition(": ")[2] for name, file in done.items() if file.error}
    assert errors == {
        "d.pgn": "empty, nothing in it",
        "i.trn": "WTHOR names, cut off or damaged",
    }
    skipped = {name: file.skipped.partition(": ")[2] for name, file in done.items() if file.skipped}
    assert skipped == {"f.jpg": "a JPEG picture, not records"}
    findings = [event for event in events if isinstance(event, GameFinding)]
    assert not any(isinstance(event, StoppedEarly) for event in events)
    first = findings[0]
    assert (first.game, first.black, first.white) == (2, "Ada", "Björn")
    assert str(first).startswith(
        f"{folder / 'a.wtb'}:game 2 (Ada–Björn):ply 13: d4: the square is occupied; legal: "
    )
    assert [found.game for found in findings if found.path.endswith("b.pgn")] == list(range(4, 81, 7))
    assert findings[-1].finding.code is Code.TRUNCATED


def test_games_that_stop_early_are_reported_one_by_one(tmp_path: Path) -> None:
    path = new_file(tmp_path / "a.wtb", wtb([game(random_record(3).moves[:9], 40)]))
    told, done = check(path, stopped=True)
    assert str(told) == f"{path}:game 1 (?–?): ended early after 9 plies; recorded: 40-24"
    assert isinstance(done, FileDone)
    assert (done.valid, done.unfinished, done.ended_early) == (1, 0, 1)


def test_standard_input_and_missing_files(tmp_path: Path) -> None:
    data = "".join(format_records([random_record(1), illegal(2)])).encode()
    finding, done, missing = check("-", tmp_path / "none", stdin=data, workers=2)
    assert str(finding).startswith("standard input:game 2 (Ada–Björn):ply 6: d4: ")
    assert isinstance(done, FileDone)
    assert done.games == 2
    assert isinstance(missing, FileDone)
    assert (missing.error, missing.missing) == (f"{tmp_path / 'none'}: no such file", True)


def test_files_without_a_game(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("; nothing but a comment\n")
    (tmp_path / "b.wtb").write_bytes(wtb([]))
    for workers in (1, 2):
        done = check(tmp_path, workers=workers)
        assert [event.error for event in done if isinstance(event, FileDone)] == [
            f"{tmp_path / name} contains no games" for name in ("a.pgn", "b.wtb")
        ]


def test_names_beside_nothing_are_not_those_of_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.jou").write_bytes(jou())
    monkeypatch.chdir(tmp_path)
    finding, _ = check("-", stdin=wtb([game([99], 0)]))
    assert str(finding).startswith("standard input:game 1 (?–?):ply 1: 99 is not the number of a square")


def test_what_was_found_comes_before_the_next_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a.wtb").write_bytes(wtb([b"\xff" * 68] * 3000))

    class Waiting(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise AssertionError("standard input was read too early")

    events = Validation(workers=2, stdin=Waiting()).check([str(tmp_path / "a.wtb"), "-"])
    assert sum(isinstance(event, GameFinding) for event in itertools.islice(events, 3000)) == 3000
    events.close()


def test_stopping_early(folder: Path) -> None:
    one = Validation(workers=2)
    events = one.check([str(folder)])
    first = next(events)
    assert isinstance(first, GameFinding)
    assert one.at is not None
    assert one.at.path == first.path
    events.close()
    assert shown(list(one.check([str(folder)]))) == shown(check(folder))  # and it can be asked again


@pytest.mark.parametrize("workers", [1, 2])
def test_a_text_that_was_cut_in_a_wrong_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(validation, "ENOUGH_CHARS", 1)
    monkeypatch.setattr(validation, "PIECE_CHARS", 300)
    # an [Event after an empty line among the tags of a game that begins otherwise
    odd = '[Site "x"]\n\n[Event "y"]\n[Black "' + "z" * 600 + '"]\n\n1. f5 *\n\n'
    text = format_records([random_record(1)])
    path = new_file(tmp_path / "a.pgn", next(text) + "\n" + odd * 4 + "".join(format_records([illegal(2)])))
    *findings, done = check(path, workers=workers)
    assert isinstance(done, FileDone)
    assert (done.games, len(findings)) == (6, 1)
    assert isinstance(findings[0], GameFinding)
    assert findings[0].game == 6


def test_processes_that_cannot_be_had_are_not_missed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = shown(check(folder))
    monkeypatch.setattr(validation, "ENOUGH_CHARS", 1)
    monkeypatch.setattr(validation, "PIECE_CHARS", 4000)

    start = SpawnProcess.start

    def dying(process: SpawnProcess) -> None:
        start(process)
        process.kill()

    monkeypatch.setattr(SpawnProcess, "start", dying)
    assert shown(check(folder, workers=2)) == one

    def none(_: SpawnProcess) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(SpawnProcess, "start", none)
    assert shown(check(folder, workers=2)) == one


@settings(max_examples=2 * settings().max_examples)
@given(st.lists(games(), min_size=1, max_size=4))
def test_batches_find_what_entries_show(made: list[bytes]) -> None:
    part = check_wthor_games(b"".join(made))
    entries = list(read_wthor(wtb(made)))
    verdicts = [validate_entry(entry) for entry in entries]
    judged = list(zip(entries, verdicts, strict=True))
    expected = [(entry.number, found) for entry, one in judged for found in one.findings]
    assert [(told.number, told.what) for told in part.notes if not isinstance(told.what, tuple)] == expected
    stopped = [told for told in part.notes if isinstance(told.what, tuple)]
    assert [told.number for told in stopped] == [entry.number for entry, one in judged if one.ended_early]
    for told in stopped:
        record = entries[told.number - 1].record
        assert told.what == (len(record.moves), record.result, True)
    assert (part.games, part.valid) == (len(made), sum(one.valid for one in verdicts))
    quiet = check_wthor_games(b"".join(made), tell_stopped=False)
    assert (quiet.games, quiet.valid, quiet.ended_early) == (part.games, part.valid, part.ended_early)


def test_the_archive() -> None:
    if not SHARED.is_dir():
        pytest.skip(f"no {SHARED}")
    years = [SHARED / f"WTH_{year}.wtb" for year in range(1977, 2011)]
    events = check(*years, workers=2, stopped=True)
    done = [event for event in events if isinstance(event, FileDone)]
    assert not [event for event in events if isinstance(event, GameFinding)]
    assert (sum(file.games for file in done), sum(file.valid for file in done)) == (107_197, 107_197)
    stopped = [event for event in events if isinstance(event, StoppedEarly)]
    assert len(stopped) == sum(file.ended_early for file in done) == 413
    assert max(int(Path(event.path).stem[-4:]) for event in stopped) == 2000


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_without_a_valid_game_is_reported_once(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reversi.records.validation.validation.ENOUGH_CHARS", 1000)
    monkeypatch.setattr("reversi.records.validation.validation.PIECE_CHARS", 500)
    wrong, right = '[Event "x"]\n\n1. a1 *\n\n', '[Event "x"]\n\n1. f5 *\n\n'
    path = tmp_path / "a.pgn"

    def events(text: str, give_up: int) -> list[ValidationEvent]:
        path.write_text(text)
        return list(Validation(workers=workers, give_up=give_up).check([str(path)]))

    (done,) = events(wrong * 400, 150)
    assert isinstance(done, FileDone)
    assert (done.games, done.valid, done.findings, done.hidden) == (151, 0, 151, 151)
    assert done.error == (
        f"{path}:game 1 (?–?):ply 1: a1: flips nothing; legal: d3 c4 f5 e6 [illegal-move]; "
        "151 such findings in the first 151 games, of which none is valid"
    )
    for text, findings in (
        (wrong * 150, 150),
        (wrong * 150 + right + wrong * 200, 350),
        (right + wrong * 199, 199),
    ):
        *found, done = events(text, 150)
        assert isinstance(done, FileDone)
        assert (len(found), done.findings, done.hidden, done.error) == (findings, findings, 0, "")
        games = [event.game for event in found if isinstance(event, GameFinding)]
        assert games == sorted(games)
        assert len(set(games)) == findings
    assert len(events(wrong * 400, 0)) == 401
