"""Fused passes: three or four steps of a network in one, each on butterflies of eight keys."""

from itertools import pairwise

from shadersort.butterflies import (
    LAYERS,
    Butterfly,
    Layout,
    butterfly_of,
    cut,
    layout_after,
    plain,
)
from shadersort.networks import Network
from shadersort.passes import FRAME, TEXTURE, Pass, Passes, Quad, Quads, Repeat

__all__ = ["LAYERED", "butterfly_quads", "compile_butterflies"]

LAYERED = ("layers", "other layers")
"""The buffers between the first pass and the last, each of eight textures."""


def compile_butterflies(network: Network, width: int, height: int) -> Passes | None:
    """Run a network by butterflies, if all its steps are in some and the texture has layers.

    The first pass reads one texture row by row, and the last writes one again.
    """
    bits = network.n.bit_length() - 1
    runs = cut(network.steps, bits) if height % LAYERS == 0 else None
    if not runs:
        return None
    layouts, buffers = [plain(bits)], [TEXTURE]
    for i, steps in enumerate(runs[:-1]):
        butterfly = butterfly_of(steps, bits)
        assert butterfly
        layouts.append(layout_after(layouts[-1], butterfly))
        buffers.append(LAYERED[i % 2])
    layouts.append(plain(bits))
    buffers.append(TEXTURE if len(runs) > 1 else FRAME)
    passes = []
    for steps, (reads, writes), (source, target) in zip(
        runs, pairwise(layouts), pairwise(buffers), strict=True
    ):
        butterfly = butterfly_of(steps, bits)
        assert butterfly
        quads = butterfly_quads(butterfly, reads, writes, width, height)
        each = Pass("butterfly", source, target, quads, steps=steps, reads=reads, writes=writes)
        passes.append(each)
    return tuple(passes), buffers[-1]


def butterfly_quads(
    butterfly: Butterfly, reads: Layout, writes: Layout, width: int, height: int
) -> tuple[Quads, ...]:
    """Cover one layer of the target by quads whose texels all read the same layers.

    Where a step is folded, they also keep the same half.
    """
    fold = butterfly.fold.half if butterfly.fold else 0
    telling = []
    for i, bit in enumerate(writes.order):
        first = butterfly.first(1 << bit)
        if reads.layer(first) or first & fold:
            telling.append(i)
    low, high = (telling[0], telling[-1] + 1) if telling else (0, 0)
    return _stripes(low, high, width, height // writes.layers)


def _stripes(low: int, high: int, width: int, height: int) -> tuple[Quads, ...]:
    """Cut a texture into stripes, in each of which the bits low to high of a position are equal.

    Positions are counted row by row. The sizes are powers of two, but for the height.
    """
    length, period = 1 << low, 1 << high
    columns, rows = min(length, width), max(1, length // width)
    if period <= width:
        rows, inner, outer = height, Repeat(width // period, dx=period), Repeat()
    else:
        inner, outer = Repeat(), Repeat(width * height // period, dy=period // width)
    stripes = []
    for start in range(0, period, length):
        x, y = start % width, start // width
        corners = (x, y, x + columns, y + rows)
        stripes.append(Quads(Quad(*corners, *corners), inner, outer))
    return tuple(stripes)
