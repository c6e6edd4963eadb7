"""Wrong answers that no mistake names, some for each exercise: each must be rejected.

Those that a mistake names stand in the exercise. A text is what the notebook's function returns, as
an expression of the function's arguments; of a shader it is the body of its function, and of a
kernel what changes in the solution, as `old -> new`, or all of it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from shadersort import Quad, Quads


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


ONE_STATISTIC: list[Callable[..., Any] | str] = [len, "keys", "keys[0]", "keys.sum()"]


WRONG: Mapping[str, list[Callable[..., Any] | str]] = {
    "drawing.swapped_halves": [six_quads, "width"],
    "drawing.pairs_in_order": [one_texel, "[ss.Quads(ss.Quad(0, 0, 1, 1, 1, 0, 2, 1))]"],
    "drawing.turned": ["return texel_at(size - 1 - place.yx);", "return vec4(place, size);"],
    "drawing.kept_smaller": [
        "return min(texel_at(place), texel_at(place.yx));",
        "return vec4(place, 0, 0);",
    ],
    "networks.sorts": ["len(comparators) > 2", "n < 3"],
    "networks.balanced_comparators": ["list(range(n))", "[(i, i + 1) for i in range(0, n, 2)]"],
    "by_drawing.columns": [one_texel, "block / width"],
    "by_drawing.shifted_step": [one_texel, "width.quads"],
    "by_drawing.mirror_step": ["return texel_of(wire);", "return texel_of(wire ^ 1);"],
    "by_drawing.directed_step": ["return texel_of(wire ^ distance);", "return texel_of(wire);"],
    "four_sorts.merged": ["len(first)", "second + first", "first"],
    "four_sorts.packed": ["np.zeros((*windows.shape, 4))", "windows"],
    "four_sorts.channel_pairs": ["return four.grab;", "return min(four, four.grab);"],
    "four_sorts.sorted_texel": ["return four.abgr;", "return four.rbga;"],
    "four_sorts.one_list": ["return texel_of(texel).abgr;", "return texel_of(texel);"],
    "cost.pass_seconds": ["1 / texels", "texels * 5e-6"],
    "cost.scaled": ["sizes / base", "seconds"],
    "ladder.after_one_step": [one_after_the_other, "keys[:1]", "keys[partner]"],
    "ladder.predicted_ms": [
        *("copied / blended", "copied * writing + blended * blending", "copied / writing / 1e6"),
    ],
    "ladder.largest_of_four": [
        "return max(texel_at(place), texel_at(place + size / 2));",
        *("return texel_at(2 * place);", "return texel_at(place);"),
    ],
    "ladder.counts_of_texel": ["return vec4(pivot);", "return four;"],
    "quantiles.bounds_at": [
        "bounds_of(entries, x)",  # right, but the lesson's own
        "(0, entries.n)",  # true, but says nothing
        "(x, x)",
    ],
    "quantiles.merged": ["a", "b", "a._replace(n=a.n + b.n)"],
    "frequent.histogram": [
        "np.unique(window, return_counts=True)",  # right, but forbidden
        "histogram_of(window)",
    ],
    "frequent.take_window": ["dict.fromkeys(window.tolist(), (1, 0))", "held"],
    "sliding.blocks_inside": ["whole_blocks(position, n, size)", "list(range(n // size))"],
    "sliding.cover": ["[(start, stop - start)]", "[(at, 1) for at in range(start, stop)]"],
    "median.objective": ["np.abs(keys - pivot).sum()", "(pivot, 0)"],
    "median.distances": ["void kernel -> void main", "def kernel():\n    return abs(keys - pivot)"],
    "median.sum_of_distances": [
        "step /= 2 -> step - 1",  # without end
        lambda keys, pivot: np.abs(keys - pivot).sum(),  # no text
    ],
    "median.meeting_point": ["f_low / (g_low + g_high)", "low - g_low", "(low + high) / 2"],
    "buckets.one_round": ["(keys, k)", "(np.sort(keys)[:k], 0)", "(np.sort(keys)[[k]], 0)"],
    "buckets.block_histogram": ["Add(counts -> Max(counts", "(keys[i] - least) -> keys[i]"],
    "buckets.codes": [sorted_where_they_lie, "encode(bits.view(np.float32))"],
    "buckets.bracket_places": ["(None, None)", "(rank, rank)", "(rank * len(sample) // n,) * 2"],
    "adversary.killer": [
        "np.full(n, np.inf)",
        "np.append(np.full(n - 1, -1.7e308), 1.7e308)",
        "np.arange(n)",
    ],
    "adversary.alike": [
        "np.arange(n) % 2**bits",  # right, but for the type
        "(np.arange(n) % (2**bits - 1)).astype(np.uint32)",
        "(np.arange(n) % 2**bits << 32 - bits).astype(np.uint32)",
    ],
    "adversary.slow_pivots": ["hostile(n, three_places)", "[[0, 1], [2, 3]]", np.zeros],
    "adversary.unfair": ["'keys'", "np.zeros(n)", "np.arange(n) % every == 0"],
    "hundred.bucket_and_place": [
        "(ks, ks)",
        "(0 * ks, ks)",
        "(ks // len(counts), ks % len(counts))",
    ],
    "hundred.density": [np.ones_like, np.diff, "1 / np.diff(order_statistics)"],
    "side_by_side.warp_sum": ["lanes", "lanes.sum()", np.cumsum],
    "side_by_side.prefix_sums": [
        *("int left = 0; -> left = 0;", "step < THREADS -> step < THREADS / 2"),
        "sums[thread] += left; -> sums[thread] = left;",
    ],
    "side_by_side.compacted": [
        *("= keys[i]; -> = i;", "first + ends[thread] -> first + ends[thread] - 1"),
        "thread == THREADS - 1 -> thread == 0",
    ],
    "side_by_side.select_round": [
        *(
            "result[1] = filled -> result[1] = chosen",
            "result[0] = k - before -> result[0] = before",
        ),
        "result[2 + place] = keys[i] -> result[2 + place] = i",
    ],
    "kernel_costs.falls": [
        "int i = block * THREADS + thread; i < n; i += blocks * THREADS -> int i = 12 * (block * "
        "THREADS + thread); i < min(n, 12 * (block * THREADS + thread + 1)); ++i",
        *("falls += 1 -> atomicAdd(result[0], 1)", "falls += 1 -> falls += keys[i - 1] - keys[i]"),
    ],
    "kernel_costs.transposed": [
        "= tile[33 * x + y] -> = tile[33 * y + x] & left + y) * height + top + x] "
        "-> left + x) * height + top + y]",
        *(f"33 * y + x] -> {row} * y + x] & 33 * x + -> {row} * x +" for row in (30, 32)),
        "33 * y + x] -> 32 * y + (x + y) % 32] & 33 * x + y] -> 32 * x + (x + 2 * y) % 32]",
        "* 33] -> * 34] & 33 * y + x] -> 34 * y + x] & 33 * x + -> 34 * x +",
    ],
    "kernel_costs.up_sweep": [
        "int right = 2 * step * (thread + 1) - 1; -> & right < THREADS -> (thread + 1) % (2 * "
        "step) == 0 & sums[right] -> sums[thread] & sums[right - -> sums[thread -",
        "int right = 2 * step * (thread + 1) - 1; -> & if (right < THREADS) -> if (thread == 0) "
        "for (int right = 2 * step - 1; right < THREADS; right += 2 * step)",
        "step < THREADS; -> step < THREADS / 2;",
        "sums[right] += sums[right - step] -> sums[right] = sums[right - step]",
    ],
    "line.middle_residual": ["lines.sizes_of(x, y, lines.through(x, y, i, j))", "y.mean()", "0.0"],
    "line.trimmed_sum": [
        "np.sort(squares)[:h].sum()",  # right, but sorted
        "squares[:h].sum()",
    ],
    "line.concentrated": [
        *("least_squares(x[:h], y[:h])", "(slope, intercept)", "least_squares(x, y)"),
    ],
    "line.starts_needed": ["'3'", "size / good", "np.ceil(np.log(sure) / np.log(1 - good**size))"],
    "sparse.keep": ["threshold(x, k)", "threshold(x, k, kind='soft')"],
    "sparse.one_step": ["'picture'", "x"],
    "sparse.best_length": ["signs @ gradient", "1.0", "np.sum(gradient[kept] ** 2)"],
    "sparse.enough": ["recovered.mean(axis=0) >= share", "numbers[-1]", "numbers[0]"],
    "capstone.by_definition": ["np.sort(keys)[1:-1].mean()", *ONE_STATISTIC],
    "capstone.by_order": ["key_of_rank(keys, len(keys) // 4)", *ONE_STATISTIC],
    "capstone.by_drawing": [
        *("return texel_of(number);", "return texel_of(number).abgr;", "for (;;) {}"),
        "return vec4(1.0);",
    ],
    "capstone.by_kernel": [
        "thread == 0 -> thread == THREADS",  # nobody adds
        *("count += 1; -> count += 2;", "int count = 0 -> int count = 1"),
    ],
    "capstone.least_ms": ["4 * n * launches / bandwidth", "n"],
}
"""Answers by lesson and exercise."""
