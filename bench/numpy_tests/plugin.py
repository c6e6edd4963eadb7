"""A plugin for pytest: NumPy's test modules call `modern` where they call NumPy's selection.

pytest loads it in a child process. It chooses the tests, puts another `np` into the namespaces of
their modules, and writes what came of each test that asked `modern` into the file that the
environment names. NumPy itself is not changed: what a test compares with is NumPy's.
"""

import json
import os
from collections.abc import Generator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bench.numpy_tests import adapter
from shadersort.errors import ShadersortError

FILE = "SHADERSORT_NUMPY_TESTS"
"""The variable of the environment that names the file for the results."""

NAMES = (
    *("median", "nanmedian", "quantile", "nanquantile", "percentile", "nanpercentile"),
    "partition",
)
"""What `modern` answers for."""

CLASSES = frozenset(
    {
        *("TestMedian", "TestPercentile", "TestQuantile"),
        *(f"TestNanFunctions_{name}" for name in ("Median", "Percentile", "Quantile")),
    }
)
"""The test classes of medians, percentiles and quantiles; of others, tests named by partitions."""


class Patched(ModuleType):
    """NumPy with some other functions."""

    def __init__(self) -> None:
        super().__init__("numpy")
        for name in NAMES:
            setattr(self, name, getattr(adapter, name))

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


_found: list[dict[str, Any]] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose tests, and change what their modules call NumPy."""
    chosen = [each for each in items if _is_chosen(each)]
    config.hook.pytest_deselected(items=[each for each in items if not _is_chosen(each)])
    items[:] = chosen
    for module in {each.module for each in items if isinstance(each, pytest.Function)}:
        module.np = Patched()


def _is_chosen(item: pytest.Item) -> bool:
    return _class_of(item) in CLASSES or "partition" in item.name


def _class_of(item: pytest.Item) -> str:
    return getattr(getattr(item, "cls", None), "__name__", "")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note what came of a test, if it asked `modern`."""
    report = yield
    if call.when == "setup":
        adapter.calls = 0
    if call.when == "call" and adapter.calls and not report.skipped:
        says = "" if call.excinfo is None else _first_line(call.excinfo.value)
        _found.append({"test": _name_of(item), "failed": report.failed, "says": says})
    return report


def _name_of(item: pytest.Item) -> str:
    module = getattr(item, "module").__name__.rpartition(".")[2]  # noqa: B009
    return "::".join(filter(None, (module, _class_of(item), item.name)))


def _first_line(error: BaseException) -> str:
    """Return the first line of an error, or of an error of ours that came before it."""
    before = error
    while before.__context__ is not None and not isinstance(before, ShadersortError):
        before = before.__context__
    shown = before if isinstance(before, ShadersortError) else error
    lines = str(shown).strip().splitlines() or [""]
    return f"{type(shown).__name__}: {lines[0]}"


def pytest_sessionfinish() -> None:
    """Write the results."""
    Path(os.environ[FILE]).write_text(json.dumps(_found), encoding="utf-8")
