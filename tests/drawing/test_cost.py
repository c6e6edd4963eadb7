"""The model of cost, held to what the paper says (SIGMOD 2005; sections 3.3, 4.5 and 6)."""

from dataclasses import astuple, fields, replace
from functools import partial
from itertools import chain
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shadersort as ss
from shadersort import errors
from shadersort.drawing.compile import build
from shadersort.drawing.cost.estimate import Cost, estimate, price
from shadersort.drawing.cost.profiles import PROFILES, Cycles, Quantity, card, memory_bandwidth
from shadersort.drawing.networks import bitonic
from shadersort.drawing.passes import texture_size, window_texels
from shadersort.drawing.program import Program
from shadersort.names import DrawingMethod, NetworkName, SortMethod
from tests.helpers import WAYS

CARD = PROFILES["geforce-6800-ultra"]
ROOMY = replace(
    CARD,
    render_targets=Quantity(8, "textures", "a test"),
    compute_shaders=Quantity(True, "", "a test"),
)
"""The same, but it can draw by every method."""
M = 1 << 20


@pytest.mark.parametrize(("network", "method"), WAYS)
def test_what_is_priced_is_what_runs(
    software: ss.Device, monkeypatch: pytest.MonkeyPatch, network: NetworkName, method: SortMethod
) -> None:
    """Passes, quads and texels are those of the program that `sort` hands to a device.

    The merge on the card is two more stages of comparators, and no comparisons on the CPU.
    """
    drawn: list[Program] = []
    execute = software.execute

    def watch(program: Program, *arguments: Any, **options: Any) -> ss.Texture:
        drawn.append(program)
        return execute(program, *arguments, **options)

    monkeypatch.setattr(software, "execute", watch)
    ways: Any = {"network": network, "method": method}
    for n in (0, 1, 5, 8, 64, 1000, 1024):
        costs = []
        for merge in ("host", "device"):
            ss.sort(np.zeros(n, np.float32), device=software, merge=merge, **ways)
            costs.append(cost := estimate(n, profile=ROOMY, merge=merge, **ways))
            program = drawn.pop()
            assert (cost.passes, cost.texels) == (len(program.passes), program.texels)
            assert cost.quads == sum(quads.count for each in program.passes for quads in each.quads)
        paper, merged = costs
        if n in (8, 64, 1024):  # section 4.5: n + n log²(n/4)
            assert network != "pbsn" or paper.comparisons == n + n * int(log2(n / 4)) ** 2
            assert merged.comparisons == paper.comparisons - n + n * (2 * (int(log2(n)) - 2) + 3)
            assert merged.gpu_seconds > paper.gpu_seconds
            assert merged.transfer_seconds == paper.transfer_seconds
    alone = partial(estimate, M, profile=ROOMY, keys_in_texel=1, **ways)
    assert alone(merge="device") == alone()


def test_cycles_of_a_blend() -> None:
    """Section 4.5: 6 to 7; the memory needs 4.4 of them for its 24 bytes."""
    n = 8 * M
    blends = n // 4 * 21**2
    copies = blends
    copy = 16 / (88 / 16)
    assert estimate(n).cycles == pytest.approx((blends * 6.5 + copies * copy) / 16)
    slow = replace(CARD, memory_bandwidth=Quantity(88 * 400e6 / 2, "bytes/s", "half as much"))
    assert estimate(n, profile=slow).cycles == pytest.approx(
        (blends * 2 * 24 / 5.5 + copies * 2 * copy) / 16
    )


def test_one_key_in_a_texel() -> None:
    """The same passes over four times the texels, of one channel, and no merge."""
    options: dict[str, Any] = {"network": "bitonic", "method": "fragment", "precision": "float16"}
    one, four = estimate(4 * M, **options, keys_in_texel=1), estimate(16 * M, **options)
    for part in ("passes", "quads", "texels", "cycles", "gpu_seconds"):
        assert getattr(one, part) == getattr(four, part)
    for part in ("bytes_read", "bytes_written", "transfer_seconds"):
        assert getattr(one, part) == pytest.approx(getattr(four, part) / 4)
    assert one.comparisons == 2 * bitonic(4 * M).comparator_count


def test_thirty_two_million_values_fit() -> None:
    """Section 6.1: the most that 512 MB hold, with 32-bit textures. Halves: twice as many."""
    estimate(32 * M, method="fragment")
    with pytest.raises(
        errors.ProfileLimit, match=r"geforce-6800-ultra has 536,870,912 bytes of memory"
    ):
        estimate(32 * M + 1, method="fragment")
    estimate(64 * M)
    with pytest.raises(errors.ProfileLimit, match="at most 4096 × 4096 texels, not 4096 × 8192"):
        estimate(64 * M + 1)


@settings(max_examples=25)
@given(st.lists(st.sampled_from([0, 3, 100, 5000]), max_size=4))
def test_costs_add_up(sizes: list[int]) -> None:
    costs = [estimate(n, network="bitonic") for n in sizes]
    total = sum(costs, Cost())
    assert astuple(total) == pytest.approx(
        tuple(map(sum, zip(*map(astuple, [Cost(), *costs]), strict=True)))
    )
    assert total.seconds == pytest.approx(sum(cost.seconds for cost in costs))
    if costs:
        assert sum(costs) == total


@settings(max_examples=25)
@given(n=st.integers(0, 1 << 22), way=st.sampled_from(WAYS))
def test_padding_is_paid_for(n: int, way: tuple[NetworkName, SortMethod]) -> None:
    """n keys cost what the next full texture costs, and never less than fewer keys."""
    network, method = way
    price_of = partial(estimate, network=network, method=method, profile=ROOMY)
    cost = price_of(n)
    assert cost == price_of(4 * window_texels(n))
    assert cost.seconds <= price_of(2 * n + 1).seconds


@given(p=st.integers(6, 22), network=st.sampled_from(["pbsn", "bitonic"]))
def test_butterflies_read_and_write_less(p: int, network: NetworkName) -> None:
    """A pass of eight layers reads each texel once, or twice where a step is folded."""
    program = build(ss.network(network, 1 << p), *texture_size(1 << p), "fused")
    cost = price(program, ROOMY, np.dtype(np.float32))
    written = 16 * len(program.passes) << p
    assert cost.bytes_written == written
    reads = [2 if len(each.steps) == 4 else 1 for each in program.passes[:-1]]
    reads.append(8 * (2 if len(program.passes[-1].steps) == 4 else 1))
    assert cost.bytes_read == 16 * sum(reads) << p


def test_bad_input() -> None:
    with pytest.raises(errors.BadOption, match="merge is 'host' or 'device' here, not 'auto'"):
        estimate(8, merge="auto")  # type: ignore[arg-type]
    with pytest.raises(errors.ProfileLimit, match="draws into at most 4 textures at once, not 8"):
        estimate(M, method="fused")
    assert estimate(np.int64(1000)) == estimate(1000)
    assert 2 * estimate(M, precision="uint8").transfer_seconds == estimate(M).transfer_seconds
    refused: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (-1, {}, ValueError, "-1 keys"),
        (1.5, {}, TypeError, "integer"),
        (8, {"network": "bubble"}, errors.UnknownName, "bubble"),
        (8, {"method": "magic"}, errors.UnknownName, "magic"),
        (8, {"precision": "float64"}, errors.UnknownName, "'float32' or 'uint8'"),
        (8, {"profile": "voodoo2"}, errors.UnknownName, "'geforce-6800-ultra'"),
    ]
    for n, options, error, says in refused:
        with pytest.raises(error, match=says):
            estimate(n, **options)
    with pytest.raises(TypeError):
        Cost() + 1  # type: ignore[operator]


def test_auto_is_the_fastest_method_of_the_card() -> None:
    """Floats of 32 bits are compared, because the card cannot blend them."""
    ways: list[tuple[Any, DrawingMethod, Any]] = [
        (CARD, "blend", None),
        (ROOMY, "compute", None),
        (CARD, "fragment", "float32"),
    ]
    for sheet, method, precision in ways:
        price_of = partial(estimate, M, profile=sheet, precision=precision)
        assert price_of(method="auto") == price_of(method=method)


@pytest.mark.parametrize("record", [1, 2])
def test_records_are_fewer_lists_of_the_same_bytes(record: Any) -> None:
    wires, n = bitonic(1 << 10), 1 << 10
    program = ss.compile(wires, *texture_size(n), "fragment", record)
    cost = price(program, CARD, np.dtype(np.float32))
    assert cost.comparisons == 4 // record * (2 * wires.comparator_count + n)
    assert cost.bytes_read == 2 * cost.bytes_written == 2 * 16 * n * wires.depth


# data sheets


@pytest.mark.parametrize("name", PROFILES)
def test_every_figure_has_a_unit_and_a_source(name: str) -> None:
    sheet = card(name)
    assert sheet.name == name
    assert card(sheet) is sheet, "a caller's own"
    values = [getattr(sheet, field.name) for field in fields(sheet)]
    pairs = [(each.float16, each.float32) for each in values if isinstance(each, Cycles)]
    figures = [each for each in chain(values, *pairs) if isinstance(each, Quantity)]
    assert len(figures) >= 15
    for quantity in figures:
        assert quantity.source, quantity
        assert bool(quantity.unit) != isinstance(quantity.value, bool), quantity
        assert isinstance(quantity.value, bool) or quantity.value > 0, quantity
        assert quantity.source in str(quantity)
    assert (sheet.cycles_per_blend.float32 is None) == (sheet.blend_precision.value < 32)


def test_the_memory_of_a_card_is_found_in_a_description() -> None:
    for device, gigabytes in (
        ("NVIDIA GeForce 6800 Ultra, 512 MB, AGP 8x", 35.2),
        ("NVIDIA Tesla C2050; Intel i7 at 2.8 GHz", 144),
        ("NVIDIA H200/PCIe/SSE2", 4800),
    ):
        assert memory_bandwidth(device).value == gigabytes * 1e9
    with pytest.raises(errors.UnknownName, match="Voodoo"):
        memory_bandwidth("Voodoo 2")
    with pytest.raises(errors.UnknownName, match="use 'geforce-6800-ultra'"):
        card("voodoo2")
