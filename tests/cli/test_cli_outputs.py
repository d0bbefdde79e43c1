"""What commands write to files: nothing is overwritten unasked, and never an input; the name says the form."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from books import write_book
from command_line import run_command
from command_tree import ENDGAME, EXERCISE, GAME, commands
from reversi import Position, open_records
from reversi._system.files import Target
from reversi.games.splitting import Splitter
from reversi.match.archive import MatchFile
from reversi.match.runner import Match
from reversi.openings.book import BookEntry, book_key

# every command that writes a file: the option that names it, its arguments, and the file that they read
WRITES = {
    "analyze": (["{folder}/games.pgn", "--level", "1", "--output", "{output}"], "games.pgn"),
    "bench solve": (["{folder}/suite.obf", "--json", "{output}"], "suite.obf"),
    "book make": (["{folder}/games.pgn", "--games", "1", "--depth", "1", "--output", "{output}"], "games.pgn"),
    "book convert": (["{folder}/one.book", "{output}"], "one.book"),
    "book prune": (["{folder}/one.book", "--plies", "0", "--output", "{output}"], "one.book"),
    "book merge": (["{folder}/one.book", "{folder}/one.book", "--output", "{output}"], "one.book"),
    "diagram": (["{folder}/games.pgn", "-o", "{output}", "--to", "svg"], "games.pgn"),
    "match": (
        [
            "1",
            "2",
            "--games",
            "2",
            "--openings",
            "{folder}/games.pgn",
            "--opening-plies",
            "4",
            "--save",
            "{output}",
        ],
        "games.pgn",
    ),
    "openings repertoire make": (
        [
            *("{folder}/games.pgn", "--color", "black", "--at", "Tiger"),
            *("--plies", "6", "--level", "1", "--output", "{output}"),
        ],
        "games.pgn",
    ),
    "openings review": (
        ["{folder}/games.pgn", "--repertoire", "f5d6c4", "--color", "black", "--output", "{output}"],
        "games.pgn",
    ),
    "prove": (["{folder}/suite.obf#1", "--proof", "{output}"], "suite.obf"),
    "record convert": (["{folder}/games.pgn", "{output}", "--to", "pgn"], "games.pgn"),
    "record convert --table": (
        ["{folder}/games.duckdb", "{output}", "--table", "games", "--to", "csv"],
        "games.duckdb",
    ),
    "record filter of a database": (["{folder}/games.duckdb", "--to", "pgn", "-o", "{output}"], "games.duckdb"),
    "record dedupe": (["{folder}/games.pgn", "-o", "{output}"], "games.pgn"),
    "record tidy": (["{folder}/games.pgn", "-o", "{output}"], "games.pgn"),
    "record filter": (["{folder}/games.pgn", "-o", "{output}"], "games.pgn"),
    "record merge": (["{folder}/games.pgn", "-o", "{output}"], "games.pgn"),
    "record show": (["{folder}/games.pgn", "--html", "{output}"], "games.pgn"),
    "record stats": (["{folder}/games.pgn", "-o", "{output}"], "games.pgn"),
    "record split": (["{folder}/games.pgn", "--every", "9", "--into", "{parent}"], "games.pgn"),
    "solve": (["{folder}/suite.obf", "--output", "{output}"], "suite.obf"),
    "train make": (["{folder}/suite.obf", "--output", "{output}"], "suite.obf"),
}
# what adds to a file, and never takes anything away
ADDS = {"db import", "db update", "play"}
NAMES = ("--output", "--into", "--json", "--save", "--db", "--html", "--proof")
GAMES = ("record convert", "record dedupe", "record filter", "record merge", "record tidy")
NEEDS = {"record convert --table": "pyarrow", "record filter of a database": "duckdb"}


def _needed(command: str) -> None:
    if command in NEEDS:
        pytest.importorskip(NEEDS[command])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "in"
    made.mkdir()
    (made / "games.pgn").write_text(GAME)
    (made / "suite.obf").write_text(f"{ENDGAME}; f3:+0\n{EXERCISE}\n")
    write_book(made / "one.book", {book_key(Position()): BookEntry(0, 1)})
    if find_spec("duckdb") is not None:
        assert run_command("db", "import", made / "games.pgn", "--db", made / "games.duckdb").returncode == 0
    return made


def _arguments(command: str, folder: Path, output: Path) -> list[str]:
    return _words(command, WRITES[command][0], folder, output)


def _words(command: str, arguments: list[str], folder: Path, output: Path) -> list[str]:
    words = {"{folder}": str(folder), "{output}": str(output), "{parent}": str(output.parent)}
    given = "\0".join(arguments)
    for name, text in words.items():
        given = given.replace(name, text)
    names = [word for word in command.split(" -", maxsplit=1)[0].split() if word != "names"]
    count = {"analyze": 1, "openings repertoire make": 3}.get(" ".join(names), 2)
    return [*names[:count], *given.split("\0")]


def _output(command: str, folder: Path) -> Path:
    """A file that the command is to write."""
    return folder / {"record split": "0001.pgn", "book convert": "out.dat"}.get(command, "out.pgn")


def test_every_command_that_writes_is_here() -> None:
    found = {"book convert", "record convert", "record convert --table", "record filter of a database"}
    for name, command in commands().items():
        for option in command.params:
            writes = set(option.opts) & set(NAMES) and not getattr(option, "is_flag", False)
            if writes and not ("--db" in option.opts and name not in ("db import", "db update")):
                found.add(name)
    assert found == set(WRITES) | ADDS


@pytest.mark.thorough
@pytest.mark.parametrize("command", WRITES)
def test_an_existing_file_needs_force(command: str, folder: Path, tmp_path: Path) -> None:
    _needed(command)
    output = _output(command, tmp_path)
    output.write_bytes(b"mine\n")
    arguments = _arguments(command, folder, output)
    done = run_command(*arguments)
    assert (done.returncode, done.stdout, output.read_bytes()) == (73, "", b"mine\n")
    also = "--resume continues it, " if command in ("analyze", "match", "solve") else ""
    assert done.stderr == f"reversi: {output} exists; {also}--force overwrites it\n"
    done = run_command(*arguments, "--force")
    assert done.returncode in (0, 1), done.stderr
    assert b"mine" not in output.read_bytes()
    output.write_bytes(b"")  # holds nothing that could be lost
    assert run_command(*arguments).returncode in (0, 1)
    assert output.stat().st_size


# what writes at the end of its work; the others hold their files open from the beginning
AT_ONCE = {name: arguments for name, (arguments, _) in WRITES.items() if name not in ("match", "solve")}
AT_ONCE |= {
    f"analyze {option}": ["{folder}/games.pgn", "--level", "1", *option.split(), "{output}"]
    for option in ("--html", "--svg", "--png", "--to pgn -o")
}
del AT_ONCE["analyze"]
AT_ONCE["match --html"] = [*WRITES["match"][0][:-2], "--html", "{output}"]
AT_ONCE["record convert names"] = ["{folder}/named.pgn", "{parent}/games.wtb"]


@pytest.mark.thorough
@pytest.mark.parametrize("command", AT_ONCE)
def test_a_file_that_appears_during_the_run_stays(
    command: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "png" in command:
        pytest.importorskip("resvg_py")
    _needed(command)
    name = "games.JOU" if command == "record convert names" else _output(command, tmp_path).name
    output = tmp_path / name
    (folder / "named.pgn").write_text(f'[Black "Ada"]\n[White "Bob"]\n{GAME}')
    take = Target.take

    def after_another(self: Target, temporary: Path) -> None:
        if self.path.name == name:
            output.write_bytes(b"theirs\n")
        take(self, temporary)

    monkeypatch.setattr(Target, "take", after_another)
    words = _words(command, AT_ONCE[command], folder, output)
    done = run_command(*words)
    kept = output.with_stem(f"{output.stem}-2")
    assert (done.returncode, output.read_bytes()) == (73, b"theirs\n")
    reason = f"another program wrote this file during the run; the result is in {kept}"
    lines = done.stderr.splitlines()
    assert [line for line in lines if reason in line], done.stderr
    assert not any(f"{output}: " in line and "written" in line for line in lines)
    assert kept.stat().st_size
    monkeypatch.undo()
    output.unlink()
    if command not in (
        "bench solve",
        "match --html",
        "record convert names",
    ):  # times differ; the kept names are found
        assert run_command(*words).returncode in (0, 1)
        assert kept.read_bytes() == output.read_bytes()


def test_one_kept_file_keeps_the_other_output(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Target.take

    def after_another(self: Target, temporary: Path) -> None:
        if self.path.suffix == ".pgn":
            self.path.write_bytes(b"theirs\n")
        take(self, temporary)

    monkeypatch.setattr(Target, "take", after_another)
    out, page = tmp_path / "out.pgn", tmp_path / "page.html"
    done = run_command("analyze", folder / "games.pgn", "--level", "1", "--to", "pgn", "-o", out, "--html", page)
    assert (done.returncode, out.read_bytes()) == (73, b"theirs\n")
    assert (tmp_path / "out-2.pgn").stat().st_size
    assert page.stat().st_size


def test_the_names_lie_beside_games_that_are_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Target.take

    def after_another(self: Target, temporary: Path) -> None:
        if self.path.suffix == ".wtb":
            self.path.write_bytes(b"theirs\n")
        take(self, temporary)

    monkeypatch.setattr(Target, "take", after_another)
    (folder / "named.pgn").write_text(f'[Black "Ada"]\n[White "Bob"]\n{GAME}')
    run_command("record", "convert", folder / "named.pgn", tmp_path / "out.wtb").ends(73)
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert {"out.wtb", "out-2.wtb", "out-2.JOU"} <= names
    assert "out.JOU" not in names
    shown = run_command("record", "show", tmp_path / "out-2.wtb")
    assert "Ada" in shown.stdout


def test_games_never_refer_to_names_that_another_run_wrote(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names of a folder take their place first, and only if no other run has changed them."""
    for year, black in ((1990, "Ada"), (1991, "Cy")):
        (folder / f"{year}.pgn").write_text(f'[Date "{year}"]\n[Black "{black}"]\n[White "Bob"]\n{GAME}')
    out = tmp_path / "archive"
    command = ("record", "convert", folder / "1990.pgn", f"{out}/", "--to", "wthor")
    finish = Splitter.finish

    def after_another(self: Splitter) -> bytes:
        monkeypatch.setattr(Splitter, "finish", finish)
        run_command("record", "convert", folder / "1991.pgn", f"{out}/", "--to", "wthor").ends(0)
        return finish(self)

    monkeypatch.setattr(Splitter, "finish", after_another)
    done = run_command(*command).ends(73)
    assert done.stderr == (
        f"reversi: {out}/WTHOR.JOU: cannot write: another program changed these names during the run;"
        " run the command again\n"
    )
    assert {path.name for path in out.iterdir()} == {"WTHOR.JOU", "WTH_1991.wtb"}
    assert run_command(*command).returncode == 0
    assert {path.name for path in out.iterdir()} == {"WTHOR.JOU", "WTH_1990.wtb", "WTH_1991.wtb"}
    assert [record.black for record in open_records(out)] == ["Ada", "Cy"]


def test_a_match_does_not_empty_a_file_that_appears(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out.pgn"
    monkeypatch.setattr(Match, "try_players", lambda *_: output.write_bytes(b"theirs\n"))
    done = run_command(*_arguments("match", folder, output))
    assert (done.returncode, output.read_bytes()) == (73, b"theirs\n")
    assert done.stderr == f"reversi: {output}: cannot write: it already contains games\n"


def test_force_does_not_empty_the_file_of_a_running_match(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.pgn"
    file = MatchFile(output, "a match")
    try:
        output.write_bytes(b"theirs\n")
        done = run_command(*_arguments("match", folder, output), "--force")
        assert (done.returncode, output.read_bytes()) == (73, b"theirs\n")
        assert done.stderr == f"reversi: {output}: cannot write: another match writes to it\n"
    finally:
        file.close()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("exists", [True, False])
def test_split_replaces_a_link_in_its_folder(exists: bool, folder: Path, tmp_path: Path) -> None:
    outside, into = tmp_path / "outside.pgn", tmp_path / "parts"
    into.mkdir()
    if exists:
        outside.write_bytes(b"mine\n")
    link = into / "0001.pgn"
    link.symlink_to(outside)
    done = run_command("record", "split", folder / "games.pgn", "--into", into)
    assert (done.returncode, done.stderr) == (73, f"reversi: {link} exists; --force overwrites it\n")
    done = run_command("record", "split", folder / "games.pgn", "--into", into, "--force")
    assert (done.returncode, link.is_symlink()) == (0, False)
    assert (outside.read_bytes() if exists else outside.exists()) == (b"mine\n" if exists else False)


YEARLY = ("record filter of a database", *GAMES)


@pytest.mark.parametrize("command", YEARLY)
def test_a_folder_gets_a_file_for_each_year(command: str, folder: Path, tmp_path: Path) -> None:
    _needed(command)
    done = run_command(*_arguments(command, folder, tmp_path / "in")).ends(0, out="")
    assert (tmp_path / "in" / "unknown.pgn").stat().st_size
    assert f"reversi: {tmp_path / 'in'}: 1 game written to 1 file\n" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("command", [name for name in WRITES if name not in ("record split", *YEARLY)])
def test_a_folder_is_refused_before_the_work(command: str, folder: Path, tmp_path: Path) -> None:
    _needed(command)
    done = run_command(*_arguments(command, folder, tmp_path / "in")).ends(73, out="")
    assert done.stderr == f"reversi: {tmp_path / 'in'}: cannot write: this is a folder; name a file\n"


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["directly", "symbolic link", "hard link"])
@pytest.mark.parametrize("command", WRITES)
def test_an_input_is_never_overwritten(command: str, how: str, folder: Path, tmp_path: Path) -> None:
    _needed(command)
    source = folder / WRITES[command][1]
    before = source.read_bytes()
    output = _output(command, tmp_path)
    if how == "directly" and command != "record split":
        output = source
    elif how == "symbolic link":
        output.symlink_to(source)
    elif how == "hard link":
        os.link(source, output)
    arguments = _arguments(command, folder, output)
    if command == "record split" and how == "directly":  # the file that it would begin with
        source = source.rename(output)
        arguments[arguments.index(str(folder / "games.pgn"))] = str(source)
    for force in ([], ["--force"]):
        done = run_command(*arguments, *force).ends(73, out="")
        assert done.stderr == f"reversi: {output} is also an input; write to another file\n"
        assert source.read_bytes() == output.read_bytes() == before


@pytest.mark.thorough
@pytest.mark.parametrize("command", [*GAMES[1:], "record split"])
@pytest.mark.parametrize("pattern", ["{folder}", "{folder}/*.pgn", "{folder}/../in/g*"])
def test_an_input_of_a_folder_or_a_pattern(command: str, pattern: str, folder: Path) -> None:
    (folder / "suite.obf").unlink()
    (folder / "games.pgn").rename(folder / "0001.pgn")
    (folder / "games.pgn").write_text(GAME)
    output = folder / ("0001.pgn" if command == "record split" else "games.pgn")
    arguments = _arguments(command, folder, output)
    wanted = pattern if command != "record split" else pattern.replace("/g*", "/0*")
    arguments[2] = wanted.replace("{folder}", str(folder))
    before = output.read_bytes()
    run_command(*arguments, "--force").ends(73, err=f"reversi: {output} is also an input; write to another file\n")
    assert output.read_bytes() == before


def test_standard_input_is_an_input(folder: Path) -> None:
    output = folder / "games.pgn"
    done = run_command("record", "merge", "-", "-o", output, "--force", redirection=f"<{output}")
    assert (done.returncode, output.read_text()) == (73, GAME)
    assert done.stderr == f"reversi: {output} is also an input; write to another file\n"


def test_other_inputs_count_too(folder: Path) -> None:
    report = folder / "old.json"
    arguments: list[str | Path] = ["bench", "solve", folder / "suite.obf", "--json", report]
    assert run_command(*arguments).returncode in (0, 1)
    before = report.read_bytes()
    done = run_command(*arguments, "--compare", report, "--force")
    assert (done.returncode, report.read_bytes()) == (73, before)


def test_damaged_names_are_not_overwritten(folder: Path, tmp_path: Path) -> None:
    games, names = tmp_path / "out.wtb", tmp_path / "out.JOU"
    source = tmp_path / "in.pgn"
    run_command("play", "--black", "engine:1", "--white", "engine:1", "--save", source).ends(0)
    source.write_text(f'[Black "Ada"]\n[White "Bob"]\n{source.read_text()}')
    names.write_bytes(b"no names")
    done = run_command("record", "convert", source, games)
    assert (done.returncode, names.read_bytes()) == (73, b"no names")
    assert f"reversi: {names} exists; --force overwrites it\n" in done.stderr


# --- forms


@pytest.mark.parametrize("command", GAMES)
@pytest.mark.parametrize(
    ("suffix", "begin"), [(".sgf", "(;"), (".ggf", "(;GM[Othello]"), (".txt", "f5d6c3d3c4"), (".pgn", "[Event ")]
)
def test_the_name_decides_the_form(command: str, suffix: str, begin: str, folder: Path, tmp_path: Path) -> None:
    _needed(command)
    output = tmp_path / f"out{suffix}"
    arguments = _arguments(command, folder, output)
    if "--to" in arguments:
        del arguments[-2:]
    run_command(*arguments).ends(0)
    assert output.read_text().startswith(begin)
    given = run_command(*arguments, "--to", "transcript", "--force")
    assert (given.returncode, output.read_text()) == (0, "f5d6c3d3c4\n")


@pytest.mark.parametrize("command", GAMES)
def test_an_unknown_form(command: str, folder: Path, tmp_path: Path) -> None:
    _needed(command)
    output = tmp_path / "out.doc"
    arguments = [word for word in _arguments(command, folder, output) if word not in ("--to", "pgn")]
    done = run_command(*arguments)
    assert (done.returncode, output.exists(), done.stderr.count("\n")) == (2, False, 1)
    assert f"{output}: give --to with one of ggf, sgf, eothello" in done.stderr


def test_without_an_ending_the_form_is_ours(folder: Path, tmp_path: Path) -> None:
    run_command("record", "filter", folder / "games.pgn", "-o", tmp_path / "out").ends(0)
    assert (tmp_path / "out").read_text().startswith("[Event ")


@pytest.mark.parametrize(
    "command",
    [
        *GAMES,
        "position convert",
        "position show",
        "hint",
        "diagram",
    ],
)
def test_standard_output_may_not_be_an_input(command: str, folder: Path) -> None:
    """``reversi record merge a.pgn >> a.pgn`` would add to the file that it reads."""
    source = folder / "games.pgn"
    tail = {"record convert": ["-", "--to", "pgn"], "position convert": ["--to", "board"]}.get(command, [])
    done = run_command(*command.split(), source, *tail, redirection=f">>{source}")
    assert (done.returncode, source.read_text()) == (73, GAME)
    assert done.stderr == "reversi: standard output is also an input; write to another file\n"
    if not command.startswith("record "):
        return
    other = folder / "other.pgn"
    assert run_command(*command.split(), source, *tail, redirection=f">{other}").returncode == 0
    assert other.read_text().endswith("\n" + GAME)


FORCED = {
    "analyze": ["{folder}/games.pgn#1"],
    "bench solve": ["{folder}/suite.obf"],
    "db import": ["{folder}/games.pgn", "--db", "{folder}/games.duckdb"],
    "diagram": ["f5"],
    "match": ["1", "2"],
    "prove": ["f5", "--store", "{folder}/store.sqlite"],
    "record dedupe": ["{folder}/games.pgn"],
    "record filter": ["{folder}/games.pgn"],
    "record merge": ["{folder}/games.pgn"],
    "record show": ["{folder}/games.pgn"],
    "record stats": ["{folder}/games.pgn"],
    "solve": ["{folder}/suite.obf"],
    "train make": ["{folder}/suite.obf"],
}


@pytest.mark.parametrize("command", FORCED)
def test_force_needs_a_file_to_write(command: str, tmp_path: Path) -> None:
    if command in NEEDS or command == "db import":
        pytest.importorskip("duckdb")
    arguments = [argument.format(folder=tmp_path) for argument in FORCED[command]]
    run_command(*command.split(), *arguments, "--force").ends(2, says="--force")
    assert list(tmp_path.iterdir()) == []
