"""`select`, `median` and `quantile` on every device against NumPy."""

import re
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shadersort as ss
from shadersort import errors
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.keys.types import Keys
from shadersort.names import SelectionMethod
from shadersort.selection import METHODS, select_many
from shadersort.selection import select as select_from
from shadersort.selection.method import Method
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.textures import TexturePrimitives
from tests.conftest import without_window
from tests.expected import expected
from tests.helpers import random_bits, telling_floats
from tests.selection.inputs import arrays, awkward, ranks, same

UNIFORM = np.random.default_rng(3).random(3001).astype(np.float32)
ON_TEXTURES: list[SelectionMethod] = [
    *("cutting-plane", "bisection", "brent-root", "bitwise", "sort-choose", "quickselect"),
    *("radix", "radix-inplace", "bucket", "randomized"),
]
REFUSED = "one-read", "quickselect-serial"


def check(keys: Keys, k: int, method: SelectionMethod, device: ss.Device) -> None:
    answer = ss.select(keys, k, method=method, device=device)
    assert same(answer, np.sort(keys)[k])
    assert type(answer) is keys.dtype.type


@without_window
@settings(max_examples=15)
@given(keys=st.sampled_from(["float32", "float16"]).flatmap(arrays), data=st.data())
def test_any_keys(device: ss.Device, keys: Keys, data: st.DataObject) -> None:
    k = data.draw(st.integers(-keys.size, keys.size - 1))
    for method in ON_TEXTURES:
        check(keys, k, method, device)
    with TexturePrimitives(keys, device) as some:
        for method in ("bucket", "randomized", "quickselect", "radix"):
            found = select_many(some, [k, 0, -1], method=method)
            np.testing.assert_array_equal(found, np.sort(keys)[[k, 0, -1]])
    assert same(expected(ss.median, keys, device=device), expected(np.median, keys))


@pytest.mark.slow
@without_window
@pytest.mark.parametrize("kind", ["outlier", "ties", "special"])
def test_a_million_keys(device: ss.Device, kind: str) -> None:
    """Fewer on the processor."""
    n = 1 << (14 if isinstance(device, SoftwareDevice) else 20)
    rng = np.random.default_rng(1)
    keys = rng.standard_normal(n).astype(np.float32)
    if kind == "outlier":
        keys[7] = 1e20
    elif kind == "ties":
        keys = rng.integers(0, 5, n).astype(np.float32)
    elif kind == "special":
        keys[:: 1 << 8] = np.resize(telling_floats("float32"), n >> 8)
    middle = np.sort(keys)[n // 2]
    for method in ON_TEXTURES:
        assert ss.select(keys, n // 2, method=method, device=device) == middle


def test_every_method_is_exact_or_says_no(device: ss.Device) -> None:
    for keys in list(awkward(65, "float32").values())[::3]:
        for method, k in product(ON_TEXTURES, (0, 32, 64)):
            check(keys, k, method, device)
    keys = np.random.default_rng(5).standard_cauchy(1000).astype(np.float32)
    for method in METHODS:
        try:
            assert ss.select(keys, 400, method=method, device=device) == np.sort(keys)[400]
        except errors.MethodUnavailable:
            assert method in REFUSED
        except errors.DidNotConverge:
            assert method not in ON_TEXTURES


def test_one_query_a_bit(device: ss.Device) -> None:
    keys = random_bits(9, 5000, "float32")
    for k in ranks(keys.size):
        answer, trace = ss.select(keys, k, method="bitwise", device=device, return_trace=True)
        assert same(answer, np.sort(keys)[k])
        assert len(trace.iterations) == 32
        assert trace.keys_read <= 34 * keys.size
    for dtype in ("float16", "float64", "int8", "int64", "uint32"):
        some = NumPyPrimitives(random_bits(4, 999, dtype))
        _, trace = select_from(some, 99, method="bitwise", return_trace=True)
        assert len(trace.iterations) == 8 * some.dtype.itemsize


@pytest.mark.parametrize("out", [None, 1e9, 1e20])
def test_32_bit_sums_suffice(device: ss.Device, out: float | None) -> None:
    """Cutting planes take no more than five iterations beyond those of 64-bit sums."""
    keys = np.random.default_rng(2).standard_normal(1 << 14).astype(np.float32)
    if out:
        keys[7] = out
    _, trace = ss.select(keys, 1 << 13, device=device, return_trace=True)
    _, reference = select_from(
        NumPyPrimitives(keys), 1 << 13, method="cutting-plane", finish="iterate", return_trace=True
    )
    assert len(trace.iterations) <= len(reference.iterations) + 5


def test_quantile(device: ss.Device) -> None:
    keys = np.random.default_rng(8).standard_normal(123).astype(np.float32)
    shares: list[Any] = [0.3, [[0, 0.25], [0.5, 0.99]]]
    for method, q in product(("linear", "lower", "hazen", "inverted_cdf"), shares):
        given: Any = {"method": method}
        found = ss.quantile(keys, q, selector="bitwise", device=device, **given)
        wanted = np.quantile(keys, q, **given)
        np.testing.assert_array_equal(found, wanted, strict=True)


def test_bad_input(software: ss.Device) -> None:
    none, two, many = (np.arange(n, dtype=np.float32) for n in (0, 2, 100))
    bad: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
        (two, 2, {}, errors.RankOutOfRange, "2"),
        (two, 0.5, {}, errors.BadRank, "integer"),
        (none, 0, {}, errors.EmptyInput, "no keys"),
        (np.ones(1, np.int64), 0, {}, errors.UnsupportedKeys, "int64"),
        (many, 1, {"method": "magic"}, errors.UnknownName, "'bitwise'"),
        (many, 1, {"device": "vulkan"}, errors.UnknownName, "'egl'"),
        (many, 30, {"method": "one-read"}, errors.MethodUnavailable, "textures cannot do"),
    ]
    for keys, k, options, error, says in bad:
        with pytest.raises(error, match=says):
            ss.select(keys, k, **{"device": software, **options})
    with pytest.raises(errors.QuantileOutOfRange, match="0 to 1"):
        ss.quantile(many, 2, device=software)


@pytest.mark.parametrize("n", [300, 40_000])
def test_many_ranks_and_copies(software: ss.Device, n: int) -> None:
    """Ranks in few and in many buckets, and a search that ends in a copy."""
    keys = np.random.default_rng(n).standard_cauchy(n).astype(np.float32)
    keys[::3] = 7
    with TexturePrimitives(keys, software) as some:
        for method, count in product(("bucket", "randomized", "auto"), (3, 101)):
            ks = np.linspace(0, n - 1, count).astype(np.int64)
            found = select_many(some, ks, method=method)
            np.testing.assert_array_equal(found, np.sort(keys)[ks])
        for k in ranks(n):
            answer = select_from(some, k, method="cutting-plane", finish="compact")
            assert answer == np.sort(keys)[k]


def test_methods_as_printed() -> None:
    given: Any = {"device": "software", "as_printed": True}
    ways: list[tuple[SelectionMethod, dict[str, Any]]] = [
        *(("cutting-plane", {}), ("cutting-plane", {"finish": "compact"})),
        *(("sort-choose", {}), ("randomized", {}), ("bisection", {}), ("brent-root", {})),
        *(("brent-min", {}), ("golden", {})),
    ]
    for (method, options), k in product(ways, (300, 1500, 2900)):
        answer, trace = ss.select(UNIFORM, k, method=method, return_trace=True, **given, **options)
        assert answer == np.partition(UNIFORM, k)[k]
        assert trace.label == f"{method}, as printed"
    with pytest.raises(errors.MethodUnavailable, match="'log_objective'"):
        ss.select(UNIFORM, 1500, method="bisection", transform="log", **given)


def test_the_tables_of_methods_say_what_runs(software: ss.Device) -> None:
    """A cell for textures is a dash if, and only if, the methods of the row's file are refused."""
    root = Path(__file__).parents[3]
    rows = re.findall(
        r"^\| .* \| `shadersort/(selection/(?:methods|printed)/[\w/]+)\.py`[^|]*\| ([^|]+) \|",
        (root / "docs" / "algorithms.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    tried = 0
    for file, cell in rows:
        module = import_module("shadersort." + file.replace("/", "."))
        for method in [each for each in vars(module).values() if isinstance(each, Method)]:
            try:
                found = ss.select(
                    UNIFORM,
                    99,
                    method=method.name,
                    device=software,
                    as_printed=file.startswith("selection/printed/"),
                )
                assert found == np.sort(UNIFORM)[99]
                assert cell != "–", file
            except errors.MethodUnavailable:
                assert cell == "–", file
            tried += 1
    assert tried > 20
