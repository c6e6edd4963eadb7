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
    printed = cells("float32", "cutting-plane", variant=PRINTED)
    limit = memory(records[0], TABLES["float32"])
    few, some = cells("float32", "cutting-plane", FEW), cells("float32", "cutting-plane", SOME)
    return [
        table_part(
            TABLES["float32"],
            records,
            f"On the most keys, sorting is {sort.gains} times faster and the cutting plane "
            f"{plane.gains} times, as printed {printed.gains} times, because {limit}; on few keys "
            "every pass waits for the host, and that wait has hardly changed; quickselect runs on "
            f"a CPU and, without the copy, takes {quickselect.ours} ms for 2^21 keys, in the paper "
            f"{quickselect.papers} ms.",
        ),
        table_part(
            TABLES["float64"],
            records,
            f"On the most doubles, sorting is {sort_doubles.gains} times faster and the cutting "
            f"plane {plane_doubles.gains} times, because memory limits both; on few keys "
            "every pass waits for the host, as it always did.",
        ),
        _figure(
            records,
            2,
            "float32",
            "The lines of today bend later: the cutting plane takes "
            f"{few.ours} ms for 2^13 keys and {some.ours} ms for 2^21, because a newer card waits "
            "for its host, and reading matters only for more keys.",
        ),
        _figure(
            records,
            3,
            "float64",
            "As for floats: on the most keys the sort takes "
            f"{about(sort_doubles.over(plane_doubles, 'measured'))} times as long as the cutting "
            "plane, because the cutting plane reads the keys, while the sort moves them, eight "
            "bytes each, again and again.",
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
