"""bucketSelect exactly as printed (Alabi et al. 2012, section 2.3, Alg. 4 and 5).

B = 1,024 buckets of equal width over [min, max], by a linear projection in double precision. With
more than 2^21 keys Phase I copies the keys of the bucket of the rank, at most twice. Phase II never
copies: it narrows min and max to the ends of the bucket, and reads the whole vector `bucket` of the
keys' buckets again each time.

Readings (docs/errata.md): k is the rank from the smallest key; the slope is (B − 1)/range as in
Alg. 4 and 5, not B/range as in eq. (1) and (3); Alg. 5 loops while KCount > 1. If the range is so
small that the slope overflows, "a computational division by zero" (section 4.2.5), the method
raises `DidNotConverge`; so it does for a rank that rounding has lost.
"""

import math

import numpy as np

from shadersort.keys.types import Integers, Key
from shadersort.selection.method import Method
from shadersort.selection.primitives import Primitives
from shadersort.selection.primitives.printed import Assignment
from shadersort.selection.primitives.values import Extent
from shadersort.selection.printed.blanchard_2015_bucket_multi_select import bucket_multi_select
from shadersort.selection.printed.finite_keys import key_of
from shadersort.selection.selection import Selection

B = 1 << 10  # buckets, without the dummy bucket
CUTOFF = 1 << 21  # vectors with more keys begin with Phase I
PHASE_I = 2  # Phase I "never repeats more than two times"


def bucket_select(selection: Selection) -> Key:
    """Run Phase I with many keys, and then Phase II."""
    extent = selection.extent
    k = selection.k - extent.minus_infinite + 1  # from 1, among the finite keys
    if k == 1 or k == extent.finite:  # thrust::min, thrust::max
        return extent.low if k == 1 else extent.high
    vec, n = selection.keys, extent.finite
    for _ in range(PHASE_I):
        if n <= CUTOFF or extent.low == extent.high:
            break
        bucket, low, high = vec.printed_vector(Assignment), float(extent.low), float(extent.high)
        counter = bucket.assign(low, high, _slope(selection, low, high), B)
        KBucket, KCount, k = find_kbucket(selection, counter, k, low, high)
        if KCount == 1:
            return _single(selection, bucket, KBucket)
        vec, n = bucket.copy_bucket(KBucket, KCount), KCount
        selection.record("compact")
        extent = vec.extent()
        selection.record("extent")
    return phase_ii(selection, vec, extent, k)


def phase_ii(selection: Selection, vec: Primitives, extent: Extent, k: int) -> Key:
    """Narrow min and max until one key is left, or max − min is 0 in double precision."""
    if extent.low == extent.high:
        return extent.high
    low, high = float(extent.low), float(extent.high)
    slope, bucket = _slope(selection, low, high), vec.printed_vector(Assignment)
    counter = bucket.assign(low, high, slope, B)
    KBucket, KCount, k = find_kbucket(selection, counter, k, low, high)
    while KCount > 1 and high - low > 0:
        low = max(low, low + KBucket / slope)
        high = min(high, low + 1 / slope)
        if not high - low > 0:
            break
        slope = _slope(selection, low, high)
        counter = bucket.reassign(KBucket, low, slope, B)
        KBucket, KCount, k = find_kbucket(selection, counter, k, low, high)
    if KCount > 1:
        return key_of(high, selection.keys.dtype)
    return _single(selection, bucket, KBucket)


def find_kbucket(
    selection: Selection, counter: Integers, k: int, low: float, high: float
) -> tuple[int, int, int]:
    """Add up the counters from bucket 0, until the sum exceeds k − 1; record the step.

    Returns KBucket, the bucket of the rank; KCount, its counter; and the rank among its keys.
    """
    sums, dtype = np.cumsum(counter), selection.keys.dtype
    KBucket = int(np.searchsorted(sums, k - 1, side="right"))
    if KBucket == counter.size:
        raise selection.did_not_converge(f"no bucket has key {k}: rounding has lost keys")
    KCount, ends = int(counter[KBucket]), {"low": key_of(low, dtype), "high": key_of(high, dtype)}
    selection.record("buckets", candidates=KCount, **ends)
    return KBucket, KCount, k - int(sums[KBucket]) + KCount


def _slope(selection: Selection, low: float, high: float) -> float:
    """Return (B − 1)/range, or raise the fault of section 4.2.5."""
    with np.errstate(over="ignore", divide="ignore"):
        slope = float((B - 1) / (np.float64(high) - np.float64(low)))
    if not math.isfinite(slope) or slope == 0:
        raise selection.did_not_converge(
            f"the slope (B − 1)/(max − min) is {slope}: the computational division by zero of "
            "section 4.2.5, or a range that overflows"
        )
    return slope


def _single(selection: Selection, bucket: Assignment, KBucket: int) -> Key:
    """Return the only key of a bucket: GetKValue."""
    key = bucket.key(KBucket)
    selection.record("find")
    return key


METHOD = Method(
    "bucket",
    bucket_select,
    bucket_multi_select,
    needs=("extent", "sample", "printed_vector", "sort"),
    finite=True,
)
