"""Quantiles of groups are those of pandas, in few rounds for all groups."""

from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest

import modern
from modern.on_dask import groups
from shadersort import errors
from shadersort.selection.dask_tasks import Rounds

frames: Any = import_module("dask.dataframe")

Q = [0.0, 0.1, 0.5, 0.99, 1.0]


def table(n: int, towns: int, kind: str = "float64") -> pd.DataFrame:
    rng = np.random.default_rng(n)
    keys: Any = rng.normal(0, 100, n)
    keys = np.where(rng.random(n) < 0.2, 7, keys).astype(kind)  # ties
    if keys.dtype.kind == "f":
        keys[rng.random(n) < 0.1] = np.nan
    town = rng.geometric(5 / towns, n) % towns
    return pd.DataFrame({"town": town, "year": rng.integers(2000, 2003, n), "price": keys})


def assert_exact(found: pd.Series, one: pd.DataFrame, by: Any, q: Any, method: Any) -> None:
    """Assert that labels are those of pandas, and values those of NumPy, to the bit."""
    groups = one.groupby(by)["price"]
    expected = groups.quantile(q)
    pd.testing.assert_index_equal(found.index, expected.index)
    assert (found.name, found.index.names) == (expected.name, expected.index.names)
    values = [np.quantile(keys.dropna(), q, method=method) for _, keys in groups]
    np.testing.assert_array_equal(found.to_numpy(), np.ravel(values))
    assert found.dtype == values[0].dtype


@pytest.mark.parametrize("kind", ["float64", "float32", "int16", "int64", "uint64"])
@pytest.mark.parametrize("most", [0, 500, 1 << 22])
def test_every_group_has_its_quantiles(
    kind: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "COLLECTED", most)
    one = table(3000, 20, kind)
    frame = frames.from_pandas(one, npartitions=7)
    for method in ("linear", "lower"):
        found = modern.group_quantiles(frame, "town", "price", Q, method=method)
        assert_exact(found, one, "town", Q, method)
    found = modern.group_quantiles(frame, ["town", "year"], "price")
    assert_exact(found, one, ["town", "year"], 0.5, "linear")


def test_three_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    joined = Rounds.joined

    def counted(self: Rounds, about: str, *args: Any) -> Any:
        asked.append(about)
        return joined(self, about, *args)

    monkeypatch.setattr(Rounds, "joined", counted)
    monkeypatch.setattr(groups, "COLLECTED", 2000)
    one = table(30_000, 5)
    found = modern.group_quantiles(frames.from_pandas(one, npartitions=4), "town", "price", Q)
    assert_exact(found, one, "town", Q, "linear")
    assert asked == ["sample", "histogram", "candidates"]


def test_groups_of_few_or_no_keys_and_rows_without_a_group() -> None:
    one = pd.DataFrame(
        {
            "name": ["b", "a", None, "c", "b", "a", "c"],
            "price": [1.0, np.nan, 5.0, 7.0, -0.0, np.nan, np.inf],
        }
    )
    frame = frames.from_pandas(one, npartitions=3)
    found = modern.group_quantiles(frame, "name", "price", [0.0, 1.0], method="lower")
    assert found.index.get_level_values(0).tolist() == list("aabbcc")
    np.testing.assert_array_equal(found, [np.nan, np.nan, 0, 1, 7, np.inf])
    whole = modern.group_quantiles(frame[frame.price > 100], "name", "price", method="lower")
    assert whole.to_dict() == {"c": np.inf}


@pytest.mark.filterwarnings("ignore:Dask currently has limited support")
def test_a_column_is_an_array() -> None:
    one = table(20_000, 5)
    column = frames.from_pandas(one, npartitions=4)["price"]
    assert modern.nanmedian(column) == one["price"].median()
    assert modern.select(column[column > 7], 0) == one["price"][one["price"] > 7].min()
    found = modern.quantile(column.fillna(0), Q)
    np.testing.assert_array_equal(found, np.quantile(one["price"].fillna(0), Q))
    with pytest.raises(errors.UnsupportedKeys, match="cannot be selected from"):
        modern.median(frames.from_pandas(one.assign(price="a"), npartitions=2)["price"])


def test_categories_and_times() -> None:
    one = pd.DataFrame(
        {
            "name": pd.Categorical(["x", "y", "x", "y"], categories=["z", "y", "x"]),
            "time": pd.to_datetime(["2020-01-03", "2021-01-01", "2020-01-01", None]),
        }
    )
    frame = frames.from_pandas(one, npartitions=2)
    found = modern.group_quantiles(frame, "name", "time", method="lower")
    expected = {"x": pd.Timestamp("2020-01-01"), "y": pd.Timestamp("2021-01-01")}
    assert found.to_dict() == expected


def test_partitions_that_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def changing(seed: int) -> pd.DataFrame:
        keys = np.random.default_rng().normal(size=5000)
        return pd.DataFrame({"town": seed, "year": 0, "price": keys})

    frame = frames.from_map(changing, range(3), meta=table(2, 5).astype({"year": "int64"}))
    monkeypatch.setattr(groups, "COLLECTED", 100)
    with pytest.raises(errors.InputChanged, match="several rounds"):
        modern.group_quantiles(frame, "town", "price")


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda x: modern.group_quantiles(x, "city", "price"), errors.UnknownColumn, "'city'"),
        (lambda x: modern.group_quantiles(x, "town", "cost"), errors.UnknownColumn, "'cost'"),
        (lambda x: modern.group_quantiles(x, "town", "price", [[1]]), errors.BadOption, "flat"),
        (lambda x: modern.group_quantiles(x, [], "price"), errors.BadOption, "an empty list"),
        (lambda x: modern.group_quantiles(x, "town", "price", 2), errors.QuantileOutOfRange, "2"),
        (
            lambda x: modern.group_quantiles(x[x.town > 99], "town", "price"),
            errors.EmptyInput,
            "no groups",
        ),
        (
            lambda x: modern.group_quantiles(x.assign(price="a"), "town", "price"),
            errors.UnsupportedKeys,
            "cannot be selected from",
        ),
        (
            lambda x: modern.group_quantiles(x.compute(), "town", "price"),
            errors.UnsupportedKeys,
            "a Dask data frame is wanted, not DataFrame",
        ),
    ],
)
def test_what_is_refused(ask: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ask(frames.from_pandas(table(20, 5), npartitions=2))
