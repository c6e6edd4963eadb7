"""Figures of claims that no formula has: from the price list, the networks, the printed text."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import shadersort as ss
from bench.claims.claim import Found
from bench.formula import Formula
from bench.shared.words import count_of
from bench.sources import PRINTED, NotMeasured, Sources
from shadersort.drawing.networks import network
from shadersort.errors import ProfileLimit
from shadersort.names import DrawingMethod, KeysInTexel, NetworkName, Precision
from shadersort.selection.printed.blanchard_2015_bucket_multi_select import B
from shadersort.streams.quantiles.exponential_histogram import printed_budgets

LARGE = 1 << 23
HALF: Precision = "float16"
KEYS = f"{count_of(LARGE)} {HALF}"
PRICED, COUNTED, COMPUTED = "GeForce 6800 Ultra, priced", "counted", "computed"
CLOCK = 0.4  # the card's core clock in GHz
EXAMPLE = 4e-6  # the ε of section 5.3's example

Check = Callable[[Sources], Found]


def _figure(device: str, ran: str, of: str, compute: Callable[[], Sequence[float]]) -> Check:
    """Return a check of figures that need no record."""
    names = ran.split(" and ") if ran else []
    return lambda _: Found({PRINTED: list(compute())}, device, names, of)


def _cost(method: DrawingMethod, keys: KeysInTexel = 4, of: NetworkName = "bitonic") -> ss.Cost:
    """Price a sort of 2^23 halves on the paper's card."""
    return ss.estimate(LARGE, network=of, method=method, precision=HALF, keys_in_texel=keys)


def _over_pbsn() -> list[float]:
    """Divide prices of bitonic programs by that of PBSN by blending."""
    pbsn = _cost("blend", of="pbsn").seconds
    return [_cost("fragment", keys).seconds / pbsn for keys in (1, 4)]


def _steps() -> list[float]:
    """Count the steps of the network; log² n each."""
    return [len(network("pbsn", 1 << p).steps) / p**2 for p in range(4, 25, 4)]


def _comparisons() -> list[float]:
    """Compare the price list's comparisons, without those of the merge, with n log²(n/4)."""
    made = _cost("blend", of="pbsn").comparisons - LARGE
    return [made / _work(LARGE)]


def _merge() -> list[float]:
    """Return log2 of the number of ways to interleave four sequences: a bound on comparisons."""
    ways = math.lgamma(LARGE + 1) - 4 * math.lgamma(LARGE // 4 + 1)
    return [ways / math.log(2) / LARGE]


def _transfers() -> list[float]:
    cost = _cost("blend", of="pbsn")
    return [100 * cost.transfer_seconds / cost.seconds]


def _work(n: int) -> float:
    return n * math.log2(n / 4) ** 2


def _predicted(sources: Sources) -> Found:
    """Return by how many ms the time of 2^23 keys, scaled, misses the others at most."""
    of = f"sort-nvidia-h200; network=pbsn; method=blend; dtype={HALF}; keys<={LARGE}"
    [(rows, _)] = Formula("program_ms", sources, of).result().sides
    times = {row["keys"]: row["program_ms"] for row in rows}
    if LARGE not in times:
        raise NotMeasured(f"no row has {count_of(LARGE)} keys")
    base = times[LARGE] / _work(LARGE)
    off = max(abs(ms - base * _work(n)) for n, ms in times.items())
    return Found.of_rows({PRINTED: [off]}, rows)


def _memory(sources: Sources) -> Found:
    """Add the terms of the memory for 101 ranks of doubles."""
    of = "blanchard-2015-3; case=expected; dtype=float64"
    fixed, added = (
        Formula(f"measured; term={term}", sources, of).result() for term in ("n", "n k/B")
    )
    sums = {
        name: [some[0] + added.figures[name][0] * 101 / B]
        for name, some in fixed.figures.items()
        if name in added.figures
    }
    return Found.of_rows(sums, [*fixed.rows, *added.rows])


def _largest() -> list[float]:
    """Find the most keys that two textures of the card have room for, of halves and of floats."""
    kinds: tuple[Any, ...] = (
        {"precision": "float16", "method": "blend"},
        {"precision": "float32", "method": "fragment"},
    )
    return [max(1 << p for p in range(20, 30) if _fits(1 << p, of)) / 1e6 for of in kinds]


def _fits(n: int, of: Mapping[str, Any]) -> bool:
    try:
        ss.estimate(n, network="pbsn", **of)
    except ProfileLimit:
        return False
    return True


def _last_bucket() -> list[float]:
    plan = printed_budgets(0.01, 10**8)
    return [float(plan.error(plan.buckets) / plan.epsilon)]


def _bucket_ids() -> list[float]:
    """Summarise 8 windows; compare the highest id of a bucket with ⌈log n⌉ in both readings."""
    windows, window = 8, 10
    n = windows * window
    summary = ss.QuantileSummary(1 / window, n, as_printed=True)
    highest = 1 + max(summary.update(np.arange(n))._state.buckets)  # ids begin at one
    return [highest / math.ceil(math.log2(each)) for each in (n, windows)]


def _compressed() -> list[float]:
    """Evaluate ε/2 + i/(2B) with the printed B, at the root of a tree of height 10."""
    epsilon, h = Fraction(1, 100), 10
    return [float((epsilon / 2 + h / (2 * (epsilon / (2 * h)))) / epsilon)]


def _levels() -> float:
    return math.log2(4 / EXAMPLE)


CHECKS: dict[str, Check] = {
    "order-of-magnitude-priced": _figure(
        PRICED, "pbsn, blend and bitonic, fragment", KEYS, _over_pbsn
    ),
    "kipfer-gains": _figure(
        PRICED,
        "bitonic, fragment and bitonic, kipfer",
        KEYS,
        lambda: [_cost("fragment").seconds / _cost("kipfer").seconds],
    ),
    "pbsn-steps": _figure(COUNTED, "pbsn", "2^4 to 2^24 wires", _steps),
    "comparisons-on-the-card": _figure(COUNTED, "pbsn, blend", KEYS, _comparisons),
    "comparisons-of-the-merge": _figure(COUNTED, "", KEYS, _merge),
    "transfers-priced": _figure(PRICED, "pbsn, blend", KEYS, _transfers),
    "predicted-times": _predicted,
    "operations-a-second": _figure(COMPUTED, "", "", lambda: [64 * CLOCK]),
    "memory-bandwidth": _figure(COMPUTED, "", "", lambda: [88 * CLOCK]),
    "memory-clock": _figure(COMPUTED, "", "", lambda: [256 / 8 * 1.2]),
    "error-of-the-last-bucket": _figure(COMPUTED, "", "ε = 0.01, 10^8 values", _last_bucket),
    "elements-after-compress": _figure(COMPUTED, "", "ε = 0.01, h = 10", _compressed),
    "bucket-ids": _figure(COMPUTED, "", "8 windows, ε = 0.1", _bucket_ids),
    "example-levels": _figure(COMPUTED, "", "ε = 4 · 10⁻⁶", lambda: [_levels()]),
    "example-error": _figure(COMPUTED, "", "ε = 4 · 10⁻⁶", lambda: [1 / (_levels() + 1)]),
    "largest-list": _figure(
        PRICED, "pbsn, blend and pbsn, fragment", "float16 and float32", _largest
    ),
    "memory-for-percentiles": _memory,
}
"""The check of each claim that has no formula, and can be measured."""
