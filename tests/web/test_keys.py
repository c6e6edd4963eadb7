"""Keys that a reader types come out of the browser as `ss.sort` puts them, bit for bit."""

import base64
import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

import shadersort as ss
from shadersort.drawing.compile import compile
from shadersort.drawing.networks import network
from shadersort.drawing.passes import texture_size
from shadersort.keys.types import Keys
from shadersort.names import DrawingMethod
from tests.web.test_executor import WAYS

SORT = """
([programs, method, dtype, each]) => {
    const sortKeys = (programOf, keys) => {
        const aside = setAside(keys, dtype), { drawn } = aside;
        const size = 2 ** Math.ceil(Math.log2(Math.ceil(drawn.length / 4) || 1));
        const program = programOf(Math.max(1, size));
        const texels = packTexels(drawn, program.width * program.height, dtype);
        const ordered = mergeChannels(executor.run(program, texels, dtype), drawn.length, dtype);
        return putBack(ordered, aside, dtype);
    };
    const bytes = (sent) => {
        const keys = keysOf(decodeArray(sent), dtype);
        const sorted = sortKeys((texels) => programs[texels], keys);
        return Array.from(new Uint8Array(sorted.buffer));
    };
    return each.map(bytes);
}
"""
SPECIAL = np.array(
    [
        *(np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-45, -1e-45, -3e-39, 6e-8, -6e-8, 2**-15, 2**-14),
        *(65504, 65519, 65520, -70000, 3.4028235e38, -3.4028235e38, 1 / 3, 2049, 2051, 4e-8),
    ],
    np.float32,
)
"""Floats that are set aside, and floats that lie between two halves."""


def programs(method: DrawingMethod, sizes: Iterable[int]) -> dict[int, Any]:
    """Programs by the texels of their texture."""
    return {
        texels: json.loads(
            compile(network("bitonic", texels), *texture_size(texels), method).to_json()
        )
        for texels in sizes
    }


def sorted_there(page: Page, each: list[Keys], method: DrawingMethod, dtype: str) -> list[Keys]:
    """Each of several arrays, sorted."""
    sent = [
        {"type": keys.dtype.name, "data": base64.b64encode(keys.tobytes()).decode()}
        for keys in each
    ]
    found = page.evaluate(SORT, [programs(method, (1, 2, 4, 8, 16)), method, dtype, sent])
    return [np.frombuffer(bytes(data), keys.dtype) for data, keys in zip(found, each, strict=True)]


def assert_same_bits(found: Keys, expected: Keys) -> None:
    """All bits are equal, but for those of a NaN."""
    nan = np.isnan(expected) if expected.dtype.kind == "f" else np.zeros(len(expected), bool)
    assert np.array_equal(found[~nan].view(np.uint32), expected[~nan].view(np.uint32))
    assert np.all(found[nan] != found[nan])


@pytest.mark.parametrize(("method", "dtype"), WAYS)
def test_keys_come_out_as_sort_puts_them(executor: Page, method: DrawingMethod, dtype: str) -> None:
    random = np.random.default_rng(0)
    precision: Any = "float16" if dtype == "float16" else None
    each = [keys_of(random, dtype, count) for count in (0, 1, 2, 3, 4, 5, 63, 64)]
    found = sorted_there(executor, each, method, dtype)
    for keys, there in zip(each, found, strict=True):
        expected = ss.sort(keys, method=method, device="software", precision=precision)
        wide = expected.astype(np.float32) if dtype == "float16" else expected
        assert_same_bits(there, wide)


def keys_of(random: np.random.Generator, dtype: str, count: int) -> Keys:
    """Special floats, or any integers."""
    if np.dtype(dtype).kind == "f":
        return random.choice(SPECIAL, count) if count < 64 else np.resize(SPECIAL, count)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return random.integers(low, high, count, np.dtype(dtype), endpoint=True)


def test_halves_are_rounded_as_numpy_rounds_them(executor: Page) -> None:
    random = np.random.default_rng(1)
    floats = random.integers(0, 1 << 32, 20_000, np.uint32).view(np.float32)
    halves = np.arange(1 << 15, dtype=np.uint16).view(np.float16).astype(np.float32)
    halves = halves[np.isfinite(halves)]
    between = (halves[1:] + halves[:-1]) / np.float32(2)
    keys = np.concatenate([SPECIAL, floats, halves, -halves, between, -between])
    keys = keys[np.isfinite(keys)]
    sent = base64.b64encode(keys.tobytes()).decode()
    there = executor.evaluate(
        """(data) => {
            const halves = keysOf(decodeArray({ type: 'float32', data }), 'float16');
            const letter = (byte) => String.fromCharCode(byte);
            return btoa(Array.from(new Uint8Array(halves.buffer), letter).join(""));
        }""",
        sent,
    )
    with np.errstate(over="ignore"):
        expected = keys.astype(np.float16).astype(np.float32)
    assert_same_bits(np.frombuffer(base64.b64decode(there), np.float32), expected)
