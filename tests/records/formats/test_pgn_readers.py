"""Games whose moves the compiled core reads: the same as the full reader gives, word by word."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import fuzz_pgn_readers as fuzz
from files import new_file
from record_samples import flyordie, from_wthor, playok, random_record, seed_with_pass
from reversi import PASS, Move, Position, Square
from reversi._core import read_moves, replay_line
from reversi.games.database.rows import blocks
from reversi.games.identity import identify
from reversi.records import Line, Node, Record, format_record, format_records, parse_record, validate_entry
from reversi.records.facts import facts_of
from reversi.records.formats.pgn import movetext
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.pgn.syntax import COMMON_TAGS
from reversi.records.sources import opening
from reversi.records.sources.decoding import decode_records
from reversi.records.validation import FileDone, Validation

DATA = Path(__file__).parents[4] / "shared" / "data" / "pgn"
GAME = random_record(3)
PASSING = random_record(seed_with_pass(2))
TAGS = '[Event "a"]\n[Date "1984"]\n'


def is_common(text: str) -> bool:
    """Whether all tags of a text's first game are read at once, and the core reads all moves of all games."""
    moves = all(entry.record.line.packed is not None for entry in read_records(text))
    return moves and COMMON_TAGS.match(text.removeprefix("\ufeff")) is not None


@pytest.mark.parametrize(
    "text",
    [
        format_record(GAME),
        format_record(random_record(4, plies=20)),
        "".join(format_records(random_record(seed) for seed in range(5))),
        playok(PASSING),
        flyordie(PASSING, "1-0"),
        from_wthor(PASSING, PASSING.result) * 3,
        from_wthor(random_record(4, plies=20), "*"),
        "\ufeff" + format_record(GAME).replace("Björn", "Łukasz 😀"),
        TAGS + "1. F5 F6 2. E6 0-64",
        TAGS + "1.f5 d6 2.c3 d3 3... c4 *",
        format_record(fuzz.with_clocks(GAME, texts=False)),
        format_record(fuzz.with_clocks(PASSING, texts=True)),
        from_wthor(PASSING, PASSING.result).replace(" 3", " {[%clk 0:05:12]} 3").replace(" 4", " {\n a\n b } 4"),
        TAGS + "1. f5 { [%clk 0:05:12.5]} d6 {good} {[%eval +0.5 selective 95%]} 2. c3 {} *",
        TAGS + "1. f5 {[%clk 0:05:12][%emt 0:00:01] Łukasz 😀} *",
        TAGS + "1. f5 {[%eval -0 book]} {[%clk\n0:05:12]} {[%emt 1:00:00]} d6",
    ],
)
def test_the_core_reads_the_common_forms(text: str) -> None:
    assert is_common(text)
    assert fuzz.agrees(text, {}, fuzz.Counts(), pieces=True)
    assert fuzz.agrees(text.replace("\n", "\r\n"), {}, fuzz.Counts(), pieces=True)


@pytest.mark.parametrize(
    "change",
    [
        ("[Event ", "{a comment} [Event "),
        ("1. ", "{a comment} 1. "),
        ("2. ", "2. (1. d3) "),
        ("2. ", "$1 2. "),
        ("2. ", "! 2. "),
        ("2. ", "{[%eval 0.3]} 2. "),
        ("2. ", "{[%clk 0:60:00]} 2. "),
        ("2. ", "{[%clk 0:05:12]} {[%clk 0:05:12]} 2. "),
        ("2. ", "{[%flips e4]} 2. "),
        ("2. ", "{said [%clk 0:05:12]} 2. "),
        ("2. ", "{a \\} b} 2. "),
        ("2. ", "{a\tb} 2. "),
        ("2. ", "{a\x85b} 2. "),
        ("2. ", "{[%eval +4 sure]} 2. "),
        ("2. ", "{[%eval +4 selective 101%]} 2. "),
        ("2. ", "{[%clk 0:05:12]"),
        ("2. ", "; rest\n2. "),
        ("2. ", "\n% a line\n2. "),
        ("2. ", "xx 2. "),
        ("2. ", "\xa02. "),
        ("2. ", "\x00 2. "),
        ("2. ", "12345. "),
        ('"Ada"', '"A\\"da"'),
        ('"Ada"', '"A"da"'),
        ('"Ada"', '"A\tda"'),
        ("[Black ", "[Bläck "),
        ("[Round ", "[Event "),
        ("[Round ", "[Event-2 "),
        ("[Round ", "[SetUp "),
        ("[Round ", "[Board "),
        ("[Round ", "[Date "),
        ("[Round ", "{x} [Round "),
    ],
)
def test_rare_forms_are_read_alike(change: tuple[str, str]) -> None:
    text = format_record(GAME)
    assert change[0] in text
    text = text.replace(*change, 1)
    assert fuzz.agrees(text, {}, fuzz.Counts(), pieces=True)


def test_a_common_game_after_another_is_read_by_the_core() -> None:
    text = format_record(GAME)
    noted = text.replace("2. ", "$1 2. ", 1)
    found = [entry.record.line.packed is not None for entry in read_records("\n".join((text, noted, text)))]
    assert found == [True, False, True]


def test_texts_cut_anywhere_are_read_alike() -> None:
    counts = fuzz.Counts()
    for text in (format_record(GAME), from_wthor(PASSING, PASSING.result), playok(PASSING)):
        for end in range(1, len(text), 3):
            assert fuzz.agrees(text[:end], {}, counts), text[:end]
            assert fuzz.agrees(text[end:], {}, counts), text[end:]
    assert counts.common > counts.executions // 5


def test_comments_on_every_turn_cost_no_node() -> None:
    """Judging, facts, identity, and writing what this program wrote, need no `Node`, however much is noted."""
    for texts in (False, True):
        record = fuzz.with_clocks(PASSING, texts=texts)
        for text in (format_record(record), format_record(record).replace("{", "{ ").replace("}", " }")):
            (entry,) = read_records(text)
            assert validate_entry(entry).valid
            assert facts_of(entry.record).finished
            identify(entry.record)
            assert entry.record.line.packed is not None
            assert not entry.record.line.is_bare
            assert not entry.record.line.lists_flips
            assert format_record(entry.record) == format_record(record)
            assert (entry.record.line.packed is None) == (texts or "{ " in text)
            assert entry.record == record


def test_a_turn_that_is_put_in_moves_the_comments() -> None:
    text = from_wthor(PASSING, PASSING.result)
    words = text.split()
    words[-5:-5] = ["{late}"]
    (entry,) = read_records(text[: text.index("1. ")] + " ".join(words[words.index("1.") :]))
    assert entry.record.line.packed is not None
    noted = [node.comments for node in entry.record.line.nodes]
    assert entry.record.moves == PASSING.moves
    assert sum(map(bool, noted)) == 1
    assert fuzz.agrees(format_record(entry.record), {}, fuzz.Counts())


def test_mutated_texts_are_read_alike() -> None:
    counts = fuzz.Counts()
    for text, options, pieces in fuzz.texts(fuzz.seeds(sorted(DATA.glob("playok*.pgn"))), 600, seed=29):
        assert fuzz.agrees(text, options, counts, pieces=pieces), (text, options)
    assert counts.executions == 600
    assert counts.common > 100


def test_the_comparison_finds_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(text: str, at: int, *options: Any) -> Any:
        moves, lines, *others = read_moves(text, at, *options)
        return moves[:-1], lines[:-1], *others

    monkeypatch.setattr(movetext, "read_moves", wrong)
    assert not fuzz.agrees(format_record(GAME), {}, fuzz.Counts())


@pytest.mark.parametrize("path", sorted(DATA.glob("*.pgn")), ids=lambda path: path.name)
def test_shared_files_are_read_alike(path: Path) -> None:
    text = decode_records(path.read_bytes(), path.name)
    assert fuzz.agrees(text, {}, fuzz.Counts(), pieces=True)
    found = list(Validation(stopped=True).check([str(path)]))
    with fuzz.word_by_word():
        assert list(Validation(stopped=True).check([str(path)])) == found
    assert isinstance(found[-1], FileDone)


# --- lines of bare moves


def bare_line() -> Line:
    line = parse_record(format_record(PASSING)).line
    assert line.packed is not None
    return line


def test_a_bare_line_is_like_one_of_nodes() -> None:
    assert bare_line().moves == PASSING.moves
    assert bare_line() == PASSING.line
    assert PASSING.line == bare_line()
    assert bare_line() == bare_line()
    assert repr(bare_line()) == repr(PASSING.line)
    assert bare_line() != Line(PASSING.line.nodes[:-1])
    assert bare_line() != Line(PASSING.line.nodes, ("said",))
    assert bare_line() != 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(bare_line())


def test_a_bare_line_can_be_copied_and_pickled() -> None:
    for copied in (copy.copy(bare_line()), copy.deepcopy(bare_line()), pickle.loads(pickle.dumps(bare_line()))):
        assert copied.packed is not None
        assert copied == PASSING.line


def test_a_line_that_is_changed_is_bare_no_more() -> None:
    line = bare_line()
    line.nodes[0].comments = ("a comment",)
    assert line.packed is None
    assert line.nodes[0].comments == ("a comment",)
    line = bare_line()
    line.nodes.append(Node(Square("a1")))
    assert line.moves == (*PASSING.moves, Square("a1"))
    line = bare_line()
    line.nodes = [Node(Square("f5"))]
    assert line.moves == (Square("f5"),)


def test_a_changed_record_is_judged_anew() -> None:
    (entry,) = read_records(format_record(GAME))
    assert validate_entry(entry).valid
    entry.record.result = "64-0"
    assert not validate_entry(entry).valid
    (entry,) = read_records(format_record(GAME))
    entry.record.line.nodes[3] = Node(PASS)
    assert not validate_entry(entry).valid


def test_passes_are_on_the_line_of_the_next_turn() -> None:
    text = from_wthor(PASSING, PASSING.result)
    (entry,) = read_records(text)
    assert entry.record.line.packed is not None
    assert entry.record.moves == PASSING.moves
    lines = text.splitlines()
    for node, after in zip(entry.record.line.nodes, entry.record.line.nodes[1:], strict=False):
        if node.move is PASS:
            assert node.source_line == after.source_line
        else:
            assert str(node.move).upper() in lines[node.source_line - 1]


# --- the functions of the core


def test_replay_line_plays_as_positions_do() -> None:
    start = Position()
    moves = bytes(move.index for move in PASSING.moves)
    position = start
    for move in PASSING.moves:
        position = position.play(move)
    assert replay_line(start, moves, False) == (moves, position, True)
    placements = moves.replace(bytes([PASS.index]), b"")
    assert replay_line(start, placements, True) == (moves, position, True)
    first = moves.index(PASS.index)
    before = Position.from_moves(PASSING.moves[:first])
    assert replay_line(start, placements, False) == (moves[:first], before, False)
    assert replay_line(start, placements[:first] + moves[:1], True) == (
        moves[: first + 1],
        before.play(PASS),
        False,
    )
    for wrong in (b"\x00", bytes([PASS.index]), b"\xff"):
        assert replay_line(start, wrong, True) == (b"", start, False)
    assert replay_line(start, b"", True) == (b"", start, True)
    assert replay_line(start, moves * 10, False) == (moves, position, False)


def test_reading_refuses_places_outside_the_text() -> None:
    text = format_record(GAME)
    for at in (-1, len(text) + 1, len(text) + 5):
        with pytest.raises(ValueError, match="outside the text"):
            read_moves(text, at)
    assert read_moves(text, len(text)) == (b"", b"", b"", (), len(text))


@pytest.mark.parametrize(
    ("text", "between", "moves", "end"),
    [
        ("f5d6C3", "", "f5 d6 c3", 6),
        ("1. F5 d6 2... --\tpAsS 123.a1", "", "f5 d6 -- -- a1", 28),
        ("f5--d6---- PA ps pp @@ @@@@", "", "f5 -- d6 -- -- -- -- -- -- --", 27),
        ("f5-d6, c3 | -- ", ",|-", "f5 d6 c3 --", 15),
        ("f5-d6---c3", "-", "f5 d6", 5),
        ("f5 d6 37-27", "", "f5 d6", 6),
        ("f5 d6!", "", "f5", 3),
        ("f5d6x c3", "", "", 0),
        ("f5 i9", "", "f5", 3),
        ("1234. f5", "", "", 0),
        ("1 f5", "", "", 0),
        ("1.pa", "", "", 0),
        ("f5{a}", "", "f5", 2),
        ("f5\x00", "", "", 0),
        ("f5 pas", "", "f5", 3),
        ("f5 é", "", "f5", 3),
    ],
)
def test_moves_are_read_up_to_the_first_strange_word(text: str, between: str, moves: str, end: int) -> None:
    read, lines, *comments, at = read_moves(text, between=between)
    assert read == bytes(Move.parse(word).index for word in moves.split())
    assert (lines, comments, at) == (bytes(len(read)), [b"", ()], end)


def test_comments_and_lines_are_read_with_the_moves() -> None:
    text = "f5 {a\nb} {}\nd6{c} c3 {\\}"
    assert read_moves(text, comments=True)[1:] == (bytes((0, 2, 2)), bytes((0, 0, 1)), ("a\nb", "", "c"), 21)
    assert read_moves(text, comments=True, end=5)[-1] == 3
    assert read_moves('f5 {a\n [Event "b"]}', comments=True)[-1] == 3
    assert read_moves("{a} f5", comments=True)[-1] == 0
    many = "f5 " * 251
    assert read_moves(many) == (bytes([37]) * 250, bytes(250), b"", (), 750)
    assert read_moves("f5 " + "{a}" * 401, comments=True)[-1] == 3 + 3 * 400
    assert read_moves("f5" + "\n" * 256 + "d6")[-1] == 258


def test_a_tag_with_many_characters_and_many_tags() -> None:
    text = TAGS.replace('"a"', f'"{"x" * 1_000_000}"') + "1. f5 *"
    assert is_common(text)
    assert fuzz.agrees(text, {}, fuzz.Counts())
    text = "".join(f'[Tag{number} "{number}"]\n' for number in range(70)) + "1. f5 *"
    assert fuzz.agrees(text, {}, fuzz.Counts())
    for count in (100, 300, 1200):
        assert fuzz.agrees(TAGS + "1. " * count + "f5 *", {}, fuzz.Counts())
        assert fuzz.agrees(TAGS + "f5 " * count + "*", {}, fuzz.Counts())
        assert fuzz.agrees(TAGS + "1. f5" + "\n" * count + "d6 *", {}, fuzz.Counts())


def test_a_record_starts_with_no_bare_line() -> None:
    assert Record().line.packed is None
    assert Line().nodes == []


# --- what the core does with bare moves


@pytest.mark.parametrize("seed", range(1, 30))
def test_facts_and_texts_of_bare_moves_are_those_of_turns(seed: int) -> None:
    text = from_wthor(random_record(seed, plies=200 if seed % 3 else 4 * seed), "*")
    (entry,) = read_records(text)
    (other,) = read_records(text)
    assert len(other.record.line.nodes) == len(other.record.line.numbers)
    assert facts_of(entry.record) == facts_of(other.record)
    assert identify(entry.record) == identify(other.record)
    assert format_record(entry.record) == format_record(other.record)
    assert entry.record.line.packed is not None
    assert other.record.line.packed is None


def test_bare_moves_after_a_comment_are_written_with_it() -> None:
    text = format_record(GAME).replace("1. ", "{said before} 1. ", 1)
    (entry,) = read_records(text)
    assert entry.record.line.packed is not None
    written = format_record(entry.record)
    assert entry.record.line.nodes
    assert format_record(entry.record) == written
    assert "{said before} 1. " in written


def test_rows_of_bare_moves_are_those_of_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(from_wthor(random_record(seed), "*") + playok(random_record(seed)) for seed in range(8))
    (made,) = blocks(read_records(text))
    with fuzz.word_by_word():
        (others,) = blocks(read_records(text))
    assert made == others
    assert len(made.games) == 16


# --- whole files


GAMES = "\n".join(
    from_wthor(random_record(seed), "40-24") + playok(random_record(seed)) for seed in range(6)
).encode()


@pytest.mark.parametrize(
    "data",
    [
        GAMES,
        GAMES.replace(b"\n", b"\r\n"),
        GAMES.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + GAMES,
        GAMES.replace("björn".encode(), b"bj\xf6rn"),
        GAMES.replace(b"1. ", b"1. \0", 1),
        GAMES[:-25],
        GAMES + b'[Event "',
        GAMES.replace(b"PlayOK", b"x" * 8_000_000, 1),
        GAMES.replace(b"PlayOK", b"x" * 1_000_000, 1),
        GAMES.replace(b"1. ", b"1. " * 400_000, 1),
        GAMES.replace(b"f5", b"a1", 3),
        b"\n" * 300 + GAMES.replace(b"2. ", b"2. {a comment} ", 2),
    ],
    ids=range(13),
)
@pytest.mark.parametrize("long", [False, True])
def test_files_are_judged_alike(data: bytes, long: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = new_file(tmp_path / "games.pgn", data)
    if long:
        monkeypatch.setattr(opening, "LONG_BYTES", 1000)
    found = list(Validation(stopped=True).check([str(path)]))
    with fuzz.word_by_word():
        assert list(Validation(stopped=True).check([str(path)])) == found
    assert isinstance(found[-1], FileDone)


@pytest.mark.parametrize("quotes", ["“”", "””", "„“", "«»", "″″", '“"'])
def test_the_quotes_of_phones_and_word_processors(quotes: str) -> None:
    left, right = quotes[0], quotes[1]
    text = (
        f"[Event {left}Open{right}] [Site {left}Paris{right}]\n[White {left}Zo said “no”{right}]\n\n1. f5 d6 *\n\n"
    )
    games = list(
        read_records(
            f"{text}[Event {left}Second{right}]\n\n1. f5 {{open\n\n[Event {left}Third{right}]\n\n1. f5 *\n"
        )
    )
    assert [game.record.tags["Event"] for game in games] == ["Open", "Second", "Third"]
    first = games[0]
    assert (first.record.tags["Site"], first.record.tags["White"], first.findings) == ("Paris", "Zo said “no”", [])
