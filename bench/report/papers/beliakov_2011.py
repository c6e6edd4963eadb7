"""The tables and figures of Beliakov 2011."""

from collections.abc import Sequence

from bench.papers import load
from bench.report.curves import DASHED, pairs
from bench.report.parts import Part
from bench.report.plot import Plot
from bench.report.tables import OURS, PRINTED, Cells, Measured, memory, table_part
from bench.shared.words import about
from shadersort.names import Variant

FEW, SOME, MOST = 1 << 13, 1 << 21, 134_000_000
TABLES = {"float32": "beliakov-2011-1", "float64": "beliakov-2011-2"}
PLOTS = {
    "minimising, and sorting": ("sort-choose", "cutting-plane", "bisection"),
    "the others": ("quickselect", "quickselect-serial", "brent-min", "brent-root"),
}


def parts(records: Sequence[Measured]) -> list[Part]:
    """Return the tables, and the figures that show their numbers."""

    def cells(
        dtype: str, method: str, n: int = MOST, part: str = "total", variant: Variant = OURS
    ) -> Cells:
        return Cells(records[0], TABLES[dtype], variant, method=method, n=n, part=part)

    sort, plane = cells("float32", "sort-choose"), cells("float32", "cutting-plane")
    sort_doubles, plane_doubles = cells("float64", "sort-choose"), cells("float64", "cutting-plane")
    quickselect = cells("float32", "quickselect", SOME, "algorithm")
    printed, printed_doubles = (cells(each, "cutting-plane", variant=PRINTED) for each in TABLES)
    limit = memory(records[0], TABLES["float32"])
    few, some = cells("float32", "cutting-plane", FEW), cells("float32", "cutting-plane", SOME)
    few_doubles = cells("float64", "cutting-plane", FEW)
    return [
        table_part(
            TABLES["float32"],
            records,
            f"On the most keys, sorting is {sort.gains} times faster and the cutting plane "
            f"{plane.gains} times, as printed {printed.gains} times; {limit}; for 2^13 keys, where "
            f"launches and waits take most of the time, the cutting plane takes {few.ours} ms, in "
            f"the paper {few.papers} ms; quickselect runs on a CPU and, without the copy, takes "
            f"{quickselect.ours} ms for 2^21 keys, in the paper {quickselect.papers} ms.",
        ),
        table_part(
            TABLES["float64"],
            records,
            f"On the most doubles, sorting is {sort_doubles.gains} times faster and the cutting "
            f"plane {plane_doubles.gains} times, as printed {printed_doubles.gains} times; for "
            f"2^13 doubles the cutting plane takes {few_doubles.ours} ms, in the paper "
            f"{few_doubles.papers} ms.",
        ),
        _figure(
            records,
            2,
            "float32",
            "The lines of today bend later: the cutting plane takes "
            f"{few.ours} ms for 2^13 keys and {some.ours} ms for 2^21, in the paper {few.papers} "
            f"and {some.papers} ms, because launches and waits cost the same for any number of "
            "keys, and up to here reading costs little beside them.",
        ),
        _figure(
            records,
            3,
            "float64",
            "On the most doubles the sort takes "
            f"{about(sort_doubles.over(plane_doubles, 'measured'))} times as long as the cutting "
            f"plane, in the paper {about(sort_doubles.over(plane_doubles, 'paper'))} times; the "
            "cutting plane only reads the keys, while the sort reads and writes all of them once "
            "for each digit.",
        ),
    ]


def _figure(records: Sequence[Measured], number: int, dtype: str, changed: str) -> Part:
    table = TABLES[dtype]
    plots = [
        Plot(
            f"median of {dtype}: {title}",
            "keys",
            "ms",
            pairs(records[0], table, methods, "n", part="total"),
        )
        for title, methods in PLOTS.items()
    ]
    fact = f"average time to find the median, {dtype}"
    notes = [DASHED.format(f"table {load(table).table}", records[0].label)]
    return Part("Beliakov 2011", f"Figure {number}", fact, changed, notes, plots=plots)
