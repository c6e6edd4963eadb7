import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shadersort as ss
from shadersort import errors
from shadersort.files.arrays import read_all
from shadersort.files.sources import open_source
from shadersort.keys.outputs import output_file, report_full_disk, write_all
from shadersort.keys.types import Keys

FLOATS = np.arange(10, dtype=np.float32)


def saved(path: Path, keys: Any = FLOATS) -> Path:
    np.save(path, keys)
    return path


def changed(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def refused(src: Any, error: type[Exception], match: str, dtype: Any = None) -> None:
    with pytest.raises(error, match=match):
        ss.external_sort(src, dtype=dtype, share=1.0)


def test_a_cut_file(tmp_path: Path) -> None:
    path = saved(tmp_path / "keys.npy")
    whole = path.read_bytes()
    refused(changed(path, whole[:-6]), errors.TruncatedFile, "6 bytes of its 10 keys are missing")
    refused(changed(path, whole[:60]), errors.ForeignFile, "not a .npy file")
    refused(changed(path, b""), errors.ForeignFile, "not a .npy file")
    refused(changed(path, whole + b"abc"), errors.ForeignFile, "3 bytes after its 10 keys")


def test_a_foreign_file(tmp_path: Path) -> None:
    for start, match in (
        (b"PK\3\4", "if it is a raw one"),
        (b"\x93NUMPY\x09\0", "not a .npy file"),
    ):
        refused(changed(tmp_path / "a.npy", start * 99), errors.ForeignFile, match)
    refused(Path(os.devnull), errors.ForeignFile, "no regular file")
    with pytest.raises(FileNotFoundError):
        ss.external_sort(tmp_path / "missing.npy", share=1.0)


def test_a_bare_file(tmp_path: Path) -> None:
    path = changed(tmp_path / "keys.bin", b"abcdefg")
    refused(path, errors.UnsupportedKeys, "pass dtype=")
    refused(path, errors.TruncatedFile, "7 bytes, 3 more than a whole number of float32", "float32")
    refused(path, errors.UnsupportedKeys, "int16 fit no texture", "int16")
    source: Any = open_source(changed(path, b"abcdef"), dtype=">f2")
    assert (source.size, source.dtype) == (3, np.dtype("float16"))
    np.testing.assert_array_equal(source.read(1, 3), np.frombuffer(b"cdef", ">f2"))


def test_keys_of_another_type(tmp_path: Path) -> None:
    path = saved(tmp_path / "keys.npy")
    refused(path, errors.UnsupportedKeys, "holds keys of float32, not of int32", "int32")
    refused(FLOATS, errors.UnsupportedKeys, "the array holds .* float32, not of int32", "int32")
    refused(saved(path, np.arange(3, dtype=np.int8)), errors.UnsupportedKeys, "int8 fit no texture")
    refused(saved(path, np.array([{}])), errors.UnsupportedKeys, "objects of Python")
    refused(saved(path, np.zeros(2, "f4,f4")), errors.UnknownColumn, "2 columns .f0, f1.")
    refused(saved(path, np.zeros((2, 2), "f4")), errors.KeysNotFlat, "keys.npy has 2")
    refused(np.zeros((2, 2), "f4"), errors.KeysNotFlat, "not 2")
    refused(np.float32(1), errors.KeysNotFlat, "the array has 0")
    refused(np.ma.masked_array(FLOATS), errors.UnsupportedKeys, "compressed")


def test_a_file_that_shrinks_while_it_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path / "keys.npy")
    source: Any = open_source(path)
    os.truncate(path, 140)
    with pytest.raises(errors.InputChanged, match=r"keys\.npy was changed"):
        source.read(0, source.size)


def write_some(dst: Path, keys: Keys = FLOATS, *, overwrite: bool = False) -> None:
    with output_file(dst, keys.dtype, len(keys), overwrite=overwrite) as write:
        write(keys[:4])
        assert not dst.exists() or dst.read_bytes() == b"old"
        write(keys[4:])


def test_the_output_appears_at_once(tmp_path: Path) -> None:
    """Under any name, if it is as long as the system allows."""
    usual = changed(tmp_path / "usual", b"").stat().st_mode
    for dst in (tmp_path / "sorted.npy", tmp_path / f"{'n' * 251}.npy"):
        write_some(dst)
        np.testing.assert_array_equal(np.load(dst), FLOATS)
        assert dst.stat().st_mode == usual


def test_an_output_that_comes_meanwhile(tmp_path: Path) -> None:
    dst = tmp_path / "sorted.npy"

    def write_late() -> None:
        with output_file(dst, FLOATS.dtype, 10, overwrite=False) as write:
            write(FLOATS)
            dst.write_bytes(b"old")

    with pytest.raises(errors.OutputExists):
        write_late()
    assert list(tmp_path.iterdir()) == [dst]
    assert dst.read_bytes() == b"old"


def test_a_full_disk_is_told_by_name() -> None:
    with (
        open("/dev/full", "wb", buffering=0) as full,  # noqa: PTH123
        pytest.raises(errors.DiskFull, match="no room is left in /dev"),
    ):
        write_all(full, FLOATS, Path("/dev"))
    with pytest.raises(PermissionError), report_full_disk(Path("/dev")):
        raise PermissionError(13, "not this")


class Reluctant:
    """A file that reads and writes few bytes at a time."""

    name = "reluctant"

    def __init__(self, content: bytes = b"") -> None:
        self.content = content

    def write(self, data: memoryview) -> int:
        self.content += bytes(data[:3])
        return min(3, len(data))

    def readinto(self, data: memoryview) -> int:
        got = self.content[: min(3, len(data))]
        data[: len(got)] = got
        self.content = self.content[len(got) :]
        return len(got)


def test_what_a_system_call_leaves_over_follows() -> None:
    file: Any = Reluctant()
    write_all(file, FLOATS, Path())
    assert file.content == FLOATS.tobytes()
    result = np.empty_like(FLOATS)
    read_all(file, result, "reluctant")
    np.testing.assert_array_equal(result, FLOATS)
    with pytest.raises(errors.InputChanged):
        read_all(file, result, "reluctant")


@pytest.mark.parametrize("form", ["npy", "raw", "parquet", "array"])
def test_keys_are_read_from_any_place(form: str, tmp_path: Path) -> None:
    keys, path = np.random.default_rng(1).random(1000), tmp_path / f"keys.{form}"
    if form == "parquet":
        pq.write_table(pa.table({"ms": keys}), path, row_group_size=300)
    else:
        keys.tofile(path) if form == "raw" else saved(tmp_path / "keys.npy", keys)
    dtype = "float64" if form == "raw" else None
    source: Any = open_source(keys if form == "array" else path, dtype=dtype)
    starts = source.starts(77)
    found = [source.read(first, last) for first, last in pairwise(starts)]
    np.testing.assert_array_equal(np.concatenate(found), keys)
    places = np.array([3, 5, 299, 300, 900, 999])
    if source.scattered:
        np.testing.assert_array_equal(source.take(places), keys[places])
    assert (source.size, source.shape, source.read(5, 5).size) == (1000, (1000,), 0)


def test_chunks_are_made_anew() -> None:
    made: list[int] = []

    def make() -> Iterator[Keys]:
        made.append(1)
        yield from (FLOATS[:3], FLOATS[3:].reshape(7, 1))

    source: Any = open_source(make)
    for times in (1, 2):
        np.testing.assert_array_equal(np.concatenate(list(source.arrays())), FLOATS)
        assert len(made) == times
    once: Any = open_source(iter([FLOATS]))
    assert len(list(once.arrays())) == 1
    with pytest.raises(errors.NotRereadable):
        list(once.arrays())
