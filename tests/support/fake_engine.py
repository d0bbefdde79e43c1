"""An engine that behaves as it is told: well, or in one of the ways in which engines fail.

    python tests/support/fake_engine.py gtp illegal

It plays the first legal move. At its third move it does what the second word says: see `BEHAVIORS`.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path

BEHAVIORS = {
    "good": "plays on",
    "illegal": "plays a square that is occupied",
    "wrong-color": "plays a move of the opponent",
    "silent": "does not answer",
    "garbage": "answers with words that no protocol has",
    "dies": "ends in the middle of a game",
    "floods": "writes without end",
    "twice": "answers twice",
    "closes": "closes its output",
    "hangs": "does not end when it is asked to",
    "no-start": "ends before it says anything",
    "resigns": "resigns",
    "noisy": "writes lines of its log before, between and after its answers",
}
AT = 3


def command(protocol: str, behavior: str) -> str:
    """The text that names this engine."""
    words = [sys.executable, str(Path(__file__).resolve()), protocol, behavior]
    return f"{protocol}:{shlex.join(words) if os.name != 'nt' else ' '.join(words)}"


LOG = "*** SEARCH STILL RUNNING ? (0) ***"


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Fake:
    """The engine's game, and its manners."""

    def __init__(self, behavior: str) -> None:
        from reversi import Position

        self.behavior = behavior
        self.position = Position()
        self.moves = 0
        self.commands = 0

    def log(self, *texts: str) -> None:
        """Write lines that belong to no answer, now and then."""
        if self.behavior == "noisy" and self.commands % 3 == 0:
            for text in texts:
                say(text)

    def turn(self, color: str) -> None:
        """Make it this color's turn: controllers may send forced passes or leave them out."""
        mine = self.position.to_move.name.lower().startswith(color[0])
        if not mine and not self.position.is_over and not self.position.legal_moves.placements:
            self.position = self.position.play("--")

    def play(self, color: str, move: str) -> None:
        self.turn(color)
        self.position = self.position.play(move)

    def choose(self) -> str:
        """The next move as text, or what takes its place."""
        self.moves += 1
        move = str(self.position.legal_moves[0])
        if self.moves != AT:
            return move
        sys.stderr.write(f"about to be {self.behavior}\n")
        sys.stderr.flush()
        match self.behavior:
            case "illegal":
                return "d4"
            case "wrong-color":
                other = self.position.with_to_move(self.position.to_move.opponent)
                return str(next(each for each in other.legal_moves if not self.position.is_legal(each)))
            case "resigns":
                return "resign"
            case "silent":
                time.sleep(3600)
            case "dies":
                sys.stderr.write("out of memory\n")
                sys.stderr.flush()
                os._exit(7)
            case "floods":
                while True:
                    say("so many words " * 20)
            case "closes":
                os.close(1)
                time.sleep(3600)
        return move


def gtp(fake: Fake) -> None:
    names = "protocol_version name version list_commands quit boardsize clear_board play genmove undo time_left"
    for line in sys.stdin:
        fake.commands += 1
        words = line.lower().split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        answer = ""
        match words:
            case []:
                continue
            case ["quit"]:
                say(f"={number}\n")
                break
            case ["name"]:
                answer = "Fake"
            case ["list_commands"]:
                answer = names.replace(" ", "\n")
            case ["clear_board"]:
                fake.position = type(fake.position)()
            case ["play", color, move]:
                fake.play(color, "--" if move == "pass" else move)
            case ["genmove", color]:
                fake.turn(color)
                move = fake.choose()
                if fake.behavior == "garbage" and fake.moves == AT:
                    say("I would rather play chess")
                    continue
                answer = "pass" if move == "--" else move
                if move != "resign" and fake.position.is_legal(move):
                    fake.position = fake.position.play(move)
                if fake.behavior == "twice" and fake.moves == AT:
                    say(f"={number} {answer}\n")
        fake.log(LOG, "", "======= SEARCH =======")
        say(f"={number} {answer}\n")
        fake.log("??? nothing to do", "")


def nboard(fake: Fake) -> None:
    from reversi.records.formats.ggf import read_ggf

    for line in sys.stdin:
        fake.commands += 1
        fake.log(LOG, "======= SEARCH =======")
        word, _, rest = line.strip().partition(" ")
        match word:
            case "nboard":
                say("set myname Fake")
            case "ping":
                say(f"pong {rest}")
            case "quit":
                break
            case "set" if rest.startswith("game "):
                record = next(read_ggf(rest.removeprefix("game "))).record
                fake.position = record.start
                for each in record.moves:
                    fake.position = fake.position.play(each)
            case "go":
                choice = fake.choose()
                move = "PA" if choice == "--" else choice.upper()
                if fake.behavior == "garbage" and fake.moves == AT:
                    say("=== xyzzy")
                    continue
                say(f"search {move} +1.50 0 4")
                fake.log(LOG, "")
                say(f"=== {move}/1.5/0.01")
                if fake.behavior == "twice" and fake.moves == AT:
                    say(f"=== {move}/1.5/0.01")
            case "hint":
                for legal in list(fake.position.legal_moves)[-int(rest) :]:  # at first it likes other moves
                    say(f"search {str(legal).upper()} 9.00 0 2")
                for rank, legal in enumerate(list(fake.position.legal_moves)[: int(rest)]):
                    say(f"search {str(legal).upper()} {4 - rank}.00 0 100%")
                say("status")


def main(protocol: str, behavior: str) -> None:
    if behavior == "no-start":
        sys.stderr.write("no license found\n")
        sys.exit(3)
    fake = Fake(behavior)
    (gtp if protocol == "gtp" else nboard)(fake)
    if behavior == "hangs":
        time.sleep(3600)


if __name__ == "__main__":
    main(*sys.argv[1:])
