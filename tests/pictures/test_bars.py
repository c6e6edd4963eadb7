"""Bars of lessons begin at zero: none stands on a logarithmic axis."""

import ast
from collections.abc import Iterator
from pathlib import Path

from shadersort import lessons


def with_bars_on_a_logarithm(text: str) -> Iterator[str]:
    """Yield the functions of a module that draw bars, and have a logarithmic axis."""
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            calls = [each for each in ast.walk(function) if isinstance(each, ast.Call)]
            bars = {each.func.attr for each in calls if isinstance(each.func, ast.Attribute)}
            words = [word for each in calls for word in each.keywords]
            scales = [word.value for word in words if word.arg in ("xscale", "yscale")]
            logs = [
                each for each in scales if isinstance(each, ast.Constant) and each.value == "log"
            ]
            if bars & {"bar", "barh"} and logs:
                yield function.name


def test_no_lesson_draws_bars_on_a_logarithmic_axis() -> None:
    (folder,) = map(Path, lessons.__path__)
    found = {
        name
        for file in folder.rglob("*.py")
        for name in with_bars_on_a_logarithm(file.read_text(encoding="utf-8"))
    }
    assert not found


def test_bars_on_a_logarithmic_axis_are_found() -> None:
    text = 'def show(ax):\n    ax.barh(0, 3)\n    ax.set(xlabel="ms", xscale="log")\n'
    assert list(with_bars_on_a_logarithm(text)) == ["show"]
    assert not list(with_bars_on_a_logarithm(text.replace("barh", "plot")))
