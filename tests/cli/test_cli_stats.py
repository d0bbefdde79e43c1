"""``reversi record stats`` of files and of databases: conditions and tables, run as a user runs them."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from command_line import run_command

GAMES = (
    ("Ada", "Bob", "Open", "1997", "f5d6c3d3c4 40-24"),
    ("Bob", "Cy", "Open", "1997", "f5f6e6f4e3 32-32"),
    ("Cy", "Ada", "Open", "1997", "f5d6c3d3c4 20-44"),
    ("Ada L.", "Bob", "=1 Club", "1998", "f5f6e6f4e3 10-54"),
    ("Dan", "Eve", "Open", "1998", "f5d6 *"),
)
TABLES = ("events", "standings", "crosstable", "players", "openings", "ratings", "ratings-by-year", "streaks")


def text(black: str, white: str, event: str, year: str, game: str) -> str:
    moves, result = game.split()
    plies = [moves[at : at + 2] for at in range(0, len(moves), 2)]
    numbered = " ".join(f"{at // 2 + 1}. {' '.join(plies[at : at + 2])}" for at in range(0, len(plies), 2))
    tags = {"Event": event, "Date": year, "Black": black, "White": white, "Board-No": "7"}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{numbered} {result}\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games.pgn").write_text("".join(text(*game) for game in GAMES))
    (tmp_path / "aliases").write_text("Ada L. = Ada\n")
    return tmp_path


@pytest.fixture
def db(folder: Path) -> Path:
    pytest.importorskip("duckdb")
    path = folder / "games.duckdb"
    assert run_command("db", "import", folder / "games.pgn", "--db", path).returncode == 0
    return path


def stats(folder: Path, *arguments: str | Path) -> str:
    done = run_command("record", "stats", folder / "games.pgn", *arguments).ends(0, err="")
    return done.stdout


def test_standings_of_each_event(folder: Path) -> None:
    lines = [line.split() for line in stats(folder, "--table", "standings").splitlines()]
    assert lines[0] == ["Open", "1997"]
    # 40 + 44 discs and 6 * (0.5 + 0.5); 24 + 32 and 6 * (2 + 0.5); 32 + 20 and 6 * (0.5 + 2)
    assert lines[2] == ["1", "Ada", "2", "2", "2", "0", "0", "90", "+40"]
    assert lines[3] == ["2", "Bob", "½", "2", "0", "1", "1", "71", "-16"]
    assert lines[4] == ["3", "Cy", "½", "2", "0", "1", "1", "67", "-24"]
    assert ["=1", "Club", "1998"] in lines
    assert lines[-1] == ["1", "Eve", "0", "1", "0", "0", "0", "0", "+0"]


def test_conditions_and_tie_breaks(folder: Path) -> None:
    shown = stats(folder, "--table", "standings", "--event", "open", "--year", "1997", "--tie-breaks", "direct")
    assert [line.split()[:2] for line in shown.splitlines()[2:]] == [["1", "Ada"], ["2", "Bob"], ["2", "Cy"]]
    assert "2 of 5 games" in stats(folder, "--opening", "Tiger")
    assert "3 of 5 games" in stats(folder, "--player", "ada")
    assert "2 of 5 games" in stats(folder, "--tag", "Event=open", "--result", "black", "--result", "white")
    done = run_command("record", "stats", folder / "games.pgn", "--year", "2020")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "reversi: no game meets the conditions\n")


def test_aliases_are_one_player(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(stats(folder, "--table", "players", "--csv"))))
    assert {row["player"]: row["games"] for row in rows}["Ada"] == "2"
    given = stats(folder, "--table", "players", "--csv", "--aliases", folder / "aliases")
    rows = list(csv.DictReader(io.StringIO(given)))
    assert {row["player"]: row["games"] for row in rows} == {
        "Ada": "3",
        "Bob": "3",
        "Cy": "2",
        "Dan": "1",
        "Eve": "1",
    }
    profile = stats(folder, "--table", "profile", "--player", "Ada L.", "--aliases", folder / "aliases")
    assert profile.startswith("Ada: colors\n")


@pytest.mark.thorough
@pytest.mark.parametrize("table", ["", *TABLES, "profile"])
@pytest.mark.parametrize("form", ["--json", "--csv", ""])
def test_a_database_says_the_same(table: str, form: str, folder: Path, db: Path) -> None:
    options = [
        *(["--table", table] if table else []),
        *(["--player", "bob"] if table == "profile" else []),
        *([form] if form else []),
        *("--aliases", str(folder / "aliases")),
    ]
    run_command("record", "stats", db, *options).ends(0, out=stats(folder, *options), err="")


def test_a_profile_needs_one_player(folder: Path) -> None:
    for given, message in (
        ([], "--table profile shows one player: give --player NAME once"),
        (["--player", "Ada", "--player", "Bob"], "--table profile shows one player: give --player NAME once"),
        (["--player", "zoe"], "--player 'zoe': no player has this name"),
        (["--player", "a"], "--player 'a' names 2 players: 'Ada', 'Ada L.'; give the whole name of one"),
    ):
        done = run_command("record", "stats", folder / "games.pgn", "--table", "profile", *given)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"reversi: {message}\n")
    assert stats(folder, "--table", "profile", "--player", "ada", "--year", "1997").startswith("Ada: colors\n")


def test_a_profile_is_one_screen_to_read_and_whole_for_programs(folder: Path) -> None:
    games = folder / "games.pgn"
    with games.open("a") as file:
        for number in range(40):
            file.write(text("Ada", f"Player {number}", f"Cup {number}", str(1980 + number), "f5d6c3d3c4 40-24"))
    lines = stats(folder, "--table", "profile", "--player", "Ada", "--aliases", folder / "aliases").splitlines()
    assert len(lines) <= 50
    assert "Ada: rating by year (Glicko-2)" in lines
    assert sum(line.count("●") for line in lines) == 40
    events = lines.index("Ada: events, the best places first")
    assert lines[events + 2].split() == ["Open", "1997", "1", "3", "2", "2", "100.0", "%", "+20.0"]
    assert lines[events + 6] == "… and 38 more (--top 0)"
    whole = stats(folder, "--table", "profile", "--player", "Ada", "--aliases", folder / "aliases", "--json")
    rows = {(table := json.loads(line))["table"]: table["rows"] for line in whole.splitlines()}
    assert len(rows["profile-events"]) == 42
    assert [row["year"] for row in rows["profile-years"]] == [*range(1980, 2020)]
    assert all(row["low"] < row["rating"] < row["high"] for row in rows["profile-years"])
    page = folder / "ada.html"
    stats(folder, "--table", "profile", "--player", "Ada", "--aliases", folder / "aliases", "-o", page)
    assert {"Ada: events, the best places first", "37 more", "The numbers"} <= set(Page(page.read_text()).words)
    assert all(f"Cup {number}<" in page.read_text() for number in range(40))


def test_ratings_by_year_are_of_one_player_or_all(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(stats(folder, "--table", "ratings-by-year", "--csv"))))
    assert rows[0].keys() == {"player", "year", "rating", "low", "high"}
    some = stats(folder, "--table", "ratings-by-year", "--csv", "--player", "bob")
    assert list(csv.DictReader(io.StringIO(some))) == [row for row in rows if row["player"] == "Bob"]
    done = run_command(
        *("record", "stats", folder / "games.pgn", "--table", "ratings-by-year", "--player", "Ada"),
        "--player",
        "Bob",
    )
    message = "reversi: --table ratings-by-year shows one player or all: give --player NAME once\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_finals_are_listed_and_do_not_count(folder: Path, db: Path) -> None:
    games = folder / "games.pgn"
    games.write_text(games.read_text().replace('[Black "Cy"]', '[Round "Semi-final"]\n[Black "Cy"]'))
    assert run_command("db", "import", games, "--db", db).returncode == 0
    tables = stats(folder, "--table", "standings", "--year", "1997", "--finals", "FINAL").split("\n\n")
    assert [line.split()[:4] for line in tables[0].splitlines()[2:]] == [
        ["1", "Ada", "1", "1"], ["2", "Bob", "½", "2"], ["3", "Cy", "½", "1"],
    ]  # fmt: skip
    assert tables[1].splitlines() == [
        "Open 1997: finals",
        "round       Black  White  lead",
        "Semi-final  Cy     Ada     -24",
    ]
    for form in ("--json", "--csv"):
        options = ("--table", "crosstable", "--year", "1997", "--finals", "final", form)
        assert run_command("record", "stats", db, *options).stdout == stats(folder, *options)
    assert "finals" not in stats(folder, "--table", "standings", "--finals", "quarter")
    done = run_command("record", "stats", games, "--finals", "final")
    assert (done.returncode, done.stderr) == (2, "reversi: --finals needs --table; give it too\n")


def test_files(folder: Path) -> None:
    for name in ("t.csv", "t.json", "t.txt", "t.html"):
        assert stats(folder, "--table", "standings", "-o", folder / name) == ""
    assert (folder / "t.csv").read_text() == stats(folder, "--table", "standings", "--csv")
    assert (folder / "t.json").read_text() == stats(folder, "--table", "standings", "--json")
    assert (folder / "t.txt").read_text() == stats(folder, "--table", "standings")
    assert (folder / "t.html").read_text().startswith("<!doctype html>")
    done = run_command("record", "stats", folder / "games.pgn", "-o", folder / "t.csv")
    assert (done.returncode, done.stderr) == (73, f"reversi: {folder / 't.csv'} exists; --force overwrites it\n")
    stats(folder, "-o", folder / "t.csv", "--force")
    assert (folder / "t.csv").read_text().startswith("what,games\ngames,5\n")


def test_csv_for_a_spreadsheet(folder: Path) -> None:
    assert "\n=1 Club," in stats(folder, "--table", "events", "--csv")
    assert "\n'=1 Club," in stats(folder, "--table", "events", "--csv", "--spreadsheet")
    for arguments, message in (
        (["--spreadsheet"], "--spreadsheet: only CSV has cells that a spreadsheet runs; add --csv"),
        (
            ["--table", "standings", "--tie-breaks", "age"],
            "--tie-breaks: 'age' is none; give some of brightwell, discs, direct",
        ),
    ):
        done = run_command("record", "stats", folder / "games.pgn", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"reversi: {message}\n")


def test_top_and_min_games(folder: Path) -> None:
    shown = stats(folder, "--table", "players", "--top", "2").splitlines()
    assert [line.split()[0] for line in shown] == ["Players", "player", "Bob", "Ada", "…"]
    assert shown[-1] == "… and 4 more (--top 0)"
    shown = stats(folder, "--table", "players", "--min-games", "2").splitlines()
    assert [line.split()[0] for line in shown[2:]] == ["Bob", "Ada", "Cy"]
    openings = stats(folder, "--table", "openings", "--top", "1").splitlines()
    assert [line.split()[:3] for line in openings[2:]] == [
        ["Cow", "2", "40.0"],
        ["Cow", "1997", "1"],
        ["Cow", "1998", "1"],
        ["…", "and", "2"],
    ]


def test_openings_of_a_player_count_what_the_player_won(folder: Path) -> None:
    """The numbers of a profile, both colors together; two players select the games between them."""
    profile = [
        json.loads(line) for line in stats(folder, "--table", "profile", "--player", "Bob", "--json").splitlines()
    ]
    by_color = next(table for table in profile if table["table"] == "profile-openings")["rows"]
    table = json.loads(stats(folder, "--table", "openings", "--player", "Bob", "--json"))
    assert table["player"] == "Bob"
    rows = [row for row in table["rows"] if row["year"] is None]
    assert {row["opening"] for row in rows} == {row["opening"] for row in by_color}
    assert any(row["color"] == "White" and row["wins"] + row["losses"] for row in by_color)
    for row in rows:
        mine = [each for each in by_color if each["opening"] == row["opening"]]
        for name in ("games", "wins", "draws", "losses"):
            assert row[name] == sum(each[name] for each in mine)
        decided = row["wins"] + row["draws"] + row["losses"]
        assert row["rate"] == (pytest.approx((row["wins"] + row["draws"] / 2) / decided) if decided else None)
    assert "Bob: openings by year" in stats(folder, "--table", "openings", "--player", "Bob")
    assert "Black's rate" in stats(folder, "--table", "openings", "--player", "Bob", "--player", "Ada")


class Page(HTMLParser):
    """The cells of a page, and its tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += [data.strip()] if data.strip() else []


def test_a_text_file_has_every_row(folder: Path) -> None:
    games = folder / "games.pgn"
    with games.open("a") as file:
        file.writelines(text(f"Player {number}", "Bob", "Open", "1999", "f5d6 40-24") for number in range(12))
    path = folder / "players.txt"
    assert stats(folder, "--table", "players").endswith("more (--top 0)\n")
    for more in (["--table", "players"], []):
        stats(folder, *more, "--output", path, "--force")
        assert all(f"Player {number} " in path.read_text() for number in range(12))
        assert "more" not in path.read_text()
    stats(folder, "--table", "players", "--top", "2", "--output", path, "--force")
    assert path.read_text().splitlines()[-1] == "… and 16 more (--top 0)"


def test_a_page(folder: Path) -> None:
    (folder / "games.pgn").write_text(text("<b>Ada</b>", "Bob & Co\u202e", "Open", "1997", "f5d6 40-24"))
    stats(folder, "--table", "crosstable", "-o", folder / "table.html")
    page = (folder / "table.html").read_text()
    assert page.isascii()
    assert "b" not in Page(page).tags
    assert {"1 <b>Ada</b>", "2 Bob & Co\\u202e", "Open 1997"} <= set(Page(page).words)
    stats(folder, "--table", "ratings-by-year", "-o", folder / "ratings.html")
    page = (folder / "ratings.html").read_text()
    assert {"<b>Ada</b>", "Bob & Co\\u202e", "1997", "The numbers"} <= set(Page(page).words)
    assert {"svg", "details"} < set(Page(page).tags)
    assert "b" not in Page(page).tags
    assert not re.search(r"(src|href)=.(?!data:)", page)
    stats(folder, "-o", folder / "whole.html")
    whole = (folder / "whole.html").read_text()
    assert {"Overview", "Openings", "Years", "Players"} <= set(Page(whole).words)
    assert "1 game in 1 file" in Page(whole).words
    assert "noscript" not in Page(whole).tags  # it is all there without a program


def test_games_are_sorted_alike(folder: Path, db: Path) -> None:
    for sort in (["year"], ["event", "black"], ["score"], ["plies", "white"], ["opening", "year"]):
        options = [word for one in sort for word in ("--sort", one)]
        filtered = run_command("record", "filter", folder / "games.pgn", *options).stdout
        from_db = run_command("record", "filter", db, *options).stdout
        assert filtered == from_db
        assert filtered.count("[Event ") == 5
    blacks = re.findall(
        r'\[Black "(.+)"\]', run_command("record", "filter", folder / "games.pgn", "--sort", "score").stdout
    )
    assert blacks == ["Ada", "Bob", "Cy", "Ada L.", "Dan"]
    done = run_command("record", "filter", db, "--sort", "age").ends(2)
    assert done.stderr.startswith("reversi: --sort: 'age' sorts no games; give one of year, event,")


def test_tags_and_events_select_alike(folder: Path, db: Path) -> None:
    for options, count in (
        (["--tag", "Event=OPEN"], 4),
        (["--tag", "Board-No"], 5),
        (["--tag", "Board-No=8"], 0),
        (["--tag", "Result=40"], 1),
        (["--tag", "Black=ada", "--tag", "White=bob"], 2),
        (["--event", "club"], 1),
        (["--event", "club", "--event", "open"], 5),
    ):
        filtered = run_command("record", "filter", folder / "games.pgn", *options)
        from_db = run_command("record", "filter", db, *options)
        assert filtered.stdout == from_db.stdout
        assert filtered.stdout.count("[Event ") == count


def test_an_opening_by_name(db: Path) -> None:
    named = run_command("explore", "tiger", db, "--no-values", "--json")
    played = run_command("explore", "f5d6c3d3c4", db, "--no-values", "--json")
    assert named.returncode == 0
    one, other = json.loads(named.stdout), json.loads(played.stdout)
    assert (one["opening"], one["games"]) == ("Tiger", 2)
    assert {**one, "time_s": 0} == {**other, "time_s": 0}


def test_an_opening_has_its_name_under_all_rules_that_have_it(tmp_path: Path) -> None:
    """As many games reach a named opening as the overview counts, and the order of the games changes no line."""
    pytest.importorskip("duckdb")
    rules = ("othello,optional-skip", "othello", "othello,misere", "othello,board=6x6")
    games, db = tmp_path / "games.pgn", tmp_path / "games.duckdb"
    games.write_text(
        "".join(
            f'[Date "{2000 - number}"]\n[Rules "{name}"]\n\n1. {moves} *\n\n'
            for number, name in enumerate(rules)
            for moves in ("f5 d6 2. c3 d3 3. c4" if "6x6" not in name else "b3 b2",)
        )
    )
    assert run_command("db", "import", games, "--db", db).returncode == 0
    for command in (("record", "stats", games), ("record", "stats", db)):
        overview = json.loads(run_command(*command, "--json").stdout)
        assert list(overview["rules"]) == sorted(rules)
        assert overview["openings"][0] == {
            "name": "Tiger",
            "games": 3,
            "black": 0,
            "draws": 0,
            "white": 0,
            "score": None,
        }
        named = json.loads(run_command(*command, "--opening", "tiger", "--json").stdout)
        assert named["games"] == 3
        moves = json.loads(
            run_command(*command, "--opening", "f5d6c3d3c4", "--rules", "othello,misere", "--json").stdout
        )
        assert moves["rules"] == {"othello,misere": 1}


def test_a_table_is_divided_on_a_terminal_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def heads() -> int:
        return stats(folder, "--table", "crosstable", "--year", "1997").count("player")

    assert heads() == 1
    monkeypatch.setattr("reversi.cli.table_output.terminal_width", lambda: 30)
    assert heads() == 3
    stats(folder, "--table", "crosstable", "--year", "1997", "-o", folder / "table.txt")
    assert (folder / "table.txt").read_text(encoding="utf-8").count("player") == 1
