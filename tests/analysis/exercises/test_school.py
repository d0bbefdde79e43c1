"""The school of openings: which moves are asked when, against which moves, and why they are right."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reversi import Color, Move, Position, Random, Square, parse_rules
from reversi.analysis.exercises import ProgressFile
from reversi.analysis.exercises.drill import Drill
from reversi.analysis.exercises.progress import ExerciseProgress
from reversi.analysis.exercises.schedule import Schedule
from reversi.analysis.exercises.school import RepertoireCard, School, cards
from reversi.games import Repertoire
from reversi.openings import default_book
from reversi.records import Line, Node, Record

BEGIN = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
MINUTE, DAY = datetime.timedelta(minutes=1), datetime.timedelta(days=1)

MINE = """[Repertoire "Black"]

1. f5 d6 {30 games} (1... f4 {10 games} 2. e3 $1 (2. f3)) (1... f6 {weight 20} 2. e6) 2. c3 {Tiger or Rose}
2... d3 (2... g5 {rare} 3. c6) 3. c4 {[%eval +1 book] keeps the wall short} f4 4. c5 b3 (4... b4 5. d2) 5. c2 *
"""
MOVES = "f5 c3 e3 e6 c4 c6 c5 c2 d2"

Answer = Callable[[RepertoireCard], "str | None"]


class Pupil:
    """Somebody who learns a repertoire, day by day."""

    def __init__(self, folder: Path, text: str = MINE) -> None:
        pytest.importorskip("fsrs")
        self.progress = ProgressFile(folder / "progress.json")
        self.mine = Repertoire.read(text)
        self.now = BEGIN

    def learn(self, answer: Answer, *, seed: int = 1, count: int | None = None, every: bool = False) -> list[str]:
        """Answer what is asked; the right moves of what was asked, those asked again with a mark."""
        school = School(self.mine, self.progress.of, self.now, seed=seed, count=count, everything=every)
        drill = Drill(school, self.progress, Schedule(), now=lambda: self.now)
        asked = []
        while drill.next():
            card = drill.card
            assert isinstance(card, RepertoireCard)
            asked.append(f"{card.answers[0]}{'!' * drill.comes_back}")
            reply = answer(card)
            drill.answer(None if reply is None else Move.parse(reply))
        return asked


def right(card: RepertoireCard) -> str:
    return str(card.answers[0])


def all_but(*moves: str) -> Answer:
    """Answers that are right except where one of these moves is."""
    return lambda card: None if right(card) in moves else right(card)


def asked_at(line: str) -> RepertoireCard:
    """The card of a line."""
    position = Position.from_moves(line)
    return RepertoireCard(position, Repertoire.read(MINE).moves(position), default_book())


def test_a_first_lesson_asks_everything_once_and_each_line_goes_on_from_its_start(tmp_path: Path) -> None:
    pupil = Pupil(tmp_path)
    lines: list[str] = []

    def answer(card: RepertoireCard) -> str:
        lines.append(f"{card.about.split(',')[0]}: {card.place}")
        assert Position.from_moves(card.line) == card.position
        return right(card)

    assert sorted(pupil.learn(answer)) == sorted(MOVES.split())
    numbers = [int(line.split(":")[0].removeprefix("line ")) for line in lines]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == 5  # of the ends of lines
    assert lines[0] == "line 1: "
    assert [line for line in lines if line.startswith("line 1: ")] == lines[: numbers.count(1)]
    assert pupil.learn(right) == []


def test_due_moves_come_back_those_that_were_missed_first(tmp_path: Path) -> None:
    pupil = Pupil(tmp_path)
    assert Counter(pupil.learn(all_but("c4", "e6"))) == Counter([*MOVES.split(), "c4!", "e6!"])
    pupil.now += 11 * MINUTE  # the first interval of FSRS is 10 minutes, after a wrong answer 1
    asked = pupil.learn(right)
    assert set(asked[:2]) == {"c4", "e6"}
    assert sorted(asked) == sorted(MOVES.split())
    pupil.now += 11 * MINUTE
    assert set(pupil.learn(right)) == {"c4", "e6"}  # they are still learned, the others are due after days
    due = {card.id: pupil.progress.of(card.id).due for card in cards(pupil.mine)}
    days = sorted(date - pupil.now for date in due.values() if date is not None)
    assert len(days) == 9
    assert days[0] == DAY < days[-1]
    pupil.now += 400 * DAY
    asked = pupil.learn(all_but("c5"), count=4)
    assert len(set(asked) - {"c5!"}) == 4


def test_a_missed_move_is_asked_again_once_in_a_later_line(tmp_path: Path) -> None:
    pupil = Pupil(tmp_path)
    lines: dict[str, list[str]] = {}

    def answer(card: RepertoireCard) -> str | None:
        lines.setdefault(right(card), []).append(card.about.split(",")[0])
        return None if right(card) == "f5" else right(card)

    asked = pupil.learn(answer, count=3)
    assert asked.count("f5") == asked.count("f5!") == 1
    assert len(asked) == 4
    first, second = lines["f5"]
    assert first < second


def test_what_is_not_due_is_asked_last_and_only_if_everything_is(tmp_path: Path) -> None:
    pupil = Pupil(tmp_path)
    first = pupil.learn(right, count=4)
    pupil.now += MINUTE
    asked = pupil.learn(right, every=True)
    assert set(asked[:5]).isdisjoint(first)
    assert set(asked[5:]) == set(first)


def test_easy_moves_are_asked_after_those_to_learn(tmp_path: Path) -> None:
    pupil = Pupil(tmp_path)
    easy = {"f5", "e6", "c5"}

    def school() -> School:
        return School(pupil.mine, pupil.progress.of, pupil.now, is_hard=lambda card: right(card) not in easy)

    def asked(count: int) -> list[str]:
        drill = Drill(school(), pupil.progress, Schedule(), now=lambda: pupil.now)
        moves: list[str] = []
        while len(moves) < count and drill.next():
            assert isinstance(drill.card, RepertoireCard)
            assert "new" in drill.card.about
            moves.append(right(drill.card))
            drill.answer(drill.card.answers[0])
        return moves

    assert school().about == "Your 9 positions: 6 to learn, 3 easy."
    first = asked(4)
    assert easy.isdisjoint(first)
    assert school().about == "Your 9 positions: 2 to learn, 3 easy, 4 not due yet."
    assert school().count == 5
    assert set(asked(5)[-3:]) == easy
    pupil.now += 400 * DAY
    assert school().about == "Your 9 positions: 9 due."


def test_a_changed_file_keeps_the_progress_of_what_stays(tmp_path: Path) -> None:
    Pupil(tmp_path).learn(right)
    changed = MINE.replace("2. e6", "2. e6 (2. d3)").replace("(4... b4 5. d2)", "(4... b4 5. e3) (4... b5 5. g4)")
    pupil = Pupil(tmp_path, changed)
    assert sorted(pupil.learn(right)) == ["e3", "g4"]  # a new position, and one with another move
    assert Pupil(tmp_path).learn(right) == []
    turned = re.sub(r"\b[a-h][1-8]\b", lambda square: str(Square(63 - Square(square[0]).index)), MINE)
    assert Pupil(tmp_path, turned).learn(right) == []  # the same positions, seen from the other side of the board
    white = Pupil(tmp_path, MINE.replace("Black", "White"))
    assert len(white.learn(right)) == len(list(cards(white.mine)))
    other = Pupil(tmp_path, MINE.replace('"Black"]', '"Black"]\n[Rules "othello,misere"]'))
    assert len(other.learn(right)) == 9


def test_other_moves_are_drawn_as_people_play_them() -> None:
    def first_replies(text: str, book: bool) -> Counter[str]:
        drawn: Counter[str] = Counter()
        for seed in range(400):
            course = School(
                Repertoire.read(text),
                lambda name: ExerciseProgress(),
                BEGIN,
                seed=seed,
                book=default_book() if book else None,
            )
            card = course.next()
            assert card is not None
            course.answered(card, card.answers[0], again=False)
            card = course.next()
            assert card is not None
            drawn[str(card.last)] += 1
        return drawn

    weighed = first_replies(MINE, book=True)
    assert weighed["d6"] > weighed["f6"] > weighed["f4"] > 30
    plain = '[Repertoire "Black"] 1. f5 f4 (1... d6 2. c3) (1... f6 2. e6) 2. e3 *'
    by_games = first_replies(plain, book=True)
    assert by_games["d6"] > by_games["f6"] > 3 * by_games["f4"]
    even = first_replies(plain, book=False)
    assert min(even.values()) > 100
    assert first_replies(MINE, book=True) == weighed  # by seed


def test_the_answer_of_another_orientation_and_another_own_move_lead_on(tmp_path: Path) -> None:
    pupil = Pupil(tmp_path, '[Repertoire "Black"] 1. f5 f6 2. e6 (2. c4 g5 3. g6) 2... f4 3. e3 *')
    places: list[str] = []

    def answer(card: RepertoireCard) -> str:
        places.append(card.place)
        return {"": "c4", "c4 c3": "f5"}.get(card.place) or right(card)  # c4 and f5 there are f5 and c4 here

    asked = pupil.learn(answer)
    assert places == ["", "c4 c3", "c4 c3 f5 b4", "f5 f6 e6 f4"]
    assert asked[2:] == ["b3", "e3"]


def test_a_skipped_move_is_played_and_not_kept(tmp_path: Path) -> None:
    pupil = Pupil(tmp_path)
    drill = Drill(School(pupil.mine, pupil.progress.of, BEGIN), pupil.progress, Schedule())
    places = []
    while drill.next():
        assert drill.card is not None
        places.append(drill.card.place)
    assert len(places) == 9
    assert pupil.progress.progress == {}
    assert drill.summary == "No move was answered."


def test_passes_are_played_not_asked() -> None:
    rules = parse_rules("othello,board=4x4")
    for seed in range(300):
        random, position, moves = Random(seed), Position(rules), []
        while not position.is_over:
            moves.append(position.legal_moves.choice(random))
            position = position.play(moves[-1])
        played = Record(start=Position(rules), line=Line(map(Node, moves)))
        passes = {
            color: [at for at, move in enumerate(moves) if move.is_pass and at % 2 == color] for color in (0, 1)
        }
        if all(passes.values()) and max(passes[1]) < max(passes[0]) < len(moves) - 2:
            break
    school = School(Repertoire([played], Color.BLACK), lambda name: ExerciseProgress(), BEGIN)
    asked = []
    while (card := school.next()) is not None:
        asked.append(card.answers[0])
        school.answered(card, asked[-1], again=False)
    assert asked == [move for move in moves[::2] if not move.is_pass]


@pytest.mark.parametrize(
    ("line", "answer", "begin", "words"),
    [
        (
            "f5d6c3d3",
            "c4",
            "Right.\nc4   +1 book  keeps the wall short\n    + leaves White few moves: 6",
            "c6, loses 4",
        ),
        (
            "f5d6c3d3",
            "c6",
            "Wrong: your repertoire does not play c6, which loses 4 discs by the book.\nc6   ",
            "- ",
        ),
        ("f5d6c3d3", "c7", "Wrong: your repertoire does not play c7", "\nYour move:\nc4   +1 book"),
        ("f5d6c3d3", None, "Your move:\nc4   +1 book  keeps the wall short\n", "The next best move, c6"),
        ("f5f4", "f3", "Right. Your main move is e3.\nf3   -1 book, White ahead\n", ""),
        (
            "f5f4",
            "e3",
            "Right.\ne3   +5 book, Black ahead\n",
            "The next best move, d3, loses 7 discs and the win by the book.",
        ),
        ("f5d6", "c3", "Right.\nc3   -1 book, White ahead  Tiger or Rose", "By the book, c4 is as good."),
        ("f5d6c3g5", "c6", "Right.\nc6 ", "The next best move, f6, loses 1 disc by the book."),
        ("", "c4", "Right.\nc4   ", ""),
    ],
)
def test_why_a_move_is_the_move(line: str, answer: str | None, begin: str, words: str) -> None:
    card = asked_at(line)
    said = "\n".join(card.explanation(None if answer is None else Move.parse(answer)))
    assert said.startswith(begin)
    assert words in said
    for sign in re.findall("^    ([+-])", said.rpartition("Your move:")[2] or said, re.MULTILINE):
        assert sign == "+" or said.startswith("Wrong")


def test_a_better_move_of_the_book_is_named() -> None:
    position = Position.from_moves("f5f4")
    card = RepertoireCard(position, Repertoire.read("f5f4f3", Color.BLACK).moves(position), default_book())
    assert card.explanation(card.answers[0])[-1] == "By the book, e3 is better."


def test_hints_name_no_move_that_is_known_to_be_wrong() -> None:
    card = asked_at("f5d6c3d3")
    first, second = card.hints()
    assert first.startswith("Your move: look at ")
    assert re.fullmatch(r"It is one of: (..) (..) (..)\.", second)
    wrong = [move for move in card.position.legal_moves if move not in card.answers]
    assert card.hints(wrong[1:])[-1] == f"It is one of: {' '.join(sorted(['c4', str(wrong[0])]))}."
    assert card.hints(wrong)[-1] == "It is c4."
    assert card.hints() == asked_at("f5d6c3d3").hints()


def test_tasks_say_what_was_played_and_how_often() -> None:
    course = School(Repertoire.read(MINE), lambda name: ExerciseProgress(), BEGIN)
    tasks = []
    while (card := course.next()) is not None:
        tasks.append(card.task)
        assert re.fullmatch(r"line \d(, [A-Z].*)?, new", card.about)
    assert tasks[0] == "play your move."
    assert {"d6 (30 games) was played; find your move.", "d3 was played; find your move."} <= set(tasks)


def test_a_card_knows_what_a_move_beside_the_book_is_worth() -> None:
    book = default_book()
    for card in cards(Repertoire.read("f5d6c3d3c4f4f6", Color.BLACK)):
        known = dict(replace(card, book=book).labels(card.answers[0]))
        beside = book.beside(card.position)
        assert beside is None or card.answers[0] in beside[0] or known.keys() >= {*beside[0]}
