"""The same steps by GLSL and by CUDA: what lesson 13 puts side by side.

    python -m bench.steps --output bench/records/steps-….json

A step is one question about float32 keys that lie in the GPU's memory: in a texture, drawn by the
shaders of `shaders/`, and in an array, read by the kernels of `modern/kernels/`. The time is that
of the host's clock from the question to the answer; the median of several counts. Every answer is
checked first. Without CuPy and a GPU the array is NumPy's, and the record says so.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.machines import Host, Machine, best
from bench.measuring import WRONG
from bench.options import command_line
from bench.record import environment, recorded
from shadersort import Device, open_device
from shadersort.lessons.side_by_side.steps import BUCKETS, PIVOT, QUESTIONS
from shadersort.selection.primitives.textures import TexturePrimitives

__all__ = ["EXPECTED", "main", "measurements"]

Keys = npt.NDArray[np.float32]
Row = dict[str, Any]

EXPECTED: dict[str, Callable[[Keys], Any]] = {
    "counts": lambda keys: (np.sum(keys < PIVOT), np.sum(keys == PIVOT)),
    "nearest": lambda keys: keys[keys >= PIVOT].min(),
    "extent": lambda keys: (keys.min(), keys.max()),
    "histogram": lambda keys: np.bincount(np.int64(BUCKETS * keys), None, BUCKETS),
}
"""What NumPy answers to each question."""


def main() -> None:
    """Run the benchmark."""
    options = command_line("bench.steps", __doc__)
    add = options.add_argument
    add("--device", default="auto", help="that draws: auto (default), egl, window or software")
    add("--keys", type=int, nargs=2, default=(16, 20), metavar=("P", "Q"), help="2**P to 2**Q keys")
    add("--turns", type=int, default=15, help="of each, fewer if it is slow (default 15)")
    add("--output", type=Path, help="record the measurements in this file")
    given = options.parse_args()
    machine = best()
    with open_device(given.device) as device:
        record = {"benchmark": "steps", **environment(device), "rows": []}
        record["array"] = machine.described()
        sizes = [1 << power for power in range(given.keys[0], given.keys[1] + 1, 2)]
        rows = measurements(device, machine, sizes, given.turns)
        recorded(record, rows, _told, given.output)


def measurements(device: Device, machine: Machine, sizes: list[int], turns: int) -> Iterator[Row]:
    """Measure every step by both, at several numbers of keys."""
    for n in sizes:
        keys = np.random.default_rng(n).random(n, np.float32)
        array = machine.primitives(machine.xp.asarray(keys))
        with TexturePrimitives(keys, device) as texture:
            for language, where in (("GLSL", texture), (machine.name, array)):
                for step, ask in QUESTIONS.items():
                    if not np.array_equal(ask(where), EXPECTED[step](keys)):
                        raise AssertionError(WRONG.format(f"{step} by {language}"))
                    ms = Host().ms(lambda ask=ask, where=where: ask(where), turns)  # type: ignore[misc]
                    yield {"step": step, "by": language, "keys": n, "ms": ms}


def _told(row: Row) -> str:
    return f"{row['step']:10} {row['by']:6} {row['keys']:>12,} keys {row['ms']:10.4f} ms"


if __name__ == "__main__":
    main()
