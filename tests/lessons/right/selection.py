"""Right answers to the exercises of lessons 10 to 18 in Python, as those of lessons 1 to 9.

Those of lesson 18 are for the trimmed mean, and for the mode where the name says so.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from shadersort.lessons.capstone.trimmed_mean import ends_of


def round_in_python(keys: Any, k: int, count: int) -> Any:
    low, high = min(keys), max(keys)
    numbers = [min(count * (key - low) // (high - low), count - 1) for key in keys.tolist()]
    chosen = sorted(numbers)[k]
    inside = [key for key, number in zip(keys, numbers, strict=True) if number == chosen]
    return inside, k - sum(number < chosen for number in numbers)


def round_by_histogram(keys: Any, k: int, count: int) -> Any:
    counts, edges = np.histogram(keys, count)
    chosen = np.flatnonzero(np.cumsum(counts) > k)[0]
    number = np.searchsorted(edges[1:-1], keys, side="right")
    return np.sort(keys[number == chosen]), k - counts[:chosen].sum()


def places_one_by_one(sample: Any, rank: int, n: int, wide: float) -> Any:
    share, m, found = rank / n, len(sample), []
    for side in (-1, 1):
        place = math.floor(m * share + side * (wide * math.sqrt(m * share * (1 - share)) + wide**2))
        found.append(place if place in range(m) else None)
    return found


def places_at_once(sample: Any, rank: int, n: int, wide: float) -> Any:
    m = len(sample)
    away = wide * np.sqrt(m * rank * (n - rank)) / n + np.square(wide)
    ends = m * rank / n + np.array([-away, away])
    inside = abs(ends - m / 2) < m / 2
    return [int(end) if is_in else None for end, is_in in zip(ends, inside, strict=True)]


def add_lanes_in_python(lanes: Any) -> Any:
    rows, step = [list(lanes)], len(lanes)
    while (step := step // 2) > 0:
        old = rows[-1]
        rows.append([a + b for a, b in zip(old, old[step:] + [0] * step, strict=True)])
    return rows[1:]


def add_padded_lanes(lanes: Any) -> Any:
    rows = [lanes]
    for power in range(len(lanes).bit_length() - 2, -1, -1):
        rows.append(rows[-1] + np.pad(rows[-1][1 << power :], (0, 1 << power)))
    return rows[1:]


def keep_one_by_one(x: Any, k: int) -> Any:
    sizes, found = np.abs(x), np.zeros(len(x))
    for _ in range(k):
        place = sizes.argmax()
        found[place], sizes[place] = x[place], -1
    return found


def trim_by_clipping(keys: Any) -> Any:
    outside, low, high = ends_of(keys)
    return (np.clip(keys, low, high).sum() - outside * (low + high)) / (len(keys) - 2 * outside)


def trim_by_differences(keys: Any) -> Any:
    outside, low, high = ends_of(keys)
    above = np.maximum(keys - low, 0).sum() - np.maximum(keys - high, 0).sum()
    return low + (above - outside * (high - low)) / (len(keys) - 2 * outside)


def mode_by_places(keys: Any) -> Any:
    ordered = np.sort(keys)
    lengths = np.searchsorted(ordered, ordered, "right") - np.searchsorted(ordered, ordered)
    return ordered[lengths.argmax()]


RIGHT: Mapping[str, list[Callable[..., Any] | str]] = {
    "median.objective": [
        "(sum(abs(key - pivot) for key in keys.tolist()),"
        " sum(1 if key <= pivot else -1 for key in keys))",
        "(np.linalg.norm(keys - pivot, 1),"
        " 2 * np.searchsorted(np.sort(keys), pivot, side='right') - len(keys))",
    ],
    "median.meeting_point": [
        "low + (f_high - f_low + g_high * (low - high)) / (g_low - g_high)",
        "np.linalg.solve([[g_low, -1], [g_high, -1]],"
        " [g_low * low - f_low, g_high * high - f_high])[0]",
    ],
    "buckets.one_round": [round_in_python, round_by_histogram],
    "buckets.codes": [
        "np.where(bits < 2**31, bits + 2**31, 2**32 - 1 - bits).astype(np.uint32)",
        "bits ^ (-(bits >> 31).astype(np.int32) | -(2**31)).view(np.uint32)",
    ],
    "buckets.bracket_places": [places_one_by_one, places_at_once],
    "adversary.killer": [
        "[(3.0 * count) ** max(0, i - n + rounds + 1) for i in range(n)]",
        "-((2.0 * count) ** np.arange(rounds + 1.0))[np.maximum(0, rounds - np.arange(n))]",
    ],
    "adversary.alike": [
        "np.resize(np.arange(2**bits, dtype=np.uint32), n)",
        "np.array([2**32 - 1 - i % 2**bits for i in range(n)], np.uint32)",
    ],
    "adversary.slow_pivots": [
        "[2 * i if 2 * i < n else 2 * (n - 1 - i) + 1 for i in range(n)]",
        "np.r_[0 : n - 1 : 2, 1:n:2, [n] * (n % 2)]",
    ],
    "adversary.unfair": ["np.arange(n) % every", "[-1.5 if i % every else 7 for i in range(n)]"],
    "hundred.bucket_and_place": [
        "((ks[:, None] >= np.cumsum(counts)).sum(axis=1),"
        " [k - max((end for end in np.cumsum(counts) if end <= k), default=0) for k in ks])",
        "(np.repeat(np.arange(len(counts)), counts)[ks],"
        " np.concatenate([np.arange(count) for count in counts])[ks])",
    ],
    "hundred.density": [
        "[1 / (len(order_statistics) - 1) / (b - a) for a, b in pairwise(order_statistics)]",
        "np.histogram(order_statistics[:-1], order_statistics, density=True)[0]",
    ],
    "side_by_side.warp_sum": [add_lanes_in_python, add_padded_lanes],
    "line.middle_residual": [
        "np.sort(abs((y - y[i]) * (x[j] - x[i]) - (x - x[i]) * (y[j] - y[i])))[len(x) // 2]"
        " / abs(x[j] - x[i])",
        "np.median(np.abs(np.polyval(np.polyfit(x[[i, j]], y[[i, j]], 1), x) - y))",
    ],
    "line.trimmed_sum": [
        "np.minimum(squares, key_of_rank(squares, h - 1)).sum()"
        " - (len(squares) - h) * key_of_rank(squares, h - 1)",
        "sum(key_of_rank(squares, rank) for rank in range(h))",
    ],
    "line.concentrated": [
        "np.polyfit(x, y, 1, w=abs(y - slope * x - intercept)"
        " <= np.sort(abs(y - slope * x - intercept))[h - 1])",
        "least_squares(*np.stack([x, y])[:, np.argsort((y - slope * x - intercept) ** 2)[:h]])",
    ],
    "line.starts_needed": [
        "next(n for n in range(10**6) if (1 - good**size) ** n <= 1 - sure)",
        "math.ceil(math.log(1 - sure, 1 - good**size))",
    ],
    "sparse.keep": [
        keep_one_by_one,
        "np.where([sum((abs(other), i) > (abs(key), j) for j, other in enumerate(x, -len(x))) < k"
        " for i, key in enumerate(x, -len(x))], x, 0)",
    ],
    "sparse.one_step": [
        "threshold(x + length * (signs.T @ measured - signs.T @ signs @ x), k)",
        "threshold(x + sum(length * (y - row @ x) * row for row, y in zip(signs, measured)), k)",
    ],
    "sparse.best_length": [
        "(np.linalg.norm(gradient[kept]) / np.linalg.norm(signs[:, kept] @ gradient[kept])) ** 2",
        "sum(each**2 for each in gradient[kept])"
        " / sum((row[kept] @ gradient[kept]) ** 2 for row in signs)",
    ],
    "sparse.enough": [
        "next((numbers[place] for place in range(len(numbers), 0, -1)"
        " if recovered[:, place - 1].mean() < share), numbers[0])",
        "numbers[np.minimum.accumulate(recovered.mean(axis=0)[::-1])[::-1] >= share].min()",
    ],
    "capstone.by_definition": [
        "np.mean(sorted(keys)[len(keys) // 4 : len(keys) - len(keys) // 4])",
        "np.average(np.sort(keys), weights=np.minimum("
        "np.arange(len(keys)), np.arange(len(keys))[::-1]) >= len(keys) // 4)",
    ],
    "capstone.mode_by_definition": [
        "min(set(keys), key=lambda key: (-np.sum(keys == key), key))",
        "max(Counter(sorted(keys)).items(), key=lambda pair: pair[1])[0]",
    ],
    "capstone.by_order": [trim_by_clipping, trim_by_differences],
    "capstone.mode_by_order": [
        "keys[np.lexsort([keys, -(keys[:, None] == keys).sum(axis=1)])[0]]",
        mode_by_places,
    ],
    "capstone.least_ms": [
        "n * launches * 4000 / bandwidth / 1e9",
        "np.float64(n) * 4 * launches / 1e6 / bandwidth",
    ],
}
