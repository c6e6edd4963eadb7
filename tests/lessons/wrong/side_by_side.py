from typing import Any

import numpy as np

from tests.lessons.wrong import Answers


def in_pieces(keys: Any, pivot: Any, threads: int) -> Any:
    return [np.count_nonzero(piece < pivot) for piece in np.array_split(keys, threads)]


def up_to_the_pivot(keys: Any, pivot: Any, threads: int) -> Any:
    return [np.count_nonzero(keys[thread::threads] <= pivot) for thread in range(threads)]


def above(keys: Any, pivot: Any, threads: int) -> Any:
    return [np.count_nonzero(keys[thread::threads] > pivot) for thread in range(threads)]


def one_thread_too_few(keys: Any, pivot: Any, threads: int) -> Any:
    return [np.count_nonzero(keys[thread::threads] < pivot) for thread in range(threads - 1)]


def goes_round(lanes: Any) -> Any:
    step = len(lanes) // 2
    while step:
        lanes = np.minimum(lanes, np.roll(lanes, -step))
        step //= 2
    return lanes


def smallest_steps_only(lanes: Any) -> Any:
    found = lanes.copy()
    found[:-1] = np.minimum(lanes[:-1], lanes[1:])
    return found


def looks_back(lanes: Any) -> Any:
    found, step = lanes.copy(), len(lanes) // 2
    while step:
        found[step:] = np.minimum(found[step:], found[:-step].copy())
        step //= 2
    return found


def stops_before_the_last(lanes: Any) -> Any:
    found, step = lanes.copy(), len(lanes) // 2
    while step > 1:
        found[:-step] = np.minimum(found[:-step], found[step:].copy())
        step //= 2
    return found


def sums(lanes: Any) -> Any:
    found, step = lanes.copy(), len(lanes) // 2
    while step:
        found[:-step] = found[:-step] + found[step:].copy()
        step //= 2
    return found


WRONG: Answers = {
    "counts_of_threads": [
        *(in_pieces, up_to_the_pivot, above, one_thread_too_few),
        lambda keys, pivot, threads: np.count_nonzero(keys < pivot),  # everything at once
        # the keys themselves
        lambda keys, pivot, threads: [keys[thread::threads] for thread in range(threads)],
    ],
    "warp_least": [
        *(goes_round, smallest_steps_only, looks_back, stops_before_the_last, sums),
        lambda lanes: np.full_like(lanes, lanes.min()),  # all know it
    ],
}
