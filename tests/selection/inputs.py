"""Keys of every type that have broken selection before."""

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from shadersort.keys.types import Keys
from shadersort.selection import SelectionTrace, select, select_many
from shadersort.selection.primitives import NumPyPrimitives
from tests.helpers import awkward_inputs, telling_floats

TYPES = ["float16", "float32", "float64", "int32", "int64", "uint32", "uint64"]
NARROW = ["int8", "uint8", "int16", "uint16"]
EVERY = [*TYPES, *NARROW]  # every type of number that the kernels know
Way = tuple[str, dict[str, Any]]

WAYS: list[Way] = [
    ("quickselect", {"few": 1}),
    ("radix", {"few": 0}),
    ("radix", {"few": 0, "width": 11}),
    ("radix-inplace", {}),
    ("bucket", {"few": 0}),
    ("bucket", {"few": 0, "cutoff": 0, "buckets": 7}),
    ("bucket", {"few": 0, "buckets": 2}),
    ("randomized", {"few": 1, "samples": 9}),
    ("randomized", {"few": 1, "samples": 1, "probability": 0.01}),
]
"""Methods that count and copy, with options that make them divide to the end."""

MANY_WAYS: list[Way] = [
    ("quickselect", {"few": 1}),
    ("radix", {"few": 0}),
    ("radix", {"few": 20, "width": 7}),
    ("radix-inplace", {"width": 8}),
    ("bucket", {"few": 1, "samples": 20, "intervals": 4, "buckets": 40}),
    ("bucket", {"few": 1}),
    ("bucket", {"few": 1, "intervals": 1, "buckets": 2}),
]
"""The same for many ranks."""


def telling(dtype: str) -> Keys:
    """The extremes of a type, and the keys next to them."""
    if np.dtype(dtype).kind == "f":
        return telling_floats(dtype)
    limits = np.iinfo(dtype)
    around = [limits.min, limits.min + 1, 0, 1, 2, limits.max // 2, limits.max - 1, limits.max]
    beyond_doubles = [2**53, 2**53 + 1, 2**53 + 2] if limits.bits == 64 else []
    return np.array(around + beyond_doubles, dtype)


def awkward(n: int, dtype: str) -> dict[str, Keys]:
    """Named inputs of n keys."""
    rng = np.random.default_rng(n)
    inputs = awkward_inputs(n, dtype)
    inputs["telling"] = rng.choice(telling(dtype), n)
    some = rng.integers(0, 100, n).astype(dtype)
    inputs["mostly small"] = np.where(rng.random(n) < 0.1, inputs["telling"], some)
    top = telling(dtype).max() if np.dtype(dtype).kind != "f" else 2**11
    inputs["neighbours"] = np.array([int(top) - i % 7 for i in range(n)], dtype)
    if np.dtype(dtype).kind == "f":
        inputs["powers of two"] = (2.0 ** (rng.integers(-14, 15, n))).astype(dtype)
        inputs["denormals"] = inputs["sorted"] * np.finfo(dtype).smallest_subnormal
    return inputs


class Without(NumPyPrimitives):
    """Primitives that lack some calls, or that copy at a price."""

    name = "a counter"

    def __init__(self, keys: Any, *lacks: str, cheap: bool = True) -> None:
        super().__init__(keys)
        self.lacks, self.tuning = lacks, replace(self.tuning, copies=cheap)

    def supports(self, call: str) -> bool:
        return call not in self.lacks


def traced(keys: Keys, k: Any, method: str, **options: Any) -> Any:
    """Return the `SelectionTrace` of a right answer, or of right answers for many ranks."""
    ask: Any = select_many if np.ndim(k) else select
    answer, trace = ask(NumPyPrimitives(keys), k, method=method, return_trace=True, **options)
    np.testing.assert_array_equal(answer, np.partition(keys, k)[k])
    return trace


def names(trace: SelectionTrace) -> list[str]:
    return [step.name for step in trace.steps]


def ranks(n: int) -> list[int]:
    """The ranks of the requirement: 0, 1, n/100, n/2, n−2, n−1."""
    return sorted({0, min(1, n - 1), n // 100, n // 2, max(n - 2, 0), n - 1})


def same(answer: Any, expected: Any) -> bool:
    """Whether two keys are equal, where NaN equals NaN."""
    return bool(answer == expected or (answer != answer and expected != expected))


def arrays(dtype: str, largest: int = 40) -> st.SearchStrategy[Keys]:
    """Arrays of one type: few values with many ties, extremes, and arbitrary bits."""
    size = np.dtype(dtype).itemsize
    length = st.integers(1, largest)
    bits = npst.arrays(f"u{size}", length).map(lambda a: a.view(dtype))
    few = st.sampled_from(list(telling(dtype)))
    ties = st.lists(few, min_size=1, max_size=largest).map(lambda a: np.array(a, dtype))
    return st.one_of(bits, ties)


ANY_KEYS = st.sampled_from(TYPES).flatmap(arrays)  # arrays of the types that most tests use
ANY_NUMBERS = st.sampled_from(EVERY).flatmap(arrays)  # arrays of every type


@st.composite
def keys_and_pivots(
    draw: st.DrawFn, count: int = 3, keys: st.SearchStrategy[Keys] = ANY_KEYS
) -> tuple[Any, ...]:
    """Keys, and pivots that are among them or extremes of their type."""
    drawn = draw(keys)
    pivots = st.sampled_from([*drawn, *telling(drawn.dtype.name)])
    return drawn, *(draw(pivots) for _ in range(count))
