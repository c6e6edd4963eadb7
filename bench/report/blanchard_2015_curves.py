"""The figures of Blanchard et al. 2015."""

from collections.abc import Sequence
from typing import Any

from bench.report.alabi_2012_curves import means
from bench.report.blanchard_2015_figures import distribution
from bench.report.curves import DASHED, OURS_ALONE, pair, plots
from bench.report.parts import Part
from bench.report.plot import Plot
from bench.report.tables import Cells, Measured
from bench.shared.record import Library, Record
from bench.shared.words import about, count_of
from shadersort.keys import datasets

PAPER = "Blanchard et al. 2015"
METHODS = {"sort-choose": "sort-choose", "bucket-multi": "bucket"}
"""The paper's names and ours."""

DISTRIBUTIONS = ("uniform", "normal", "half-normal", "cauchy")


def parts(records: Sequence[Measured], library: Library) -> list[Part]:
    """Return the figures."""
    ours, curves_here = records[0], library["curves-nvidia-h200"]
    return [
        _rank_sets(curves_here),
        _over_ranks(ours),
        _over_keys(ours),
        _percentiles(curves_here),
        distribution(),
    ]


def _figure(number: int, fact: str, changed: str, notes: list[str], plots: list[Plot]) -> Part:
    return Part(PAPER, f"Figure {number}", fact, changed, notes, plots=plots)


def _pairs(ours: Measured, x: str, **of: Any) -> list[Plot]:
    """Plot what table V has, for each distribution."""
    found = []
    for name in DISTRIBUTIONS:
        which = {**of, "distribution": name, "dtype": "float32"}
        drawn = [
            each
            for method, label in METHODS.items()
            for each in pair(ours, "blanchard-2015-5", label, x, method=method, **which)
        ]
        found.append(Plot(name, "keys" if x == "n" else x, "ms", drawn))
    return found


def _dashed(ours: Measured) -> list[str]:
    return [DASHED.format("table V, which has some of the points", ours.label)]


def _over_ranks(ours: Measured) -> Part:
    return _figure(
        2,
        "time over the number of ranks, 2^26 float32",
        "The times grow more slowly with the number of ranks, because copying a little more costs "
        "little; Cauchy's keys still take the longest, and these few points cannot show whether "
        "the paper's jump at 260 ranks, from a cutoff, is gone.",
        _dashed(ours),
        _pairs(ours, "ranks", n=1 << 26),
    )


def _over_keys(ours: Measured) -> Part:
    of: dict[str, Any] = {"ranks": 101, "dtype": "float32", "method": "bucket-multi"}
    few, most = (Cells(ours, "blanchard-2015-5", n=1 << power, **of).gains for power in (24, 28))
    return _figure(
        3,
        "time of the 101 percentiles over the number of keys, float32",
        f"For 2^24 keys the gain is {few} times and for 2^28 it is {most} times, because with "
        "fewer keys a large card waits for its host.",
        _dashed(ours),
        _pairs(ours, "n", ranks=101),
    )


def _ours_alone(ours: Record) -> list[str]:
    return [OURS_ALONE, f"Plot: {ours.label}."]


def _rank_sets(ours: Record) -> Part:
    types = ("float32", "float64")
    keys = count_of(ours.where(curve="rank-sets")[0]["n"])
    wanted = {f"{each}, {keys} keys": {"curve": "rank-sets", "dtype": each} for each in types}
    looks = dict(zip(datasets.RANK_SETS, "01234", strict=False))
    drawn = plots(ours, wanted, "ranks", "count", ("ranks", "ms"), looks=looks)
    return _figure(
        1,
        "time of bucketMultiSelect over the number of ranks, for sets of ranks",
        "As in the paper, ranks that share buckets are the easy ones; the steps of the paper's "
        "search tree are gone, because a table tells which buckets are active, and there is "
        "another step at 1,024 ranks, beyond which not all buckets are divided at the same time.",
        _ours_alone(ours),
        drawn,
    )


def _percentiles(ours: Record) -> Part:
    of = {"curve": "percentiles"}
    wanted = {f"{name}, float32": {**of, "distribution": name} for name in DISTRIBUTIONS}
    drawn = plots(ours, wanted)
    lead = {}
    for name in ("uniform", "cauchy"):
        ms = means(ours, curve="percentiles", distribution=name)
        lead[name] = about(ms["sort-choose", 1 << 26] / ms["bucket", 1 << 26])
    return _figure(
        4,
        "time of the 101 percentiles over the number of keys: sorting, buckets, quickselect",
        "Up to four million keys no buckets are counted, because to sort so few takes no longer; "
        f"with more keys the buckets win, and for 2^26 uniform keys they are {lead['uniform']} "
        f"times as fast as sorting, for Cauchy's keys {lead['cauchy']} times.",
        _ours_alone(ours),
        drawn,
    )
