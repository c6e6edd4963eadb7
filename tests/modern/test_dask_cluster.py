"""Dask in other processes: a cluster of which one dies meanwhile, and keys beyond memory."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import modern
from modern.on_dask import DaskPieces
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import median
from shadersort.selection.pieces.primitives import Pieces

pytestmark = pytest.mark.slow

arrays: Any = import_module("dask.array")
delayed: Any = import_module("dask").delayed
distributed: Any = import_module("distributed")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A client of a cluster of three processes, which is the current one."""
    options = {"dashboard_address": None, "silence_logs": "CRITICAL"}
    with (
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def made(place: int, size: int) -> Keys:
    """The keys of a chunk."""
    return datasets.make("normal", size, seed=place)


SIZES = [3000, 0, 1, 20_000, 17, 9000, 0, 5000]
KEYS = np.concatenate([made(place, size) for place, size in enumerate(SIZES)])


def of_chunks(make: Any) -> Any:
    """A Dask array whose chunks a function makes, given their places and sizes."""
    parts = [
        arrays.from_delayed(delayed(make)(place, size), (size,), "float32")
        for place, size in enumerate(SIZES)
    ]
    return arrays.concatenate(parts)


def test_a_cluster(client: Any) -> None:
    x = of_chunks(made)
    assert modern.median(x) == median(Pieces(DaskPieces(x))) == np.median(KEYS)
    found, expected = modern.topk(client.persist(x), 20), modern.topk(KEYS, 20)
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.indices, expected.indices)


def dying(folder: Path, place: int, size: int) -> Keys:
    """Make the keys of a chunk; the process dies when it makes one for the second time."""
    if place == 3 and not (folder / "second").exists():
        again = (folder / "first").exists()
        (folder / ("second" if again else "first")).touch()
        if again:
            os.kill(os.getpid(), signal.SIGKILL)
    return made(place, size)


def test_a_worker_dies_in_the_middle_of_a_selection(client: Any, tmp_path: Path) -> None:
    assert modern.median(of_chunks(partial(dying, tmp_path))) == np.median(KEYS)
    assert (tmp_path / "second").exists()


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


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read in Linux's way")
def test_memory_is_that_of_few_chunks() -> None:
    n = 2_000_000_000  # 3.7 GiB
    command = [sys.executable, "-W", "error", "-c", dedent(SCRIPT), str(n), str(STEP)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    median, memory = map(float, found.split())
    assert median == median_of(n)
    assert memory < 1 << 30


@pytest.mark.gpu
def test_workers_with_a_gpu_each() -> None:
    """Chunks of CuPy answer on the GPU of their worker: a process for each device that is here."""
    cupy = import_module("cupy")
    workers = {}
    for place in range(cupy.cuda.runtime.getDeviceCount()):
        options = {"nthreads": 1, "env": {"CUDA_VISIBLE_DEVICES": str(place)}}
        workers[place] = {"cls": distributed.Nanny, "options": options}
    scheduler = {"cls": distributed.Scheduler, "options": {"dashboard": False}}
    with (
        distributed.SpecCluster(workers=workers, scheduler=scheduler) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(len(workers))
        x = of_chunks(made).map_blocks(cupy.asarray, dtype="float32", meta=cupy.empty(0, "float32"))
        assert modern.median(x) == np.median(KEYS)
        ranks = [0, 17, KEYS.size // 2, KEYS.size - 1]
        np.testing.assert_array_equal(modern.multiselect(x, ranks), np.sort(KEYS)[ranks])
        np.testing.assert_array_equal(modern.topk(x, 20).values, modern.topk(KEYS, 20).values)
