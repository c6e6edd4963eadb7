"""How the claims of Govindaraju et al. 2005 are checked: sorting here, streams beside it."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

import shadersort as ss
from bench.claims.checks import Check, as_the_paper
from bench.claims.claim import AS_PRINTED, Found
from bench.claims.govindaraju_2005_streams import STREAMS
from bench.claims.sources import SHARED, SORTED, Records, what
from bench.shared.record import Record, Row
from bench.shared.words import count_of
from shadersort.drawing.networks import network
from shadersort.errors import ProfileLimit
from shadersort.names import DrawingMethod, KeysInTexel, NetworkName, Precision
from shadersort.streams.quantiles.exponential_histogram import printed_budgets

LARGE = 1 << 23
HALF: Precision = "float16"
PRICED = "GeForce 6800 Ultra, priced"
COUNTED, COMPUTED = "counted", "computed"
CLOCK = 0.4
"""The card's core clock in GHz."""

EXAMPLE = 4e-6
"""The ε of section 5.3's example."""


def _cost(method: DrawingMethod, keys: KeysInTexel = 4, of: NetworkName = "bitonic") -> ss.Cost:
    """Price a sort of 2^23 halves on the paper's card."""
    return ss.estimate(LARGE, network=of, method=method, precision=HALF, keys_in_texel=keys)


def _priced_over_pbsn(method: DrawingMethod, *keys: KeysInTexel) -> Check:
    """Return a check of the price of bitonic programs over that of PBSN by blending."""

    def check(_: Records) -> Found:
        pbsn = _cost("blend", of="pbsn").seconds
        some = [_cost(method, each).seconds / pbsn for each in keys]
        return Found({AS_PRINTED: some}, PRICED, ["pbsn, blend", f"bitonic, {method}"], _keys())

    return check


def _keys(n: int = LARGE) -> str:
    return f"{count_of(n)} {HALF}"


def _kipfer(_: Records) -> Found:
    gain = _cost("fragment").seconds / _cost("kipfer").seconds
    return as_the_paper(gain, PRICED, ran="bitonic, kipfer", of=_keys())


def _steps(_: Records) -> Found:
    """Count the steps of the network; log² n each."""
    some = [len(network("pbsn", 1 << p).steps) / p**2 for p in range(4, 25, 4)]
    return Found({AS_PRINTED: some}, COUNTED, ["pbsn"], "2^4 to 2^24 wires")


def _comparisons(_: Records) -> Found:
    """Compare the price list's comparisons, without those of the merge, with n log²(n/4)."""
    made = _cost("blend", of="pbsn").comparisons - LARGE
    return as_the_paper(
        made / (LARGE * math.log2(LARGE / 4) ** 2), COUNTED, ran="pbsn, blend", of=_keys()
    )


def _merge(_: Records) -> Found:
    """Return log2 of the number of ways to interleave four sequences: a bound on comparisons."""
    ways = math.lgamma(LARGE + 1) - 4 * math.lgamma(LARGE // 4 + 1)
    return as_the_paper(ways / math.log(2) / LARGE, COUNTED, of=_keys())


def _transfers_priced(_: Records) -> Found:
    cost = _cost("blend", of="pbsn")
    priced = 100 * cost.transfer_seconds / cost.seconds
    return as_the_paper(priced, PRICED, ran="pbsn, blend", of=_keys())


def _rows(records: Records, name: str = "pbsn", method: str = "blend") -> tuple[Record, list[Row]]:
    return records.where(SORTED, network=name, method=method, dtype=HALF)


def _found(record: Record, some: list[float], rows: list[Row]) -> Found:
    """Return figures of the paper's sort, as the rows' labels or fields name it."""
    labels = [row.get("label", f"{row['network']}, {row['method']}") for row in rows]
    names = dict.fromkeys(what(each.replace(f", {record.device}", "")) for each in labels)
    sizes = sorted({row["keys"] for row in rows})
    of = f"{' to '.join(map(count_of, dict.fromkeys([sizes[0], sizes[-1]])))} {HALF}"
    return Found({AS_PRINTED: some}, record.label, list(names), of)


def _share_of_transfers(row: Row) -> float:
    return float(100 * (1 - row["program_ms"] / row["with_transfers_ms"]))


def _transfers(least: int, most: int = 1 << 40) -> Check:
    """Return a check of the largest share of transfers, for so many keys."""

    def check(records: Records) -> Found:
        record, rows = _rows(records)
        some = [row for row in rows if least <= row["keys"] <= most]
        return _found(record, [max(map(_share_of_transfers, some))], some)

    return check


def _merging(records: Records) -> Found:
    """Return the share of packing and merging of 2^23 keys, in percent."""
    record, rows = _rows(records)
    (row,) = (each for each in rows if each["keys"] == LARGE)
    return _found(record, [100 * (1 - row["with_transfers_ms"] / row["sort_ms"])], [row])


def _work(n: int) -> float:
    return n * math.log2(n / 4) ** 2


def _predicted(records: Records) -> Found:
    """Return by how many ms the time of 2^23 keys, scaled, misses the others at most."""
    record, rows = _rows(records)
    times = {row["keys"]: row["program_ms"] for row in rows if row["keys"] < LARGE}
    base = next(row["program_ms"] for row in rows if row["keys"] == LARGE) / _work(LARGE)
    off = max(abs(ms - base * _work(n)) for n, ms in times.items())
    return _found(record, [off], [row for row in rows if row["keys"] < LARGE])


def _over_cpu(least: int, most: int) -> Check:
    """Return a check of PBSN's time over that of NumPy's sort."""

    def check(records: Records) -> Found:
        record, rows = _rows(records)
        some = [row for row in rows if least < row["keys"] < most]
        return _found(record, [row["with_transfers_ms"] / row["numpy_ms"] for row in some], some)

    return check


def _today(name: str, method: str, above: bool) -> Check:
    """Return a check of another sort's time over PBSN's, or the reverse; 2^23 keys."""

    def check(records: Records) -> Found:
        record, rows = _rows(records)
        _, others = _rows(records, name, method)
        pair = [next(r for r in some if r["keys"] == LARGE) for some in (rows, others)]
        pbsn, other = (row["program_ms"] for row in pair)
        return _found(record, [other / pbsn if above else pbsn / other], pair)

    return check


def _shared(records: Records) -> Found:
    """Return how much faster both are than the GPU alone, for the most keys."""
    record, rows = records.where(SHARED, network="pbsn", method="blend", dtype=HALF)
    most = [row for row in rows if row["keys"] == max(each["keys"] for each in rows)]
    alone = next(row for row in most if row["share"] == 0)
    both = min(
        (row for row in most if row["share"] not in (0, 1)), key=lambda row: float(row["ms"])
    )
    return _found(record, [alone["ms"] / both["ms"]], [alone, both])


def _product(*factors: float) -> Check:
    """Return a check that multiplies the paper's own numbers."""
    return lambda _: as_the_paper(math.prod(factors), COMPUTED)


def _largest(_: Records) -> Found:
    """Find the most keys that two textures of the card have room for, of halves and of floats."""
    some: list[float] = []
    for precision, method in (("float16", "blend"), ("float32", "fragment")):
        of: Any = {"precision": precision, "method": method}
        some.append(max(1 << p for p in range(20, 30) if _fits(1 << p, of)) / 1e6)
    return Found(
        {AS_PRINTED: some}, PRICED, ["pbsn, blend", "pbsn, fragment"], "float16 and float32"
    )


def _fits(n: int, of: Mapping[str, Any]) -> bool:
    try:
        ss.estimate(n, network="pbsn", **of)
    except ProfileLimit:
        return False
    return True


def _last_bucket(_: Records) -> Found:
    plan = printed_budgets(0.01, 10**8)
    worst = float(plan.error(plan.buckets) / plan.epsilon)
    return as_the_paper(worst, COMPUTED, of="ε = 0.01, 10^8 values")


def _bucket_ids(_: Records) -> Found:
    """Summarise 8 windows; compare the highest id of a bucket with ⌈log n⌉ in both readings."""
    windows, window = 8, 10
    n = windows * window
    summary = ss.QuantileSummary(1 / window, n, as_printed=True)
    highest = 1 + max(summary.update(np.arange(n))._state.buckets)  # ids begin at one
    ratios = [highest / math.ceil(math.log2(each)) for each in (n, windows)]
    return Found({AS_PRINTED: ratios}, COMPUTED, of="8 windows, ε = 0.1")


def _compressed(_: Records) -> Found:
    """Evaluate ε/2 + i/(2B) with the printed B, at the root of a tree of height 10."""
    epsilon, h = Fraction(1, 100), 10
    root = epsilon / 2 + h / (2 * (epsilon / (2 * h)))
    return as_the_paper(float(root / epsilon), COMPUTED, of="ε = 0.01, h = 10")


def _example(value: Callable[[float], float]) -> Check:
    """Return a check of a figure that follows from L, with L = log(4/ε) as it is printed."""
    levels = math.log2(4 / EXAMPLE)
    return lambda _: as_the_paper(value(levels), COMPUTED, of="ε = 4 · 10⁻⁶")


CHECKS: dict[str, Check] = {
    "order-of-magnitude-priced": _priced_over_pbsn("fragment", 1, 4),
    "order-of-magnitude-today": _today("bitonic", "fragment", above=True),
    "kipfer-gains": _kipfer,
    "pbsn-steps": _steps,
    "comparisons-on-the-card": _comparisons,
    "comparisons-of-the-merge": _merge,
    "merge-is-efficient": _merging,
    "transfers-priced": _transfers_priced,
    "transfers-today": _transfers(LARGE, LARGE),
    "transfers-do-not-dominate": _transfers(40_000 // 2 + 1),
    "predicted-times": _predicted,
    "small-n-against-cpu": _over_cpu(0, 1 << 14),
    "large-n-against-cpu": _over_cpu(1 << 16, 1 << 40),
    "bitonic-by-blending": _today("bitonic", "blend", above=False),
    "operations-a-second": _product(64, CLOCK),
    "memory-bandwidth": _product(88, CLOCK),
    "memory-clock": _product(256 / 8, 1.2),
    "error-of-the-last-bucket": _last_bucket,
    "elements-after-compress": _compressed,
    "bucket-ids": _bucket_ids,
    "example-levels": _example(float),
    "example-error": _example(lambda levels: 1 / (levels + 1)),
    "cpu-and-gpu": _shared,
    "largest-list": _largest,
    **STREAMS,
}
"""The check of each claim that can be measured."""
