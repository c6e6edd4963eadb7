"""The tables and figures of Blanchard et al. 2015."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import modern
from bench.report.alabi_2012_curves import means
from bench.report.curves import DASHED, OURS_ALONE, pair, plots
from bench.report.parts import Part
from bench.report.plot import Curve, Plot
from bench.report.tables import OURS, PRINTED, Cells, Measured, memory, table_part
from bench.shared.record import Record, load
from bench.shared.words import about, count_of
from shadersort.keys import datasets
from shadersort.names import Variant

PAPER = "Blanchard et al. 2015"
METHODS = {"sort-choose": "sort-choose", "bucket-multi": "bucket"}
"""The paper's names and ours."""

DISTRIBUTIONS = ("uniform", "normal", "half-normal", "cauchy")
READINGS = 1 << 18
"""Made-up readings in figure 5."""


def parts(records: Sequence[Measured]) -> list[Part]:
    """Return the tables and the figures."""
    ours, curves_here = records[0], load("curves-nvidia-h200")
    tables = [
        table_part(f"blanchard-2015-{number}", records, changed)
        for number, changed in enumerate(_changes(ours), start=1)
    ]
    figures = [
        _rank_sets(curves_here),
        _over_ranks(ours),
        _over_keys(ours),
        _percentiles(curves_here),
        _distribution(),
    ]
    return [*tables, *figures]


def _changes(ours: Measured) -> list[str]:
    """Return what changed in the tables."""

    def cells(number: int, variant: Variant = OURS, **of: Any) -> Cells:
        return Cells(ours, f"blanchard-2015-{number}", variant, **of)

    limit = memory(ours, "blanchard-2015-5")
    most = min(cells(1, n=1 << 28).values("measured"))
    crossover, as_printed = cells(1, n=1 << 25), cells(1, PRINTED, n=1 << 25)
    for each in (crossover, as_printed):
        each.lines = [line for line in each.lines if line.of["dtype"] != "float64"]
    faster, printed = (cells(2, variant, phase="assign") for variant in (OURS, PRINTED))
    faster.lines += cells(2, phase="reduce").lines
    printed.lines += cells(2, PRINTED, phase="reduce").lines
    readings, sorting = (
        cells(4, faster="bucket-multi"),
        cells(5, PRINTED, method="sort-choose", n=1 << 28),
    )
    selecting = cells(5, PRINTED, method="bucket-multi", n=1 << 28)
    kept = 100 * (cells(3, term="n", dtype="float32").values("measured")[0] - 1)
    lead = cells(5, n=1 << 28, faster="bucket-multi")
    doubles = cells(5, n=1 << 28, faster="bucket-multi", dtype="float64").share
    lead.lines = [line for line in lead.lines if line.of["dtype"] != "float64"]
    few: dict[str, Any] = {"n": 1 << 24, "faster": "bucket-multi"}
    return [
        f"With the most keys even {most:,.0f} ranks, as many as were tried, are found sooner than "
        f"the keys are sorted; with 2^25 keys of 32 bits the limit is {crossover.ours} ranks, in "
        f"the paper {crossover.papers}, because no more than 1,024 buckets are divided at the same "
        f"time, and more ranks than that are found in two steps; as printed it is "
        f"{as_printed.ours} ranks, because sorting has gained more than its many passes.",
        f"Most of the time went to assigning and reducing, which are {faster.gains} times faster, "
        f"as printed {printed.gains} times; identifying the active buckets takes "
        f"{cells(2, phase='identify-active').share} times as long as it did, because it is mostly "
        "a wait, and the extremes are not asked for any more.",
        f"Only the active buckets are kept, in room for {about(kept)}% of the keys, and there is "
        "no array of bucket numbers beside the keys.",
        f"Sorting is {cells(4, method='sort-choose').gains} times faster and selecting "
        f"{cells(4, method='bucket-multi').gains} times, so selecting is {readings.ours} times as "
        f"fast as sorting, in the paper {readings.papers} times; the readings are made up, as many "
        "and as tied as the paper's.",
        f"The lead over sorting is {lead.share} times what it was for 2^28 32-bit keys and "
        f"{doubles} times for doubles, because counting writes next to nothing, and {limit}; for "
        f"2^24 keys it is {cells(5, distribution='cauchy', **few).share} times for Cauchy's keys "
        f"and {cells(5, dtype='float64', **few).share} times for doubles; as printed, selecting "
        f"from 2^28 keys is {selecting.gains} times as fast as in the paper, sorting "
        f"{sorting.gains} times.",
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


def _distribution() -> Part:
    """Draw density and distribution from 11 and from 101 order statistics."""
    keys = datasets.make("power-small", READINGS, dtype="float64")
    densities, shares = [], []
    for count, look in ((11, "3"), (101, "1")):
        ks = datasets.ranks("uniform", keys.size, count)
        found = modern.multiselect(keys, ks, method="bucket")
        of: Any = {"label": f"{count} numbers", "look": look, "dashed": count == 11}
        densities.append(Curve(points=_density(found), **of))
        places = zip(found.tolist(), np.linspace(0, 1, count).tolist(), strict=True)
        shares.append(Curve(points=list(places), **of))
    counts, edges = np.histogram(keys, 100, (-200.0, 200.0), density=True)
    middles = ((edges[1:] + edges[:-1]) / 2).tolist()
    densities.append(Curve("histogram", list(zip(middles, counts.tolist(), strict=True)), "6"))
    return _figure(
        5,
        "a distribution from order statistics",
        "Nothing has changed: 101 numbers draw the distribution; the readings are made up, and "
        "crowd about zero more than the paper's, so the density has a logarithmic axis.",
        [OURS_ALONE, f"Computed for this page: {count_of(READINGS)} made-up readings."],
        [
            Plot("density", "reading", "share for a unit", densities, "y"),
            Plot("distribution", "reading", "share at or below", shares, ""),
        ],
    )


def _density(found: Any) -> list[tuple[float, float]]:
    """Return the density between different neighbours, in the middle between them."""
    firsts, counts = np.unique(found, return_counts=True)
    ends = np.cumsum(counts) - (counts + 1) / 2  # the mean place of equal ones
    heights = np.diff(ends) / (len(found) - 1) / np.diff(firsts)
    middles = (firsts[1:] + firsts[:-1]) / 2
    return [(float(a), float(b)) for a, b in zip(middles, heights, strict=True)]
