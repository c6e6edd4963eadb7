"""A library that is not NumPy, and computes as NumPy does: what applications ask of CuPy.

Functions that CuPy does not have, and options that it does not take, are missing here as well.
"""

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from shadersort.arrays import NumPyHome

MISSING = {"take", "partition", "putmask", "place", "errstate", "nditer", "sort_complex"}


class _Elsewhere(ModuleType):
    """NumPy, but `xp is np` is false, and what CuPy lacks is missing."""

    def __getattr__(self, name: str) -> Any:
        if name in MISSING:
            raise AttributeError(f"CuPy has no {name}, or one that does other things")
        return getattr(np, name)

    def einsum(self, *operands: Any) -> Any:
        """Without options: CuPy's takes no `out`."""
        return np.einsum(*operands)


ELSEWHERE = _Elsewhere("elsewhere")


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays are at home in another library."""
    monkeypatch.setattr(NumPyHome, "xp", property(lambda self: ELSEWHERE))
