"""Sorting on a device: keys are packed into a texture, a program sorts them, and they come back.

A texture holds windows of 2**p texels one after the other, each texel four keys. The four channels
of a window are sorted side by side: four windows of the caller's, or four quarters of one long
array, which are merged afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from shadersort.devices import borrowed
from shadersort.devices.base import CHANNELS, Device, Texels
from shadersort.errors import TooManyKeys, UnsupportedKeys
from shadersort.keys import Aside, accepted, exceptional, padding, rounded, set_aside
from shadersort.limits import check_size, precision_of
from shadersort.merge import merge
from shadersort.networks import network as build_network
from shadersort.program import compile
from shadersort.progress import progress_of

__all__ = ["sort", "sort_windows"]

Keys = npt.NDArray[Any]


def sort(
    keys: npt.ArrayLike,
    *,
    network: str = "pbsn",
    method: str = "blend",
    device: Device | str | None = None,
    precision: str | None = None,
    descending: bool = False,
    progress: bool = False,
) -> Keys:
    """Sort keys by drawing, and return them as a new array.

    The result is a permutation of the input, bit for bit, in the order of `np.sort`: −0.0 before
    0.0, and NaNs last, with their payloads, in the order in which they came.

    Parameters
    ----------
    keys
        One-dimensional; float16, float32, int32 or uint32. As many as fit into the four channels
        of the device's largest texture.
    network
        The sorting network: "pbsn" (the paper's), "bitonic" or "odd-even-merge".
    method
        How a step of it is drawn: "blend" (the paper's; floats only) or "fragment".
    device
        A device of `open_device`, or what `open_device` takes to open one for this call. None uses
        the best device of this machine, opened once and kept until the process ends.
    precision
        "float16" rounds the keys to halves first, as a card of 2005 had to in order to blend, and
        returns halves; "float32" is for halves that shall be drawn with 32 bits. None keeps the
        keys as they are, unless the device emulates a card that blends halves only: then "blend"
        rounds them too.
    descending
        Largest first. NaNs still come last.
    progress
        Show a progress bar.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat, TooManyKeys
        The keys cannot be sorted on this device, or not by this method.
    ProfileLimit
        The device emulates a card that could not do it.
    UnknownNetwork, UnknownMethod, UnknownPrecision, UnknownDevice
        No such thing; the message lists what there is.
    DeviceUnavailable
        The device cannot be opened here; the message says why.

    Examples
    --------
    >>> sort(np.float32([3, 1, np.nan, 2]), device="software")
    array([ 1.,  2.,  3., nan], dtype=float32)
    """
    keys = rounded(accepted(keys), precision)
    with borrowed(device) as opened:
        keys = as_the_card_blends(keys, opened, method, precision)
        drawing = Drawing(opened, network, method, progress)
        drawn, aside = set_aside(keys, keeps_denormals=drawing.keeps_denormals(keys.dtype))
        length = window_texels(len(drawn))
        drawing.check_fits(len(drawn), length)
        texels = np.full(length * CHANNELS, padding(keys.dtype), keys.dtype)
        texels[: len(drawn)] = drawn  # which key lies in which channel does not matter
        channels = drawing.sort_channels(texels.reshape(1, length, CHANNELS))[0].T
    ordered = merge(channels)[: len(drawn)]
    if aside:
        ordered = aside.put_back(ordered)
    return reversed_before_nans(ordered, aside) if descending else ordered


@overload
def sort_windows(
    windows: Keys,
    *,
    network: str = ...,
    method: str = ...,
    device: Device | str | None = ...,
    precision: str | None = ...,
    descending: bool = ...,
    progress: bool = ...,
) -> Keys: ...


@overload
def sort_windows(
    windows: Sequence[npt.ArrayLike],
    *,
    network: str = ...,
    method: str = ...,
    device: Device | str | None = ...,
    precision: str | None = ...,
    descending: bool = ...,
    progress: bool = ...,
) -> list[Keys]: ...


def sort_windows(
    windows: Keys | Sequence[npt.ArrayLike],
    *,
    network: str = "pbsn",
    method: str = "blend",
    device: Device | str | None = None,
    precision: str | None = None,
    descending: bool = False,
    progress: bool = False,
) -> Keys | list[Keys]:
    """Sort many windows at once, each on its own: four to a texel, and as many as a texture holds.

    Parameters
    ----------
    windows
        An array of shape (count, length), for equal windows. Or a sequence of one-dimensional
        arrays of one type and of any lengths; each is padded to the longest.
    network, method, device, precision, descending, progress
        As for `sort`.

    Returns
    -------
    array or list of arrays
        The sorted windows, in the form in which they came.

    Examples
    --------
    >>> sort_windows(np.float32([[3, 1, 2], [9, 7, 8]]), device="software")
    array([[1., 2., 3.],
           [7., 8., 9.]], dtype=float32)
    >>> sort_windows([np.int32([2, 1]), np.int32([5])], method="fragment", device="software")
    [array([1, 2], dtype=int32), array([5], dtype=int32)]
    """
    rows, lengths = _padded(windows, precision)
    with borrowed(device) as opened:
        rows = as_the_card_blends(rows, opened, method, precision)
        drawing = Drawing(opened, network, method, progress)
        keeps_denormals = drawing.keeps_denormals(rows.dtype)
        asides: dict[int, Aside] = {}
        special = exceptional(rows, keeps_denormals=keeps_denormals).any(axis=1)
        for i in np.flatnonzero(special).tolist():
            drawn, aside = set_aside(rows[i, : lengths[i]], keeps_denormals=keeps_denormals)
            assert aside is not None
            asides[i] = aside
            rows[i, : len(drawn)] = drawn
            rows[i, len(drawn) :] = padding(rows.dtype)
        ordered = drawing.sort_rows(rows)
    for i, aside in asides.items():
        ordered[i, : lengths[i]] = aside.put_back(ordered[i, : lengths[i] - aside.undrawn])
    if descending:
        for i, length in enumerate(lengths):
            ordered[i, :length] = reversed_before_nans(ordered[i, :length], asides.get(i))
    if isinstance(windows, np.ndarray):
        return np.ascontiguousarray(ordered[:, : windows.shape[1]])
    return [row[:length].copy() for row, length in zip(ordered, lengths, strict=True)]


@dataclass(frozen=True, slots=True)
class Drawing:
    """How windows are sorted: on which device, by which network and method."""

    device: Device
    network: str
    method: str
    progress: bool

    def keeps_denormals(self, dtype: np.dtype[Any]) -> bool:
        """Whether the probe has shown that this method keeps denormals of this type."""
        return self.device.keeps_denormals.get((self.method, dtype), False)

    @property
    def texels_in_texture(self) -> int:
        """Most texels of a texture whose sides are powers of two."""
        side = 1 << (self.device.max_texture_size.bit_length() - 1)
        return side * side

    def check_fits(self, keys: int, length: int) -> None:
        """Raise TooManyKeys if one window of `length` texels is more than a texture."""
        if length > self.texels_in_texture:
            if self.device.profile:
                check_size(self.device.profile, *texture_size(length))
            side = self.device.max_texture_size
            raise TooManyKeys(
                f"{keys:,} keys do not fit into the largest texture of {self.device!r}: "
                f"{side} × {side} texels of four keys hold {CHANNELS * self.texels_in_texture:,}"
            )

    def sort_rows(self, rows: Keys) -> Keys:
        """Sort each row of an array of shape (count, 2**p): four rows to a texel."""
        count, length = rows.shape
        self.check_fits(length, length)
        groups = -(-count // CHANNELS)
        whole = np.full((groups * CHANNELS, length), padding(rows.dtype), rows.dtype)
        whole[:count] = rows
        ordered = np.empty_like(whole).reshape(groups, CHANNELS, length)
        batch = self.texels_in_texture // length
        for i in range(0, groups, batch):
            channels = whole.reshape(groups, CHANNELS, length)[i : i + batch]
            ordered[i : i + batch] = self.sort_channels(channels.swapaxes(1, 2)).swapaxes(1, 2)
        return ordered.reshape(-1, length)[:count]

    def sort_channels(self, texels: Texels) -> Texels:
        """Sort each channel of each window, given an array of shape (windows, 2**p, 4)."""
        windows, length, _ = texels.shape
        width, height = texture_size(windows * length)
        program = compile(build_network(self.network, length), width, height, self.method)
        texture = texels.reshape(-1, CHANNELS)
        if missing := width * height - len(texture):
            filler = np.full((missing, CHANNELS), padding(texels.dtype), texels.dtype)
            texture = np.concatenate([texture, filler])
        with progress_of(self.device, program, shown=self.progress) as observe:
            ordered = self.device.run(program, texture.reshape(height, width, CHANNELS), observe)
        return ordered.reshape(-1, CHANNELS)[: windows * length].reshape(texels.shape)


def as_the_card_blends(keys: Keys, device: Device, method: str, precision: str | None) -> Keys:
    """Round keys to what an emulated card blends, unless the caller asked for a precision."""
    if precision is not None:
        return keys
    return rounded(keys, precision_of(device.profile, keys.dtype, blends=method == "blend"))


def window_texels(keys: int) -> int:
    """Return the texels, a power of two, whose four channels hold so many keys.

    Examples
    --------
    >>> window_texels(16), window_texels(17)
    (4, 8)
    """
    return ceil_power_of_two(-(-keys // CHANNELS))


def texture_size(texels: int) -> tuple[int, int]:
    """Return width and height of a texture for so many texels: nearly square, as in the paper.

    The width is a power of two.

    Examples
    --------
    >>> texture_size(8), texture_size(9)
    ((2, 4), (4, 3))
    """
    width = 1 << (ceil_power_of_two(texels).bit_length() - 1) // 2
    return width, -(-texels // width)


def ceil_power_of_two(value: int) -> int:
    """Return the smallest power of two that is at least `value`."""
    return 1 << max(0, value - 1).bit_length()


def reversed_before_nans(ordered: Keys, aside: Aside | None) -> Keys:
    """Return sorted keys with the largest first and NaNs where they were, at the end."""
    numbers = len(ordered) - (len(aside.nans) if aside else 0)
    return np.concatenate([ordered[:numbers][::-1], ordered[numbers:]])


def _padded(
    windows: Keys | Sequence[npt.ArrayLike], precision: str | None
) -> tuple[Keys, list[int]]:
    """Return windows as the rows of one array of shape (count, 2**p), and their lengths."""
    if isinstance(windows, np.ndarray):
        equal = rounded(accepted(windows, ndim=2), precision)
        each, dtypes, longest = list(equal), {equal.dtype}, equal.shape[1]
    else:
        each = [rounded(accepted(window), precision) for window in windows]
        dtypes = {window.dtype for window in each} or {np.dtype(np.float32)}
        longest = max(map(len, each), default=0)
    if len(dtypes) > 1:
        names = ", ".join(sorted(map(str, dtypes)))
        raise UnsupportedKeys(f"all windows must have one type; these have {names}")
    dtype = dtypes.pop()
    rows = np.full((len(each), ceil_power_of_two(longest)), padding(dtype), dtype)
    for row, window in zip(rows, each, strict=True):
        row[: len(window)] = window
    return rows, [len(window) for window in each]
