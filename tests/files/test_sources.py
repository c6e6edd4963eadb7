import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort import errors
from shadersort.files.arrays import read_all
from shadersort.files.sources import open_source
from shadersort.keys.outputs import output_file, report_full_disk, write_all

FLOATS = np.arange(10, dtype=np.float32)


def as_npy(keys: Any = FLOATS) -> bytes:
    file = io.BytesIO()
    np.save(file, keys)
    return file.getvalue()


WHOLE = as_npy()


def test_files_that_are_refused(tmp_path: Path) -> None:
    files: list[tuple[str, bytes, Any, type[Exception], str]] = [
        ("a.npy", WHOLE[:-6], None, errors.TruncatedFile, "6 bytes of its 10 keys are missing"),
        ("a.npy", WHOLE[:60], None, errors.ForeignFile, "not a .npy file"),
        ("a.npy", b"", None, errors.ForeignFile, "not a .npy file"),
        ("a.npy", WHOLE + b"abc", None, errors.ForeignFile, "3 bytes after its 10 keys"),
        ("a.npy", b"PK\3\4" * 99, None, errors.ForeignFile, "if it is a raw one"),
        ("a.npy", b"\x93NUMPY\x09\0" * 99, None, errors.ForeignFile, "not a .npy file"),
        ("a.npy", WHOLE, "int32", errors.UnsupportedKeys, "keys of float32, not of int32"),
        ("a.npy", as_npy(np.zeros(1, "i1")), None, errors.UnsupportedKeys, "int8 fit no texture"),
        ("a.npy", as_npy([{}]), None, errors.UnsupportedKeys, "objects of Python"),
        ("a.npy", as_npy(np.zeros(2, "f4,f4")), None, errors.UnknownColumn, "2 columns .f0, f1."),
        ("a.npy", as_npy(np.zeros((2, 2), "f4")), None, errors.KeysNotFlat, "a.npy has 2"),
        ("a.bin", b"abcdefg", None, errors.UnsupportedKeys, "pass dtype="),
        ("a.bin", b"abcdefg", "f4", errors.TruncatedFile, "7 bytes, 3 more than a whole number of"),
        ("a.bin", b"abcdefg", "int16", errors.UnsupportedKeys, "int16 fit no texture"),
    ]
    for name, content, dtype, error, match in files:
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(error, match=match):
            ss.external_sort(path, dtype=dtype, share=1.0)


def test_other_sources_that_are_refused(tmp_path: Path) -> None:
    refused: list[tuple[Any, Any, type[Exception], str]] = [
        (Path(os.devnull), None, errors.ForeignFile, "no regular file"),
        (tmp_path / "missing.npy", None, FileNotFoundError, "missing.npy"),
        (FLOATS, "int32", errors.UnsupportedKeys, "the array holds .* float32, not of int32"),
        (np.zeros((2, 2), "f4"), None, errors.KeysNotFlat, "not 2"),
        (np.float32(1), None, errors.KeysNotFlat, "the array has 0"),
        (np.ma.masked_array(FLOATS), None, errors.UnsupportedKeys, "compressed"),
    ]
    for source, dtype, error, match in refused:
        with pytest.raises(error, match=match):
            ss.external_sort(source, dtype=dtype, share=1.0)


def test_a_file_that_shrinks_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "keys.npy"
    np.save(path, FLOATS)
    source: Any = open_source(path)
    os.truncate(path, 140)
    with pytest.raises(errors.InputChanged, match=r"keys\.npy was changed"):
        source.read(0, source.size)


def write_some(dst: Path, meanwhile: Callable[[], object] = bool) -> None:
    with output_file(dst, FLOATS.dtype, len(FLOATS), overwrite=False) as write:
        write(FLOATS[:4])
        assert not dst.exists()
        write(FLOATS[4:])
        meanwhile()


def test_the_output_appears_at_once(tmp_path: Path) -> None:
    """Under any name, if it is as long as the system allows, unless another comes meanwhile."""
    (tmp_path / "usual").touch()
    dst = tmp_path / "sorted.npy"
    for path in (dst, tmp_path / f"{'n' * 251}.npy"):
        write_some(path)
        np.testing.assert_array_equal(np.load(path), FLOATS)
        assert path.stat().st_mode == (tmp_path / "usual").stat().st_mode
        path.unlink()
    with pytest.raises(errors.OutputExists):
        write_some(dst, lambda: dst.write_bytes(b"old"))
    assert dst.read_bytes() == b"old"
    assert {path.name for path in tmp_path.iterdir()} == {"usual", "sorted.npy"}


def test_a_full_disk_is_told_by_name() -> None:
    full = open("/dev/full", "wb", buffering=0)  # noqa: PTH123, SIM115
    with full, pytest.raises(errors.DiskFull, match="no room is left in /dev"):
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
