"""Sorting keys of 64 bits: each key's code is drawn as a record, digit by digit.

A texture has no channel of 64 bits. But shaders compare records of two digits of 32 bits (or of
four of 16 bits on a card without integers), so the unsigned integer in the order of a key is such
a record itself. Every bit of it is compared, so the order is that of the ordinals: −0.0 comes
before 0.0. NaNs are not drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from shadersort.drawing.devices.base import Device
from shadersort.drawing.limits import type_of_records
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.texture_size import ceil_power_of_two, largest_texture
from shadersort.errors import UnsupportedKeys
from shadersort.keys.accepted import precise
from shadersort.keys.codes import from_ordinals, ordinals, unsigned
from shadersort.keys.types import WIDE, Keys
from shadersort.names import MergeName, NetworkName, Precision, SortMethod
from shadersort.sorting.records import DIGITS, Digits, Records, sorted_records
from shadersort.sorting.texture_sort import TextureSort, check_fits


@dataclass(frozen=True, slots=True)
class WideSort:
    """One way to sort keys of 64 bits on one device."""

    way: TextureSort
    digits: Digits
    dtype: np.dtype[Any]

    @classmethod
    def prepared(
        cls,
        device: Device,
        dtype: np.dtype[Any],
        network: NetworkName,
        method: SortMethod,
        *,
        progress: bool = False,
        merge: MergeName = "auto",
    ) -> Self:
        """Settle how keys of a type are sorted, or raise an error that says why they cannot be."""
        if method == "blend":
            rounded = ", or round them by precision='float32'" if dtype.kind == "f" else ""
            raise UnsupportedKeys(
                f"{dtype} keys cannot be sorted by method {method!r}: each is drawn as two words, "
                f"which blending would part. Use method='auto'{rounded}"
            )
        digits = DIGITS[type_of_records(device.profile).name]
        way = TextureSort.prepared(
            device,
            digits.dtype,
            network,
            method,
            record=digits.record,
            progress=progress,
            merge=merge,
        )
        return cls(way, digits, dtype)

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
        return self.digits.lists * largest_texture(self.way.device.max_texture_size)

    def sort(self, keys: Keys) -> Keys:
        """Return keys without NaNs in order, as a new array.

        Examples
        --------
        >>> from shadersort.drawing.devices import open_device
        >>> with open_device("software") as device:
        ...     way = WideSort.prepared(device, np.dtype(np.int64), "pbsn", "auto")
        ...     way.sort(np.array([2**53 + 1, -1, 2**53]))
        array([              -1, 9007199254740992, 9007199254740993])
        """
        return _keys_of(sorted_records(self.way, self.digits, _records(keys)), self.dtype)

    def sort_with_nans(self, keys: Keys, *, descending: bool) -> Keys:
        """Return keys in order, as a new array; NaNs come last, in the order of the input."""
        self.way.window_of(len(keys))  # too many are refused before they take memory
        return _joined(self.sort(keys[keys == keys]), keys, descending)

    def sort_equal(self, windows: Keys, *, descending: bool) -> Keys:
        """Return an array of windows, of shape (count, length), with each in order."""
        ordered = self.sort_windows(list(windows), descending=descending)
        return np.array(ordered, self.dtype).reshape(windows.shape)

    def sort_windows(self, windows: Sequence[Keys], *, descending: bool) -> list[Keys]:
        """Return each window in order, as new arrays; NaNs come last, as in `sort_with_nans`."""
        ordered = list(windows)
        groups: dict[int, list[int]] = {}
        for i, window in enumerate(windows):
            groups.setdefault(ceil_power_of_two(len(window)), []).append(i)
        for length, members in groups.items():
            check_fits(self.way.device, length, 1, "keys in one window")
            rows = np.full((len(members), length), np.iinfo(np.uint64).max, np.uint64)
            numbers = [windows[i][windows[i] == windows[i]] for i in members]
            for row, each in zip(rows, numbers, strict=True):
                row[: len(each)] = _records(each)
            for row, each, i in zip(self._sorted_rows(rows), numbers, members, strict=True):
                keys = _keys_of(row[: len(each)].copy(), self.dtype)
                ordered[i] = _joined(keys, windows[i], descending)
        return ordered

    def _sorted_rows(self, rows: Records) -> Records:
        """Sort each row of an array of shape (count, 2**p); a texel has records of several rows."""
        count, length = rows.shape
        lists = self.digits.lists
        groups = -(-count // lists)
        whole = np.full((groups, lists, length), np.iinfo(np.uint64).max, np.uint64)
        whole.reshape(-1, length)[:count] = rows
        batch = max(1, self.way.texels_in_batch() // length)
        for i in range(0, groups, batch):
            whole[i : i + batch] = self._drawn(whole[i : i + batch].swapaxes(1, 2)).swapaxes(1, 2)
        return whole.reshape(-1, length)[:count]

    def _drawn(self, records: Records) -> Records:
        """Sort records of shape (windows, 2**p, lists) along the second axis."""
        windows, length, _ = records.shape
        program = self.way.program(length, windows)
        shape = program.height, program.width, CHANNELS
        texels = self.digits.texels(records.ravel(), program.width * program.height)
        found = self.digits.records(self.way.run(program, texels.reshape(shape)))
        return found[: windows * length].reshape(records.shape)


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
    if precise(dtype, precision) in WIDE:
        return WideSort.prepared(device, dtype, network, method, progress=progress, merge=merge)
    return TextureSort.prepared(
        device, dtype, network, method, precision, progress=progress, merge=merge
    )


def _records(keys: Keys) -> Records:
    """Return keys as records: unsigned integers in the order of the keys."""
    return unsigned(ordinals(keys)).astype(np.uint64, copy=False)


def _joined(ordered: Keys, keys: Keys, descending: bool) -> Keys:
    """Return ordered numbers, the largest first if asked, and then the NaNs among the keys."""
    numbers = ordered[::-1] if descending else ordered
    return np.concatenate([numbers, keys[keys != keys]])


def _keys_of(bits: Keys, dtype: np.dtype[Any]) -> Keys:
    """Return the keys of a type, given their ordinals as `unsigned` integers."""
    if dtype.kind == "u":
        return bits
    numbers = (bits ^ np.uint64(1 << 63)).view(np.int64)
    return from_ordinals(numbers, dtype, in_place=True)
