"""Columns of any library: what speaks a protocol of arrays is taken as its array would be."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shadersort.errors import KeysNotFlat, UnsupportedKeys
from shadersort.streams import FrequencySummary, QuantileSummary

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")


class Only:
    """Has one protocol of an array, and nothing else of it."""

    def __init__(self, array: Any, *names: str) -> None:
        for name in names:
            setattr(self, name, getattr(array, name))


def dlpack(array: Any) -> Only:
    return Only(np.asarray(array), "__dlpack__", "__dlpack_device__")


COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "pandas": pandas.Series,
    "pandas, an index": pandas.Index,
    "pandas, nullable": lambda values: pandas.Series(values).convert_dtypes(),
    "pandas, Arrow": lambda values: pandas.Series(pandas.array(pyarrow.array(values))),
    "pandas, categories": lambda values: pandas.Series(values, dtype="category"),
    "polars": polars.Series,
    "Arrow": pyarrow.array,
    "Arrow, chunks": lambda values: pyarrow.chunked_array([values[:2], values[2:]]),
    "Arrow, a dictionary": lambda values: pyarrow.array(values).dictionary_encode(),
    "DLPack": dlpack,
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_taken_as_its_array(name: str) -> None:
    for values in ([3, 1, 2, 2**53 + 1], [0.5, -0.25, np.inf, 3.0]):
        column, array = COLUMNS[name](values), np.array(values)
        summary = QuantileSummary(0.1).update(column)
        assert summary == QuantileSummary(0.1).update(array)
        assert summary.dtype == array.dtype
        assert FrequencySummary(0.1).update(column) == FrequencySummary(0.1).update(array)


WORDS = ["one", "two", "", "two", "ünï", "one two", "two"]
MISSING = [name for name in COLUMNS if name != "DLPack"]


@pytest.mark.parametrize("name", MISSING)
def test_missing_values_are_counted_as_nans(name: str) -> None:
    for values in ([1, None, 3], [0.5, None, 2.5]):
        summary = QuantileSummary(0.1).update(COLUMNS[name](values))
        assert (summary.n, summary.nans) == (2, 1)
        assert summary.quantile([0, 1]).tolist() == [values[0], values[2]]
    texts = FrequencySummary(0.1).update(COLUMNS[name](["a", None, "b"]))
    assert (texts.n, texts.nans, texts.estimate("a")) == (2, 1, 1)


@pytest.mark.parametrize("name", MISSING)
def test_a_column_of_text_is_taken_as_its_list(name: str) -> None:
    summary = FrequencySummary(0.1).update(WORDS)
    assert FrequencySummary(0.1).update(COLUMNS[name](WORDS)) == summary
    counts = [WORDS.count(word) for word in WORDS]
    assert summary.estimate(COLUMNS[name](WORDS)).tolist() == counts


@pytest.mark.parametrize("name", ["polars", "Arrow", "pandas, nullable"])
def test_large_integers_beside_missing_ones_are_never_rounded(name: str) -> None:
    values = [2**53 + 1, None, 3]
    given = pandas.Series(values, dtype="Int64") if "pandas" in name else COLUMNS[name](values)
    summary = QuantileSummary(0.1).update([1.0])
    before = summary.to_bytes()
    with pytest.raises(UnsupportedKeys, match="drop the missing ones"):
        summary.update(given)
    assert summary.to_bytes() == before


BAD: list[tuple[Any, type[Exception]]] = [
    (polars.Series(["a"]), UnsupportedKeys),
    (polars.Series([True]), UnsupportedKeys),
    (pyarrow.array(["a"]), UnsupportedKeys),
    (pyarrow.array([[1], [2]]), UnsupportedKeys),
    (pandas.DataFrame({"a": [1]}), KeysNotFlat),
    (polars.DataFrame({"a": [1]}), KeysNotFlat),
    (pyarrow.table({"a": [1]}), KeysNotFlat),
    (dlpack(np.zeros((2, 2))), KeysNotFlat),
]


@pytest.mark.parametrize(("column", "error"), BAD)
def test_other_columns_are_refused_and_nothing_changes(column: Any, error: type[Exception]) -> None:
    summary = QuantileSummary(0.1).update([1, 2])
    before = summary.to_bytes()
    with pytest.raises(error):
        summary.update(column)
    assert summary.to_bytes() == before
