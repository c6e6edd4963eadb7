"""How the claims of Alabi et al. 2012 are checked that compare cells of its tables."""

from typing import Any

from bench.claims.cells import Cells, Of, by_size, cells, from_size, quotient
from bench.claims.checks import Check, together
from bench.claims.claim import Found
from bench.claims.sources import Records, variant_of

TIMES = tuple(f"alabi-2012-{number}" for number in range(2, 7))
METHODS = ("sort-choose", "radix", "bucket")
LEADS, FURTHER, NINTH = "alabi-2012-7", "alabi-2012-8", "alabi-2012-9"
MANY = 1 << 27


def _lead(n: int, dtype: str, distribution: str = "uniform") -> Check:
    return cells(LEADS, n=n, faster="bucket", dtype=dtype, distribution=distribution)


def _leads(least: int, dtype: str, faster: str = "bucket") -> Check:
    return from_size(LEADS, least, faster=faster, dtype=dtype, distribution="uniform")


def _mean(method: str, n: int = MANY) -> Of:
    return {"method": method, "n": n, "statistic": "mean"}


def _deviation(method: str, least: int) -> Check:
    """Return a check of the largest deviation from the mean over the ranks, in percent."""

    def check(records: Records) -> Found:
        some = Cells(records, "alabi-2012-2")
        low, mean, high = (
            some.values(method=method, statistic=each) for each in ("min", "mean", "max")
        )
        found = {}
        for name, each in mean.items():
            lows, highs = by_size(low[name]), by_size(high[name])
            found[name] = [
                100 * max(highs[n] - ms, ms - lows[n]) / ms
                for n, ms in by_size(each).items()
                if n >= least
            ]
        some.used = [r for r in some.used if r["of"]["n"] >= least]
        return some.found(found)

    return check


def _bucket_wins(table: str) -> Check:
    """Return a check of the best mean of sort and radix over bucket's, for each size of a table."""

    def check(records: Records) -> Found:
        some = Cells(records, table)
        sort, radix, bucket = (some.values(method=each, statistic="mean") for each in METHODS)
        found = {}
        for name in sort.keys() & radix.keys() & bucket.keys():
            sorts, radixes = by_size(sort[name]), by_size(radix[name])
            means = by_size(bucket[name]).items()
            found[name] = [min(sorts[n], radixes[n]) / ms for n, ms in means]
        return some.found(found)

    return check


def _memory(records: Records) -> Found:
    """Divide bucket's measured memory by the paper's."""
    some = Cells(records, "alabi-2012-1")
    found: dict[str, list[float]] = {}
    for each in some.rows(method="bucket", input="preserved", case="uniform"):
        found.setdefault(variant_of(each), []).append(each["measured"] / each["paper"])
    return some.found(found)


def _over_ranks(method: str) -> Check:
    return quotient(
        "alabi-2012-3", {"statistic": "max"}, {"statistic": "min"}, method=method, n=MANY
    )


def _by_type(method: str) -> Check:
    return quotient("alabi-2012-4", {}, {}, other="alabi-2012-3", **_mean(method))


def _lead_over_radix(table: str, distribution: str) -> Check:
    of: dict[str, Any] = {"n": MANY, "distribution": distribution}
    of |= {"dtype": "float32"} if table == LEADS else {}
    return quotient(table, {"faster": "bucket"}, {"faster": "radix"}, **of)


def _narrowed(records: Records) -> Found:
    """Divide bucket's lead over radix on wide keys by that on narrow ones."""
    quotients: dict[str, list[float]] = {}
    for distribution in ("uniform", "normal"):
        wide = _lead_over_radix(FURTHER, f"{distribution}-wide")(records)
        narrow = _lead_over_radix(LEADS, distribution)(records)
        for name in wide.figures.keys() & narrow.figures.keys():
            ratio = wide.figures[name][0] / narrow.figures[name][0]
            quotients.setdefault(name, []).append(ratio)
    return Found(quotients, wide.device, wide.ran, wide.of)


TABLES: dict[str, Check] = {
    "sixfold-floats": _leads(1 << 25, "float32"),
    "sixfold-doubles": _leads(1 << 21, "float64"),
    "nineteen-times": _lead(1 << 28, "float64"),
    "eighteen-times": _lead(1 << 28, "float64", "normal"),
    "floats-at-2^20": _lead(1 << 20, "float32"),
    "floats-at-2^29": _lead(1 << 29, "float32"),
    "integers-three-to-seven": together(
        *(_leads(1 << 23, "uint32", each) for each in ("radix", "bucket"))
    ),
    "radix-within-nine-percent": _deviation("radix", 1 << 25),
    "bucket-within-one-and-a-half-percent": _deviation("bucket", 1 << 29),
    "bucket-wins-from-2^17": together(*map(_bucket_wins, TIMES)),
    "radix-jump": quotient(
        LEADS,
        {"n": 1 << 21},
        {"n": 1 << 20},
        faster="radix",
        dtype="float64",
        distribution="uniform",
    ),
    "memory-of-bucket": _memory,
    "sort-by-type": _by_type("sort-choose"),
    "bucket-by-type": _by_type("bucket"),
    "radix-by-type": _by_type("radix"),
    "radix-normal": quotient("alabi-2012-6", {}, {}, other="alabi-2012-4", **_mean("radix")),
    "bucket-normal": quotient("alabi-2012-5", {}, {}, other="alabi-2012-3", **_mean("bucket")),
    "radix-over-k": _over_ranks("radix"),
    "bucket-over-k": _over_ranks("bucket"),
    "bucket-keeps-its-lead": together(
        *(_lead_over_radix(FURTHER, f"{each}-wide") for each in ("uniform", "normal"))
    ),
    "wide-ranges-help-radix": _narrowed,
    "randomized-small-floats": from_size(NINTH, 1 << 17, 1 << 17, dtype="float32"),
    "randomized-many-floats": cells(NINTH, n=1 << 29, dtype="float32", distribution="uniform"),
    "randomized-normal-floats": from_size(NINTH, 1 << 25, dtype="float32", distribution="normal"),
    "randomized-doubles": from_size(NINTH, 1 << 17, dtype="float64"),
}
"""The check of each claim on the tables."""
