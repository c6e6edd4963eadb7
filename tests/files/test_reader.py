"""Inputs are read as what they are, bad words are named or counted, and guesses are told."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from shadersort import errors
from shadersort.files import opening
from shadersort.files.reader import Reader
from shadersort.files.request import Request

ONES = b"".join(b"%d\n" % i for i in range(2000))


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def read(*paths: Path, **said: object) -> list[float]:
    request = Request(**said)  # type: ignore[arg-type]
    found: list[float] = []
    for keys in Reader(paths, request).numbers():
        found += keys.tolist()
    return found


def refused(path: Path, error: type[Exception], match: str, **said: object) -> None:
    with pytest.raises(error, match=match):
        read(path, **said)


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
}


@pytest.mark.parametrize("way", list(COMPRESS))
def test_compressed_files(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One member, several ones, and what becomes of them where they are cut off or damaged."""
    monkeypatch.setattr(opening, "PIECE", 7)
    compress, path = COMPRESS[way], tmp_path / "numbers.txt"
    whole = compress(ONES)
    assert read(written(path, whole)) == list(range(2000))
    assert read(written(path, compress(ONES[:100]) + compress(ONES[100:]))) == list(range(2000))
    assert read(written(path, compress(b""))) == []
    assert len(read(written(path, whole + bytes(999)))) == 2000
    numbers = np.arange(-5.0, 5)
    raw = written(tmp_path / "numbers.bin", compress(numbers.tobytes()))
    assert read(raw, dtype=np.dtype("f8")) == numbers.tolist()
    refused(written(path, whole[:-9]), errors.TruncatedFile, f"cut off: its {way} data end")
    wrong = bytearray(whole)
    wrong[len(wrong) // 2] ^= 0xFF
    with pytest.raises((errors.ForeignFile, errors.TruncatedFile)):
        read(written(path, bytes(wrong)))
    refused(written(path, compress(whole)), errors.ForeignFile, "compressed twice")
    if way != "zstd":
        refused(written(path, whole + b"more and more of it"), errors.ForeignFile, f"no {way} file")


def test_what_is_packed_is_never_read_as_raw_numbers(tmp_path: Path) -> None:
    path, archive = tmp_path / "numbers.bin", io.BytesIO()
    np.savez(archive, a=np.arange(3.0))
    said = {"form": "raw", "dtype": np.dtype("f4")}
    for start, match in (
        (archive.getvalue(), "is a zip archive, no raw: say form='npz'"),
        (b"PAR1" + bytes(60), "of the form parquet"),
        (b"\x93NUMPY\1\0" + bytes(60), "of the form npy"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(58), "a 7-Zip archive"),
        (b"\x89HDF\r\n\x1a\n" + bytes(56), "an HDF5 file"),
        (bytes(257) + b"ustar" + bytes(250), "a tar archive"),
        (b"\x1f\x8b\x08\0" + bytes(60), "gzip"),
    ):
        refused(written(path, start), errors.ForeignFile, match, **said)


def test_encodings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "PIECE", 3)
    path = tmp_path / "a.csv"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-be", "latin-1"):
        marked = encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32")
        said = {} if marked else {"encoding": encoding}
        written(path, "größe,ms\né,1\nü,2\n".encode(encoding))
        assert read(path, column="ms", **said) == [1, 2]
        refused(path, errors.UnknownColumn, "größe, ms", column="x", **said)
    assert read(written(tmp_path / "a", "1\n2\n".encode("utf-16"))) == [1, 2]
    refused(path, errors.BadOption, "no encoding", encoding="klingon", column=1)
    refused(written(path, b"\xff\xfe1"), errors.ForeignFile, "no text in utf-16")


def test_bad_words_are_named_or_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", b'n,ms\na,1\n"b\nc",n/a\nd,\ne,2\nf\n')
    refused(path, errors.ForeignFile, r"a\.csv, line 3, column ms: 'n/a' is no number", column="ms")
    reader = Reader([path], Request(column="ms", skip_bad=True))
    assert [keys.tolist() for keys in reader.numbers()] == [[1, 2]]
    assert reader.left_out == 3
    assert reader.first_left_out.endswith("line 3, column ms: 'n/a' is no number of type int64")
    log = written(tmp_path / "a.log", b"a 1\nb\n")
    refused(log, errors.ForeignFile, r"line 1: 'a 1' is no .* say form='csv' or column=1")
    refused(log, errors.ForeignFile, r"line 2, column 2: there is no word", column=2)
    refused(log, errors.UnknownColumn, "by its number", column="n")


def test_titles_are_found(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", b"n,ms\n1,2\n3,4\n")
    assert read(path, column=2) == read(path, column="ms") == read(path, column=2, header=True)
    assert read(path, column=2) == [2, 4]
    refused(path, errors.ForeignFile, "line 1, column 2: 'ms'", column=2, header=False)
    bare = written(tmp_path / "b.csv", b"1,2\n3,4\n")
    assert read(bare, column=2) == [2, 4]
    assert read(bare, column=2, header=True) == [4]
    assert read(path, bare, column=2) == [2, 4, 2, 4]
    refused(path, errors.UnknownColumn, "2 columns .n, ms.: choose one")
    refused(path, errors.UnknownColumn, "no column 3", column=3)
    assert read(written(path, b"n,ms\n"), column=2) == []


def test_the_type_of_words_is_guessed_and_told(tmp_path: Path) -> None:
    """Inputs of several forms have one type."""
    told: list[str] = []
    path = written(tmp_path / "a.txt", b"1\n9007199254740993\n")
    assert next(Reader([path], tell=told.append).numbers()).tolist() == [1, 2**53 + 1]
    assert told == [f"{path}: the words are read as int64"]
    refused(written(path, b"0.5\n9007199254740993\n"), errors.ForeignFile, "not held by")
    for name, keys in (("a.npy", np.arange(3.0)), ("c.npy", np.arange(3))):
        np.save(tmp_path / name, keys)
    assert read(tmp_path / "a.npy", written(path, b"5\n")) == [0, 1, 2, 5]
    with pytest.raises(errors.UnsupportedKeys, match=r"c\.npy holds int64, and what .* float64"):
        read(tmp_path / "a.npy", tmp_path / "c.npy")


def test_arrays_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, one=np.arange(3), two=np.arange(4.0), table=np.zeros((2, 2)))
    assert read(path, column="two") == [0, 1, 2, 3]
    refused(path, errors.UnknownColumn, "3 arrays .one, two, table.: choose one")
    refused(path, errors.UnknownColumn, "no array 'x'", column="x")
    refused(path, errors.KeysNotFlat, "a.npz, table has 2", column="table")
    content = bytearray(path.read_bytes())
    content[150] ^= 1
    refused(written(path, bytes(content)), errors.ForeignFile, "damaged", column="one")
    np.save(tmp_path / "s.npy", np.array([(1, 2.5)], [("n", "i4"), ("x", "f8")]))
    assert read(tmp_path / "s.npy", column="x") == [2.5]
    refused(tmp_path / "s.npy", errors.UnknownColumn, "2 columns .n, x.: choose one")


def test_a_missing_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    for package, name, content in (
        ("pyarrow.parquet", "a.parquet", b"PAR1"),
        ("pyarrow.ipc", "a.arrow", b"ARROW1\0\0"),
        ("backports.zstd", "a.zst", b"\x28\xb5\x2f\xfd"),
    ):
        monkeypatch.setitem(sys.modules, package, None)
        if package == "backports.zstd" and sys.version_info >= (3, 14):
            continue  # Python itself reads it
        refused(written(tmp_path / name, content), errors.MissingPackage, "pip install")


def test_damaged_tables(tmp_path: Path) -> None:
    for form in ("parquet", "arrow", "npz"):
        start = {"parquet": b"PAR1", "arrow": b"ARROW1\0\0", "npz": b"PK\3\4"}[form]
        refused(written(tmp_path / f"a.{form}", start + bytes(99)), errors.ForeignFile, f"a.{form}")
    import pandas as pd

    path = tmp_path / "a.parquet"
    pd.DataFrame({"x": [1.5, None, 2], "t": ["7", "y", None], "b": [True] * 3}).to_parquet(path)
    refused(path, errors.ForeignFile, r"row 2, column x: there is no word", column="x")
    assert read(path, column="x", skip_bad=True) == [1.5, 2]
    assert read(path, column="t", skip_bad=True) == [7]
    refused(path, errors.UnsupportedKeys, "holds bool", column="b")
    refused(path, errors.UnknownColumn, "no column 'z'; it has: x, t, b", column="z")
    refused(path, errors.UnsupportedKeys, "holds double|float64", column="x", dtype=np.dtype("f4"))
    prices = pa.array([Decimal("1.50"), None, Decimal("-2.25")])
    pq.write_table(pa.table({"price": prices}), path)
    assert read(path, skip_bad=True) == [1.5, -2.25]
    deep = written(tmp_path / "deep.jsonl", b"[" * 100_000)
    refused(deep, errors.ForeignFile, "line 1: .* nested too deeply", column="a")
