"""Keys in files, in every way that they can be stored."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from shadersort.keys.types import Keys
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.primitives import Pieces

Store = Callable[[Path, Keys], Any]
"""Stores keys in a folder, and returns what stands for them."""


def as_npy(folder: Path, keys: Keys) -> Path:
    np.save(folder / "keys.npy", keys)
    return folder / "keys.npy"


def as_raw(folder: Path, keys: Keys) -> Path:
    keys.tofile(folder / "keys.bin")
    return folder / "keys.bin"


def as_memmap(folder: Path, keys: Keys) -> Any:
    return np.load(as_npy(folder, keys), mmap_mode="r") if keys.size else keys


def as_parquet(folder: Path, keys: Keys) -> Path:
    path, rows = folder / "keys.parquet", max(len(keys) // 3, 1)
    table = pa.table({"place": np.arange(len(keys)), "ms": keys})
    pq.write_table(table, path, row_group_size=rows)
    return path


def as_chunks(folder: Path, keys: Keys) -> Any:
    cuts = [0, len(keys) // 9, len(keys) // 9, len(keys) // 2]
    return lambda: iter(np.split(keys, cuts))


STORES: dict[str, Store] = {
    "npy": as_npy,
    "raw": as_raw,
    "memmap": as_memmap,
    "parquet": as_parquet,
    "chunks": as_chunks,
}


class Scattered(FileKeys):
    """Pieces of which single keys can be read: a sample takes no round, and is that of an array."""

    def __init__(self, arrays: list[Keys], **options: Any) -> None:
        super().__init__(arrays, **options)
        self.take = np.concatenate(arrays).take


def small(
    stored: Any,
    keys: Keys | None = None,
    *,
    piece: int = 300,
    most: int = 10**6,
    kind: type[FileKeys] = FileKeys,
    **options: Any,
) -> Pieces:
    """Primitives over pieces of few bytes, and with few candidates on the host."""
    if isinstance(stored, Path) and keys is not None:
        if stored.suffix == ".bin":
            options["dtype"] = keys.dtype
        if stored.suffix == ".parquet":
            options["column"] = "ms"
    pieces = type("SmallKeys", (kind,), {"piece": piece})(stored, memory="1GiB", **options)
    pieces.few = most
    return Pieces(pieces)


def reads_of(keys: Pieces) -> int:
    """How many times all keys were read."""
    reads: int = keys.pieces.reads
    return reads
