"""Games of Othello Quest in JSON, an object each: ``players`` (Black first) and ``position.moves``.

A move is an object with ``m`` (the square, ``-`` for a pass), ``s`` (how the game ended: ``RESIGN``, ``TIMEUP``),
or both; with ``s`` the player to move after it loses. A player is a name, or an object with ``name`` or ``id``;
``id`` becomes the tag ``GameId``. Other members are not read. A file holds one object, several, or an array of
them. Source: a description of the service's files, not its data: without a real file to compare.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from reversi._core import PASS, Move, Position, Square
from reversi.errors import RecordError
from reversi.records.capabilities import capabilities
from reversi.records.dialects import complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code
from reversi.records.formats.format import TextFormat
from reversi.records.formats.game_per_line import refuse_unless_plain
from reversi.records.formats.json_objects import begins_json, read_objects
from reversi.records.formats.source import Source
from reversi.records.limits import MAX_PARTS
from reversi.records.record import Node, Record, Tags
from reversi.records.replay import board_result
from reversi.text.decoding import excerpt

_ENDINGS: Final = {"RESIGN": "resignation", "TIMEUP": "time forfeit"}
_STATUSES: Final = {termination: status for status, termination in _ENDINGS.items()}
_SQUARE = re.compile(r"[a-h][1-8]", re.IGNORECASE)
_POSITION = re.compile(r'"position"\s*:\s*\{')
_HEAD: Final = 100_000  # characters that show what a text is


def is_quest(text: str) -> bool:
    head = text[:_HEAD]
    position = _POSITION.search(head) if begins_json(head) else None
    return position is not None and '"moves"' in head[position.end() :]


def read_quest(text: str) -> Iterator[Entry]:
    """Read the games of a text, one at a time. A malformed object has a finding, and the next ones follow."""
    source = Source(text.removeprefix("\ufeff"))
    number = 0
    for number, one in enumerate(read_objects(source), 1):
        entry = Entry(number, one.line, Record(), ours=False, result_line=one.line)
        if one.members is not None:
            _read_game(source, one.at, entry, one.members)
        elif one.finding is not None:
            entry.findings.append(one.finding)
        yield entry
    if not number:
        raise RecordError("the text contains no games")


def _read_game(source: Source, at: int, entry: Entry, game: dict[str, Any]) -> None:
    position = game.get("position")
    moves = position.get("moves") if isinstance(position, dict) else None
    pairs = [("GameId", game["id"])] if isinstance(game.get("id"), str) and game["id"] else []
    players = game.get("players")
    if isinstance(players, list):
        for name, player in zip(("Black", "White"), players, strict=False):
            if (player_name := _player(player)) is not None:
                pairs.append((name, player_name))
    entry.record = record = Record(Tags(pairs), Position())
    if not isinstance(moves, list) or len(moves) > MAX_PARTS:
        message = "position.moves is missing" if moves is None else "position.moves is not a list of moves"
        if isinstance(moves, list):
            message = f"more than {MAX_PARTS} moves in one game"
        entry.findings.append(source.finding(Code.SYNTAX, message, at))
        return
    line, status = entry.line, ""
    for number, item in enumerate(moves, 1):
        word = item.get("m") if isinstance(item, dict) else None
        ended = item.get("s") if isinstance(item, dict) else None
        if word is None and isinstance(ended, str) and ended:
            status = ended
            continue
        move = _move(word)
        if move is None:
            shown = excerpt(word if isinstance(word, str) else json.dumps(item)[:100])
            ply = len(record.line.nodes) + 1
            entry.findings.append(
                source.finding(Code.INVALID_MOVE, f"move {number}: {shown} is not a move", at, ply)
            )
            break
        record.line.nodes.append(Node(move, source_line=line))
        status = ended if isinstance(ended, str) and ended else status
    complete_entry(entry)
    if status:
        _end(record, status)


def _player(player: object) -> str | None:
    """Return the name of a player, ``None`` where there is none."""
    if isinstance(player, dict):
        player = player.get("name", player.get("id"))
    return player if isinstance(player, str) else None


def _move(word: object) -> Move | None:
    if word == "-":
        return PASS
    return Square(word.lower()) if isinstance(word, str) and _SQUARE.fullmatch(word) else None


def _end(record: Record, status: str) -> None:
    """Give a record the ending that a status says; the player to move loses, unless the board decides."""
    record.tags["Termination"] = _ENDINGS.get(status, status)
    if status in _ENDINGS and board_result(record) is None:
        record.result = _lost_by_mover(record)


def _lost_by_mover(record: Record) -> str:
    return "0-1" if len(record.line.nodes) % 2 == 0 else "1-0"


def format_quest(record: Record) -> str:
    """Return a game as an object on one line, without its end."""
    refuse_unless_plain(record, "Othello Quest", with_passes=True)
    moves = [{"m": "-" if move.is_pass else str(move)} for move in record.moves]
    if status := _status(record):
        moves.append({"s": status})
    identity = record.tags.get("GameId", "")
    game: dict[str, object] = {"id": identity} if identity else {}
    game["players"] = [{"name": record.black}, {"name": record.white}]
    game["position"] = {"moves": moves}
    return json.dumps(game, ensure_ascii=False, separators=(",", ":"))


def _status(record: Record) -> str:
    """Return how a game ended, in a word of Othello Quest; empty where the board or nothing says it."""
    status = _STATUSES.get(record.tags.get("Termination", ""), "")
    if not status or board_result(record) is not None or record.result != _lost_by_mover(record):
        return ""
    return status


def _loses_result(record: Record) -> bool:
    on_board = board_result(record)
    if on_board is not None:
        return record.result != on_board.discs
    return record.result != "*" and not _status(record)


def _keeps_tag(record: Record, name: str, value: str, times: int) -> bool:
    if times > 1:
        return False
    return (name == "GameId" and value != "") or (name == "Termination" and _status(record) != "")


FORMAT: Final = TextFormat(
    name="quest",
    title="Othello Quest JSON",
    suffixes=(".json",),
    holds=capabilities("players", "rules", "starts", partly={"results": _loses_result}, keeps_tag=_keeps_tag),
    recognize=is_quest,
    read=lambda text, rules: read_quest(text),
    write=lambda record, number: format_quest(record) + "\n",
    cut=re.compile(r"\n(?=\{)"),
)
