"""How `external_sort` spends a budget of memory: the sizes of chunks and blocks."""

import re
from dataclasses import dataclass

from shadersort.errors import BadOption

FIXED = 16 << 20
"""Bytes that do not depend on the chunk: staging buffers, pieces that are read, blocks."""
ON_DEVICE = 15
"""Bytes needed for each byte of a chunk that the device sorts: one for the chunk, one for the next
chunk, and up to 13 for packing, two textures (in the host's memory on llvmpipe and the software
device), the output of a pass, reading back and merging."""
ON_CPU = 3
"""The same for NumPy, which sorts the chunk in place and needs at most as much again."""
MERGE = 32
"""A step of a merge takes 1/32 of the budget from all runs together. Several steps are in memory at
a time, each with its slices, their blocks, its result and its workspace."""
LARGEST_STEP = 4 << 20
SMALLEST_BLOCK = 32 << 10
"""Bytes: larger steps are not faster, and smaller reads of a run are slow."""
SMALLEST = 32 << 20


@dataclass(frozen=True, slots=True)
class Schedule:
    """Sizes, in keys."""

    chunk: int  # keys read and sorted at a time
    step: int  # keys of all runs together that a merge holds
    fan_in: int  # most runs merged at a time


def scheduled(memory: int | str, itemsize: int, most_on_device: int | None) -> Schedule:
    """Return the schedule for a budget, and for the most keys that a device holds, if one sorts."""
    size = parsed_size(memory)
    if size < SMALLEST:
        raise BadOption(f"memory of {size:,} bytes is too little: {SMALLEST:,} is the least")
    per_byte = ON_CPU if most_on_device is None else ON_DEVICE
    chunk = (size - FIXED) // per_byte // itemsize
    if most_on_device is not None:
        chunk = 1 << (min(chunk, most_on_device).bit_length() - 1)  # a network pads to one
    step = min(size // MERGE, LARGEST_STEP)
    return Schedule(chunk, step // itemsize, max(2, step // SMALLEST_BLOCK))


def parsed_size(size: int | str) -> int:
    """Return a number of bytes, given as an integer or as text."""
    if isinstance(size, int) and not isinstance(size, bool):
        return size
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:([kKMGT])(i?))?B?\s*", str(size))
    if isinstance(size, bool) or not found:
        raise BadOption(f"memory is a number of bytes, or as in '256MiB' or '2GB', not {size!r}")
    number, prefix, binary = found.groups()
    power = " KMGT".index((prefix or " ").upper())
    return int(float(number) * (1024 if binary else 1000) ** power)
