"""Fused radix selection: the definition, in plain NumPy, of what one CUDA launch does.

Radix selection (Alabi et al. 2012, section 2.2) asks the host after every digit. Here one call
runs all rounds. Each round finds the smallest and the largest code that are left, divides the
codes between them by up to 11 bits, beginning with the first bit that differs, and keeps the part
that has the rank. The kernel `modern/kernels/fused_radix.cu` divides in the same way.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

DIGIT = 11
"""Bits of a division: its 2,048 counters fit into the shared memory of any GPU."""


def fused_radix(codes: npt.NDArray[Any], rank: int) -> tuple[int, int, int, int]:
    """Return the code of a rank, the numbers of codes below and equal, and the codes read.

    Examples
    --------
    >>> fused_radix(np.uint32([7, 5, 9, 5]), 1)
    (5, 0, 2, 8)
    """
    before, read = 0, codes.size
    while (span := int(codes.max()) - int(first := codes.min())) > 0:
        digits = (codes - first) >> codes.dtype.type(max(span.bit_length() - DIGIT, 0))
        counts = np.bincount(digits.astype(np.int64))
        ends = np.cumsum(counts)
        digit = int(np.searchsorted(ends, rank - before, side="right"))
        before += int(ends[digit] - counts[digit])
        read += codes.size
        codes = codes[digits == digit]
    return int(codes[0]), before, codes.size, read
