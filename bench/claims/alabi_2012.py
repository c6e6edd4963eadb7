"""How the claims of Alabi et al. 2012 are checked."""

from dataclasses import replace
from typing import Any

from bench.adversaries import OF_ALABI
from bench.claims.cells import Cells, Of, by_size, cells, from_size, quotient
from bench.claims.checks import (
    Check,
    hostile,
    joined,
    methods,
    of_method,
    over,
    share,
    together,
)
from bench.claims.claim import Found, NotMeasured
from bench.claims.sources import (
    HOSTILE,
    Records,
    by_variant,
    figures,
    matched,
    of_all,
    on,
    ran,
    variant_of,
    what,
)
from bench.shared.record import Row
from bench.shared.words import count_of

TIMES = tuple(f"alabi-2012-{number}" for number in range(2, 7))
METHODS = ("sort-choose", "radix", "bucket")
EVERY = "modern-nvidia-h200"
LEADS, FURTHER, NINTH = "alabi-2012-7", "alabi-2012-8", "alabi-2012-9"
MANY, LONGEST = 1 << 27, 1 << 29
BITS = {"uint32": 8, "float32": 8, "float64": 16}
"""Hexadecimal digits of a type."""


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


def _iterations(method: str, figure: str, **of: str) -> Check:
    """Return a check of the iterations for the median: as they are, or beside a bound."""
    values = {
        "count": lambda each: float(each["iterations"]),
        "beyond": lambda each: float(each["iterations"] - each["bound"]),
        "digits": lambda each: each["iterations"] / BITS[each["dtype"]],
        "first": lambda each: 1024 * each["first"],
    }

    def check(records: Records) -> Found:
        record, rows = records.measured("iterations", **of)
        return figures(record, of_method(rows, method), values[figure])

    return check


def _samples(pick: str) -> Check:
    """Return a check of the reads of randomizedSelect over those of bucketSelect."""

    def check(records: Records) -> Found:
        record, rows = records.measured("samples")
        return matched(
            record, of_method(rows, "randomized"), of_method(rows, "bucket"), pick, "keys"
        )

    return check


def _bins(records: Records) -> Found:
    """Return the share of the bins drawn that had the key, in percent."""
    record, rows = records.measured("samples")
    some = of_method(rows, "randomized")
    return figures(record, some, lambda e: 100 * e["trials"] / (e["trials"] + e["misses"]))


def _sorting_swing(records: Records) -> Found:
    """Divide the longest time of sorting by the shortest, over uniform keys and adversaries."""
    rows = of_method(list(records[HOSTILE].rows), "sort-choose")
    return of_all(
        records[HOSTILE], rows, lambda some: max(r["ms"] for r in some) / min(r["ms"] for r in some)
    )


def _quickselect(others: tuple[str, ...], *, above: bool) -> Check:
    """Return a check of quickselect's time over others', or the reverse, for many keys."""

    def check(records: Records) -> Found:
        record, rows = records.where(EVERY, group="method")
        some = [each for each in rows if each["n"] >= 1 << 26]
        mine = [each for each in some if each["what"] == "quickselect"]
        theirs = [[each for each in some if each["what"] == other] for other in others]
        of = "dtype", "distribution", "n"
        pairs = [(mine, them) if above else (them, mine) for them in theirs]
        found = joined([matched(record, *pair, "ms", *of) for pair in pairs])
        return replace(found, ran=["quickselect", *others])

    return check


def _swings(records: Records) -> Found:
    """Divide bucket's longest time over its shortest by that of randomizedSelect."""
    record = records[HOSTILE]
    rows = [e for e in record.rows if e["data"] in ("uniform", *OF_ALABI)]
    rows = of_method(rows, "bucket", "randomized")
    found: dict[str, list[float]] = {}
    for name, some in by_variant(rows).items():
        times: dict[str, list[float]] = {}
        for each in some:
            times.setdefault(what(each["label"]), []).append(each["ms"])
        bucket, randomized = (max(times[m]) / min(times[m]) for m in ("bucket", "randomized"))
        found[name] = [bucket / randomized]
    return Found(found, record.label, ran(rows), on(rows))


def _wrong_at_two(records: Records) -> Found:
    """Return the share of wrong answers at k = 2, if the vectors are as long as the paper's."""
    record, rows = records.measured("wrong", rank="2")
    wrong, trials = (sum(each[name] for each in rows) for name in ("wrong", "trials"))
    if max(each["keys"] for each in rows) < LONGEST:
        said = f"{wrong} of {trials} trials with {on(rows)} keys were wrong ({record.label})"
        raise NotMeasured(f"ties need the paper's {count_of(LONGEST)} keys; {said}")
    return of_all(record, rows, lambda _: 100 * wrong / trials)


def _right(records: Records) -> Found:
    """Return the shares of wrong answers at the median, for both finishes, in percent."""
    record, rows = records.measured("wrong", rank="median")
    some: dict[str, list[Row]] = {}
    for each in rows:
        some.setdefault(each["finish"], []).append(each)
    shares = [100 * sum(e["wrong"] for e in x) / sum(e["trials"] for e in x) for x in some.values()]
    name = next(key for key, each in by_variant(rows).items() if each)
    return Found({name: shares}, record.label, ran(rows), on(rows))


CHECKS: dict[str, Check] = {
    "sixfold-floats": _leads(1 << 25, "float32"),
    "sixfold-doubles": _leads(1 << 21, "float64"),
    "quickselect-beats-sorting": _quickselect(("sort-choose",), above=False),
    "quickselect-not-competitive": _quickselect(("radix", "bucket"), above=True),
    "nineteen-times": _lead(1 << 28, "float64"),
    "eighteen-times": _lead(1 << 28, "float64", "normal"),
    "floats-at-2^20": _lead(1 << 20, "float32"),
    "floats-at-2^29": _lead(1 << 29, "float32"),
    "integers-three-to-seven": together(
        *(_leads(1 << 23, "uint32", each) for each in ("radix", "bucket"))
    ),
    "radix-within-nine-percent": _deviation("radix", 1 << 25),
    "bucket-within-one-and-a-half-percent": _deviation("bucket", 1 << 29),
    "sort-wins-few-keys": methods("sort-choose", "bucket", least=1 << 12, most=1 << 15),
    "bucket-wins-from-2^17": together(*map(_bucket_wins, TIMES)),
    "four-iterations": _iterations("bucket", "count", data="uniform", dtype="uint32"),
    "radix-jump": quotient(
        LEADS,
        {"n": 1 << 21},
        {"n": 1 << 20},
        faster="radix",
        dtype="float64",
        distribution="uniform",
    ),
    "theorem-3.1": _iterations("bucket", "beyond"),
    "a-1024th-is-left": _iterations("bucket", "first", data="uniform"),
    "digits": _iterations("radix", "digits"),
    "memory-of-bucket": _memory,
    "sort-by-type": _by_type("sort-choose"),
    "bucket-by-type": _by_type("bucket"),
    "radix-by-type": _by_type("radix"),
    "radix-normal": quotient("alabi-2012-6", {}, {}, other="alabi-2012-4", **_mean("radix")),
    "bucket-normal": quotient("alabi-2012-5", {}, {}, other="alabi-2012-3", **_mean("bucket")),
    "radix-over-k": _over_ranks("radix"),
    "bucket-over-k": _over_ranks("bucket"),
    "half-normal-low-ranks": over("rank", "first", {"share": 0.01}, {"share": 0.5}, "dtype"),
    "bucket-keeps-its-lead": together(
        *(_lead_over_radix(FURTHER, f"{each}-wide") for each in ("uniform", "normal"))
    ),
    "wide-ranges-help-radix": _narrowed,
    "sorted-bucket": hostile("sorted", "sort-choose", "bucket"),
    "sorted-radix": hostile("sorted", "bucket", "radix"),
    "ones-radix": hostile("ones", "sort-choose", "radix"),
    "ones-bucket": _iterations("bucket", "count", data="ones"),
    "ones-and-twos-radix": hostile("ones-and-twos", "sort-choose", "radix"),
    "ones-and-twos-bucket": hostile("ones-and-twos", "bucket", "sort-choose"),
    "ones-and-twos-end": _iterations("bucket", "count", data="ones-and-twos"),
    "killer-over-sort": hostile("bucket-killer", "bucket", "sort-choose"),
    "killer-over-radix": hostile("bucket-killer", "bucket", "radix"),
    "killer-over-uniform": hostile("bucket-killer", "bucket", "bucket", usual="uniform"),
    "near-zero-doubles": share("near zero", "faults", "trials", dtype="float64"),
    "near-zero-floats": share("near zero", "faults", "trials", dtype="float32"),
    "sort-is-stable": _sorting_swing,
    "radix-stands-the-killer": hostile("bucket-killer", "radix", "radix", usual="uniform"),
    "wrong-at-two": _wrong_at_two,
    "wrong-is-zero": share("wrong", "zeros", "wrong", rank="2"),
    "right-at-the-median": _right,
    "plane-like-radix": methods("cutting-plane", "radix"),
    "plane-beats-radix-on-doubles": methods(
        "radix", "cutting-plane", dtype="float64", data="uniform"
    ),
    "bucket-beats-plane": methods("cutting-plane", "bucket"),
    "all-beat-sorting": together(
        *(methods("sort-choose", each) for each in ("cutting-plane", "randomized"))
    ),
    "nine-tenths": _bins,
    "randomized-small-floats": from_size(NINTH, 1 << 17, 1 << 17, dtype="float32"),
    "randomized-many-floats": cells(NINTH, n=1 << 29, dtype="float32", distribution="uniform"),
    "randomized-normal-floats": from_size(NINTH, 1 << 25, dtype="float32", distribution="normal"),
    "randomized-doubles": from_size(NINTH, 1 << 17, dtype="float64"),
    "randomized-longest": _samples("most"),
    "randomized-shortest": _samples("least"),
    "randomized-and-distributions": _swings,
}
"""The check of each claim that can be measured."""
