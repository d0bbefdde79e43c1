"""Games that several files have: which of their versions are one game, and what these say together.

A group is all games with one key. Its versions are what the files say, and its games depend on the versions
alone, not on the order in which they came. A version that says nothing beyond another one of its game is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias

from reversi.games.database.players import PlayerNumbers
from reversi.games.database.rows import NO_NUMBER, NO_WINNER, GameRow, row_of
from reversi.games.identity import SAME, Details, Place, Same, Why, divide, events_differ, says_most
from reversi.records.dates import parts_of
from reversi.records.facts import known
from reversi.records.formats.database.file import DatabaseError, DatabaseFile
from reversi.records.formats.database.reader import record_of
from reversi.records.record import Record, Tags

RECOUNT: Final = "update sources set games = (select count(*) from games where source = sources.id)"
"""Counts the games of each source again."""

Key: TypeAlias = tuple[int, int, int]
"""What the games of a group share: a digest as two numbers, and which copy of games that one source repeats."""

_KEY: Final = "digest_high, digest_low, copy"
_SOME_KEYS: Final = (
    "select unnest(?::ubigint[]) as digest_high, unnest(?::ubigint[]) as digest_low,"
    " unnest(?::usmallint[]) as copy"
)
_SIZE: Final = "select (select count(*) from games), (select count(*) from positions)"
_ALONE: Final = (
    "create or replace temp table alone as select game from claims group by game having bool_and(source = ?)"
)
_ALONE_APART: Final = "select game from alone join games on id = game where not merged"
# the other sources of the games of one
_OTHERS: Final = """
select game, source, min(number) from claims where source <> $1
and game in (select game from claims where source = $1) group by game, source
"""
_INHERIT: Final = """
update games set source = c.source, number = c.number from (
    select game, min(source) as source, arg_min(number, (source, number)) as number from claims
    where source <> $1 group by game
) c where id = c.game and games.source = $1 and not merged
"""
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
    **dict.fromkeys(("source", "number", "game"), "integer"),
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
    """What a file says about a game.

    Attributes:
        said: what is known about the game.
        source: the number of its source.
        number: its number in the source.
        parts: the record.
        game: the number of the game in the database, 0 for a new version.
        row: which row of a block of new games it is, -1 for a version of the database.
    """

    said: Details
    source: int
    number: int
    parts: Parts
    game: int = 0
    row: int = -1

    @property
    def rank(self) -> tuple[Any, ...]:
        """A key that sorts those first that say most, in an order that does not depend on that of the sources."""
        return *says_most(self.said), -len(self.parts.record), -len(self.parts.tags), self.parts

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
        before: the versions that each game has in the database, by its number there.
        stored: whether the table `versions` has the versions; if not, they are the games.
    """

    versions: list[Version] = field(default_factory=list)
    before: dict[int, list[Version]] = field(default_factory=dict)
    stored: bool = False


@dataclass(slots=True, eq=False)
class VersionedGame:
    """A game, and its versions.

    Attributes:
        versions: its versions, the one that says most first.
        others: versions that could be other games, too.
        number: its number in the database, 0 for a new game.
    """

    versions: list[Version] = field(default_factory=list)
    others: list[Version] = field(default_factory=list)
    number: int = 0


@dataclass(slots=True, eq=False)
class Plan:
    """What becomes of a group.

    Attributes:
        group: the group.
        places: the places of all details.
        games: the games, by the details of the version that says most.
        gone: the numbers of the games that are no more.
        stored: whether the table `versions` must have the versions.
        changed: the games whose rows differ from what they were.
    """

    group: Group
    places: dict[Details, Place]
    games: dict[Details, VersionedGame]
    gone: list[int]
    stored: bool
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
    places = divide(version.said for version in group.versions)
    games = {kept: VersionedGame() for kept in dict.fromkeys(place.kept for place in places.values())}
    for version in sorted(group.versions, key=lambda one: one.rank):
        kept, several = places[version.said]
        game = games[kept]
        for at, one in enumerate(game.versions):
            if one.covers(version):  # the game belongs to the source that had it first
                source, number = min((one.source, one.number), (version.source, version.number))
                game.versions[at] = replace(one, source=source, number=number, game=one.game or version.game)
                break
        else:
            (game.others if several else game.versions).append(version)
    gone = _number(list(games.values()), group.before)
    stored = any(len(game.versions) + len(game.others) > 1 for game in games.values())
    changed = [
        game
        for game in games.values()
        if stored != group.stored or {*game.versions, *game.others} != set(group.before.get(game.number, ()))
    ]
    return Plan(group, places, games, gone, stored, changed)


def _number(games: list[VersionedGame], before: Iterable[int]) -> list[int]:
    """Give games the numbers that they had; return the numbers that are left.

    A game that was no game of its own before comes first: a new one is then seen to be added.
    """
    left = sorted(before)
    games = sorted(games, key=lambda game: game.versions[0].row >= 0)
    for own in (True, False):
        for game in games:
            if not game.number and left and (own or game.versions[0].row < 0):
                there = [one.game for one in game.versions if one.game in left] if own else left
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
        columns = f"details, source, number, {', '.join(Parts._fields)}"
        for table, game, where in (("versions", "game", "true"), ("games", "id", "not merged")):
            for high, low, copy, number, *rest in self._run(
                f"select {_KEY}, {game}, {columns} from {table} join ({_SOME_KEYS}) using ({_KEY}) where {where}",
                [list(column) for column in zip(*groups, strict=True)],
            ):
                group = groups[high, low, copy]
                group.stored = table == "versions"
                group.versions.append(self._version(number, rest))
        for group in groups.values():
            for version in sorted(group.versions, key=lambda one: one.rank):
                group.before.setdefault(version.game, []).append(version)
        return groups

    def _version(self, game: int, row: Sequence[Any]) -> Version:
        details, source, number, *parts = row
        try:
            return Version(tuple(json.loads(details)), source, number, Parts(*parts), game)
        except ValueError as error:
            raise DatabaseError(f"{self._database.path}: game {game} is damaged: {error}") from None

    def retagged(self, number: int, parts: Parts, said: Iterable[str], tags: dict[str, str]) -> GameRow:
        """Return the row of a game with other tags.

        Args:
            number: its number in its source.
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
                row = self.retagged(version.number, version.parts, version.said, tags[version.game])
                group.versions.remove(version)
                said = tuple(json.loads(row.details))
                moved.append((group, copy, row, replace(version, parts=parts_of_row(row), said=said)))
        changed |= self.load(
            {(row.digest_high, row.digest_low, copy) for _, copy, row, _ in moved} - changed.keys()
        )
        for group, first, row, version in moved:
            for copy in count(first):  # a source may have several of these
                key = (row.digest_high, row.digest_low, copy)
                if key not in changed:
                    changed |= self.load([key])
                target = changed[key]
                there = [one.said for one in target.versions if one.source == version.source]
                if row.sure or version.said not in there:
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

        Of a game that others have stays what these say, where that is known apart from what the source says.
        """
        ((before, positions),) = self._run(_SIZE)
        self._run("delete from sources where id = ?", [source])
        others: dict[int, dict[int, int]] = {}
        for game, other, number in self._run(_OTHERS, [source]):
            others.setdefault(game, {})[other] = number
        whole = self.load(self._run(f"select distinct {_KEY} from versions where source = ?", [source]))
        self._run(_ALONE, [source])
        self._run(f"delete from positions where game in ({_ALONE_APART})")
        self._run(f"delete from games where id in ({_ALONE_APART})")
        self._run(_INHERIT, [source])
        for group in whole.values():
            group.versions = list(_left(group.versions, source, others))
        self.settle(whole)
        self._run("delete from claims where source = ?", [source])
        ((now, left),) = self._run(_SIZE)
        return before - now, positions - left

    def number(self, games: list[VersionedGame]) -> None:
        """Give new games the next numbers."""
        ((last,),) = self._run("select coalesce(max(id), 0) from games")
        for number, game in enumerate(games, last + 1):
            game.number = number

    def write(self, plans: dict[Key, Plan], written: Container[int] = ()) -> int:
        """Write what becomes of groups. All games must have numbers. Games without positions get those of another.

        Args:
            plans: what becomes of each.
            written: new games whose positions are written elsewhere.

        Returns:
            How many positions there are more.
        """
        emptied = [key for key, plan in plans.items() if plan.group.stored]
        if emptied:
            self._run(
                f"delete from versions where ({_KEY}) in (select ({_KEY}) from ({_SOME_KEYS}))",
                [list(column) for column in zip(*emptied, strict=True)],
            )
        versions, changed = [], []
        added = 0
        for key, plan in plans.items():
            for game in plan.games.values() if plan.stored else ():
                for one in (*game.versions, *game.others):
                    versions.append((*key, _json(one.said), one.source, one.number, game.number, *one.parts))
            for game in plan.changed:
                changed.append(self._row(key, game, merged=plan.stored))
                if game.number not in plan.group.before and game.number not in written:
                    added += self._run(
                        "insert into positions select key, ?, ply, move from positions where game = ?",
                        [game.number, min(plan.group.before)],
                    )[0][0]
        self._insert("versions", _VERSIONS, versions)
        self._claim(plans.values())
        gone = [game for plan in plans.values() for game in plan.gone]
        self._delete("games where id", [*gone, *(row[0] for row in changed)])
        self._insert("games", _GAMES, changed)
        self._numbers.save()
        return added - self._delete("positions where game", gone)

    def _claim(self, plans: Iterable[Plan]) -> None:
        """Give the sources of games the games that these are now."""
        moved: list[tuple[int, int, int]] = []
        parted: list[tuple[int, int, int, int]] = []
        gone: list[tuple[int, int]] = []
        for plan in plans:
            now = {}
            ways: dict[tuple[int, int], dict[int, int]] = {}  # of what a source says about a game
            for game in plan.games.values():
                for one in (*game.versions, *game.others):
                    now[one.game] = game.number
                    ways.setdefault((one.source, one.game), {})[one.number] = game.number
            for (source, before), numbers in ways.items():
                first = min(numbers.values())
                if before and len({*numbers.values()}) > 1:
                    rest = before if before in numbers.values() else first
                    claims = self._run("select number from claims where source = ? and game = ?", [source, before])
                    parted += [(source, number, before, numbers.get(number, rest)) for (number,) in claims]
                elif before not in (0, first):
                    moved.append((source, before, first))
            for number in plan.gone if plan.games else ():  # else nobody says anything about them any more
                said = next((one.said for one in plan.group.before[number] if one.said in plan.places), None)
                game = next(iter(plan.games.values())) if said is None else plan.games[plan.places[said].kept]
                gone.append((number, now.get(number, game.number)))
        for names, rows in (
            (("source", "game"), moved),
            (("source", "number", "game"), parted),
            (("game",), gone),
        ):
            if rows:
                columns = ", ".join(f"unnest(?::integer[]) as {name}" for name in (*names, "now"))
                self._run(
                    f"update claims set game = now from (select {columns}) moved"
                    f" where {' and '.join(f'claims.{name} = moved.{name}' for name in names)}",
                    [list(column) for column in zip(*rows, strict=True)],
                )

    def _row(self, key: Key, game: VersionedGame, *, merged: bool) -> tuple[Any, ...]:
        first, source = game.versions[0], min((one.source, one.number) for one in game.versions)
        made = row_of(first.number, self._together(game.versions), "", self._same)
        values: dict[str, Any] = made._asdict()
        values |= {
            "id": game.number,
            "source": source[0],
            "number": source[1],
            "black": self._numbers[made.black_name],
            "white": self._numbers[made.white_name],
            "year": None if made.year == NO_NUMBER else made.year,
            "score": None if made.score == NO_NUMBER else made.score,
            "winner": None if made.winner == NO_WINNER else made.winner,
            **dict(zip(("digest_high", "digest_low", "copy"), key, strict=True)),
            "details": _json(first.said),
            "merged": merged,
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


def _left(versions: list[Version], source: int, others: dict[int, dict[int, int]]) -> Iterator[Version]:
    """Yield what files say about games without a source; a source that says nothing by itself gets its word."""
    for one in versions:
        there = {version.source for version in versions if version.game == one.game}
        heirs = [item for item in others.get(one.game, {}).items() if item[0] not in there]
        if one.source != source:
            yield one
        elif heirs:
            heir, number = min(heirs)
            yield replace(one, source=heir, number=number)


def parts_of_row(row: GameRow) -> Parts:
    """Return the record of a row."""
    return Parts(row.record, row.tags, row.rules, row.start, row.moves, row.result)


def _json(said: Details) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))
