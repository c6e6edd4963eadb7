"""What users import: complete, cheap, without circles, and with errors of one family."""

import inspect
import subprocess
import sys
from graphlib import TopologicalSorter
from types import ModuleType

import grimp
import pytest

import modern
import shadersort
from shadersort import errors


def test_all_is_the_public_surface() -> None:
    public = {
        name
        for name in dir(shadersort)
        if not name.startswith("_") and not isinstance(getattr(shadersort, name), ModuleType)
    }
    assert public == set(shadersort.__all__) == set(shadersort._HOMES)
    assert set(modern.__all__) == {
        *("METHODS", "median", "multiselect", "nanmedian", "nanquantile", "quantile", "select"),
        *("FileKeys", "Parts", "Sorter", "TopK", "sort", "threshold", "topk"),
        *("argmedian", "argselect", "argsort", "argtopk", "sort_records"),
    }
    assert set(modern.__all__) <= set(vars(modern))


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


@pytest.mark.parametrize("package", ["shadersort", "modern", "bench", "scripts"])
def test_no_module_imports_itself_through_others(package: str) -> None:
    """Not even inside functions or for types."""
    graph = grimp.build_graph(package, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # names the circle that it finds
