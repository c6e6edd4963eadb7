"""Sorting keys and windows of keys on a device: the functions that callers use."""

from collections.abc import Sequence
from typing import TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices import borrowed
from shadersort.drawing.devices.base import Device
from shadersort.errors import UnsupportedKeys
from shadersort.keys.inputs import as_drawable
from shadersort.keys.types import Keys
from shadersort.names import DeviceName, MergeName, NetworkName, Precision, SortMethod
from shadersort.sorting.shared_sort import Balance, sort_shared
from shadersort.sorting.wide import way_to_sort


def sort(
    keys: npt.ArrayLike,
    *,
    network: NetworkName = "pbsn",
    method: SortMethod = "blend",
    device: Device | DeviceName | None = None,
    precision: Precision | None = None,
    descending: bool = False,
    share: float | str = 0.0,
    merge: MergeName = "auto",
    progress: bool = False,
) -> Keys:
    """Sort keys by drawing, and return them as a new array.

    The result is a permutation of the input, bit for bit, in the order of `np.sort` with
    `kind="stable"`. −0.0 comes before 0.0. NaNs come last, with their payloads, in the order of the
    input.

    Parameters
    ----------
    keys
        One-dimensional; float16, float32 or float64, uint8, as of images, or integers of 32 or 64
        bits. At most as many as fit into the four channels of the device's largest texture; of 64
        bits half as many, as each is drawn as a record of two words.
    network
        The sorting network: "pbsn" (the paper's), "bitonic" or "odd-even-merge".
    method
        How it is drawn: "blend" (the paper's; uint8, and floats of at most 32 bits), "fragment" (a
        step in one shader pass), "kipfer" (the same, with partners and directions from the quads),
        "fused" (three or four steps in one), "compute" (blocks in shared memory; OpenGL 4.3), or
        "auto", the fastest of these on this device that sorts such keys.
    device
        A device of `open_device`, or the name of one to open for this call. None uses the best
        device of this machine, opened once and kept until the process ends.
    precision
        "float16" rounds the keys to halves first, as a card of 2005 had to in order to blend, and
        returns halves; "float32" rounds doubles to 32 bits first, or draws halves with 32 bits.
        None keeps the keys as they are. But if the device emulates a card that blends only halves,
        "blend" rounds them too.
    descending
        Largest first. NaNs still come last.
    share
        Share of the CPU: `np.sort` sorts that part of the keys in threads, while the device sorts
        the rest; then the CPU merges them. The result is the same for every share. With 0.0, the
        default, the device sorts all; with 1.0 the CPU sorts all. "auto" follows the speeds of
        both, measured on up to 2**20 of the keys when a device first shares keys of a type. With
        fewer than 65,536 keys, and on a device that is no GPU, "auto" is 0.0.
    merge
        What merges the four sorted lists that the channels of the texture hold. "host": the CPU, as
        in the paper. "device": two more stages of the "pbsn" network, drawn by any method after any
        network; 2 log₂(n/4) + 3 steps. "auto", the default: the device if it is a GPU and the
        method is not "blend", and otherwise the host. The result is the same.
    progress
        Show a progress bar.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat, TooManyKeys
        The keys cannot be sorted on this device, or not by this method.
    ProfileLimit
        The device emulates a card that could not do it.
    UnknownName
        There is nothing of this name; the message lists the names.
    BadOption
        The share is neither "auto" nor a number from 0.0 to 1.0; or there is no such `merge`.
    DeviceUnavailable
        The device cannot be opened here; the message says why.

    Examples
    --------
    >>> sort(np.float32([3, 1, np.nan, 2]), device="software")
    array([ 1.,  2.,  3., nan], dtype=float32)
    >>> sort(np.uint8([200, 7, 33]), device="software")
    array([  7,  33, 200], dtype=uint8)
    >>> sort(np.int32([3, -1, 2]), method="fragment", device="software", share=0.5)
    array([-1,  2,  3], dtype=int32)
    >>> sort(np.float32([3, 1, 2]), device="software", merge="device")
    array([1., 2., 3.], dtype=float32)
    """
    keys = as_drawable(keys)
    Balance(share)  # raises BadOption before a device is opened
    with borrowed(device) as opened:
        way = way_to_sort(
            opened, keys.dtype, network, method, precision, progress=progress, merge=merge
        )
        if share != 0:
            return sort_shared(way, keys, share, descending=descending)
        return way.sort(keys, descending=descending)


class SortOptions(TypedDict, total=False):
    """The options of `sort`."""

    network: NetworkName
    method: SortMethod
    device: Device | DeviceName | None
    precision: Precision | None
    descending: bool
    progress: bool


@overload
def sort_windows(windows: Keys, **options: Unpack[SortOptions]) -> Keys: ...


@overload
def sort_windows(
    windows: Sequence[npt.ArrayLike], **options: Unpack[SortOptions]
) -> list[Keys]: ...


def sort_windows(
    windows: Keys | Sequence[npt.ArrayLike],
    *,
    network: NetworkName = "pbsn",
    method: SortMethod = "blend",
    device: Device | DeviceName | None = None,
    precision: Precision | None = None,
    descending: bool = False,
    progress: bool = False,
) -> Keys | list[Keys]:
    """Sort each of many windows, four to a texel and as many at once as a texture holds.

    Parameters
    ----------
    windows
        An array of shape (count, length), for equal windows. Or a sequence of one-dimensional
        arrays of one type and of any lengths; each is padded to a power of two.
    network, method, device, precision, descending, progress
        As for `sort`.

    Returns
    -------
    array or list of arrays
        The sorted windows, in the form of the input.

    Examples
    --------
    >>> sort_windows(np.float32([[3, 1, 2], [9, 7, 8]]), device="software")
    array([[1., 2., 3.],
           [7., 8., 9.]], dtype=float32)
    >>> sort_windows([np.int32([2, 1]), np.int32([5])], method="fragment", device="software")
    [array([1, 2], dtype=int32), array([5], dtype=int32)]
    """
    if isinstance(windows, np.ndarray):
        given = [as_drawable(windows, ndim=2)]
    else:
        given = [as_drawable(window) for window in windows]
    types = {each.dtype for each in given} or {np.dtype(np.float32)}
    if len(types) > 1:
        names = ", ".join(sorted(map(str, types)))
        raise UnsupportedKeys(f"all windows must have one type; these have {names}")
    (dtype,) = types
    with borrowed(device) as opened:
        way = way_to_sort(opened, dtype, network, method, precision, progress=progress)
        if isinstance(windows, np.ndarray):
            return way.sort_equal(given[0], descending=descending)
        return way.sort_ragged(given, descending=descending)
