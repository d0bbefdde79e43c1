"""Files of JSON state: read_state and StateFile."""

import json
from pathlib import Path

import pytest

from files import new_file
from reversi._system.state_files import StateFile, read_state
from reversi.errors import InputError


def numbers(data: str | bytes) -> list[int]:
    return read_state(
        data, "numbers", lambda fields: [int(each) for each in fields["of"]], what="numbers", remedy="count"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "not numbers"),
        (b"\xff", "not numbers"),
        ("[1]", "not numbers"),
        ("[" * 100_000, "not numbers"),
        ('{"other": 1}', "not numbers"),
        ('{"numbers": 1, "of": [NaN]}', "not numbers"),
        ('{"numbers": 2}', "saved in format 2; this version reads format 1"),
        ('{"numbers": 1}', "damaged: 'of' is missing; count$"),
        ('{"numbers": 1, "of": ["\\u001b"]}', r"""damaged: item 1 of 'of' has a wrong value: "\\u001b"; count$"""),
    ],
)
def test_other_texts_are_refused(text: str | bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"^{why}"):
        numbers(text)
    path = new_file(tmp_path / "n.json", text if isinstance(text, bytes) else text.encode())
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"n\.json: "):
        StateFile(path, new=list[int], parse=numbers, text=str).change(list.clear)
    assert path.read_bytes() == before


def test_a_change_makes_the_folder_and_the_next_one_adds(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "n.json"
    file = StateFile(
        path, new=list[int], parse=numbers, text=lambda state: json.dumps({"numbers": 1, "of": state})
    )
    assert file.read() == []
    assert file.change(lambda state: state.append(5)) == [5]
    assert file.change(lambda state: state.append(6)) == [5, 6]
    assert (file.read(), [found.name for found in path.parent.iterdir()]) == ([5, 6], ["n.json"])
