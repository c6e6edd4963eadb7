"""The first keys of rows on the host, by every way: a stable sort of codes says which they are."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shadersort.keys.codes import encode
from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows import few, top
from shadersort.selection.rows.few import few_of_row
from shadersort.selection.rows.protocol import TIES, Ties
from shadersort.selection.rows.top import first_of_rows

DTYPES = ("float16", "float32", "float64", "int8", "uint16", "int32", "int64", "uint64")


def expected_places(rows: Keys, count: int, smallest: bool, ties: Ties) -> Integers:
    """Equal keys come by their places: ascending, or with "highest" descending."""
    length = rows.shape[1]
    seen = rows[:, ::-1] if ties == "highest" else rows
    codes = encode(np.ascontiguousarray(seen))
    order = np.argsort(codes if smallest else ~codes, axis=1, kind="stable")
    places = length - 1 - order if ties == "highest" else order
    return np.asarray(places[:, :count])


def keys_of(seed: int, shape: tuple[int, int], dtype: str, values: int) -> Keys:
    """Rows of few values or many; floats with NaNs, infinities, zeros of both signs, denormals."""
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype)
    if kind.kind != "f":
        limits = np.iinfo(kind)
        some = rng.integers(limits.min, limits.max, values, kind, endpoint=True)
        return np.asarray(rng.choice(some, shape))
    some = rng.standard_normal(values).astype(kind)
    special = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, np.finfo(kind).smallest_subnormal]
    rows = rng.choice(some, shape)
    places = rng.random(shape) < rng.choice([0, 0.05, 0.9])
    rows[places] = rng.choice(np.array(special, kind), int(places.sum()))
    return np.asarray(rows)


def check(rows: Keys, count: int, smallest: bool, ties: Ties) -> None:
    """The places are right, in order and not; with "any" they are of right keys."""
    before, codes = rows.copy(), encode(rows)
    expected = expected_places(rows, count, smallest, ties)
    for in_order in (True, False):
        found = first_of_rows(rows, count, smallest, in_order, ties)
        assert found.dtype == np.int64
        np.testing.assert_array_equal(rows.view(codes.dtype), before.view(codes.dtype))
        if ties == "any":
            assert all(np.unique(row).size == count for row in found)
            found, wanted = (np.take_along_axis(codes, each, 1) for each in (found, expected))
        else:
            wanted = expected
        if not in_order:
            found, wanted = np.sort(found, axis=1), np.sort(wanted, axis=1)
        np.testing.assert_array_equal(found, wanted)


@pytest.fixture(params=["by length", "by samples"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Rows go their usual ways, or all are long enough for a sample."""
    if request.param == "by samples":
        monkeypatch.setattr(few, "LONG", 1)
        monkeypatch.setattr(few, "SHARE", 1)
        monkeypatch.setattr(few, "SAMPLE", 32)
        monkeypatch.setattr(few, "PIECE", 16)
        monkeypatch.setattr(top, "FEW", 8)
        monkeypatch.setattr(top, "FEW_MORE", 8)
        monkeypatch.setattr(few, "SLACK", 1)  # so that a sample misleads now and then
    return str(request.param)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    *(st.integers(0, 1 << 20), st.integers(1, 6)),
    st.sampled_from([1, 2, 3, 31, 32, 33, 255, 256, 257, 1000]),
    *(st.sampled_from(DTYPES), st.sampled_from([1, 2, 4, 10**6])),
    *(st.floats(0, 1), st.booleans(), st.sampled_from(TIES)),
)
def test_the_first_of_random_rows(
    way: str,
    seed: int,
    outer: int,
    length: int,
    dtype: str,
    values: int,
    share: float,
    smallest: bool,
    ties: Any,
) -> None:
    count = max(round(share * length), 1)
    check(keys_of(seed, (outer, length), dtype, values), count, smallest, ties)


@pytest.mark.parametrize("dtype", DTYPES)
def test_few_keys_of_long_rows(dtype: str) -> None:
    for values, count, smallest, ties in product(
        (3, 3000, 10**6), (1, 30, 200), (True, False), TIES
    ):
        check(keys_of(count, (2, 5_000), dtype, values), count, smallest, ties)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("values", [1, 4, 10**6])
def test_samples_of_long_rows(dtype: str, values: int) -> None:
    for count, smallest in product((10, 5_000), (True, False)):
        rows = keys_of(count, (1, 40_001), dtype, values)
        for ties in TIES:
            check(rows, count, smallest, ties)
        check(np.sort(rows), count, smallest, "lowest")
        check(np.sort(rows)[:, ::-1].copy(), count, smallest, "highest")


def test_a_sample_finds_few_keys_of_a_row() -> None:
    row = np.random.default_rng(6).permutation(1 << 20)
    for count, most in ((10, 12_000), (1 << 10, 20_000), (1 << 17, 1 << 18)):
        for smallest in (True, False):
            places = few_of_row(row, count, smallest, "lowest")
            assert places is not None
            assert count <= places.size <= most
    assert few_of_row(np.zeros(1 << 20), 7, False, "highest") is not None


def test_a_sample_that_misleads_is_no_help() -> None:
    """Every sampled key is the largest: too few are ahead of it, or too many."""
    row = np.zeros(1 << 16)
    row[:: row.size // few.SAMPLE + 1] = 1
    assert few_of_row(row, 5_000, False, "lowest") is None
    assert few_of_row(row, 5_000, True, "lowest") is None
    check(row[None], 5_000, False, "lowest")
    check(row[None], 5_000, True, "highest")


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8"])
@pytest.mark.parametrize("ties", ["lowest", "highest"])
@pytest.mark.parametrize("smallest", [True, False])
def test_equal_keys_come_in_the_order_of_places(dtype: str, ties: Any, smallest: bool) -> None:
    """A partition of the places finds them in any order; up to 256 keys were not put in order."""
    rng = np.random.default_rng(4096)
    for rows, count in ((1, 65), (1, 256), (2, 100), (2, 300)):
        keys = rng.integers(0, 3_000, (rows, 4_096)).astype(dtype)
        places = np.arange(4_096) if ties == "lowest" else -np.arange(4_096)
        signed = keys if smallest else -keys
        wanted = [np.lexsort((places, row))[:count] for row in signed]
        found = first_of_rows(keys, count, smallest, in_order=True, ties=ties)
        np.testing.assert_array_equal(found, wanted)
