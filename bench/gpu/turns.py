"""Calls on a GPU that take turns: a disturbance of some seconds spoils only one turn."""

from collections.abc import Callable, Mapping
from statistics import median
from typing import Any, TypeVar

from bench.shared.machines import Machine, median_of
from bench.shared.options import Options

Name = TypeVar("Name")

LONG = 200.0
"""A call of more milliseconds has one turn only."""


def in_turns(
    machine: Machine,
    calls: Mapping[Name, Callable[[], Any]],
    options: Options,
    before: Callable[[], Any] = lambda: None,
) -> dict[Name, float]:
    """Return the median milliseconds of each call; `before` is called first, and is not timed."""

    def once(call: Callable[[], Any]) -> float:
        before()
        return machine.timed(call)[0]

    found: dict[Name, list[float]] = {name: [] for name in calls}
    for _ in range(options.turns):
        for name, call in calls.items():
            if not found[name] or found[name][0] <= LONG:
                found[name].append(median_of(lambda call=call: once(call), options.repeats))  # type: ignore[misc]
    return {name: median(times) for name, times in found.items()}
