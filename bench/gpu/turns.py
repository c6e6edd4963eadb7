"""Calls on a GPU that take turns: a disturbance of some seconds spoils only one turn."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median
from typing import Any, TypeVar

from bench.shared.machines import Machine, median_of
from bench.shared.options import Options
from bench.shared.record import Row

Name = TypeVar("Name")
Call = Callable[[], Any]

Calls = dict[tuple[str, str], Call]
"""Calls whose answers are right, by group and name; the first is a read of all keys."""

LONG = 200.0
"""A call of more milliseconds has one turn only."""


def in_turns(
    machine: Machine,
    calls: Mapping[Name, Call],
    options: Options,
    before: Call = lambda: None,
) -> dict[Name, float]:
    """Return the median milliseconds of each call; `before` is called first, and is not timed."""

    def once(call: Call) -> float:
        before()
        return machine.timed(call)[0]

    found: dict[Name, list[float]] = {name: [] for name in calls}
    for _ in range(options.turns):
        for name, call in calls.items():
            if not found[name] or found[name][0] <= LONG:
                found[name].append(median_of(partial(once, call), options.repeats))
    return {name: median(times) for name, times in found.items()}


def rows_of(
    machine: Machine, head: Row, calls: Calls, options: Options, before: Call = lambda: None
) -> Iterator[Row]:
    """Yield the row of each call, with its time in reads."""
    times = in_turns(machine, calls, options, before)
    read = next(iter(times.values()))
    for (group, what), ms in times.items():
        yield {**head, "group": group, "what": what, "ms": ms, "reads": ms / read}
