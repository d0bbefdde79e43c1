"""Reviews of openings: where games leave a repertoire or the book, what it costs, what there is to learn."""

from __future__ import annotations

import pytest

from reversi import Color, Move, Position
from reversi.analysis.exercises import Judge
from reversi.analysis.opening_review import Leaving, OpeningReview, ReviewedGame
from reversi.games.repertoire import Repertoire
from reversi.openings import default_book
from reversi.records import format_record, parse_record
from reversi.score import Kind

MINE = '[Repertoire "Black"]\n\n1. f5 d6 (1... f6 2. e6 f4) 2. c3 d3 (2... g5) 3. c4 *'
OUTSIDE = '[Rules "adjacent"]\n\n1. c3 *'


def review(repertoire: str = MINE) -> OpeningReview:
    mine = {Color.BLACK: Repertoire([parse_record(repertoire)])} if repertoire else None
    return OpeningReview(mine, book=default_book(), judge=Judge(4))


def reviewed(text: str, repertoire: str = MINE, side: Color = Color.BLACK) -> ReviewedGame:
    return review(repertoire).add(parse_record(text), side)


@pytest.mark.parametrize(
    ("moves", "leaving", "ply", "loss", "known", "task"),
    [
        ("1. f5 d6 2. c5 f4", Leaving.PLAYER, 3, 1, "c3", 2),
        ("1. f5 f4 2. e3", Leaving.OPPONENT, 2, 6, "d6 f6", 2),
        ("1. f5 d6 2. c3 g5 3. f6", Leaving.END, 5, None, "", 4),  # the repertoire has g5 and no answer to it
        ("1. f5 d6 2. c3 d3 3. c4 f4", Leaving.END, 6, None, "", None),
        ("1. f5 d6 2. c3", Leaving.INSIDE, None, None, "", None),
        (OUTSIDE, Leaving.OUTSIDE, None, None, "", None),
        ("1. e6 f4 2. c3 c4 3. d3 d6", Leaving.END, 6, None, "", None),  # mirrored
        ("1. f5 d6 2. c4 d3 3. c3 f4", Leaving.END, 6, None, "", None),  # moves in another order
        ("1. e6 f4 2. e3 d6", Leaving.PLAYER, 3, 1, "c3", 2),
    ],
)
def test_where_a_game_leaves(
    moves: str, leaving: Leaving, ply: int | None, loss: int | None, known: str, task: int | None
) -> None:
    game = reviewed(moves)
    departure = game.departure
    assert (game.leaving, game.ply, game.loss) == (leaving, ply, loss)
    assert (
        " ".join(str(choice.move) for choice in departure.known if departure) == known if departure else not known
    )
    assert (game.task and game.task[0]) == task
    assert game.kind is (None if loss is None else Kind.BOOK)


def test_a_pass_is_nothing_to_learn() -> None:
    """Where the opponent leaves and the player has to pass, no departure asks for a move."""
    line = "f5 d6 c5 b4 c3 d2 b5 b6 a5 f4 f6 g7"
    white = Repertoire([parse_record(f"{line} e1 b2")], Color.WHITE)
    review = OpeningReview({Color.WHITE: white}, book=default_book(), judge=Judge(1))
    game = review.add(parse_record(f"{line} e6 -- e1"), Color.WHITE)
    assert (game.leaving, game.ply, game.task) == (Leaving.OPPONENT, 13, None)
    assert review.tables()[1].rows == ()


def test_whose_loss_it_is() -> None:
    """What the opponent loses by leaving is not the player's loss; with the other color it is."""
    game = reviewed("1. f5 f4 2. e3")
    assert (game.lost_by(Leaving.PLAYER), game.lost_by(Leaving.OPPONENT)) == (0, 6)
    white = OpeningReview({Color.WHITE: Repertoire([parse_record("1. f5 d6")], Color.WHITE)}, book=default_book())
    assert (white.takes(Color.WHITE), white.takes(Color.BLACK)) == (True, False)
    game = white.add(parse_record("1. f5 f4 2. e3"), Color.WHITE)
    assert (game.leaving, game.lost_by(Leaving.PLAYER)) == (Leaving.PLAYER, 6)


@pytest.mark.parametrize(
    ("moves", "leaving"),
    [
        ("1. f5 f6 2. e6", Leaving.OUTSIDE),  # the opponent plays another opening
        ("1. f5 d6 2. c5 f4", Leaving.PLAYER),
        ("1. f5 d6 2. c3 d3 3. c4 b3", Leaving.OPPONENT),
    ],
)
def test_a_repertoire_that_begins_later(moves: str, leaving: Leaving) -> None:
    tiger = '[Repertoire "Black"]\n[RepertoireAt "Tiger"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 4. c5 *'
    assert reviewed(moves, tiger).leaving is leaving


def test_what_the_book_does_not_say_is_searched() -> None:
    made = OpeningReview({Color.BLACK: Repertoire([parse_record(MINE)])}, judge=Judge(4))
    game = made.add(parse_record("1. f5 d6 2. c7 f4"), Color.BLACK)
    values = {each.move: each.score.value for each in Judge(4).value_all(Position().play("f5").play("d6"))}
    best = {move for move, value in values.items() if value == max(values.values())}
    assert (game.loss, game.kind) == (max(values.values()) - values[Move.parse("c7")], Kind.HEURISTIC)
    assert set(game.best) == best
    line = "1. f5 d6 2. c3 d3 3. c4 f4 4. f6 g5 5. "
    mine = Repertoire([parse_record(f"{line}e6")])
    made = OpeningReview({Color.BLACK: mine}, book=default_book(), judge=Judge(4))
    game = made.add(parse_record(f"{line}d7"), Color.BLACK)  # which the book does not have, and a search finds e3
    assert (game.kind, game.best) == (Kind.HEURISTIC, (Move.parse("e6"),))


@pytest.mark.parametrize(
    ("moves", "leaving", "ply", "loss"),
    [
        ("1. f5 f4 2. e3", Leaving.OPPONENT, 2, 6),  # in the book, and not sound
        ("1. f5 d6 2. c5 f4", Leaving.INSIDE, None, None),
        ("1. f5 d6 2. c7 f4", Leaving.PLAYER, 3, 8),
        (OUTSIDE, Leaving.OUTSIDE, None, None),
    ],
)
def test_the_sound_moves_of_the_book(moves: str, leaving: Leaving, ply: int | None, loss: int | None) -> None:
    game = reviewed(moves, "")
    assert (game.leaving, game.ply, game.loss) == (leaving, ply, loss)


@pytest.mark.parametrize("bad", [False, True])
def test_a_game_that_goes_on_after_the_book(bad: bool) -> None:
    """At the end of the book a sound move leaves nobody's line, and a bad one leaves it."""
    book, position, moves = default_book(), Position(), list[str]()
    while choices := book.moves(position):
        moves.append(str(choices[0].move))
        position = position.play(choices[0].move)
    scored = [
        each for each in Judge(4).value_all(position) if each.move not in (book.beside(position) or ((),))[0]
    ]
    move = scored[-1 if bad else 0].move
    game = reviewed(" ".join([*moves, str(move)]), "")
    side = Leaving.PLAYER if position.to_move is Color.BLACK else Leaving.OPPONENT
    assert (game.leaving, game.ply) == (side if bad else Leaving.END, len(moves) + 1)
    assert (game.task is None) is not bad


GAMES = [  # moves, the discs, and so who leaves, counted by hand
    ("1. f5 d6 2. c5 f4", "40-24"),  # Ada, -1: Rabbit is not hers
    ("1. e6 f4 2. e3 d6", "20-44"),  # the same
    ("1. f5 f4 2. g3", "33-31"),  # the opponent
    ("1. f5 d6 2. c3 d3 3. c4 f4", "32-32"),  # the end
    ("1. f5 f4 2. c3", "50-14"),  # the opponent
]


def test_the_tables() -> None:
    made = review()
    for number, (moves, result) in enumerate(GAMES, 1):
        record = parse_record(f'[Black "Ada"]\n[White "Bob"]\n[Date "2024"]\n\n{moves} {result}')
        made.add(record, Color.BLACK, file="games.pgn", number=number)
    tables = made.tables()
    openings, departures, games = (table.rows for table in tables)
    assert [table.name for table in tables] == ["openings", "departures", "games"]
    assert openings == (
        ("Parallel", 2, 2, 0, 0, 2.0, 1.0, 19.0, 0, 0.0, 2, 6.0),
        ("Rabbit", 2, 1, 0, 1, 1.0, 0.5, -4.0, 2, 1.0, 0, 0.0),
        ("Tiger", 1, 0, 1, 0, 0.5, 0.5, 0.0, 0, 0.0, 0, 0.0),
    )
    assert departures == (
        ("f5d6", "player", 2, 1.0, "c3", -1, "book", "Perpendicular", 1, 0, 1, -4.0),
        ("f5f4", "opponent", 2, 6.0, "e3", 5, "book", "Parallel", 2, 0, 0, 19.0),
    )
    assert games[0] == (
        *("games.pgn#1", 3, "player", "c5", "c3", "c3 c4", 1, "book", "Bob", 2024, "Black", "Rabbit", 16),
    )
    assert games[-1][:3] == ("games.pgn#5", 2, "opponent")


def test_a_game_says_where_it_leaves() -> None:
    game = reviewed("1. f5 d6 2. c5 {hm} f4 3. e3 *")
    text = format_record(game.annotated("repertoire"))
    assert "2. c5 {hm} {Not c3, as in the repertoire: 1 disc lost.} (2. c3)" in text
    assert parse_record(text).moves == game.record.moves
    ended = reviewed("1. f5 d6 2. c3 d3 3. c4 f4")
    assert "{The repertoire ends here.}" in format_record(ended.annotated("repertoire"))
    inside = reviewed("1. f5 d6")
    assert inside.annotated("repertoire") is inside.record


def test_exercises() -> None:
    """The player's mistake, and the one answer to an opponent's move."""
    made = OpeningReview(book=default_book(), judge=Judge(10))
    for number, moves in enumerate(("1. f5 d6 2. c7 f4", "1. f5 d6 2. c3 d3", "1. f5 f4 2. e3"), 1):
        made.add(parse_record(f'[Black "Ada"]\n\n{moves}'), Color.BLACK, file="games.pgn", number=number)
    mistake, answer = made.exercises(4)
    assert (str(mistake.played), str(mistake.answers[0])) == ("c7", "c3")
    assert (mistake.origin.black, mistake.origin.game, mistake.origin.ply) == ("Ada", 1, 3)
    assert (answer.played, answer.answers, answer.origin.ply) == (None, (Move.parse("e3"),), 3)
    assert [each.played for each in made.exercises(64)] == [None]
