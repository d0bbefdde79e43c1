"""``reversi record dedupe``: the games of many files in one, each game once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Annotated, NamedTuple

from reversi._system.temporary_list import TemporaryList
from reversi.arguments import excerpt
from reversi.cli.console import Listed, command, err, fail, reason
from reversi.cli.option_groups import Flag
from reversi.cli.outputs import Inputs
from reversi.cli.record.output import GamesWriter, OutputOptions
from reversi.cli.record.same import SameOption, same_option
from reversi.cli.record.streams import PathsArgument, ReadingOptions, WorkersOption
from reversi.cli.status import Status
from reversi.games.changes import NO_CHANGES, Changes, Dates
from reversi.games.files import FileGames
from reversi.games.identity import Duplicate, Duplicates, Twins, reasons_in_words
from reversi.games.texts import IdentifiedGame, game_texts, identified
from reversi.games.workers import Make, each_made
from reversi.records.dates import has_two_readings
from reversi.text.counting import counted


class _Game(NamedTuple):
    """A game that was read.

    Attributes:
        place: the file, as messages call it.
        number: the number of the game in its file, from 1.
        game: the game, its identity without details.
    """

    place: str
    number: int
    game: IdentifiedGame

    def __str__(self) -> str:
        return f"{self.place}:game {self.number}"

    def as_text(self) -> str:
        text = self.game.text
        if text is None and self.game.entry is not None:
            (text,) = game_texts((self.game.entry,))
        return text.text if text is not None else ""


@command
def dedupe(
    paths: PathsArgument,
    output: OutputOptions,
    same: SameOption = "",
    twins: Annotated[
        bool, Flag("Report games that match an earlier game in moves and year, but not in names.")
    ] = False,
    *,
    reading: ReadingOptions,
    workers: WorkersOption = 0,
) -> None:
    """Write each game once, in the order of the input.

    Two games are the same if their moves, rules, players and years are, and no full date, id or round that both
    have differs. In games of fewer than 20 moves or without names, other dates, times and events differ, too.
    --same says what to compare instead. Of games that are the same, the one with the most details stays. Mirror
    images and rotations have the same moves. In names, case, accents, spaces, hyphens, apostrophes and the order
    of the words make no difference.

    Example: reversi record dedupe all.pgn -o games.pgn --report duplicates.txt
    """
    write_once(paths, output, NO_CHANGES, same, reading, workers, twins=twins)


def write_once(
    paths: list[str],
    output: OutputOptions,
    changes: Changes,
    same: str,
    reading: ReadingOptions,
    workers: int,
    *,
    twins: bool = False,
) -> None:
    """Write each game of files once, with changes, and report what is left out or changed."""
    compared = same_option(same)
    with output.writer(output.output, Inputs(*paths)) as writer, TemporaryList[_Game]() as kept:
        games = reading.games(paths, writer.outcome, cut=changes.cut)
        changed: Counter[tuple[str, str, str]] = Counter()
        make = partial(identified, compared, changes, writer.takes_texts)
        try:
            duplicates = _found(games, kept, make, workers if writer.takes_texts else 1, changed)
        except OSError as error:
            fail(Status.CANNOT_WRITE, f"the temporary file of the games cannot be written: {reason(error)}")
        others = _write(kept, duplicates, writer, report_twins=twins)
        writer.report(games.count, games.broken)
        listed = writer.outcome.listed
        how = "; --report FILE lists them" if listed is None else ""
        if listed is not None:
            listed += _lines(kept, duplicates)
            listed += _changes(changed)
        if duplicates:
            parts = reasons_in_words(why for _, why in duplicates.values())
            err(f"reversi: {counted(len(duplicates), 'game')} left out: {parts}{how}")
        if changed:
            err(f"reversi: {counted(changed.total(), 'tag')} changed: {_by_tag(changed)}{how}")
        if changes.dates is Dates.KEEP:
            _tell_unclear(kept, listed)
        if others.count:
            how = "" if twins else "; --twins lists them, --same moves,year leaves them out"
            err(f"reversi: same moves and year as an earlier game, other names: {others.count}{how}")


def _found(
    games: FileGames,
    kept: TemporaryList[_Game],
    make: Make[IdentifiedGame],
    workers: int,
    changed: Counter[tuple[str, str, str]],
) -> dict[int, Duplicate]:
    """Read all games, and return those to leave out."""
    duplicates = Duplicates()
    for place, game in each_made(games, make, workers):
        duplicates.add(game.identity)
        changed.update(game.changed)
        number = game.number
        kept.append(_Game(place, number, game._replace(identity=game.identity._replace(details=()))))
    return duplicates.found(lambda number: kept[number].as_text())


def _write(
    kept: TemporaryList[_Game], duplicates: dict[int, Duplicate], writer: GamesWriter, *, report_twins: bool
) -> Twins:
    """Write the games that stay."""
    twins = Twins()

    def games() -> Iterator[_Game]:
        for number, one in enumerate(kept):
            if number in duplicates:
                continue
            is_twin = twins.add(one.game.identity)
            yield one
            if is_twin and report_twins:
                who = one.game.who
                err(f"reversi: {who}: same moves and year as an earlier game; game {writer.count} written")

    if writer.takes_texts:
        writer.write_texts((one.place, one.game.text) for one in games() if one.game.text is not None)
    else:
        writer.write((one.place, one.game.entry) for one in games() if one.game.entry is not None)
    return twins


def _lines(kept: TemporaryList[_Game], duplicates: dict[int, Duplicate]) -> Iterator[Listed]:
    for number, (stays, why) in sorted(duplicates.items()):
        one, other = kept[number], kept[stays]
        line = f"{one} ({one.game.who}) {why.value} {other} ({other.game.who})"
        same = {"same_as": {"file": other.place, "game": other.number}, "reason": why.name.lower()}
        yield Listed(line, one.place, one.number, same)


def _tell_unclear(kept: TemporaryList[_Game], listed: list[Listed] | None) -> None:
    """Say which dates have two readings."""
    unclear = [
        Listed(f"{one}: the date {one.game.who.date} has two readings", one.place, one.number)
        for one in kept
        if has_two_readings(one.game.who.date)
    ]
    if unclear:
        count = f", as in {counted(len(unclear) - 1, 'other game')}" if len(unclear) > 1 else ""
        err(f"reversi: {unclear[0].message}{count}; give --dates dmy or --dates mdy")
    if listed is not None:
        listed += unclear


def _by_tag(changed: Counter[tuple[str, str, str]]) -> str:
    """Return how many values of each tag are changed."""
    tags: Counter[str] = Counter()
    for (tag, _, _), count in changed.items():
        tags[tag] += count
    return ", ".join(f"{count} {tag}" for tag, count in tags.items())


def _changes(changed: Counter[tuple[str, str, str]]) -> Iterator[Listed]:
    for (tag, old, new), count in sorted(changed.items()):
        line = f"{tag} {excerpt(old)} is now {excerpt(new)} in {counted(count, 'game')}"
        yield Listed(line, more={"tag": tag, "old": old, "new": new, "games": count})
