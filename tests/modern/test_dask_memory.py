"""Keys beyond memory: chunks are made, asked and forgotten, and few are in memory at a time."""

import subprocess
import sys
from textwrap import dedent

import numpy as np
import pytest

STEP = 40_503  # odd: 65,536 keys that follow each other are all different

SCRIPT = """
    import sys
    import dask.array
    import numpy as np
    import modern

    def peak():
        # getrusage would count what this process was before: a fork of the tests
        with open("/proc/self/status") as status:
            line = next(each for each in status if each.startswith("VmHWM"))
        return int(line.split()[1]) * 1024

    def made(step, block_info=None):
        (start, end), = block_info[None]["array-location"]
        some = np.arange(start, start + (1 << 16), dtype=np.uint32).astype(np.uint16)
        return np.resize(some * np.uint16(step), end - start)  # they repeat, so that this is quick

    n, step, chunk = *map(int, sys.argv[1:]), 1 << 23
    sizes = (chunk,) * (n // chunk) + ((n % chunk,) if n % chunk else ())
    before = peak()
    keys = dask.array.map_blocks(made, step, chunks=(sizes,), dtype=np.uint16)
    with dask.config.set(scheduler="threads", num_workers=2):
        print(modern.median(keys), peak() - before)
"""


def median_of(n: int) -> float:
    """The median of the keys, by how often each value occurs."""
    whole, rest = divmod(n, 1 << 16)
    last = np.arange(rest, dtype=np.uint16) * np.uint16(STEP)
    ends = np.cumsum(whole + np.bincount(last, minlength=1 << 16))
    return float(np.mean(np.searchsorted(ends, [(n - 1) // 2, n // 2], side="right")))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read in Linux's way")
def test_memory_is_that_of_few_chunks() -> None:
    n = 2_000_000_000  # 3.7 GiB
    command = [sys.executable, "-W", "error", "-c", dedent(SCRIPT), str(n), str(STEP)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    median, memory = map(float, found.split())
    assert median == median_of(n)
    assert memory < 1 << 30
