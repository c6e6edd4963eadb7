"""Butterflies: runs of steps that compare eight wires only with each other.

A wire and its partner differ in the bits of `Step.mask`, the highest of which is half a block.
Three steps with three different halves therefore join the wires of a *butterfly* of eight, and the
bits of a wire at the three halves give its place among the eight. Inside a butterfly, the steps are
those of a small network of eight wires.

A fourth step may come first and be *folded*: it joins two butterflies of eight, and each keeps the
smaller or the larger of every pair.

A card writes a key of a butterfly into each of eight textures, all at the same position. That is a
`WireLayout`. Every pass has its own, because the next pass joins other wires. The idea of storing
the output of a pass in the order that the next pass reads is that of the perfect shuffle: Stone,
"Parallel processing with the perfect shuffle", IEEE Transactions on Computers C-20(2), 1971.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from shadersort.drawing.networks import Step
from shadersort.keys.types import Integers

LAYERS_LOG2 = 3
LAYERS = 1 << LAYERS_LOG2
"""Textures that are drawn into at once: as many as every OpenGL 3.3 has."""


@dataclass(frozen=True, slots=True)
class WireLayout:
    """Where the wires of a window lie: in which layer, and at which position of it."""

    # the bits of a wire's number that give its layer, the lowest first; none for one layer
    bits: tuple[int, ...]
    # for each of these bits, the bits that are flipped with it between wires of a butterfly
    masks: tuple[int, ...]
    order: tuple[int, ...]  # the bits of a wire's number that give its position, the lowest first

    @property
    def layers(self) -> int:
        """Number of layers."""
        return 1 << len(self.bits)

    @property
    def wire_bits(self) -> int:
        """Bits of a wire's number in its window."""
        return len(self.bits) + len(self.order)

    def wire(self, position: int) -> int:
        """Return the first wire that lies at a position: the one in layer 0."""
        return sum((position >> i & 1) << bit for i, bit in enumerate(self.order))

    def layer(self, wire: int) -> int:
        """Return the layer of a wire."""
        return extract(wire, self.bits)

    def position(self, wire: int) -> int:
        """Return the position of a wire, the same for all wires of a butterfly."""
        for bit, mask in zip(self.bits, self.masks, strict=True):
            wire ^= mask * (wire >> bit & 1)
        return extract(wire, self.order)

    def addresses(self, texels: int) -> Integers:
        """Return where each wire of a texture lies, layer after layer."""
        wires = np.arange(texels, dtype=np.int64)
        layer, position = np.zeros_like(wires), np.zeros_like(wires)
        for bit in range(self.wire_bits):
            chosen = wires >> bit & 1  # both maps are linear over bits: XOR adds them up
            layer ^= self.layer(1 << bit) * chosen
            position ^= self.position(1 << bit) * chosen
        windows = wires >> self.wire_bits << len(self.order)
        addresses: Integers = layer * (texels // self.layers) + windows + position
        return addresses


def row_by_row(bits: int) -> WireLayout:
    """Return the layout of one texture, row by row; wires have numbers of `bits` bits."""
    return WireLayout((), (), tuple(range(bits)))


def extract(wire: int, bits: Sequence[int]) -> int:
    """Return some bits of a number, packed together."""
    return sum((wire >> bit & 1) << i for i, bit in enumerate(bits))


@dataclass(frozen=True, slots=True)
class Butterfly:
    """The steps that join eight wires."""

    bits: tuple[int, ...]  # the bits of a wire's number that give its place among the eight
    wires: tuple[int, ...]  # the bits to flip in the first wire's number to get each of the eight
    # which of the eight are compared, in this order; the smaller key goes to the first
    comparators: tuple[tuple[int, int], ...]
    # the step that comes before and joins this butterfly with another, if there is one
    fold: Step | None

    @property
    def masks(self) -> tuple[int, ...]:
        """For each of the bits, all bits that are flipped with it."""
        return tuple(self.wires[1 << i] for i in range(LAYERS_LOG2))

    @property
    def inputs(self) -> tuple[int, ...]:
        """The bits to flip in the first wire's number to get each key that is read."""
        if self.fold is None:
            return self.wires
        return (*self.wires, *(wire ^ self.fold.mask for wire in self.wires))

    def place(self, wire: int) -> int:
        """Return the place of a wire among the inputs."""
        upper = self.fold is not None and wire & self.fold.half > 0
        return extract(wire, self.bits) + LAYERS * upper

    def first(self, wire: int) -> int:
        """Return the first wire of the butterfly that this one is in."""
        return wire ^ self.wires[extract(wire, self.bits)]


@lru_cache(maxsize=4096)
def butterfly_of(steps: tuple[Step, ...], bits: int) -> Butterfly | None:
    """Return the butterfly that runs these steps on 2**bits wires, if there is one."""
    if any(step.skips or step.block > 1 << bits for step in steps):
        return None
    found = _unfolded(steps, bits)
    if found or len(steps) < 2:
        return found
    fold, rest = steps[0], _unfolded(steps[1:], bits, without=steps[0].half)
    if rest is None or any(wire & fold.half for wire in rest.wires):
        return None
    return Butterfly(rest.bits, rest.wires, rest.comparators, fold)


def _unfolded(steps: Sequence[Step], bits: int, without: int = 0) -> Butterfly | None:
    """Return the butterfly that runs these steps, none of them folded."""
    halves = {step.half for step in steps}
    spare = (1 << bit for bit in range(bits) if 1 << bit not in halves | {without})
    spared = {half for half, _ in zip(spare, range(LAYERS_LOG2 - len(halves)), strict=False)}
    if len(halves | spared) != LAYERS_LOG2:
        return None
    joined = {0}
    for mask in [*spared, *(step.mask for step in steps)]:
        joined |= {wire ^ mask for wire in joined}
    places = tuple(sorted(half.bit_length() - 1 for half in halves | spared))
    wires = {extract(wire, places): wire for wire in joined}
    if len(joined) != LAYERS or len(wires) != LAYERS:
        return None
    comparators = []
    for step in steps:
        flipped, half = extract(step.mask, places), extract(step.half, places)
        comparators += [(i, i ^ flipped) for i in range(LAYERS) if not i & half]
    return Butterfly(places, tuple(wires[i] for i in range(LAYERS)), tuple(comparators), None)


def cut(steps: tuple[Step, ...], bits: int) -> list[tuple[Step, ...]] | None:
    """Cut steps into the longest runs that are butterflies, or return None."""
    runs, begun = [], 0
    while begun < len(steps):
        end = begun
        while end < len(steps) and butterfly_of(steps[begun : end + 1], bits):
            end += 1
        if end == begun:
            return None
        runs.append(steps[begun:end])
        begun = end
    return runs


@dataclass(frozen=True, slots=True)
class Fusion:
    """A butterfly, and where the wires lie before and after it."""

    reads: WireLayout
    butterfly: Butterfly
    writes: WireLayout


def layout_after(reads: WireLayout, butterfly: Butterfly) -> WireLayout:
    """Return the layout that a butterfly writes, if it reads this one.

    Butterflies at neighbouring positions read the same layers, because the bits that give the layer
    become the highest bits of a position.
    """
    rest = [bit for bit in range(reads.wire_bits) if bit not in butterfly.bits]
    order = sorted(rest, key=lambda bit: (bit in reads.bits, bit))
    return WireLayout(butterfly.bits, butterfly.masks, tuple(order))
