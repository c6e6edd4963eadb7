"""Right answers to the exercises of lessons 1 to 9 in Python, by lesson and exercise.

A text is what the notebook's function returns, as an expression of the function's arguments.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from shadersort import Quad, Quads, Repeat
from shadersort.lessons.networks.exercises import zeros_and_ones
from shadersort.lessons.quantiles.entries import Entries, bounds_of


def sort_all_bits(comparators: Any, n: int) -> bool:
    """Each wire is a number with a bit for each input."""
    wires = [sum(1 << i for i in range(1 << n) if i >> wire & 1) for wire in range(n)]
    for low, high in comparators:
        wires[low], wires[high] = wires[low] & wires[high], wires[low] | wires[high]
    return all(one & ~other == 0 for one, other in pairwise(wires))


def sort_columns(comparators: Any, n: int) -> bool:
    keys = zeros_and_ones(n)
    for pair in comparators:
        keys[:, pair] = np.sort(keys[:, pair], axis=1)
    return np.array_equal(keys, np.sort(keys, axis=1))


def shift(block: int, width: int, height: int) -> Any:
    wide, high = min(block, width), max(1, block // width)
    x, y = (wide // 2, 0) if high == 1 else (0, high // 2)
    every = Repeat(width // wide, dx=wide), Repeat(height // high, dy=high)
    first, second = (0, 0, wide - x, high - y), (x, y, wide, high)
    return Quads(Quad(*first, *second), *every), Quads(Quad(*second, *first), *every)


def merge_recursively(first: Any, second: Any) -> Any:
    if not first or not second:
        return first + second
    if second[0] < first[0]:
        return [second[0], *merge_recursively(first, second[1:])]
    return [first[0], *merge_recursively(first[1:], second)]


def overwrite_last(keys: Any, partner: Any) -> Any:
    found, last = np.minimum(keys, keys[partner]), np.arange(len(keys)) > partner
    found[last] = np.maximum(keys, keys[partner])[last]
    return found


def walk_entries(entries: Any, x: float) -> Any:
    below = 0
    for value, smallest, largest in zip(*entries[:3], strict=True):
        if value > x:
            return below, largest - 1
        below = smallest
    return below, entries.n


def joined_entries(a: Any, b: Any) -> Entries:
    rows: list[Any] = []
    for own, other in ((a, b), (b, a)):
        rows += zip(own.values, *np.add(own[1:3], bounds_of(other, own.values)), strict=True)
    values, smallest, largest = np.transpose(sorted(rows))
    return Entries(values, smallest, largest, a.n + b.n)


def inserted_entries(a: Any, b: Any) -> Any:
    places = np.searchsorted(a.values, b.values)
    (low_a, high_a), (low_b, high_b) = bounds_of(b, a.values), bounds_of(a, b.values)
    smallest = np.insert(a.smallest + low_a, places, b.smallest + low_b)
    largest = np.insert(a.largest + high_a, places, b.largest + high_b)
    return Entries(np.insert(a.values, places, b.values), smallest, largest, a.n + b.n)


def count_by_places(window: Any) -> Any:
    ordered = np.sort(window)
    items = ordered[np.append(True, np.diff(ordered) > 0)]
    return items, np.searchsorted(ordered, items, "right") - np.searchsorted(ordered, items)


def take_all_items(held: Any, window: Any, over: int) -> Any:
    found = {}
    for item in {*held, *window.tolist()}:
        count, missed = held.get(item, (0, over))
        count += np.count_nonzero(window == item)
        if count + missed > over + 1:
            found[item] = count, missed
    return found


def take_one_by_one(held: Any, window: Any, over: int) -> Any:
    now = dict(held)
    for item in window.tolist():
        count, missed = now.get(item, (0, over))
        now[item] = count + 1, missed
    return dict(pair for pair in now.items() if sum(pair[1]) >= over + 2)


def cover_recursively(start: int, stop: int, largest: int) -> Any:
    if start == stop:
        return []
    size = min(largest, (start & -start) or largest, 1 << (stop - start).bit_length() - 1)
    return [(start, size), *cover_recursively(start + size, stop, largest)]


def cover_by_halves(start: int, stop: int, largest: int, begin: int = 0, size: int = 64) -> Any:
    if begin + size <= start or stop <= begin:
        return ()
    if size <= largest and start <= begin and begin + size <= stop:
        return ((begin, size),)
    parts = (begin, begin + size // 2)
    return sum((cover_by_halves(start, stop, largest, at, size // 2) for at in parts), ())


RIGHT: Mapping[str, list[Callable[..., Any] | str]] = {
    "drawing.swapped_halves": [
        "[ss.Quad(x, 0, x + width // 2, height, width // 2 - x, 0, width - x, height)"
        " for x in (0, width // 2)]",
        "tuple(ss.Quad(x, 0, x + width // 2, height, width // 2 - x, 0, width - x, height)"
        " for x in (width // 2, 0))",
    ],
    "drawing.pairs_in_order": [
        "[ss.Quads(ss.Quad(x, 0, x + 1, 1, 1 - x, 0, 2 - x, 1),"
        " ss.Repeat(width // 2, dx=2), ss.Repeat(height, dy=1)) for x in (0, 1)]",
        "tuple(ss.Quads(ss.Quad(x, 0, x + 1, height, 2 - x, 0, 1 - x, height),"
        " ss.Repeat(width // 2, 2)) for x in (0, 1))",
    ],
    "networks.sorts": [sort_all_bits, sort_columns],
    "networks.balanced_comparators": [
        "[(i, i ^ block - 1) for i in range(n) if i < i ^ block - 1]",
        "np.stack([np.arange(n), np.arange(n) ^ block - 1], 1)[np.arange(n) & block // 2 == 0]",
    ],
    "by_drawing.columns": [
        "[ss.Quads(ss.Quad(x, 0, x + block // 2, 1, block - x, 0, block // 2 - x, 1),"
        " ss.Repeat(height, dy=1), ss.Repeat(width // block, dx=block)) for x in (0, block // 2)]",
        "[each[0] for each in halves(Step('mirror', block), width, height)]",
    ],
    "by_drawing.shifted_step": [
        shift,
        "[each[0] for each in halves(Step('shift', block), width, height)]",
    ],
    "four_sorts.merged": [merge_recursively, "list(heapq.merge(first, second))"],
    "four_sorts.packed": [
        "np.dstack([windows[c::4].reshape(-1, width) for c in range(4)])",
        "np.concatenate([windows[first : first + 4].T for first in range(0, len(windows), 4)])"
        ".reshape(-1, width, 4)",
    ],
    "cost.pass_seconds": [
        "5e-6 + max(cycles_each, bytes_each / 5.5) * texels / 16 / 400e6",
        "float(5e-6 + texels / 16 * np.divide((bytes_each, cycles_each), (2.2e9, 4e8)).max())",
    ],
    "cost.scaled": [
        "[seconds * n * math.log(n / 4) ** 2 / base / math.log(base / 4) ** 2 for n in sizes]",
        "seconds * sizes / base * np.exp(2 * np.log((np.log2(sizes) - 2) / (np.log2(base) - 2)))",
    ],
    "ladder.after_one_step": [
        overwrite_last,
        "np.sort([keys, keys[partner]], axis=0)"
        "[np.int64(np.arange(len(keys)) > partner), np.arange(len(keys))]",
    ],
    "ladder.predicted_ms": [
        "(copied * blending + blended * writing) / (writing * blending) / 1e6",
        "float(np.divide((copied, blended), (writing, blending)).sum() * 1e-6)",
    ],
    "quantiles.bounds_at": [
        walk_entries,
        "(max(entries.smallest[entries.values <= x], default=0),"
        " min(entries.largest[entries.values > x] - 1, default=entries.n))",
    ],
    "quantiles.merged": [joined_entries, inserted_entries],
    "frequent.histogram": [
        "[*zip(*((item, window.tolist().count(item)) for item in sorted({*window.tolist()})))]",
        count_by_places,
    ],
    "frequent.take_window": [take_all_items, take_one_by_one],
    "sliding.blocks_inside": [
        "[b for b in range(position) if position - n <= b * size <= position - size]",
        "np.arange(math.ceil((position - n) / size), position // size)",
    ],
    "sliding.cover": [cover_recursively, cover_by_halves],
}
