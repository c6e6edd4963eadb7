"""The examples in docstrings give what they say; a slow test has those that users do not see."""

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

import bench
import modern
import scripts
import shadersort

PUBLIC = [
    "shadersort",
    "shadersort.drawing.devices",
    "shadersort.keys.datasets",
    "shadersort.neighbors",
    "shadersort.pictures.plots",
    "shadersort.robust",
    "shadersort.sparse",
    "shadersort.streams",
    "shadersort.web.pieces",
    "modern",
]
"""The modules that users import from."""

FINDER = doctest.DocTestFinder()


def public_examples(module: ModuleType) -> Iterator[doctest.DocTest]:
    """Yield the examples of a module's docstring and of its public names, inherited ones too."""
    yield from FINDER.find(module, module.__name__)[:1]
    for name in getattr(module, "__all__", dir(module)):
        value = getattr(module, name)
        for each in inspect.getmro(value) if inspect.isclass(value) else [value]:
            if getattr(each, "__module__", "").split(".")[0] in ("shadersort", "modern"):
                yield from FINDER.find(each, f"{module.__name__}.{name}")


def run(examples: Iterator[doctest.DocTest]) -> int:
    """Run examples, each once; assert that they hold; return their number."""
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    tried: set[tuple[str | None, int | None]] = set()
    for example in examples:
        if example.examples and (example.filename, example.lineno) not in tried:
            tried.add((example.filename, example.lineno))
            assert runner.run(example, clear_globs=False).failed == 0, example.name
    return len(tried)


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_of_public_names(name: str) -> None:
    assert run(public_examples(importlib.import_module(name))) > 0


@pytest.mark.parametrize(
    ("package", "least"),
    [
        *((bench, 10), (scripts, 2)),
        *(pytest.param(each, 30, marks=pytest.mark.slow) for each in (shadersort, modern)),
    ],
)
def test_examples_of_every_module(package: ModuleType, least: int) -> None:
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    modules = [importlib.import_module(each.name) for each in found]
    assert run(each for module in modules for each in FINDER.find(module)) > least
