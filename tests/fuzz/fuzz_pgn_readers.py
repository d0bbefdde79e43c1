"""A differential fuzzer of the two ways of reading PGN-like text: moves and tags at once, and word by word.

    python tests/fuzz/fuzz_pgn_readers.py --runs 100000 --seed 1 [FILE ...]

It mutates games of the files, and games that it makes in the forms of several programs. Both ways must then give
the same games, findings, lines and errors, whole and in pieces. It prints the executions, in how many of them the
core read the moves of a game, and the differences; after one it ends with status 1, and writes the text to
``difference.pgn``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from record_samples import edax, flyordie, from_wthor, playok, random_record, seed_with_pass
from reversi import Square
from reversi.errors import InputError
from reversi.games.identity import identify
from reversi.records import Line, Node, Record, format_record, format_records, validate_entry
from reversi.records.facts import facts_of
from reversi.records.formats.pgn import movetext, reader
from reversi.records.formats.pgn.pgn_format import FORMAT
from reversi.records.formats.pgn.reader import read_records
from reversi.records.notes import RecordedScore
from reversi.records.replay import board_result
from reversi.records.sources.cutting import CutError, cut_text, read_pieces
from reversi.records.sources.decoding import decode_records
from reversi.records.validation.pieces import check_piece
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.score import Kind

WORDS = (
    *(
        b"\n",
        b"\n\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\t",
        b"\0",
        b"\x0c",
        b"\xa0",
        b"\xc2\xa0",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
    ),
    *(b"[", b"]", b'"', b"\\", b"{", b"}", b"(", b")", b";", b"%", b"$1", b"!", b"?", b".", b"...", b"-", b"*"),
    *(
        b"{good}",
        b"{[%clk 0:01:02]}",
        b"(1. d3)",
        b"; rest",
        b"\n% line",
        b"f5!",
        b"f5d6",
        b"1.f5",
        b"1...f5",
        b"100.",
    ),
    *(
        b"--",
        b"pass",
        b"PASS",
        b"Pass",
        b"pa",
        b"Pa",
        b"pp",
        b"@@",
        b"f5",
        b"F5",
        b"fF",
        b"a1",
        b"h8",
        b"i9",
        b"f",
    ),
    *(
        b" {[%clk 0:05:12]}",
        b" { [%clk 0:05:12.5] good }",
        b" {[%clk 9:59:59.250] [%eval -4 exact] text  with [brackets]}",
        b" {[%emt 0:00:07]\n[%eval +3.25\nselective 95%] a\n  b}",
        b" {[%eval 0.3]}",
        b" {[%eval -0 heuristic][%clk 0:0:1]}",
        b" {[%eval 12345 book]}",
        b" {text [%clk 0:01:00]}",
        b" {a} {[%clk 0:01:00]}",
        b" {[%clk 0:01:00]} {[%clk 0:02:00] b}",
        b" {[%flips e4]}",
        b" {[%clk]}",
        b" {}",
        b' {\n[Event "x"]\n}',
        b" { {{ }",
        b" {\xc3\xa9\xc5\x81 \x7f}",
        b"selective 101%",
        b"wld",
        b"[%",
        b"clk",
        b":60",
        b"]",
        b".5",
        b".",
        b"\n[",
    ),
    *(
        b"1-0",
        b"0-1",
        b"1/2-1/2",
        b"37-27",
        b"64-0",
        b"064-00",
        b"33-32",
        b"100-0",
        b"1/2",
        b"12-",
        b"1",
        b"12345.",
    ),
    *(
        b'[Result "1-0"]\n',
        b'[Result "?"]\n',
        b'[Result "40-24"]\n',
        b'[Result ""]\n',
        b'[Date "05.07"]\n',
        b'[Site "x"]\n',
    ),
    *(
        b'[Event "?"]\n',
        b'[Round "1"]\n',
        b'[SetUp "1"]\n',
        b'[Rules "reverse"]\n',
        b'[Board "3"]\n',
        b'[FEN "x"]\n',
    ),
    *(
        b'[Termination "resignation"]\n',
        b'[TimeControl "5"]\n',
        b'[White "\xc3\xa9\xc5\x81"]\n',
        b'[Black "\xe9"]\n',
        b'\n[Event "',
    ),
    *(
        b'[A "b"] [C "d"]',
        b'[Event "a" ]',
        b'[ Event "a"]',
        b'[Event  "a"b"]',
        b'[E:x "1"]',
        "½–…".encode(),
        b"\xf0\x9f\x98\x80",
    ),
)
"""What is put into texts."""

OPTIONS: tuple[dict[str, Any], ...] = (
    *({}, {}, {}, {}, {"ours": True}, {"ours": False}),
    *(
        {"rules": parse_rules(name)}
        for name in ("othello,optional-skip", "othello,misere", "othello,board=6x6", "adjacent")
    ),
)


@dataclass
class Counts:
    """What was tried.

    Attributes:
        executions: texts that both ways read.
        common: those of them that have a game which the core read.
        games: games in them.
    """

    executions: int = 0
    common: int = 0
    games: int = 0


def seeds(files: list[Path]) -> list[bytes]:
    """Texts of one to three games."""
    records = [random_record(seed, plies=plies) for seed, plies in ((1, 200), (seed_with_pass(1), 200), (2, 20))]
    made = [*map(format_record, records), "".join(format_records(records))]
    for record in records[:2]:
        made += [playok(record), flyordie(record, "1-0"), edax(record), from_wthor(record, "40-24")]
        made.append(from_wthor(record, record.result) + from_wthor(record, "37-27"))
    made += [format_record(noted(records[0], every)) for every in (1, 7, 30)]
    made += [format_record(with_clocks(record, texts=texts)) for record in records for texts in (False, True)]
    made.append(
        from_wthor(records[1], records[1].result).replace(" 2. ", " {[%clk 0:05:12]} 2. ").replace(" 3", " {a} 3")
    )
    found = [text.encode() for text in made]
    for file in files:
        games = [game for game in file.read_bytes().split(b"\n\n[Event") if game.strip()][:2000]
        games = [game if game.startswith(b"[Event") else b"[Event" + game for game in games]
        found += [b"\n\n".join(games[at : at + 1 + at % 3]) + b"\n" for at in range(0, len(games), 3)]
    return found


def noted(record: Record, every: int) -> Record:
    """A game with something noted after some of its turns."""
    nodes = [Node(move) for move in record.moves]
    for ply, node in enumerate(nodes):
        if ply % every == 0:
            node.clock = 60.0 + ply
            node.comments = ("a comment",) if ply % 2 else ()
        if every > 1 and ply % every == 3:
            node.nags = (1,)
            node.variations = (Line([Node(Square("d3")), Node(Square("c3"))], ("or",)),)
    return Record(record.tags, record.start, Line(nodes), record.result)


def with_clocks(record: Record, *, texts: bool) -> Record:
    """A game with a clock and a value after each turn, perhaps with text."""
    kinds = list(Kind)
    nodes = [
        Node(
            move,
            comments=("said  so", "twice")[: 1 + (ply == 9)] if texts and ply % 3 == 0 else (),
            clock=600.0 - ply + (0.25 if ply % 7 == 0 else 0),
            elapsed=1.5 if ply % 5 == 0 else None,
            evaluation=RecordedScore(ply - 30 + (0.5 if ply % 4 == 0 else 0), kinds[ply % len(kinds)]),
        )
        for ply, move in enumerate(record.moves)
    ]
    return Record(record.tags, record.start, Line(nodes), record.result)


def mutated(data: bytes, random: Random) -> bytes:
    """A text with up to four changes."""
    for _ in range(random.choice((0, 1, 1, 1, 1, 2, 2, 3, 4))):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 2, 3, 8, 40)))
        what = random.randrange(9)
        if what < 3:
            data = data[:at] + random.choice(WORDS) + data[at if what else end :]
        elif what == 3:
            data = data[:at] + data[end:]
        elif what == 4:
            data = (
                data[:at]
                + bytes([random.choice(b'\n []"{}()0123456789.-*abcdefghABCDEFGH\x00\x7f\xff')])
                + data[at + 1 :]
            )
        elif what == 5:
            to = random.randrange(len(data) + 1)
            data = data[:to] + data[at:end] + data[to:]
        elif what == 6:
            data = data[:at] if random.randrange(3) else data[at:]
        elif what == 7:
            data = data.replace(b"\n", random.choice((b"\r\n", b"\r", b" \n", b"\n\n", b"\n ")))
        else:
            data = random.choice((data.upper, data.lower, data.swapcase))() if at % 4 == 0 else data + b"\n" + data
    return data


def told(error: InputError | CutError) -> list[object]:
    """What an error says."""
    return [type(error), str(error), getattr(error, "line", None), getattr(error, "column", None)]


def read(text: str, options: dict[str, Any]) -> tuple[list[object], int]:
    """Everything about the games of a text, and how many of them the core read."""
    found: list[object] = []
    common_games = 0
    try:
        for entry in read_records(text, **options):
            record = entry.record
            common_games += record.line.packed is not None
            found += [
                validate_entry(entry),
                facts_of(record),
                identify(record),
                board_result(record),
                format_record(record),
            ]
            found += [entry, [node.source_line for node in record.line.nodes]]
    except InputError as error:
        found += told(error)
    return found, common_games


def read_in_pieces(text: str, rules: Rules, size: int) -> list[object]:
    """What is found in the pieces of a text."""
    found: list[object] = []
    try:
        found += [check_piece(piece, FORMAT, rules, accept_flips=False) for piece in cut_text(text, FORMAT, size)]
        pieces = ((FORMAT, piece) for piece in cut_text(text, FORMAT, size))
        for entry in read_pieces(pieces, rules):
            found += [validate_entry(entry), entry, [node.source_line for node in entry.record.line.nodes]]
    except (InputError, CutError) as error:
        found += told(error)
    return found


@contextmanager
def word_by_word() -> Iterator[None]:
    """Let nothing but the full reader read: no tags of a game at once, no moves in the compiled core."""
    with (
        patch.object(movetext, "read_moves", lambda text, at, *_: (b"", b"", b"", (), at)),
        patch.object(movetext, "ENDING", re.compile("(?!)")),
        patch.object(reader, "COMMON_TAGS", re.compile("(?!)")),
    ):
        yield


def agrees(text: str, options: dict[str, Any], counts: Counts, *, pieces: bool = False) -> bool:
    """Whether both ways of reading find the same in a text."""
    mine, taken = read(text, options)
    mine_in_pieces = read_in_pieces(text, options.get("rules", OTHELLO), 400) if pieces else []
    with word_by_word():
        others, none = read(text, options)
        others_in_pieces = read_in_pieces(text, options.get("rules", OTHELLO), 400) if pieces else []
    assert none == 0
    counts.executions += 1
    counts.common += taken > 0
    counts.games += len(mine) // 7
    return mine == others and mine_in_pieces == others_in_pieces


def texts(found: list[bytes], runs: int, seed: int) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Mutated texts, with the options to read them with, and whether to read them in pieces too."""
    random = Random(seed)
    for run in range(runs):
        data = mutated(found[run % len(found)] if run < 2 * len(found) else random.choice(found), random)
        try:
            text = decode_records(data, "")
        except InputError:
            text = data.decode("latin-1")
        yield text, random.choice(OPTIONS), run % 4 == 0


def main() -> int:
    """Run the program; its exit status."""
    parser = argparse.ArgumentParser(description="Compare the two ways of reading PGN-like text.")
    parser.add_argument("files", nargs="*", type=Path, help="real files whose games are mutated, too")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts, differences = Counts(), 0
    for text, how, pieces in texts(seeds(options.files), options.runs, options.seed):
        if not agrees(text, how, counts, pieces=pieces):
            differences += 1
            Path("difference.pgn").write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
            print(f"difference, read with {how}", flush=True)
    print(
        f"{counts.executions} executions, {counts.games} games; in {counts.common} executions the core read games;"
        f" {differences} differences"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
