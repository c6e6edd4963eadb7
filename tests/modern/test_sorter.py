"""`modern.Sorter`: with it every summary is what it is with NumPy, byte for byte.

Without a GPU NumPy sorts; the tests that need one compare the kernels with NumPy's loops.
"""

import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shadersort as ss
from modern import Sorter
from shadersort.errors import KeysNotFlat, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.streams import NumPySorter
from tests.modern.references import pinned, put_on_gpu
from tests.selection.inputs import EVERY

Places = Callable[[Keys, int], Any]

MAKERS: dict[str, Callable[..., Any]] = {
    "quantiles": partial(ss.QuantileSummary, 0.05),
    "quantiles, coarse": partial(ss.QuantileSummary, 0.6),
    "frequencies": partial(ss.FrequencySummary, 0.05),
    "frequencies, fine": partial(ss.FrequencySummary, 0.001),
    "sliding quantiles": partial(ss.SlidingQuantiles, 0.1, 8_000),
    "sliding frequencies": partial(ss.SlidingFrequencies, 0.1, 8_000),
    "sliding frequencies, fine": partial(ss.SlidingFrequencies, 0.02, 9_000, shortest=9_000),
    "quantiles, as printed": partial(ss.QuantileSummary, 0.05, 10_000, as_printed=True),
    "frequencies, as printed": partial(ss.FrequencySummary, 0.05, as_printed=True),
    "sliding quantiles, as printed": partial(ss.SlidingQuantiles, 0.2, 8_000, as_printed=True),
    "sliding frequencies, as printed": partial(ss.SlidingFrequencies, 0.2, 8_000, as_printed=True),
}

HIERARCHIES: list[dict[str, Any]] = [
    *({}, {"hierarchy": "ipv4"}, {"hierarchy": "bits", "digits": 40, "step": 16})
]


def on_host(keys: Keys, turn: int) -> Any:
    return keys


def on_device(keys: Keys, turn: int) -> Any:
    return put_on_gpu(keys)


def in_pinned(keys: Keys, turn: int) -> Any:
    return pinned(keys)


def mixed(keys: Keys, turn: int) -> Any:
    return (on_host, on_device, in_pinned)[turn % 3](keys, turn)


def uneasy(stream: Keys, dtype: str) -> Keys:
    """The stream in some type; floats have NaNs, zeros of both signs, infinities and denormals."""
    if np.dtype(dtype).kind != "f":
        return (np.nan_to_num(stream, posinf=9, neginf=0) % 120).astype(dtype)
    with np.errstate(over="ignore"):
        found = stream.astype(dtype)
    found[::17], found[3::29], found[4::31] = np.nan, -0.0, 0.0
    found[5::37], found[6::41], found[7::43] = np.inf, -np.inf, np.finfo(dtype).smallest_subnormal
    return found


def assert_alike(
    make: Callable[..., Any], stream: Keys, cuts: Any, place: Places, batch: int
) -> None:
    """Feed both summaries, one of them in pieces that lie anywhere."""
    expected, found = make(), make(sorter=Sorter(batch))
    for turn, part in enumerate(np.split(stream, cuts)):
        expected.update(part)
        found.update(place(part, turn))
    assert found.to_bytes() == expected.to_bytes()
    for name, array in found._arrays().items():
        assert isinstance(array, np.ndarray), name


PLACES = [on_host, *(pytest.param(f, marks=pytest.mark.gpu) for f in (on_device, mixed))]


@pytest.mark.parametrize("place", PLACES)
def test_every_type(place: Places) -> None:
    for dtype in EVERY[place is mixed :: 4]:
        random = np.random.default_rng(2005)
        for stream in (random.zipf(1.2, 30_001) % 4_000 - 100.0, random.normal(size=30_001) * 100):
            keys = uneasy(stream, dtype)
            for maker in MAKERS.values():
                cuts = np.sort(random.integers(0, keys.size + 1, random.integers(0, 5)))
                batch = int(random.choice([3_000, 1 << 14, 1 << 20]))
                assert_alike(maker, keys, cuts, place, batch)


@pytest.mark.gpu
@pytest.mark.parametrize("place", [on_device, in_pinned])
def test_many_keys_in_few_updates(place: Places) -> None:
    random = np.random.default_rng(7)
    streams = random.random(1_500_001, np.float32), random.zipf(1.2, 1_500_001).astype(np.float32)
    for stream in streams:
        for name in ("quantiles, coarse", "quantiles, as printed", "frequencies, fine"):
            assert_alike(MAKERS[name], stream, [10, 700_000], place, 1 << 20)
        fine = partial(ss.QuantileSummary, 1e-4)
        assert_alike(fine, stream, [10, 20_000, 700_000], place, 1 << 20)


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=40)
@given(data=st.data())
def test_any_stream(place: Places, data: st.DataObject) -> None:
    dtype = np.dtype(data.draw(st.sampled_from(EVERY)))
    stream = np.frombuffer(data.draw(st.binary(min_size=8, max_size=2_000)) * 9, np.uint8)
    stream = stream[: stream.size // dtype.itemsize * dtype.itemsize].view(dtype)
    cuts = sorted(data.draw(st.lists(st.integers(0, stream.size), max_size=4)))
    batch = data.draw(st.sampled_from((1, 500)))
    assert_alike(data.draw(st.sampled_from(list(MAKERS.values()))), stream, cuts, place, batch)


def streams(n: int) -> list[Keys]:
    """Streams with one item, with few that repeat, with items that go by, and of Zipf."""
    random = np.random.default_rng(3)
    zipf = np.minimum(random.zipf(1.2, n), 1 << 30) * 2654435761
    some = (np.full(n, 7), random.integers(0, 1 << 40, n), np.arange(n) // 7 * 7919, zipf)
    return [each.astype(np.int64) for each in some]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("options", HIERARCHIES)
def test_heavy_hitters(place: Places, options: dict[str, Any]) -> None:
    for stream, epsilon in product(streams(30_000), (0.3, 0.02)):
        make = partial(ss.HierarchicalHeavyHitters, epsilon, **options)
        limit = 1 << (40 if "digits" in options else 32)
        items = (stream % limit).astype(make().dtype)
        assert_alike(make, items, [1, 777, 9_000], place, 1 << 13)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_correlated_sums(place: Places, dtype: str) -> None:
    n, random = 30_000, np.random.default_rng(5)
    ys = random.standard_normal(n), np.exp(random.uniform(-50, 50, n))
    for stream, y in product(streams(n), (*ys, np.where(np.arange(n) == 99, 1e9, -0.0))):
        x = uneasy(stream % 120 - 3.0, dtype)
        y[5::23] = np.nan
        one, other = (ss.CorrelatedSum(0.05, sorter=each) for each in (None, Sorter(1 << 13)))
        for turn, part in enumerate(np.split(np.arange(n), [1, 777, 9_000])):
            one.update(x[part], y[part])
            other.update(place(x[part], turn), place(y[part], turn + turn // 2))
        assert one.to_bytes() == other.to_bytes()


@pytest.mark.gpu
def test_iterators_of_arrays_of_any_memory() -> None:
    values = np.minimum(np.random.default_rng(1).zipf(1.3, 300_000), 1 << 15).astype(np.float32)
    cut = np.array_split(values, [10, 30_000, 90_000, 100_000])
    cut.insert(2, values[:0])
    for name in ("quantiles", "frequencies, fine", "sliding frequencies"):
        parts = MAKERS[name](sorter=NumPySorter(batch=1 << 15)).update(iter(cut)).to_bytes()
        for place in (on_host, in_pinned, mixed):
            given = (place(each, turn) for turn, each in enumerate(cut))
            assert MAKERS[name](sorter=Sorter(1 << 15)).update(given).to_bytes() == parts


@pytest.mark.parametrize("place", PLACES)
def test_merged_and_restored_summaries_go_on(place: Places) -> None:
    stream = np.random.default_rng(4).integers(0, 300, 50_000)
    for maker in ("quantiles", "quantiles, coarse", "frequencies", "frequencies, fine"):
        made = []
        for sorter in (NumPySorter(), Sorter(9_000)):
            one, other = (MAKERS[maker](sorter=sorter) for _ in range(2))
            put: Any = place if isinstance(sorter, Sorter) else on_host
            one.update(put(stream[:20_011], 0))
            other.update(put(stream[20_011:30_000], 1))
            both = pickle.loads(pickle.dumps(one.merge(other)))
            assert type(both.sorter) is type(sorter)
            both.update(put(stream[30_000:], 2))
            made.append(both.to_bytes())
        assert made[0] == made[1]


@pytest.mark.parametrize("place", PLACES)
def test_refusals_are_those_of_numpy(place: Places) -> None:
    summary = ss.QuantileSummary(0.1, dtype=np.float32, sorter=Sorter())
    summary.update(place(np.arange(5_000, dtype=np.float32), 0))
    before = summary.to_bytes()
    refused: list[tuple[Any, type[Exception]]] = [
        (np.zeros((2, 2), np.float32), KeysNotFlat),
        (np.array([2**24 + 1], np.int64), UnsupportedKeys),
        (np.array([0.1]), UnsupportedKeys),
        (np.array([1e-45, 3e-46]), UnsupportedKeys),
        (np.zeros(3, np.complex64), UnsupportedKeys),
        (np.zeros(3, np.bool_), UnsupportedKeys),
    ]
    for keys, error in refused:
        with pytest.raises(error):
            summary.update(place(keys, 1))
        assert summary.to_bytes() == before
    tiny = np.float64(np.finfo(np.float32).smallest_subnormal)
    summary.update(place(np.full(3, tiny), 1))  # float32 has it, too
    assert summary.n == 5_003


@pytest.mark.gpu
def test_arrays_come_to_the_host() -> None:
    import cupy

    from modern.streams.transfers import to_host

    arrays: list[Keys] = [np.arange(n, dtype=np.float32) for n in (0, 3, 1 << 19)]
    arrays += [np.arange(20.0).reshape(2, 10)[:, ::2], np.empty((0, 3), np.int8)]
    found = [to_host(cupy.asarray(each)) for each in arrays * 2]
    for one, other in zip(found, arrays * 2, strict=True):
        assert one.flags.c_contiguous
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    assert not np.may_share_memory(found[2], found[len(arrays) + 2])


def test_a_sorter_has_a_name_and_can_be_pickled() -> None:
    from modern.opening import has_gpu

    assert Sorter().name == ("cuda" if has_gpu() else "numpy")
    assert Sorter(100).batch == 100
    assert pickle.loads(pickle.dumps(Sorter(100))) == Sorter(100)


def test_shadersort_does_not_import_modern() -> None:
    code = "import sys, shadersort, shadersort.cli; sys.exit('modern' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.gpu
def test_there_is_a_gpu() -> None:
    assert Sorter().name == "cuda"
