"""The same steps by GLSL and by CUDA, as lesson 14 shows them side by side.

    python -m bench.drawing.steps --output bench/records/steps-….json

A step is one question about float32 keys in the GPU's memory. The shaders of `shaders/` answer it
for keys in a texture, the kernels of `modern/kernels/` for keys in an array. The host's clock tells
the median time to the answer. Without a GPU the array is one of NumPy, and the rows say so.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.shared.benchmark import benchmark, on_device
from bench.shared.data import ensure
from bench.shared.machines import Host, best
from bench.shared.options import Options, device_option, option
from bench.shared.record import Row
from shadersort import Device
from shadersort.keys.types import Keys
from shadersort.lessons.side_by_side.steps import BUCKETS, PIVOT, QUESTIONS
from shadersort.selection.primitives.textures import TexturePrimitives

EXPECTED: dict[str, Callable[[Keys], Any]] = {
    "counts": lambda keys: (np.sum(keys < PIVOT), np.sum(keys == PIVOT)),
    "nearest": lambda keys: keys[keys >= PIVOT].min(),
    "extent": lambda keys: (keys.min(), keys.max()),
    "histogram": lambda keys: np.bincount(np.int64(BUCKETS * keys), None, BUCKETS),
}
"""How NumPy answers each question."""


@benchmark("steps", __doc__, on=on_device, turns=15)
@device_option
@option("--keys", type=int, nargs=2, default=(16, 20), metavar="P Q", help="2**P to 2**Q keys")
def main(device: Device, options: Options) -> Iterator[Row]:
    """Measure every step in both languages, for several numbers of keys."""
    machine, (first, last) = best(), options.keys
    for n in (1 << power for power in range(first, last + 1, 2)):
        keys = np.random.default_rng(n).random(n, np.float32)
        array = machine.primitives(machine.xp.asarray(keys))
        with TexturePrimitives(keys, device) as texture:
            for language, where in (("GLSL", texture), (machine.name, array)):
                for step, ask in QUESTIONS.items():
                    right = np.array_equal(ask(where), EXPECTED[step](keys))
                    ensure(right, f"{step} by {language}")
                    ms = Host().ms(partial(ask, where), options.turns)
                    yield {"step": step, "by": language, "keys": n, "ms": ms}


if __name__ == "__main__":
    main()
