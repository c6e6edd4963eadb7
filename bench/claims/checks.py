"""Ways to combine the checks of claims. A check takes `Records` and returns what it found."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bench.claims.claim import AS_PRINTED, Found, NotMeasured
from bench.claims.sources import (
    CURVES,
    HOSTILE,
    Records,
    by_variant,
    figures,
    matched,
    on,
    ran,
    what,
)
from bench.shared.record import Row

Check = Callable[[Records], Found]


def together(*checks: Check) -> Check:
    """Return a check with the figures of several, one after the other."""

    def check(records: Records) -> Found:
        return joined([each(records) for each in checks])

    return check


def joined(some: list[Found]) -> Found:
    """Return several findings as one."""
    names = dict.fromkeys(name for each in some for name in each.figures)
    return Found(
        {name: [x for each in some for x in each.figures.get(name, ())] for name in names},
        "; ".join(dict.fromkeys(each.device for each in some)),
        list(dict.fromkeys(one for each in some for one in each.ran)),
        "; ".join(dict.fromkeys(each.of for each in some if each.of)),
    )


def scaled(check: Check, times: float) -> Check:
    """Return a check with the figures of another in another unit, such as percent."""

    def taken(records: Records) -> Found:
        found = check(records)
        figures = {name: [times * x for x in some] for name, some in found.figures.items()}
        return replace(found, figures=figures)

    return taken


def first_of(*checks: Check) -> Check:
    """Return a check that tries several, until one has something to show."""

    def check(records: Records) -> Found:
        missing = []
        for each in checks:
            try:
                return each(records)
            except NotMeasured as error:
                missing.append(str(error))
        raise NotMeasured("; ".join(missing))

    return check


def row(about: str, pick: str, *, times: float = 1.0, **of: Any) -> Check:
    """Return a check that takes a field of rows of `bench.claims`; `times` changes the unit."""

    def check(records: Records) -> Found:
        record, rows = records.measured(about, **of)
        return figures(record, rows, lambda each: times * float(each[pick]))

    return check


def share(about: str, part: str, whole: str, **of: Any) -> Check:
    """Return a check that divides sums over rows, in percent."""

    def check(records: Records) -> Found:
        record, rows = records.measured(about, **of)
        found = {}
        for name, some in by_variant(rows).items():
            if total := sum(each[whole] for each in some):
                found[name] = [100 * sum(each[part] for each in some) / total]
        if not found:
            raise NotMeasured(f"{whole} is 0 in every row")
        return Found(found, record.label, ran(rows), on(rows))

    return check


def of_method(rows: list[Row], *methods: str) -> list[Row]:
    """Return the rows that one of some methods made, by their labels."""
    return [each for each in rows if what(each["label"]) in methods]


def over(
    about: str, pick: str, above: Mapping[str, Any], below: Mapping[str, Any], *same: str, **of: Any
) -> Check:
    """Return a check that divides rows of `bench.claims` by others, where some fields agree."""

    def check(records: Records) -> Found:
        record, rows = records.measured(about, **of)
        tops, bottoms = (
            [each for each in rows if wanted.items() <= each.items()] for wanted in (above, below)
        )
        return matched(record, tops, bottoms, pick, *same)

    return check


def hostile(data: str, above: str, below: str, *, usual: str = "") -> Check:
    """Return a check that divides times on adversaries: of two methods, or of two data sets."""

    def check(records: Records) -> Found:
        record = records[HOSTILE]
        _, rows = records.where(HOSTILE, data=data)
        _, others = records.where(HOSTILE, data=usual or data)
        return matched(record, of_method(rows, above), of_method(others, below), "ms", "dtype")

    return check


def methods(
    above: str, below: str, *, least: int = 1 << 26, most: int = 1 << 40, **of: Any
) -> Check:
    """Return a check that divides times of two methods: those of `bench.claims`, or of curves.

    Curves have the mean time of all ranks, older ones that of the median.
    """

    def here(records: Records) -> Found:
        record, rows = records.measured("methods", **of)
        return _divided(record, [r for r in rows if least <= r["keys"] <= most], "keys")

    def curves(records: Records) -> Found:
        record, rows = records.where(CURVES, curve="methods", **_of_curves(of))
        return _divided(
            record, [r for r in rows if least <= r["n"] <= most and r.get("share", 0.5) == 0.5], "n"
        )

    def _divided(record: Any, rows: list[Row], size: str) -> Found:
        tops, bottoms = ([r for r in rows if r["method"] == name] for name in (above, below))
        return matched(record, tops, bottoms, "ms", "dtype", "data", "distribution", size)

    return first_of(here, curves)


def _of_curves(of: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields as the record of curves calls them."""
    return {{"data": "distribution"}.get(name, name): value for name, value in of.items()}


def as_the_paper(value: float, device: str, *, ran: str = "", of: str = "") -> Found:
    """Return a figure that follows from the paper's own numbers, or from its printed program."""
    return Found({AS_PRINTED: [value]}, device, [ran] if ran else [], of)
