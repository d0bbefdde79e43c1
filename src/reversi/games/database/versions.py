"""Games that several files have: which of their versions are one game, and what these say together.

A group is all games with the same rules, moves and players. Its versions are what the files say, and the games of
the group depend on the versions alone, not on the order in which they came. A version that says nothing beyond
another one is dropped, because it changes nothing.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from reversi.games.database.players import PlayerNumbers
from reversi.games.database.rows import NO_NUMBER, NO_WINNER, GameRow, halves, row_of
from reversi.games.identity import (
    Details,
    Place,
    Why,
    divide,
    moves_identity,
    players,
    players_identity,
    says_most,
)
from reversi.records.dates import parts_of
from reversi.records.facts import known
from reversi.records.formats.database.file import DatabaseError, DatabaseFile
from reversi.records.formats.database.reader import record_of
from reversi.records.record import Record, Tags

RECOUNT: Final = "update sources set games = (select count(*) from games where source = sources.id)"
"""Counts the games of each source again."""

Digest: TypeAlias = tuple[int, int]
"""A digest as the two numbers that a database keeps."""

Copy: TypeAlias = tuple[Details, int]
"""Details, and which of the games of one source with these details, from 1."""

_PARTS: Final = ("record", "tags", "rules", "start", "moves", "result")
_VERSIONS: Final = {
    **dict.fromkeys(("digest_high", "digest_low"), "ubigint"),
    "details": "varchar",
    "copy": "usmallint",
    **dict.fromkeys(("source", "number", "game"), "integer"),
    **dict.fromkeys(("why", *_PARTS), "varchar"),
}
_GAMES: Final = {
    **dict.fromkeys(("id", "source", "number", "black", "white"), "integer"),
    **dict.fromkeys(("year", "score"), "smallint"),
    "winner": "tinyint",
    **dict.fromkeys(("finished", "legal", "merged"), "boolean"),
    **dict.fromkeys(("plies", "passes", "copy"), "usmallint"),
    **dict.fromkeys(("digest_high", "digest_low", "play_high", "play_low"), "ubigint"),
    **dict.fromkeys(("event", "opening", "numbers", "details", *_PARTS), "varchar"),
}


@dataclass(slots=True, eq=False)
class Version:
    """What a file says about a game.

    Attributes:
        said: what is known about the game.
        copy: which of the games of its source with these details it is, from 1.
        source: the number of its source.
        number: its number in the source.
        parts: the record, as the columns `record`, `tags`, `rules`, `start`, `moves` and `result` have it.
        game: the number of the game in the database, 0 for a new version.
        row: which row of a block of new games it is, -1 for a version of the database.
        replaced: the parts that better ones replaced, empty for none.
    """

    said: Details
    copy: int
    source: int
    number: int
    parts: tuple[str, ...]
    game: int = 0
    row: int = -1
    replaced: tuple[str, ...] = ()

    @property
    def key(self) -> Copy:
        return self.said, self.copy

    @property
    def rank(self) -> tuple[Any, ...]:
        """A key that sorts the longest record first, in an order that does not depend on that of the sources."""
        record, tags, *_ = self.parts
        return -len(record), -len(tags), self.parts


@dataclass(slots=True)
class Group:
    """The versions of games with the same rules, moves and players, and the games.

    Attributes:
        versions: the versions.
        games: the copy that each game is, by its number in the database.
        owners: the source that each game belongs to, and its number there.
        stored: whether the table `versions` has the versions; if not, they are the games.
    """

    versions: list[Version] = field(default_factory=list)
    games: dict[int, Copy] = field(default_factory=dict)
    owners: dict[int, tuple[int, int]] = field(default_factory=dict)
    stored: bool = False


@dataclass(slots=True, eq=False)
class VersionedGame:
    """A game, and its versions.

    Attributes:
        versions: its versions, the one that says most first.
        game: its number in the database, 0 for a new game.
        before: the copy that the game was, `None` for a new game.
        owner: the source that it belongs to, the first that had it, and its number there.
        changed: whether its row differs from what it was.
    """

    versions: list[Version]
    game: int = 0
    before: Copy | None = None
    owner: tuple[int, int] = (0, 0)
    changed: bool = True


@dataclass(slots=True, eq=False)
class Plan:
    """What becomes of a group.

    Attributes:
        games: the games.
        versions: all versions that count, each with its game and the reason why it is that.
        gone: the numbers of the games that are no more.
        stored: whether the table `versions` must have the versions.
        same: the game of each copy that was there, dropped ones too, and the reason.
    """

    games: list[VersionedGame]
    versions: list[tuple[Version, VersionedGame, Why]]
    gone: list[int]
    stored: bool
    same: dict[Copy, tuple[VersionedGame, Why]]


def plan_of(group: Group) -> Plan:
    """Return what becomes of a group with new or changed versions."""
    best: dict[Copy, Version] = {}
    for version in group.versions:
        there = best.setdefault(version.key, version)
        if there is not version and version.rank < there.rank:
            # the game belongs to the source that had it first
            there.replaced, there.parts = there.replaced or there.parts, version.parts
    places = divide(details for details, _ in best)
    most: dict[Details, int] = defaultdict(int)
    for details, copy in best:
        most[details] = max(most[details], copy)
    live = _without_dropped(best, places, most)
    members: dict[Details, list[Details]] = {}
    alive = {details for details, _ in live}
    for details, place in places.items():  # those that say most first
        if place.why is not Why.SEVERAL and details in alive:
            members.setdefault(place.kept, []).append(details)
    games: dict[Details, list[VersionedGame]] = {}
    for kept, all_details in members.items():
        copies = max(most[details] for details in all_details)
        games[kept] = [
            VersionedGame([live[details, copy] for details in all_details if (details, copy) in live])
            for copy in range(1, copies + 1)
        ]
    same = {}
    for details, copy in best:
        kept, why, _ = places[details]
        versioned = games[kept][min(copy, len(games[kept])) - 1]
        same[details, copy] = versioned, Why.REPEATS if versioned.versions[0].said == details else why
    all_games = [versioned for of_one in games.values() for versioned in of_one]
    gone = _number(group, all_games, same)
    shown = {id(versioned.versions[0]) for versioned in all_games}
    stored = any(id(version) not in shown for version in live.values())
    for versioned in all_games:
        first = versioned.versions[0]
        versioned.owner = first.source, first.number
        if versioned.before is not None and same.get(versioned.before, (None,))[0] is versioned:
            versioned.owner = min(versioned.owner, group.owners.get(versioned.game, versioned.owner))
        versioned.changed = stored or group.stored or versioned.before != first.key or first.replaced != ()
    versions = [(version, *same[key]) for key, version in live.items()]
    return Plan(all_games, versions, gone, stored, same)


def _without_dropped(
    best: dict[Copy, Version], places: dict[Details, Place], most: dict[Details, int]
) -> dict[Copy, Version]:
    """Return the versions without those that say nothing beyond another one."""
    live: dict[Copy, Version] = {}
    for (details, copy), version in sorted(best.items(), key=lambda item: (says_most(item[0][0]), item[0][1])):
        heirs = [more for more in places[details].within if most[more] >= copy]
        if not heirs:
            live[details, copy] = version
            continue
        for more in heirs:
            heir = live.get((more, copy))
            if heir is not None and version.source < heir.source:
                heir.source, heir.number = version.source, version.number
                break
    return live


def _number(group: Group, games: list[VersionedGame], same: dict[Copy, tuple[VersionedGame, Why]]) -> list[int]:
    """Give the games of a plan their numbers; return the numbers that are left."""
    by_key = {versioned.versions[0].key: versioned for versioned in games}
    left = []
    for game, key in sorted(group.games.items()):
        versioned = by_key.get(key)
        if versioned is not None and not versioned.game:
            versioned.game, versioned.before = game, key
        else:
            left.append((game, key))
    gone = []
    for game, key in left:
        own = same[key][0] if key in same else None
        # a game that was no game of its own before comes first: a new one is then seen to be added
        returning = (versioned for versioned in games if not versioned.game and versioned.versions[0].row < 0)
        versioned = own if own is not None and own.versions[0].row < 0 else next(returning, own)
        if versioned is not None and not versioned.game:
            versioned.game, versioned.before = game, key
        else:
            gone.append(game)
    return gone


def merged(records: Sequence[Record], richest: Record) -> Record:
    """Return what several records of one game say together.

    Tags come from the first record that knows them.

    Args:
        records: the records, the one that says most first.
        richest: the one whose moves count, with all that stands among them.
    """
    tags = Tags(records[0].tags.pairs)
    for record in records[1:]:
        for name, value in record.tags.items():
            better = name == "Date" and set(parts_of(value)) > set(parts_of(tags["Date"]))
            if better or (not known(tags.get(name, "")) and known(value)):
                tags[name] = value
    results = (richest, *records)
    result = next((record.result for record in results if record.result not in ("", "*", "?")), richest.result)
    return Record(tags, richest.start, richest.line, result)


def parts_of_row(row: GameRow) -> tuple[str, ...]:
    """Return the parts of a version, given the row of its game."""
    return row.record, row.tags, row.rules, row.start, row.moves, row.result


def digest_of(record: Record) -> Digest:
    """Return the digest of the group that a game belongs to."""
    return halves(players_identity(moves_identity(record), *players(record)))


class Groups:
    """The groups of a database: loads them, and writes what becomes of them.

    Args:
        database: the database.
        run: runs SQL on it and returns the rows.
        numbers: the numbers of its players.
    """

    def __init__(
        self, database: DatabaseFile, run: Callable[..., list[tuple[Any, ...]]], numbers: PlayerNumbers
    ) -> None:
        self._database = database
        self._run = run
        self._numbers = numbers
        self._last = 0

    def load(self, digests: Iterable[Digest]) -> dict[Digest, Group]:
        """Return the groups of some digests, empty ones too."""
        groups: dict[Digest, Group] = {digest: Group() for digest in digests}
        if not groups:
            return groups
        parameters = [list(column) for column in zip(*groups, strict=True)]
        which = "select unnest(?::ubigint[]) as digest_high, unnest(?::ubigint[]) as digest_low"
        parts = ", ".join(_PARTS)
        for high, low, game, *rest in self._run(
            f"select digest_high, digest_low, game, details, copy, source, number, {parts} from versions"
            f" join ({which}) using (digest_high, digest_low) order by source, number",
            parameters,
        ):
            group = groups[high, low]
            group.stored = True
            group.versions.append(self._version(game, rest))
        for high, low, game, *rest in self._run(
            f"select digest_high, digest_low, id, details, copy, source, number, {parts} from games"
            f" join ({which}) using (digest_high, digest_low) order by id",
            parameters,
        ):
            group = groups[high, low]
            version = self._version(game, rest)
            group.games[game] = version.key
            group.owners[game] = version.source, version.number
            if not group.stored:
                group.versions.append(version)
        return groups

    def _version(self, game: int, row: Sequence[Any]) -> Version:
        details, copy, source, number, *parts = row
        try:
            return Version(tuple(json.loads(details)), copy, source, number, tuple(parts), game)
        except ValueError as error:
            raise DatabaseError(f"{self._database.path}: game {game} is damaged: {error}") from None

    def record(self, version: Version) -> Record:
        """Return the record of a version."""
        return record_of(self._database, (version.game, *version.parts))

    def renamed(self, version: Version, names: dict[str, str]) -> Record:
        """Change tags of a version, and return its record."""
        record = self.record(version)
        record.tags.update(names)
        version.replaced = version.replaced or version.parts
        version.parts = parts_of_row(row_of(version.number, record, version.said))
        return record

    def next_number(self) -> int:
        """Return a number that no game has."""
        if not self._last:
            ((self._last,),) = self._run("select coalesce(max(id), 0) from games")
        self._last += 1
        return self._last

    def write(
        self, plans: dict[Digest, Plan], groups: dict[Digest, Group], added: Iterable[VersionedGame] = ()
    ) -> None:
        """Write what becomes of groups. All games must have numbers. Positions do not change.

        Args:
            plans: what becomes of each.
            groups: what they were.
            added: games whose rows are not there yet.
        """
        emptied = [digest for digest, group in groups.items() if group.stored and digest in plans]
        if emptied:
            self._run(
                "delete from versions where (digest_high, digest_low) in"
                " (select (unnest(?::ubigint[]), unnest(?::ubigint[])))",
                [list(column) for column in zip(*emptied, strict=True)],
            )
        self._insert(
            "versions",
            _VERSIONS,
            [
                (*digest, _json(one.said), one.copy, one.source, one.number, versioned.game, why.name, *one.parts)
                for digest, plan in plans.items()
                if plan.stored
                for one, versioned, why in plan.versions
            ],
        )
        new = {id(versioned) for versioned in added}
        inserted, updated = [], []
        for digest, plan in plans.items():
            for versioned in plan.games:
                if id(versioned) in new:
                    inserted.append(self._row(digest, versioned))
                elif versioned.changed:
                    updated.append(self._row(digest, versioned))
        self._insert("games", _GAMES, inserted)
        self._update(updated)
        if gone := [game for plan in plans.values() for game in plan.gone]:
            self._run("delete from games where id in (select unnest(?::integer[]))", [gone])

    def remove_positions(self, games: list[int]) -> int:
        """Remove the positions of games; return how many there were."""
        ((count,),) = self._run("delete from positions where game in (select unnest(?::integer[]))", [games])
        return int(count)

    def copy_positions(self, game: int, other: int) -> None:
        """Give a game the positions of another one with the same moves."""
        self._run("insert into positions select key, ?, ply, move from positions where game = ?", [game, other])

    def _row(self, digest: Digest, versioned: VersionedGame) -> tuple[Any, ...]:
        first = versioned.versions[0]
        records = [self.record(one) for one in versioned.versions]
        longest = max(range(len(records)), key=lambda at: len(versioned.versions[at].parts[0]))
        made = row_of(first.number, merged(records, records[longest]), first.said)
        values: dict[str, Any] = made._asdict()
        values |= {
            "id": versioned.game,
            "source": versioned.owner[0],
            "number": versioned.owner[1],
            "black": self._numbers[made.black_name],
            "white": self._numbers[made.white_name],
            "year": None if made.year == NO_NUMBER else made.year,
            "score": None if made.score == NO_NUMBER else made.score,
            "winner": None if made.winner == NO_WINNER else made.winner,
            "digest_high": digest[0],
            "digest_low": digest[1],
            "copy": first.copy,
            "merged": len(versioned.versions) > 1,
        }
        return tuple(values[name] for name in _GAMES)

    def _insert(self, table: str, types: dict[str, str], rows: list[tuple[Any, ...]]) -> None:
        if rows:
            columns = ", ".join(f"unnest(?::{type_}[]) as {name}" for name, type_ in types.items())
            self._run(
                f"insert into {table} by name select {columns}", [list(one) for one in zip(*rows, strict=True)]
            )

    def _update(self, rows: list[tuple[Any, ...]]) -> None:
        if rows:
            columns = ", ".join(f"unnest(?::{type_}[]) as {name}" for name, type_ in _GAMES.items())
            changed = ", ".join(f"{name} = c.{name}" for name in _GAMES if name != "id")
            self._run(
                f"update games set {changed} from (select {columns}) c where games.id = c.id",
                [list(one) for one in zip(*rows, strict=True)],
            )


def _json(said: Details) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))
