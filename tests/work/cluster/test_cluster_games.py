"""Analysing games and playing matches on a cluster: the results of one machine."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

import fake_engine
from command_line import run_command
from files import new_file
from patience import SOON_S
from random_games import random_game
from reversi import Cancel, InputError, PlayerError
from reversi.analysis import AnalysisRun, AnalyzedGame, GameInput
from reversi.match import Match, MatchGame, MatchSettings, balanced_openings, parse_contestants
from reversi.openings import default_book
from reversi.records import format_record
from reversi.records.from_game import record_from_game
from reversi.work import Connection, Tls
from reversi.work.cluster.workers import ClusterWorkers

pytest.importorskip("distributed")

GAMES = [
    GameInput(number, "a.pgn", number, record_from_game(random_game(rules, number)))
    for number, rules in enumerate(["othello", "othello,board=6x6", "adjacent,board=6x6"] * 2, 1)
]


def analysed(connection: Connection | None, path: Path | None = None, **options: object) -> list[AnalyzedGame]:
    with AnalysisRun(lambda: GAMES, output=path, level=2, exact_from=6, cluster=connection, **options) as run:  # type: ignore[arg-type]
        return list(run)


def kill_a_worker(connection: Connection) -> None:
    process = next(iter(connection.client.run(os.getpid).values()))
    os.kill(process, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)


def is_idle(connection: Connection) -> bool:
    return not any(connection.client.run(lambda dask_worker: len(dask_worker.state.executing)).values())


# --- analyses


def test_analyses_are_those_of_one_machine(local: Connection, tmp_path: Path) -> None:
    files = tmp_path / "one.jsonl", tmp_path / "cluster.jsonl"
    one = analysed(None, files[0], book=default_book())
    assert [done.fields() for done in analysed(local, files[1], book=default_book())] == [
        done.fields() for done in one
    ]
    assert any(turn.book for done in one for turn in done.analysis.turns)
    assert len({frozenset(path.read_bytes().splitlines()) for path in files}) == 1


def test_an_analysis_continues_its_file_after_a_worker_dies(local: Connection, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    cancel = Cancel()

    def stop(run: AnalysisRun) -> None:
        if run.analyzed >= 2:
            cancel.cancel()

    analysed(local, path, cancel=cancel, poll=stop)
    before = path.read_bytes().count(b"\n")
    assert before >= 2
    kill_a_worker(local)
    analysed(local, path, resume=True)
    found = [json.loads(line)["index"] for line in path.read_bytes().splitlines()]
    assert sorted(found) == list(range(1, 7))


def test_cancel_stops_analyses_within_a_second(local: Connection) -> None:
    cancel = Cancel()
    seen: list[int] = []

    def stop(run: AnalysisRun) -> None:
        seen.append(run.turns)
        if run.turns:
            cancel.cancel()

    games = [GameInput(1, "", 1, record_from_game(random_game("othello", 1)))]
    with AnalysisRun(lambda: games, level=30, exact_from=40, cancel=cancel, poll=stop, cluster=local) as run:
        assert list(run) == []
    assert max(seen) > 0
    assert run.time_s < SOON_S
    assert is_idle(local)


def test_numbers_of_an_analysis_are_checked_before_it_begins(local: Connection) -> None:
    for wrong in ({"time_s": -1.0}, {"hash_mb": 0}, {"workers": 2}, {"threads": 2}):
        with pytest.raises(InputError):
            analysed(local, **wrong)


# --- matches


def contents(results: list[MatchGame]) -> list[tuple[object, ...]]:
    return sorted((each.pair, each.half, each.black, each.white, each.points, each.discs) for each in results)


def match_of(*players: str, games: int = 6) -> Match:
    return Match(parse_contestants(players), balanced_openings(), MatchSettings(games))


def test_a_match_has_the_games_of_one_machine(local: Connection, tmp_path: Path) -> None:
    one, cluster = match_of("2", "1"), match_of("2", "1")
    one.run()
    path = tmp_path / "match.pgn"
    cluster.run(path, cluster=local)
    assert contents(cluster.games) == contents(one.games)
    assert all(None not in result.cpu_s for result in cluster.games)
    longer = match_of("2", "1", games=8)
    longer.run(path, cluster=local)
    assert path.read_text().count("[Event ") == 8


def test_a_match_loses_no_game_when_a_worker_dies(local: Connection) -> None:
    match = match_of("2", "1", games=20)

    def note(_: MatchGame) -> None:
        if len(match.games) == 2:
            kill_a_worker(local)

    match.run(on_result=note, cluster=local)
    assert len(contents(match.games)) == len({each[:2] for each in contents(match.games)}) == 20


@pytest.mark.parametrize(
    "slow", ["slow=60s", f"slow={fake_engine.command('gtp', 'silent')}"], ids=["engine", "gtp"]
)
def test_the_end_of_a_match_stops_its_games(local: Connection, slow: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        """Ctrl-C comes when the first game has begun."""
        while is_idle(local):
            pass
        raise KeyboardInterrupt

    began = time.monotonic()
    match = match_of("1", slow, games=4)
    monkeypatch.setattr(ClusterWorkers, "next", interrupted)
    with pytest.raises(KeyboardInterrupt):
        match.run(cluster=local)
    assert time.monotonic() - began < SOON_S  # the players would think for minutes
    while not is_idle(local):
        assert time.monotonic() - began < SOON_S


def test_players_start_on_every_worker_first(local: Connection) -> None:
    match = match_of("1", f"bad={fake_engine.command('gtp', 'no-start')}")
    with pytest.raises(PlayerError, match=r"worker tls://127.*: bad: ended with exit status 3"):
        match.try_players(local)
    with pytest.raises(PlayerError, match=r"bad: ended with exit status 3"):
        match.run(cluster=local)
    assert match.games == []


# --- the commands


def test_commands_take_a_cluster(local: Connection, credentials: Tls, tmp_path: Path) -> None:
    files = ["--tls-ca", credentials.ca, "--tls-cert", credentials.cert, "--tls-key", credentials.key]
    address = ["--cluster", local.client.scheduler.address, *files]
    games = new_file(tmp_path / "games.pgn", "\n".join(format_record(game.record) for game in GAMES[:2]))
    options = ["--level", "1", "--exact-from", "4", "--json"]
    one, cluster = (run_command("analyze", games, *options, *more) for more in ([], [*address, "--hash", "1"]))
    assert (cluster.stdout, cluster.returncode) == (one.stdout, 0), cluster.stderr
    played = run_command("match", "1", "2", "--games", "2", "--json", *address).ends(0)
    assert json.loads(played.stdout)["players"][0]["games"] == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["analyze", "d3", "--cluster", "local:0"], "the number of local processes must be"),
    ],
)
def test_options_of_a_cluster_are_checked(words: list[str], message: str) -> None:
    done = run_command(*words).ends(2, says=message)
    assert done.stderr.count("\n") == 1
