"""Sorting on textures, in one line: prepare, set aside, upload, draw, download, merge.

A texture holds windows of 2**p texels one after the other, each texel four keys. The four channels
of a window are sorted side by side: they are four windows of the caller's, or four lists of the
keys of one long array. The lists are merged by further steps of the network (`methods/merging.py`)
or, as in the paper of 2005, by the CPU.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from shadersort.drawing.compile import compile
from shadersort.drawing.cost.limits import check_size, fits_memory, precision_of
from shadersort.drawing.devices.base import Device
from shadersort.drawing.devices.texture import Texels, packed
from shadersort.drawing.methods.merging import merging
from shadersort.drawing.networks import network as build_network
from shadersort.drawing.passes import (
    CHANNELS,
    Record,
    ceil_power_of_two,
    largest_texture,
    texture_size,
    window_texels,
)
from shadersort.drawing.program import Program
from shadersort.drawing.progress import progress_of
from shadersort.errors import BadOption, TooManyKeys
from shadersort.keys.inputs import convert, precise_type
from shadersort.keys.types import Keys
from shadersort.keys.undrawable import Undrawable, padding, split_undrawable, undrawable_mask
from shadersort.names import DrawingMethod, MergeName, MergePlace, NetworkName, SortMethod
from shadersort.sorting.merge import merge_by_threads
from shadersort.sorting.threads import cores

MOST_BUFFERS = 3
"""Most buffers of a program: the input, and two to go to and fro."""


@dataclass(frozen=True, slots=True)
class TextureSort:
    """One way to sort keys of one type on one device; `prepared` makes it, and checks all names."""

    device: Device
    network: NetworkName
    method: DrawingMethod  # never "auto"
    dtype: np.dtype[Any]  # type of the keys when they are drawn, and of the result
    record: Record  # channels that are compared as one
    progress: bool  # whether a progress bar is shown
    merge: MergePlace  # what merges the lists of one array; windows are not merged

    @classmethod
    def prepared(
        cls,
        device: Device,
        dtype: np.dtype[Any],
        network: NetworkName,
        method: SortMethod,
        precision: str | None = None,
        *,
        record: Record = 1,
        progress: bool = False,
        merge: MergeName = "auto",
        **more: Any,
    ) -> Self:
        """Settle how keys of a type are sorted, or raise an error that says why they cannot be.

        `method` and `merge` may be "auto". Without a `precision`, an emulated card that cannot
        blend keys of this type gets halves. `more` are the fields of a subclass.
        """
        method = device.resolved(method, dtype, precision, record=record)
        if precision is None:
            precision = precision_of(device.profile, dtype, blends=method == "blend")
        drawn = precise_type(dtype, precision)
        compile(build_network(network, 1), 1, 1, method, record)
        device.check_keys(method, drawn)
        place = merge_place(merge, device, method)
        return cls(device, network, method, drawn, record, progress, place, **more)

    @property
    def label(self) -> str:
        """What sorts, and how: "pbsn, blend, float16, NVIDIA H200"."""
        return f"{self.network}, {self.method}, {self.dtype}, {self.device.label}"

    @property
    def most(self) -> int:
        """The most keys or records that the device's largest texture holds."""
        return CHANNELS // self.record * largest_texture(self.device.max_texture_size)

    def sort(self, keys: Keys, *, descending: bool = False) -> Keys:
        """Sort one array: four lists of its keys are sorted side by side, and merged.

        What the device has merged, and nothing has to be put back into, is not copied again.
        """
        drawn, undrawable = split_undrawable(convert(keys, self.dtype))
        texels = self.run_keys(self.program_of_one(self.window_of(len(drawn))), drawn)
        if self.merge == "device":
            ordered = texels.reshape(-1)[: len(drawn)]
        else:
            lists = texels.reshape(-1, CHANNELS).T  # without the padding at their ends
            lengths = [-(-(len(drawn) - i) // CHANNELS) for i in range(CHANNELS)]
            ordered = merge_by_threads([lists[i][:n] for i, n in enumerate(lengths)], cores())
        ordered = undrawable.put_back(ordered) if undrawable else ordered
        return _reversed_before_nans(ordered, undrawable) if descending else ordered

    def sort_equal(self, windows: Keys, *, descending: bool) -> Keys:
        """Sort the rows of an array of shape (count, length)."""
        count, length = windows.shape
        rows = self._padding_rows(count, length)
        rows[:, :length] = convert(windows, self.dtype)
        return self._sort_rows(rows, [length] * count, descending)[:, :length].copy()

    def sort_ragged(self, windows: Sequence[Keys], *, descending: bool) -> list[Keys]:
        """Sort windows of any lengths; those that are padded to the same length go together."""
        ordered = list(windows)
        for length, members in members_by_length(windows).items():
            rows = self._padding_rows(len(members), length)
            for row, i in zip(rows, members, strict=True):
                row[: len(windows[i])] = convert(windows[i], self.dtype)
            rows = self._sort_rows(rows, [len(windows[i]) for i in members], descending)
            for row, i in zip(rows, members, strict=True):
                ordered[i] = row[: len(windows[i])].copy()
        return ordered

    def window_of(self, count: int) -> int:
        """Return the texels of one window that holds all keys or records, if a texture does."""
        per_texel = CHANNELS // self.record
        check_fits(self.device, count, per_texel, "keys" if self.record == 1 else "records")
        return window_texels(count, per_texel)

    def program(self, length: int, windows: int = 1) -> Program:
        """Return the program that sorts windows of `length` texels in one texture."""
        wires = build_network(self.network, length)
        return compile(wires, *texture_size(windows * length), self.method, self.record)

    def program_of_one(self, length: int) -> Program:
        """Return the program that `sort` runs on `length` texels, which may merge their lists."""
        lists = CHANNELS // self.record if self.merge == "device" else 1
        wires = merging(build_network(self.network, length), lists)
        return compile(wires, *texture_size(length), self.method, self.record)

    def run_keys(self, program: Program, keys: Keys) -> Texels:
        """Run a program on keys, filled up with padding; return the rows that hold them after it.

        Which key lies in which channel does not matter. Each list has its padding last, and so has
        the one list that the device merges them into.
        """
        fill, size = padding(self.dtype), (program.width, program.height)
        rows = max(1, -(-len(keys) // (CHANNELS * program.width)))
        with (
            progress_of(self.device, program, shown=self.progress) as observe,
            self.device.upload(packed(keys, *size, fill)) as texture,
            self.device.execute(program, texture, observe) as result,
        ):
            return result.read(rows)

    def run(self, program: Program, texture: Texels) -> Texels:
        """Upload a texture, run a program on it, and download the result."""
        with progress_of(self.device, program, shown=self.progress) as observe:
            return self.device.run(program, texture, observe)

    def _padding_rows(self, count: int, length: int) -> Keys:
        """Return rows of padding, each long enough for a window of `length` keys."""
        return np.full((count, ceil_power_of_two(length)), padding(self.dtype), self.dtype)

    def _sort_rows(self, rows: Keys, lengths: Sequence[int], descending: bool) -> Keys:
        """Sort rows of 2**p keys that are padded after their first `lengths`; changes the array."""
        check_fits(self.device, max(lengths, default=0), 1, "keys in one window")
        special = undrawable_mask(rows).any(axis=1)
        undrawables: dict[int, Undrawable] = {}
        for i in np.flatnonzero(special).tolist():
            drawn, undrawable = split_undrawable(rows[i, : lengths[i]])
            assert undrawable is not None
            undrawables[i] = undrawable
            rows[i, : len(drawn)] = drawn
            rows[i, len(drawn) :] = padding(self.dtype)
        ordered = self.sort_side_by_side(rows, CHANNELS, padding(self.dtype), self._sort_channels)
        for i, each in undrawables.items():
            ordered[i, : lengths[i]] = each.put_back(ordered[i, : lengths[i] - each.holes])
        if descending:
            for i, length in enumerate(lengths):
                ordered[i, :length] = _reversed_before_nans(ordered[i, :length], undrawables.get(i))
        return ordered

    def sort_side_by_side(
        self, rows: Keys, lists: int, fill: Any, draw: Callable[[Keys], Keys]
    ) -> Keys:
        """Sort each row of an array of shape (count, 2**p), as many at once as a texture holds.

        A texel has keys of several rows, its `lists`. `draw` sorts arrays of shape
        (windows, 2**p, lists) along the second axis.
        """
        count, length = rows.shape
        whole = np.full((-(-count // lists), lists, length), fill, rows.dtype)
        whole.reshape(-1, length)[:count] = rows
        batch = max(1, self._texels_in_batch() // length)
        for i in range(0, len(whole), batch):
            whole[i : i + batch] = draw(whole[i : i + batch].swapaxes(1, 2)).swapaxes(1, 2)
        return whole.reshape(-1, length)[:count]

    def _texels_in_batch(self) -> int:
        """Return the texels of the largest texture whose program fits into an emulated card."""
        card, texels = self.device.profile, largest_texture(self.device.max_texture_size)
        while card and texels > 1 and not fits_memory(card, MOST_BUFFERS, texels, self.dtype):
            texels //= 2
        return texels

    def _sort_channels(self, texels: Texels) -> Texels:
        """Sort each channel of each window, given an array of shape (windows, 2**p, 4)."""
        windows, length, _ = texels.shape
        program = self.program(length, windows)
        size = program.width, program.height
        ordered = self.run(program, packed(texels.reshape(-1), *size, padding(self.dtype)))
        return ordered.reshape(-1, CHANNELS)[: windows * length].reshape(texels.shape)


def members_by_length(windows: Sequence[Keys]) -> dict[int, list[int]]:
    """Return the indices of windows that are padded to the same length, by that length."""
    groups: dict[int, list[int]] = {}
    for i, window in enumerate(windows):
        groups.setdefault(ceil_power_of_two(len(window)), []).append(i)
    return groups


def merge_place(merge: str, device: Device, method: DrawingMethod) -> MergePlace:
    """Return what merges; for "auto", what is expected to be faster.

    The merge has a tenth of the steps of a pbsn sort of 2**23 keys. A GPU draws them sooner than
    the host merges, unless it blends, and so copies all texels in each step. Where a CPU draws,
    it merges faster than it draws.
    """
    if merge == "auto":
        return "device" if device.hardware and method != "blend" else "host"
    if merge not in ("host", "device"):
        raise BadOption(f"merge is 'auto', 'host' or 'device', not {merge!r}")
    return "host" if merge == "host" else "device"


def check_fits(device: Device, count: int, per_texel: int, what: str = "keys") -> None:
    """Raise TooManyKeys, or the ProfileLimit of an emulated card, if they exceed one texture."""
    most = largest_texture(device.max_texture_size) * per_texel
    if count <= most:
        return
    if device.profile:
        check_size(device.profile, *texture_size(window_texels(count, per_texel)))
    side = device.max_texture_size
    raise TooManyKeys(
        f"{count:,} {what} do not fit into the largest texture of {device!r}, "
        f"{side} × {side} texels: it takes {most:,}"
    )


def _reversed_before_nans(ordered: Keys, undrawable: Undrawable | None) -> Keys:
    """Return sorted keys with the largest first and NaNs where they were, at the end."""
    numbers = len(ordered) - (len(undrawable.nans) if undrawable else 0)
    return np.concatenate([ordered[:numbers][::-1], ordered[numbers:]])
