"""How long sorting by drawing takes, compared with np.sort: each answer is checked, then timed.

There are three times: the program alone, with its texture already on the device; the program with
both transfers; and all of `sort`. The program is the one that `sort` runs: it merges the four lists
of a texture, or all of `sort` includes their merge on the CPU. Each is the median of several turns,
as many as fit into the given seconds.
"""

import time
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shadersort.drawing.devices import Device
from shadersort.drawing.passes import CHANNELS, window_texels
from shadersort.drawing.program import Program
from shadersort.errors import DeviceUnusable
from shadersort.keys.inputs import convert
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Keys
from shadersort.names import DrawingMethod, MergeName, MergePlace, NetworkName, SortMethod
from shadersort.sorting.sort import sort
from shadersort.sorting.texture_sort import TextureSort

MOST_TURNS = 15


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of one way to sort, in milliseconds: the medians of some turns."""

    keys: int
    dtype: str
    network: NetworkName
    method: DrawingMethod
    merge: MergePlace
    passes: int
    program_ms: float
    with_transfers_ms: float
    sort_ms: float
    numpy_ms: float  # np.sort of the same keys, in the same turns
    turns: int
    label: str  # what sorted, as `TextureSort.label` has it


def measure(
    device: Device,
    keys: Keys,
    *,
    network: NetworkName,
    method: SortMethod,
    seconds: float,
    merge: MergeName = "auto",
) -> Timing:
    """Check one way to sort 4, 8, 16 … keys on a device against np.sort, then time it.

    A device that emulates a card may round the keys to halves first, as `sort` does. Takes the
    given seconds and up to one turn more. Raises DeviceUnusable if the answer is wrong.
    """
    length = window_texels(len(keys))
    if CHANNELS * length != len(keys):
        raise ValueError(f"4, 8, 16 … keys fill the texels of a program; {len(keys):,} do not")
    way = TextureSort.prepared(device, keys.dtype, network, method, merge=merge)
    keys, program = convert(keys, way.dtype), way.program_of_one(length)
    result = sort(keys, device=device, network=network, method=way.method, merge=way.merge)
    if not np.array_equal(result, sort_keys(keys)):
        raise DeviceUnusable(
            f"{device!r} sorts {len(keys):,} {keys.dtype} keys wrongly, by {network} and "
            f"{way.method}: this is a bug of the driver or of shadersort, please report it"
        )
    turns: list[tuple[float, ...]] = []
    started = time.perf_counter()
    while len(turns) < MOST_TURNS and (not turns or time.perf_counter() - started < seconds):
        turns.append(_turn(device, way, program, keys))
    upload, alone, download, everything, on_cpu = (np.median(turns, axis=0) * 1e3).tolist()
    return Timing(
        keys=len(keys),
        dtype=keys.dtype.name,
        network=network,
        method=way.method,
        merge=way.merge,
        passes=len(program.passes),
        program_ms=alone,
        with_transfers_ms=upload + alone + download,
        sort_ms=everything,
        numpy_ms=on_cpu,
        turns=len(turns),
        label=way.label,
    )


def _turn(device: Device, way: TextureSort, program: Program, keys: Keys) -> tuple[float, ...]:
    """Return the seconds of the upload, the program, the download, all of `sort`, and np.sort."""
    texels = keys.reshape(program.height, program.width, CHANNELS)
    laps = [time.perf_counter()]
    with device.upload(texels) as texture:
        device.finish()
        laps.append(time.perf_counter())
        with device.execute(program, texture) as result:
            device.finish()
            laps.append(time.perf_counter())
            result.read()
            laps.append(time.perf_counter())
    start = time.perf_counter()
    sort(keys, device=device, network=way.network, method=way.method, merge=way.merge)
    sorted_by_device = time.perf_counter()
    np.sort(keys)
    sorted_by_numpy = time.perf_counter()
    moved = (after - before for before, after in pairwise(laps))
    return (*moved, sorted_by_device - start, sorted_by_numpy - sorted_by_device)
