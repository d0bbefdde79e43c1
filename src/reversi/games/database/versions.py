"""Games that several files have: which of their versions are one game, and what these say together.

A group is all games with one key. Its versions are what the files say, and its games depend on the versions
alone, not on the order in which they came. A version stays while a file has it, also where another one of its game
says all that it says: so a file can go again, and the database is as if it had never come.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias

from reversi.games.database.players import PlayerNumbers
from reversi.games.database.rows import NO_NUMBER, NO_WINNER, GameRow, as_json, row_of
from reversi.games.identity import SAME, Details, Place, Same, Why, divide, events_differ, says_most
from reversi.records.dates import parts_of
from reversi.records.facts import known
from reversi.records.formats.database.file import DatabaseError, DatabaseFile
from reversi.records.formats.database.reader import record_of
from reversi.records.record import Record, Tags

CLAIMED: Final = (
    "(select source, c.number, coalesce(game, version) as game"
    " from claims c left join versions v on v.id = version)"
)
"""The games of each source."""

RECOUNT: Final = (
    "update games set source = first >> 32, number = first & 4294967295 from ("
    f"select game, min((source::bigint << 32) + number) as first from {CLAIMED} group by game"
    ") c where c.game = id and (source::bigint << 32) + number <> first;"
    " update sources set games = (select count(*) from games where source = sources.id)"
)
"""Gives each game to the source that had it first, and counts the games of each source again."""

Key: TypeAlias = tuple[int, int, int]
"""What the games of a group share: a digest as two numbers, and which copy of games that one source repeats."""

_KEY: Final = "digest_high, digest_low, copy"
_SOME_KEYS: Final = (
    "select unnest(?::ubigint[]) as digest_high, unnest(?::ubigint[]) as digest_low,"
    " unnest(?::usmallint[]) as copy"
)
_SIZE: Final = "select (select count(*) from games), (select count(*) from positions)"
_LOST: Final = "select version from claims group by version having bool_and(source = ?)"
# groups that have other versions, too; games of the others
_PARTED: Final = f"""
select {_KEY} from versions semi join lost on id = version union
select {_KEY} from games semi join lost on id = version semi join versions using ({_KEY})
"""
_ALONE: Final = f"select id from games semi join lost on id = version anti join versions using ({_KEY})"
_MOVE: Final = (
    "update claims set version = now from (select unnest(?::integer[]) as old, unnest(?::integer[]) as now) moved"
    " where version = old"
)
# sources that have one version and some of others
_MEET: Final = (
    "select source from claims where version = ? intersect"
    " select source from claims where list_contains(?::integer[], version) limit 1"
)
_SOME: Final = 4096  # groups in memory at once
_UNDECIDED: Final = ("", "*", "?")


class Parts(NamedTuple):
    """A record as columns."""

    record: str
    tags: str
    rules: str
    start: str
    moves: str
    result: str


_VERSIONS: Final = {
    **dict.fromkeys(("digest_high", "digest_low"), "ubigint"),
    "copy": "usmallint",
    "details": "varchar",
    **dict.fromkeys(("id", "game"), "integer"),
    **dict.fromkeys(Parts._fields, "varchar"),
}
_GAMES: Final = {
    **dict.fromkeys(("id", "source", "number", "black", "white"), "integer"),
    **dict.fromkeys(("year", "score"), "smallint"),
    "winner": "tinyint",
    **dict.fromkeys(("finished", "legal", "merged"), "boolean"),
    **dict.fromkeys(("plies", "passes", "copy"), "usmallint"),
    **dict.fromkeys(("digest_high", "digest_low", "play_high", "play_low"), "ubigint"),
    **dict.fromkeys(("event", "opening", "numbers", "details", *Parts._fields), "varchar"),
}


@lru_cache(1 << 12)
def _known_tags(tags: str) -> dict[str, str]:
    return {name: value for name, value in reversed(json.loads(tags)) if known(value)}


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """What files say about a game.

    Attributes:
        said: what is known about the game.
        parts: the record.
        number: that of its game, if the row of the game is this version; below 0 in the table `versions`; 0 for a
            new version.
        game: the number of the game in the database, 0 for a new version.
        row: which row of a block of new games it is, -1 for a version of the database.
        stored: whether the database has it as it is.
    """

    said: Details
    parts: Parts
    number: int = 0
    game: int = 0
    row: int = -1
    stored: bool = False

    @property
    def rank(self) -> tuple[Any, ...]:
        """A key that sorts those first that say most, in an order that does not depend on that of the sources.

        Of those that say the same, the one that a game has as its row comes first.
        """
        parts, number = self.parts, self.number
        there = number == 0, number < 0, abs(number)
        return *says_most(self.said), -len(parts.record), -len(parts.tags), parts, *there

    def covers(self, other: Version) -> bool:
        """Return whether this version says all that another one of its game says."""
        mine, theirs = _known_tags(self.parts.tags), _known_tags(other.parts.tags)
        return (
            set(other.said) <= set(self.said)
            and other.parts.record in ("", self.parts.record)
            and other.parts.result in (*_UNDECIDED, self.parts.result)
            and all(name in mine and _tells(name, mine[name], value) for name, value in theirs.items())
        )


def _tells(name: str, value: str, other: str) -> bool:
    """Return whether the value of a tag says what another one of the same game does; spellings do not count."""
    if name == "Date":
        return set(parts_of(other)) <= set(parts_of(value))
    return value == other or name in ("Black", "White") or (name == "Event" and not events_differ(value, other))


@dataclass(slots=True)
class Group:
    """The versions of the games with one key.

    Attributes:
        versions: the versions.
        before: the versions that tell each game of the database, by its number.
    """

    versions: list[Version] = field(default_factory=list)
    before: dict[int, list[Version]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class VersionedGame:
    """A game, and its versions.

    Attributes:
        versions: the versions that tell it, the one that says most first.
        others: versions that say nothing beyond these, or could be other games, too.
        repeated: versions that say the same as another one, which follows.
        number: its number in the database, 0 for a new game.
    """

    versions: list[Version] = field(default_factory=list)
    others: list[Version] = field(default_factory=list)
    repeated: list[tuple[Version, Version]] = field(default_factory=list)
    number: int = 0

    def numbers(self, new: Iterator[int]) -> dict[Version, int]:
        """Return the numbers that its versions get; new ones of the table `versions` take the next of `new`."""
        numbers: dict[Version, int] = {}
        for one in (*self.versions, *self.others):
            alone = [one] == self.versions
            numbers[one] = self.number if alone else one.number if one.number < 0 else next(new)
        return numbers


@dataclass(slots=True, eq=False)
class Plan:
    """What becomes of a group.

    Attributes:
        group: the group.
        places: the places of all details.
        games: the games, by the details of the version that says most.
        gone: the numbers of the games that are no more.
        changed: the games whose rows differ from what they were.
    """

    group: Group
    places: dict[Details, Place]
    games: dict[Details, VersionedGame]
    gone: list[int]
    changed: list[VersionedGame]

    def reason(self, said: Details, event: str | None) -> tuple[int, Why]:
        """Return which game a version is, and why.

        Args:
            said: what is known about it.
            event: its event, where only another event differs; `None` elsewhere.
        """
        kept, several = self.places[said]
        game = self.games[kept]
        there = self.group.before.get(game.number, game.versions)[0]
        if event is not None and events_differ(event, _known_tags(there.parts.tags).get("Event", "")):
            return game.number, Why.EVENT
        return game.number, Why.SEVERAL if several else Why.between(said, there.said)


def plan_of(group: Group) -> Plan:
    """Return what becomes of a group with new or changed versions."""
    places, games = _divided(group.versions)
    gone = _number(list(games.values()), group.before)
    changed = [game for game in games.values() if game.versions != group.before.get(game.number)]
    return Plan(group, places, games, gone, changed)


def _divided(versions: list[Version]) -> tuple[dict[Details, Place], dict[Details, VersionedGame]]:
    """Return the places of details, and the games by the details of the version that says most."""
    if len(versions) == 1:
        said = versions[0].said
        return {said: Place(said)}, {said: VersionedGame(versions[:])}
    places = divide(version.said for version in versions)
    games = {kept: VersionedGame() for kept in dict.fromkeys(place.kept for place in places.values())}
    last: Version | None = None
    for version in sorted(versions, key=lambda one: one.rank):
        kept, several = places[version.said]
        game = games[kept]
        if last is not None and (version.said, version.parts) == (last.said, last.parts):
            game.repeated.append((version, last))
            continue
        last = version
        extra = several or any(one.covers(version) for one in game.versions)
        (game.others if extra else game.versions).append(version)
    return places, games


def _number(games: list[VersionedGame], before: Iterable[int]) -> list[int]:
    """Give games the numbers that they had; return the numbers that are left.

    A game that was no game of its own before comes first: a new one is then seen to be added.
    """
    left = sorted(before)
    games = sorted(games, key=lambda game: game.versions[0].row >= 0)
    for own in (True, False):
        for game in games:
            if not game.number and left and (own or game.versions[0].row < 0):
                there = [one.game for one in (*game.versions, *game.others) if one.game in left] if own else left
                if there:
                    game.number = there[0]
                    left.remove(there[0])
    return left


class Groups:
    """The groups of a database: loads them, and writes what becomes of them.

    Args:
        database: the database.
        run: runs SQL on it and returns the rows.
        numbers: the numbers of its players.
        same: what makes two games the same.
    """

    def __init__(
        self,
        database: DatabaseFile,
        run: Callable[..., list[tuple[Any, ...]]],
        numbers: PlayerNumbers,
        same: Same = SAME,
    ) -> None:
        self._database = database
        self._run = run
        self._numbers = numbers
        self._same = same

    def load(self, keys: Iterable[Key]) -> dict[Key, Group]:
        """Return some groups, empty ones too."""
        groups: dict[Key, Group] = {key: Group() for key in keys}
        if not groups:
            return groups
        for table, numbers, where in (("versions", "id, game", "true"), ("games", "id, id", "not merged")):
            for high, low, copy, *rest in self._run(
                f"select {_KEY}, {numbers}, details, {', '.join(Parts._fields)}"
                f" from {table} join ({_SOME_KEYS}) using ({_KEY}) where {where}",
                [list(column) for column in zip(*groups, strict=True)],
            ):
                groups[high, low, copy].versions.append(self._version(*rest))
        for group in groups.values():
            _, games = _divided(group.versions)
            group.before = {game.versions[0].game: game.versions for game in games.values()}
        return groups

    def _version(self, number: int, game: int, details: str, *parts: str) -> Version:
        try:
            return Version(tuple(json.loads(details)), Parts(*parts), number, game, stored=True)
        except ValueError as error:
            raise DatabaseError(f"{self._database.path}: game {game} is damaged: {error}") from None

    def retagged(self, number: int, parts: Parts, said: Iterable[str], tags: dict[str, str]) -> GameRow:
        """Return the row of a game with other tags.

        Args:
            number: its number, for the row and the message of an error.
            parts: the record.
            said: what is known about it.
            tags: the new values.
        """
        record = record_of(self._database, (number, *parts))
        record.tags.update(tags)
        format_ = next((part.partition("-event ")[0] for part in said if "-event " in part), "")
        return row_of(number, record, format_, self._same)

    def retag(self, changed: dict[Key, Group], tags: dict[int, dict[str, str]]) -> None:
        """Put tags into all versions of games, which move into other groups.

        Args:
            changed: the groups of the games; gets the others.
            tags: the new values for each game.
        """
        moved: list[tuple[Group, int, GameRow, Version]] = []
        for (*_, copy), group in list(changed.items()):
            for version in [one for one in group.versions if one.game in tags]:
                row = self.retagged(version.game, version.parts, version.said, tags[version.game])
                group.versions.remove(version)
                said = tuple(json.loads(row.details))
                new = replace(version, parts=parts_of_row(row), said=said, stored=False)
                moved.append((group, copy, row, new))
        changed |= self.load(
            {(row.digest_high, row.digest_low, copy) for _, copy, row, _ in moved} - changed.keys()
        )
        for group, first, row, version in moved:
            for copy in count(first):  # a source may have several of these
                key = (row.digest_high, row.digest_low, copy)
                if key not in changed:
                    changed |= self.load([key])
                target = changed[key]
                there = [one.number for one in target.versions if one.said == version.said]
                if row.sure or not (there and self._run(_MEET, [version.number, there])):
                    break
            target.versions.append(version)
            if version.game in group.before:
                target.before[version.game] = group.before.pop(version.game)

    def settle(self, changed: dict[Key, Group]) -> int:
        """Find the games of groups again, and write them; return how many games go."""
        plans = {key: plan_of(group) for key, group in changed.items()}
        new = [game for plan in plans.values() for game in plan.games.values() if not game.number]
        self.number(new)
        self.write(plans)
        return sum(len(plan.gone) for plan in plans.values()) - len(new)

    def take_away(self, source: int) -> tuple[int, int]:
        """Take a source away, with the games that no other source has; return how many games and positions go.

        Of a game that others have stays what these say.
        """
        ((before, positions),) = self._run(_SIZE)
        self._run("delete from sources where id = ?", [source])
        self._run(f"create or replace temp table lost as {_LOST}", [source])
        self._run("delete from claims where source = ?", [source])
        lost = {version for (version,) in self._run("from lost")}
        parted = self._run(_PARTED)
        self._run(f"create or replace temp table alone as {_ALONE}")
        for game in ("games where id", "positions where game"):
            self._run(f"delete from {game} in (from alone)")
        for at in range(0, len(parted), _SOME):
            groups = self.load(parted[at : at + _SOME])
            for group in groups.values():
                group.versions = [one for one in group.versions if one.number not in lost]
            self.settle(groups)
        self._run("delete from versions where id < 0 and id in (from lost)")
        ((now, left),) = self._run(_SIZE)
        return before - now, positions - left

    def number(self, games: list[VersionedGame]) -> None:
        """Give new games the next numbers."""
        ((last,),) = self._run("select coalesce(max(id), 0) from games")
        for number, game in enumerate(games, last + 1):
            game.number = number

    def write(self, plans: dict[Key, Plan], written: Container[int] = ()) -> tuple[int, dict[int, int]]:
        """Write what becomes of groups. All games must have numbers. Games without positions get those of another.

        Args:
            plans: what becomes of each.
            written: new games whose positions are written elsewhere.

        Returns:
            How many positions there are more, and the numbers of the versions of new rows.
        """
        ((least,),) = self._run("select least(min(id), 0) from versions")
        new = count(least - 1, -1)
        rows: dict[int, int] = {}
        versions, changed, moved, stale = [], [], [], []
        added = 0
        for key, plan in plans.items():
            for game in plan.games.values():
                numbers = game.numbers(new)
                kept = {
                    one for one in numbers if one.stored and (one.number, one.game) == (numbers[one], game.number)
                }
                for one in numbers.keys() - kept:
                    if numbers[one] < 0:
                        versions.append((*key, as_json(one.said), numbers[one], game.number, *one.parts))
                for one in (*numbers, *(repeated := dict(game.repeated))):
                    number = numbers[repeated.get(one, one)]
                    if one.row >= 0:
                        rows[one.row] = number
                    elif one.number != number:
                        moved.append((one.number, number))
                    if one.number < 0 and one not in kept:
                        stale.append(one.number)
            for game in plan.changed:
                changed.append(self._row(key, game))
                if game.number not in plan.group.before and game.number not in written:
                    added += self._run(
                        "insert into positions select key, ?, ply, move from positions where game = ?",
                        [game.number, min(plan.group.before)],
                    )[0][0]
        self._delete("versions where id", stale)
        self._insert("versions", _VERSIONS, versions)
        if moved:
            self._run(_MOVE, [list(column) for column in zip(*moved, strict=True)])
        gone = [game for plan in plans.values() for game in plan.gone]
        self._delete("games where id", [*gone, *(row[0] for row in changed)])
        self._insert("games", _GAMES, changed)
        self._numbers.save()
        return added - self._delete("positions where game", gone), rows

    def _row(self, key: Key, game: VersionedGame) -> tuple[Any, ...]:
        first = game.versions[0]
        made = row_of(0, self._together(game.versions), "", self._same)
        values: dict[str, Any] = made._asdict()
        values |= {
            "id": game.number,
            "source": 0,  # `RECOUNT` finds it
            "black": self._numbers[made.black_name],
            "white": self._numbers[made.white_name],
            "year": None if made.year == NO_NUMBER else made.year,
            "score": None if made.score == NO_NUMBER else made.score,
            "winner": None if made.winner == NO_WINNER else made.winner,
            **dict(zip(("digest_high", "digest_low", "copy"), key, strict=True)),
            "details": as_json(first.said),
            "merged": len(game.versions) > 1,
        }
        return tuple(values[name] for name in _GAMES)

    def _together(self, versions: list[Version]) -> Record:
        """Return what the versions of a game say together: the longest record, and every tag that one knows."""
        longest = max(versions, key=lambda one: len(one.parts.record))
        record = record_of(self._database, (longest.game, *longest.parts))
        if len(versions) == 1:
            return record
        tags = Tags(json.loads(versions[0].parts.tags))
        for version in versions[1:]:
            for name, value in _known_tags(version.parts.tags).items():
                better = name == "Date" and set(parts_of(value)) > set(parts_of(tags["Date"]))
                if better or not known(tags.get(name, "")):
                    tags[name] = value
        results = [one.parts.result for one in (longest, *versions)]
        result = next((result for result in results if result not in _UNDECIDED), results[0])
        return Record(tags, record.start, record.line, result)

    def _insert(self, table: str, types: dict[str, str], rows: list[tuple[Any, ...]]) -> None:
        if rows:
            columns = ", ".join(f"unnest(?::{type_}[]) as {name}" for name, type_ in types.items())
            self._run(
                f"insert into {table} by name select {columns}", [list(one) for one in zip(*rows, strict=True)]
            )

    def _delete(self, rows: str, games: list[int]) -> int:
        """Delete rows of games; return how many there were."""
        if not games:
            return 0
        ((count,),) = self._run(f"delete from {rows} in (select unnest(?::integer[]))", [games])
        return int(count)


def parts_of_row(row: GameRow) -> Parts:
    """Return the record of a row."""
    return Parts(row.record, row.tags, row.rules, row.start, row.moves, row.result)
