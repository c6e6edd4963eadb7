from collections.abc import Callable
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


def history(lanes: Any, after: Callable[[Any, int], Any]) -> Any:
    """The lanes after every step, by a function of the lanes before it."""
    rows, step = [], len(lanes) // 2
    while step:
        lanes = after(lanes.copy(), step)
        rows.append(lanes)
        step //= 2
    return np.array(rows)


def added(now: Any, step: int) -> Any:
    return np.append(now[:-step] + now[step:], now[-step:])


def goes_round(lanes: Any) -> Any:
    return history(lanes, lambda now, step: now + np.roll(now, -step))


def smallest_steps_only(lanes: Any) -> Any:
    return history(lanes, lambda now, step: added(now, 1))


def looks_back(lanes: Any) -> Any:
    return history(lanes, lambda now, step: added(now[::-1], step)[::-1])


def stops_before_the_last(lanes: Any) -> Any:
    return history(lanes, lambda now, step: added(now, step) if step > 1 else now)


def least(lanes: Any) -> Any:
    return history(
        lanes, lambda now, step: np.append(np.minimum(now[:-step], now[step:]), now[-step:])
    )


def suffix_sums(lanes: Any) -> Any:
    """Right in the last row, by other steps than those of a warp."""
    return np.tile(np.cumsum(lanes[::-1])[::-1], (len(lanes).bit_length() - 1, 1))


def one_after_the_other(lanes: Any) -> Any:
    """In place: a lane sees what another lane has just written."""

    def after(now: Any, step: int) -> Any:
        for lane in range(len(now) - step - 1, -1, -1):
            now[lane] += now[lane + step]
        return now

    return history(lanes, after)


WRONG: Answers = {
    "counts_of_threads": [
        *(in_pieces, up_to_the_pivot, above, one_thread_too_few),
        lambda keys, pivot, threads: np.count_nonzero(keys < pivot),  # everything at once
        # the keys themselves
        lambda keys, pivot, threads: [keys[thread::threads] for thread in range(threads)],
    ],
    "warp_sum": [
        *(goes_round, smallest_steps_only, looks_back, stops_before_the_last, least),
        *(suffix_sums, one_after_the_other),
        # all know it
        lambda lanes: np.full((len(lanes).bit_length() - 1, len(lanes)), lanes.sum()),
    ],
}
