"""The tables of Beliakov 2011: the median of all keys, as the mean over nine distributions."""

import numpy as np

from bench.papers import Cell
from bench.reproduce.lines import Figure, Wanted, one_remark
from bench.reproduce.phases import CUTTING_PLANE
from bench.reproduce.timing import Bench, Timed
from bench.shared.machines import Host
from bench.shared.versions import Version

DATA_SETS = 9
"""Number of data sets in the paper's means."""

MOST_SERIAL, FEW = 1 << 21, 3
"""One thread is slow: with more keys than this, it selects from so many of the data sets."""

ON_HOST = "nothing is copied: the keys are on the host already"
CALL_BY_CALL = "call by call, with a wait after each"


def median(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Measure the median of all keys, or a part of it; return the mean over the distributions."""
    names = wanted.distributions
    if version.method == "quickselect-serial":
        version = version._replace(options=(("most", n),))
        names = names if n <= MOST_SERIAL else names[:: max(1, len(names) // FEW)][:FEW]
    of = [(name, cell.of["dtype"], n) for name in names]
    some = f"{len(of)} of {DATA_SETS} data sets" if len(of) < DATA_SETS else ""
    if version.method == "quickselect":
        return _on_cpu(bench, cell.of["part"], of, some)
    if cell.of["part"] == "total":
        found = [bench.one(version, *each, n // 2) for each in of]
        return _mean(found, [each.ms for each in found], some)
    parts = [bench.parts(version, CUTTING_PLANE, *each) for each in of]
    spent = [each.get(cell.of["part"], 0.0) for each, _ in parts]
    return _mean([whole for _, whole in parts], spent, some, CALL_BY_CALL)


def _on_cpu(bench: Bench, part: str, of: list[tuple[str, str, int]], some: str) -> Figure:
    """Measure quickselect on the CPU, and the copy of the keys to it."""
    hosted = isinstance(bench.machine, Host)
    if hosted and part == "copy":
        return Figure(None, why="the keys are on the host already")
    copies = [0.0 if hosted or part == "algorithm" else bench.copied(*each) for each in of]
    if part == "copy":
        return Figure(float(np.mean(copies)), "copy to the host", why=some)
    found = [bench.on_host("quickselect", *each) for each in of]
    times = [each.ms + copy for each, copy in zip(found, copies, strict=True)]
    return _mean(found, times, some, ON_HOST if hosted and part == "total" else "")


def _mean(found: list[Timed], times: list[float], *remarks: str) -> Figure:
    """Return the mean of some times of the same method, with its faults."""
    faults = [each.fault for each in found if each.fault]
    told = [f"{len(faults)} of {len(found)} answers: {', '.join(set(faults))}"] if faults else []
    how = "; ".join(dict.fromkeys(each.how for each in found))
    return Figure(float(np.mean(times)), found[0].label, how, one_remark(*told, *remarks))
