"""How the claims of Alabi et al. 2012 are checked."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from bench.adversaries import OF_ALABI
from bench.claims.alabi_2012_tables import TABLES
from bench.claims.checks import (
    Check,
    first_of,
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
    CLAIMS,
    CURVES,
    HOSTILE,
    Records,
    by_variant,
    figures,
    matched,
    of_all,
    on,
    ran,
)
from bench.shared.record import Row
from bench.shared.words import count_of
from shadersort.selection.printed.alabi_2012_bucket_select import CUTOFF

EVERY = "modern-nvidia-h200"
SHORTEST, LONGEST = 1 << 17, 1 << 29
"""Keys of the shortest vectors of the tables, and of the longest."""

BITS = {"uint32": 8, "float32": 8, "float64": 16}
"""Hexadecimal digits of a type."""


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


def _of_a_million(records: Records) -> Found:
    """Return the iterations for ones and twos, so few that nothing is copied (Phase II)."""
    for name in CLAIMS:
        record, rows = records.where(name, about="iterations", data="ones-and-twos")
        if some := [each for each in of_method(rows, "bucket") if each["keys"] <= CUTOFF]:
            return figures(record, some, "iterations")
    raise NotMeasured(f"no record has ones and twos with at most {count_of(CUTOFF)} keys")


def _samples(pick: str) -> Check:
    """Return a check of the reads of randomizedSelect over those of bucketSelect."""

    def check(records: Records) -> Found:
        record, rows = records.measured("samples")
        return matched(
            record, of_method(rows, "randomized"), of_method(rows, "bucket"), pick, "keys"
        )

    return check


def _ends(end: Callable[[Iterable[float]], float]) -> Check:
    """Return a check of randomizedSelect's longest or shortest time over bucketSelect's: floats."""

    def check(records: Records) -> Found:
        record, rows = records.where(CURVES, curve="methods", dtype="float32")
        some = [{**row, "end": end(row["each"])} for row in rows if row.get("each")]
        tops, bottoms = (
            [row for row in some if row["method"] == name and row["n"] >= SHORTEST]
            for name in ("randomized", "bucket")
        )
        return matched(record, tops, bottoms, "end", "distribution", "n")

    return check


def _sorted_integers(above: str, below: str) -> Check:
    """Return a check of times on the most sorted integers, which the paper has."""

    def check(records: Records) -> Found:
        record, rows = records.where(CURVES, curve="adversaries", distribution="sorted")
        some = [row for row in rows if row["dtype"] == "uint32" and "variant" in row]
        most = max((row["n"] for row in some), default=0)
        tops, bottoms = (
            [row for row in some if row["method"] == name and row["n"] == most]
            for name in (above, below)
        )
        return matched(record, tops, bottoms, "ms", "n")

    return first_of(check, hostile("sorted", above, below))


def _bins(records: Records) -> Found:
    """Return the share of the bins drawn that had the key, in percent."""
    record, rows = records.measured("samples")
    some = of_method(rows, "randomized")
    return figures(record, some, lambda e: 100 * e["trials"] / (e["trials"] + e["misses"]))


def _sorting_swing(records: Records) -> Found:
    """Divide the longest time of sorting by the shortest, over uniform keys and adversaries."""
    rows = of_method(list(records[HOSTILE].rows), "sort-choose")
    found = {name: list(_swing(some).values()) for name, some in by_variant(rows).items()}
    return Found(found, records[HOSTILE].label, ran(rows), on(rows))


def _swing(rows: Iterable[Row]) -> dict[str, float]:
    """Divide the longest time by the shortest, among keys of one type, by type."""
    times: dict[str, list[float]] = {}
    for each in rows:
        times.setdefault(each["dtype"], []).append(each["ms"])
    return {dtype: max(some) / min(some) for dtype, some in times.items()}


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
        bucket, randomized = (_swing(of_method(some, each)) for each in ("bucket", "randomized"))
        found[name] = [bucket[each] / randomized[each] for each in bucket if each in randomized]
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
    **TABLES,
    "quickselect-beats-sorting": _quickselect(("sort-choose",), above=False),
    "quickselect-not-competitive": _quickselect(("radix", "bucket"), above=True),
    "sort-wins-few-keys": methods("sort-choose", "bucket", least=1 << 12, most=1 << 15),
    "four-iterations": _iterations("bucket", "count", data="uniform", dtype="uint32"),
    "theorem-3.1": _iterations("bucket", "beyond"),
    "a-1024th-is-left": _iterations("bucket", "first", data="uniform"),
    "digits": _iterations("radix", "digits"),
    "half-normal-low-ranks": over("rank", "first", {"share": 0.01}, {"share": 0.5}, "dtype"),
    "sorted-bucket": _sorted_integers("sort-choose", "bucket"),
    "sorted-radix": _sorted_integers("bucket", "radix"),
    "ones-radix": hostile("ones", "sort-choose", "radix"),
    "ones-bucket": _iterations("bucket", "count", data="ones"),
    "ones-and-twos-radix": hostile("ones-and-twos", "sort-choose", "radix"),
    "ones-and-twos-bucket": hostile("ones-and-twos", "bucket", "sort-choose"),
    "ones-and-twos-end": _of_a_million,
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
    "randomized-longest": first_of(_ends(max), _samples("most")),
    "randomized-shortest": first_of(_ends(min), _samples("least")),
    "randomized-and-distributions": _swings,
}
"""The check of each claim that can be measured."""
