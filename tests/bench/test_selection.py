"""The benchmark of selection with NumPy checks, measures, refuses and tells."""

from dataclasses import replace

import pytest

from bench import selection
from bench.shared.record import Row, told
from shadersort.errors import OutlierOutOfRange, TooManyKeys
from shadersort.names import SelectionMethod
from shadersort.selection import METHODS
from shadersort.selection.selection import Selection
from tests.bench.helpers import options_of


def rows_of(words: str) -> list[Row]:
    few = "--power 6 --data normal --seconds 0 "
    return list(selection.measurements(options_of(selection.main, few + words)))


def test_every_method_beside_numpy() -> None:
    rows = rows_of("--outlier 1e9")
    first = rows[: len(rows) // 2]
    assert [row["method"] for row in first] == ["np.partition", "np.sort", *METHODS]
    assert {row["data"] for row in rows} == {"normal", "normal, 1e+09"}
    ran = {row["method"]: row for row in first}
    assert ran["sort-choose"]["read"] == 7.016  # 6 for the sort, a proof, and one key of 64
    assert ran["radix-inplace"]["written"] == 0
    assert ran["auto"]["ran"] == "sort-choose"
    assert all(row["ms"] > 0 for row in rows if row["method"] != "quasi-newton")


def test_what_refuses_so_many_keys_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    method: SelectionMethod = "quickselect-serial"
    monkeypatch.setitem(METHODS, method, replace(METHODS[method], one=_refusing))
    *_, row = rows_of(f"--method {method}")
    assert (row["method"], row["ms"], row["why"]) == (method, None, "too many keys")
    assert told(row).endswith("too many keys")


def _refusing(run: Selection) -> None:
    raise TooManyKeys("64 keys")


def test_many_ranks_together() -> None:
    *_, row = rows_of("--ranks 11 --method bucket")
    assert (row["method"], row["ranks"], row["keys"]) == ("bucket", 11, 64)


def test_types_that_a_data_set_has_not_are_left_out() -> None:
    assert not rows_of("--dtype int32")
    with pytest.raises(OutlierOutOfRange):
        rows_of("--outlier 1e300")
