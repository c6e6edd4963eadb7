"""What textures can do as printed, and what they cannot."""

import numpy as np
import pytest

import shadersort as ss
from shadersort.errors import BadOption, MethodUnavailable

KEYS = np.random.default_rng(3).random(3001).astype(np.float32)


@pytest.mark.parametrize("method", ["cutting-plane", "sort-choose"])
def test_methods_that_draw(method: str) -> None:
    for k in (300, 1500, 2900):
        answer, trace = ss.select(  # type: ignore[call-overload]
            KEYS, k, method=method, device="software", as_printed=True, return_trace=True
        )
        assert answer == np.partition(KEYS, k)[k]
        assert trace.label == f"{method}, as printed"


def test_methods_that_need_more_than_drawing() -> None:
    for method, call in (("bucket", "assignment"), ("radix", "working_codes")):
        with pytest.raises(MethodUnavailable, match=f"needs .*{call}.*, which textures cannot do"):
            ss.select(KEYS, 5, method=method, device="software", as_printed=True)  # type: ignore[call-overload]
    with pytest.raises(MethodUnavailable, match="textures cannot do 'between'"):
        ss.select(
            KEYS,
            1500,
            method="cutting-plane",
            device="software",
            as_printed=True,
            finish="compact",
        )
    with pytest.raises(BadOption, match="no paper here prints 'bisection'"):
        ss.select(KEYS, 5, method="bisection", device="software", as_printed=True)
