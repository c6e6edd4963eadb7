"""Sorting records: keys carry their index in the input, and values follow by index.

A record is an integer of 64 bits: the code of its key in the upper half, its index in the input in
the lower half. No two records are equal, so their order is the stable order of the keys. Shaders
compare records word by word: a record takes two channels of a texture of integers. No channel ever
holds a NaN, a −0.0 or a denormal, so nothing is set aside. A card without textures of integers
refuses records.
"""

from functools import partial

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices import borrowed
from shadersort.drawing.devices.base import Device
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS, Record
from shadersort.errors import TooManyKeys
from shadersort.keys.codes import encode
from shadersort.keys.inputs import DRAWN, as_drawable, convert, precise_type
from shadersort.keys.types import Keys
from shadersort.names import DeviceName, NetworkName, Precision, SortMethod
from shadersort.sorting.key_columns import as_values, order_of_columns
from shadersort.sorting.merge import merge_by_threads
from shadersort.sorting.texture_sort import TextureSort
from shadersort.sorting.threads import cores

Records = npt.NDArray[np.uint64]

WORDS: Record = 2
"""Channels of a record: its upper and its lower word."""

MOST_RECORDS = (1 << 32) - 1
"""Indices of 32 bits; the largest index is left for the padding."""


def argsort(
    keys: npt.ArrayLike,
    *,
    network: NetworkName = "pbsn",
    method: SortMethod = "auto",
    device: Device | DeviceName | None = None,
    precision: Precision | None = None,
    descending: bool = False,
    progress: bool = False,
) -> npt.NDArray[np.intp]:
    """Return the indices that sort keys, found by drawing.

    The result is that of `np.argsort(keys, kind="stable")`: equal keys keep the order of the
    input, −0.0 equals 0.0, and NaNs are equal and come last.

    Parameters
    ----------
    keys
        One-dimensional; of the types of `sort`. At most twice as many as the device's largest
        texture has texels, and at most 2**32 − 1. Keys of 64 bits are sorted twice: by their lower
        words, then by their upper words.
    network
        As for `sort`.
    method
        "fragment", "fused" or "compute"; "auto" takes the fastest that the device allows. Not
        "blend": MIN and MAX would part a key from its index.
    device, progress
        As for `sort`.
    precision
        "float16" rounds the keys to halves first, and so makes some of them equal.
    descending
        Largest first. Equal keys still keep the order of the input, and NaNs still come last.

    Raises
    ------
    MethodUnavailable
        The device cannot draw by this method, or it is "blend".
    UnsupportedKeys, KeysNotFlat, TooManyKeys, ProfileLimit, UnknownName, …
        As for `sort`.

    Examples
    --------
    >>> argsort(np.float32([3, 1, np.nan, 1]), device="software")
    array([1, 3, 0, 2])
    >>> argsort(np.int32([3, 1, 2, 1]), device="software", descending=True)
    array([0, 2, 1, 3])
    """
    keys = as_drawable(keys)
    keys = convert(keys, precise_type(keys.dtype, precision))
    with borrowed(device) as opened:
        way = TextureSort.prepared(
            opened, np.dtype(np.uint32), network, method, record=WORDS, progress=progress
        )
        if len(keys) > MOST_RECORDS:  # refused before they take memory
            raise TooManyKeys(f"{len(keys):,} records: 32 bits count at most {MOST_RECORDS:,}")
        way.window_of(len(keys))
        return _order(way, codes(keys, descending=descending))


def sort_records(
    keys: npt.ArrayLike,
    values: npt.ArrayLike,
    *,
    network: NetworkName = "pbsn",
    method: SortMethod = "auto",
    device: Device | DeviceName | None = None,
    precision: Precision | None = None,
    descending: bool = False,
    progress: bool = False,
) -> tuple[Keys, Keys]:
    """Sort keys by drawing, and return them and their values in the same order.

    Parameters
    ----------
    keys
        As for `argsort`. Or keys of several columns, the most significant first: a structured
        array, or an array of shape (count, columns). They are sorted by the last column first, and
        `descending` holds for all columns.
    values
        An array of any type (numbers, strings, structures, objects) and shape. Its first axis has
        one entry for each key.
    network, method, device, precision, descending, progress
        As for `argsort`. With `precision="float16"`, the keys come back as halves.

    Returns
    -------
    tuple of two arrays
        `keys[order]`, bit for bit, and `values[order]`, where `order` is that of `argsort`.

    Raises
    ------
    ValuesMismatch
        The number of values is not the number of keys.
    MethodUnavailable, UnsupportedKeys, …
        As for `argsort`.

    Examples
    --------
    >>> keys, names = sort_records(np.float32([3, 1, 2]), ["c", "a", "b"], device="software")
    >>> keys, names
    (array([1., 2., 3.], dtype=float32), array(['a', 'b', 'c'], dtype='<U1'))
    >>> sort_records(np.int32([[2, 1], [1, 9], [1, 3]]), ["a", "b", "c"], device="software")[1]
    array(['c', 'b', 'a'], dtype='<U1')
    """
    array = DRAWN.array(keys)
    if array.dtype.names is None:
        array = as_drawable(array, ndim=2 if array.ndim == 2 else 1)
    array = convert(array, precise_type(array.dtype, precision))
    followed = as_values(values, array)
    with borrowed(device) as opened:
        sort_column = partial(
            argsort,
            network=network,
            method=method,
            device=opened,
            descending=descending,
            progress=progress,
        )
        order = order_of_columns(array, sort_column)
    return array[order], followed[order]


def codes(keys: Keys, *, descending: bool = False) -> Keys:
    """Return integers of 32 or 64 bits in the order of the keys; equal keys have equal codes."""
    found = encode(keys)
    if found.itemsize < 4:
        found = found.astype(np.uint32)
    if not descending:
        return found
    found = ~found
    if keys.dtype.kind == "f":
        found[np.isnan(keys)] = np.iinfo(found.dtype).max
    return found


def _order(way: TextureSort, found: Keys) -> npt.NDArray[np.intp]:
    """Return the indices that sort codes. Those of 64 bits are sorted by each of their words.

    Lower words first: sorting by the upper words keeps the order of equal ones.
    """
    if found.itemsize == 4:
        return _order_of_words(way, found)
    order = _order_of_words(way, (found & MOST_RECORDS).astype(np.uint32))
    return order[_order_of_words(way, (found >> 32).astype(np.uint32)[order])]


def _order_of_words(way: TextureSort, words: Keys) -> npt.NDArray[np.intp]:
    """Sort words of 32 bits with their indices on a device, and return the indices."""
    records = words.astype(np.uint64)
    records <<= np.uint64(32)
    records |= np.arange(len(words), dtype=np.uint64)
    return (sorted_records(way, records) & MOST_RECORDS).astype(np.intp)


def sorted_records(way: TextureSort, records: Records) -> Records:
    """Sort records on a device, and return them as a new array."""
    count = len(records)
    program = way.program_of_one(way.window_of(count))
    texels = texels_of(records, program.network.n)
    del records  # as large as all keys and indices, and not needed while the device sorts
    ordered = records_in(way.run(program, texels.reshape(program.height, program.width, CHANNELS)))
    if way.merge == "device":
        return ordered.ravel()[:count].astype(np.uint64)
    runs = [ordered[: -(-(count - i) // 2), i].astype(np.uint64) for i in range(2)]
    return merge_by_threads(runs, cores())


def texels_of(records: Records, count: int) -> Texels:
    """Return `count` texels that hold records, filled up with records that sort last."""
    texels = np.full(count * CHANNELS, np.iinfo(np.uint32).max, np.uint32)
    texels[: WORDS * len(records)] = records.astype(">u8").view(">u4")
    return texels.reshape(count, CHANNELS)


def records_in(texels: Texels) -> Records:
    """Return the records in texels, as an array of shape (texels, 2): one list in each column."""
    return texels.ravel().astype(">u4").view(">u8").reshape(-1, 2)
