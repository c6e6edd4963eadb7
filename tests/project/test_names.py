"""The names that options take: as types they are those of the tables that have the functions."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
from mypy import api

import modern
from shadersort import names
from shadersort.drawing.compile import METHODS
from shadersort.drawing.cost.profiles import PROFILES
from shadersort.drawing.devices import KINDS
from shadersort.drawing.networks import NETWORKS
from shadersort.keys.types import PRECISIONS
from shadersort.selection import METHODS as SELECTION_METHODS
from shadersort.selection.quantile_plan import QUANTILE_METHODS
from shadersort.streams.quantiles.histogram import KINDS as HISTOGRAMS

TYPED = Path(__file__).parent / "typed"


def test_every_name_has_its_type() -> None:
    for type_, table in (
        (names.NetworkName, NETWORKS),
        (names.DrawingMethod, METHODS),
        (names.SortMethod, (*METHODS, "auto")),
        (names.DeviceKind, KINDS),
        (names.DeviceName, (*KINDS, "auto")),
        (names.CardName, PROFILES),
        (names.Precision, PRECISIONS),
        (names.KeysInTexel, (4, 1)),
        (names.HistogramKind, HISTOGRAMS),
        (names.SelectionMethod, SELECTION_METHODS),
        (names.SelectionMethod, modern.METHODS),
        (names.QuantileMethod, QUANTILE_METHODS),
    ):
        assert set(get_args(type_)) == set(table)
        assert len(get_args(type_)) == len(table)


STRICT = {"typeCheckingMode": "strict", "enableTypeIgnoreComments": False}
NUMPYS = r"(numpy\.)?(dtype\[Any\]|number\[Any, int \| float \| complex\]|tuple\[Any, \.\.\.\])"
"""Types of NumPy that leave open what only a run decides: the type and the shape of an array."""


def pyright(folder: Path, script: Path) -> list[dict[str, Any]]:
    """What strict pyright says of a script."""
    options = folder / "pyright.json"
    paths = [str(Path(modern.__file__).parents[1])]
    options.write_text(json.dumps({"include": [str(script)], "extraPaths": paths, **STRICT}))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--project", str(options)]
    command += ["--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found: list[dict[str, Any]] = json.loads(done.stdout)["generalDiagnostics"]
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_user_sees_no_any(tmp_path: Path) -> None:
    """Neither by mypy nor by pyright; `typed/wrong.py` is checked by mypy with all files."""
    text = (TYPED / "user.py").read_text(encoding="utf-8")
    shown = sorted(set(re.findall(r"^ *(shown\w*) = ", text, re.MULTILINE)))
    assert len(shown) > 50
    script = tmp_path / "script.py"
    script.write_text(text + "".join(f"reveal_type({name})\n" for name in shown), encoding="utf-8")
    output, _, _ = api.run(["--strict", "--no-error-summary", str(script)])
    assert "error" not in output
    told = pyright(tmp_path, script)
    assert [each for each in told if each["severity"] != "information"] == []
    by_mypy = re.findall(r"Revealed type is \"(.*)\"", output)
    by_pyright = [each["message"].split(" is ", 1)[1] for each in told]
    assert len(by_mypy) == len(by_pyright) == len(shown)
    for each in by_mypy + by_pyright:
        assert not re.search(r"\b(Any|Unknown)\b", re.sub(NUMPYS, "", each)), each


@pytest.mark.slow
def test_pyright_refuses_wrong_names(tmp_path: Path) -> None:
    script = Path(shutil.copy(TYPED / "wrong.py", tmp_path))
    lines = script.read_text(encoding="utf-8").splitlines()
    told = pyright(tmp_path, script)
    refused = {each["range"]["start"]["line"] for each in told if each["severity"] == "error"}
    assert refused == {number for number, line in enumerate(lines) if "type: ignore" in line}
