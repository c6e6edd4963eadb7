"""Which entries of a list are superfluous: the order in which Greenwald and Khanna delete entries.

An entry was put into a gap between two others. The wider this gap was, the less is known about the
place of the entry: its `before` exceeds its `smallest` by the width of that gap, less one. Limits
grow with the stream, so wide entries are young: the width tells an age. Entries are divided into
bands by their age, and each band is about twice as old as the next younger one. Bands are aligned:
entries that are in one band stay in one band as the stream grows.

From the oldest band to the youngest, an entry is deleted if the gap between its neighbours, among
the entries of its band and older ones, is within the limit. All younger entries between these
neighbours are then deleted as well. So an entry never covers values that are older than its band,
and `docs/small-summaries.md` proves from this how few entries stay.

A list may also be on a device: `xp` is then the library that has its arrays.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Keys

Places = npt.NDArray[np.intp]

ALONE = 1 << 8
"""Steps between so many places are taken one after the other."""


def bands(widths: Integers, allowed: int) -> npt.NDArray[np.int64]:
    """Return the bands of entries by their widths: 0 for those as wide as a gap may be now.

    For the others it is 1 more than the smallest b with ⌊allowed / 2ᵇ⌋ − ⌊width / 2ᵇ⌋ ≤ 1.

    Examples
    --------
    >>> bands(np.array([0, 40, 60, 61, 62, 63, 64]), 64)
    array([7, 6, 3, 3, 2, 1, 0])
    """
    less = allowed - widths
    top = less & ~(less >> 1)  # the first bit of each, and no number that rounds up to the next
    bits = np.frexp(top.astype(np.float64))[1].astype(np.int64)
    shift = np.maximum(bits - 1, 0)  # the smallest b is this one or the next
    found: npt.NDArray[np.int64] = bits + ((allowed >> shift) - (widths >> shift) > 1)
    return found


def survivors(
    values: Keys, smallest: Integers, before: Integers, limit: int, allowed: int, xp: Any = np
) -> Places:
    """Return the places of the entries that stay; the first and the last always do.

    Examples
    --------
    >>> ranks = np.arange(9)
    >>> survivors(ranks, ranks + 1, ranks, limit=3, allowed=4)
    array([0, 4, 8])
    """
    count = len(values)
    last = allowed.bit_length() + 2
    age = bands(before + 1 - smallest, allowed).astype(np.int8)
    age[:1] = age[count - 1 :] = last
    stays = age == last
    for band in xp.flatnonzero(xp.bincount(age))[-2::-1].tolist():
        here, kept = xp.flatnonzero(age == band), xp.flatnonzero(stays)
        gap = xp.searchsorted(kept, here)
        begin, end = kept[gap - 1], kept[gap]
        wide = (before[end] - smallest[begin] > limit) & (values[begin] != values[end])
        if wide.any():  # only what lies between entries that stay and are too far apart
            looked = xp.zeros(count, np.bool_)
            for places in (begin, here, end):
                looked[places[wide]] = True
            among = xp.flatnonzero(looked)
            columns = values[among], smallest[among], before[among]
            stays[among[chain(*columns, limit, stays[among], xp)]] = True
    left: Places = xp.flatnonzero(stays)
    return left


def chain(
    values: Keys,
    smallest: Integers,
    before: Integers,
    limit: int,
    older: npt.NDArray[np.bool_],
    xp: Any = np,
) -> Places:
    """Return places from the first entry to the last, none of which could be left out.

    From each entry it goes to the furthest one before which the gap is within the limit, but to the
    next one at least, and never beyond an older one.
    """
    count = len(values)
    following = xp.minimum(xp.arange(count) + 1, count - 1)
    ends = xp.ones(count, np.bool_)  # of runs of equal values
    ends[:-1] = values[1:] != values[:-1]
    equal = xp.flatnonzero(ends)[xp.cumsum(ends) - ends] + 1  # where the run of each entry ends
    furthest = xp.maximum(xp.searchsorted(before, smallest + limit, side="right"), equal) - 1
    fixed = older.copy()
    fixed[-1] = True
    fixed = xp.flatnonzero(fixed)
    barrier = fixed[xp.searchsorted(fixed, following)]
    steps = xp.maximum(xp.minimum(furthest, barrier), following)
    return path_of(steps) if xp is np else path_together(steps, xp)


def path_of(steps: Places) -> Places:
    """Return the places from the first to the last, from each of which a step leads to the next.

    Every step goes on, but the last place leads to itself. Of many places, one in 2**k of the path
    is found one after the other, and those between are found together.

    Examples
    --------
    >>> path_of(np.array([2, 2, 3, 5, 5, 5]))
    array([0, 2, 3, 5])
    """
    far, last, place, found = steps, len(steps) - 1, 0, [0]
    rounds = max(0, len(steps).bit_length() - ALONE.bit_length())
    for _ in range(rounds):
        far = far[far]
    jumps = far.data
    while place < last:
        place = jumps[place]
        found.append(place)
    paths = [np.array(found)]
    for _ in range((1 << rounds) - 1):
        paths.append(steps[paths[-1]])
    path = np.stack(paths, axis=1).ravel()
    return path[: int(path.searchsorted(last)) + 1]


def path_together(steps: Any, xp: Any) -> Any:
    """Do as `path_of` does, by a few operations on all places for each bit of their number.

    After k of these rounds, the first 2**k places of the path are known.

    Examples
    --------
    >>> path_together(np.array([2, 2, 3, 5, 5, 5]), np)
    array([0, 2, 3, 5])
    """
    far, found = steps, xp.zeros(len(steps), np.bool_)
    found[:1] = True
    for _ in range(len(steps).bit_length()):
        found[xp.where(found, far, 0)] = True
        far = far[far]
    return xp.flatnonzero(found)
