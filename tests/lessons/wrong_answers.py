"""Wrong answers that no mistake names, some for each exercise: each must be rejected.

Those that a mistake names stand in the exercise.
An answer to an exercise with a shader is the body of its function.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from shadersort import Quad, Quads
from shadersort.keys.codes import encode
from shadersort.lessons.adversary.rounds import hostile, three_places
from shadersort.lessons.capstone.parts import key_of_rank
from shadersort.lessons.frequent.exercises import histogram_of
from shadersort.lessons.line.lines import least_squares, sizes_of, through
from shadersort.lessons.quantiles.entries import bounds_of
from shadersort.lessons.sliding.blocks import whole_blocks
from shadersort.sparse import threshold
from tests.right_kernels import (
    BETWEEN,
    COMPACTED,
    DISTANCES,
    HISTOGRAM,
    PREFIX,
    ROUND,
    RUNS,
    SUM,
    changed,
)


def six_quads(width: int, height: int) -> list[Quad]:
    """Right in the picture, but two quads are asked for."""
    half = width // 2
    return [
        *(Quad(x, 0, x + 1, height, x + half, 0, x + half + 1, height) for x in range(half)),
        Quad(half, 0, width, height, 0, 0, half, height),
    ]


def one_texel(*given: int) -> list[Quads]:
    return [Quads(Quad(0, 0, 1, 1, 1, 0, 2, 1))] * 2


def sorted_where_they_lie(bits: Any) -> Any:
    bits.view(np.float32).sort()
    return np.arange(bits.size, dtype=np.uint32)


def one_after_the_other(keys: Any, partner: Any) -> Any:
    for wire in range(len(keys)):
        choose = min if wire < partner[wire] else max
        keys[wire] = choose(keys[wire], keys[partner[wire]])
    return keys


ONE_STATISTIC: list[Callable[..., Any]] = [
    len,
    lambda keys: keys,
    lambda keys: keys[0],
    lambda keys: keys.sum(),
]


WRONG: Mapping[str, Mapping[str, list[Callable[..., Any] | str]]] = {
    "drawing": {
        "swapped_halves": [six_quads, lambda width, height: width],
        "pairs_in_order": [one_texel, lambda width, height: [Quads(Quad(0, 0, 1, 1, 1, 0, 2, 1))]],
        "turned": ["return texel_at(size - 1 - place.yx);", "return vec4(place, size);"],
        "kept_smaller": [
            "return min(texel_at(place), texel_at(place.yx));",
            "return vec4(place, 0, 0);",
        ],
    },
    "networks": {
        "sorts": [lambda comparators, n: len(comparators) > 2, lambda comparators, n: n < 3],
        "balanced_comparators": [
            lambda n, block: list(range(n)),
            lambda n, block: [(i, i + 1) for i in range(0, n, 2)],
        ],
    },
    "by_drawing": {
        "columns": [one_texel, lambda block, width, height: block / width],
        "shifted_step": [one_texel, lambda block, width, height: width.quads],
        "mirror_step": ["return texel_of(wire);", "return texel_of(wire ^ 1);"],
        "directed_step": ["return texel_of(wire ^ distance);", "return texel_of(wire);"],
    },
    "four_sorts": {
        "merged": [
            lambda first, second: len(first),
            lambda first, second: second + first,
            lambda first, second: first,
        ],
        "packed": [
            lambda windows, width: np.zeros((*windows.shape, 4)),
            lambda windows, width: windows,
        ],
        "channel_pairs": ["return four.grab;", "return min(four, four.grab);"],
        "sorted_texel": ["return four.abgr;", "return four.rbga;"],
        "one_list": ["return texel_of(texel).abgr;", "return texel_of(texel);"],
    },
    "cost": {
        "pass_seconds": [
            lambda texels, bytes_each, cycles_each: 1 / texels,
            lambda texels, bytes_each, cycles_each: texels * 5e-6,
        ],
        "scaled": [lambda seconds, base, sizes: sizes / base, lambda seconds, base, sizes: seconds],
    },
    "ladder": {
        "after_one_step": [
            one_after_the_other,
            lambda keys, partner: keys[:1],
            lambda keys, partner: keys[partner],
        ],
        "predicted_ms": [
            lambda copied, blended, writing, blending: copied / blended,
            lambda copied, blended, writing, blending: copied * writing + blended * blending,
            lambda copied, blended, writing, blending: copied / writing / 1e6,
        ],
        "largest_of_four": [
            "return max(texel_at(place), texel_at(place + size / 2));",
            "return texel_at(2 * place);",
            "return texel_at(place);",
        ],
        "counts_of_texel": ["return vec4(pivot);", "return four;"],
    },
    "quantiles": {
        "bounds_at": [
            lambda entries, x: bounds_of(entries, x),  # right, but the lesson's own
            lambda entries, x: (0, entries.n),  # true, but says nothing
            lambda entries, x: (x, x),
        ],
        "merged": [lambda a, b: a, lambda a, b: b, lambda a, b: a._replace(n=a.n + b.n)],
    },
    "frequent": {
        "histogram": [
            lambda window: np.unique(window, return_counts=True),  # right, but forbidden
            lambda window: histogram_of(window),
        ],
        "take_window": [
            lambda held, window, over: dict.fromkeys(window.tolist(), (1, 0)),
            lambda held, window, over: held,
        ],
    },
    "sliding": {
        "blocks_inside": [
            lambda position, n, size: whole_blocks(position, n, size),
            lambda position, n, size: list(range(n // size)),
        ],
        "cover": [
            lambda start, stop, largest: [(start, stop - start)],
            lambda start, stop, largest: [(at, 1) for at in range(start, stop)],
        ],
    },
    "median": {
        "objective": [
            lambda keys, pivot: np.abs(keys - pivot).sum(),
            lambda keys, pivot: (pivot, 0),
        ],
        "distances": [
            changed(DISTANCES, ("void kernel", "void main")),
            "def kernel():\n    return abs(keys - pivot)",
        ],
        "sum_of_distances": [
            changed(SUM, ("step /= 2", "step - 1")),  # without end
            lambda keys, pivot: np.abs(keys - pivot).sum(),  # no text
        ],
        "meeting_point": [
            lambda low, f_low, g_low, high, f_high, g_high: f_low / (g_low + g_high),
            lambda low, f_low, g_low, high, f_high, g_high: low - g_low,
            lambda low, f_low, g_low, high, f_high, g_high: (low + high) / 2,
        ],
    },
    "buckets": {
        "one_round": [
            lambda keys, k, count: (keys, k),
            lambda keys, k, count: (np.sort(keys)[:k], 0),
            lambda keys, k, count: (np.sort(keys)[[k]], 0),
        ],
        "block_histogram": [
            changed(HISTOGRAM, ("atomicAdd(counts", "atomicMax(counts")),
            changed(HISTOGRAM, ("(keys[i] - least)", "keys[i]")),
        ],
        "codes": [sorted_where_they_lie, lambda bits: encode(bits.view(np.float32))],
        "bracket_places": [
            lambda sample, rank, n, wide: (None, None),
            lambda sample, rank, n, wide: (rank, rank),
            lambda sample, rank, n, wide: (rank * len(sample) // n,) * 2,
        ],
    },
    "adversary": {
        "killer": [
            lambda n, count, rounds: np.full(n, np.inf),
            lambda n, count, rounds: np.append(np.full(n - 1, -1.7e308), 1.7e308),
            lambda n, count, rounds: np.arange(n),
        ],
        "alike": [
            lambda n, bits: np.arange(n) % 2**bits,  # right, but for the type
            lambda n, bits: (np.arange(n) % (2**bits - 1)).astype(np.uint32),
            lambda n, bits: (np.arange(n) % 2**bits << 32 - bits).astype(np.uint32),
        ],
        "slow_pivots": [lambda n: hostile(n, three_places), lambda n: [[0, 1], [2, 3]], np.zeros],
        "unfair": [
            lambda n, every: "keys",
            lambda n, every: np.zeros(n),
            lambda n, every: np.arange(n) % every == 0,
        ],
    },
    "hundred": {
        "bucket_and_place": [
            lambda counts, ks: (ks, ks),
            lambda counts, ks: (0 * ks, ks),
            lambda counts, ks: (ks // len(counts), ks % len(counts)),
        ],
        "density": [np.ones_like, np.diff, lambda order_statistics: 1 / np.diff(order_statistics)],
    },
    "side_by_side": {
        "warp_sum": [lambda lanes: lanes, lambda lanes: lanes.sum(), np.cumsum],
        "prefix_sums": [
            changed(PREFIX, ("int left = 0;", "left = 0;")),
            changed(PREFIX, ("step < THREADS", "step < THREADS / 2")),
            changed(PREFIX, ("sums[thread] += left;", "sums[thread] = left;")),
        ],
        "compacted": [
            changed(COMPACTED, ("= keys[i];", "= i;")),
            changed(COMPACTED, ("first + ends[thread]", "first + ends[thread] - 1")),
            changed(COMPACTED, ("thread == THREADS - 1", "thread == 0")),
        ],
        "select_round": [
            changed(ROUND, ("result[1] = filled", "result[1] = chosen")),
            changed(ROUND, ("result[0] = k - before", "result[0] = before")),
            changed(ROUND, ("result[2 + place] = keys[i]", "result[2 + place] = i")),
        ],
    },
    "line": {
        "middle_residual": [
            lambda x, y, i, j: sizes_of(x, y, through(x, y, i, j)),
            lambda x, y, i, j: np.median(y),
            lambda x, y, i, j: 0.0,
        ],
        "trimmed_sum": [
            lambda squares, h: np.sort(squares)[:h].sum(),  # right, but sorted
            lambda squares, h: squares[:h].sum(),
        ],
        "concentrated": [
            lambda x, y, slope, intercept, h: least_squares(x[:h], y[:h]),
            lambda x, y, slope, intercept, h: (slope, intercept),
            lambda x, y, slope, intercept, h: least_squares(x, y),
        ],
        "starts_needed": [
            lambda good, size, sure: "many",
            lambda good, size, sure: size / good,
            lambda good, size, sure: np.ceil(np.log(sure) / np.log(1 - good**size)),
        ],
    },
    "sparse": {
        "keep": [lambda x, k: threshold(x, k), lambda x, k: threshold(x, k, kind="soft")],
        "one_step": [lambda x, signs, y, k, length: "picture", lambda x, signs, y, k, length: x],
        "best_length": [
            lambda signs, gradient, kept: signs @ gradient,
            lambda signs, gradient, kept: 1.0,
            lambda signs, gradient, kept: np.sum(gradient[kept] ** 2),
        ],
        "enough": [
            lambda numbers, recovered, share: recovered.mean(axis=0) >= share,
            lambda numbers, recovered, share: numbers[-1],
            lambda numbers, recovered, share: numbers[0],
        ],
    },
    "capstone": {
        "by_definition": [lambda keys: np.sort(keys)[1:-1].mean(), *ONE_STATISTIC],
        "by_order": [lambda keys: key_of_rank(keys, len(keys) // 4), *ONE_STATISTIC],
        "by_drawing": [
            *("return texel_of(number);", "return texel_of(number).abgr;", "for (;;) {}"),
            "return vec4(1.0);",
        ],
        "by_kernel": [
            changed(BETWEEN, ("thread == 0", "thread == THREADS")),  # nobody adds
            *(changed(each, ("count += 1;", "count += 2;")) for each in (BETWEEN, RUNS)),
        ],
        "least_ms": [
            lambda n, launches, bandwidth: 4 * n * launches / bandwidth,
            lambda n, launches, bandwidth: n,
        ],
    },
}
"""Answers by lesson and exercise."""
