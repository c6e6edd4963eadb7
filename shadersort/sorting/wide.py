"""Sorting keys of 64 bits: each key's code is drawn as a record of two words.

A texture has no channel of 64 bits. But shaders compare records of two words of 32 bits, and the
unsigned integer in the order of a key is such a record itself. Every bit of it is compared, so the
order is that of the ordinals: −0.0 comes before 0.0. NaNs are not drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shadersort.drawing.devices.base import Device
from shadersort.drawing.passes import CHANNELS
from shadersort.errors import UnsupportedKeys
from shadersort.keys.codes import from_ordinals, ordinals, to_unsigned
from shadersort.keys.inputs import precise_type
from shadersort.keys.types import WIDE, Keys
from shadersort.names import MergeName, NetworkName, Precision, SortMethod
from shadersort.sorting.records import WORDS, Records, records_in, sorted_records, texels_of
from shadersort.sorting.texture_sort import TextureSort, check_fits, members_by_length


@dataclass(frozen=True, slots=True)
class WideSort:
    """One way to sort keys of 64 bits on one device; `way_to_sort` makes it."""

    way: TextureSort
    dtype: np.dtype[Any]

    @property
    def device(self) -> Device:
        """What sorts."""
        return self.way.device

    @property
    def label(self) -> str:
        """What sorts, and how: "pbsn, compute, float64, NVIDIA H200"."""
        way = self.way
        return f"{way.network}, {way.method}, {self.dtype}, {way.device.label}"

    @property
    def most(self) -> int:
        """The most keys that the device's largest texture holds."""
        return self.way.most

    def sort(self, keys: Keys, *, descending: bool = False) -> Keys:
        """Return keys in order, as a new array; NaNs come last, in the order of the input."""
        self.way.window_of(len(keys))  # too many are refused before they take memory
        ordered = sorted_records(self.way, _records(keys[keys == keys]))
        return _joined(_keys_of(ordered, self.dtype), keys, descending)

    def sort_equal(self, windows: Keys, *, descending: bool) -> Keys:
        """Return an array of windows, of shape (count, length), with each in order."""
        ordered = self.sort_ragged(list(windows), descending=descending)
        return np.array(ordered, self.dtype).reshape(windows.shape)

    def sort_ragged(self, windows: Sequence[Keys], *, descending: bool) -> list[Keys]:
        """Return each window in order, as new arrays; NaNs come last, as in `sort`."""
        ordered = list(windows)
        for length, members in members_by_length(windows).items():
            check_fits(self.way.device, length, 1, "keys in one window")
            rows = np.full((len(members), length), np.iinfo(np.uint64).max, np.uint64)
            numbers = [windows[i][windows[i] == windows[i]] for i in members]
            for row, each in zip(rows, numbers, strict=True):
                row[: len(each)] = _records(each)
            for row, each, i in zip(self._sorted(rows), numbers, members, strict=True):
                keys = _keys_of(row[: len(each)].copy(), self.dtype)
                ordered[i] = _joined(keys, windows[i], descending)
        return ordered

    def _sorted(self, rows: Records) -> Records:
        """Sort each row of an array of shape (count, 2**p); a texel has records of two rows."""
        return self.way.sort_side_by_side(rows, 2, np.iinfo(np.uint64).max, self._drawn)

    def _drawn(self, records: Records) -> Records:
        """Sort records of shape (windows, 2**p, 2) along the second axis."""
        windows, length, _ = records.shape
        program = self.way.program(length, windows)
        texels = texels_of(records.ravel(), program.width * program.height)
        found = self.way.run(program, texels.reshape(program.height, program.width, CHANNELS))
        return records_in(found)[: windows * length].reshape(records.shape)


def way_to_sort(
    device: Device,
    dtype: np.dtype[Any],
    network: NetworkName,
    method: SortMethod,
    precision: Precision | None = None,
    *,
    progress: bool = False,
    merge: MergeName = "auto",
) -> TextureSort | WideSort:
    """Return how keys of a type are sorted on a device, or raise an error that says why not."""
    prepared = partial(TextureSort.prepared, device, progress=progress, merge=merge)
    if precise_type(dtype, precision) not in WIDE:
        return prepared(dtype, network, method, precision)
    if method == "blend":
        rounded = ", or round them by precision='float32'" if dtype.kind == "f" else ""
        raise UnsupportedKeys(
            f"{dtype} keys cannot be sorted by method {method!r}: each is drawn as two words, "
            f"which blending would part. Use method='auto'{rounded}"
        )
    return WideSort(prepared(np.dtype(np.uint32), network, method, record=WORDS), dtype)


def _records(keys: Keys) -> Records:
    """Return keys as records: unsigned integers in the order of the keys."""
    return to_unsigned(ordinals(keys)).astype(np.uint64, copy=False)


def _joined(ordered: Keys, keys: Keys, descending: bool) -> Keys:
    """Return ordered numbers, the largest first if asked, and then the NaNs among the keys."""
    numbers = ordered[::-1] if descending else ordered
    return np.concatenate([numbers, keys[keys != keys]])


def _keys_of(bits: Keys, dtype: np.dtype[Any]) -> Keys:
    """Return the keys of a type, given their ordinals as `to_unsigned` integers."""
    if dtype.kind == "u":
        return bits
    numbers = (bits ^ np.uint64(1 << 63)).view(np.int64)
    return from_ordinals(numbers, dtype, in_place=True)
