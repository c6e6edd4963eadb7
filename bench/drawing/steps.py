"""The same steps by GLSL and by CUDA, as lesson 14 shows them side by side.

    python -m bench.drawing.steps --output bench/records/steps-….json

A step is one question about float32 keys in the GPU's memory. The shaders of `shaders/` answer it
for keys in a texture, the kernels of `modern/kernels/` for keys in an array. The host's clock tells
the time from the question to the answer; the record has the median of several. Every answer is
checked first. Without CuPy and a GPU the array is one of NumPy, and the record says so.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench.shared.data import WRONG
from bench.shared.machines import Host, Machine, best
from bench.shared.options import Options, command, device_option, option, output_option
from bench.shared.record import Row, begun, tell
from shadersort import Device, open_device
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


@command(__doc__)
@device_option()
@option("--keys", type=int, nargs=2, default=(16, 20), metavar="P Q", help="2**P to 2**Q keys")
@option("--turns", type=int, default=15, help="of each, fewer if it is slow")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = best()
    with open_device(options.device) as device:
        record = begun("steps", device, array=machine.described())
        sizes = [1 << power for power in range(options.keys[0], options.keys[1] + 1, 2)]
        rows = measurements(device, machine, sizes, options.turns)
        tell(record, rows, options.output)


def measurements(device: Device, machine: Machine, sizes: list[int], turns: int) -> Iterator[Row]:
    """Measure every step in both languages, for several numbers of keys."""
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


if __name__ == "__main__":
    main()
