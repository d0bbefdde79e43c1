"""The tables of a real year, counted again from the bytes of the file by code that shares nothing with them."""

from __future__ import annotations

import struct
from collections import defaultdict
from pathlib import Path

import pytest

from reversi.games import GameResult, events_of, open_records, results_of, tables_of

SHARED = Path(__file__).parents[4] / "shared" / "data" / "wthor"
EVENT, YEAR = "World Championship", 1997


@pytest.fixture(scope="module")
def raw() -> list[tuple[str, str, str, int]]:
    """Each game: event, Black, White, Black's discs with the empty squares."""
    if not SHARED.is_dir():
        pytest.skip("the shared WTHOR files are not here")
    names = []
    for file, size in (("WTH.TRN", 26), ("WTH.JOU", 20)):
        data = (SHARED / file).read_bytes()[16:]
        parts = [data[at : at + size] for at in range(0, len(data), size)]
        names.append([part.split(b"\0")[0].decode("latin-1").strip() for part in parts])
    events, players = names
    data = (SHARED / f"WTH_{YEAR}.wtb").read_bytes()
    games = []
    for at in range(16, len(data), 68):
        event, black, white, discs = struct.unpack_from("<HHHB", data, at)
        games.append((events[event], players[black], players[white], discs))
    return games


@pytest.fixture(scope="module")
def results(raw: object) -> list[GameResult]:
    return list(results_of(open_records(SHARED / f"WTH_{YEAR}.wtb")))


def test_crosstable(raw: list[tuple[str, str, str, int]], results: list[GameResult]) -> None:
    met: dict[tuple[str, str], list[float]] = defaultdict(list)
    discs: dict[str, int] = defaultdict(int)
    for event, black, white, count in raw:
        if event == EVENT:
            met[black, white].append((count > 32) + (count == 32) / 2)
            met[white, black].append((count < 32) + (count == 32) / 2)
            discs[black] += count
            discs[white] += 64 - count
    points = {name: sum(sum(got) for (player, _), got in met.items() if player == name) for name in discs}
    quotient = {
        name: discs[name] + 6 * sum(len(got) * points[other] for (one, other), got in met.items() if one == name)
        for name in discs
    }
    (pairings,) = tables_of([game for game in results if game.event == EVENT], "crosstable")
    assert {(row[0], row[2]): row[4:6] for row in pairings.rows} == {
        pair: (len(got), sum(got)) for pair, got in met.items()
    }
    table = pairings.shown
    assert table is not None
    columns = [column.name for column in table.columns]
    assert len(table.rows) == len(discs) == 34
    for row in table.rows:
        line = dict(zip(columns, row, strict=True))
        name = str(line["player"])
        assert (line["points"], line["brightwell"]) == (points[name], quotient[name])
        games = sum(len(got) for (player, _), got in met.items() if player == name)
        assert (line["games"], line["discs"]) == (games, 2 * discs[name] - 64 * games)
        for other in discs:
            got = met.get((name, other))
            expected = None if got is None else (sum(got), len(got))
            assert _score(line[other]) == expected, (name, other)
    order = [(-points[name], -quotient[name]) for name in (str(row[1]) for row in table.rows)]
    assert order == sorted(order)


def _score(cell: object) -> tuple[float, int] | None:
    if cell in (None, "."):
        return None
    points, _, games = str(cell).partition("/")
    return float(points.replace("½", ".5") if points != "½" else 0.5), int(games)


def test_events_and_players(raw: list[tuple[str, str, str, int]], results: list[GameResult]) -> None:
    counted: dict[str, int] = defaultdict(int)
    for event, *_ in raw:
        counted[event] += 1
    assert {event.name: len(event.games) for event in events_of(results)} == counted
    (players,) = tables_of(results, "players")
    for name, games, wins, draws, losses, *_ in players.rows[:50]:
        mine = [d for _, b, _, d in raw if b == name] + [64 - d for _, _, w, d in raw if w == name]
        assert (games, wins) == (len(mine), sum(d > 32 for d in mine))
        assert (draws, losses) == (mine.count(32), sum(d < 32 for d in mine))
