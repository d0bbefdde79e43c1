"""What a recorded game was, at a glance, and numbers about many."""

from __future__ import annotations

import pytest
from hypothesis import given

from record_samples import RECORDS, final, random_record, seed_with_pass
from reversi import PASS, Color, Position, Square, parse_rules
from reversi.games import Spread, Statistics, results_of
from reversi.openings.names import Named, opening_named
from reversi.records import Line, Node, Record
from reversi.records.facts import GameFacts, facts_of, opening_of, year_of
from reversi.records.record import Tags
from reversi.render.report.data import ReportGame, game_data


def record(moves: str = "", result: str = "*", rules: str = "othello", **tags: str) -> Record:
    nodes = [Node(Square(moves[at : at + 2])) for at in range(0, len(moves), 2)]
    return Record(Tags(tags), Position(parse_rules(rules)), Line(nodes), result)


def test_a_finished_game() -> None:
    game = random_record(seed_with_pass(2))
    end = final(game)
    assert end.result is not None
    facts = facts_of(game)
    assert (facts.plies, facts.passes) == (len(game.moves), sum(move is PASS for move in game.moves))
    assert (facts.score, facts.winner) == (end.result.score, end.result.winner)
    assert facts.finished
    assert facts.legal
    assert facts.decided
    assert facts.end == end


@pytest.mark.parametrize(
    ("result", "rules", "score", "winner", "decided"),
    [
        ("*", "othello", None, None, False),
        ("?", "othello", None, None, False),
        ("40-24", "othello", 16, Color.BLACK, True),
        ("20-30", "othello", -10, Color.WHITE, True),
        ("32-32", "othello", 0, None, True),
        ("40-24", "othello,misere", -16, Color.WHITE, True),
        ("1-0", "othello", None, Color.BLACK, True),
        ("0-1", "othello,misere", None, Color.WHITE, True),
        ("1/2-1/2", "othello", None, None, True),
    ],
)
def test_an_unfinished_game_ends_as_recorded(
    result: str, rules: str, score: int | None, winner: Color | None, decided: bool
) -> None:
    facts = facts_of(record("f5d6", result, rules))
    assert (facts.score, facts.winner, facts.decided) == (score, winner, decided)
    assert not facts.finished
    assert facts.drawn == (decided and winner is None)


def test_a_wipe_out_has_the_empty_squares() -> None:
    facts = facts_of(record("e6f4e3f6g5d6e7f5c5", "13-0"))
    assert (facts.score, facts.winner, facts.finished) == (64, Color.BLACK, True)


def test_a_finished_game_that_was_lost_otherwise() -> None:
    facts = facts_of(record("e6f4e3f6g5d6e7f5c5", "0-1", Termination="time forfeit"))
    assert (facts.score, facts.winner) == (None, Color.WHITE)


def test_a_wrong_move_ends_it() -> None:
    facts = facts_of(record("f5d6a1c3", "40-24"))
    assert (facts.plies, facts.legal, facts.finished) == (2, False, False)


@pytest.mark.parametrize(
    ("date", "year"),
    [("1997.??.??", 1997), ("2026.11.20", 2026), ("1977", 1977), ("????.??.??", None), ("", None), ("0000", None)]
    + [
        (date, 2024)
        for date in ("01.05.2024", "May 2024", "5/1/2024", "c. 2024", "0105.2024", "20240501", "2024/25")
    ]
    + [(date, None) for date in ("01.05.24", "in 1997 or 1998", "May", "20245", "199?.??.??", "120245")],
)
def test_years(date: str, year: int | None) -> None:
    assert year_of(record(Date=date)) == year


def test_names_and_openings() -> None:
    facts = facts_of(record("f5d6c3d3c4", Black="Ada", White="?", Event="-"))
    assert (facts.black, facts.white, facts.event) == ("Ada", "", "")
    assert facts.opening is not None
    assert facts.opening.opening == opening_named("tiger")


@given(RECORDS)
def test_any_record_has_facts(any_record: Record) -> None:
    facts = facts_of(any_record)
    assert 0 <= facts.passes <= facts.plies <= len(any_record.moves)
    assert facts.legal == (facts.plies == len(any_record.moves))


# --- statistics


def counted(*games: Record) -> Statistics:
    found = Statistics()
    for game in results_of(games):
        found.add(game)
    return found


def test_a_spread() -> None:
    spread = Spread()
    assert spread.mean is None
    for number in (-3, 5, 1):
        spread.add(number)
    assert (spread.least, spread.mean, spread.most, spread.count) == (-3, 1, 5, 3)


def test_numbers_about_games() -> None:
    wipeout = "e6f4e3f6g5d6e7f5c5"
    found = counted(
        record(wipeout, "13-0", Black="Ada", White="Bob", Date="1999.01.01"),
        record("f5d6c3d3c4", "20-44", Black="Bob", White="Ada", Date="2001"),
        record("f5d6", "1/2-1/2", Black="Ada", White="Cy"),
        record("f5f6", "*"),
        record("f5a1", "*"),
    )
    every = found.all
    assert (every.games, every.black, every.draws, every.white, every.undecided) == (5, 1, 1, 1, 2)
    assert (every.score.count, every.score.total) == (2, 64 - 24)
    assert (found.finished, found.ended_early, found.unfinished) == (1, 2, 1)
    assert (found.illegal, found.wipeouts) == (1, 1)
    assert (found.placements.least, found.placements.most) == (9, 9)
    assert set(found.years) == {1999, 2001}
    assert found.no_year == 3
    assert {name: tally.games for name, tally in found.openings.items()} == {
        "": 1,
        "Diagonal": 1,
        "Perpendicular": 1,
        "Tiger": 1,
        "Rabbit": 1,
    }
    ada = found.players["Ada"]
    assert (ada.games, ada.as_black, ada.wins, ada.draws, ada.losses) == (3, 2, 2, 1, 0)
    assert ada.rate == pytest.approx(2.5 / 3)
    assert ada.score.total == 64 + 24
    assert (ada.first, ada.last) == (1999, 2001)
    assert set(found.players) == {"Ada", "Bob", "Cy"}


def test_passes_are_counted() -> None:
    game = random_record(seed_with_pass(2))
    found = counted(game, record("f5"))
    count = sum(move is PASS for move in game.moves)
    assert (found.with_passes, found.passes.total, found.passes.most) == (1, count, count)


def test_facts_are_values() -> None:
    assert isinstance(facts_of(record("f5")), GameFacts)
    assert facts_of(record("f5")) == facts_of(record("f5"))


def test_an_opening_is_named_by_positions_not_by_moves() -> None:
    """Discs that were flipped by hand lead elsewhere, whoever asks for the name."""
    tiger = record("f5d6c3d3c4")
    assert opening_of(tiger) == facts_of(tiger).opening == Named(opening_named("Tiger"), 5)
    assert opening_of(tiger, 2) == Named(opening_named("Perpendicular"), 2)
    by_hand = record("f5d6")
    by_hand.line.nodes[1].flips = ()
    assert opening_of(by_hand) is None
    assert game_data(ReportGame(record=by_hand))["opening"] == ""
    by_hand.line.nodes[1].flips = (Square("d5"),)
    assert opening_of(by_hand) == opening_of(tiger, 2)
