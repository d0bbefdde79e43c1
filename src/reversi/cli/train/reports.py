"""`reversi train list` and `stats`: exercises, moves of repertoires, and the answers to them."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from reversi.analysis.exercises.deck import exercise_fields
from reversi.analysis.exercises.drill import interval_text
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.planning import next_due
from reversi.analysis.exercises.progress import ProgressFile
from reversi.analysis.exercises.ratings import class_of, rating_of, rating_text
from reversi.analysis.exercises.school import Card, card_fields
from reversi.cli.console import command, fail, out, out_json
from reversi.cli.option_groups import Flag
from reversi.cli.state import StateOption, state_folder
from reversi.cli.status import Status
from reversi.cli.train.store import (
    CardsArgument,
    Wanted,
    answered,
    decks,
    progress_file,
    read_cards,
)
from reversi.text.counting import counted


@command
def list_(
    deck: CardsArgument = None,
    *,
    wanted: Wanted,
    json: Annotated[bool, Flag("Write one JSON object per exercise.")] = False,
    state: StateOption = None,
) -> None:
    """List exercises with difficulty, theme, right answers, due time and origin.

    Example: reversi train list

    Example: reversi train list standard --difficulty 5 --theme parity
    """
    folder = state_folder(state)
    now = datetime.datetime.now(datetime.UTC)
    progress = progress_file(folder)
    for card in _cards(deck, folder, wanted, progress):
        history = progress.of(card.id)
        if json:
            fields = {"answers": len(history.reviews), "right": history.right, "due": _time(history.due)}
            known = exercise_fields(card) if isinstance(card, Exercise) else card_fields(card)
            out_json({**known, **fields})
            continue
        when = "new" if history.due is None else "due" if history.due <= now else interval_text(history.due - now)
        score = f"{history.right}/{len(history.reviews)}" if history.reviews else "-"
        hard = "-" if card.difficulty is None else str(card.difficulty)
        out(f"{card.id}  {hard:>4}  {_theme(card):10}  {score:>5}  {when:13}  {card.place}".rstrip())


def _cards(deck: list[str] | None, folder: Path, wanted: Wanted, progress: ProgressFile) -> list[Card]:
    """Return the cards of files, by default one's own exercises and the built-in ones that were answered."""
    cards = decks(deck, folder, read_cards)
    if not deck:
        cards += answered(progress)
        if not cards:
            fail(
                Status.NO_INPUT,
                "there are no exercises yet; 'reversi train' asks built-in ones, 'reversi train make FILE' makes"
                " them from games",
            )
    return wanted.select(list({card.id: card for card in cards}.values()))


def _theme(card: Card) -> str:
    return card.theme.value if isinstance(card, Exercise) else "opening"


@command
def stats(
    deck: CardsArgument = None,
    *,
    wanted: Wanted,
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
    state: StateOption = None,
) -> None:
    """Count the exercises that are new, due now or due later, and the right answers; show your exercise rating.

    Example: reversi train stats

    Example: reversi train stats --json
    """
    folder = state_folder(state)
    now = datetime.datetime.now(datetime.UTC)
    progress = progress_file(folder)
    cards = _cards(deck, folder, wanted, progress)
    rating = rating_of(progress.progress.values())
    due = next_due(cards, progress.of)
    groups: dict[str, dict[str, list[Card]]] = {
        "themes": defaultdict(list),
        "difficulties": defaultdict(list),
    }
    for card in sorted(cards, key=lambda card: card.difficulty or 0):
        groups["themes"][_theme(card)].append(card)
        if card.difficulty is not None:
            groups["difficulties"][str(class_of(card.difficulty))].append(card)
    whole = _counts(cards, progress, now)
    if json:
        parts = {
            name: {key: _counts(group, progress, now) for key, group in groups[name].items()} for name in groups
        }
        known = {"rating": rating.rating, "low": rating.low, "high": rating.high, "answers": rating.games}
        out_json({**whole, "next_due": _time(due), "rating": known if rating.games else None, **parts})
        return
    out(f"{counted(len(cards), 'exercise')}: {whole['new']} new, {whole['due']} due, {whole['later']} later")
    share = f" ({100 * whole['right'] / whole['answers']:.0f} %)" if whole["answers"] else ""
    out(f"{counted(whole['answers'], 'answer')}, {whole['right']} right{share}")
    if due is not None and due > now:
        out(f"Next due: {interval_text(due - now)}")
    if rating.games:
        out(rating_text(rating))
    for title, name in (("Difficulty", "difficulties"), ("Theme", "themes")):
        if not groups[name]:
            continue
        out(f"\n{title:10} {'exercises':>9} {'new':>6} {'due':>6} {'answers':>8} {'right':>6}")
        for key, group in groups[name].items():
            counts = _counts(group, progress, now)
            row = f"{key:10} {counts['exercises']:9} {counts['new']:6} {counts['due']:6}"
            out(f"{row} {counts['answers']:8} {counts['right']:6}")


def _counts(cards: Iterable[Card], progress: ProgressFile, now: datetime.datetime) -> dict[str, int]:
    counts = dict.fromkeys(("exercises", "new", "due", "later", "answers", "right"), 0)
    for card in cards:
        history = progress.of(card.id)
        counts["exercises"] += 1
        counts["new" if not history.reviews else "due" if history.is_due(now) else "later"] += 1
        counts["answers"] += len(history.reviews)
        counts["right"] += history.right
    return counts


def _time(time: datetime.datetime | None) -> str | None:
    return None if time is None else time.isoformat().replace("+00:00", "Z")
