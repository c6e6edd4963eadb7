"""The papers' adversaries, as printed and improved: reads and times beside those of usual keys.

    python -m bench.adversaries --n 2^27 --output bench/records/adversaries-….json

`read` and `written` are multiples of all keys, without the proof; the time of a method as printed
is without it, too. `read_ratio` and `ms_ratio` compare with the usual keys of the method's paper.
An answer that counts refute, or a method that does not converge, is named in `fault`, and timed.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import click

from bench.reproduce.timing import describe_run
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure, make
from bench.shared.machines import Machine, machine_option
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from bench.shared.versions import Version

OF_ALABI = ("bucket-killer", "ones-and-twos", "sorted", "ones", "near-zero")
OUTLIERS = {"10^9": 1e9, "10^20": 1e20}
"""Half-normal keys, one of which is this outlier."""

PLANE = ("half-normal", *OUTLIERS, "bucket-killer")
TRIALS: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    *((name, {}, ("uniform", *OF_ALABI)) for name in ("bucket", "radix", "randomized")),
    *(("cutting-plane", {"finish": finish}, PLANE) for finish in ("iterate", "compact")),
    ("sort-choose", {}, ("uniform", *OF_ALABI)),
)
"""Methods with their options, the usual data of their papers, and their adversaries."""


@benchmark("adversaries", __doc__, repeats=5)
@machine_option
@option("--n", type=COUNT, metavar="N", help="keys (default: 2^27; 2^22 with NumPy)")
@repeated("--dtype", help="float32 and float64; may be repeated")
@repeated("--method", type=click.Choice(sorted({trial[0] for trial in TRIALS})))
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every method, as printed and improved, on its usual keys and its adversaries."""
    n = options.n or (1 << 27 if machine.name == "CUDA" else 1 << 22)
    dtypes = options.dtype or ("float32", "float64")
    for dtype, (method, more, data), as_printed in product(dtypes, TRIALS, (True, False)):
        if options.method and method not in options.method:
            continue
        usual: Row = {}
        for name in data:
            keys = keys_of(machine, name, n, dtype)
            version = Version(method, as_printed, tuple(more.items()))
            row = measured(machine, keys, n // 2, version, options.repeats)
            usual = usual or row
            ratios = {f"{field}_ratio": row[field] / usual[field] for field in ("read", "ms")}
            yield {"data": name, "dtype": dtype, "keys": n, **more, **row, **ratios}


def keys_of(machine: Machine, data: str, n: int, dtype: str, seed: int = 1) -> Any:
    """Draw keys on a machine; an outlier takes the place of the first."""
    usual = "half-normal" if data in OUTLIERS else data
    keys = make(machine.xp, usual, n, dtype=dtype, seed=seed)
    if data in OUTLIERS:
        keys[0] = OUTLIERS[data]
    return keys


def measured(machine: Machine, keys: Any, k: int, version: Version, repeats: int) -> Row:
    """Return the label, the reads and the time of a selection, and its fault if it has one."""
    ordered = machine.xp.sort(keys)[k]
    found, trace, fault = version.traced(keys, k)
    ensure(bool(fault or machine.xp.asarray(found) == ordered), trace.label)
    steps = [step for step in trace.steps if step.name != "proof"]
    label, how = describe_run(version, trace)
    return {
        "label": label,
        "how": how,
        "iterations": len(trace.iterations),
        "read": sum(step.keys_read for step in steps) / trace.n,
        "written": sum(step.keys_written for step in steps) / trace.n,
        "ms": machine.ms(lambda: version.timed(keys, k), repeats),
        "fault": fault,
    }


if __name__ == "__main__":
    main()
