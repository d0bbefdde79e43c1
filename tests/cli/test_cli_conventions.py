"""What every command keeps to, tested by a loop over the command tree."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from books import write_book
from children import Child
from command_line import ENVIRONMENT, run_command, run_process
from command_tree import GAME, INPUTS, RUNS, arguments_of, commands, prepare
from files import new_file
from reversi import Position, parse_rules
from reversi.solver import Certificate, Statement
from reversi.solver.proofs.certificate import Bound, Relation, certificate_lines
from reversi.text.terminal import escape_json, safe

TREE = commands()
NEEDS = {"db": "duckdb", "train play": "fsrs"}
ALL = [
    pytest.param(name, marks=pytest.mark.skipif(find_spec(library) is None, reason=f"{library} is not installed"))
    if (library := NEEDS.get(name) or NEEDS.get(name.split()[0]))
    else name
    for name in TREE
]
IN_A_SHELL = {"engine gtp", "play", "record validate", "solve"}
"""Commands that a shell redirects too: to see the ends of processes that play, serve, use others, and compute."""

posix = pytest.mark.skipif(os.name == "nt", reason="closing a descriptor takes a POSIX shell")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("commands")
    prepare(made)
    if find_spec("duckdb") is not None:
        assert run_command(*arguments_of("db import", made)).returncode == 0
    return made


def redirected(
    redirection: str, *arguments: str, data: str = "", shell: bool
) -> list[subprocess.CompletedProcess[str]]:
    """Run ``reversi`` with a redirection: in this process and, if wanted, from a shell."""
    runs: list[subprocess.CompletedProcess[str]] = [run_command(*arguments, data=data, redirection=redirection)]
    if shell:
        command = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "reversi", *arguments]
        runs.append(
            subprocess.run(
                command, input=data, capture_output=True, text=True, env=ENVIRONMENT, timeout=120, check=False
            )
        )
    return runs


def test_every_command_is_tried() -> None:
    assert set(RUNS) == set(TREE)


# --- standard output


@pytest.mark.thorough
@posix
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["record", "--help"], ["solve", "--help"]])
@pytest.mark.parametrize(("redirection", "why"), [(">&-", "is closed"), (">/dev/full", "cannot write: ")])
def test_help_that_nobody_can_read(arguments: list[str], redirection: str, why: str) -> None:
    if redirection == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    for done in redirected(redirection, *arguments, shell=len(arguments) == 1):
        assert (done.returncode, len(done.stderr.splitlines())) == (73, 1)
        assert done.stderr.startswith("reversi: standard output")
        assert why in done.stderr


@pytest.mark.thorough
@posix
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["record", "-h"], ["rules", "list"]])
def test_a_pipe_that_its_reader_has_closed(arguments: list[str], buffered: bool) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = ENVIRONMENT | {"PYTHONUNBUFFERED": "" if buffered else "1"}
    command = [sys.executable, "-m", "reversi", *arguments]
    try:
        done = subprocess.run(
            command, stdout=writer, stderr=subprocess.PIPE, text=True, env=environment, timeout=120, check=False
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.parametrize("command", ALL)
def test_a_closed_standard_output(command: str, folder: Path) -> None:
    for done in redirected(">&-", *arguments_of(command, folder), shell=command in IN_A_SHELL):
        assert (done.returncode, done.stderr) == (
            73,
            "reversi: standard output is closed; redirect it to a file or /dev/null\n",
        )


@pytest.mark.thorough
@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", ALL)
def test_a_full_standard_output(command: str, folder: Path) -> None:
    arguments, data = arguments_of(command, folder), INPUTS.get(command, "")
    for done in redirected(">/dev/full", *arguments, data=data, shell=command in IN_A_SHELL):
        assert done.returncode == 73
        assert done.stderr.splitlines()[-1] == "reversi: standard output: cannot write: No space left on device"
        assert "Traceback" not in done.stderr


@pytest.mark.thorough
@posix
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("command", ["record filter", "record validate", "solve"])
def test_standard_error_that_nobody_can_read(command: str, redirection: str, folder: Path) -> None:
    if redirection == "2>/dev/full" and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    for done in redirected(redirection, *arguments_of(command, folder), shell=command in IN_A_SHELL):
        assert done.returncode == 0
        assert done.stdout
    for done in redirected(redirection, *command.split(), str(folder / "none.pgn"), shell=command in IN_A_SHELL):
        assert done.returncode == 66


# --- options


@pytest.mark.thorough
@pytest.mark.parametrize("command", TREE)
def test_an_option_of_one_value_is_given_once(command: str, folder: Path) -> None:
    tried = 0
    for option in TREE[command].params:
        if option.param_type_name != "option" or option.multiple or option.is_eager:
            continue
        tried += 1
        for name in option.opts:
            given = [name] if option.is_flag else [name, "x"]
            done = run_in_process([*command.split(), *given, *given])
            assert done == (
                2,
                "",
                f"reversi {command}: {spelling(option)} is given twice; give it once; "
                f"see 'reversi {command} --help'\n",
            )
    assert tried or command == "openings show"


def spelling(option: Any) -> str:
    names = (*option.opts, *option.secondary_opts)
    return " or ".join(name for name in names if name.startswith("--"))


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="the home folder and bash of other systems")
def test_a_home_that_cannot_hold_the_completion(tmp_path: Path) -> None:
    (tmp_path / ".bashrc").mkdir()
    shell = {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = run_process("--install-completion", "bash", environment=shell).ends(73, out="")
    assert done.stderr == f"reversi: {tmp_path / '.bashrc'}: cannot write: this is a folder; name a file\n"


REFUSED = [
    pytest.param(name, number, id=f"{name} {' '.join(refusal.given)}")
    for name, command in TREE.items()
    for number, refusal in enumerate(command.table)
]


@pytest.mark.parametrize(("command", "number"), REFUSED)
def test_options_that_exclude_or_need_others(command: str, number: int) -> None:
    *earlier, refusal = TREE[command].table[: number + 1]
    given = list(refusal.given)
    while missing := [other for other in earlier if other.unless and other.applies(given)]:
        given.append(missing[0].unless[0])
    words = [word for option in given for one in option.split(" is ") for word in words_of(command, one)]
    assert run_in_process([*command.split(), *words]) == (2, "", f"reversi: {refusal.why}\n")
    named = [one for option in (*refusal.given, *refusal.unless) for one in option.split(" is ")]
    assert all(option in refusal.why for option in named)
    for option in refusal.unless:  # which the command has
        assert words_of(command, option)


def words_of(command: str, option: str) -> list[str]:
    """Return an option of a table as the words of a command line; the command has to have it."""
    name, _, value = option.partition(" ")
    (found,) = (param for param in TREE[command].params if name in (*param.opts, *param.secondary_opts))
    return [name] if found.is_flag else [name, value or "x"]


def run_in_process(arguments: list[str]) -> tuple[int, str, str]:
    done = run_command(*arguments)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "option", "value"),
    [
        (["play", "--save", "--ui"], "--save", "--ui"),
        (["solve", "a.obf", "-o", "--resume"], "--output", "--resume"),
        (["hint", "f5", "--engine", "-n"], "--engine", "-n"),
        (["record", "filter", "a.pgn", "--player", "--list"], "--player", "--list"),
    ],
)
def test_an_option_in_the_place_of_a_value(arguments: list[str], option: str, value: str) -> None:
    why = f"{option} needs a value, but {value} is an option; write ./{value} for a file"
    assert run_in_process(arguments) == (2, "", f"reversi: {why}\n")


def test_an_option_and_its_opposite() -> None:
    done = run_command(*["perft", "3", "--count-passes", "--no-count-passes"])
    status, err = done.returncode, done.stderr
    assert status == 2
    assert err.startswith("reversi perft: --count-passes or --no-count-passes is given twice; give it once")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "a.obf", "--resume", "b.jsonl"], "unexpected argument 'b.jsonl': --resume takes no value"),
        (["solve", "a.obf", "b.obf"], "unexpected argument 'b.obf': only INPUT is expected"),
        (["db", "info", "games.duckdb"], "unexpected argument 'games.duckdb': only options are expected"),
        (["perft", "3", "--json", "yes"], "unexpected argument 'yes': --json takes no value"),
    ],
)
def test_an_argument_too_many(arguments: list[str], message: str) -> None:
    status, out, err = run_in_process(arguments)
    name = " ".join(arguments[: 2 if arguments[0] == "db" else 1])
    assert (status, out, err) == (2, "", f"reversi {name}: {message}; see 'reversi {name} --help'\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "ten"], "perft: invalid value for 'DEPTH': give a whole number; see 'reversi perft --help'"),
        (
            ["hint", "f5", "--time=x"],
            "hint: invalid value for '--time': give a number; see 'reversi hint --help'",
        ),
        (["perft", "3", "--rules"], "perft: option '--rules' requires an argument; see 'reversi perft --help'"),
        (["rules", "lst"], "rules: no such command 'lst'. Did you mean 'list'?; see 'reversi rules --help'"),
    ],
)
def test_a_wrong_value_is_one_line(arguments: list[str], message: str) -> None:
    assert run_in_process(arguments) == (2, "", f"reversi {message}\n")


@pytest.mark.parametrize("group", ["", "db", "db players", "record", "train"])
def test_the_list_of_commands_has_whole_sentences(group: str) -> None:
    status, out, _ = run_in_process([*group.split(), "--help"])
    commands = out.partition("\nCommands:\n")[2]
    assert status == 0
    assert commands
    assert "..." not in commands


@pytest.mark.parametrize("command", TREE)
def test_help_shows_examples_and_plain_types(command: str) -> None:
    status, out, _ = run_in_process([*command.split(), "--help"])
    assert not set("{}") & set(out.partition("\n")[0])
    assert status == 0
    assert re.search(r"<[a-z]|x[<>]=|<=x|\[required\]|Example: ", out) is None
    examples = out.index("\nExamples:\n  reversi ")
    assert examples < out.index("\nOptions:\n")


@pytest.mark.parametrize("command", TREE)
def test_an_unknown_option_is_one_line(command: str) -> None:
    status, out, err = run_in_process([*command.split(), "--nonsense"])
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"reversi {command}: no such option: --nonsense")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games 0 to 3 in a folder, and in a library where DuckDB is installed."""
    made = tmp_path_factory.mktemp("archive")
    games = (
        ("Ada", "Bob", "Cup", "2022", "f5d6c3d3c4", "40-24"),
        ("Bob", "Ada", "Open", "2023", "f5f6e6f4e3", "20-44"),
        ("Ada", "Cy", "Cup", "2024", "f5d6c3d3c4", "33-31"),
        ("Dan", "Cy", "Masters", "2025", "f5f4", "*"),
    )
    text = ""
    for black, white, event, year, moves, result in games:
        plies = [moves[at : at + 2] for at in range(0, len(moves), 2)]
        numbered = " ".join(f"{at // 2 + 1}. {' '.join(plies[at : at + 2])}" for at in range(0, len(plies), 2))
        text += f'[Event "{event}"]\n'
        theory = '[WthorTheoretical "36"]\n' if year < "2024" else ""
        text += f'[Date "{year}.01.01"]\n[Black "{black}"]\n[White "{white}"]\n{theory}\n{numbered} {result}\n\n'
    (made / "games.pgn").write_text(text)
    if find_spec("duckdb") is not None:
        assert run_command(*arguments_of("db import", made)).returncode == 0
    return made


# each option that may be given several times, with values and the games that have any of them, by their years
SEVERAL = {
    "--player": (["ada", "bob"], [2022, 2023]),
    "--black": (["bob", "dan"], [2023, 2025]),
    "--white": (["ada", "bob"], [2022, 2023]),
    "--year": (["2022", "2024-"], [2022, 2024, 2025]),
    "--event": (["cup", "masters"], [2022, 2024, 2025]),
    "--tag": (["Event=Cup", "Event=Masters"], [2022, 2024, 2025]),
    "--opening": (["f5d6c3d3", "f5f6e6f4"], [2022, 2023, 2024]),
    "--position": (["f5d6c3d3", "f5f4"], [2022, 2024, 2025]),
    "--result": (["unfinished", "white"], [2023, 2025]),
    "--score": (["16", "..-4"], [2022, 2023]),
    "--margin": (["2", "24"], [2023, 2024]),
    "--theory": (["0", "8"], [2022, 2023]),
    "--theory-error": (["8", "30.."], [2022, 2023]),
    "--moves-contain": (["d6c3d3", "f5f4"], [2022, 2024, 2025]),
    "--pattern": (
        ["????????/????????/??XO????/??XXX???", "????????/????????/????????/???OOO??/???XXX??"],
        [2022, 2024, 2025],
    ),
}


NO_CONDITIONS = {"--add-games", "--book", "--columns", "--repertoire", "--sort", "--state", "--theme"}
"""Options that take several values and choose no games by them."""


@pytest.mark.parametrize("source", ["games.pgn", "games.duckdb"])
def test_several_values_are_alternatives(source: str, archive: Path) -> None:
    if source == "games.duckdb":
        pytest.importorskip("duckdb")
    tried = 0
    for option in TREE["record filter"].params:
        if option.param_type_name != "option" or not option.multiple or option.opts[0] in NO_CONDITIONS:
            continue
        tried += 1
        values, years = SEVERAL[option.opts[0]]
        given = [word for value in values for word in (option.opts[0], value)]
        done = run_command("record", "filter", archive / source, *given)
        found = [int(line[7:11]) for line in done.stdout.split("\n") if line.startswith("[Date ")]
        assert (done.returncode, found) == (0, years), option.opts
    assert tried >= 8


def test_every_option_of_several_values_is_tried() -> None:
    several = {
        (name, option.opts[0])
        for name, command in TREE.items()
        for option in command.params
        if option.param_type_name == "option"
        and option.multiple
        and name != "diagram"  # marks squares
        and option.opts[0] not in NO_CONDITIONS
    }
    commands = {"analyze", "explore", "record convert", "record filter", "record stats", "train make"}
    commands |= {"openings repertoire check", "openings repertoire make", "openings review"}
    assert {name for name, _ in several} == commands
    assert {option for _, option in several} == set(SEVERAL)


def test_a_game_has_two_players(archive: Path) -> None:
    done = run_command(*arguments_of("record filter", archive), *("--player", "ada") * 3)
    assert (done.returncode, done.stderr) == (2, "reversi: a game has two players, not 3\n")


# --- interrupts


def leaf_of(rules: str) -> str:
    """A certificate whose only statement, that the start of a game is not lost, takes minutes to check."""
    start = Position(parse_rules(rules))
    leaf = Statement(Bound(start.canonical(), Relation.AT_LEAST, 0), leaf=True)
    certificate = Certificate(start, 0, start.rules.board.cells, (leaf,))
    return b"".join(certificate_lines(certificate)).decode()


FINISHED_TASK = f"{'X' * 62}-- X;,1,0,-64,64\n"

# what runs for many seconds at least; each says something, or works, when the signal comes
LONG = {
    "perft": (["perft", "20"], ""),
    "perft of a small board": (["perft", "60", "--rules", "othello,board=6x6"], ""),
    "perft of many moves": (["perft", "20", "--rules", "othello,optional-capture,full-board"], ""),
    "bench perft": (["bench", "perft", "--depth", "20"], ""),
    "bench solve": (["bench", "solve", "-"], "f5d6\n"),
    "solve": (["solve", "f5d6"], ""),
    "hint": (["hint", "f5d6", "--exact"], ""),
    "prove": (["prove", "f5d6", "--proof", "-"], ""),
    "prove of many tasks": (["prove", "-"], f"obf,count,score,alpha,beta\n{FINISHED_TASK * 100_000}"),
    "proof check": (["proof", "check", "-"], leaf_of("othello")),
    "proof check of free placements": (["proof", "check", "-"], leaf_of("adjacent,optional-skip")),
    "proof check by the solver": (["proof", "check", "-", "--solver", "full"], leaf_of("othello")),
    "play": (["play", "--black", "engine:1000s", "--white", "engine:1000s", "--ui", "line"], ""),
}


@pytest.mark.thorough
@posix
@pytest.mark.parametrize(
    ("name", "number"), [*((name, signal.SIGINT) for name in LONG), ("perft", signal.SIGTERM)]
)
def test_signals_end_what_runs_long(name: str, number: signal.Signals, tmp_path: Path) -> None:
    arguments, data = LONG[name]
    # the child says when it has begun: a thread of its own sees that the command uses the processor for longer
    # than it takes to load it, and to read many tasks
    patience = 5 if len(data) > 1_000_000 else 2
    program = (
        "import importlib, os, sys, threading, time\n"  # CPython 3.11 fails where two threads load importlib
        "def report():\n"
        "    import reversi.engine, reversi.solver.search\n"
        "    loaded = time.process_time() - begin\n"
        f"    while time.process_time() < begin + {patience} * loaded: time.sleep(0.01)\n"
        "    os.write(2, b'running\\n')\n"  # a thread that holds sys.stderr at the end would abort the process
        "begin = time.process_time()\n"
        "threading.Thread(target=report, daemon=True).start()\n"
        "from reversi.cli import main\n"
        f"sys.argv[1:] = {arguments!r}\n"
        "main()\n"
    )
    process = Child(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT | {"REVERSI_STATE": str(tmp_path)},
    )
    assert process.stdin is not None
    assert process.stderr is not None
    try:
        process.stdin.write(data)
        process.stdin.close()
        assert any(line == "running\n" for line in process.stderr)
        process.send_signal(number)
        assert process.wait(60) == 130
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.stderr.close()
        process.wait()


# --- texts from files


def test_text_is_safe_for_terminals() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        shown = safe(character)
        if unicodedata.category(character) == "Cn":  # assigned in a later Unicode than this Python knows, perhaps
            continue
        unsafe = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character not in "\t\n"
        assert (shown != character) == unsafe, hex(code)
        assert not unsafe or (shown.isascii() and shown.isprintable())


def test_escaped_json_reads_back() -> None:
    import json

    text = json.dumps("a\u202eb\U000e0001\x9b\x7f–", ensure_ascii=False)
    assert escape_json(text) == '"a\\u202eb\\udb40\\udc01\\u009b\\u007f–"'
    assert json.loads(escape_json(text)) == json.loads(text)


SPOOF = "Eve\u202etxt.exe\u2028\x1b[31m\u2066"


NAMES_SHOWN = (
    "explore",
    "openings repertoire check",
    "openings review",
    "record dedupe",
    "record filter",
    "record merge",
    "record show",
    "record stats",
    "record tidy",
    "record validate",
)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "json"),
    [
        (command, json)
        for command in NAMES_SHOWN
        for json in (False, True)
        if not json or any("--json" in option.opts for option in TREE[command].params)
    ],
)
def test_names_cannot_drive_a_terminal(command: str, json: bool, tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / "games.pgn").write_text(
        f'[Event "{SPOOF}"]\n[Black "{SPOOF}"]\n\n1. f5 d6 2. {{{SPOOF}}} f5 *\n', encoding="utf-8", newline=""
    )
    done = run_command(*arguments_of(command, tmp_path), *(["--json"] if json else []))
    shown = done.stderr + (
        "" if command in ("record dedupe", "record filter", "record merge", "record tidy") else done.stdout
    )
    for line in shown.split("\n"):
        assert all(unicodedata.category(sign) not in ("Cc", "Cf", "Zl", "Zp") for sign in line), ascii(line)


# --- patterns


@pytest.mark.thorough
@posix
@pytest.mark.parametrize("command", ["record validate", "record stats", "record merge"])
def test_a_pattern_opens_no_pipe(command: str, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAME)
    os.mkfifo(tmp_path / "pipe.pgn")
    run_process(*command.split(), tmp_path / "*.pgn", timeout=60).ends(0)
    assert run_process(*command.split(), tmp_path / "p*", timeout=60).returncode == 66


@posix
def test_a_pipe_that_is_named_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.pgn"
    os.mkfifo(pipe)
    writer = Child(["sh", "-c", 'printf "%s" "$1" > "$2"', "sh", GAME, str(pipe)])
    try:
        done = run_process("record", "validate", pipe, timeout=60)
        assert (done.returncode, done.stdout[:7]) == (0, "1 game ")
    finally:
        writer.kill()
        writer.wait()


# --- messages about values


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("hint", "f5", "--level", "61"),
            "reversi hint: invalid value for '--level': give 1 to 60, beginner-1 to beginner-7,"
            " people-1100 to people-1700, or club-1 to club-3, not '61'; see"
            " 'reversi hint --help'",
        ),
        (
            ("hint", "f5", "--level", "0"),
            "reversi hint: invalid value for '--level': give 1 to 60, beginner-1 to beginner-7,"
            " people-1100 to people-1700, or club-1 to club-3, not '0'; see"
            " 'reversi hint --help'",
        ),
        (("solve", "-", "--hash", "9999999999"), "reversi solve: invalid value for '--hash': give at most "),
        (
            ("record", "validate", "-", "--workers", "5000"),
            "reversi record validate: invalid value for '--workers'",
        ),
        (("hint", "f5", "--time", "0"), "reversi: --time must be a number of seconds above 0, not 0.0"),
        (("play", "--ui", "line", "--theme", "pink"), "reversi: 'pink' is not a theme; choose one of "),
    ],
)
def test_a_wrong_value_and_its_option(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    state = ("--state", str(tmp_path)) if arguments[0] == "play" else ()
    done = run_command(*arguments, *state).ends(2, out="")
    assert done.stderr.startswith(message)
    assert len(done.stderr.splitlines()) == 1


TEXT = "Zq" * 150


@pytest.mark.parametrize(
    "arguments",
    [
        ("perft", "1", "--rules", TEXT),
        ("perft", "1", "--rules", f"othello,{TEXT}"),
        ("perft", TEXT),
        ("hint", "f5", "--level", TEXT),
        ("hint", "f5", f"--level={TEXT}"),
        ("hint", "f5", "--hash", "9" * 300),
        ("play", "--ui", TEXT),
        ("play", "--clock", TEXT),
        ("play", "--xot", TEXT),
        ("play", "--ui", "line", "--theme", TEXT),
        ("record", "stats", "games.pgn", "--result", TEXT),
        ("record", "stats", "games.pgn", "--from", TEXT),
        ("diagram", "f5", "--black-color", TEXT),
        ("openings", "list", TEXT),
        ("position", "show", TEXT),
        ("perft", f"--{TEXT}"),
        ("perft", "1", TEXT),
        (TEXT,),
    ],
)
def test_a_long_text_is_not_written_whole(arguments: tuple[str, ...]) -> None:
    done = run_command(*arguments)
    assert done.returncode in (2, 65, 66)
    assert max(map(len, re.findall(r"(?:zq)+|9+", done.stderr.lower())), default=0) <= 40, done.stderr


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    game, into = tmp_path / "game.txt", tmp_path / "into.pgn"
    game.write_text("f5d6c3\n", encoding="utf-8")
    into.touch()
    done = run_command("record", "split", str(game), "--into", str(into)).ends(73, out="")
    assert done.stderr == f"reversi: {into}: not a folder; --into needs a folder\n"


def test_a_file_without_games_is_not_written(tmp_path: Path) -> None:
    game, target = tmp_path / "game.txt", tmp_path / "none.pgn"
    game.write_text("f5d6c3\n", encoding="utf-8")
    done = run_command("record", "filter", str(game), "--player", "nobody", "-o", str(target)).ends(0)
    assert done.stderr == f"reversi: {target}: the file is not written, because it would contain no games\n"
    assert not target.exists()


def test_ctrl_c_before_a_command_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    def loading(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reversi.cli.app.import_module", loading)
    run_command("perft", "1").ends(130, out="", err="")


# what is wrong on each of 500 lines: the first line, then what fills the others
BAD_LINES: dict[tuple[str, ...], tuple[str, str]] = {
    ("solve", "{}", "--hash", "1"): (f"{'X' * 63}- O\n", "not a position\n"),
    ("position", "show", "{}"): (f"{'X' * 63}- O\n", "not a position\n"),
    ("position", "convert", "{}", "--to", "obf"): (f"{'X' * 63}- O\n", "not a position\n"),
    ("hint", "{}"): (f"{'-' * 27}OX------XO{'-' * 27} X\n", "not a position\n"),
    ("book", "show", "{}"): (f"{'-' * 27}OX------XO{'-' * 27} X\n", "not a position\n"),
    ("analyze", "--summary", "{}"): ("{}\n", '{"tags": 1}\n'),
    ("record", "merge", "{}"): ("f5d6c3\n", "f5d6x9\n"),
    ("record", "filter", "{}"): ("f5d6c3\n", "f5d6x9\n"),
    ("record", "dedupe", "{}"): ("f5d6c3\n", "f5d6x9\n"),
    ("record", "tidy", "{}"): ("f5d6c3\n", "f5d6x9\n"),
    ("record", "stats", "{}"): ("f5d6c3\n", "f5d6x9\n"),
    ("record", "convert", "{}", "-", "--to", "ggf"): ("f5d6c3\n", "f5d6x9\n"),
    ("record", "split", "{}", "--into", "{folder}/parts"): ("f5d6c3\n", "f5d6x9\n"),
    ("train", "make", "{}", "--level", "1", "-o", "{folder}/deck.json"): ("f5d6c3\n", "f5d6x9\n"),
    ("book", "make", "{}", "--games", "1", "--depth", "1", "-o", "{folder}/a.book"): ("f5d6c3\n", "f5d6x9\n"),
    ("book", "grow", "{folder}/one.book", "--depth", "1", "--add-games", "{}"): ("f5d6c3\n", "f5d6x9\n"),
    ("openings", "name", "{}"): ("f5d6c3\n", "f5d6x9\n"),
    ("openings", "review", "{}", "--repertoire", "f5d6", "--color", "black"): ("f5d6c3\n", "f5d6x9\n"),
}


@pytest.mark.parametrize("command", BAD_LINES, ids=lambda words: " ".join(words[:2]))
def test_what_is_wrong_on_every_line_is_counted(command: tuple[str, ...], tmp_path: Path) -> None:
    first, other = BAD_LINES[command]
    path = new_file(tmp_path / "lines.txt", first + 500 * other)
    write_book(tmp_path / "one.book", {})
    words = [word.replace("{}", str(path)).replace("{folder}", str(tmp_path)) for word in command]
    done = run_command(*words)
    lines = done.stderr.splitlines()
    assert done.returncode in (1, 65)
    assert re.search(r"^reversi: left out: 48[01] more messages like these$", done.stderr, re.MULTILINE), lines[
        -3:
    ]
    assert 21 <= len(lines) <= 23
    name = " ".join(command[:2]) if " ".join(command[:2]) in TREE else command[0]
    if any("--json" in option.opts for option in TREE[name].params):
        every = run_command(*words, "--json").stderr.splitlines()
        assert len(every) >= 500
        assert "more messages" not in every[-1]
