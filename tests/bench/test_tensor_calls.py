"""The benchmark of calls on small tensors checks every answer."""

import numpy as np
import pytest

from bench import tensor_calls
from bench.shared.machines import opened
from bench.tensor_calls import ARRAY, TENSOR, expected, values_of
from modern.rows.outputs import TopK
from tests.bench.helpers import options_of

gpu = pytest.mark.gpu


def test_answers_of_numpy() -> None:
    keys = np.array([[3, 1, 2], [9, 8, 7]], np.float32)
    assert expected("select 2", keys).tolist() == [2, 8]
    assert expected("topk 2", keys).tolist() == [[3, 2], [9, 8]]
    assert expected("median", keys).tolist() == [2, 8]


def test_values_come_to_the_host() -> None:
    class Array:
        def get(self) -> str:
            return "values"

    assert values_of(TopK(Array(), None)) == values_of(Array()) == "values"


@gpu
def test_every_call_is_timed() -> None:
    options = options_of(tensor_calls.main, "--repeats 2")
    found = list(tensor_calls.measurements(opened("cuda"), options))
    assert {row["shape"] for row in found} == set(tensor_calls.SHAPES)
    for what in ("select 1", "select 8", "topk 8", "median"):
        calls = {row["call"] for row in found if row["what"] == what}
        assert len(calls) == 3 > len(calls - {TENSOR, ARRAY})
    assert all(row["host_us"] > 0 for row in found)


@gpu
def test_a_wrong_answer_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_calls, "expected", lambda what, keys: keys[:, 0] + 1)
    options = options_of(tensor_calls.main, "--repeats 2")
    with pytest.raises(AssertionError, match="select 1 of 16 x 4096"):
        list(tensor_calls.measurements(opened("cuda"), options))
