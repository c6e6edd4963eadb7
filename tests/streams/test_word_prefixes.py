"""HierarchicalHeavyHitters of addresses, endpoints and paths, beside exact counts in Python."""

import re
from collections.abc import Iterator
from ipaddress import IPv6Address
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shadersort.errors import (
    BadOption,
    CorruptSummary,
    KeysNotFlat,
    SummariesDiffer,
    UnsupportedKeys,
)
from shadersort.keys.reading.words import Words
from shadersort.streams import HierarchicalHeavyHitters
from shadersort.streams.address_words import ipv6_bytes
from shadersort.streams.blob import Blob, pack, unpack
from shadersort.streams.prefix_trees import numbers_of
from shadersort.streams.word_items import WordItems
from tests.streams.exact import merged
from tests.streams.prefix_chains import (
    CHAINS,
    assert_heavy_within,
    directories_of,
    items,
    networks_of,
)


def empty(name: str, epsilon: float) -> HierarchicalHeavyHitters:
    return HierarchicalHeavyHitters(epsilon, re.split("[ ,]", name)[0], **CHAINS[name][0])


@pytest.mark.parametrize("name", CHAINS)
def test_every_report_is_within_the_guarantee(name: str) -> None:
    for seed, (epsilon, count) in enumerate([(0.1, 3_000), (0.02, 40_000), (0.005, 35_000)]):
        stream = items(name, np.random.default_rng([16, seed]), count)
        summary = empty(name, epsilon).update(stream)
        for support in (epsilon, 3 * epsilon, 0.5):
            assert_heavy_within(summary, stream, CHAINS[name][1], support)


@pytest.mark.parametrize("name", CHAINS)
def test_merged_parts_are_within_the_guarantee(name: str) -> None:
    for count in (2, 7):
        random = np.random.default_rng(count)
        stream = items(name, random, 50_000)
        parts = [empty(name, 0.02).update(stream[i::count]) for i in range(count)]
        stream = [item for i in range(count) for item in stream[i::count]]
        summary = merged(parts, random)
        assert summary.n == len(stream)
        for support in (0.02, 0.3):
            assert_heavy_within(summary, stream, CHAINS[name][1], support)


few_addresses = st.lists(
    st.one_of(
        st.ip_addresses(v=4, network="10.0.0.0/28").map(str),
        st.ip_addresses(v=6, network="2001:db8::/124").map(str),
        st.ip_addresses(v=6, network="2001:db8::/124").map(lambda each: each.exploded),
        st.ip_addresses().map(str),
    ),
    min_size=1,
    max_size=30,
)
few_paths = st.lists(
    st.one_of(
        st.text("/ab?#:.é\x00", min_size=1, max_size=14),
        st.text("/ab?#:", max_size=9).map("http://".__add__),
        st.lists(st.sampled_from(["a", "b", "", "?", "x#y"]), max_size=12).map(
            lambda parts: "/" + "/".join(parts)
        ),
    ),
    min_size=1,
    max_size=30,
)


@given(few_addresses, st.integers(1, 128), st.integers(1, 9), st.floats(0.02, 0.9))
def test_any_addresses(few: list[str], step: int, repeats: int, epsilon: float) -> None:
    summary = HierarchicalHeavyHitters(epsilon, "ip", step=step).update(few * repeats)
    support = (1 + 3 * epsilon) / 4
    assert_heavy_within(summary, few * repeats, lambda text: networks_of(text, step), support)
    assert summary.copy() == summary


@given(few_paths, st.integers(1, 12), st.integers(1, 9), st.floats(0.02, 0.9))
@example(["http://:?/", "http://", "http:///", "//", "?", "#/", "a:/"], 1, 1, 0.1)
def test_any_paths(few: list[str], depth: int, repeats: int, epsilon: float) -> None:
    summary = HierarchicalHeavyHitters(epsilon, "path", depth=depth).update(few * repeats)
    support = (1 + 3 * epsilon) / 4
    assert_heavy_within(summary, few * repeats, lambda text: directories_of(text, depth), support)
    assert summary.copy() == summary


@given(st.lists(st.one_of(st.ip_addresses(v=6).map(str), st.text("0123:.af%G", max_size=20))))
@example(["::", "1::", "::1.2.3.4", "::1.2.3.04", "1:2:3:4:5:6:7::", "::1%1", "12345::", " ::1"])
def test_an_ipv6_word_is_what_python_says(texts: list[str]) -> None:
    found, bad = ipv6_bytes(Words.of([text.encode() for text in texts], np.arange(len(texts))))
    for text, row, wrong in zip(texts, found, bad, strict=True):
        try:
            packed = None if "%" in text else IPv6Address(text).packed
        except ValueError:
            packed = None
        assert (packed is None) == wrong
        assert wrong or row.tobytes() == packed


@pytest.mark.parametrize("name", CHAINS)
def test_only_the_order_of_items_matters(name: str) -> None:
    stream = items(name, np.random.default_rng(4), 40_000)
    whole = empty(name, 0.05).update(stream)
    assert len(whole.to_bytes()) < 400_000
    assert whole == empty(name, 0.05).update(np.array(stream)).copy()
    parts = empty(name, 0.05)
    for first in range(0, len(stream), 977):
        parts.update(stream[first : first + 977])
    assert parts == whole == empty(name, 0.05).update(iter([stream[:9], tuple(stream[9:])]))
    assert empty(name, 0.05).update(iter(stream[:99])) == empty(name, 0.05).update(stream[:99])


def test_words_that_are_not_needed_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "shadersort.streams.prefix_streams"
    monkeypatch.setattr(f"{module}.LEAST_KNOWN", 1_000)
    monkeypatch.setattr(f"{module}.CHUNK", 3_000)
    stream = [f"/{i % 7}/{i % 100}/{i}" for i in range(90_000)]
    forgetful = HierarchicalHeavyHitters(0.05, "path").update(stream)
    assert isinstance(forgetful._items, WordItems)
    assert len(forgetful._items.tree) < 3 * len(forgetful._held()) + 40_000
    monkeypatch.undo()
    assert forgetful == HierarchicalHeavyHitters(0.05, "path").update(stream)
    assert_heavy_within(forgetful, stream, lambda text: directories_of(text, 8), 0.1)


def colliding(words: Words, levels: Any) -> Any:
    """Numbers with so few bits that many words have the same."""
    numbers = numbers_of(words, levels)
    return numbers & np.uint64(0xFF00000000000007)


def test_words_with_one_number_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("prefix_trees", "word_items"):
        monkeypatch.setattr(f"shadersort.streams.{module}.numbers_of", colliding)
    random = np.random.default_rng(5)
    parts = [
        HierarchicalHeavyHitters(0.1, "path").update(items("path", random, 20_000))
        for _ in range(3)
    ]
    for part in parts:
        assert part.copy() == part
    whole = merged(parts, random)
    assert whole.copy() == whole
    for row in whole.heavy_prefixes(0.1):
        assert 0 <= row["unexplained_lower"] <= row["unexplained_upper"] <= whole.n
        assert whole.bounds(row["prefix"])[0] == row["lower"]


def test_a_failed_update_changes_nothing() -> None:
    summary = HierarchicalHeavyHitters(0.1, "ip").update(["10.0.0.1", "::1"] * 40)
    before = summary.to_bytes()

    def broken() -> Iterator[list[str]]:
        yield ["::2", "10.0.0.9"] * 30_000
        yield ["::3", "none"]

    with pytest.raises(UnsupportedKeys, match="'none' is no IPv4 or IPv6 address"):
        summary.update(broken())
    assert summary.to_bytes() == before
    assert summary.update(["::2", "::3"]).estimate(["::2", "::3", "10.0.0.9"]).tolist() == [1, 1, 0]


def test_prefixes_in_writing() -> None:
    summary = HierarchicalHeavyHitters(0.01, "ip").update("10.1.2.3")
    summary.update([b"2001:DB8:0:0::7", "2001:db8::7", "::ffff:1.2.3.4"])
    assert summary.estimate("2001:db8::7") == summary.estimate("2001:db8::7/128") == 2
    assert summary.estimate(["0.0.0.0/0", "::/0", "all", "10.0.0.0/8"]).tolist() == [1, 3, 4, 1]
    for bad in ("10.1.2.0/23", "10.1.2.3/8", "::1%eth0", "::1%eth0/128", "2001:db8::/33", "", "é"):
        with pytest.raises(BadOption):
            summary.estimate(bad)
    with pytest.raises(BadOption, match="length"):
        summary.estimate("::1", 128)
    with pytest.raises(BadOption, match="length="):
        HierarchicalHeavyHitters(0.1).update([1]).estimate(1)
    paths = HierarchicalHeavyHitters(0.01, "path").update(["/a/b?x", "http://h", b"/\xff\n"])
    assert paths.estimate(["/a/", "/a/b", "http://h/", "/", ""]).tolist() == [1, 1, 1, 2, 3]
    spelt = {paths.spelt(row): row["prefix"] for row in paths.heavy_prefixes(0.01)}
    assert spelt["/\\xff\\n"] == "/\udcff\n"
    assert paths.estimate("/\udcff\n") == 1


def test_what_is_no_item() -> None:
    for name, bad in (
        ("ip", ["", "10.0.0", "10.0.0.256", "10.0.0.1:80", "::1%1", "1:2", " ::1", "::1/128", "é"]),
        ("endpoint", ["10.0.0.1", "::1", "::1:80", "[::1]", "[10.0.0.1]:80", "10.0.0.1:65536"]),
        ("endpoint", ["10.0.0.1:", ":80", "[::1:80", "::1]:80", "10.0.0.1:8o", "[::1]:000080", ""]),
        ("path", [""]),
    ):
        for text in bad:
            with pytest.raises(UnsupportedKeys, match="is no"):
                HierarchicalHeavyHitters(0.1, name).update([text])
    summary = HierarchicalHeavyHitters(0.1, "path")
    for values in (7, [7], ["/a", 7], np.arange(3), {7}, ["/a", ["/b"]]):
        with pytest.raises(UnsupportedKeys):
            summary.update(values)
    with pytest.raises(UnsupportedKeys, match="missing"):
        summary.update(["/a"]).estimate(["/a", None])
    assert (summary.n, summary.update([None, "/a", np.nan]).nans, summary.n) == (1, 2, 2)
    summary = HierarchicalHeavyHitters(0.1, "path")
    with pytest.raises(KeysNotFlat):
        summary.update(np.array([["/a"]]))
    assert summary == HierarchicalHeavyHitters(0.1, "path").update([]).update(iter([]))


def test_options_that_are_not() -> None:
    for name, options in (
        ("ip", {"digits": 128}),
        ("ip", {"step": 0}),
        ("ip", {"step": 129}),
        ("endpoint", {"depth": 3}),
        ("path", {"step": 8}),
        ("path", {"depth": 65}),
        ("path", {"depth": True}),
        ("ipv4", {"depth": 3}),
    ):
        with pytest.raises(BadOption):
            HierarchicalHeavyHitters(0.1, name, **options)
    one, other = (HierarchicalHeavyHitters(0.1, "ip", step=step) for step in (8, 16))
    with pytest.raises(SummariesDiffer):
        one.merge(other)


@pytest.mark.parametrize("name", ["ip in nibbles", "path"])
def test_words_that_do_not_belong_to_a_summary_are_refused(name: str) -> None:
    summary = empty(name, 0.1).update(items(name, np.random.default_rng(1), 200))
    blob = unpack(summary.to_bytes())
    words, ends = blob.arrays["words"], blob.arrays["ends"]
    bare = np.frombuffer(b"http://h", np.uint8)
    for changed in (
        {"words": words[:-1]},
        {"words": np.append(words, words[-1:])},
        {"words": words ^ np.uint8(1)},
        {"words": words[::-1]},
        {"words": words[: ends[-2]], "ends": ends[:-1]},
        {"words": np.append(words, bare), "ends": np.append(ends, ends[-1] + len(bare))},
        {"ends": ends[::-1]},
        {"ends": ends + 1},
        {"ends": np.maximum(ends - 1, 0)},
        {"waiting": blob.arrays["waiting"] + np.uint64(1)},
        {"waiting": blob.arrays["waiting"][::-1] ^ np.uint64(1 << 60)},
        {"words": words.astype(np.int8)},
    ):
        with pytest.raises(CorruptSummary):
            HierarchicalHeavyHitters.from_bytes(
                pack(Blob(blob.kind, blob.parameters, {**blob.arrays, **changed}))
            )
