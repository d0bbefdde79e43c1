"""The layout of a library: its tables, its version, and the versions before.

- ``reversi_library``: one row: the version of this layout.
- ``sources``: the files that games came from.
- ``players``: names.
- ``games``: one row for each game: who, when, how it ended, its opening, its moves, all its tags, and the whole
  record as text where it has more than these say (comments, clocks, variations). ``play`` is a digest of its moves
  and its year, ``digest`` one of these and of the players, ``copy`` counts the games of one digest that a source
  has, ``numbers`` are those that WTHOR gives to the tournament and the players.
- ``positions``: one row for each position of each legal game: its key up to symmetry, the game, the ply, and the
  move played there as a square of the symmetric position that stands for all (64 a pass, 255 none).

Every import is one transaction. It adds its positions in runs of about a million, each in the order of the keys:
a question about a position reads a small part of each.
"""

from __future__ import annotations

from typing import Final

__all__ = ["MISSING", "OLDEST", "SCHEMA", "VERSION"]

VERSION: Final = 2
"""The version of the layout that this package writes."""

OLDEST: Final = 1
"""The oldest version that this package reads. Opened for writing, it is brought to :data:`VERSION`.

Version 1 lacks ``play`` and ``numbers``, has another ``digest``, and has positions of games that are not legal.
"""

MISSING: Final = 'the game library needs DuckDB and NumPy: pip install "reversi-engine[db]"'
"""What an error says where the extra is not installed."""

SCHEMA: Final = """
create table reversi_library (version integer not null);
create table sources (
    id integer not null, path varchar not null, games integer not null, imported timestamp not null
);
create table players (id integer not null, name varchar not null);
create table games (
    id integer not null, source integer not null, number integer not null,
    black integer, white integer, year smallint, event varchar not null,
    result varchar not null, score smallint, winner tinyint, finished boolean not null, legal boolean not null,
    plies usmallint not null, passes usmallint not null, opening varchar not null,
    rules varchar not null, start varchar not null, moves varchar not null, tags varchar not null,
    record varchar not null, digest_high ubigint not null, digest_low ubigint not null, copy usmallint not null,
    play_high ubigint, play_low ubigint, numbers varchar
);
create table positions (
    key ubigint not null, game integer not null, ply usmallint not null, move utinyint not null
);
"""
