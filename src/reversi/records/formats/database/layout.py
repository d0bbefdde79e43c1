"""The layout of a database: its tables and its version.

- `reversi_library`: one row, the version of this layout, and the words of `--same` that its games are compared by.
- `sources`: the files that games came from.
- `players`: names.
- `aliases`: names that players or events had before somebody gave them others; later imports give them these, too.
- `games`: one row per game: players, year, result, opening, moves, all tags, and the whole record as text where it
  has more than these (comments, clocks, variations). `play` is a digest of the moves and the year, `digest` one of
  the moves, the players and `copy`, which counts the short or nameless games of a source that say the same;
  `details` is what else tells the game from others (JSON), `numbers` are WTHOR's for tournament and players.
- `versions`: what files say about a game (`game`) and its row in `games` does not: the row of a `merged` game has
  what its versions say together, that of another game is the version that says all. Each `id` is below 0.
- `claims`: one row for each game of each source: the version that it has, by the `id` of `versions`, or by that of
  the game whose row it is. A version goes when no source has it, and a game when it has no version. `source` and
  `number` of `games`, and `games` of `sources`, follow from this table.
- `positions`: one row per position of each legal game: its key up to symmetry, the game, the ply, and the move
  played there as a square of the symmetric position that stands for all (64 a pass, 255 none).

Every import is one transaction. It adds its positions in runs of half a million, each sorted by key: a question
about a position reads a small part of each run.
"""

from __future__ import annotations

from typing import Final

MAGIC_AT: Final = 8  # after a checksum
MAGIC: Final = b"DUCK"
"""The bytes by which a file of DuckDB is known, and where they are."""

VERSION: Final = 7
"""The version of the layout."""

MISSING: Final = 'the game database needs DuckDB and NumPy: pip install "reversi-engine[db]"'
"""The message of the error when the extra is not installed."""

SCHEMA: Final = """
create table reversi_library (version integer not null, same varchar not null);
create table sources (
    id integer not null, path varchar not null, games integer not null, imported timestamp not null
);
create table players (id integer not null, name varchar not null);
create table aliases (alias varchar not null, name varchar not null, event boolean not null);
create table games (
    id integer not null, source integer not null, number integer not null,
    black integer, white integer, year smallint, event varchar not null,
    result varchar not null, score smallint, winner tinyint, finished boolean not null, legal boolean not null,
    plies usmallint not null, passes usmallint not null, opening varchar not null,
    rules varchar not null, start varchar not null, moves varchar not null, tags varchar not null,
    record varchar not null, digest_high ubigint not null, digest_low ubigint not null, copy usmallint not null,
    play_high ubigint, play_low ubigint, numbers varchar, details varchar, merged boolean
);
create table claims (source integer not null, number integer not null, version integer not null);
create table positions (
    key ubigint not null, game integer not null, ply usmallint not null, move utinyint not null
);
create table versions (
    id integer not null, game integer not null,
    digest_high ubigint not null, digest_low ubigint not null, details varchar not null, copy usmallint not null,
    record varchar not null, tags varchar not null, rules varchar not null, start varchar not null,
    moves varchar not null, result varchar not null
);
"""
