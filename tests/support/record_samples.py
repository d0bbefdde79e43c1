"""Records to test with: any that can be made, random games, and how other programs write them."""

from __future__ import annotations

import textwrap
from pathlib import Path

from hypothesis import strategies as st

import rule_sets
from files import new_file
from reversi import OTHELLO, PASS, SQUARES, Kind, Move, Position, Random, Rules, Square, State
from reversi.records import Line, Node, Record, RecordedScore, Tags, format_records, parse_record

NAMED_GAMES = (
    parse_record(
        '[Black "Ada"]\n[White "Bob"]\n[Date "1997"]\n[Event "Open"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 40-24\n'
    ),
    parse_record('[Black "Bob"]\n[White "Ada"]\n[Date "1998"]\n\n1. e6 f4 2. c3 c4 3. d3 c2 20-44\n'),
)
"""Two games of two players, with colors exchanged."""

# Characters that mean something in a record, ones that break lines, and any others.
TRICKY = st.sampled_from(list("{}[]()\\;%\"'$*.-#@ \t\n\r\x1b\x00\x7f\x85\xa0\u2028\ufeffé1a"))
TEXT = st.one_of(
    st.text(st.one_of(TRICKY, st.characters(exclude_categories=["Cs"])), max_size=40),
    st.lists(st.sampled_from(["[%clk", "0:01:00]", '[Event "x"]', "\n[Site", '"y"]', "{", "}", "\\", "word"])).map(
        " ".join
    ),
    st.text("ab  ", max_size=300),
)
MOVES = st.sampled_from([*SQUARES, PASS])
EVALUATIONS = st.one_of(
    st.builds(
        RecordedScore,
        st.one_of(st.integers(-64, 64), st.floats(-64, 64)),
        st.sampled_from([kind for kind in Kind if kind is not Kind.SELECTIVE]),
    ),
    st.builds(RecordedScore, st.integers(-64, 64), st.just(Kind.SELECTIVE), st.integers(0, 100)),
)


def nodes(variations: st.SearchStrategy[tuple[Line, ...]]) -> st.SearchStrategy[Node]:
    return st.builds(
        Node,
        MOVES,
        comments=st.lists(TEXT, max_size=2).map(tuple),
        nags=st.lists(st.integers(0, 999), max_size=2).map(tuple),
        clock=st.none() | st.floats(0, 1e6),
        elapsed=st.none() | st.floats(0, 1e4),
        evaluation=st.none() | EVALUATIONS,
        flips=st.none() | st.lists(st.sampled_from(SQUARES), max_size=4).map(tuple),
        variations=variations,
    )


def lines_of(variations: st.SearchStrategy[tuple[Line, ...]]) -> st.SearchStrategy[Line]:
    return st.builds(Line, st.lists(nodes(variations), max_size=4), st.lists(TEXT, max_size=2).map(tuple))


LINES = st.recursive(
    lines_of(st.just(())), lambda inner: lines_of(st.lists(inner, max_size=2).map(tuple)), max_leaves=6
)
NAMES = st.sampled_from(["Event", "Date", "Black", "White", "TimeControl", "Termination", "Time", "Zeit"]) | (
    st.from_regex(r"\A\w[\w+#=:.-]{0,8}\Z").filter(
        lambda name: name not in ("Result", "Rules", "SetUp", "Board", "FEN")
    )
)
TAGS = st.lists(st.tuples(NAMES, TEXT), max_size=8).map(Tags)
STARTS = st.one_of(
    st.just(Position()),
    rule_sets.rules().map(Position),
    rule_sets.positions(max_plies=20).filter(lambda position: position.state is not State.ENDED),
)
RESULTS = st.sampled_from(["*", "37-27", "1-0", "0-1", "1/2-1/2", "64-0", "?", "", "-"]) | TEXT
RECORDS = st.builds(Record, TAGS, STARTS, LINES, RESULTS)
"""Any record, right or wrong."""


def random_moves(start: Position, seed: int, plies: int = 200) -> list[Move]:
    """The moves of a random game."""
    random, position = Random(seed), start
    moves: list[Move] = []
    while not position.is_over and len(moves) < plies:
        moves.append(position.legal_moves.choice(random))
        position = position.play(moves[-1])
    return moves


def random_record(seed: int, rules: Rules = OTHELLO, plies: int = 200, start: Position | None = None) -> Record:
    """The record of a random game, with its result if it has ended."""
    start = Position(rules) if start is None else start
    moves = random_moves(start, seed, plies)
    position = start
    for move in moves:
        position = position.play(move)
    result = position.result
    tags = {"Event": f"Game {seed}", "Date": "2026.11.20", "Round": "1", "Black": "Ada", "White": "Björn"}
    return Record(Tags(tags), start, Line([Node(move) for move in moves]), result.discs if result else "*")


def illegal(seed: int, ply: int = 6) -> Record:
    """The record of a random game, with an occupied square as a move."""
    record = random_record(seed)
    record.line.nodes[ply - 1] = Node(Square("d4"))
    return record


def saved(path: Path, *records: Record) -> Path:
    """Write records, and return their path."""
    return new_file(path, "".join(format_records(records)))


def seed_with_pass(count: int = 1, rules: Rules = OTHELLO) -> int:
    """The seed of a random game with so many passes, none of them near its end."""
    for seed in range(10_000):
        moves = random_moves(Position(rules), seed)
        if moves.count(PASS) == count and PASS not in moves[-5:]:
            return seed
    raise AssertionError("no such game")


def final(record: Record) -> Position:
    position = record.start
    for move in record.moves:
        position = position.play(move)
    return position


def pairs(words: list[str], *, upper: bool = False) -> list[str]:
    """Moves with a number before each two of them."""
    numbered = []
    for at, word in enumerate(words):
        if at % 2 == 0:
            numbered.append(f"{at // 2 + 1}.")
        numbered.append(word.upper() if upper else word)
    return numbered


def playok(record: Record) -> str:
    """As PlayOK writes a game: Time before TimeControl, passes as ``--``, the discs as the result."""
    tags = (
        f'[Event "?"]\n[Site "PlayOK"]\n[Date "2026.11.20"]\n[Round "-"]\n[Black "ada"]\n[White "björn"]\n'
        f'[Result "{record.result}"]\n[Time "20:13:30"]\n[TimeControl "120"]\n[BlackElo "1224"]\n'
        '[WhiteElo "1314"]\n'
    )
    words = [*pairs([str(move) for move in record.moves]), record.result]
    return f"{tags}\n{textwrap.fill(' '.join(words), 79, break_on_hyphens=False)}\n"


def flyordie(record: Record, result: str) -> str:
    """As FlyOrDie writes a game: White first among the tags, passes left out."""
    tags = (
        '[Event "Online game"]\n[Site "www.flyordie.com"]\n[Date "2026.11.20"]\n[Round "2"]\n[White "LK"]\n'
        f'[Black "ozi"]\n[Result "{result}"]\n[WhiteRating "591"]\n[WhiteTime "R0:07:43"]\n'
        '[BlackRating "?618"]\n[BlackTime "R0:07:36"]\n[Termination "normal"]\n[TimeControl "600"]\n'
        '[UTCDate "2026.11.20"]\n'
    )
    words = pairs([str(move) for move in record.moves if move is not PASS])
    return f"{tags}\n{textwrap.fill(' '.join([*words, result]), 79, break_on_hyphens=False)}\n"


def edax(record: Record, *, time: bool = True, fen: str = "") -> str:
    """As Edax exports a game: two dates when it knows none, ``pass``, the winner in a comment."""
    result = final(record).count
    winner = {1: "Ada", -1: "Edax", 0: None}[(result.score > 0) - (result.score < 0)]
    text = "1/2-1/2" if winner is None else "1-0" if winner == "Ada" else "0-1"
    most = max(result.black, result.white) + (result.empties if winner else 0)
    tags = (
        '[Event "?"]\n[Site "edax"]\n[Date "2026.??.??"]\n[Date "0.0.0"]\n'
        + ('[Time "20.13.30"]\n' if time else "")
        + f'[Round "?"]\n[Black "Ada"]\n[White "Edax"]\n[Result "{text}"]\n'
        + (f'[FEN "{fen}"]\n' if fen else "")
    )
    words = pairs(["pass" if move is PASS else str(move) for move in record.moves])
    said = f"{{{winner} wins {most}-{64 - most}}}" if winner else "{Draw 32-32}"
    return f"{tags}\n {textwrap.fill(' '.join(words), 78, break_on_hyphens=False)}\n{said} {text}\n\n\n"


def from_wthor(record: Record, result: str) -> str:
    """As games made from WTHOR are written: no blank line after the tags, capitals, passes left out."""
    words = [str(move).upper() for move in record.moves if move is not PASS]
    moves = "\n".join(" ".join([f"{at // 2 + 1}.", *words[at : at + 2]]) for at in range(0, len(words), 2))
    return f'[Event "Open - 1984"]\n[Date "1984"]\n[Black "A B"]\n[White "C D"]\n[Result "{result}"]\n{moves}\n\n'
