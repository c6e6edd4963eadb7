"""HierarchicalHeavyHitters: coverage and accuracy, against what an exact computation says."""

from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import numpy as np
import pytest

from shadersort.errors import BadOption, EmptyInput, SummariesDiffer, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.streams import HierarchicalHeavyHitters, ipv4_numbers
from shadersort.streams.hierarchies.prefixes import Hierarchy, named_hierarchy, parse_address

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
    name, digits, step = shape
    return HierarchicalHeavyHitters(epsilon, name, digits=digits, step=step).update(stream)


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
    shape: Hierarchy, counts: dict[Prefix, int], heavy: set[Prefix]
) -> dict[Prefix, int]:
    """How often each prefix comes without its heavy descendants."""
    rest, found = dict(counts), {}
    by_length = {length: [p for p in counts if p[0] == length] for length in shape.lengths}
    for level, length in enumerate(shape.lengths):
        for prefix in by_length[length]:
            found[prefix] = rest[prefix]
            for shorter in shape.lengths[level + 1 :]:
                if prefix in heavy:
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
    shape: Any = summary.hierarchy
    n, epsilon = stream.size, summary.epsilon
    counts = exact_counts(shape, stream)
    rows = rows_within(summary, summary.heavy_prefixes(support), counts, support)
    unexplained = exactly_unexplained(shape, counts, set(rows))
    for prefix, rest in unexplained.items():
        assert prefix in rows or rest <= support * n, "a heavy prefix that is not reported"
    below = next_below(shape, list(rows))
    for prefix, row in rows.items():
        assert unexplained[prefix] >= (support - (below[prefix] + 1) * epsilon) * n - 1e-6
        assert row["unexplained_lower"] <= unexplained[prefix] <= row["unexplained_upper"]
        assert row["unexplained_lower"] <= row["unexplained"] <= row["unexplained_upper"]
    for length in shape.lengths:
        numbers = np.array([p[1] for p in counts if p[0] == length], shape.dtype)
        exact = np.array([counts[length, number] for number in numbers.tolist()])
        lower, upper = summary.bounds(numbers, length)
        assert np.all((lower <= exact) & (exact <= upper) & (exact - lower <= epsilon * n))
    often = rows_within(summary, summary.frequent_prefixes(support), counts, support)
    assert {prefix for prefix, count in counts.items() if count > support * n} <= set(often)


def rows_within(
    summary: HierarchicalHeavyHitters, table: Keys, counts: dict[Prefix, int], support: float
) -> dict[Prefix, Any]:
    """The rows of a table by prefix: none is rare, in the right order, with right bounds."""
    rows = {(each["length"].item(), each["prefix"].item()): each for each in table}
    assert len(rows) == len(table)
    for prefix, row in rows.items():
        assert counts[prefix] >= (support - summary.epsilon) * summary.n - 1e-6
        assert row["lower"] == row["estimate"] <= counts[prefix] <= row["upper"]
        assert row["upper"] - row["lower"] <= summary.epsilon * summary.n
    order = [(-row["length"], -row["estimate"]) for row in table]
    assert order == sorted(order)
    return rows


def in_hierarchy(
    stream: Keys, shape: tuple[str, int | None, int | None], factor: int, different: int = 1_000_003
) -> Keys:
    """Values of any stream as a number of items, so that they share prefixes."""
    limit = 1 << named_hierarchy(*shape).digits
    whole = np.nan_to_num(stream, nan=0, posinf=7, neginf=9) % different
    return (whole.astype(np.uint64) * np.uint64(factor)) % np.uint64(min(limit, 1 << 63))


def test_addresses() -> None:
    numbers = [f"10.1.{i}.{j}" for i in range(30) for j in range(30)]
    stream = ipv4_numbers([*numbers, *["192.168.0.1"] * 900, *["192.168.0.9"] * 200])
    summary = summary_of(stream, 0.001)
    told = [(summary.spelt(row), int(row["unexplained"])) for row in summary.heavy_prefixes(0.2)]
    assert told == [("192.168.0.1/32", 900), ("10.1.0.0/16", 900)]
    spelt = [summary.spelt(row) for row in summary.heavy_prefixes(0.1)]
    assert spelt[:2] == ["192.168.0.1/32", "192.168.0.9/32"]
    assert summary.estimate(ipv4_numbers(["192.168.0.9"]), 32).tolist() == [200]
    assert (summary.estimate(192 * 256 + 168, 16), summary.estimate(0, 0)) == (1_100, summary.n)
    assert named_hierarchy("ipv4").spelt(0, 0) == "0.0.0.0/0"
    for bad in ("10.1.2", "10.1.2.256", "", "::1"):
        with pytest.raises(UnsupportedKeys):
            ipv4_numbers([bad])


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
        *(("words", None, None), ("ipv4", 16, None), ("ipv4", None, 33), ("bits", 65, None)),
        *(("bits", 0, None), ("bits", 5, 0), ("bits", 5.0, 1), ("bits", True, 1)),
        *(("ip", None, 129), ("ip", 64, None)),
    ):
        with pytest.raises(BadOption):
            summary_of([], 0.1, options)  # type: ignore[arg-type]
    summary = summary_of([1])
    with pytest.raises(BadOption):
        summary.estimate(1, 31)
    for ask in ("heavy_prefixes", "frequent_prefixes"):
        with pytest.raises(BadOption):
            getattr(summary, ask)(0.01)
        with pytest.raises(EmptyInput):
            getattr(summary_of([]), ask)(0.5)
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
    parts = stream[:2_500], np.array(stream[2_500:])
    one, other = (summary_of(part, 0.02, ("ip", None, step)) for part in parts)
    summary = one + other
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
