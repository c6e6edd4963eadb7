"""How much to measure, and on which machine; and the row of a selection."""

from dataclasses import dataclass
from typing import Any

from bench.adversaries import keys_of
from bench.shared.machines import Machine
from bench.shared.options import Options
from bench.shared.record import Row
from bench.shared.versions import Attempt
from shadersort.keys import datasets

USUAL = {"CUDA": (1 << 25, 1 << 29, 50), "NumPy": (1 << 20, 1 << 23, 20)}
"""Defaults by machine: keys, most keys of the trials at k = 2, and trials."""

BELIAKOV = tuple(name for name in datasets.names_of("Beliakov") if name != "reversed")
"""The nine data sets of Beliakov 2011; the order of the keys is a matter of its own."""

FLOATS = ("float32", "float64")
BOTH = (True, False)
"""Whether a summary or a method does what its paper prints."""


@dataclass(frozen=True, slots=True)
class Run:
    """A machine, and how much to measure on it."""

    machine: Machine
    n: int
    most: int
    trials: int
    stream: int

    @classmethod
    def of(cls, machine: Machine, options: Options) -> "Run":
        """Take the options of the command, or what is usual on this machine."""
        given = options.n, options.most, options.trials
        n, most, trials = (a or b for a, b in zip(given, USUAL[machine.name], strict=True))
        return cls(machine, n, most, trials, options.stream)

    def keys(self, data: str, dtype: str, n: int | None = None, seed: int = 1) -> Any:
        """Draw keys of a data set, or half-normal keys with an outlier."""
        return keys_of(self.machine, data, n or self.n, dtype, seed)


def selection_row(about: str, data: str, found: Attempt, **more: Any) -> Row:
    """Return the row of a selection: what is measured, on what, and what ran; and its fault."""
    trace = found.trace
    head = {"about": about, "data": data, "dtype": trace.dtype.name, "keys": trace.n}
    return {**head, **more, "label": trace.label, "fault": found.fault}
