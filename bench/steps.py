"""The same steps by GLSL and by CUDA: what lesson 13 puts side by side.

    python -m bench.steps --output bench/records/steps-….json

A step is one question about float32 keys that lie in the GPU's memory: in a texture, drawn by the
shaders of `shaders/`, and in an array, read by the kernels of `modern/kernels/`. The time is that
of the host's clock from the question to the answer; the median of several counts. Every answer is
checked first. Without CuPy and a GPU the array is NumPy's, and the record says so.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.machines import Host, Machine, best
from bench.measuring import WRONG
from bench.record import environment, recorded
from shadersort import Device, open_device
from shadersort.primitives import Buckets, Primitives
from shadersort.textures import TexturePrimitives

__all__ = ["BUCKETS", "STEPS", "main", "measurements"]

BUCKETS = 256
"""Of the histogram, from 0 to 1, equally wide."""

EDGES = np.arange(1, BUCKETS, dtype=np.float32) / BUCKETS
PIVOT = np.float32(0.5)

Keys = npt.NDArray[np.float32]
Row = dict[str, Any]
Step = tuple[Callable[[Primitives], Any], Callable[[Keys], Any]]
"""A question, and what NumPy answers."""


def histogram(keys: Primitives) -> list[int]:
    """Count the keys in equally wide buckets; what cannot scatter counts below every edge."""
    if keys.supports("bucket_histogram"):
        return list(keys.bucket_histogram(Buckets(np.array([0, 1], np.float32), BUCKETS)))
    below = [0, *(keys.below(edge) for edge in EDGES), keys.size]
    return list(np.diff(below))


STEPS: dict[str, Step] = {
    "counts": (
        lambda keys: astuple(keys.counts(PIVOT))[:2],
        lambda keys: (np.sum(keys < PIVOT), np.sum(keys == PIVOT)),
    ),
    "nearest": (lambda keys: keys.at_or_above(PIVOT), lambda keys: keys[keys >= PIVOT].min()),
    "extent": (
        lambda keys: astuple(keys.extent())[:2],
        lambda keys: (keys.min(), keys.max()),
    ),
    "histogram": (histogram, lambda keys: np.bincount(np.int64(BUCKETS * keys), None, BUCKETS)),
}


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(
        prog="python -m bench.steps",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
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
                for step, (ask, expected) in STEPS.items():
                    if not np.array_equal(ask(where), expected(keys)):
                        raise AssertionError(WRONG.format(f"{step} by {language}"))
                    ms = Host().ms(lambda ask=ask, where=where: ask(where), turns)  # type: ignore[misc]
                    yield {"step": step, "by": language, "keys": n, "ms": ms}


def _told(row: Row) -> str:
    return f"{row['step']:10} {row['by']:6} {row['keys']:>12,} keys {row['ms']:10.4f} ms"


if __name__ == "__main__":
    main()
