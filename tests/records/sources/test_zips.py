"""Zips read as folders: which files are in them, and what is wrong with some."""

from __future__ import annotations

import gzip
import io
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from command_line import run_command
from record_samples import random_record
from reversi import InputError
from reversi._system import zip_files
from reversi._system.zip_files import open_path, zipped_size
from reversi.games import open_records
from reversi.inputs.input import load_game, resolve
from reversi.match.openings import read_openings
from reversi.openings import read_xot
from reversi.records import format_record, format_records
from reversi.records.sources.finding import FoundFile, find_files
from reversi.records.sources.opening import open_source
from reversi.records.validation import FileDone, Validation
from wthor_samples import jou, random_game, trn, wtb

TEXT = format_record(random_record(1))
BOARD = "---------------------------OX------XO--------------------------- X\n"


def zipped(path: Path, files: Mapping[str, str | bytes], packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def found(*paths: str | Path) -> list[str]:
    files = list(find_files(map(str, paths)))
    assert not any(file.error for file in files)
    return [file.path for file in files]


def errors(*paths: str | Path) -> dict[str, str]:
    return {file.path: file.error for file in find_files(map(str, paths)) if file.error}


def test_the_files_in_a_zip_are_those_of_a_folder(tmp_path: Path) -> None:
    names = ("b.pgn", "a/z.txt", "a/b/c.wtb", ".hidden", "__MACOSX/._b.pgn", ".git/x", "c.pgn", "[1].pgn")
    path = zipped(tmp_path / "x.ZIP", dict.fromkeys(names, TEXT))
    (tmp_path / "plain.pgn").write_text(TEXT, encoding="utf-8")
    inside = [f"{path}/{name}" for name in ("[1].pgn", "b.pgn", "c.pgn", "a/z.txt", "a/b/c.wtb")]
    assert found(path) == found(f"{path}/") == inside
    assert found(tmp_path) == [str(tmp_path / "plain.pgn"), *inside]
    assert found(f"{path}/a") == found(f"{path}/a/") == inside[3:]
    assert found(f"{path}/a/z.txt") == [inside[3]]
    assert found(f"{path}/*.pgn") == inside[:3]
    assert found(f"{path}/[1].pgn") == inside[:1]  # a file of that literal name wins
    assert found(f"{path}/**/?.wtb") == inside[4:]
    assert found(f"{path}/**") == inside
    assert found(f"{tmp_path}/?.ZIP/a/*.txt") == [inside[3]]
    assert found(f"{tmp_path}/*.ZIP") == inside
    zipped(tmp_path / "y.ZIP", {"d.txt": TEXT})
    assert found(f"{tmp_path}/*.ZIP/b.pgn") == inside[1:2]
    assert errors(f"{tmp_path}/*.ZIP/no.*") == {f"{tmp_path}/*.ZIP/no.*": "no such file"}
    (tmp_path / "y.ZIP").unlink()
    files = list(find_files([f"{path}/b.pgn", str(path)]))
    assert files[:2] == [FoundFile(f"{path}/b.pgn"), FoundFile(inside[0], named=False, in_folder=True)]
    assert errors(f"{path}/no.pgn", f"{path}/?.txt") == dict.fromkeys(
        (f"{path}/no.pgn", f"{path}/?.txt"), "no such file"
    )


def test_only_a_zip_of_that_name_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "folder.zip").mkdir()
    (tmp_path / "folder.zip" / "a.pgn").write_text(TEXT, encoding="utf-8")
    (tmp_path / "text.zip").write_text(TEXT, encoding="utf-8")
    zipped(tmp_path / "folder.zip" / "b.zip", {"a.zip/c.pgn": TEXT})
    other = zipped(tmp_path / "zip.bin", {"a.pgn": TEXT})
    assert len(list(open_records(tmp_path / "folder.zip", tmp_path / "text.zip"))) == 3
    assert found(tmp_path / "folder.zip" / "b.zip") == [f"{tmp_path / 'folder.zip' / 'b.zip'}/a.zip/c.pgn"]
    with pytest.raises(InputError, match=r"zip\.bin: packed with zip; name it so that it ends in \.zip"):
        open_source(str(other))
    with pytest.raises(InputError, match="standard input: packed with zip"):
        open_source("-", io.BytesIO(other.read_bytes()))


def test_games_of_any_form(tmp_path: Path) -> None:
    records = [random_record(seed) for seed in range(3)]
    text = "".join(format_records(records))
    path = zipped(
        tmp_path / "a.zip",
        {
            "a.pgn": text,
            "b.pgn.gz": gzip.compress(text.encode()),
            "c/games.wtb": wtb([random_game(1, black=1)]),
            "c/wthor.jou": jou(),
            "c/WTHOR.TRN": trn(),
            "README": "how to use it",
        },
    )
    reports: list[str] = []
    read = list(open_records(path, report=reports.append))
    assert read[:6] == records * 2
    assert (len(read), read[6].black) == (7, "Ada")
    assert reports == [f"{path}/README: no games in a known format; skipped", "1 file skipped"]
    for workers in (1, 2):
        done = [event for event in Validation(workers=workers).check([str(path)]) if isinstance(event, FileDone)]
        assert [event.games for event in done if event.games] == [3, 3, 1]
    assert [entry.record for entry in resolve(f"{path}/a.pgn#2").entries()] == records[1:2]
    game = load_game(f"{path}/a.pgn#3@4")
    assert (len(game), game.moves) == (4, records[2].moves[:4])


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing(tmp_path: Path, packing: int) -> None:
    path = zipped(tmp_path / "a.zip", {"a.pgn": TEXT}, packing)
    assert list(open_records(path)) == [random_record(1)]


def test_positions_and_openings(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"boards.txt": BOARD * 2, "xot.txt": "f5d6c3\nf5f6e6\n", "a.pgn": TEXT})
    assert [entry.error for entry in resolve(f"{path}/boards.txt").positions()] == [None, None]
    assert len(read_xot(f"{path}/xot.txt")) == len(read_openings(f"{path}/xot.txt")) == 2
    assert len(read_openings(f"{path}/a.pgn", 2)) == 1
    with pytest.raises(InputError, match=r"a\.zip: a folder, not a file; name a file in it, such as .*/a\.pgn$"):
        list(resolve(str(path)).positions())


def test_what_is_wrong_with_names(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    link = zipfile.ZipInfo("link.pgn")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../up.pgn", "/etc/passwd", "twice.pgn", "a.pgn"):
            archive.writestr(name, TEXT)
        archive.writestr(link, "/etc/passwd")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("twice.pgn", TEXT)
    assert errors(path) == {
        f"{path}/../up.pgn": "a name that leads out of the zip",
        f"{path}//etc/passwd": "a name that leads out of the zip",
        f"{path}/link.pgn": "a link, not a file",
        f"{path}/twice.pgn": "twice in the zip; rename one",
    }
    done = run_command("record", "validate", path).ends(65)
    assert len(done.stderr.splitlines()) == 4
    assert "1 valid" in done.stdout


def test_names_of_other_systems(tmp_path: Path) -> None:
    """macOS writes UTF-8 without saying so; others write the letters of their system."""
    path = zipped(tmp_path / "a.zip", {"Šárka.pgn": TEXT})
    path.write_bytes(path.read_bytes().replace(b"\0\0\x00\x08", b"\0\0\0\0"))
    data = path.read_bytes()
    at = data.index(b"PK\x01\x02") + 8
    path.write_bytes(data[:at] + b"\0\0" + data[at + 2 :])
    assert found(path) == [f"{path}/Šárka.pgn"]
    path.write_bytes(path.read_bytes().replace("Šárka".encode(), b"\x8a\xa0rka??"[:7]))
    (name,) = found(path)
    assert list(open_records(name)) == [random_record(1)]


def damaged(data: bytes, what: str) -> bytes:
    central = data.index(b"PK\x01\x02")
    if what == "cut":
        return data[: len(data) // 2]
    if what == "encrypted":
        return data[: central + 8] + b"\x01" + data[central + 9 :]
    if what == "method":
        return data[: central + 10] + b"\x63" + data[central + 11 :]
    if what == "large":
        return data[: central + 24] + b"\xff\xff\xff\x7f" + data[central + 28 :]
    if what == "overlapping":
        return data[: central + 20] + b"\xff\xff\xff\x7f" + data[central + 24 :]
    if what == "head":
        return b"PK\x03\x04" + bytes(26) + data[30:]
    if what == "elsewhere":
        return data[: central + 42] + b"\x01\0\0\0" + data[central + 46 :]
    middle = data.index(b"a.pgn") + 40
    return data[:middle] + bytes(byte ^ 0x55 for byte in data[middle : middle + 20]) + data[middle + 20 :]


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("cut", ": a zip that is cut off or damaged"),
        ("overlapping", ": a zip that is damaged: its files have more bytes than it has"),
        ("encrypted", "/a.pgn: encrypted; unpack it with its password"),
        ("method", "/a.pgn: packed in a way that is not read; unpack it"),
        ("large", "/a.pgn: more than 1073741824 bytes when it is unpacked; split it"),
        ("head", "/a.pgn: damaged in the zip"),
        ("elsewhere", "/a.pgn: damaged in the zip"),
        ("content", "/a.pgn: damaged in the zip"),
    ],
)
def test_what_is_wrong_with_a_zip_is_one_line(tmp_path: Path, what: str, error: str) -> None:
    path = zipped(tmp_path / "a.zip", {"a.pgn": TEXT * 5})
    path.write_bytes(damaged(path.read_bytes(), what))
    run_command("record", "validate", path).ends(65, err=f"reversi: {path}{error}\n")
    with pytest.raises(InputError, match=error.removeprefix(":").replace("(", r"\(")):
        list(open_records(path))


class Unseekable(io.RawIOBase):
    """Where a zip is written without going back: the sizes of a file come after it, as on a Mac."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.data += data
        return len(data)


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize("streamed", [False, True])
def test_the_whole_files_of_a_zip_that_is_cut_off_are_read(
    tmp_path: Path, packing: int, *, streamed: bool
) -> None:
    files = {f"{name}.pgn": "".join(format_records([random_record(seed)] * 9)) for seed, name in enumerate("aßc")}
    target = Unseekable() if streamed else io.BytesIO()
    with zipfile.ZipFile(target, "w", packing) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    data = bytes(target.data) if isinstance(target, Unseekable) else target.getvalue()
    path = tmp_path / "a.zip"
    begins = [at for at in range(len(data)) if data.startswith(b"PK\x03\x04", at)]
    directory = data.index(b"PK\x01\x02")
    cuts = {begins[1]: 1, begins[2] + 50: 2, directory: 3, directory + 60: 3, len(data) - 1: 3}
    for cut, count in cuts.items():
        path.write_bytes(data[:cut])
        reports: list[str] = []
        if streamed and packing != zipfile.ZIP_DEFLATED:  # nothing says where such a file ends
            with pytest.raises(InputError, match=r"a\.zip: a zip that is cut off or damaged$"):
                list(open_records(path))
            continue
        assert len(list(open_records(path, report=reports.append))) == 9 * count
        damage = f"{path}: a zip that is cut off or damaged; the whole files before the damage are read"
        assert reports == [damage]
        run_command("record", "validate", path).ends(65, err=f"reversi: {damage}\n", prints=f"{9 * count} valid")
        assert len(list(open_records(f"{path}/a.pgn"))) == 9
        assert errors(f"{path}/c.pgn") == (
            {} if count == 3 else {f"{path}/c.pgn": "no such file", str(path): damage.partition(": ")[2]}
        )


def test_the_content_of_a_file_in_a_zip_that_is_cut_off_is_checked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.pgn": TEXT * 5, "b.pgn": TEXT}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes()[:-10])
    data[100] ^= 1
    path.write_bytes(data)
    reports: list[str] = []
    list(open_records(path, report=reports.append))
    assert f"{path}/a.pgn: damaged in the zip" in reports


def test_zips_and_databases_in_zips_are_refused(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"a.pgn": TEXT})
    outer = zipped(tmp_path / "outer.zip", {"inner.zip": inner.read_bytes(), "b.pgn": TEXT})
    empty = zipped(tmp_path / "empty.zip", {})
    done = run_command("record", "validate", outer, empty).ends(65)
    assert done.stderr.splitlines() == [
        f"reversi: {outer}/inner.zip: a zip in a zip; unpack the outer one",
        f"reversi: {empty}: no file in this zip",
    ]
    assert "1 valid" in done.stdout


@pytest.mark.parametrize("ends", range(20))
def test_any_cut_and_any_changed_byte_is_an_input_error(tmp_path: Path, ends: int) -> None:
    path = zipped(tmp_path / "a.zip", {"a.pgn": TEXT, "b/c.txt": "f5d6c3\n"})
    data = path.read_bytes()
    for at in range(ends, len(data), 20):
        for changed in (data[:at], data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]):
            path.write_bytes(changed)
            for file in find_files([str(path)]):
                try:
                    if not file.error:
                        with open_path(file.path) as stream:
                            stream.read()
                except (InputError, FileNotFoundError):
                    pass


def test_many_files_are_found_by_one_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = zipped(tmp_path / "a.zip", {f"{number}.txt": "f5d6c3\n" for number in range(200)})
    before = zip_files._read_directory.cache_info().misses
    assert len(list(open_records(path))) == 200
    assert zip_files._read_directory.cache_info().misses == before + 1
    assert zipped_size(f"{path}/7.txt") == 7
    zipped(path, {"8.txt": "f5\n"})  # written anew: what was known of it is not true any more
    assert zipped_size(f"{path}/7.txt") is None


def test_an_output_does_not_replace_the_zip_that_is_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.pgn": TEXT})
    before = path.read_bytes()
    done = run_command("record", "convert", f"{path}/a.pgn", path, "--to", "pgn", "--force")
    assert (done.returncode, path.read_bytes()) == (73, before)
    done = run_command("record", "convert", f"{path}/a.pgn", f"{path}/b.pgn")
    assert (done.returncode, path.read_bytes()) == (73, before)


def test_a_long_file_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reversi.records.sources import opening

    records = [random_record(seed) for seed in range(100)] * 5
    path = zipped(tmp_path / "a.zip", {"a.pgn": "".join(format_records(records))})
    monkeypatch.setattr(opening, "LONG_BYTES", 1 << 17)
    with open_source(f"{path}/a.pgn") as source:
        assert source.is_long
        assert [entry.record for entry in source.entries()] == records
