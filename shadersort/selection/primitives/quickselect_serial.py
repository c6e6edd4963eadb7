"""Quickselect by one thread: the definition, in plain Python, of what one GPU thread does.

The kernel `modern/kernels/papers/quickselect_serial.cu` takes the same steps over the same codes,
and returns the same answer and the same numbers of reads and writes.
"""

MULTIPLIER, INCREMENT = 6364136223846793005, 1442695040888963407
"""Constants of the random number generator modulo 2**64 (Knuth's MMIX)."""

WORD = (1 << 64) - 1


def quickselect_serial(codes: list[int], k: int, seed: int) -> tuple[int, int, int]:
    """Return the k-th code, and the numbers of codes read and written; the list is changed.

    This is Hoare's partition: two places walk towards each other, and exchange codes that are on
    the wrong side. Both stop at codes equal to the pivot: equal codes are divided evenly.
    """
    low, high, state = 0, len(codes) - 1, seed
    read = written = len(codes)  # the copy
    while low < high:
        state = (state * MULTIPLIER + INCREMENT) & WORD
        pivot = codes[low + (state * (high - low + 1) >> 64)]
        left, right = low, high
        read += 1
        while left <= right:
            while codes[left] < pivot:
                left += 1
                read += 1
            while codes[right] > pivot:
                right -= 1
                read += 1
            read += 2
            if left <= right:
                codes[left], codes[right] = codes[right], codes[left]
                written += 2
                left += 1
                right -= 1
        if k <= right:
            high = right
        elif k >= left:
            low = left
        else:  # all codes between the two places equal the pivot
            low = high = k
    return codes[low], read + 1, written
