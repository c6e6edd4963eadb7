"""bucketMultiSelect exactly as printed (Blanchard et al. 2015, section 2, Alg. 5).

Subroutine 1 takes 1,024 keys at random, and the pivots 22 + 70 j of the sorted sample, j = 0 to 14,
with min and max of all keys: P = 16 KD intervals, each with b = 704 of the B = 11,264 buckets.
Subroutine 2 assigns all keys, 3 finds the active buckets, 4 copies their keys, and the copy is
sorted. "bucketMultiSelect is not an iterative algorithm": nothing is divided twice, and keys that
occur often have no buckets of their own.

Readings (docs/errata.md): the projection is in double precision; α₁ is 255 by default, and α₂ is
2,048; the reduced vector is sorted as a whole. A KD interval without width has an infinite slope,
which is multiplied by 0 only; a CUDA cast turns the product, NaN, into bucket 0 of the interval.
"""

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives.buckets import Doubles
from shadersort.selection.primitives.printed import BlockAssignment
from shadersort.selection.selection import Selection

SAMPLES = 1 << 10  # keys in the sample
P = 16  # KD intervals
FIRST, STEP = 22, 70  # the pivots are keys 22 + 70 j of the sorted sample
B = 11264  # buckets in all intervals
ALPHA_1, ALPHA_2 = 255, 2048
"""With more active buckets than α₁ the counters are loaded into shared memory; with α₂ of them or
more, the keys are copied by flags."""

MOST_ACTIVE = 8191
"""Active buckets that the search tree in shared memory has room for (section 2.5.2)."""


def bucket_multi_select(selection: Selection, *, seed: int = 0, alpha_1: int = ALPHA_1) -> Keys:
    """Find many ranks by one assignment to 11,264 buckets.

    `seed` is that of the sample, and `alpha_1` the lower cutoff: 255, for power readings 1,200.
    """
    OrderStatValues, finite = selection.specials()
    DesiredOrderStats = selection.ranks[finite] - selection.extent.minus_infinite
    if DesiredOrderStats.size:
        OrderStatValues[finite] = _finite(selection, DesiredOrderStats, seed, alpha_1)
    return OrderStatValues


def _finite(selection: Selection, DesiredOrderStats: Integers, seed: int, alpha_1: int) -> Keys:
    """Alg. 5, for ranks from zero among the finite keys."""
    low, high = selection.extent.low, selection.extent.high
    if low == high:
        return np.full(DesiredOrderStats.size, low)
    pivots, slopes = create_buckets(selection, seed)
    vec = selection.keys.printed_vector(BlockAssignment)
    counters = vec.assign(pivots, slopes, B)
    UniqueActive, size, UpdatedOrderStats = identify_active_buckets(counters, DesiredOrderStats)
    selection.record("buckets", candidates=size)
    numUnique, buckets = UniqueActive.size, UniqueActive.tolist()
    if numUnique > MOST_ACTIVE:
        raise BadOption(
            f"bucketMultiSelect as printed has room for {MOST_ACTIVE:,} active buckets, not for "
            f"{numUnique:,}: ask for fewer ranks"
        )
    if numUnique < ALPHA_2:
        ReducedVector = vec.reduce_to_segments(buckets, size, numUnique > alpha_1)
    else:
        ReducedVector = vec.reduce_by_flags(buckets, size)
    selection.record("compact")
    values = np.asarray(ReducedVector.sort().take(UpdatedOrderStats))
    selection.record("sort")
    return values


def create_buckets(selection: Selection, seed: int) -> tuple[Doubles, Doubles]:
    """Subroutine 1: the P + 1 pivots, and the slopes of the P intervals between them."""
    extent = selection.extent
    low, high = float(extent.low), float(extent.high)
    sortedsamples = sort_keys(selection.keys.sample(SAMPLES, seed))
    selection.record("sample")
    middle = np.array([float(each) for each in sortedsamples[FIRST::STEP][: P - 1]])
    middle[np.isnan(middle)] = high
    pivots = np.concatenate([[low], np.clip(middle, low, high), [high]])
    with np.errstate(divide="ignore", over="ignore"):
        slopes = (B // P) / np.diff(pivots)
    if not np.isfinite(slopes[np.diff(pivots) > 0]).all() or not slopes.all():
        raise selection.did_not_converge("a slope b/(pivots[i] − pivots[i − 1]) is 0 or overflows")
    return pivots, slopes


def identify_active_buckets(
    counters: Integers, DesiredOrderStats: Integers
) -> tuple[Integers, int, Integers]:
    """Subroutine 3: search each rank in the cumulative counts of the buckets.

    Returns the active buckets, the keys in them, and the ranks among these keys.
    """
    bucketCount = np.cumsum(counters)
    ActiveBuckets = np.searchsorted(bucketCount, DesiredOrderStats, side="right")
    UniqueActive, places = np.unique(ActiveBuckets, return_inverse=True)
    inside = counters[UniqueActive]
    ActiveBucketPreCounts = np.cumsum(inside) - inside  # in the reduced vector
    before = (bucketCount - counters)[ActiveBuckets]  # in the whole vector
    UpdatedOrderStats = DesiredOrderStats - before + ActiveBucketPreCounts[places]
    return UniqueActive, int(inside.sum()), UpdatedOrderStats
