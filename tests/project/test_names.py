"""The names that options take: as types they are those of the tables that have the functions."""

import re
from pathlib import Path
from typing import get_args

import pytest
from mypy import api

import modern
from shadersort import names
from shadersort.drawing.devices import KINDS
from shadersort.drawing.networks import NETWORKS
from shadersort.drawing.profiles import PROFILES, THIS
from shadersort.drawing.program import METHODS
from shadersort.keys.types import PRECISIONS
from shadersort.selection import METHODS as SELECTION_METHODS
from shadersort.selection.quantile_plan import QUANTILE_METHODS

TYPED = Path(__file__).parent / "typed"


def test_every_name_has_its_type() -> None:
    for type_, table in (
        (names.NetworkName, NETWORKS),
        (names.DrawingMethod, METHODS),
        (names.SortMethod, (*METHODS, "auto")),
        (names.DeviceKind, KINDS),
        (names.DeviceName, (*KINDS, "auto")),
        (names.CardName, PROFILES),
        (names.SheetName, (*PROFILES, THIS)),
        (names.Precision, PRECISIONS),
        (names.KeysInTexel, (4, 1)),
        (names.SelectionMethod, SELECTION_METHODS),
        (names.SelectionMethod, modern.METHODS),
        (names.QuantileMethod, QUANTILE_METHODS),
    ):
        assert set(get_args(type_)) == set(table)
        assert len(get_args(type_)) == len(table)


@pytest.mark.filterwarnings("ignore")
def test_a_user_sees_no_any(tmp_path: Path) -> None:
    """`wrong.py` beside it is checked with all files: each of its lines must be refused."""
    text = (TYPED / "user.py").read_text(encoding="utf-8")
    shown = sorted(set(re.findall(r"^ *(shown\w*) = ", text, re.MULTILINE)))
    assert len(shown) > 50
    script = tmp_path / "script.py"
    script.write_text(text + "".join(f"reveal_type({name})\n" for name in shown), encoding="utf-8")
    output, _, _ = api.run(["--strict", "--no-error-summary", str(script)])
    revealed = re.findall(r"Revealed type is \"(.*)\"", output)
    assert len(revealed) == len(shown), output
    assert "error" not in output
    assert "Any" not in revealed
