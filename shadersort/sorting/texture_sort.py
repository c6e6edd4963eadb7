"""How windows of keys are drawn: packed into a texture, sorted by a program, and unpacked.

A texture holds windows of 2**p texels one after the other, each texel four keys. The four channels
of a window are sorted side by side: four windows of the caller's, or four quarters of one long
array, which are merged afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.drawing.devices.base import CHANNELS, Device, Texels
from shadersort.drawing.limits import check_size, fits_memory, precision_of
from shadersort.drawing.networks import network as build_network
from shadersort.drawing.passes import Program
from shadersort.drawing.program import compile
from shadersort.drawing.progress import progress_of
from shadersort.drawing.texture_size import (
    ceil_power_of_two,
    largest_texture,
    texture_size,
    window_texels,
)
from shadersort.errors import TooManyKeys
from shadersort.keys.accepted import rounded
from shadersort.keys.aside import Aside, exceptional, padding, set_aside
from shadersort.keys.types import Keys
from shadersort.sorting.merge import merge

__all__ = ["Drawing", "reversed_before_nans"]


MOST_BUFFERS = 3
"""Most buffers of a program: the input, and two to go to and fro."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """How windows are sorted: on which device, by which network and method."""

    device: Device
    network: str
    method: str
    progress: bool

    def check(self, dtype: np.dtype[Any]) -> None:
        """Raise an error if network or method do not exist, or cannot sort keys of this type."""
        compile(build_network(self.network, 1), 1, 1, self.method)
        self.device.check_keys(self.method, dtype)

    def rounded(self, keys: Keys, precision: str | None) -> Keys:
        """Return keys in the precision asked for, else in what an emulated card can blend."""
        if precision is None:
            blends = self.method == "blend"
            precision = precision_of(self.device.profile, keys.dtype, blends=blends)
        keys = rounded(keys, precision)
        self.check(keys.dtype)
        return keys

    def keeps_denormals(self, dtype: np.dtype[Any]) -> bool:
        """Whether the probe has shown that this method keeps denormals of this type."""
        return self.device.keeps_denormals.get((self.method, dtype), False)

    @property
    def texels_in_texture(self) -> int:
        """Most texels of a texture of the device."""
        return largest_texture(self.device.max_texture_size)

    def texels_in_batch(self, dtype: np.dtype[Any]) -> int:
        """Return the texels of the largest texture whose program fits into an emulated card."""
        card, texels = self.device.profile, self.texels_in_texture
        while card and texels > 1 and not fits_memory(card, MOST_BUFFERS, texels, dtype):
            texels //= 2
        return texels

    def check_fits(self, count: int, per_texel: int, what: str = "keys") -> None:
        """Raise TooManyKeys if so many keys, so many in a texel, are more than a texture."""
        most = self.texels_in_texture * per_texel
        if count > most:
            if self.device.profile:
                check_size(self.device.profile, *texture_size(window_texels(count, per_texel)))
            side = self.device.max_texture_size
            raise TooManyKeys(
                f"{count:,} {what} do not fit into the largest texture of {self.device!r}, "
                f"{side} × {side} texels: it takes {most:,}"
            )

    def sort_keys(self, keys: Keys) -> tuple[Keys, Aside | None]:
        """Sort one array: its four quarters are sorted side by side, and merged."""
        drawn, aside = set_aside(keys, keeps_denormals=self.keeps_denormals(keys.dtype))
        self.check_fits(len(drawn), CHANNELS)
        length = window_texels(len(drawn))
        texels = np.full(length * CHANNELS, padding(keys.dtype), keys.dtype)
        texels[: len(drawn)] = drawn  # which key lies in which channel does not matter
        channels = self.sort_channels(texels.reshape(1, length, CHANNELS))[0].T
        ordered = merge(channels)[: len(drawn)].copy()  # not a view that keeps the padding alive
        return (aside.put_back(ordered) if aside else ordered), aside

    def sort_equal(self, windows: Keys, descending: bool) -> Keys:
        """Sort the rows of an array of shape (count, length)."""
        count, length = windows.shape
        rows = np.full((count, ceil_power_of_two(length)), padding(windows.dtype), windows.dtype)
        rows[:, :length] = windows
        return self.sort_rows(rows, [length] * count, descending)[:, :length].copy()

    def sort_ragged(self, windows: Sequence[Keys], descending: bool) -> list[Keys]:
        """Sort windows of any lengths; those that fill up to one power of two go together."""
        ordered = [window.copy() for window in windows]
        groups: dict[int, list[int]] = {}
        for i, window in enumerate(windows):
            groups.setdefault(ceil_power_of_two(len(window)), []).append(i)
        for length, members in groups.items():
            dtype = windows[members[0]].dtype
            rows = np.full((len(members), length), padding(dtype), dtype)
            for row, i in zip(rows, members, strict=True):
                row[: len(windows[i])] = windows[i]
            lengths = [len(windows[i]) for i in members]
            rows = self.sort_rows(rows, lengths, descending)
            for row, i in zip(rows, members, strict=True):
                ordered[i][:] = row[: len(windows[i])]
        return ordered

    def sort_rows(self, rows: Keys, lengths: Sequence[int], descending: bool) -> Keys:
        """Sort windows that are the rows of an array of shape (count, 2**p), padded at their ends.

        The array is changed.
        """
        self.check_fits(max(lengths, default=0), 1, "keys in one window")
        keeps_denormals = self.keeps_denormals(rows.dtype)
        asides: dict[int, Aside] = {}
        special = exceptional(rows, keeps_denormals=keeps_denormals).any(axis=1)
        for i in np.flatnonzero(special).tolist():
            drawn, aside = set_aside(rows[i, : lengths[i]], keeps_denormals=keeps_denormals)
            assert aside is not None
            asides[i] = aside
            rows[i, : len(drawn)] = drawn
            rows[i, len(drawn) :] = padding(rows.dtype)
        ordered = self._sort_full_rows(rows)
        for i, aside in asides.items():
            ordered[i, : lengths[i]] = aside.put_back(ordered[i, : lengths[i] - aside.undrawn])
        if descending:
            for i, length in enumerate(lengths):
                ordered[i, :length] = reversed_before_nans(ordered[i, :length], asides.get(i))
        return ordered

    def _sort_full_rows(self, rows: Keys) -> Keys:
        """Sort each row of an array of shape (count, 2**p), four rows to a texel."""
        count, length = rows.shape
        groups = -(-count // CHANNELS)
        whole = np.full((groups, CHANNELS, length), padding(rows.dtype), rows.dtype)
        whole.reshape(-1, length)[:count] = rows
        batch = max(1, self.texels_in_batch(rows.dtype) // length)
        for i in range(0, groups, batch):
            channels = whole[i : i + batch].swapaxes(1, 2)
            whole[i : i + batch] = self.sort_channels(channels).swapaxes(1, 2)
        return whole.reshape(-1, length)[:count]

    def sort_channels(self, texels: Texels) -> Texels:
        """Sort each channel of each window, given an array of shape (windows, 2**p, 4)."""
        windows, length, _ = texels.shape
        width, height = texture_size(windows * length)
        program = compile(build_network(self.network, length), width, height, self.method)
        texture = texels.reshape(-1, CHANNELS)
        if missing := width * height - len(texture):
            filler = np.full((missing, CHANNELS), padding(texels.dtype), texels.dtype)
            texture = np.concatenate([texture, filler])
        ordered = self.run(program, texture.reshape(height, width, CHANNELS))
        return ordered.reshape(-1, CHANNELS)[: windows * length].reshape(texels.shape)

    def run(self, program: Program, texture: Texels) -> Texels:
        """Run a program on a texture, and return its result: all drawing goes through here."""
        with progress_of(self.device, program, shown=self.progress) as observe:
            return self.device.run(program, texture, observe)


def reversed_before_nans(ordered: Keys, aside: Aside | None) -> Keys:
    """Return sorted keys with the largest first and NaNs where they were, at the end."""
    numbers = len(ordered) - (len(aside.nans) if aside else 0)
    return np.concatenate([ordered[:numbers][::-1], ordered[numbers:]])
