"""Rows in order by a sorting network (modern/kernels/sorting/network_tile.cu).

In a step without idle wires, each wire is compared with wire XOR mask. So the wires that XOR of
some masks reaches from one wire are a tile that the steps of these masks do not leave. A launch
runs as many steps as the tiles that fit into shared memory allow: those of short blocks in tiles of
neighbouring keys, those of long blocks in tiles of short runs of keys. Nothing waits for the
device.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shadersort.drawing.networks import network
from shadersort.drawing.passes import ceil_power_of_two

if TYPE_CHECKING:
    from modern.device_arrays import DeviceKeys

THREADS, COLUMNS, MASKS = 512, 48, 256
"""Threads of a block; bits of a wire, and steps of a launch, at most."""

TILE_BYTES, RUN_BYTES = 32 << 10, 32
"""Bytes of a tile, at most, and of neighbouring keys in it, at least: what memory moves at once."""

MOST_BITS = 13
"""Bits of a place in a tile, at most."""


class TileSteps(NamedTuple):
    """A launch: the steps that tiles of 2**bits places run.

    A wire is the XOR of the columns of the bits of its place and then of the number of its tile.
    """

    bits: int
    columns: tuple[int, ...]
    masks: tuple[int, ...]  # of places: for each step


@lru_cache(maxsize=64)
def tile_launches(name: str, wires: int, most: int, run: int) -> tuple[TileSteps, ...]:
    """Return the launches of a network for 2**wires keys, in tiles of at most 2**most wires.

    The network has no idle wires. Tiles have runs of 2**run neighbouring wires.

    Examples
    --------
    >>> for launch in tile_launches("bitonic", 4, 3, 1):
    ...     print(launch)
    TileSteps(bits=3, columns=(1, 2, 4, 8), masks=(1, 3, 1, 7, 2, 1))
    TileSteps(bits=3, columns=(1, 4, 10, 2), masks=(7, 2))
    TileSteps(bits=3, columns=(1, 2, 4, 8), masks=(2, 1))
    """
    most = min(most, wires)
    runs = [1 << bit for bit in range(min(run, most))]
    steps, reached, launches = list[int](), runs, list[TileSteps]()
    for step in network(name, 1 << wires).steps:
        wider = extend(reached, step.mask)
        if len(wider) > most or len(steps) == MASKS:
            launches.append(_launch(wires, most, reached, steps))
            steps, wider = [], extend(runs, step.mask)
        steps.append(step.mask)
        reached = wider
    return (*launches, _launch(wires, most, reached, steps))


def extend(basis: list[int], mask: int) -> list[int]:
    """Return a basis of what a basis and a mask reach by XOR; leading bits are in one vector only.

    Examples
    --------
    >>> extend([1, 2], 15), extend([1, 2, 12], 3)
    ([1, 2, 12], [1, 2, 12])
    """
    for each in basis:
        mask = min(mask, mask ^ each)
    return [*(min(each, each ^ mask) for each in basis), mask] if mask else basis


def _launch(wires: int, bits: int, basis: list[int], masks: list[int]) -> TileSteps:
    """Return the launch of some steps, given the basis of what they reach.

    Places are in the order of their wires, as the leading bits of the basis are.
    """
    for bit in range(wires):
        basis = extend(basis, 1 << bit) if len(basis) < bits else basis
    leading = {each.bit_length() - 1: each for each in sorted(basis)}
    rest = (1 << bit for bit in range(wires) if bit not in leading)
    places = [sum((mask >> bit & 1) << i for i, bit in enumerate(leading)) for mask in masks]
    return TileSteps(bits, (*leading.values(), *rest), tuple(places))


def sort_by_network(
    keys: "DeviceKeys", pointer: int, shape: tuple[int, int], to: int, name: str
) -> None:
    """Sort rows without gaps by a network's comparators; the answer is that of `sort_rows`."""
    (rows, length), launcher = shape, keys.launcher
    itemsize = launcher.raw.itemsize
    wires = (ceil_power_of_two(max(length, 2)) - 1).bit_length()
    most = min(MOST_BITS, (TILE_BYTES // itemsize).bit_length() - 1)
    launches = tile_launches(name, wires, most, (RUN_BYTES // itemsize).bit_length() - 1)
    macros = {"THREADS": THREADS, "ITEMS": (1 << most) // THREADS}
    kernel = launcher.kernel("network_tile", **macros, COLUMNS=COLUMNS, MASKS=MASKS)
    for number, (bits, columns, masks) in enumerate(launches):
        first, last = int(number == 0), int(number == len(launches) - 1)
        padded = np.zeros(MASKS, np.uint16)
        padded[: len(masks)] = masks
        tiles, words = 1 << wires - bits, padded.view(np.int64).tolist()
        sizes = length, tiles, bits, len(masks), first, last, to
        more = *columns, *(0,) * (COLUMNS - wires), *words
        launcher.launch(kernel, (rows * tiles,), THREADS, (pointer, *sizes, *more))
        pointer = to
