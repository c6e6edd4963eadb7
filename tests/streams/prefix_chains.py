"""Items of text with their prefixes in plain Python, and what a summary may say of them."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import numpy as np

from shadersort.streams import HierarchicalHeavyHitters

Chain = Callable[[str], list[str]]
"""Returns an item and its prefixes as text, the shortest last."""


@cache
def networks_of(text: str, step: int) -> list[str]:
    address = ip_address(text)
    lengths = range(32, 0, -8) if address.version == 4 else range(128, 0, -step)
    return [*(str(ip_network((address, each), strict=False)) for each in (*lengths, 0)), "all"]


def endpoints_of(text: str) -> list[str]:
    host, _, port = text.rpartition(":")
    networks = networks_of(host.strip("[]"), 16)
    shown = networks[0].partition("/")[0]
    return [f"[{shown}]:{int(port)}" if ":" in shown else f"{shown}:{int(port)}", *networks]


def directories_of(text: str, depth: int) -> list[str]:
    if bare := re.match(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*(?![^?#])", text, re.DOTALL):
        text = bare[0] + "/" + text[bare.end() :]
    path = re.split("[?#]", text, maxsplit=1)[0]
    scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path)
    begin = scheme.end() if scheme else 0
    ends = [begin + each.end() for each in re.finditer("/", path[begin:])][: depth + 1]
    found = dict.fromkeys([text, path, *(path[:end] for end in reversed(ends)), ""])
    return list(found)


CHAINS: dict[str, tuple[dict[str, Any], Chain]] = {
    "ip": ({}, lambda text: networks_of(text, 16)),
    "ip in nibbles": ({"step": 20}, lambda text: networks_of(text, 20)),
    "ip in one step": ({"step": 128}, lambda text: networks_of(text, 128)),
    "endpoint": ({}, endpoints_of),
    "path": ({}, lambda text: directories_of(text, 8)),
    "path, two deep": ({"depth": 2}, lambda text: directories_of(text, 2)),
}


def addresses(random: np.random.Generator, count: int) -> list[str]:
    """Addresses of both versions, written in several ways."""
    numbers = (random.zipf(1.2, count) % 3_001).tolist()
    ways = (
        lambda i: f"10.{i % 5}.{i % 7}.{i % 250}",
        lambda i: f"192.168.{i % 256}.1",
        lambda i: str(IPv6Address((0x20010DB8 << 96) + (i % 9 << 70) + i)),
        lambda i: IPv6Address((0x20010DB8 << 96) + (i % 9 << 70) + i).exploded.upper(),
        lambda i: f"::ffff:10.0.0.{i % 9}",
    )
    return [
        ways[int(way)](i) for way, i in zip(random.integers(5, size=count), numbers, strict=True)
    ]


def items(name: str, random: np.random.Generator, count: int) -> list[str]:
    """A stream for a hierarchy, whose items share prefixes."""
    numbers = (random.zipf(1.2, count) % 3_001).tolist()
    if name.startswith("path"):
        parts = ("shop", "é", "a b", "x.html", "", "img")
        return [
            ("https://example.org" if i % 3 == 0 else "")
            + "".join("/" + parts[i * k % 6] for k in range(i % 12))
            + (f"?id={i}" if i % 4 == 1 else "/" if i % 5 == 2 else "")
            or "/"
            for i in numbers
        ]
    hosts = addresses(random, count)
    if name != "endpoint":
        return hosts
    return [
        f"[{host}]:{i % 9}" if ":" in host else f"{host}:{i % 9}"
        for host, i in zip(hosts, numbers, strict=True)
    ]


def assert_heavy_within(
    summary: HierarchicalHeavyHitters, stream: list[str], chain: Chain, support: float
) -> None:
    n, epsilon, table = len(stream), summary.epsilon, summary.heavy_prefixes(support)
    rows = {row["prefix"]: row for row in table}
    assert len(rows) == len(table)
    counted = Counter(stream)
    chains = {item: chain(item) for item in counted}
    above = {p: c[i + 1 :] for c in chains.values() for i, p in enumerate(c)}
    exact, unexplained, below = Counter[str](), Counter[str](), Counter[str]()
    for item, count in counted.items():
        exact.update(dict.fromkeys(chains[item], count))
        longest = [i for i, prefix in enumerate(chains[item]) if prefix in rows]
        reached = chains[item][: longest[0] + 1] if longest else chains[item]
        unexplained.update(dict.fromkeys(reached, count))
    for prefix in rows:
        below.update([p for p in above[prefix] if p in rows][:1])
    for prefix, rest in unexplained.items():
        assert prefix in rows or rest <= support * n, "a heavy prefix that is not reported"
    for prefix, row in rows.items():
        assert row["length"] == len(above[prefix])
        assert unexplained[prefix] >= (support - (below[prefix] + 1) * epsilon) * n - 1e-6
        assert row["lower"] == row["estimate"] <= exact[prefix] <= row["upper"]
        assert row["upper"] - row["lower"] <= epsilon * n
        assert row["unexplained_lower"] <= unexplained[prefix] <= row["unexplained_upper"]
        assert not prefix.isprintable() or summary.spelt(row) == (prefix or "all")
    order = [(-row["length"], -row["estimate"]) for row in table]
    assert order == sorted(order)
    prefixes = list(exact)
    prefixes = [*rows, *prefixes[:: 1 + len(prefixes) // 2_000]]
    lower, upper = summary.bounds(prefixes)
    counts = np.array([exact[each] for each in prefixes])
    assert np.all((lower <= counts) & (counts <= upper) & (counts - lower <= epsilon * n))
