"""Outputs: files that are written whole or not at all."""

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from io import BytesIO, FileIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from shadersort.errors import DiskFull, OutputExists
from shadersort.keys.types import Keys

Write = Callable[[Keys], None]
"""Writes the next keys of an output, given in native byte order."""
Sink = Callable[[np.dtype[Any], int], AbstractContextManager[Write]]
"""Opens an output, given the type of its keys in the file, and their number."""
LINES = 1 << 16  # keys converted to text at a time: lines take far more memory than keys
ROOM = (
    ": the output takes as much as the input, and the runs, which temporary_folder= can send "
    "elsewhere, as much again, or twice as much if they are merged in several rounds"
)
"""Advice for a sort that writes runs to a full disk."""


def form_of(path: Path) -> str:
    """Return the form of a file by its name: "npy", or else "raw"."""
    return "npy" if path.suffix == ".npy" else "raw"


@contextmanager
def output_file(
    dst: Path, stored: np.dtype[Any], count: int, *, overwrite: bool, form: str | None = None
) -> Iterator[Write]:
    """Write keys to a file that appears when all are written: see `open_replacement`."""
    with open_replacement(dst, overwrite=overwrite) as file:
        folder = dst.resolve().parent
        yield encoder(
            lambda data: write_all(file, data, folder), stored, count, form or form_of(dst)
        )


def encoder(put: Write, stored: np.dtype[Any], count: int, form: str) -> Write:
    """Return a function that puts keys as bytes of a form: "npy", "raw", or "text" (lines)."""
    if form == "text":
        return partial(_put_lines, put)
    if form == "npy":
        header = BytesIO()
        description = npy.dtype_to_descr(stored)
        shape = {"descr": description, "fortran_order": False, "shape": (count,)}
        npy.write_array_header_1_0(header, shape)
        put(np.frombuffer(header.getvalue(), np.uint8))
    return lambda keys: put(keys.astype(stored, copy=False))


def _put_lines(put: Write, keys: Keys) -> None:
    for first in range(0, len(keys), LINES):
        put(np.frombuffer(format_lines(keys[first : first + LINES]), np.uint8))


def format_lines(keys: Keys) -> bytes:
    r"""Return keys as lines, each with the fewest digits that are read back as the same key.

    The payload and the sign of a NaN are not written.

    Examples
    --------
    >>> import numpy as np
    >>> format_lines(np.float32([0.1, -0.0, np.nan]))
    b'0.1\n-0.0\nnan\n'
    """
    same = keys.dtype.kind != "f" or keys.itemsize == 8  # Python's numbers have the same digits
    return "".join(f"{key!s}\n" for key in (keys.tolist() if same else keys)).encode("ascii")


@contextmanager
def open_replacement(dst: Path, *, overwrite: bool) -> Iterator[FileIO]:
    """Open a file that appears under its name only when the block has written all of it.

    Until then, the content is in a hidden file in the same folder. If the block raises an error,
    that file is deleted.
    """
    path = dst.resolve()  # a symbolic link stays one
    check_output(path, overwrite=overwrite)
    # only the beginning of a long name, because the system limits the length
    hidden = path.with_name(f".{path.stem[:40]}.{secrets.token_hex(8)}{path.suffix}")
    try:
        with report_full_disk(path.parent), hidden.open("xb", buffering=0) as file:
            yield file
            os.fsync(file.fileno())
        check_output(path, overwrite=overwrite)  # it may have appeared meanwhile
        if path.exists():
            shutil.copymode(path, hidden)
        hidden.replace(path)
        _flush_folder(path.parent)
    finally:
        hidden.unlink(missing_ok=True)


def write_file(dst: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a file, which appears when it is complete; raises what `open_replacement` does."""
    with open_replacement(dst, overwrite=overwrite) as file:
        write_bytes(file, data)


def check_folder(folder: Path) -> None:
    """Raise FileNotFoundError, with the folder's name, if it does not exist."""
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(folder))


def check_output(path: Path, *, overwrite: bool) -> None:
    """Raise OutputExists or FileNotFoundError unless the output may be written."""
    if not path.exists():
        check_folder(path.absolute().parent)
        return
    if not path.is_file():
        raise OutputExists(f"{path} is not a file, and cannot be replaced by one")
    if not overwrite:
        raise OutputExists(f"{path} exists: choose another name, or say overwrite=True")


def write_all(file: FileIO, keys: Keys, folder: Path) -> None:
    """Write an array to a file in a folder, or raise DiskFull."""
    with report_full_disk(folder, ROOM):
        write_bytes(file, np.ascontiguousarray(keys).view(np.uint8).data)


def write_bytes(file: FileIO, data: bytes | memoryview) -> None:
    """Write all bytes: one system call may write only a part."""
    rest = memoryview(data)
    while len(rest):
        rest = rest[file.write(rest) :]


@contextmanager
def report_full_disk(folder: Path, advice: str = "") -> Iterator[None]:
    """Raise DiskFull if the system reports a full disk."""
    try:
        yield
    except DiskFull:
        raise  # it names its own folder
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DiskFull(error.errno, f"no room is left in {folder}{advice}") from error


def _flush_folder(folder: Path) -> None:
    """Make a new name in a folder survive a power failure, if the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
