"""The tables of Beliakov 2011: the median of all keys, as the mean over nine distributions."""

import numpy as np

from bench.papers import Cell
from bench.reproduce.lines import Figure, Wanted, one_remark
from bench.reproduce.phases import CUTTING_PLANE
from bench.reproduce.timing import Bench, Timed
from bench.shared.machines import Card
from bench.shared.versions import LIBRARY, Version

DATA_SETS = 9
"""Number of data sets in the paper's means."""

MOST = {"quickselect": (1 << 21, 3), "quickselect-serial": (1 << 19, 2)}
"""These are slow: with more keys than this, they select from so many of the data sets."""

TOTAL, COPY = "total", "copy"


def median(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Measure the median of all keys, or a part of it; return the mean over the distributions."""
    names, part = wanted.distributions, cell.of["part"]
    most, few = MOST.get(version.method, (n, 0))
    if n > most:
        names = names[:: max(1, len(names) // few)][:few]
    of = [(name, cell.of["dtype"], n) for name in names]
    some = f"{len(of)} of {DATA_SETS} data sets" if len(of) < DATA_SETS else ""
    if version.method in ("quickselect", LIBRARY):
        return _on_cpu(bench, version, part, of, some)
    if version.method == "quickselect-serial":
        version = version._replace(options=(("most", n),))
    if version.method != "cutting-plane":
        found = [bench.many(version, *each, 0) for each in of]
        return _mean(found, [each.ms for each in found], some)
    parts = [bench.parts(version, CUTTING_PLANE, *each) for each in of]
    spent = [whole.ms if part == TOTAL else each.get(part, 0.0) for each, whole in parts]
    return _mean([whole for _, whole in parts], spent, some)


def _on_cpu(
    bench: Bench, version: Version, part: str, of: list[tuple[str, str, int]], some: str
) -> Figure:
    """Measure a selection on the CPU, and the copy of the keys to it."""
    hosted = not isinstance(bench.machine, Card)
    if hosted and part == COPY:
        return Figure(None, why="the keys are on the host already")
    both = [bench.on_host(version, *each) for each in of]
    if part == COPY:
        return Figure(float(np.mean([copy for copy, _ in both])), "copy to the host", why=some)
    times = [found.ms + (copy if part == TOTAL else 0) for copy, found in both]
    label = both[0][1].label + ("" if version.method == LIBRARY else ", vectorised Python")
    found = [each._replace(label=label) for _, each in both]
    return _mean(found, times, some, "nothing is copied" if hosted and part == TOTAL else "")


def _mean(found: list[Timed], times: list[float], *remarks: str) -> Figure:
    """Return the mean of some times of the same method, with its faults."""
    faults = [each.fault for each in found if each.fault]
    told = [f"{len(faults)} of {len(found)} answers: {', '.join(set(faults))}"] if faults else []
    how = "; ".join(dict.fromkeys(each.how for each in found))
    return Figure(float(np.mean(times)), found[0].label, how, one_remark(*told, *remarks))
