"""Games of Othello Quest in JSON, an object each: ``players`` (Black first) and ``position.moves``.

A move is an object with ``m`` (the square, ``-`` for a pass), ``s`` (how the game ended: ``RESIGN``, ``TIMEUP``),
or both; with ``s`` the player to move after it loses. ``position.startPos`` is a transcript of the moves before
them, as in XOT. A player is a name, or an object with ``name`` or ``id`` and the ratings ``oldR`` and ``newR``.
``id``, ``created``, ``gtype``, ``tcb`` (milliseconds) and ``finalStatus`` become tags. What else ``position`` has
may change the game, and is a finding; other members are not read, and the first game that has them says so.

A file holds one object, several, an array of them, or one with the list ``games``. Source: descriptions of the
service's files, not its data: without a real file to compare.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import reversi._regex as re
from reversi._core import PASS, Move, Position, Square
from reversi.arguments import excerpt
from reversi.errors import RecordError
from reversi.records.dialects import complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code
from reversi.records.formats.format import TextFormat
from reversi.records.formats.game_per_line import refuse_unless_plain
from reversi.records.formats.json_objects import DECODER, JsonObject, begins_json, read_objects
from reversi.records.formats.source import Source
from reversi.records.holding import capabilities
from reversi.records.limits import MAX_PARTS
from reversi.records.record import Line, Node, Record, Tags
from reversi.records.replay import board_result
from reversi.text.transcripts import read_transcript_moves

_ENDINGS: Final = {"RESIGN": "resignation", "TIMEUP": "time forfeit"}
_STATUSES: Final = {termination: status for status, termination in _ENDINGS.items()}
_SQUARE = re.compile(r"[a-h][1-8]", re.IGNORECASE)
_POSITION = re.compile(r'"position"\s*:\s*\{')
_LIST = re.compile(r'[\s\ufeff]*\{[^\[\]{}]{0,1000}"games"\s*:\s*\[')
_HEAD: Final = 100_000  # characters that show what a text is

_TAGS: Final = {"id": "GameId", "gtype": "Variant", "finalStatus": "FinalStatus"}
_RATINGS: Final = {"oldR": "Elo", "newR": "EloAfter"}
_USUAL: Final = "reversi"
_CREATED = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9:]{8}(?:\.[0-9]{1,9})?)Z)?")
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_TIME = re.compile(r"[0-9:]{8}(?:\.[0-9]{1,9})?")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,9})?")


def is_quest(text: str) -> bool:
    head = text[:_HEAD]
    position = _POSITION.search(head) if begins_json(head) else None
    return position is not None and '"moves"' in head[position.end() :]


def read_quest(text: str) -> Iterator[Entry]:
    """Read the games of a text, one at a time. A malformed object has a finding, and the next ones follow."""
    source = Source(text)
    named: set[str] = set()
    around: list[str] = []
    number = 0
    for number, one in enumerate(_objects(source, around), 1):
        entry = Entry(number, one.line, Record(), ours=False, result_line=one.line)
        if one.members is not None:
            unread = [*around, *_read_game(source, one.at, entry, one.members)]
            if new := [name for name in dict.fromkeys(unread) if name not in named]:
                entry.note = f"not read: {', '.join(new)}"
                named.update(new)
        elif one.finding is not None:
            entry.findings.append(one.finding)
        yield entry
    if not number:
        raise RecordError("the text contains no games")


def _objects(source: Source, around: list[str]) -> Iterator[JsonObject]:
    """Yield the objects of games; of one with a list of games, those of the list. What is around it is named."""
    for one in read_objects(source):
        members = one.members or {}
        if isinstance(games := members.get("games"), list) and "position" not in members:
            around[:] = [name for name in members if name != "games"]
            begin = _LIST.match(source.text, one.at)
            inner = read_objects(source, begin.end()) if begin else iter(())
            for game in games:
                place = next(inner, one)
                same = place if place.members == game else one  # where it stands, as far as that is known
                is_game = isinstance(game, dict)
                wrong = source.finding(Code.SYNTAX, f"{excerpt(json.dumps(game)[:100])} is not a game", same.at)
                yield same._replace(members=game if is_game else None, finding=None if is_game else wrong)
        else:
            yield one


def _read_game(source: Source, at: int, entry: Entry, game: dict[str, Any]) -> list[str]:
    """Read a game; return the names of its members that are not read."""
    pairs, unread = _head(game)
    entry.record = record = Record(Tags(pairs), Position())
    position = game.get("position")
    position = position if isinstance(position, dict) else {}
    moves, before = position.get("moves"), position.get("startPos", "")
    unknown = [name for name in position if name not in ("moves", "startPos")]
    if unknown:
        message = f"position has {excerpt(unknown[0])}, which may change the game: it is not read"
        entry.findings.append(source.finding(Code.UNKNOWN_MEMBER, message, at))
    if not isinstance(moves, list) or len(moves) > MAX_PARTS:
        message = "position.moves is missing" if moves is None else "position.moves is not a list of moves"
        if isinstance(moves, list):
            message = f"more than {MAX_PARTS} moves in one game"
        entry.findings.append(source.finding(Code.SYNTAX, message, at))
        return unread
    start = read_transcript_moves(before) if isinstance(before, str) else None
    if start is None or start.strange is not None:
        shown = excerpt(start.strange.text if start and start.strange else json.dumps(before)[:100])
        message = f"position.startPos: {shown} is not a move"
        entry.findings.append(source.finding(Code.INVALID_MOVE, message, at, len(start.moves) + 1 if start else 1))
        return unread
    line, status = entry.line, ""
    record.line.nodes = Line.of_numbers(start.moves, line).nodes
    for number, item in enumerate(moves, 1):
        members = item if isinstance(item, dict) else {}
        word, ended = members.get("m"), members.get("s")
        unread += [f"position.moves.{name}" for name in members if name not in ("m", "s")]
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
    return unread


def _head(game: dict[str, Any]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the tags of a game, and the names of its members that have none."""
    pairs: list[tuple[str, str]] = []
    unread: list[str] = []
    for name, value in game.items():
        text = value if isinstance(value, str) else ""
        if name in _TAGS:
            pairs += [(_TAGS[name], text)] if text and (name, text) != ("gtype", _USUAL) else []
        elif name == "created" and (found := _CREATED.fullmatch(text)):
            pairs += [("Date", ".".join(found.groups()[:3]))]
            pairs += [("UTCTime", found[4])] if found[4] else []
        elif name == "tcb" and text.isdecimal():
            pairs.append(("TimeControl", f"{int(text) / 1000:.3f}".rstrip("0").rstrip(".")))
        elif name == "players" and isinstance(value, list):
            for color, player in zip(("Black", "White"), value, strict=False):
                player_pairs, others = _player(color, player)
                pairs += player_pairs
                unread += others
        elif name != "position":
            unread.append(name)
    return pairs, unread


def _player(color: str, player: object) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the tags of a player, and the names of the members that have none."""
    if isinstance(player, str):
        return [(color, player)], []
    pairs: list[tuple[str, str]] = []
    unread: list[str] = []
    members = player if isinstance(player, dict) else {}
    for name, value in members.items():
        is_name = name == "name" or (name == "id" and not isinstance(members.get("name"), str))
        tag = color if is_name else f"{color}Id" if name == "id" else f"{color}{_RATINGS.get(name, '')}"
        if isinstance(value, str) and (is_name or name == "id" or name in _RATINGS):
            pairs.append((tag, value))
        elif value is not None:
            unread.append(f"players.{name}")
    return pairs, unread


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
    game = _game(record)
    game["position"] = {"moves": moves}
    return json.dumps(game, ensure_ascii=False, separators=(",", ":"))


def _game(record: Record) -> dict[str, object]:
    """Return what is said of a game beside its moves."""
    tags = record.tags
    game: dict[str, object] = {name: tags[tag] for name, tag in _TAGS.items() if tags.get(tag)}
    if date := _DATE.fullmatch(tags["Date"]):
        time = tags.get("UTCTime", "")
        game["created"] = "-".join(date.groups()) + (f"T{time}Z" if _TIME.fullmatch(time) else "")
    if _NUMBER.fullmatch(time := tags.get("TimeControl", "")) and float(time) >= 0:
        game["tcb"] = round(1000 * float(time))
    game["players"] = [
        {"name": tags[color], **({"id": tags[f"{color}Id"]} if f"{color}Id" in tags else {})}
        | {
            name: json.loads(rating)
            for name, tag in _RATINGS.items()
            if _NUMBER.fullmatch(rating := tags.get(f"{color}{tag}", ""))
        }
        for color in ("Black", "White")
    ]
    return game


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
    if name == "Termination":
        return _status(record) != ""
    game = DECODER.decode(json.dumps(_game(record), ensure_ascii=False))  # as it is read again
    return (name, value) in _head(game)[0]


def _cut(text: str) -> re.Pattern[str] | None:
    return None if _LIST.match(text) else re.compile(r"\n(?=\{)")


FORMAT: Final = TextFormat(
    name="quest",
    title="Othello Quest JSON",
    suffixes=(".json",),
    holds=capabilities("players", "rules", "starts", partly={"results": _loses_result}, keeps_tag=_keeps_tag),
    recognize=is_quest,
    read=lambda text, rules: read_quest(text),
    write=lambda record, number: format_quest(record) + "\n",
    cut=_cut,
)
