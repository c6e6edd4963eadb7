"""The way from a call to NumPy's partition or the first launch: few functions, and named ones."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import modern
from tests.modern.references import PLACES, put_on_gpu

MOST = 15  # functions entered, at most
ROOT = Path(modern.__file__).parents[1]
PACKAGES = tuple(f"{ROOT / name}/" for name in ("shadersort", "modern"))
ENDS = {"partition", "argpartition", "sort", "argsort"}
"""Calls of NumPy that do the work of a call on the host."""

INSIDE = {"<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>"}
"""Comprehensions are no functions of their own here."""

CALLS: dict[str, Callable[..., Any]] = {
    "select": lambda x, **axis: modern.select(x, 5, **axis),
    "median": modern.median,
    "topk": lambda x, **axis: modern.topk(x, 3, **axis),
    "quantile": lambda x, **axis: modern.quantile(x, 0.3, **axis),
}


def functions_entered(call: Callable[[], Any], *, whole: bool = False) -> list[str]:
    """The package's functions that a second call enters before the work begins, or in all."""
    call()
    entered: dict[Any, str] = {}
    done = False

    def profile(frame: Any, event: str, arg: Any) -> None:
        nonlocal done
        code = frame.f_code
        if done:
            return
        if event == "c_call" and getattr(arg, "__name__", "") in ENDS:
            done = not whole
        elif event == "call" and code.co_filename.startswith(PACKAGES):
            if code.co_name not in INSIDE:
                entered[code] = code.co_qualname
            done = code.co_qualname == "Launcher.launch" and not whole

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    assert done or whole, "the call did no work that this test knows"
    return list(entered.values())


def functions_in_docs(title: str) -> dict[str, list[str]]:
    """The functions that `docs/what-runs.md` lists in a section, by call."""
    text = (ROOT / "docs/what-runs.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    assert rows, f"{title} lists nothing"
    return {call.strip(" `"): [each.strip(" `") for each in ways.split("→")] for call, ways in rows}


@pytest.mark.parametrize(
    ("put", "title"),
    [(np.asarray, "On the host"), pytest.param(put_on_gpu, "On a GPU", marks=pytest.mark.gpu)],
)
@pytest.mark.parametrize("name", CALLS)
def test_few_functions_are_entered_and_named(name: str, put: Any, title: str) -> None:
    keys, call = np.random.default_rng(1).random((40, 50)).astype(np.float32), CALLS[name]
    flat, rows = put(keys.ravel()), put(keys)
    found = functions_entered(lambda: call(flat))
    assert found == functions_in_docs(title)[name]
    assert len(found) <= MOST
    for axis in (0, 1):
        found = functions_entered(lambda: call(rows, axis=axis))  # noqa: B023
        assert len(found) <= MOST, found


def assert_named_in_order(title: str, x: Any) -> None:
    for name, expected in functions_in_docs(title).items():
        found = iter(functions_entered(lambda: CALLS[name](x), whole=True))  # noqa: B023
        assert all(each in found for each in expected), expected


def test_a_file_is_read_by_the_named_functions(tmp_path: Path) -> None:
    np.save(tmp_path / "keys.npy", np.random.default_rng(1).random(1000))
    assert_named_in_order("A file", tmp_path / "keys.npy")


@PLACES
def test_parts_are_asked_by_the_named_functions(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = [put(np.random.default_rng(seed).random(1000)) for seed in range(2)]
    if put is put_on_gpu:
        monkeypatch.setattr("modern.cards.rows.FEW", -1)
    assert_named_in_order("On two GPUs" if put is put_on_gpu else "A file", modern.Parts(x))
