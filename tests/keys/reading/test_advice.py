"""What cannot be read is named, and the message says what to do."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from shadersort import errors
from shadersort.keys.reading.reader import Reader
from shadersort.keys.reading.request import Request
from tests.keys.reading.test_reader import read, refused, written


def test_messages_say_what_to_do(tmp_path: Path) -> None:
    table = written(tmp_path / "a.csv", b"n;ms\n1;2\n")
    separated = r"If ';' separates columns, say delimiter=';'"
    refused(table, errors.ForeignFile, f"line 2.*'1;2' is no number.*{separated}")
    refused(table, errors.UnknownColumn, f"it has: n;ms. {separated}", column="ms")
    assert read(table, column="ms", delimiter=";") == [2]
    gap = written(tmp_path / "gap.csv", b"n,ms\n1,\n")
    leave = "no word; say skip_bad=True to leave such rows out"
    refused(gap, errors.ForeignFile, leave, column="ms")
    reader = Reader([gap], Request(column="ms", skip_bad=True))
    assert (list(reader.numbers()), reader.first_left_out[-7:]) == ([], "no word")
    large = written(tmp_path / "large.txt", b"1e400\n")
    refused(large, errors.ForeignFile, "'1e400' is beyond the range of float64")
    latin = written(tmp_path / "latin.txt", b"caf\xe9\n")
    refused(latin, errors.ForeignFile, r"'caf\\xe9' is no number")
    objects = written(tmp_path / "a.jsonl", b'{"a": 1}\n[2]\n')
    refused(objects, errors.UnknownColumn, r"lines of .*a\.jsonl are arrays", column="a")
    deep = written(tmp_path / "deep.jsonl", b"[" * 100_000)
    refused(deep, errors.ForeignFile, "line 1: .* nested too deeply", column="a")


def test_a_suffix_that_is_not_that_of_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.savez(path.with_suffix(".npz"), a=np.arange(3))
    path.with_suffix(".npz").rename(path)
    refused(path, errors.ForeignFile, "a zip archive, no npy: say form='npz'")
    assert read(path, form="npz") == [0, 1, 2]
    parquet = written(tmp_path / "a.arrow", b"PAR1")
    refused(parquet, errors.ForeignFile, "of the form parquet, no arrow")


def test_damaged_and_strange_arrays(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.zeros(3, [("ms", np.int64), ("what", object)]))
    refused(path, errors.UnsupportedKeys, "objects of Python", column="ms")
    np.save(path, np.arange(3))
    path.write_bytes(path.read_bytes().replace(b"(3,)", b"(-3,)").replace(b"}  ", b"} ", 1))
    refused(path, errors.ForeignFile, r"damaged: its array has the shape \(-3,\)")
    packed = tmp_path / "a.npz"
    np.savez(packed, a=np.arange(3))
    content = bytearray(packed.read_bytes())
    content[6] |= 1  # the bit of a password, here and in the directory
    content[content.index(b"PK\1\2") + 8] |= 1
    refused(written(packed, bytes(content)), errors.ForeignFile, "cannot be read: .*password")


def test_a_title_that_is_too_long(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", b"x" * 200_000 + b",b\n1,2\n")
    refused(path, errors.ForeignFile, "line 1: no row of a CSV: field larger", column="b")


def test_decimals_of_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    prices = pa.array([Decimal("1.50"), None, Decimal("-2.25")])
    pq.write_table(pa.table({"price": prices}), path)
    reader = Reader([path], Request(skip_bad=True))
    assert [keys.tolist() for keys in reader.numbers()] == [[1.5, -2.25]]
    assert reader.left_out == 1
