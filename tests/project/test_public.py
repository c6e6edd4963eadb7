import importlib
import inspect
import pkgutil
import subprocess
import sys
from types import ModuleType

import pytest

import modern
import shadersort
from shadersort import errors

MODULES = [
    importlib.import_module(info.name)
    for package in (shadersort, modern)
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not info.name.endswith("__main__")
]


def test_all_is_the_public_surface() -> None:
    public = {
        name
        for name in dir(shadersort)
        if not name.startswith("_") and not isinstance(getattr(shadersort, name), ModuleType)
    }
    assert public == set(shadersort.__all__)
    assert set(shadersort._HOMES) == public
    assert set(modern.__all__) == {
        *("METHODS", "median", "multiselect", "nanmedian", "nanquantile", "quantile", "select"),
        *("FileKeys", "Parts", "Sorter", "TopK", "sort", "threshold", "topk"),
        *("argmedian", "argselect", "argtopk"),
    }
    assert set(modern.__all__) <= set(vars(modern))
    assert {"sort", "sort_windows", "open_device", "devices"} <= public


def test_every_module_says_what_it_is_for() -> None:
    for module in MODULES:
        assert module.__doc__, module.__name__
        assert set(getattr(module, "__all__", ())) <= set(vars(module)), module.__name__


@pytest.mark.parametrize("name", shadersort.__all__)
def test_everything_public_is_documented(name: str) -> None:
    value = getattr(shadersort, name)
    if callable(value):
        assert inspect.getdoc(value)


def test_every_error_is_a_shadersort_error() -> None:
    classes = [each for each in vars(errors).values() if inspect.isclass(each)]
    raised = [each for each in classes if each.__module__ == errors.__name__]
    assert raised
    assert all(issubclass(each, errors.ShadersortError) for each in raised)


def test_importing_takes_little_and_reaches_everything() -> None:
    """In a process of its own: here, everything is imported already."""
    code = (
        "import sys, shadersort\n"
        "assert not {'numpy', 'click', 'moderngl'} & set(sys.modules)\n"
        "assert shadersort.datasets is shadersort.keys.datasets\n"
        "assert shadersort.plots is shadersort.pictures.plots\n"
        "assert issubclass(shadersort.errors.DeviceForked, RuntimeError)\n"
        "for name in dir(shadersort): getattr(shadersort, name)\n"
        "shadersort.srot"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "AttributeError: module 'shadersort' has no attribute 'srot'"
    )
