"""Matches: schedules, games, failures, the file of a match, and reports."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections import Counter
from pathlib import Path

import pytest

import fake_engine
from books import write_book
from children import Child
from command_line import ENVIRONMENT, Started, run_command
from files import new_file
from reversi import PASS, Color, InputError, PlayerError, Position, Side, open_records
from reversi.game.clocks import parse_controls
from reversi.game.game import Game
from reversi.match import (
    Contestant,
    Match,
    MatchError,
    MatchGame,
    MatchSettings,
    Standings,
    balanced_openings,
    parse_contestants,
    read_openings,
    report_html,
    report_json,
    report_lines,
)
from reversi.match.archive import MatchFile
from reversi.match.contestants import parse_contestant
from reversi.match.games import match_game
from reversi.match.playing import GameJob, play_game
from reversi.match.schedule import pairings, schedule
from reversi.match.statistics import Sprt, SprtVerdict
from reversi.openings.book import BookEntry, book_key
from reversi.records.formats.pgn.reader import parse_record, read_records
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.from_game import record_from_game
from reversi.records.validation.game import validate_entry
from reversi.rules import parse_rules

RHINO = shutil.which("gtp-rhino", path="/usr/games:/usr/local/bin:/usr/bin")
LEVELS = parse_contestants(["2", "1"])


def job(black: str, white: str, **changes: object) -> GameJob:
    settings: dict[str, object] = {
        "round": "1.1",
        "match": "test",
        "black": parse_contestant(black),
        "white": parse_contestant(white),
        "opening": balanced_openings()[0],
        "seed": 1,
        "controls": None,
        "adjudicate": 0,
        "move_s": 60.0,
    }
    return GameJob(**settings | changes)  # type: ignore[arg-type]


def played(black: str, white: str, **changes: object) -> MatchGame:
    text = play_game(job(black, white, **changes))
    return match_game(parse_record(text, ours=True), text)


def test_a_long_match_keeps_its_games_in_little_memory() -> None:
    text = played("2", "1").text.replace("level 1", "level\udce9")
    record = parse_record(text, ours=True)
    tracemalloc.start()
    try:
        games = [match_game(record, text[:1] + text[1:]) for _ in range(100)]  # each with a text of its own
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(text) > 1200
    assert held < 100 * len(text) * 0.75
    assert games[-1].text == text
    assert games[-1].record == record


# --- players and schedules


def test_players() -> None:
    assert parse_contestant("7").side == Side.engine(7)
    assert parse_contestant("2s").side == Side.engine(time_s=2.0)
    assert parse_contestant("9000n").side == Side.engine(nodes=9000)
    assert parse_contestant("9000n").name == "9000 nodes"
    assert (parse_contestant("me=0.5s").name, parse_contestant("me=0.5s").side.time_s) == ("me", 0.5)
    assert parse_contestant("gtp:/usr/games/gtp-rhino -x").name == "gtp-rhino"
    assert parse_contestant("python:examples.bots:Greedy").name == "Greedy"
    assert parse_contestant("rhino", {"rhino": "gtp:gtp-rhino"}).side.program == "gtp:gtp-rhino"
    assert [each.name for each in parse_contestants(["3", "3", "3"])] == ["level 3", "level 3 (2)", "level 3 (3)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("99", "level must be 1 to 60, beginner-1 to beginner-7, people-1100 to people-1700, or club-1 to club-3"),
        ("human", "people do not play matches"),
        ("nobody", "write a level (7, beginner-1 or people-1400)"),
        ("gtp:", "the command of the engine is empty"),
        ("python:bot", "write python:MODULE:CLASS"),
    ],
)
def test_what_is_no_player(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_contestant(text)
    assert message in str(caught.value)


def test_the_schedule_plays_each_opening_with_both_colors() -> None:
    games = list(schedule(3, 8, 3, seed=5))
    assert len(games) == 3 * 8
    assert [game.pair for game in games] == [1 + at // 2 for at in range(24)]
    for one, two in zip(games[::2], games[1::2], strict=True):
        assert (one.black, one.white, one.opening) == (two.white, two.black, two.opening)
    meetings = Counter((game.first, game.second) for game in games)
    assert meetings == {(0, 1): 8, (0, 2): 8, (1, 2): 8}
    assert len({game.opening for game in games[: 3 * 6]}) == 3  # all openings before one comes again
    assert games == list(schedule(3, 8, 3, seed=5)) != list(schedule(3, 8, 3, seed=6))
    assert pairings(4, gauntlet=True) == [(0, 1), (0, 2), (0, 3)]


def test_games_are_even() -> None:
    with pytest.raises(InputError, match="games must be even, not 7"):
        list(schedule(2, 7, 3))


def test_openings_of_a_file(tmp_path: Path) -> None:
    lists = new_file(tmp_path / "xot.txt", "f5d6c3\nf5f6\nf5d6c3\n")
    assert [str(each) for each in read_openings(lists)] == ["f5d6c3", "f5f6"]
    found = read_openings(Path(__file__).parents[2] / "examples" / "games.pgn", 4)
    assert found
    assert {len(each.moves) for each in found} == {4}
    (tmp_path / "none.txt").write_text("hello\n")
    with pytest.raises(InputError, match=r"^\S+none\.txt: line 1: "):
        read_openings(tmp_path / "none.txt")
    (tmp_path / "small.sgf").write_text(format_sgf(record_from_game(Game(parse_rules("othello,board=6x6")))))
    with pytest.raises(InputError, match=r"small\.sgf: has no game of standard Othello with more than 8 plies"):
        read_openings(tmp_path / "small.sgf")
    wrong = new_file(tmp_path / "wrong.txt", "f5d6c3d3\nf5a1\n")
    with pytest.raises(InputError, match="as a list of openings: line 2: a1 is not allowed"):
        read_openings(wrong)


def test_an_opening_flips_as_the_rules_say(tmp_path: Path) -> None:
    wrong = "1. f5 d6 {[%flips]} 2. c3 d3 *"
    (tmp_path / "flips.pgn").write_text(f"{wrong}\n\n1. f5 d6 {{[%flips d5]}} 2. c5 f4 *\n")
    assert [str(each) for each in read_openings(tmp_path / "flips.pgn", 3)] == ["f5d6c5"]
    assert [str(each) for each in read_openings(tmp_path / "flips.pgn", 1)] == ["f5"]
    (tmp_path / "wrong.pgn").write_text(f"{wrong}\n")
    with pytest.raises(InputError, match=r"wrong\.pgn: has no .* more than 3 plies, flipped as the rules say$"):
        read_openings(tmp_path / "wrong.pgn", 3)


# --- games


def test_a_game_and_its_record() -> None:
    text = play_game(job("2", "1", controls=parse_controls("1:00+1")))
    record = parse_record(text, ours=True)
    assert (record.tags["Black"], record.tags["White"], record.tags["TimeControl"]) == (
        "level 2",
        "level 1",
        "1:00+1",
    )
    entry = next(iter(read_records(text)))
    assert not validate_entry(entry).findings
    opening = balanced_openings()[0].moves
    assert record.moves[: len(opening)] == opening
    assert record.tags["MatchOpening"] == "".join(map(str, opening))
    assert "Opening" not in record.tags  # the name of one, elsewhere
    result = match_game(record, text)
    assert result.termination == "normal"
    forced = sum(move is PASS for move in record.moves[len(opening) :])
    assert sum(result.moves) + len(opening) + forced >= len(record.moves)
    assert all(used is not None and used >= 0 for used in result.cpu_s)


def test_the_solver_decides() -> None:
    """The decision is the value of the position; what follows does not matter."""
    from reversi import Position, solve

    for seed in range(3):
        text = play_game(job("1", "1", adjudicate=10, seed=seed))
        record = parse_record(text, ours=True)
        position = Position()
        for move in record.moves:
            position = position.play(move)
        assert position.empties <= 10
        value = solve(position).score.value * (1 if position.to_move is Color.BLACK else -1)
        result = match_game(record, text)
        assert (result.termination, result.discs) == ("adjudication", value)
        assert result.points == (value > 0) + (value == 0) / 2


@pytest.mark.parametrize("behavior", ["illegal", "dies"])
@pytest.mark.parametrize("color", list(Color))
def test_a_failing_player_loses(behavior: str, color: Color) -> None:
    bad = f"bad={fake_engine.command('gtp', behavior)}"
    result = played(bad, "1") if color is Color.BLACK else played("1", bad)
    assert (result.points, result.termination) == (0.0 if color is Color.BLACK else 1.0, "forfeit")
    assert result.failure.startswith("bad: ")
    assert result.discs is None


def test_a_resignation_ends_a_game_and_no_match(tmp_path: Path) -> None:
    players = parse_contestants(["1", f"other={fake_engine.command('gtp', 'resigns')}"])
    match = Match(players, balanced_openings(), MatchSettings(8))
    match.run(tmp_path / "match.pgn")
    assert not match.stopped
    for result in match.games:
        assert (result.termination, result.failure, result.discs) == ("resignation", "", None)
        assert result.points == (1.0 if result.white == "other" else 0.0)
        assert result.restarted == (False, False)
    other = match.standings().players["other"]
    assert (other.lost, other.resignations, other.forfeits) == (8, 8, 0)
    assert "other resigned 8 games." in list(report_lines(match))
    again = Match(players, balanced_openings(), MatchSettings(8))
    again.run(tmp_path / "match.pgn")
    assert again.games == match.games


def test_a_flag_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reversi.protocols.client.GRACE_S", 0.1)
    slow = f"slow={fake_engine.command('nboard', 'silent')}"
    result = played("1", slow, controls=parse_controls("-/0:01.5"))
    assert (result.points, result.termination) == (1.0, "time forfeit")
    assert "did not answer go" in result.failure


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_ten_ways_to_fail(protocol: str, tmp_path: Path) -> None:
    """Every game of a bad engine is a loss with a reason, or is played to its end; nothing is lost."""
    ways = [way for way in fake_engine.BEHAVIORS if way not in ("good", "no-start", "noisy", "resigns")]
    players = ["1", *(f"{way}={fake_engine.command(protocol, way)}" for way in ways)]
    match = Match(
        parse_contestants(players), balanced_openings(), MatchSettings(2, gauntlet=True, concurrency=2, move_s=3.0)
    )
    path = tmp_path / "match.pgn"
    match.run(path)
    assert len(match.games) == 2 * len(ways) == path.read_text().count("[Event ")
    assert not match.stopped
    for result in match.games:
        bad = result.white if result.black == "level 1" else result.black
        if bad == "hangs":
            assert not result.failure
            assert result.notes == (f"{bad}: did not end when asked to; it was killed",)
        else:
            assert result.failure.startswith(f"{bad}: ")
            assert result.points == (1.0 if result.black == "level 1" else 0.0)


@pytest.mark.thorough
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_lines_of_a_log_lose_no_game(protocol: str, tmp_path: Path) -> None:
    players = parse_contestants(["1", f"noisy={fake_engine.command(protocol, 'noisy')}"])
    match = Match(players, balanced_openings(), MatchSettings(4, controls=parse_controls("1:00+1")))
    path = tmp_path / "match.pgn"
    match.run(path)
    assert [result.failure for result in match.games] == [""] * 4
    for result in match.games:
        own, other = result.noise if result.black == "noisy" else result.noise[::-1]
        assert own.startswith("wrote ")
        assert not other
    assert report_json(match)["players"] == [
        {**each, "forfeits": 0, "restarts": 0, "noisy_games": 4 * (each["name"] == "noisy")}
        for each in report_json(match)["players"]  # type: ignore[attr-defined]
    ]
    assert "noisy wrote lines outside its answers in 4 games; they were skipped." in list(report_lines(match))
    file = MatchFile(path, match.name)
    file.close()
    assert file.games == match.games


@pytest.mark.thorough
def test_three_failures_in_a_row_stop_the_match() -> None:
    players = parse_contestants(["1", f"bad={fake_engine.command('gtp', 'dies')}"])
    match = Match(players, balanced_openings(), MatchSettings(20))
    with pytest.raises(
        MatchError, match=r"^bad failed in 3 games in a row; the last failure is bad: ended with exit"
    ):
        match.run()
    assert len(match.games) == 3
    assert match.games[0].failure.startswith("bad: ended with exit status")
    assert match.stopped == "bad failed in 3 games in a row"
    lines = list(report_lines(match))
    assert "The match stopped: bad failed in 3 games in a row." in lines
    assert any(line.startswith("bad lost 3 games by a failure or an illegal move. A forfeit ") for line in lines)
    assert "bad had to be restarted after 3 games." in lines
    with pytest.raises(MatchError):  # a second call plays on, and stops again
        match.run()
    assert len(match.games) == 6


@pytest.mark.thorough
def test_the_command_reports_a_match_that_failures_stop() -> None:
    bad = f"bad={fake_engine.command('gtp', 'dies')}"
    done = run_command("match", "1", bad, "--games", "20", "--json")
    assert (done.returncode, json.loads(done.stdout)["stopped"]) == (1, "bad failed in 3 games in a row")
    *failures, last = done.stderr.splitlines()
    assert all("bad: ended with exit status" in line for line in failures)
    assert last == "reversi: 3 games ended by a failure"


@pytest.mark.thorough
def test_failures_before_a_stop_count_when_a_match_is_resumed(tmp_path: Path) -> None:
    bot, path = tmp_path / "bot.py", tmp_path / "match.pgn"
    bot.write_text("class Bot:\n    def choose(self, position, clock=None):\n        raise OSError('no disk')\n")
    command = ("match", f"bot=python:{bot}:Bot", "1", "--save", str(path))
    done = run_command(*command, "--games", "2")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "reversi: 2 games ended by a failure")
    assert "bot - level 1: 0 of 2 (0.0 %), 0 won, 0 drawn, 2 lost\n" in done.stdout
    bot.write_text(bot.read_text().replace("raise OSError('no disk')", "return position.legal_moves[0]"))
    run_command(*command, "--games", "4", "--resume").ends(1, err="reversi: 2 games ended by a failure\n")


DIES_ONCE = """
import os, pathlib

class Bot:
    def choose(self, position, clock=None):
        marker = pathlib.Path(__file__).with_suffix(".died")
        if not marker.exists():
            marker.touch()
            os._exit(9)
        return position.legal_moves[0]
"""


def test_a_game_that_is_played_again_says_so(tmp_path: Path) -> None:
    bot = new_file(tmp_path / "bot.py", DIES_ONCE)
    match = Match(parse_contestants([f"python:{bot}:Bot", "1"]), balanced_openings(), MatchSettings(2))
    match.run()
    notes = [result.notes for result in match.games]
    assert notes == [("played again: the process that played game 1.1 ended with status 9",), ()]


def test_a_player_that_does_not_start() -> None:
    players = parse_contestants(["1", f"bad={fake_engine.command('gtp', 'no-start')}"])
    with pytest.raises(PlayerError, match="bad: ended with exit status 3; its last lines: no license found"):
        Match(players, balanced_openings(), MatchSettings(2)).try_players()


@pytest.mark.slow
@pytest.mark.skipif(RHINO is None, reason="GRhino (Debian package grhino) is not installed")
def test_grhino_plays_a_match() -> None:
    match = Match(parse_contestants(["3", f"gtp:{RHINO}"]), balanced_openings(), MatchSettings(20))
    match.run()
    assert [result.failure for result in match.games] == [""] * 20


# --- the file of a match


def run_match(path: Path | None, games: int = 4, **changes: object) -> Match:
    match = Match(LEVELS, balanced_openings(), MatchSettings(games, **changes))  # type: ignore[arg-type]
    match.run(path)
    return match


def test_every_cut_of_the_file_can_be_resumed(tmp_path: Path) -> None:
    """A killed program leaves any number of bytes of its last game: the finished games before it count."""
    path = tmp_path / "match.pgn"
    match = run_match(path, 4)
    data = path.read_bytes()
    begins = [at for at in range(len(data)) if data.startswith(b"[Event ", at)]
    ends = [*begins[1:], len(data)]
    for size in [*range(begins[-1] - 3, len(data) + 1, 31), len(data)]:
        path.write_bytes(data[:size])
        file = MatchFile(path, match.name)
        file.close()
        whole = sum(end <= size for end in ends)
        assert len(file.games) == whole
        assert path.read_bytes() == data[: ends[whole - 1]]


@pytest.mark.thorough
def test_a_resumed_match_is_the_match(tmp_path: Path) -> None:
    path, whole = tmp_path / "match.pgn", tmp_path / "whole.pgn"
    match = run_match(whole, 6)
    run_match(path, 2)
    resumed = run_match(path, 6)
    assert [each.moves for each in resumed.standings().games] == [each.moves for each in match.standings().games]
    assert len(resumed.games) == 6
    assert not list(tmp_path.glob(".*.lock"))


def test_a_match_is_run_again(tmp_path: Path) -> None:
    """What an earlier call has played counts once, with a file and without one."""
    path = tmp_path / "match.pgn"
    match = run_match(path, 2)
    match.run(path)
    match.run()
    assert len(match.games) == 2 == path.read_text().count("[Event ")


def test_games_have_their_records(tmp_path: Path) -> None:
    path = tmp_path / "match.pgn"
    match = run_match(path, 4)
    assert [game.record for game in match.games] == list(open_records(path))
    for game in match.games:
        assert (game.record.black, game.record.white) == (game.black, game.white)
        assert game.record.moves[:8] == match.openings[match.schedule[2 * game.pair - 2].opening].moves
        assert "[Event" not in repr(game)


def test_the_page_has_a_thousand_games_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reversi.match.report._PAGE_GAMES", 3)
    page = report_html(run_match(None, 4))
    assert "The page has 3 of the 4 games." in page
    assert len(json.loads(page.partition('id="data">')[2].partition("</script>")[0])["games"]) == 3


def test_the_file_of_another_match(tmp_path: Path) -> None:
    path = tmp_path / "match.pgn"
    run_match(path, 2)
    with pytest.raises(InputError, match="game 1 belongs to a match with other players"):
        run_match(path, 2, seed=9)
    path.write_text('[Event "Othello"]\n\n1. f5 *\n')
    with pytest.raises(InputError, match="not the file of a match, left unchanged"):
        run_match(path, 2)
    assert path.read_text() == '[Event "Othello"]\n\n1. f5 *\n'
    path.write_text('[Event "Othello"]\n\n1. f5 *\n\n')
    with pytest.raises(InputError, match="game 1: "):
        run_match(path, 2)
    assert path.read_text() == '[Event "Othello"]\n\n1. f5 *\n\n'


def test_one_match_at_a_time_writes_to_a_file(tmp_path: Path) -> None:
    file = MatchFile(tmp_path / "match.pgn", "x")
    with pytest.raises(BlockingIOError, match="another match writes to it"):
        MatchFile(tmp_path / "match.pgn", "x")
    file.close()
    MatchFile(tmp_path / "match.pgn", "x").close()


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("kills", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_a_killed_match_continues(kills: int, tmp_path: Path) -> None:
    path = tmp_path / "match.pgn"
    games = 8 * (kills + 1)
    command = [sys.executable, "-m", "reversi", "match", "3", "1", "--games", str(games), "--save", str(path)]
    command += ["--resume", "--concurrency", "2", "--no-adjudication"]
    for _ in range(kills):
        before = path.stat().st_size if path.exists() else 0
        with Child(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT) as process:
            while not path.exists() or path.stat().st_size <= before:
                assert process.poll() is None
                time.sleep(0.005)
            process.kill()
    done = run_command(*command[3:], "--json").ends(0)
    assert json.loads(done.stdout)["games"] == games
    rounds = [entry.record.tags["Round"] for entry in read_records(path.read_text())]
    assert sorted(rounds) == sorted(f"{1 + at // 2}.{1 + at % 2}" for at in range(games))


# --- standings and reports


def game(pair: int, half: int, points: float, discs: int | None = None, **changes: object) -> MatchGame:
    """A game between A (the first player) and B; the points are those of A."""
    values: dict[str, object] = {
        "pair": pair,
        "half": half,
        "black": "A" if half == 1 else "B",
        "white": "B" if half == 1 else "A",
        "points": points if half == 1 else 1 - points,
        "discs": discs if half == 1 or discs is None else -discs,
        "termination": "normal",
        "failure": "",
        "notes": (),
        "moves": (30, 30),
        "cpu_s": (0.3, 0.6),
        "packed": zlib.compress(b""),
    }
    return MatchGame(**values | changes)  # type: ignore[arg-type]


def test_standings() -> None:
    games = [game(1, 1, 1, 10), game(1, 2, 0.5, 0), game(2, 1, 0, -4), game(2, 2, 1, 2), game(3, 1, 1, 20)]
    standings = Standings(["A", "B"], [(0, 1)], games)
    first, second = standings.ranking
    assert (first.name, first.games, first.won, first.drawn, first.lost, first.points) == ("A", 5, 3, 1, 1, 3.5)
    assert (second.name, second.mean_discs) == ("B", -28 / 5)
    assert first.cpu_per_move_s == pytest.approx((3 * 0.3 + 2 * 0.6) / 150)
    pairing = standings.pairings["A", "B"]
    assert pairing.pair_points == [1.5, 1.0]
    assert pairing.pairs.counts == (0, 0, 1, 1, 0)


def test_the_sequential_test_counts_complete_pairs_in_order() -> None:
    """Games that end early must not choose what the test sees: pairs count in the order of the schedule."""
    test = Sprt(0, 200)
    won = [game(pair, half, 1, 10) for pair in range(1, 40) for half in (1, 2)]
    decided = Standings(["A", "B"], [(0, 1)], won, test)
    assert decided.sprt is not None
    assert decided.sprt.verdict is SprtVerdict.H1
    assert len(decided.games) == 2 * decided.sprt.pairs
    assert decided.beyond == len(won) - len(decided.games)
    late = Standings(["A", "B"], [(0, 1)], won[1:], test)  # the first game is still being played
    assert late.sprt is not None
    assert (late.sprt.pairs, late.sprt.verdict) == (0, SprtVerdict.OPEN)


def test_a_match_stops_when_its_test_decides(tmp_path: Path) -> None:
    match = Match(parse_contestants(["6", "1"]), balanced_openings(), MatchSettings(400, sprt=Sprt(0, 200)))
    match.run(tmp_path / "match.pgn")
    state = match.standings().sprt
    assert state is not None
    assert state.verdict is SprtVerdict.H1
    assert len(match.games) == 2 * state.pairs
    again = Match(match.players, match.openings, match.settings)
    again.run(tmp_path / "match.pgn")  # does not play on
    assert len(again.games) == len(match.games)
    assert any("H1 accepted" in line for line in report_lines(again))


def test_reports_of_several_players() -> None:
    players = (*parse_contestants(["1", "2"]), Contestant("<3>", Side.engine(3)))
    match = Match(players, balanced_openings()[:1], MatchSettings(4))
    match.run()
    lines = list(report_lines(match))
    assert lines[0].split()[:3] == ["player", "games", "won"]
    assert sum(line.startswith("points against") for line in lines) == 1
    assert "There are fewer openings (1) than pairs: openings repeat." in lines
    values = report_json(match)
    json.dumps(values, allow_nan=False)
    assert values["games"] == 12
    page = report_html(match)
    assert "<3>" not in page.replace("<h3>", "")
    headings = re.findall("<h2>(.*?)</h2>", page)
    assert headings == ["Conditions", "Players", "Crosstable", "Pairings"]
    assert page.count('<table class="figures">') == 3
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert [game["source"] for game in data["games"]] == [
        f"game {game.pair}.{game.half} of the match" for game in match.standings().games
    ]
    assert [game["result"] for game in data["games"]] == [game.record.result for game in match.standings().games]
    assert all(len(game["turns"]) > 30 for game in data["games"])


def test_a_resumed_match_has_all_games_in_its_page(tmp_path: Path) -> None:
    run_match(tmp_path / "games.pgn", 2)
    resumed = run_match(tmp_path / "games.pgn", 4)
    data = json.loads(report_html(resumed).partition('id="data">')[2].partition("</script>")[0])
    assert len(data["games"]) == 4
    assert "Games played</th><td>4 of 4</td>" in report_html(resumed)


def test_the_page_of_a_match_without_a_game() -> None:
    page = report_html(Match(LEVELS, balanced_openings(), MatchSettings(2)))
    assert "Games played</th><td>0 of 2</td>" in page
    assert json.loads(page.partition('id="data">')[2].partition("</script>")[0])["games"] == []


def test_the_command(tmp_path: Path) -> None:
    path, page = tmp_path / "games.pgn", tmp_path / "report.html"
    words: list[str | Path] = [
        "match",
        "2",
        "weak=1",
        "--games",
        "4",
        "--save",
        path,
        "--html",
        page,
        "--concurrency",
        "2",
    ]
    run_command(*words, "--sprt", "elo0=0", "elo1=100").ends(0, err="", prints="LLR")
    assert "weak" in page.read_text()
    run_command(*words).ends(73, err=f"reversi: {path} exists; --resume continues it, --force overwrites it\n")
    done = run_command(*words, "--resume", "--json")
    assert json.loads(done.stdout)["games"] == 4


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["3"], 2, "a match needs two players or more"),
        (["3", "x"], 2, "'x' is not a player"),
        (["3", "4", "--games", "7"], 2, "--games must be even, not 7"),
        (["3", "4", "--sprt", "elo0=5", "elo1=1"], 2, "--sprt: elo0 must be below elo1"),
        (["3", "4", "5", "--sprt"], 2, "a sequential test needs two players, not 3"),
        (["3", "gtp:reversi engine gtp --ponder"], 2, "reversi thinks on its opponents' time, and others do not"),
        (["3", "4", "--clock", "soon"], 2, "--clock: "),
        (["3", "gtp:no-such-engine"], 2, "no-such-engine: does not start: no-such-engine: no such file"),
        (["3", "4", "--openings", "none.txt"], 66, "none.txt: no such file"),
        (["3", "4", "--save", "none/games.pgn"], 73, "none/games.pgn: cannot write: "),
        (["3", "4", "--save", "a.pgn", "--html", "./a.pgn"], 2, "--save and --html name the same file"),
    ],
)
def test_wrong_usage(words: list[str], status: int, message: str) -> None:
    done = run_command("match", *words).ends(status, out="", says=message)
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that never ends")
def test_a_device_keeps_no_match() -> None:
    done = run_command("match", "1", "2", "--games", "2", "--save", "/dev/full").ends(73, out="")
    assert done.stderr == "reversi: /dev/full: cannot write: not a regular file, which a match can read back\n"


def test_a_match_that_cannot_begin_overwrites_nothing(tmp_path: Path) -> None:
    path = new_file(tmp_path / "match.pgn", "games of another match")
    run_command("match", "1", "gtp:no-such-engine", "--save", str(path), "--force").ends(2)
    assert path.read_text() == "games of another match"


def test_the_page_alone_on_standard_output() -> None:
    done = run_command("match", "1", "2", "--games", "2", "--html", "-").ends(0, err="")
    assert done.stdout.lower().startswith("<!doctype html>")


def test_engines_with_books(tmp_path: Path) -> None:
    book = tmp_path / "mine.book"
    write_book(book, {book_key(Position.from_moves(moves)): BookEntry(0, 1) for moves in ("", "f5", "f5f6")})
    openings = new_file(tmp_path / "openings.txt", "f5\n")
    players = ["1", f"1 book={book}"]
    said = run_command("match", *players, "--games", "2", "--openings", openings, "--save", tmp_path / "games.pgn")
    said.ends(0, prints="level 1, book mine.book")
    records = list(read_records((tmp_path / "games.pgn").read_text()))
    white = next(each.record for each in records if "book" in each.record.tags["White"])
    assert [str(move) for move in white.moves[:2]] == ["f5", "f6"]  # the one move of its book
    plain, booked = (Match(parse_contestants(each), balanced_openings()).name for each in (["1", "1"], players))
    assert plain != booked
    config = new_file(tmp_path / "config.toml", '[engines]\nmine = "engine:1 book=mine.book"\n')
    environment = {"REVERSI_CONFIG": str(config)}
    said = run_command("match", "1", "mine", "--games", "2", "--openings", openings, environment=environment).ends(
        0
    )
    write_book(book, {}, parse_rules("adjacent"))
    words = ("match", "1", "mine", "--games", "2")
    wrong = "a book for adjacent, not for othello"
    run_command(*words, environment=environment).ends(65, out="", err=f"reversi: {book}: {wrong}\n")
    book.unlink()
    run_command(*words, environment=environment).ends(66, out="", err=f"reversi: {book}: no such file\n")


def test_named_engines(tmp_path: Path) -> None:
    config = new_file(tmp_path / "config.toml", f"[engines]\nfake = '{fake_engine.command('gtp', 'good')}'\n")
    environment = {"REVERSI_CONFIG": str(config)}
    done = run_command("match", "1", "fake", "--games", "2", "--json", environment=environment).ends(0, err="")
    assert {each["name"] for each in json.loads(done.stdout)["players"]} == {"level 1", "fake"}
    for text, message in (
        ("[engine]\n", "unknown key 'engine'"),
        ("[engines]\nx = 3\n", "engine x: write a text such as gtp:COMMAND"),
        ("[engines]\nhuman = 'gtp:x'\n", "'human' cannot be the name of an engine"),
        ("[engines\n", "config.toml: "),
    ):
        config.write_text(text)
        run_command("match", "1", "2", "--games", "2", environment=environment).ends(65, out="", says=message)


@pytest.mark.skipif(os.name == "nt", reason="interrupts a process of its own")
def test_ctrl_c_keeps_the_games(tmp_path: Path) -> None:
    path = tmp_path / "match.pgn"
    with Started("match", "3", "1", "--games", "4000", "--save", path) as process:
        while not path.exists() or not path.stat().st_size:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out.startswith("player")
    assert err == f"reversi: interrupted; --resume continues the match in {path}\n"
