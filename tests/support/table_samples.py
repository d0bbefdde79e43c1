"""Tables of games in shapes that other programs and people write."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from record_samples import random_record
from reversi.records import Record, Tags
from reversi.records.outcome import winner_word
from reversi.records.replay import board_result

GAMES: Final = 12


def games() -> list[Record]:
    """Return finished games with players and dates."""
    made = []
    for seed in range(GAMES):
        record = random_record(seed)
        result = board_result(record)
        assert result is not None
        tags = {"Black": f"Ann-{seed % 3}, A.", "White": f"Bob {seed % 2}", "Date": f"2024.05.{seed + 1:02}"}
        made.append(Record(Tags(tags), record.start, record.line, result.discs))
    return made


def moves(record: Record, *, passes: bool = False, separator: str = "") -> str:
    return separator.join(str(move) for move in record.moves if passes or not move.is_pass)


def _score(record: Record) -> int:
    result = board_result(record)
    assert result is not None
    return result.score


def _date(record: Record, form: str) -> str:
    year, month, day = record.tags["Date"].split(".")
    return form.format(year=year, month=month, day=day)


def _comma() -> bytes:
    lines = ["id,Black Player,White Player,Result,Played on,Transcript\n"]
    for number, record in enumerate(games(), 100):
        date = _date(record, "{year}-{month}-{day}")
        lines.append(f'{number},"{record.black}",{record.white},{record.result},{date},{moves(record)}\n')
    return "".join(lines).encode()


def _semicolon() -> bytes:
    lines = ["Datum;Schwarz;Weiß;Ergebnis;Züge"]
    for record in games():
        date = _date(record, "{day}.{month}.{year}")
        lines.append(f"{date};{record.black};{record.white};{record.result.replace('-', ':')};{moves(record)}")
    return ("\r\n".join(lines) + "\r\n").encode("utf-8-sig")


def _tab() -> bytes:
    rows = (f"{record.black}\t{moves(record)}\t{record.result}\n" for record in games())
    return "".join(rows).encode()


def _pipe() -> bytes:
    lines = ["first | second | winner | moves\n"]
    for record in games():
        winner = {"1-0": "Black", "0-1": "White"}.get(winner_word(_score(record)), "Draw")
        text = moves(record, separator=" ", passes=True).upper()
        lines.append(f"{record.black} | {record.white} | {winner} | {text}\n")
    return "".join(lines).encode()


def _pandas() -> bytes:
    lines = [",black_discs,white_discs,move_list\n"]
    for number, record in enumerate(games()):
        listed = [str(move) for move in record.moves if not move.is_pass]
        black, white = record.result.split("-")
        lines.append(f'{number},{black},{white},"{listed}"\n')
    return "".join(lines).encode()


def _ratings() -> bytes:
    lines = ["game_id,black_rating,white_rating,winner,game_moves\n"]
    for number, record in enumerate(games(), 7000):
        sign = (_score(record) > 0) - (_score(record) < 0)
        lines.append(f"{number},{1500 + number % 7},{1600 - number % 5},{sign},{moves(record)}\n")
    return "".join(lines).encode()


def _quoted() -> bytes:
    lines = ['"comment","kifu","score","black","white"\n']
    for record in games():
        comment = f'said ""yes"",\nand then\n\n""no"" to {record.black}'
        lines.append(f'"{comment}","{moves(record)}",{_score(record):+d},"{record.black}","{record.white}"\n')
    return "".join(lines).encode()


def _one_column() -> bytes:
    return ("transcript\n" + "".join(f"{moves(record)}\n" for record in games())).encode()


def _json_lines() -> bytes:
    lines = []
    for record in games():
        row = {
            "players": "two",
            "black": record.black,
            "white": record.white,
            "score": _score(record),
            "date": _date(record, "{year}-{month}-{day}T18:30:00Z"),
            "moves": [str(move) for move in record.moves],
        }
        lines.append(json.dumps(row) + "\n")
    return "".join(lines).encode()


def _json_array() -> bytes:
    rows = [
        {"Tournament": "Club", "Rd": number, "result": record.result, "sequence": moves(record)}
        for number, record in enumerate(games(), 1)
    ]
    return json.dumps({"version": 2, "games": rows}, indent=2).encode()


def _parquet() -> bytes:
    import datetime

    import pyarrow as pa
    import pyarrow.parquet as pq

    made = games()
    columns: dict[str, Any] = {
        "uuid": [f"g{number}" for number in range(len(made))],
        "black_name": [record.black for record in made],
        "white_name": [record.white for record in made],
        "played": [datetime.date.fromisoformat(_date(record, "{year}-{month}-{day}")) for record in made],
        "outcome": pa.array([1 + (_score(record) < 0) if _score(record) else 0 for record in made], pa.int8()),
        "transcript": pa.array([[str(move) for move in record.moves] for record in made], pa.list_(pa.string())),
    }
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink, row_group_size=5)
    return sink.getvalue()


@dataclass(frozen=True)
class Sample:
    """A table.

    Attributes:
        name: the name of its file.
        data: makes its bytes.
        columns: what is guessed, as ``--columns`` has it.
        tags: the tags that its games have.
        unread: the columns that are not read.
        results: what is read of the results: the discs, or the same from the board where there is no column.
    """

    name: str
    data: Callable[[], bytes]
    columns: str
    tags: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


SAMPLES: Final = (
    Sample(
        "comma.csv",
        _comma,
        "moves=Transcript,black=Black Player,white=White Player,result=Result,date=Played on,id=id",
        ("Black", "White", "Date", "GameId"),
    ),
    Sample(
        "semicolon.csv",
        _semicolon,
        "moves=Züge,black=Schwarz,white=Weiß,result=Ergebnis,date=Datum",
        ("Black", "White", "Date"),
    ),
    Sample("tab.tsv", _tab, "moves=2,result=3", (), ("1",)),
    Sample("pipe.txt", _pipe, "moves=moves,black=first,white=second,result=winner", ("Black", "White")),
    Sample("pandas.csv", _pandas, "moves=move_list,result=black_discs,white_discs=white_discs", (), ("1",)),
    Sample(
        "ratings.csv",
        _ratings,
        "moves=game_moves,result=winner,id=game_id,BlackElo=black_rating,WhiteElo=white_rating",
        ("GameId", "BlackElo", "WhiteElo"),
    ),
    Sample(
        "quoted.csv", _quoted, "moves=kifu,black=black,white=white,result=score", ("Black", "White"), ("comment",)
    ),
    Sample("one.csv", _one_column, "moves=transcript"),
    Sample(
        "lines.jsonl",
        _json_lines,
        "moves=moves,black=black,white=white,result=score,date=date",
        ("Black", "White", "Date", "Time"),
        ("players",),
    ),
    Sample(
        "array.json",
        _json_array,
        "moves=sequence,result=result,event=Tournament,round=Rd",
        ("Event", "Round"),
    ),
    Sample(
        "games.parquet",
        _parquet,
        "moves=transcript,black=black_name,white=white_name,result=outcome,date=played,id=uuid",
        ("Black", "White", "Date", "GameId"),
    ),
)
