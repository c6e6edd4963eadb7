"""radixSelect exactly as printed (Alabi et al. 2012, section 2.2, Alg. 2 and 3).

Digits are hexadecimal. Below 2^22 keys the method works in place, on the private copy of section 3
("Preserved Input Vector"): after each digit it overwrites the codes with a smaller digit by 0 and
those with a larger digit by all ones. From 2^22 keys on it copies the keys with the digit.

Readings (docs/errata.md): the k-th largest key has the digit l with CumCount[l − 1] ≤ n − k <
CumCount[l]. Where all keys share a digit, it is counted, and nothing is overwritten or copied.
"""

import numpy as np

from shadersort.keys.codes import key
from shadersort.keys.types import Integers, Key
from shadersort.selection.method import Method
from shadersort.selection.primitives.printed import WorkingCodes
from shadersort.selection.selection import Selection

CUTOFF = 1 << 22  # vectors with fewer keys are selected from in place
BITS = 4  # bits in a hexadecimal digit


def radix_select(selection: Selection) -> Key:
    """Work in place below 2^22 keys, and copy otherwise."""
    return inplace_radix_select(selection) if selection.n < CUTOFF else _select_by_copies(selection)


def inplace_radix_select(selection: Selection) -> Key:
    """Alg. 2, for any number of keys."""
    dtype, n = selection.keys.dtype, selection.n
    vec = selection.keys.printed_vector(WorkingCodes)
    selection.record("compact")
    KDigits = 0  # the digits found so far, as a number
    for shift in reversed(range(0, 8 * dtype.itemsize, BITS)):
        KDigit, count, _ = _kdigit(vec.digit_counts(shift, BITS), selection.k)
        # overwritten codes are counted too, so this is an upper bound of the candidates
        selection.record("digit", candidates=count)
        KDigits = KDigits << BITS | KDigit
        if count < n:
            vec.overwrite(shift, BITS, KDigit)
            selection.record("overwrite")
    return key(KDigits, dtype)


def _select_by_copies(selection: Selection) -> Key:
    """Alg. 3: iterate on the copies of the keys that have the digit."""
    dtype, vec = selection.keys.dtype, selection.keys
    n, k, prefix = selection.n, selection.k, 0
    for shift in reversed(range(0, 8 * dtype.itemsize, BITS)):
        if n == 1:
            return vec.take([0])[0]
        KDigit, count, k = _kdigit(vec.digit_histograms(shift, BITS, [prefix])[0], k)
        selection.record("digit", candidates=count)
        prefix = prefix << BITS | KDigit
        if count < n:
            vec = vec.with_prefixes([prefix], shift, count=count)
            selection.record("compact")
        n = count
    return key(prefix, dtype)


def _kdigit(Count: Integers, k: int) -> tuple[int, int, int]:
    """Return KDigit, the digit of rank k; how many keys have it; and the rank among these.

    Ranks are counted from 0, from the smallest key.
    """
    CumCount = np.cumsum(Count)
    KDigit = int(np.searchsorted(CumCount, k, side="right"))
    count = int(Count[KDigit])
    return KDigit, count, k - int(CumCount[KDigit]) + count


METHOD = Method(
    "radix", radix_select, needs=("printed_vector", "digit_histograms", "with_prefixes", "take")
)
METHOD_INPLACE = Method("radix-inplace", inplace_radix_select, needs=("printed_vector",))
