"""Sorting by drawing: every network, method and key type, beside np.sort, in one run.

    python -m bench.drawing.sort --output bench/records/sort-….json

`shadersort/sorting/timing.py` says what is timed. The answer is checked against np.sort first.
"""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import product

from bench.shared.options import Options, command, device_option, option, output_option
from bench.shared.record import begun, tell
from shadersort import METHODS, NETWORKS, Device, open_device
from shadersort.keys.inputs import random_keys
from shadersort.sorting.timing import Timing, measure

TYPES = ("float32", "float16")


@command(__doc__)
@device_option()
@option("--smallest", type=int, default=10, metavar="P", help="from 2**P keys on")
@option("--largest", type=int, default=24, metavar="P", help="up to 2**P keys")
@option("--seconds", type=float, default=1.0, help="about how long each line takes")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    with open_device(options.device) as device:
        powers = range(options.smallest, options.largest + 1)
        rows = map(asdict, measurements(device, powers, options.seconds))
        tell(begun("sort", device), rows, options.output)


def measurements(device: Device, powers: range, seconds: float) -> Iterator[Timing]:
    """Measure every size, key type, network and method that the device has."""
    for power, dtype in product(powers, TYPES):
        keys = random_keys(1 << power, dtype, seed=power)
        for name, method in product(NETWORKS, METHODS):
            if method == "compute" and not device.computes:
                continue
            yield measure(device, keys, network=name, method=method, seconds=seconds)


if __name__ == "__main__":
    main()
