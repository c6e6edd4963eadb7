"""Where the arrays of applications are: NumPy's memory here; a GPU's by the package `modern`."""

from types import SimpleNamespace

import numpy as np
import pytest

from shadersort import arrays
from shadersort.arrays import NumPyHome, home_of
from shadersort.errors import ArraysApart


def test_numpy_is_at_home() -> None:
    assert home_of([1, 2], None, np.zeros(3), 1.5) == NumPyHome()


def test_nothing_is_at_home_with_numpy() -> None:
    assert home_of() == NumPyHome()


def test_modern_is_asked_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    (offered,) = arrays._offered()
    assert offered.__module__ == "modern.applications"
    elsewhere, array = SimpleNamespace(), SimpleNamespace()
    monkeypatch.setattr(arrays, "_offered", lambda: [lambda x: elsewhere if x is array else None])
    assert home_of(array, array) is elsewhere
    with pytest.raises(ArraysApart, match=r"NumPy's memory and in .*one place"):
        home_of(np.zeros(3), array)


def test_what_has_no_home_is_numpys(monkeypatch: pytest.MonkeyPatch) -> None:
    assert home_of(SimpleNamespace()) == NumPyHome()
