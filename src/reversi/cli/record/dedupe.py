"""``reversi record dedupe``: the games of many files in one, each game once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, NamedTuple

import typer

from reversi._system.temporary_list import TemporaryList
from reversi.cli.console import command, err, fail, reason
from reversi.cli.outputs import Inputs
from reversi.cli.record.output import GamesWriter, OutputOptions
from reversi.cli.record.same import SameOption, same_option
from reversi.cli.record.streams import PathsArgument, ReadingOptions, WorkersOption
from reversi.cli.status import Status
from reversi.games.files import FileGames
from reversi.games.identity import Duplicate, Duplicates, Identity, Same, Twins, identify, reasons_in_words
from reversi.games.texts import GameText, game_texts, identified_texts, players_and_date
from reversi.games.workers import each_made
from reversi.records.entry import Entry
from reversi.text.counting import counted


class _Game(NamedTuple):
    """A game that was read.

    Attributes:
        place: the file, as messages call it.
        number: the number of the game in its file, from 1.
        who: the players and the date.
        identity: the identity of the game, without details.
        text: the game in this project's format, where the output has that format.
        entry: the game, where the output has another format.
    """

    place: str
    number: int
    who: str
    identity: Identity
    text: GameText | None = None
    entry: Entry | None = None

    def __str__(self) -> str:
        return f"{self.place}:game {self.number}"

    def as_text(self) -> str:
        text = self.text
        if text is None and self.entry is not None:
            (text,) = game_texts((self.entry,))
        return text.text if text is not None else ""


@command
def dedupe(
    paths: PathsArgument,
    output: OutputOptions,
    same: SameOption = "",
    twins: Annotated[
        bool,
        typer.Option(
            "--twins", help="Report games that match an earlier game in moves and year, but not in names."
        ),
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
    compared = same_option(same)
    with output.writer(output.output, Inputs(*paths)) as writer, TemporaryList[_Game]() as kept:
        games = reading.games(paths, writer.outcome)
        try:
            duplicates = _found(games, kept, writer.takes_texts, compared, workers)
        except OSError as error:
            fail(Status.CANNOT_WRITE, f"the temporary file of the games cannot be written: {reason(error)}")
        others = _write(kept, duplicates, writer, report_twins=twins)
        writer.report(games.count, games.broken)
        listed = writer.outcome.listed
        if listed is not None:
            listed += _lines(kept, duplicates)
        if duplicates:
            parts = reasons_in_words(why for _, why in duplicates.values())
            how = "; --report FILE lists them" if listed is None else ""
            err(f"reversi: {counted(len(duplicates), 'game')} left out: {parts}{how}")
        if others.count:
            how = "" if twins else "; --twins lists them, --same moves,year leaves them out"
            err(f"reversi: same moves and year as an earlier game, other names: {others.count}{how}")


def _found(
    games: FileGames, kept: TemporaryList[_Game], as_texts: bool, same: Same, workers: int
) -> dict[int, Duplicate]:
    """Read all games, and return those to leave out."""
    duplicates = Duplicates()
    for game in _texts(games, same, workers) if as_texts else _entries(games, same):
        duplicates.add(game.identity)
        kept.append(game._replace(identity=game.identity._replace(details=())))
    return duplicates.found(lambda number: kept[number].as_text())


def _texts(games: FileGames, same: Same, workers: int) -> Iterator[_Game]:
    for place, (identity, who, text) in each_made(games, partial(identified_texts, same), workers):
        yield _Game(place, text.number, who, identity, text=text)


def _entries(games: FileGames, same: Same) -> Iterator[_Game]:
    for entry in games:
        identity = identify(entry.record, entry.format_, same)
        yield _Game(games.at, entry.number, players_and_date(entry), identity, entry=entry)


def _write(
    kept: TemporaryList[_Game], duplicates: dict[int, Duplicate], writer: GamesWriter, *, report_twins: bool
) -> Twins:
    """Write the games that stay."""
    twins = Twins()

    def games() -> Iterator[_Game]:
        for number, game in enumerate(kept):
            if number in duplicates:
                continue
            is_twin = twins.add(game.identity)
            yield game
            if is_twin and report_twins:
                err(f"reversi: {game.who}: same moves and year as an earlier game; game {writer.count} written")

    if writer.takes_texts:
        writer.write_texts((game.place, game.text) for game in games() if game.text is not None)
    else:
        writer.write((game.place, game.entry) for game in games() if game.entry is not None)
    return twins


def _lines(kept: TemporaryList[_Game], duplicates: dict[int, Duplicate]) -> Iterator[str]:
    for number, (stays, why) in sorted(duplicates.items()):
        yield f"{kept[number]} ({kept[number].who}) {why.value} {kept[stays]} ({kept[stays].who})"
