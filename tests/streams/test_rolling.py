"""Rolling quantiles are those of NumPy, pandas and SciPy, however a stream is cut."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.lib.stride_tricks import sliding_window_view
from scipy import ndimage

import shadersort as ss
from shadersort.errors import (
    BadOption,
    BadWindow,
    EmptySummary,
    KeysNotFlat,
    NaNRefused,
    QuantileOutOfRange,
    UnknownQuantileMethod,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.names import QuantileMethod
from shadersort.streams import (
    RollingQuantiles,
    rolling,
    rolling_bracket,
    rolling_quantiles,
    rolling_rank,
)
from tests.helpers import telling_floats
from tests.soaking import SEED
from tests.streams.adversaries import ADVERSARIES, draws

METHODS = get_args(QuantileMethod)
ROUNDS = 3 if SEED is None else 100


def expected(values: Keys, window: int, q: Any, method: Any, stride: int = 1) -> Any:
    """What NumPy finds."""
    with np.errstate(all="ignore"):
        windows = sliding_window_view(values + values.dtype.type(0), window)[::stride]
        return np.quantile(windows, q, axis=1, method=method)


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_they_are_numpys(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for random, stream in draws(name, 3_000, count=6 * ROUNDS):
        monkeypatch.setattr(rolling, "SHORT", random.choice([0, 256]))
        window = int(random.integers(1, min(stream.size, 700) + 1))
        q = (0.5, 0.99, 0.0, 1.0, np.array([0.1, 0.75]))[random.integers(5)]
        method, stride = random.choice(METHODS), int(random.choice([1, 2, 7, 100]))
        found = rolling_quantiles(stream, window, q, method=method, stride=stride)
        exact = expected(stream, window, q, method, stride)
        np.testing.assert_array_equal(found, exact)
        assert found.dtype == exact.dtype


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_wide_windows_guess_their_brackets(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small samples and few steps together, guesses are often wrong."""
    monkeypatch.setattr(rolling_bracket, "SORTED", 100)
    monkeypatch.setattr(rolling_bracket, "SAMPLE", 20)
    monkeypatch.setattr(rolling_rank, "MOST", 300)
    for random, stream in draws(name, 5_000, count=ROUNDS):
        window = max(1, stream.size // int(random.integers(2, 5)))
        rank = int(random.integers(window))
        q = (rank + 0.5) / window
        found = rolling_quantiles(stream, window, q, method="inverted_cdf")
        exact = ndimage.rank_filter(stream, rank, size=window, origin=-(window // 2))
        if stream.dtype != "int64" or np.abs(stream).max() < 1 << 53:
            np.testing.assert_array_equal(found, exact[: len(found)])


@settings(max_examples=150)
@given(
    stream=arrays(np.float32, st.integers(1, 200), elements=st.floats(-3, 3, width=16)),
    window=st.integers(1, 60),
    q=st.floats(0, 1),
    cuts=st.lists(st.integers(0, 200), max_size=4),
    short=st.sampled_from([0, 30]),
)
def test_cuts_make_no_difference(
    stream: Keys, window: int, q: float, cuts: list[int], short: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rolling, "SHORT", short)  # longer windows have brackets
        assert_cut(stream, window, q, cuts)


def assert_cut(stream: Keys, window: int, q: float, cuts: list[int]) -> None:
    """Assert that a stream in parts has the answers of the whole stream, and NumPy's."""
    whole = RollingQuantiles(window, q).roll(stream)
    assert whole.dtype == stream.dtype
    parted, met = RollingQuantiles(window, q), 0
    for part in np.split(stream, sorted(min(cut, stream.size) for cut in cuts)):
        np.testing.assert_array_equal(parted.roll(part), whole[met : met + part.size])
        met += part.size
        if met:
            assert parted.quantile() == whole[met - 1]
    for end in range(1, min(window, stream.size)):
        assert whole[end - 1] == np.quantile(stream[:end], q)
    found = rolling_quantiles(stream, window, q)
    np.testing.assert_array_equal(found, whole[window - 1 :])
    if window <= stream.size:
        np.testing.assert_array_equal(found, expected(stream, window, q, "linear"))


@pytest.mark.parametrize("window", [1, 2, 3, 7, 8, 9, 63, 64, 65, 1023, 1024, 1025])
def test_all_lengths_of_window(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(window)
    for stream in (random.random(2_100), np.arange(2_100.0), np.zeros(2_100), -np.arange(2_100)):
        for q, short in ((0.5, 0), (0.5, 256), ([0.0, 0.01, 1.0], 16)):
            monkeypatch.setattr(rolling, "SHORT", short)
            found = rolling_quantiles(stream, window, q)
            np.testing.assert_array_equal(found, expected(stream, window, q, "linear"))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", "uint64"])
def test_every_type(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = np.dtype(dtype)
    ends = [np.iinfo(kind).min, np.iinfo(kind).max] if kind.kind != "f" else telling_floats(dtype)
    some = np.random.default_rng(3).integers(0, 100, 300).astype(kind)
    stream = np.concatenate([np.tile(np.array(ends, kind), 9), some])
    for nan in (False, True):
        values = stream if nan else stream[~np.isnan(stream)]
        cases: Any = (("lower", 0), ("lower", 256), ("inverted_cdf", 0))
        for method, short in cases:
            monkeypatch.setattr(rolling, "SHORT", short)
            found = rolling_quantiles(values, 11, 0.3, method=method)
            np.testing.assert_array_equal(found, expected(values, 11, 0.3, method))
            assert found.dtype == kind


@pytest.mark.parametrize("short", [0, 256])
def test_nans_are_those_of_pandas(short: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rolling, "SHORT", short)
    random = np.random.default_rng(7)
    stream = random.normal(size=4_000)
    stream[random.random(4_000) < 0.01] = np.nan
    stream[1_000:1_300] = np.nan
    series = pandas.Series(stream)
    for q, how in ((0.5, "linear"), (0.9, "lower"), (0.2, "higher")):
        for nan, least in (("propagate", 100), ("omit", 1)):
            found = RollingQuantiles(100, q, method=how, nan=nan).roll(stream)  # type: ignore[arg-type]
            exact = series.rolling(100, min_periods=least).quantile(q, interpolation=how).to_numpy()
            first = 99 if least > 1 else 0
            np.testing.assert_allclose(found[first:], exact[first:], rtol=1e-12)
    assert np.isnan(RollingQuantiles(3, nan="omit").roll([np.nan, 1.0])).tolist() == [True, False]
    with pytest.raises(NaNRefused, match="1 of these values"):
        RollingQuantiles(3, nan="raise").update([1.0, np.nan])


def test_a_wide_window_that_moves_in_many_ways() -> None:
    random, window = np.random.default_rng(5), 40_000
    shifts = np.repeat([0.0, 3.0, -3.0, 0.0], 30_000)
    for stream in (random.normal(size=120_000) + shifts, random.integers(0, 9, 120_000) + shifts):
        found = rolling_quantiles(stream, window, 0.5, stride=997)
        np.testing.assert_array_equal(found, expected(stream, window, 0.5, "linear", 997))


def test_a_stride_counts_from_the_beginning_of_the_stream() -> None:
    stream = np.random.default_rng(1).random(1_000)
    whole = RollingQuantiles(50).roll(stream)
    rolling = RollingQuantiles(50)
    parts = [rolling.roll(part, 7) for part in np.split(stream, [3, 3, 10, 11, 500])]
    np.testing.assert_array_equal(np.concatenate(parts), whole[6::7])
    assert rolling_quantiles(stream, 2_000).shape == (0,)
    assert rolling_quantiles(np.arange(5), 9, [0.1, 0.5]).shape == (2, 0)


def test_several_quantiles_and_none() -> None:
    stream = np.random.default_rng(1).random(1_000)
    for window in (20, 300):
        q = np.array([[0.1, 0.5, 1.0], [0.0, 0.25, 0.9]])
        found = RollingQuantiles(window, q).roll(stream)
        assert found.shape == (2, 3, 1_000)
        for at, share in np.ndenumerate(q):
            one = RollingQuantiles(window, share).roll(stream)
            np.testing.assert_array_equal(found[at], one)
        assert RollingQuantiles(window, []).roll(stream).shape == (0, 1_000)
        assert RollingQuantiles(window, []).update(stream).quantile().shape == (0,)


def test_copies_and_pickles_go_on_as_before() -> None:
    stream = np.random.default_rng(2).random(3_000).astype(np.float32)
    rolling = RollingQuantiles(100, [0.1, 0.9], nan="omit").update(stream[:1_000])
    others = rolling.copy(), pickle.loads(pickle.dumps(rolling))
    answers = rolling.roll(stream[1_000:], 3)
    for other in others:
        assert (other.n, other.window, other.dtype) == (1_000, 100, np.float32)
        np.testing.assert_array_equal(other.roll(stream[1_000:], 3), answers)
    assert pickle.loads(pickle.dumps(RollingQuantiles(5))).roll([1, 2]).tolist() == [1, 1.5]


def test_threads_take_turns() -> None:
    rolling = RollingQuantiles(1_000)

    def work(value: float) -> None:
        for _ in range(20):
            assert rolling.roll(np.full(150, value)).shape == (150,)
            assert rolling.quantile() in (1.0, 1.5, 2.0)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [1.0, 2.0, 1.0, 2.0]))
    assert rolling.n == 4 * 20 * 150
    assert rolling.update(np.full(1_000, 7.0)).quantile() == 7


def test_it_says_what_it_is() -> None:
    rolling = ss.RollingQuantiles(3, [0.5, 1.0]).update(np.arange(10))
    assert repr(rolling) == "<RollingQuantiles: the last 3 of 10 values of int64>"
    assert "<th>quantile 1.0</th><td>9</td>" in rolling._repr_html_()
    assert "quantile" not in RollingQuantiles(3)._repr_html_()


def test_what_is_refused_leaves_the_window_as_it_was() -> None:
    rolling = RollingQuantiles(4, nan="raise").update(np.array([1, 2, 3], np.float32))
    bad: Any
    for bad, error in (
        *((["1"], UnsupportedKeys), (np.array([0.1]), UnsupportedKeys), (None, UnsupportedKeys)),
        *((np.zeros((2, 2), np.float32), KeysNotFlat), ([1.0, np.nan], NaNRefused)),
    ):
        for take in (rolling.update, rolling.roll):
            with pytest.raises(error):
                take(bad)
        assert (rolling.n, rolling.quantile()) == (3, 2)
    with pytest.raises(EmptySummary, match="update it first"):
        RollingQuantiles(4).quantile()
    for bad in (0, -1, 2.5, "10", True):
        with pytest.raises(BadWindow):
            RollingQuantiles(bad)
        with pytest.raises(BadWindow):
            rolling.roll([1.0], bad)
        with pytest.raises(BadWindow):
            rolling_quantiles([1.0], 1, stride=bad)
    with pytest.raises(QuantileOutOfRange):
        RollingQuantiles(4, 50)
    with pytest.raises(UnknownQuantileMethod):
        RollingQuantiles(4, method="median")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="'propagate', 'omit' or 'raise'"):
        RollingQuantiles(4, nan="skip")  # type: ignore[arg-type]
