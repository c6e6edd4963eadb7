"""How the claims of Blanchard et al. 2015 are checked."""

from collections.abc import Callable, Iterable
from typing import Any

from bench.claims.cells import Cells, by_size, cells, from_size, quotient
from bench.claims.checks import Check, first_of, methods, over, row, together
from bench.claims.claim import AS_PRINTED, Found
from bench.claims.sources import CURVES, Records, by_variant, figures, matched, on, ran
from bench.shared.record import Record, Row
from shadersort.selection.printed.blanchard_2015_bucket_multi_select import B

FIRST, SECOND, THIRD, FOURTH, FIFTH = (f"blanchard-2015-{number}" for number in range(1, 6))
FEW, SOME, MANY = 1 << 24, 1 << 26, 1 << 28
USUAL = ("uniform", "normal", "half-normal")
OURS, SORT = {"method": "bucket-multi"}, {"method": "sort-choose"}
PHASES = ("reduce", "sort-choose")
RANKS = 101

ON_CPU = "curves-numpy"
PERCENTILES = {"curve": "percentiles", "distribution": "uniform", "dtype": "float32"}


def _crossing(record: Record, rows: Iterable[Row], size: str, pair: tuple[str, str]) -> Found:
    """Find the fewest keys with which the second method is faster, as a power of two."""
    powers: dict[str, list[float]] = {}
    used: list[Row] = []
    for name, some in by_variant(rows).items():
        times = {(each["method"], each[size]): each["ms"] for each in some}
        sizes = sorted({each[size] for each in some})
        one, two = pair
        faster = [n for n in sizes if times.get((two, n), 1e9) < times.get((one, n), 0.0)]
        if faster:
            powers[name] = [float(min(faster).bit_length() - 1)]
            used += some
    return Found(powers, record.label, ran(used), on(used))


def _buckets_win(records: Records) -> Found:
    record, rows = records.measured("percentiles", data="uniform")
    return _crossing(record, rows, "keys", ("sort-choose", "bucket"))


def _buckets_win_in_curves(records: Records) -> Found:
    record, rows = records.where(CURVES, **PERCENTILES)
    return _crossing(record, rows, "n", ("sort-choose", "bucket"))


def _gpu_wins(records: Records) -> Found:
    """Compare quickselect on a CPU with sorting on a GPU, by the records of two machines."""
    cpu, slow = records.where(ON_CPU, method="quickselect", **PERCENTILES)
    gpu, fast = records.where(CURVES, method="sort-choose", **PERCENTILES)
    found = _crossing(gpu, [*slow, *fast], "n", ("quickselect", "sort-choose"))
    return Found(found.figures, f"{gpu.label}; {cpu.label}", found.ran, found.of)


def _kept(records: Records) -> Found:
    """Divide the share of the keys that is left by k/B, for 101 ranks of usual keys."""
    record, rows = records.measured("left", count=RANKS)
    some = [each for each in rows if each["data"] in USUAL]
    return figures(record, some, lambda each: each["left"] / each["expected"])


def _harder(records: Records) -> Found:
    """Divide the keys left for other sets of 1,001 ranks by those of evenly spaced ranks."""
    record, rows = records.measured("left", count=1001)
    others = [each for each in rows if each["ranks"] != "uniform"]
    even = [each for each in rows if each["ranks"] == "uniform"]
    return matched(record, others, even, "left", "data", "count")


def _rank_sets(names: tuple[str, ...], count: Callable[[int], bool]) -> Check:
    """Return a check of times of sets of ranks over those of evenly spaced ranks."""

    def check(records: Records) -> Found:
        record, rows = records.where(CURVES, curve="rank-sets")
        some = [each for each in rows if count(each["count"])]
        others = [each for each in some if each["ranks"] in names]
        even = [each for each in some if each["ranks"] == "uniform"]
        return matched(record, others, even, "ms", "dtype", "count")

    return check


def _reduction_and_sort(records: Records) -> Found:
    """Return the share of the reduction and the sort for many ranks, in percent."""
    some = Cells(records, SECOND)
    found: dict[str, list[float]] = {}
    for ranks in (2001, 4001):
        for name, each in some.values(ranks=ranks).items():
            wholes: dict[tuple[str, int], list[float]] = {}
            for cell, ms in each:
                whole = wholes.setdefault((cell["dtype"], cell["n"]), [0.0, 0.0])
                whole[0] += ms * (cell["phase"] in PHASES)
                whole[1] += ms
            found.setdefault(name, []).extend(100 * part / ms for part, ms in wholes.values())
    return some.found(found)


def _memory(records: Records) -> Found:
    """Add the terms of the memory for 101 ranks of doubles."""
    some = Cells(records, THIRD)
    of = {"case": "expected", "dtype": "float64"}
    fixed, added = some.values(term="n", **of), some.values(term="n k/B", **of)
    return some.found(
        {
            name: [fixed[name][0][1] + added[name][0][1] * RANKS / B]
            for name in fixed.keys() & added.keys()
        }
    )


def _lead_grows(records: Records) -> Found:
    """Divide the lead over sorting with 2^28 keys by that with 2^24, for each type."""
    some = Cells(records, FIFTH)
    found: dict[str, list[float]] = {}
    for dtype in ("uint32", "float32", "float64"):
        of = {"faster": "bucket-multi", "distribution": "uniform", "ranks": RANKS, "dtype": dtype}
        for name, each in some.values(**of).items():
            leads = by_size(each)
            if FEW in leads and MANY in leads:
                found.setdefault(name, []).append(leads[MANY] / leads[FEW])
    return some.found(found)


def _doubles_before_floats(records: Records) -> Found:
    """Divide the times of 1,001 ranks of doubles by those of sorting floats."""
    some = Cells(records, FIFTH)
    of = {"distribution": "uniform", "ranks": 1001}
    doubles, floats = (
        some.values(**of, **OURS, dtype="float64"),
        some.values(**of, **SORT, dtype="float32"),
    )
    found = {}
    for name in doubles.keys() & floats.keys():
        sorts = by_size(floats[name])
        found[name] = [ms / sorts[n] for n, ms in by_size(doubles[name]).items() if n in sorts]
    return some.found(found)


def _intervals(*picks: str) -> Check:
    """Return a check of shares of intervals, as the paper draws them, in percent."""

    def check(records: Records) -> Found:
        record, [one] = records.measured("intervals")
        return Found({AS_PRINTED: [100 * one[pick] for pick in picks]}, record.label, (), on([one]))

    return check


def _few_keys(records: Records) -> Found:
    """Divide times of 2^14 keys by those of 2^10."""
    record, rows = records.where(CURVES, **PERCENTILES)
    on_gpu = [each for each in rows if each["method"] != "quickselect"]
    some, few = ([each for each in on_gpu if each["n"] == n] for n in (1 << 14, 1 << 10))
    return matched(record, some, few, "ms", "method")


def _on_the_cpu(records: Records) -> Found:
    """Divide quickselect's time of 2^20 keys on a CPU by that of 2^18."""
    record, rows = records.where(ON_CPU, method="quickselect", **PERCENTILES)
    many, some = ([each for each in rows if each["n"] == n] for n in (1 << 20, 1 << 18))
    return matched(record, many, some, "ms", "method")


def _all_four(records: Records) -> Found:
    """Divide the time of sorting by that of each of the four selections, from 2^21 keys on."""
    others = ("cutting-plane", "randomized")
    timed = (methods("sort-choose", each, least=1 << 21) for each in others)
    return together(from_size("alabi-2012-7", 1 << 21), *timed)(records)


def _doubles_over_floats(**of: Any) -> Check:
    """Return a check of times of many uniform doubles over those of as many floats."""
    one, other = {"dtype": "float64"}, {"dtype": "float32"}
    return quotient(FIFTH, one, other, n=MANY, ranks=RANKS, distribution="uniform", **of)


def _over_uniform(name: str) -> Check:
    """Return a check of times of many floats of a distribution over those of uniform ones."""
    one, other = {"distribution": name}, {"distribution": "uniform"}
    return quotient(FIFTH, one, other, n=MANY, ranks=RANKS, dtype="float32", **OURS)


CHECKS: dict[str, Check] = {
    "ninety-five-ms": together(
        *(
            cells(FIFTH, n=MANY, ranks=RANKS, distribution=name, dtype=dtype, **OURS)
            for name in ("uniform", "normal")
            for dtype in ("float32", "float64")
        )
    ),
    "eight-times": cells(FIFTH, n=MANY, ranks=RANKS, dtype="float64", faster="bucket-multi"),
    "six-and-a-half-times": cells(
        FIFTH, n=SOME, ranks=RANKS, dtype="float64", distribution="uniform", faster="bucket-multi"
    ),
    "thousands": from_size(FIRST, SOME),
    "sorting-below-2^22": first_of(_buckets_win, _buckets_win_in_curves),
    "keys-that-are-sorted": _kept,
    "intervals": _intervals("within"),
    "equal-intervals": _intervals("inner", "outer"),
    "active-on-the-cpu": cells(SECOND, phase="identify-active"),
    "reduction-and-sort": _reduction_and_sort,
    "assignment-by-type": together(
        *(
            quotient(
                SECOND, {"dtype": "float64"}, {"dtype": "float32"}, phase="assign", n=n, ranks=RANKS
            )
            for n in (SOME, MANY)
        )
    ),
    "memory-for-percentiles": _memory,
    "hardest-ranks": _harder,
    "easy-ranks": _rank_sets(("clustered", "sectioned"), lambda count: count == 1001),
    "similar-ranks": _rank_sets(
        ("uniform-random", "normal-random"), lambda count: 1 < count < 1000
    ),
    "doubles-before-floats-are-sorted": _doubles_before_floats,
    "lead-grows": _lead_grows,
    "doubles-like-floats": _doubles_over_floats(**OURS),
    "sorting-by-type": _doubles_over_floats(**SORT),
    "distributions-alike": together(*map(_over_uniform, USUAL[1:])),
    "cauchy": _over_uniform("cauchy"),
    "cutoff-for-cauchy": over("cutoff", "ms", {"count": 270}, {"count": 250}, "dtype"),
    "few-values-no-reduction": row("left", "left", times=100, data="discrete"),
    "few-values-time": over(
        "percentiles",
        "ms",
        {"method": "bucket"},
        {"method": "sort-choose"},
        "keys",
        data="discrete",
    ),
    "power-readings": together(
        *(cells(FOURTH, data=data, faster="bucket-multi") for data in ("power", "power-small"))
    ),
    "cpu-for-few-floats": _gpu_wins,
    "constant-overhead": _few_keys,
    "linear-on-the-cpu": _on_the_cpu,
    "all-four-beat-sorting": _all_four,
}
"""The check of each claim that can be measured."""
