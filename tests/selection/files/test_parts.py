"""Keys in pieces: the same steps as on one array, in few rounds, however the keys are cut."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort import errors
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import METHODS, median, quantile, select, select_many
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.primitives import PieceRows, Pieces
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.top_keys import LARGEST, SMALLEST
from tests.selection.files.stores import Scattered, as_npy, reads_of, small
from tests.selection.inputs import ANY_NUMBERS, same

FEW_READS = 4  # to count the keys, then a sample, a histogram or a bracket, candidates
KINDS = (FileKeys, Scattered)


def parts_of(keys: Keys, *cuts: int, **options: Any) -> Pieces:
    """Cut keys at some places."""
    return small(np.split(keys, sorted(cuts)), **{"piece": 1 << 20, **options})


@pytest.mark.filterwarnings("ignore:All-NaN", "ignore:invalid value", "ignore:overflow")
@pytest.mark.parametrize("kind", KINDS)
@given(keys=ANY_NUMBERS, data=st.data())
@settings(max_examples=50)
def test_any_keys_in_any_parts(kind: Any, keys: Keys, data: st.DataObject) -> None:
    """Few candidates may be collected: then pieces are filtered anew in each round."""
    cuts = data.draw(st.lists(st.integers(0, keys.size), max_size=6))
    k = data.draw(st.integers(-keys.size, keys.size - 1))
    q = data.draw(st.lists(st.floats(0, 1), min_size=1, max_size=4))
    whole, most = NumPyPrimitives(keys), data.draw(st.integers(0, 50))
    ks = data.draw(st.lists(st.integers(0, keys.size - 1), max_size=5))
    piece = data.draw(st.sampled_from([40, 1 << 20]))
    cut = parts_of(keys, *cuts, kind=kind, most=most, piece=piece)
    for method in METHODS:
        with suppress(errors.DidNotConverge, errors.MethodUnavailable, errors.TooManyKeys):
            assert same(select(cut, k, method=method), select(whole, k))
    for transform in (None, "log"):
        with suppress(errors.DidNotConverge, errors.AnswerRefuted):
            answer = select(cut, k, method="brent-root", as_printed=True, transform=transform)
            assert same(answer, select(whole, k))
    for method in ("auto", "bucket", "cutting-plane"):
        cut = parts_of(keys, *cuts, kind=kind, most=most, piece=piece)
        assert same(select(cut, k, method=method), select(whole, k))
        np.testing.assert_array_equal(select_many(cut, ks, method=method), select_many(whole, ks))
    for some in (cut, small(keys, piece=40, most=most)):
        for nan in (False, True):
            np.testing.assert_array_equal(quantile(some, q, nan=nan), quantile(whole, q, nan=nan))
            assert same(median(some, nan=nan), median(whole, nan=nan))


def test_few_keys_of_which_none_may_be_collected() -> None:
    """Their medians were refused: infinity was counted beside a denormal, and equal keys sorted."""
    equal = np.array([0, 368, 369_540_258, 6234, *16 * [2]], np.uint32).view(np.float32)
    for keys in (np.array([0.0, -np.finfo(float).eps, np.inf]), equal):
        for method in ("auto", "bucket", "cutting-plane"):
            for k in range(keys.size):
                parts = small([keys], piece=40, most=0)
                assert same(select(parts, k, method=method), np.sort(keys)[k])
        assert quantile(small([keys], piece=40, most=0), [0.0])[0] == keys.min()


@pytest.mark.parametrize("kind", [*KINDS, "npy"])
@pytest.mark.parametrize("name", datasets.DATASETS)
def test_every_data_set_in_few_rounds(name: str, kind: Any, tmp_path: Path) -> None:
    """Uneven and empty parts; in order, parts lie all on one side of the answer; or with NaNs."""
    n, cuts, shares = 50_000, [0, 1, 1, 300, 10_000, 10_000, 49_999], np.arange(9) / 8
    some = datasets.make(name, n)
    holed = np.where(np.arange(n) % 3, some, np.float32(np.nan))
    for keys in (some, np.sort(some), holed):
        path, ordered = as_npy(tmp_path, keys), np.sort(keys)
        for ask, answer in (
            (median, np.median(keys)),
            (partial(median, nan=True), np.nanmedian(keys)),
            (lambda parts: select_many(parts, [0, 7, n - 1]), ordered[[0, 7, n - 1]]),
            (lambda parts: quantile(parts, shares), np.quantile(keys, shares)),
        ):
            in_file = kind == "npy"
            parts = small(path, piece=30_000) if in_file else parts_of(keys, *cuts, kind=kind)
            np.testing.assert_array_equal(ask(parts), answer)
            most = 2 if in_file and ask is median else FEW_READS + (keys is holed)
            assert reads_of(parts) <= most


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8", "float16"])
def test_too_many_to_collect_are_divided_where_they_are(dtype: str) -> None:
    """Hostile keys: nested scales, on which buckets of equal width find nothing."""
    rng = np.random.default_rng(3)
    scales = 2.0 ** -rng.integers(0, 14, 30_000)
    keys = (rng.random(30_000) * scales * 100).astype(dtype)
    cut, ks = parts_of(keys, 9, 20_000, most=5), [0, 100, 15_000, 29_999]
    np.testing.assert_array_equal(select_many(cut, ks), np.sort(keys)[ks])
    assert cut.traffic.written <= 5 * len(ks)


def test_what_is_refused() -> None:
    with pytest.raises(errors.TooManyKeys, match=r"10 keys would be .* 2 pieces, and 4 at most"):
        select(parts_of(np.arange(10), 3, most=4), 0, method="sort-choose")
    with pytest.raises(errors.RankOutOfRange):
        select(parts_of(np.arange(10), 3), 10)


@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_one_read_for_the_median(dtype: str, tmp_path: Path) -> None:
    keys = (1000 * np.random.default_rng(1).normal(size=200_000)).astype(dtype)
    for missing in (False, True)[: 2 if keys.dtype.kind == "f" else 1]:
        keys[77] = np.nan if missing else 0
        path = as_npy(tmp_path, keys)
        for parts, reads in ((small(path, piece=50_000), 1), (parts_of(keys, 50_000), FEW_READS)):
            assert same(median(parts), np.median(keys))
            assert parts.traffic.read < 1.4 * keys.size
            assert reads_of(parts) <= reads
        parts = small(path, piece=50_000)
        assert median(parts, nan=True) == np.nanmedian(keys)
        assert reads_of(parts) <= 2


@pytest.mark.parametrize("by", [LARGEST, SMALLEST])
@pytest.mark.parametrize("n", [10_000, 70_000])
def test_first_keys_take_one_round(by: int, n: int) -> None:
    keys = np.random.default_rng(1).integers(0, 900, n) / 8
    keys[[7, n - 9]] = np.nan
    last = np.where(np.isnan(keys), np.inf, keys)
    order = np.argsort(-last if by == LARGEST else last, kind="stable")
    for count in (0, 1, 500, keys.size):
        row = PieceRows(FileKeys(np.split(keys, [0, 7, 5_000])))
        values, places = row.first(count, by)
        np.testing.assert_array_equal(places, order[:count])
        np.testing.assert_array_equal(values, keys[order[:count]])
        assert row.pieces.reads <= 2


@pytest.mark.parametrize("name", ["keys.npy", "keys.parquet", "chunks"])
def test_the_least_budget_of_memory_is_kept(name: str, tmp_path: Path) -> None:
    """32 MiB, of a file that is larger."""
    keys = np.random.default_rng(1).standard_normal(6_000_000)
    mapped = np.load(as_npy(tmp_path, keys), mmap_mode="r")
    if name == "keys.parquet":
        options = {"compression": "none", "use_dictionary": False, "row_group_size": 100_000}
        pq.write_table(pa.table({"ms": keys}), tmp_path / name, **options)
    source: Any = np.array_split(mapped, 24) if name == "chunks" else tmp_path / name
    middle = np.median(keys)
    del keys
    median(Pieces(FileKeys(source, memory="64MiB")))  # what libraries keep is there now
    before, most, ended = own_mb(), [0.0], Event()

    def watch() -> None:
        while not ended.wait(0.005):
            most.append(own_mb() - before)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(watch)
        found = median(Pieces(FileKeys(source, memory="32MiB")))
        ended.set()
    assert max(most) < 33.6
    assert found == middle


def own_mb() -> float:
    """Return the megabytes of this process without mapped files; 0 where no system tells."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return sum(1.024e-3 * int(line.split()[1]) for line in lines if line.startswith("RssAnon:"))
