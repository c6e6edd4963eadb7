"""What is done with NaN: every function of rows with every policy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import modern
from shadersort import errors
from tests.modern.row_cells import CELLS, each_cell, expected_rows, holed, keys_of, with_policy
from tests.modern.test_axes import agree, quiet


@each_cell
def test_policies_along_axes(name: str) -> None:
    cell, rng = CELLS[name], np.random.default_rng(5)
    for policy in cell.policies:
        for shape, dtype in (((4, 6), "float32"), ((7, 3), "float64"), ((1, 5), "float16")):
            x = holed(rng, shape, dtype)
            x[-1, 1:] = np.nan
            along = expected_rows(cell, x, policy)
            expected = along if cell.kind != "reduced" else np.moveaxis(along, 0, -1)
            agree(keys_of(cell(x, axis=1, **with_policy(cell, policy))), expected)
            turned = np.asfortranarray(x.T)
            if cell.kind != "reduced":
                expected = np.moveaxis(along, 0, -1)
            agree(keys_of(cell(turned, axis=0, **with_policy(cell, policy))), expected)
            flat = cell.of_row(x[0], policy)
            agree(keys_of(cell(x[0], **with_policy(cell, policy))), np.asarray(flat))


@pytest.mark.parametrize("name", ["select", "multiselect", "argselect", "argmedian", "topk"])
def test_policies_of_times(name: str) -> None:
    cell, x = CELLS[name], holed(np.random.default_rng(6), (5, 6), "m8[s]")
    for dtype in ("m8[s]", "M8[s]"):
        keys = x.view("i8").view(dtype)
        for policy in cell.policies:
            found = keys_of(cell(keys, axis=1, nan_policy=policy))
            along = expected_rows(cell, keys, policy)
            agree(found, along if cell.kind != "reduced" else np.moveaxis(along, 0, -1))
    smallest = np.array([np.iinfo("i8").min + 1, "NaT", np.iinfo("i8").max, "NaT"], "m8[s]")
    found, places = modern.topk(smallest, 3, nan_policy="omit")
    assert (found.view("i8")[:2].tolist(), places.tolist()) == (
        [np.iinfo("i8").max, np.iinfo("i8").min + 1],
        [2, 0, 1],
    )


def test_policies_leave_integers_alone() -> None:
    x = np.random.default_rng(7).integers(-5, 5, (4, 6))
    x[0] = np.iinfo(x.dtype).max
    for cell in CELLS.values():
        for policy in set(cell.policies) - {None}:
            agree(keys_of(cell(x, axis=1, nan_policy=policy)), keys_of(cell(x, axis=1)))


@each_cell
def test_one_row_along_axes_with_a_method(name: str) -> None:
    cell, x = CELLS[name], np.array([3, np.nan, 1, 2, 2], np.float32)
    for policy in cell.policies:
        own = with_policy(cell, policy)
        whole = keys_of(cell(x[None], axis=1, **own))
        expected = np.asarray(keys_of(cell(x, **own)))
        agree(whole, np.expand_dims(expected, cell.front) if cell.front else expected[None])
        if name in ("select", "multiselect"):
            agree(cell(x, method="radix", **own), expected)


def test_raise() -> None:
    x = np.arange(6.0)
    for name, cell in CELLS.items():
        if "nan" in name:
            continue
        for keys, more in ((x.reshape(2, 3), {"axis": 1}), (x, {"segments": [0, 3, 6]})):
            agree(keys_of(cell(keys, nan_policy="raise", **more)), keys_of(cell(keys, **more)))
            broken = keys.copy()
            broken.flat[2] = np.nan
            with pytest.raises(errors.NaNRefused, match="The input contains nan values"):
                cell(broken, nan_policy="raise", **more)


def test_parts_take_no_policy() -> None:
    parts = modern.Parts([np.arange(6.0)])
    assert modern.select(parts, 0, nan_policy=None) == 0
    assert modern.median(parts, nan_policy="propagate") == 2.5
    calls: Any = (modern.select, modern.topk, modern.multiselect)
    for call, policy in zip(calls, ("propagate", "omit", "raise"), strict=True):
        with pytest.raises(errors.MethodUnavailable, match="take no nan_policy"):
            call(parts, 1, nan_policy=policy)


@each_cell
def test_policies_of_dask_rows(name: str) -> None:
    dask = pytest.importorskip("dask.array")
    cell, x = CELLS[name], holed(np.random.default_rng(13), (4, 6))
    lazy = dask.from_array(x, chunks=(2, 3))
    for policy in cell.policies:
        own = with_policy(cell, policy)
        found = quiet(np.asarray, keys_of(cell(lazy, axis=1, **own)))
        agree(found, keys_of(cell(x, axis=1, **own)))
    with pytest.raises(errors.MethodUnavailable, match="Dask arrays take no segments"):
        cell(lazy[0], segments=[0, 3, 6])


def test_policies_of_files(tmp_path: Path) -> None:
    path = tmp_path / "keys.npy"
    np.save(path, np.arange(6.0))
    assert modern.select(path, 1) == 1
    calls: Any = ((modern.select, {"nan_policy": "omit"}), (modern.topk, {"segments": [0, 6]}))
    for call, option in calls:
        with pytest.raises(errors.MethodUnavailable, match="keys in a file take no"):
            call(path, 1, **option)
