"""Thresholding on a GPU: the array in which only the keys of largest magnitude are kept.

The last of them is selected, its place among equal ones is found, and one more read writes the
result; nothing waits for any of it.
"""

from math import prod

from modern.device_arrays import DeviceKeys
from modern.primitives.one_read import TOLD
from modern.primitives.one_read import launch as launch_one_read
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import LARGEST

TOGETHER, THREADS = 1024, 256
"""Threads of a block that looks for a place, and of one that writes."""

COMMON = 8 + 2 * 1024 * 8
"""Bytes that launches share: `Common` in threshold_end.cu."""


def launch(keys: DeviceKeys, count: int, soft: bool, written: int) -> None:
    """Write the `count` keys of largest magnitude, and zero for all others, to an address.

    Three launches: a selection, a search for the last place of equal magnitudes that is kept, which
    reads nothing if all of them are, and a read that writes.
    """
    launcher, size = keys.launcher, prod(keys.shape)
    told, end = keys.scratch(TOLD.size), keys.scratch(16)
    answer = keys.scratch(16)
    launch_one_read(keys, size - count - soft, answer, magnitude=True, told=told)
    macros = {"BY": LARGEST, "MAGNITUDE": 1, "SOFT": int(soft)}
    loads = -(-size * launcher.raw.itemsize // LOAD)
    blocks = min(launcher.processors, -(-loads // TOGETHER))
    arguments = (keys.pointer, size, count, told, keys.zeros("threshold_end", COMMON), end)
    kernel = launcher.kernel("threshold_end", THREADS=TOGETHER, **macros)
    launcher.launch(kernel, (blocks,), TOGETHER, arguments, 0, True)
    kernel = launcher.kernel("threshold", **macros)
    cut = keys.pointer, size, written, told, end
    launcher.launch(kernel, (-(-loads // THREADS),), THREADS, cut)
