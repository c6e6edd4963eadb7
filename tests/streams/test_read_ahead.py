"""Summaries of files, pipes and iterators that are read ahead: as if all were given at once."""

import gzip
import io
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import modern
from shadersort.errors import (
    BadOption,
    ForeignFile,
    KeysNotFlat,
    NaNRefused,
    TruncatedFile,
    UnknownColumn,
    UnsupportedKeys,
    ValuesMismatch,
)
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import Budget
from shadersort.streams import (
    CorrelatedSum,
    FrequencySummary,
    HierarchicalHeavyHitters,
    NumPySorter,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
    TailSummary,
    read_ahead,
)

SIZES = (0, 1, 2, 3, 255, 256, 257, 20_000)
SORTER = NumPySorter(batch=700)
MAKERS: dict[str, Callable[[], Any]] = {
    "list": lambda: QuantileSummary(0.1, sorter=SORTER),
    "list, on a GPU if there is one": lambda: QuantileSummary(0.1, sorter=modern.Sorter(700)),
    "histogram": lambda: QuantileSummary(0.1, structure="exponential-histogram", sorter=SORTER),
    "tails": lambda: TailSummary(0.2, sorter=SORTER),
    "frequencies": lambda: FrequencySummary(0.05, sorter=SORTER),
    "sliding quantiles": lambda: SlidingQuantiles(0.1, 5_000, sorter=SORTER),
    "sliding frequencies": lambda: SlidingFrequencies(0.1, 5_000, sorter=SORTER),
    "prefixes": lambda: HierarchicalHeavyHitters(0.05, "decimal", digits=3, sorter=SORTER),
}


@pytest.fixture(autouse=True)
def short_arrays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pieces of 1,000 bytes, and arrays of a few of them; no thread is left in the end."""
    budget = Budget(1 << 24, 3, largest=1_000)
    monkeypatch.setattr(Budget, "of", lambda memory, threads: budget)
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def npy(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    with path.open("wb") as file:
        np.save(file, values)
    return path, {}


def other_order(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    return npy(path, values.astype(values.dtype.newbyteorder(">")))


def records(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    table = np.zeros(values.size, [("a", "u1"), ("ms", values.dtype)])
    table["ms"] = values
    return npy(path, table)[0], {"column": "ms"}


def raw(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    path = path.with_suffix(".bin")
    path.write_bytes(b"seven b" + values.tobytes())
    return path, {"dtype": values.dtype, "offset": 7}


def columns(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    table = pa.table({"name": np.zeros(values.size), "ms": values})
    parquet.write_table(table, path, row_group_size=300)
    return path, {"column": "ms"}


def text(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    path.write_text("\n".join(map(str, values.tolist())))
    return path, {"dtype": values.dtype}


def packed(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    buffer = io.BytesIO()
    np.save(buffer, values)
    path.write_bytes(gzip.compress(buffer.getvalue()))
    return path, {}


def mapped(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    return (np.load(npy(path, values)[0], mmap_mode="r") if values.size else values), {}


def fed(target: int, data: bytes) -> None:
    """Let a thread write into a pipe."""

    def write() -> None:
        with os.fdopen(target, "wb") as file:
            file.write(data)

    threading.Thread(target=write).start()


def pipe(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    source, target = os.pipe()
    fed(target, b"seven b" + values.tobytes())
    return os.fdopen(source, "rb", buffering=0), {"dtype": values.dtype, "offset": 7}


def pipe_of_npy(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    source, target = os.pipe()
    fed(target, npy(path, values)[0].read_bytes())
    return os.fdopen(source, "rb"), {}


def fifo(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    os.mkfifo(path)
    threading.Thread(target=lambda: path.write_bytes(values.tobytes())).start()
    return path, {"dtype": values.dtype}


def arrays(path: Path, values: Keys) -> tuple[Any, dict[str, Any]]:
    return iter(np.array_split(values, 7)), {}


SOURCES = {
    each.__name__: each
    for each in (
        *(npy, other_order, records, raw, columns, text, packed, mapped, pipe, pipe_of_npy),
        *(fifo, arrays),
    )
}


def stream_of(name: str, n: int) -> Keys:
    values = np.random.default_rng(n).zipf(1.4, n) % 997
    return values.astype(np.uint32 if name == "prefixes" else np.float32)


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_is_as_its_values_at_once(source: str, tmp_path: Path) -> None:
    for name, make in MAKERS.items():
        for n in SIZES if name == "frequencies" else (20_000,):
            values = stream_of(name, n)
            path = tmp_path / f"{name}-{n}.{'parquet' if source == 'columns' else 'dat'}"
            given, options = SOURCES[source](path, values)
            found = make().update_from(given, **options)
            if hasattr(given, "close"):
                given.close()
            assert (found.n, found.nans) == (n, 0)
            if name.startswith("list"):  # these depend on how a stream is cut
                exact = np.sort(values)
                low, high = found.rank_bounds(exact)
                assert np.all(low <= np.searchsorted(exact, exact, "right"))
                assert np.all(np.searchsorted(exact, exact, "right") <= high)
                assert found.rank_error <= 0.1 * n
            elif n:
                assert found == make().update(values)


@pytest.mark.parametrize("n", SIZES)
def test_pairs_of_two_sources(n: int, tmp_path: Path) -> None:
    x, y = stream_of("sums", n), np.arange(float(n))
    expected = CorrelatedSum(0.1).update(x, y)
    one, _ = npy(tmp_path / "x.npy", x)
    for name, second in SOURCES.items():
        path = tmp_path / f"y-{name}.{'parquet' if name == 'columns' else 'dat'}"
        given, options = second(path, y)
        found = CorrelatedSum(0.1, sorter=SORTER).update_from(one, given, of_y=options)
        assert found == expected or not n
        if hasattr(given, "close"):
            given.close()
    for shorter in (x[:-1], np.append(x, 1)) if n else ():
        summary = CorrelatedSum(0.1)
        with pytest.raises(ValuesMismatch):
            summary.update_from(iter([shorter]), iter([y[: n // 2], y[n // 2 :]]))
        assert summary.n == 0


def test_a_source_that_fails_leaves_the_summary_as_it_was(tmp_path: Path) -> None:
    values = stream_of("list", 20_000)
    summary = FrequencySummary(0.1, nan="raise", sorter=SORTER).update(values[:10])
    before = summary.to_bytes()
    path, _ = npy(tmp_path / "values.npy", values)
    whole, flawed = path.read_bytes(), values.copy()
    flawed[15_000] = np.nan

    def broken() -> Iterator[Keys]:
        yield from np.array_split(values, 7)
        raise OSError("the network is gone")

    npy(tmp_path / "nan.npy", flawed)
    npy(tmp_path / "square.npy", values.reshape(2, -1))
    (tmp_path / "short.npy").write_bytes(whole[:-3])
    fails: list[tuple[Any, type[Exception], dict[str, Any]]] = [
        (broken(), OSError, {}),
        (tmp_path / "nan.npy", NaNRefused, {}),
        (tmp_path / "short.npy", TruncatedFile, {}),
        (tmp_path / "none.npy", FileNotFoundError, {}),
        (path, UnknownColumn, {"column": "ms"}),
        (io.BytesIO(whole[:-3]), TruncatedFile, {}),
        (io.BytesIO(whole + b"more"), ForeignFile, {}),
        (io.BytesIO(values.tobytes()), ForeignFile, {}),
        (io.BytesIO(values.tobytes()[:-1]), TruncatedFile, {"dtype": "f4"}),
        (io.BytesIO(b"1234"), TruncatedFile, {"dtype": "f4", "offset": 5}),
        (io.BytesIO(b"1234"), UnsupportedKeys, {"dtype": "U1"}),
        (io.BytesIO(b"1234"), BadOption, {"offset": 4}),
        (io.BytesIO(whole), BadOption, {"column": "ms"}),
        (iter([values]), BadOption, {"dtype": "f4"}),
        (iter([values, values.reshape(2, -1)]), KeysNotFlat, {}),
        (7, TypeError, {}),
    ]
    for source, error, options in fails:
        with pytest.raises(error):
            summary.update_from(source, **options)
        assert summary.to_bytes() == before


def test_a_pipe_that_does_not_wait_is_refused() -> None:
    source, target = os.pipe()
    os.set_blocking(source, False)
    with (
        os.fdopen(source, "rb", buffering=0) as file,
        os.fdopen(target, "wb"),
        pytest.raises(BadOption, match="blocking"),
    ):
        QuantileSummary(0.1).update_from(file, dtype="f4")


def test_no_more_is_read_than_a_few_arrays_ahead() -> None:
    asked: list[int] = []

    def counting() -> Iterator[Keys]:
        for turn in range(20):
            asked.append(turn)
            yield np.arange(5.0)

    for used, _ in enumerate(read_ahead.read_ahead(counting(), SORTER)):
        assert len(asked) <= used + 2 + read_ahead.AHEAD
    assert len(asked) == 20
