"""How the claims of Beliakov 2011 are checked."""

from collections.abc import Callable, Mapping, Sequence

from bench.claims.cells import Cells, by_size, quotient
from bench.claims.checks import Check, over, row, scaled, share, together
from bench.claims.claim import AS_PRINTED, IMPROVED, Found, NotMeasured
from bench.claims.measured.run import BELIAKOV
from bench.claims.sources import Records, by_variant, figures, matched, of_all, on, ran, what
from bench.shared.record import Row

FLOATS, DOUBLES = "beliakov-2011-1", "beliakov-2011-2"
TABLES = (FLOATS, DOUBLES)
FEW, SOME, MANY, MOST = 1 << 13, 1 << 23, 1 << 25, 134_000_000
SEARCHES = ("bisection", "golden", "brent-min", "brent-root")
BRACKETED = ("brent-min", "brent-root", "cutting-plane")


def _total(method: str, part: str = "total") -> dict[str, str]:
    return {"method": method, "part": part}


def _over(above: str, below: str, n: int, *tables: str) -> Check:
    """Return a check of the time of one method over another's, for n keys."""
    return together(
        *(quotient(table, _total(above), _total(below), n=n) for table in tables or TABLES)
    )


def _each(compute: Callable[[Cells], dict[str, list[float]]]) -> Check:
    """Return a check that computes figures of the cells of both tables."""

    def of(table: str) -> Check:
        def check(records: Records) -> Found:
            cells = Cells(records, table)
            return cells.found(compute(cells))

        return check

    return together(*map(of, TABLES))


def _from(above: str, below: str, least: int, part: str = "total") -> Check:
    """Return a check of one method's time over another's, from so many keys on."""

    def compute(cells: Cells) -> dict[str, list[float]]:
        tops, bottoms = cells.beside(**_total(above, part)), cells.beside(**_total(below))
        ratios = {}
        for name in tops.keys() & bottoms.keys():
            ms = by_size(bottoms[name])
            ratios[name] = [
                x / ms[n] for n, x in by_size(tops[name]).items() if n >= least and n in ms
            ]
        cells.used = [each for each in cells.used if each["of"]["n"] >= least]
        return ratios

    return _each(compute)


def _over_slowest(method: str, *others: str, n: int) -> Check:
    """Return a check of a method's time over the longest of some others', for n keys."""

    def compute(cells: Cells) -> dict[str, list[float]]:
        mine = cells.beside(**_total(method), n=n)
        slowest: dict[str, float] = {}
        for other in others:
            for name, [(_, ms)] in cells.beside(**_total(other), n=n).items():
                slowest[name] = max(ms, slowest.get(name, 0.0))
        return {name: [mine[name][0][1] / slowest[name]] for name in mine.keys() & slowest.keys()}

    return _each(compute)


def _crossing(cells: Cells) -> dict[str, list[float]]:
    """Find the fewest keys with which the cutting plane beats sorting, as a power of two."""
    planes, sorts = (cells.values(**_total(each)) for each in ("cutting-plane", "sort-choose"))
    powers: dict[str, list[float]] = {}
    for name in planes.keys() & sorts.keys():
        ms = by_size(sorts[name])
        faster = [n for n, time in by_size(planes[name]).items() if time < ms.get(n, 0.0)]
        powers[name] = [float((min(faster) - 1).bit_length())] if faster else []
    return powers


def _linear(cells: Cells) -> dict[str, list[float]]:
    """Divide the times of 2^25 keys by those of 2^23."""
    ratios: dict[str, list[float]] = {}
    for method in ("sort-choose", *BRACKETED, "bisection"):
        many, some = (cells.values(**_total(method), n=n) for n in (MANY, SOME))
        for name in many.keys() & some.keys():
            ratios.setdefault(name, []).append(many[name][0][1] / some[name][0][1])
    return ratios


def _throughput(records: Records) -> Found:
    cells = Cells(records, FLOATS)
    times = cells.values(**_total("sort-choose"), n=MANY)
    return cells.found({name: [MANY / ms / 1e3 for _, ms in some] for name, some in times.items()})


def _medians(finish: str, pick: str, times: float = 1.0) -> Check:
    """Return a check of a field of the cutting plane's rows, over the nine data sets."""

    def check(records: Records) -> Found:
        record, rows = records.measured("median", finish=finish)
        some = [each for each in rows if each["data"] in BELIAKOV]
        return figures(record, some, lambda each: times * float(each[pick]))

    return check


def _reductions(records: Records) -> Found:
    found = _medians("compact", "reductions")(records)
    return Found({AS_PRINTED: found.figures[AS_PRINTED]}, found.device, found.ran, found.of)


def _largest_copy(records: Records) -> Found:
    record, rows = records.measured("median", finish="compact")
    return of_all(record, rows, lambda some: 100 * max(each["left"] for each in some))


def _spread(records: Records) -> Found:
    """Return the largest deviations from the means over the data sets, in percent."""
    record, rows = records.measured("distributions")
    groups: dict[tuple[str, str], list[Row]] = {}
    for name, some in by_variant(rows).items():
        for each in some:
            groups.setdefault((name, f"{each['method']} {each['dtype']}"), []).append(each)
    found: dict[str, list[float]] = {}
    for (name, _), some in groups.items():
        times = [each["ms"] for each in some]
        mean = sum(times) / len(times)
        found.setdefault(name, []).append(100 * max(abs(ms - mean) for ms in times) / mean)
    return Found(found, record.label, ran(rows), on(rows))


def _reduction(records: Records) -> Found:
    record, rows = records.measured("reduction")
    ms = {each["dtype"]: each["ms"] for each in rows}
    if not {"float32", "float64"} <= ms.keys():
        raise NotMeasured("not both types have a row")
    return Found({AS_PRINTED: [ms["float64"] / ms["float32"]]}, record.label, (), on(rows))


def _searches(of: Mapping[str, str], over: Mapping[str, str], methods: Sequence[str]) -> Check:
    """Return a check of the iterations of some searches, over those on other keys."""

    def check(records: Records) -> Found:
        record, rows = records.measured("search")
        some = [{**each, "what": what(each["label"])} for each in rows]
        some = [each for each in some if each["what"] in methods]
        tops, bottoms = ([e for e in some if x.items() <= e.items()] for x in (of, over))
        return matched(record, tops, bottoms, "iterations", "what", "dtype")

    return check


def _golden(records: Records) -> Found:
    record, rows = records.measured("search")
    nine = [each for each in rows if each["data"] in BELIAKOV]
    tops, bottoms = (
        [each for each in nine if what(each["label"]) == name] for name in ("golden", "brent-min")
    )
    return matched(record, tops, bottoms, "iterations", "data", "dtype")


def _quasi_newton(records: Records) -> Found:
    """Return the share of the nine data sets on which quasi-Newton fails, in percent."""
    record, rows = records.measured("search")
    some = [e for e in rows if what(e["label"]) == "quasi-newton" and e["data"] in BELIAKOV]
    return of_all(record, some, lambda each: 100 * sum(bool(e["fault"]) for e in each) / len(each))


def _orders(records: Records) -> Found:
    record, rows = records.measured("order")
    shuffled = [each for each in rows if each["order"] == "shuffled"]
    others = [each for each in rows if each["order"] != "shuffled"]
    return matched(record, others, shuffled, "iterations", "data", "dtype")


def _faults(records: Records) -> Found:
    """Return the share of the cutting plane's trials with 10^20 that fail, in percent."""
    record, rows = records.measured("median", data="10^20")
    return of_all(record, rows, lambda some: 100 * sum(bool(e["fault"]) for e in some) / len(some))


def _trimmed(records: Records) -> Found:
    record, [one] = records.measured("trimmed squares")
    return Found(
        {AS_PRINTED: [one["printed"]], IMPROVED: [one["meant"]]}, record.label, (), on([one])
    )


USUAL = {"data": "half-normal"}
WHOLE, REST = _total("cutting-plane"), _total("cutting-plane", "sort")
OUTLIER, LARGER = {"data": "10^9"}, {"data": "10^20"}

CHECKS: dict[str, Check] = {
    "under-30-iterations": _medians("iterate", "iterations"),
    "left-after-seven": _medians("compact", "left", 100),
    "one-to-five-percent": _medians("compact", "copied", 100),
    "sort-of-the-rest": scaled(together(*(quotient(t, REST, WHOLE, n=MANY) for t in TABLES)), 100),
    "reductions": _reductions,
    "no-worst-case": _largest_copy,
    "spread-of-distributions": _spread,
    "quickselect-few-keys": _over("sort-choose", "quickselect", FEW),
    "quickselect-more-keys": _from("quickselect", "sort-choose", 1 << 15),
    "thirteen-times": _over("quickselect", "sort-choose", MANY, FLOATS),
    "five-times": _over("quickselect", "sort-choose", MANY, DOUBLES),
    "copy-alone": _from("quickselect", "sort-choose", 1 << 15, "copy"),
    "single-thread": _over_slowest(
        "quickselect-serial", "quickselect", "sort-choose", "bisection", n=1 << 21
    ),
    "crossing-of-sorting": _each(_crossing),
    "three-fold": _over("sort-choose", "cutting-plane", MOST, FLOATS),
    "six-fold": _over("sort-choose", "cutting-plane", MOST, DOUBLES),
    "bisection-slowest": _over_slowest("bisection", *BRACKETED, n=MANY),
    "brent-root-similar": _over("brent-root", "cutting-plane", MANY),
    "linear-in-n": _each(_linear),
    "doubles-cost-more-to-sort": quotient(
        DOUBLES, {}, {}, other=FLOATS, n=MANY, **_total("sort-choose")
    ),
    "one-reduction": _reduction,
    "sort-throughput": _throughput,
    "golden-section": _golden,
    "quasi-newton": _quasi_newton,
    "order-of-the-keys": _orders,
    "outlier-and-the-others": _searches(OUTLIER, USUAL, SEARCHES),
    "outlier-and-cutting-plane": over(
        "median", "iterations", OUTLIER, USUAL, "dtype", finish="iterate"
    ),
    "any-slowdown": _searches(LARGER, OUTLIER, SEARCHES),
    "outlier-of-1e20": _faults,
    "logarithms": share("logarithms", "right", "trials"),
    "back-from-logarithms": share("logarithms", "back", "trials"),
    "trimmed-squares": _trimmed,
    "half-contaminated": row("contaminated", "moved"),
}
"""The check of each claim that can be measured."""
