"""Fused passes: three or four steps of a network in one, each on butterflies of eight keys."""

from dataclasses import replace
from itertools import pairwise

from shadersort.drawing.methods.butterflies import (
    LAYERS,
    Fusion,
    butterfly_of,
    cut,
    layout_after,
    row_by_row,
)
from shadersort.drawing.methods.merging import sections
from shadersort.drawing.networks import Network, Step
from shadersort.drawing.passes import FRAME, TEXTURE, Pass, Passes
from shadersort.drawing.quads import Quad, Quads, Repeat

LAYERED = ("layers", "other layers")
"""The buffers between the first pass and the last, each of eight textures."""


def compile_butterflies(network: Network, width: int, height: int) -> Passes | None:
    """Run a network by butterflies, if they can run all its steps and the texture has layers.

    The first pass reads one texture row by row, and the last writes one again. So does every pass
    that runs steps inside of texels, too.
    """
    if height % LAYERS:
        return None
    passes: list[Pass] = []
    for joining, inside in sections(network):
        source = passes[-1].target if passes else TEXTURE
        drawn = _section(joining, network.n.bit_length() - 1, source, (width, height))
        if not drawn:
            return None
        passes += [*drawn[:-1], replace(drawn[-1], inside=inside)]
    return (tuple(passes), passes[-1].target) if passes else None


def _section(
    steps: tuple[Step, ...], bits: int, source: str, size: tuple[int, int]
) -> list[Pass] | None:
    """Return the passes of steps that read and write one texture row by row, or None."""
    runs = cut(steps, bits)
    if not runs:
        return None
    between = [LAYERED[i % 2] for i in range(len(runs) - 1)]
    last = source if between else TEXTURE if source == FRAME else FRAME
    passes: list[Pass] = []
    reads = row_by_row(bits)
    for run, (before, after) in zip(runs, pairwise([source, *between, last]), strict=True):
        butterfly = butterfly_of(run, bits)
        assert butterfly
        writes = row_by_row(bits) if after == last else layout_after(reads, butterfly)
        fusion = Fusion(reads, butterfly, writes)
        quads = butterfly_quads(fusion, *size)
        passes.append(Pass("butterfly", before, after, quads, steps=run, fusion=fusion))
        reads = writes
    return passes


def butterfly_quads(fusion: Fusion, width: int, height: int) -> tuple[Quads, ...]:
    """Cover one layer of the target by quads; all texels of a quad read the same layers."""
    deciding = []
    for i, bit in enumerate(fusion.writes.order):
        if fusion.reads.layer(fusion.butterfly.first(1 << bit)):
            deciding.append(i)
    low, high = (deciding[0], deciding[-1] + 1) if deciding else (0, 0)
    return _stripes(low, high, width, height // fusion.writes.layers)


def _stripes(low: int, high: int, width: int, height: int) -> tuple[Quads, ...]:
    """Cut a texture into stripes; inside a stripe the bits low to high of a position are equal.

    Positions are counted row by row. All sizes except the height are powers of two.
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
