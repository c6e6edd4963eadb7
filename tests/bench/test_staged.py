"""The benchmark of top-k, thresholds and many ranks checks every answer and restores its keys."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import modern
from bench import staged
from bench.modern.calls import MANY
from bench.shared.machines import Host
from bench.shared.record import Row
from modern import TopK
from tests.bench.helpers import options_of


def rows_of(words: str) -> list[Row]:
    options = options_of(staged.main, f"--repeats 1 --turns 1 {words}")
    return list(staged.measurements(Host(), options))


def test_every_call_is_measured_in_reads() -> None:
    rows = rows_of("--n 2^12")
    assert {row["dtype"] for row in rows} == set(staged.TYPES)
    for dtype in staged.TYPES:
        what = {row["what"] for row in rows if row["dtype"] == dtype}
        assert {"topk 10", "topk 1,000", "topk n/1,000", "101 ranks", "1,001 ranks"} < what
        assert {"threshold hard n/1,000", "threshold soft n/100", "threshold hard n/2"} < what
        assert {"numpy.partition n/2", "numpy.argpartition n/1,000"} < what
    hostile = [row for row in rows if row["group"] == "hostile"]
    assert {row["data"] for row in hostile} == set(staged.HOSTILE)
    assert {row["what"] for row in hostile} == {"max", "101 ranks"}
    assert all(row["ms"] > 0 for row in rows)
    assert all(row["reads"] == 1 for row in rows if row["what"] == "max")
    heads = [tuple(row[name] for name in ("group", "data", "dtype", "what")) for row in rows]
    assert len(heads) == len(set(heads))


def test_keys_are_restored_before_each_threshold_and_not_in_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, given, inside = modern.threshold, list[Any](), list[bool]()
    host = Host()

    def timed(call: Any) -> Any:
        inside.append(True)
        found = Host.timed(host, call)
        inside.pop()
        return found

    def noted(x: Any, k: int, **more: Any) -> Any:
        given.append((bool(inside), x.copy()))
        return real(x, k, **more)

    monkeypatch.setattr(modern, "threshold", noted)
    monkeypatch.setattr(host, "timed", timed)
    options = SimpleNamespace(n=1000, dtype=("float32",), repeats=2, turns=2)
    list(staged.measurements(host, options))
    assert sum(measured for measured, _ in given) > 6 * 2
    for _, keys in given:
        np.testing.assert_array_equal(keys, given[0][1])
        assert np.count_nonzero(keys) > 990


def off(answer: Any) -> Any:
    """An answer with one key that is wrong."""
    if isinstance(answer, TopK):
        return TopK(off(answer.values), answer.indices)
    wrong = answer.copy()
    wrong[len(wrong) // 2] += 1
    return wrong


@pytest.mark.parametrize("name", ["topk", "threshold", "multiselect"])
def test_a_wrong_answer_is_not_timed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = getattr(modern, name)
    monkeypatch.setattr(modern, name, lambda *given, **more: off(real(*given, **more)))
    with pytest.raises(AssertionError, match="not timed"):
        rows_of("--n 2^10 --dtype float32")


def test_torch_is_measured_if_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def topk(keys: Any, k: int) -> Any:
        return SimpleNamespace(values=np.sort(keys)[::-1][:k])

    torch = SimpleNamespace(as_tensor=lambda keys: keys, topk=topk)
    monkeypatch.setattr(staged, "find_spec", lambda name: torch)
    monkeypatch.setattr(staged, "import_module", lambda name: torch)
    what = {row["what"] for row in rows_of("--n 2^12 --dtype int32")}
    assert {"torch.topk 10", "torch.topk 1,000", "torch.topk n/1,000"} < what
    monkeypatch.setattr(torch, "topk", lambda keys, k: SimpleNamespace(values=keys[:k]))
    with pytest.raises(AssertionError, match=r"torch\.topk"):
        rows_of("--n 2^12 --dtype int32")


def test_ranks_are_those_of_the_other_benchmark() -> None:
    assert MANY == (101, 1001)
