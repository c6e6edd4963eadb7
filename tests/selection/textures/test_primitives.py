"""Every primitive on textures against the NumPy reference, on every device."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shadersort as ss
from shadersort.drawing.devices.texture import Texture
from shadersort.errors import DeviceUnavailable, KeysNotFlat, MethodUnavailable, UnsupportedKeys
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Key, Keys
from shadersort.selection.primitives import Buckets, NumPyPrimitives, Primitives
from shadersort.selection.primitives.protocol import CALLS
from shadersort.selection.primitives.textures import TexturePrimitives
from tests.conftest import without_window
from tests.helpers import random_bits
from tests.selection.inputs import arrays, awkward, keys_and_pivots, same, telling

TYPES = ["float32", "float16"]
LARGEST, TINY = float(np.finfo(np.float32).max), float(np.finfo(np.float32).tiny)


FLOATS = st.sampled_from(TYPES).flatmap(arrays)


def agree(some: Primitives, keys: Keys, pivot: Key, low: Key, high: Key) -> None:
    """Assert that every call answers what the reference does."""
    reference = NumPyPrimitives(keys)
    assert some.counts(pivot) == reference.counts(pivot)
    assert some.below(pivot) == reference.counts(pivot).below
    pivots = np.array([pivot, low, high], keys.dtype)
    np.testing.assert_array_equal(some.counts_at(pivots), reference.counts_at(pivots))
    for a, b in ((low, high), (None, high), (low, None)):
        if np.isfinite(pivot) and not (same(a, np.nan) or same(b, np.nan)):
            found, expected = (each.objective(pivot, a, b) for each in (some, reference))
            assert found.counts == expected.counts
            assert_sums(found.below, expected.below, keys.size)
            assert_sums(found.above, expected.above, keys.size)
    for call in ("at_or_above", "at_or_below"):
        nearest = getattr(some, call)(pivot)
        assert nearest == getattr(reference, call)(pivot)
        assert nearest is None or type(nearest) is keys.dtype.type


def told_by(some: Primitives, buckets: Buckets, shift: int, prefixes: list[int]) -> list[Keys]:
    """Histograms, and the keys of all ranks and of few, which are found in different ways."""
    ranks = range(some.size)
    histograms = some.bucket_histogram(buckets), some.digit_histograms(shift - 1, 1, prefixes)
    looked_up = *some.look_up_ranks(ranks), *some.look_up_ranks(ranks[-9:])
    return [*histograms, some.sort().take(ranks), *looked_up]


def assert_sums(found: float, expected: float, n: int) -> None:
    """Sums are guesses: 32 bits long, and differences of tiny numbers may be flushed to zero."""
    if expected <= LARGEST / 4:
        assert found == pytest.approx(expected, rel=1e-5, abs=n * TINY)


def assert_extents(some: Primitives, keys: Keys) -> None:
    found, expected = some.extent(), NumPyPrimitives(keys).extent()
    for name in ("finite", "minus_infinite", "plus_infinite", "nans"):
        assert getattr(found, name) == getattr(expected, name)
    if expected.finite:
        assert (found.low, found.high) == (expected.low, expected.high)
        assert type(found.low) is type(found.high) is keys.dtype.type
        scale = float(np.abs(keys[np.isfinite(keys)].astype(np.float64)).sum())
        if scale < LARGEST / 4:
            assert found.total == pytest.approx(expected.total, abs=1e-5 * scale + TINY)


@without_window
@settings(max_examples=20)
@given(given=keys_and_pivots(keys=FLOATS))
def test_any_keys(device: ss.Device, given: tuple[Any, ...]) -> None:
    keys, pivot, low, high = given
    with TexturePrimitives(keys, device) as some:
        assert_extents(some, keys)
        agree(some, keys, pivot, low, high)
        np.testing.assert_array_equal(some.sort().take(range(keys.size)), np.sort(keys))


@without_window
@settings(max_examples=20)
@given(given=keys_and_pivots(5, FLOATS), shift=st.integers(1, 15), closed=st.booleans())
def test_copies_and_histograms(
    device: ss.Device, given: tuple[Any, ...], shift: int, closed: bool
) -> None:
    """A copy, and a copy of a copy, answers what the reference does in a copy of its own."""
    keys, pivot, *ends = given
    low, *between, high = sorted(ends, key=code)
    prefixes = sorted({code(each) >> shift for each in ends[:3]})
    edges = np.unique(keys[np.isfinite(keys)])
    buckets = Buckets(edges if edges.size > 1 else np.array([0, 1], keys.dtype), 3, open=closed)
    copies: list[Callable[[Primitives], Primitives]] = [
        lambda some: some.between(low, high, closed=closed),
        lambda some: some.between(low, None).between(None, high),
        lambda some: some.with_prefixes(prefixes, shift),
        lambda some: some.of_buckets(buckets, [0, buckets.count - 1]),
    ]
    with TexturePrimitives(keys, device) as some:
        reference = NumPyPrimitives(keys)
        for number, copy in enumerate([lambda some: some, *copies, *copies[:1]]):
            part, expected = copy(some), copy(reference)
            if number == len(copies):
                part, expected = copies[2](part), copies[2](expected)
            assert isinstance(expected, NumPyPrimitives)
            assert part.size == expected.size
            told = (told_by(each, buckets, shift, prefixes) for each in (part, expected))
            for found, wanted in zip(*told, strict=True):
                np.testing.assert_array_equal(found, wanted)
            assert_extents(part, expected.keys)
            agree(part, expected.keys, pivot, *(between if len(between) > 1 else ends[:2]))
            if part.size:
                assert np.isin(encode(part.sample(5, 1)), encode(expected.keys)).all()


@without_window
@pytest.mark.parametrize("dtype", TYPES)
def test_sizes_and_every_telling_pivot(device: ss.Device, dtype: str) -> None:
    """Signed zeros, denormals, limits, infinities and NaNs, each counted among all the others."""
    for n in (1, 5, 9, 17, 257):
        for keys in list(awkward(n, dtype).values())[::2]:
            with TexturePrimitives(keys, device) as some:
                assert_extents(some, keys)
                agree(some, keys, keys[n // 2], keys[0], keys[-1])
    keys = np.concatenate([*3 * [telling(dtype)], random_bits(1, 5000, dtype)])
    with TexturePrimitives(keys, device) as some:
        for pivot in telling(dtype):
            agree(some, keys, pivot, keys[3], keys[4])


def test_nothing_but_numbers_comes_back(device: ss.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions read texels and counts; only `sort` reads a texture, and none uploads one."""
    read: list[Texture] = []
    with TexturePrimitives(random_bits(0, 1000, "float32"), device) as some:
        kind = type(some._drawn.texture)
        whole = kind._read

        def watched(each: Any, rows: int) -> Any:
            read.append(each)
            return whole(each, rows)

        monkeypatch.setattr(kind, "_read", watched)
        monkeypatch.delattr(type(device), "upload")
        some.extent()
        some.objective(np.float32(1), np.float32(0), None)
        some.at_or_above(np.float32(1))
        some.at_or_below(np.float32(1))
        some.between(np.float32(0), None).look_up_ranks([7])
        some.sample(3, seed=0)
        assert not read
        some.sort()
        assert len(read) == 1
        assert some.counts(np.float32(0)).below > 0, "a sort leaves the keys where they are"


def test_what_textures_cannot_do(software: ss.Device) -> None:
    with TexturePrimitives([np.float32(1)], software) as some:
        assert not some.tuning.copies
        missing = {call for call in CALLS if not some.supports(call)}
        assert {"one_read", "quickselect_serial", "printed_vector"} <= missing
        with pytest.raises(MethodUnavailable, match="textures cannot do 'cells'"):
            some.cells(np.array([0]))


def test_bad_keys_are_named(software: ss.Device) -> None:
    bad: list[tuple[Any, type[Exception], str]] = [
        (np.zeros(3), UnsupportedKeys, "float64 .* use modern.select"),
        (np.zeros(3, np.int32), UnsupportedKeys, "int32 .* use modern.select"),
        (["a"], UnsupportedKeys, "pass floats"),
        (np.zeros((2, 2), np.float32), KeysNotFlat, "ravel"),
    ]
    for keys, error, reason in bad:
        with pytest.raises(error, match=reason):
            TexturePrimitives(keys, software)


def test_a_device_that_counts_wrongly_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from shadersort.drawing.devices import probe, software

    right = software.count
    monkeypatch.setattr(probe, "_probed", set())
    monkeypatch.setattr(software, "count", lambda *given: right(*given) + 1)
    with pytest.raises(DeviceUnavailable, match="counts keys wrongly"):
        ss.open_device("software")
