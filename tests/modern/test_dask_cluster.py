"""A cluster of three processes: the same answers, also if one of them dies meanwhile."""

import os
import signal
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
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


def made(name: str, place: int, size: int) -> Keys:
    """The keys of a chunk."""
    return datasets.make(name, size, seed=place)


def of_chunks(make: Any, sizes: list[int], dtype: str = "float32") -> Any:
    """A Dask array whose chunks a function makes, given their places and sizes."""
    parts = [
        arrays.from_delayed(delayed(make)(place, size), (size,), dtype)
        for place, size in enumerate(sizes)
    ]
    return arrays.concatenate(parts)


SIZES = [3000, 0, 1, 20_000, 17, 9000, 0, 5000]


@pytest.mark.parametrize("name", ["normal", "discrete", "bucket-killer"])
def test_every_data_set(client: Any, name: str) -> None:
    keys = np.concatenate([made(name, place, size) for place, size in enumerate(SIZES)])
    x = of_chunks(partial(made, name), SIZES)
    assert modern.median(x) == np.median(keys)
    assert median(Pieces(DaskPieces(x))) == np.median(keys)
    found, expected = modern.topk(client.persist(x), 20), modern.topk(keys, 20)
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.indices, expected.indices)


def dying(folder: Path, place: int, size: int) -> Keys:
    """Make the keys of a chunk; the process dies when it makes one for the second time."""
    if place == 3:
        (folder / "first").touch() if not (folder / "first").exists() else _die_once(folder)
    return made("normal", place, size)


def _die_once(folder: Path) -> None:
    if not (folder / "second").exists():
        (folder / "second").touch()
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_dies_in_the_middle_of_a_selection(client: Any, tmp_path: Path) -> None:
    x = of_chunks(partial(dying, tmp_path), SIZES)
    keys = np.concatenate([made("normal", place, size) for place, size in enumerate(SIZES)])
    assert modern.median(x) == np.median(keys)
    assert (tmp_path / "second").exists()
