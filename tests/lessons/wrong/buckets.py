from typing import Any

import numpy as np

from tests.lessons.wrong import Answers


def bins(keys: Any, count: int) -> Any:
    shares = (keys - keys.min()) / (keys.max() - keys.min())
    return np.minimum((count * shares).astype(int), count - 1)


def rank_left_as_it_was(keys: Any, k: int, count: int) -> Any:
    number = bins(keys, count)
    chosen = np.searchsorted(np.cumsum(np.bincount(number, minlength=count)), k, side="right")
    return keys[number == chosen], k


def one_bucket_too_early(keys: Any, k: int, count: int) -> Any:
    number = bins(keys, count)
    chosen = np.searchsorted(np.cumsum(np.bincount(number, minlength=count)), k)
    return keys[number == chosen], k - np.sum(number < chosen)


def the_fullest_bucket(keys: Any, k: int, count: int) -> Any:
    number = bins(keys, count)
    chosen = np.argmax(np.bincount(number, minlength=count))
    return keys[number == chosen], k - np.sum(number < chosen)


def largest_in_a_bucket_of_its_own(keys: Any, k: int, count: int) -> Any:
    shares = (keys - keys.min()) / (keys.max() - keys.min())
    number = (count * shares).astype(int)
    chosen = np.searchsorted(np.cumsum(np.bincount(number)), k, side="right")
    return keys[number == chosen], k - np.sum(number < chosen)


def equally_many_in_each(keys: Any, k: int, count: int) -> Any:
    parts = np.array_split(np.sort(keys), count)
    ends = np.cumsum([len(part) for part in parts])
    chosen = int(np.searchsorted(ends, k, side="right"))
    return parts[chosen], k - (int(ends[chosen]) - len(parts[chosen]))


def negative_without_its_sign(bits: Any) -> Any:
    sign = np.uint32(0x80000000)
    return np.where(bits >> 31 == 1, bits ^ sign, bits | sign)


def sorted_where_they_lie(bits: Any) -> Any:
    bits.view(np.float32).sort()
    return np.arange(bits.size, dtype=np.uint32)


WRONG: Answers = {
    "one_round": [
        *(rank_left_as_it_was, one_bucket_too_early, the_fullest_bucket),
        *(largest_in_a_bucket_of_its_own, equally_many_in_each),
        lambda keys, k, count: (np.sort(keys)[k : k + 1], 0),  # the key alone
        lambda keys, k, count: np.sort(keys)[k],  # no pair
    ],
    "codes": [
        *(negative_without_its_sign, sorted_where_they_lie),
        lambda bits: bits,  # the bits
        lambda bits: bits ^ np.uint32(0x80000000),  # sign turned only
        lambda bits: ~bits,  # all turned
        lambda bits: np.where(bits >> 31 == 1, ~bits, bits),  # negative turned only
        lambda bits: bits.view(np.int32),  # as signed
        # ranks among the others
        lambda bits: np.argsort(np.argsort(bits.view(np.float32))).astype(np.uint32),
        lambda bits: bits[:1],  # too few
    ],
}
