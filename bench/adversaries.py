"""The papers' adversaries, as printed and improved: reads and times beside those of usual keys.

    python -m bench.adversaries --n 2^27 --output bench/records/adversaries-….json

`read` and `written` are multiples of all keys, without the proof; the time of a method as printed
is without it, too. `read_ratio` and `ms_ratio` compare with the usual keys of the method's paper.
An answer that counts refute, or a method that does not converge, is named in `fault`, and timed.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import click

from bench.shared.benchmark import benchmark
from bench.shared.data import make
from bench.shared.machines import Machine, machine_option
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from bench.shared.versions import Version


class Trial(NamedTuple):
    """A method with its options, the usual data of its paper, and its adversaries."""

    method: str
    options: dict[str, Any]
    usual: str
    adversaries: tuple[str, ...]


OF_ALABI = ("bucket-killer", "ones-and-twos", "sorted", "ones", "near-zero")
OUTLIERS = {"10^9": 1e9, "10^20": 1e20}
"""Half-normal keys, one of which is this outlier."""

TRIALS = (
    *(Trial(name, {}, "uniform", OF_ALABI) for name in ("bucket", "radix", "randomized")),
    Trial("cutting-plane", {"finish": "iterate"}, "half-normal", (*OUTLIERS, "bucket-killer")),
    Trial("cutting-plane", {"finish": "compact"}, "half-normal", (*OUTLIERS, "bucket-killer")),
    Trial("sort-choose", {}, "uniform", OF_ALABI),
)


@benchmark("adversaries", __doc__, repeats=5)
@machine_option
@option("--n", type=COUNT, metavar="N", help="keys (default: 2^27; 2^22 with NumPy)")
@repeated("--dtype", help="float32 and float64; may be repeated")
@repeated("--method", type=click.Choice(sorted({trial.method for trial in TRIALS})))
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every method, as printed and improved, on its usual keys and its adversaries."""
    n = options.n or (1 << 27 if machine.name == "CUDA" else 1 << 22)
    for dtype, trial in product(options.dtype or ("float32", "float64"), TRIALS):
        if options.method and trial.method not in options.method:
            continue
        for as_printed in (True, False):
            usual: Row = {}
            for data in (trial.usual, *trial.adversaries):
                keys = keys_of(machine, data, n, dtype)
                version = Version(trial.method, as_printed, tuple(trial.options.items()))
                row = measured(machine, keys, n // 2, version, options.repeats)
                usual = usual or row
                head = {"data": data, "dtype": dtype, "keys": n, **trial.options}
                ratios = {f"{name}_ratio": row[name] / usual[name] for name in ("read", "ms")}
                yield {**head, **row, **ratios}


def keys_of(machine: Machine, data: str, n: int, dtype: str) -> Any:
    """Draw keys on a machine; an outlier takes the place of the first."""
    if data not in OUTLIERS:
        return make(machine.xp, data, n, dtype=dtype, seed=1)
    keys = make(machine.xp, "half-normal", n, dtype=dtype, seed=1)
    keys[0] = OUTLIERS[data]
    return keys


def measured(machine: Machine, keys: Any, k: int, version: Version, repeats: int) -> Row:
    """Return the label, the reads and the time of a selection, and its fault if it has one."""
    ordered = machine.xp.sort(keys)[k]
    found, trace, fault = version.traced(keys, k)
    if not fault and not bool(machine.xp.asarray(found) == ordered):
        raise AssertionError(f"a wrong answer is not timed: {trace.label}")
    steps = [step for step in trace.steps if step.name != "proof"]
    return {
        "label": trace.label,
        "iterations": len(trace.iterations),
        "read": sum(step.keys_read for step in steps) / trace.n,
        "written": sum(step.keys_written for step in steps) / trace.n,
        "ms": machine.ms(lambda: version.timed(keys, k), repeats),
        "fault": fault,
    }


if __name__ == "__main__":
    main()
