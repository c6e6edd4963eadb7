"""What a user's session shows: one short line for each value, and a small table in a notebook."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any

import numpy as np
import pytest

import modern
import shadersort as ss

KEYS = np.random.default_rng(5).random(1000, np.float32)


def traced() -> ss.Trace:
    return ss.trace(KEYS, network="odd-even-merge", method="fragment", device="software")


def selected(ks: list[int]) -> Any:
    return modern.multiselect(KEYS, ks, method="bucket", return_trace=True)[1]


VALUES: dict[str, Callable[[], Any]] = {
    "profile": lambda: ss.PROFILES["geforce-6800-ultra"],
    "network": lambda: ss.network("odd-even-merge", 1 << 20),
    "program": lambda: ss.compile(ss.network("pbsn", 1 << 16), 256, 256, "blend"),
    "traced pass": lambda: traced()[-1],
    "selection": lambda: selected([3]),
    "histogram": lambda: ss.Histogram(ss.QuantileSummary(0.01).update(KEYS)),
    "last values": lambda: ss.SlidingQuantiles(0.01, 500).update(KEYS).last(100),
    "nothing yet": lambda: ss.SlidingQuantiles(0.01, 500).last(100),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_one_short_line_and_a_small_table(name: str) -> None:
    value = VALUES[name]()
    line, page = repr(value), value._repr_html_()
    assert line.startswith(f"<{type(value).__name__}: ")
    assert line.endswith(">")
    assert "\n" not in line
    assert len(line) <= 100
    assert len(page) < 4_000
    assert set(re.findall(r"<(\w+)", page)) <= {"b", "table", "tr", "th", "td"}
    assert unescape(page).startswith(f"<b>{line[1:-1]}</b>")


def test_what_is_not_ours_is_escaped() -> None:
    hostile = "<script>alert('x')</script>&\"" * 3
    card = replace(ss.PROFILES["geforce-6800-ultra"], name=hostile, title=hostile)
    network = replace(ss.network("pbsn", 8), name=hostile)
    program = replace(ss.compile(ss.network("pbsn", 8), 2, 4, "blend"), network=network)
    for value in (card, network, program):
        page = value._repr_html_()
        assert "<script" not in page
        assert hostile in unescape(page)


def test_long_tables_say_what_they_leave_out() -> None:
    assert "388 more steps" in ss.network("pbsn", 1 << 20)._repr_html_()
    assert "…" not in ss.network("bitonic", 8)._repr_html_()
