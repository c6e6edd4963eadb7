"""HierarchicalHeavyHitters: coverage and accuracy, against what an exact computation says."""

from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.errors import (
    BadOption,
    EmptyInput,
    SummariesDiffer,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.streams import HierarchicalHeavyHitters, ipv4_numbers
from shadersort.streams.hierarchies.prefixes import Hierarchy, named_hierarchy, parse_address
from tests.soaking import SEED
from tests.streams.adversaries import ADVERSARIES, STREAMS, draws
from tests.streams.exact import merged

Prefix = tuple[int, int]
"""Its length, and the number of its digits."""

SHAPES: tuple[tuple[str, int | None, int | None], ...] = (
    ("ipv4", None, 8),
    ("ipv4", None, 1),
    ("ipv4", None, 5),
    ("ipv4", None, 32),
    ("bits", 64, 64),
    ("bits", 40, 7),
    ("bits", 64, 16),
    ("bits", 9, 1),
)


def summary_of(
    stream: Any, epsilon: float = 0.1, shape: tuple[str, int | None, int | None] = SHAPES[0]
) -> HierarchicalHeavyHitters:
    summary = HierarchicalHeavyHitters(epsilon, shape[0], digits=shape[1], step=shape[2])
    summary.update(stream)
    return summary


def shape_of(summary: HierarchicalHeavyHitters) -> Hierarchy:
    shape = summary.hierarchy
    assert isinstance(shape, Hierarchy)
    return shape


def exact_counts(shape: Hierarchy, stream: Keys) -> dict[Prefix, int]:
    """How often each prefix comes."""
    items, counts = np.unique(stream, return_counts=True)
    found: dict[Prefix, int] = {}
    for item, count in zip(items.tolist(), counts.tolist(), strict=True):
        for length in shape.lengths:
            prefix = length, item >> shape.digits - length
            found[prefix] = found.get(prefix, 0) + count
    return found


def exactly_unexplained(
    shape: Hierarchy, counts: dict[Prefix, int], heavy: set[Prefix] | None, often: float
) -> dict[Prefix, int]:
    """How often each prefix comes without its heavy descendants.

    With None for these, a prefix is heavy if that is `often` or more.
    """
    rest, found = dict(counts), {}
    by_length = {length: [p for p in counts if p[0] == length] for length in shape.lengths}
    for level, length in enumerate(shape.lengths):
        for prefix in by_length[length]:
            found[prefix] = rest[prefix]
            is_heavy = found[prefix] >= often if heavy is None else prefix in heavy
            for shorter in shape.lengths[level + 1 :]:
                if is_heavy:
                    rest[shorter, prefix[1] >> length - shorter] -= rest[prefix]
    return found


def next_below(shape: Hierarchy, heavy: list[Prefix]) -> dict[Prefix, int]:
    """How many heavy prefixes are the next below each; shorter ones come last."""
    below = dict.fromkeys(heavy, 0)
    for length, number in heavy:
        shorter = (each for each in shape.lengths if each < length)
        above = ((each, number >> length - each) for each in shorter)
        if parent := next((each for each in above if each in below), None):
            below[parent] += 1
    return below


def assert_heavy_within(summary: HierarchicalHeavyHitters, stream: Keys, support: float) -> None:
    shape, n, epsilon = shape_of(summary), stream.size, summary.epsilon
    counts = exact_counts(shape, stream)
    table = summary.heavy_prefixes(support)
    rows = {(row["length"].item(), row["prefix"].item()): row for row in table}
    assert len(rows) == len(table)
    unexplained = exactly_unexplained(shape, counts, set(rows), support * n)
    for prefix, rest in unexplained.items():
        assert prefix in rows or rest <= support * n, "a heavy prefix that is not reported"
    below = next_below(shape, list(rows))
    for prefix, row in rows.items():
        assert unexplained[prefix] >= (support - (below[prefix] + 1) * epsilon) * n - 1e-6
        assert counts[prefix] >= (support - epsilon) * n - 1e-6
        assert row["lower"] == row["estimate"] <= counts[prefix] <= row["upper"]
        assert row["upper"] - row["lower"] <= epsilon * n
        assert row["unexplained_lower"] <= unexplained[prefix] <= row["unexplained_upper"]
        assert row["unexplained_lower"] <= row["unexplained"] <= row["unexplained_upper"]
    order = [(-row["length"], -row["estimate"]) for row in table]
    assert order == sorted(order)
    for length in shape.lengths:
        numbers = np.array([p[1] for p in counts if p[0] == length], shape.dtype)
        exact = np.array([counts[length, number] for number in numbers.tolist()])
        lower, upper = summary.bounds(numbers, length)
        assert np.all((lower <= exact) & (exact <= upper) & (exact - lower <= epsilon * n))


def assert_frequent_within(summary: HierarchicalHeavyHitters, stream: Keys, support: float) -> None:
    """Every frequent prefix is told, whatever lies below it, and no rare one."""
    shape, n, epsilon = summary.hierarchy, stream.size, summary.epsilon
    assert isinstance(shape, Hierarchy)
    counts = exact_counts(shape, stream)
    table = summary.frequent_prefixes(support)
    rows = {(row["length"].item(), row["prefix"].item()): row for row in table}
    assert {prefix for prefix, count in counts.items() if count > support * n} <= set(rows)
    for prefix, row in rows.items():
        assert counts[prefix] >= (support - epsilon) * n - 1e-6
        assert row["lower"] == row["estimate"] <= counts[prefix] <= row["upper"]
    order = [(-row["length"], -row["estimate"]) for row in table]
    assert len(rows) == len(table)
    assert order == sorted(order)


def in_hierarchy(stream: Keys, shape: tuple[str, int | None, int | None], factor: int) -> Keys:
    """Values of any stream as items, so that they share prefixes."""
    limit = 1 << named_hierarchy(*shape).digits
    whole = np.nan_to_num(stream, nan=0, posinf=7, neginf=9) % 1_000_003
    return (whole.astype(np.uint64) * np.uint64(factor)) % np.uint64(min(limit, 1 << 63))


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_every_report_is_within_the_guarantee(name: str) -> None:
    for random, stream in draws(name, 3_000, count=STREAMS // 150):
        shape = SHAPES[random.integers(len(SHAPES))]
        items = in_hierarchy(stream, shape, int(random.choice([1, 251, 1 << 20, 10**6])))
        epsilon = random.choice([0.3, 0.1, 0.03])
        summary = summary_of(items, epsilon, shape)
        for support in (epsilon, 1.5 * epsilon, (1 + epsilon) / 2):
            assert_heavy_within(summary, items, support)
            assert_frequent_within(summary, items, support)


def test_frequent_prefixes_are_told_whatever_lies_below_them() -> None:
    summary = summary_of([0x53] * 60 + [0x50, 0x51, 0x52, 0x54] * 10, 0.01, ("bits", 8, 4))
    spelt = [summary.spelt(row) for row in summary.frequent_prefixes(0.5)]
    assert spelt == ["01010011", "0101****", "********"]
    assert [summary.spelt(row) for row in summary.heavy_prefixes(0.5)] == ["01010011"]
    assert summary.frequent_prefixes(0.5)["estimate"].tolist() == [60, 100, 100]
    with pytest.raises(BadOption):
        summary.frequent_prefixes(0.001)
    with pytest.raises(EmptyInput):
        HierarchicalHeavyHitters(0.1).frequent_prefixes(0.5)


def test_merged_parts_are_within_the_guarantee() -> None:
    for count in (2, 16):
        random = np.random.default_rng(count)
        stream = np.minimum(random.zipf(1.2, 20_000), 1 << 29) * 5
        parts = [summary_of(part, 0.02) for part in np.array_split(stream, count)]
        summary = merged(parts, random)
        assert summary.n == stream.size
        for support in (0.02, 0.05, 0.3):
            assert_heavy_within(summary, stream, support)


@settings(max_examples=30 if SEED is None else 1000)
@given(
    arrays("uint32", st.integers(1, 40), elements=st.integers(0, 999)),
    st.integers(1, 60),
    st.integers(1, 3),
    st.floats(0.02, 0.9),
)
def test_any_stream(few: Keys, repeats: int, step: int, epsilon: float) -> None:
    stream = np.tile(few, repeats)
    summary = summary_of(stream, epsilon, ("bits", 10, step))
    assert_heavy_within(summary, stream, (1 + 3 * epsilon) / 4 if epsilon < 0.5 else epsilon)


def test_where_counts_are_exact_the_report_is_too() -> None:
    random = np.random.default_rng(8)
    for seed in range(24):
        shape = SHAPES[seed % len(SHAPES)]
        stream = in_hierarchy(random.zipf(1.3, 700) % 900, shape, int(random.integers(1, 999_999)))
        summary, often = summary_of(stream, 0.001, shape), 0.1 * stream.size
        counts = exact_counts(shape_of(summary), stream)
        unexplained = exactly_unexplained(shape_of(summary), counts, None, often)
        heavy = {prefix: rest for prefix, rest in unexplained.items() if rest >= often}
        table = summary.heavy_prefixes(0.1)
        found = {(r["length"].item(), r["prefix"].item()): r["unexplained"] for r in table}
        assert found == heavy


def test_addresses() -> None:
    numbers = [f"10.1.{i}.{j}" for i in range(30) for j in range(30)]
    stream = ipv4_numbers([*numbers, *["192.168.0.1"] * 900, *["192.168.0.9"] * 200])
    summary = summary_of(stream, 0.001)
    told = [(summary.spelt(row), int(row["unexplained"])) for row in summary.heavy_prefixes(0.2)]
    assert told == [("192.168.0.1/32", 900), ("10.1.0.0/16", 900)]
    table = summary.heavy_prefixes(0.1)
    assert [summary.spelt(row) for row in table][:2] == ["192.168.0.1/32", "192.168.0.9/32"]
    assert summary.estimate(ipv4_numbers(["192.168.0.9"]), 32).tolist() == [200]
    assert summary.estimate(192 * 256 + 168, 16) == 1_100
    assert summary.estimate(0, 0) == summary.n
    for bad in ("10.1.2", "10.1.2.256", "", "::1"):
        with pytest.raises(UnsupportedKeys):
            ipv4_numbers([bad])


def test_prefixes_in_writing() -> None:
    assert named_hierarchy("bits", 8).spelt(0b101, 4) == "0101****"
    assert named_hierarchy("bits", 8).spelt(0, 0) == "********"
    assert named_hierarchy("ipv4").spelt(0, 0) == "0.0.0.0/0"


def test_items_of_as_many_digits_as_there_can_be() -> None:
    most = (1 << 64) - 1
    summary = summary_of(np.array([most, most, 0], np.uint64), 0.1, ("bits", None, None))
    assert summary.heavy_prefixes(0.5)["prefix"].tolist()[0] == most
    summary = summary_of([99], 0.1, ("bits", 8, 1))
    before = summary.to_bytes()
    for bad in (256, -1, 0.5, [3, 300], np.nan, "1"):
        with pytest.raises(UnsupportedKeys):
            summary.update(bad)
    assert summary.to_bytes() == before


def test_space_is_within_its_bound() -> None:
    for epsilon in (0.1, 0.01, 0.001):
        random = np.random.default_rng(9)
        summary = HierarchicalHeavyHitters(epsilon)
        windows = 50
        summary.update(np.minimum(random.zipf(1.1, windows * summary.window), (1 << 32) - 1))
        assert len(summary) <= 5 / epsilon * (1 + np.log(windows))


def test_options_that_are_not() -> None:
    for options in (
        ("words", None, None),
        ("ipv4", 16, None),
        ("ipv4", None, 33),
        ("bits", 65, None),
        ("bits", 0, None),
        ("bits", 5, 0),
        ("bits", 5.0, 1),
        ("bits", True, 1),
        ("ip", None, 129),
        ("ip", 64, None),
    ):
        with pytest.raises(BadOption):
            summary_of([], 0.1, options)  # type: ignore[arg-type]
    summary = summary_of([1])
    with pytest.raises(BadOption):
        summary.estimate(1, 31)
    with pytest.raises(BadOption):
        summary.heavy_prefixes(0.01)
    with pytest.raises(EmptyInput):
        summary_of([]).heavy_prefixes(0.5)
    with pytest.raises(SummariesDiffer):
        summary.merge(summary_of([1], 0.1, ("ipv4", None, 4)))


def networks_of(text: str, step: int) -> list[str]:
    """An address and its networks, the shortest last."""
    address = ip_address(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    of_ipv6 = sorted({*range(128, 95, -8), *range(0, 129, step), 0}, reverse=True)
    if address.version == 6:
        return [str(ip_network((address, length), strict=False)) for length in of_ipv6]
    mapped = IPv6Address(bytes(10) + b"\xff\xff" + address.packed)
    short = (ip_network((mapped, length), strict=False) for length in of_ipv6 if length < 96)
    long = (ip_network((address, length), strict=False) for length in range(32, -1, -8))
    return [str(each) for each in (*long, *short)]


def addresses(random: np.random.Generator, count: int) -> list[str]:
    """Addresses of both versions, written in several ways."""
    numbers = (random.zipf(1.2, count) % 3_001).tolist()
    ways = (
        lambda i: f"10.{i % 5}.{i % 7}.{i % 250}",
        lambda i: str(IPv6Address((0x20010DB8 << 96) + (i % 9 << 70) + i)),
        lambda i: IPv6Address((0x20010DB8 << 96) + (i % 9 << 70) + i).exploded.upper(),
        lambda i: f"::ffff:10.0.0.{i % 9}",
    )
    return [
        ways[int(way)](i) for way, i in zip(random.integers(4, size=count), numbers, strict=True)
    ]


@pytest.mark.parametrize("step", [16, 128])
def test_addresses_of_both_versions(step: int) -> None:
    stream = addresses(np.random.default_rng(step), 4_000)
    chains = {text: networks_of(text, step) for text in set(stream)}
    exact = Counter(prefix for text in stream for prefix in chains[text])
    summary = HierarchicalHeavyHitters(0.02, "ip", step=step).update(stream[:2_500])
    summary = summary + HierarchicalHeavyHitters(0.02, "ip", step=step).update(
        np.array(stream[2_500:])
    )
    assert HierarchicalHeavyHitters.from_bytes(summary.to_bytes()) == summary
    rows = {row["prefix"]: row for row in summary.heavy_prefixes(0.1)}
    unexplained: Counter[str] = Counter()
    for text in stream:
        heavy = [place for place, prefix in enumerate(chains[text]) if prefix in rows]
        unexplained.update(chains[text][: heavy[0] + 1] if heavy else chains[text])
    assert all(prefix in rows or rest <= 400 for prefix, rest in unexplained.items())
    for prefix, row in rows.items():
        assert row["lower"] <= exact[prefix] <= row["upper"] <= row["lower"] + 80
        assert row["unexplained_lower"] <= unexplained[prefix] <= row["unexplained_upper"]
        assert summary.spelt(row) == prefix
    prefixes = list(exact)
    lower, upper = summary.bounds(prefixes)
    counts = np.array([exact[prefix] for prefix in prefixes])
    assert np.all((lower <= counts) & (counts <= upper) & (upper <= lower + 80))


def test_addresses_that_are_packed_or_none() -> None:
    packed = np.frombuffer(b"".join(map(parse_address, ["10.0.0.1", "::1"])), "V16")  # type: ignore[arg-type]
    summary = HierarchicalHeavyHitters(0.1, "ip").update(packed)
    summary.update(["10.0.0.1"], weights=[8])
    assert summary.estimate(["10.0.0.1", "::1", "10.0.0.0/8", "::/0"]).tolist() == [9, 1, 9, 10]
    before = summary.to_bytes()
    for bad in (["10.0.0.1", "fe80::1%eth0"], "10.0.0.256", "01.2.3.4", [None], 7, np.arange(3)):
        with pytest.raises(UnsupportedKeys, match=r"address|text"):
            summary.update(bad)
    assert summary.to_bytes() == before
    for bad in ("10.0.0.0/7", "10.0.0.1/8", "all"):
        with pytest.raises(BadOption):
            summary.estimate(bad)
