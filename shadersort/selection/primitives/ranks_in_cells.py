"""Many ranks by cells: one read counts keys in cells, and another stages those of a few cells.

The definition, in plain NumPy, of what the kernels `modern/kernels/one_read/cells_*.cu` do.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers
from shadersort.selection.primitives.cells import AIM, Cells
from shadersort.selection.primitives.favourites import Codes, favourites

LEAST_ROOM, CROWDED = 1 << 20, 4
"""Room for staged keys: this many, or so many times as many as evenly spread keys need."""


def room_for(size: int, asked: int, aim: int) -> int:
    """Return for how many staged keys there is room.

    Examples
    --------
    >>> room_for(1 << 28, 101, 1 << 15), room_for(1 << 23, 1, 1 << 15)
    (3309568, 1048576)
    """
    return min(size // 4, max(LEAST_ROOM, CROWDED * asked * (size // aim)), (1 << 32) - 1)


def found_in_cells(
    codes: npt.NDArray[Any], ranks: Integers, places: Integers, has_nans: bool, aim: int = AIM
) -> tuple[npt.NDArray[Any], Integers, Integers, int]:
    """Find the codes of some ranks, by a sample at some places.

    Returns the codes, how many codes are below each, how many equal it, and how many were staged.

    Examples
    --------
    >>> codes = np.random.default_rng(0).permutation(60_000).astype(np.uint32)
    >>> found = found_in_cells(codes, np.array([5, 70]), np.arange(0, 60_000, 9), has_nans=False)
    >>> found[0].tolist(), found[1].tolist(), found[3] < 60
    ([5, 70], [5, 70], True)
    """
    bits, wide = 8 * codes.itemsize, codes.astype(np.uint64)
    cells = Cells(wide[places], bits, (1 << bits) - 1 if has_nans else None, aim=aim)
    which = cells.of(wide)
    ends = np.cumsum(np.bincount(which, minlength=cells.count))
    chosen = np.searchsorted(ends, ranks, side="right")
    wanted, of_rank = np.unique(chosen, return_inverse=True)
    first, last = cells.bounds(wanted)
    found, below = first, np.append(0, ends)[wanted]
    equal = ends[wanted] - below
    number, several = np.full(cells.count, -1), first < last  # of the cells that are not one code
    number[wanted[several]] = np.arange(several.sum())
    of = number[which]
    here, sizes = wide[of >= 0], np.where(several, equal, 0)
    crowd = np.zeros((several.sum(), 0), np.uint64)
    if 2 * here.size > room_for(codes.size, ranks.size, aim):
        crowd = favourites(wide[places], of[places], crowd.shape[0], (1 << bits) - 1)
    order, counts, staged = _staged(here, (here[:, np.newaxis] == crowd[of[of >= 0]]).any(axis=1))
    found, below, equal, mine = found[of_rank], below[of_rank], equal[of_rank], several[of_rank]
    upto, skipped = np.cumsum(counts), (np.cumsum(sizes) - sizes)[of_rank]
    at = np.searchsorted(upto, (ranks - below + skipped)[mine], side="right")
    found[mine], equal[mine] = order[at], counts[at]
    below[mine] += (upto - counts)[at] - skipped[mine]
    return found.astype(codes.dtype), below, equal, staged


def _staged(codes: Codes, counted: npt.NDArray[np.bool_]) -> tuple[Codes, Integers, int]:
    """Sort the codes that are staged, and those that were counted.

    Returns the different ones, how often there is each, and how many codes are staged.
    """
    staged = np.sort(codes[~counted])
    favoured, counts = np.unique(codes[counted], return_counts=True)
    different, times = np.unique(staged, return_counts=True)
    order = np.concatenate([different, favoured])
    by_code = np.argsort(order)
    return order[by_code], np.concatenate([times, counts])[by_code], staged.size
