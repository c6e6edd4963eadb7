"""What a sort costs on a graphics card, priced from the passes that would draw it.

Nothing is drawn. The price of a pass depends on the texels written, the texels fetched for each of
them, and whether it blends; not on the method that made it. A pipeline spends on a texel the time
of its arithmetic or of its memory, whichever is longer. Each pass begins with a setup time.

`docs/errata.md` says where this model and the paper (Govindaraju, Raghuvanshi and Manocha, SIGMOD
2005) disagree, and by how much.

Passes that ask a question (`drawing/questions.py`) are priced by the instructions of their shaders,
one cycle each. The model leaves out the time that the host waits for an answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import index
from typing import Any, Literal, Self, SupportsIndex, get_args

import numpy as np

from shadersort.drawing.compile import build
from shadersort.drawing.cost.limits import can_blend, check_program, fastest_method, precision_of
from shadersort.drawing.cost.profiles import Profile, card
from shadersort.drawing.methods.merging import merging
from shadersort.drawing.networks import network as build_network
from shadersort.drawing.passes import CHANNELS, Pass, texture_size, window_texels
from shadersort.drawing.program import Program
from shadersort.errors import BadOption, UnknownName, choices
from shadersort.keys.types import PRECISIONS
from shadersort.names import (
    CardName,
    DrawingMethod,
    KeysInTexel,
    MergePlace,
    NetworkName,
    Precision,
    SortMethod,
)

INSTRUCTIONS: Mapping[str, tuple[int, int]] = {
    "below": (3, 0),
    "equal": (3, 0),
    "keep": (1, 3),
    "fold": (4, 0),
    "extent": (9, 8),
    "nearest": (13, 8),
    "distances": (15, 8),
}
"""Instructions of shaders that do little: for each texel fetched, for each texel drawn.

They are counted from the source: a fetch, a comparison, a selection, a minimum or a sum of four
channels is one instruction. The eight for each texel drawn combine its channels.
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one or several sorts. Costs can be added with `+` and with `sum`.

    Attributes
    ----------
    passes, quads, texels
        Drawing commands, quads drawn by them, and texels drawn.
    comparisons
        Comparisons of two keys by a sort. The card makes two for each comparator in each channel:
        one where the smaller key is written, one where the larger. The merge on the CPU makes one
        for each key; on the card it is made of comparators, too.
    bytes_read, bytes_written
        In the card's own memory, as if there were no cache.
    cycles
        Of the card's core, while all its pipelines draw.
    transfer_seconds
        To the card and back, over the bus.
    gpu_seconds
        The time of `cycles`, and the setup of every pass. The merge on the CPU is not included.
    """

    passes: int = 0
    quads: int = 0
    texels: int = 0
    comparisons: int = 0
    bytes_read: int = 0
    bytes_written: int = 0
    cycles: float = 0.0
    transfer_seconds: float = 0.0
    gpu_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """Drawing and transfers together."""
        return self.gpu_seconds + self.transfer_seconds

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Cost):
            return NotImplemented
        return type(self)(
            *(getattr(self, each.name) + getattr(other, each.name) for each in fields(self))
        )

    def __radd__(self, other: int) -> Self:
        """Let `sum` begin with its 0."""
        return self if other == 0 else NotImplemented

    def __str__(self) -> str:
        return (
            f"{self.passes:,} passes, {self.quads:,} quads, {_short(self.texels)}texels, "
            f"{_short(self.comparisons)}comparisons, {_short(self.bytes_read)}B read, "
            f"{_short(self.bytes_written)}B written, {_short(self.cycles)}cycles: "
            f"{1e3 * self.gpu_seconds:,.2f} ms drawing + {1e3 * self.transfer_seconds:,.2f} ms "
            f"transfers = {1e3 * self.seconds:,.2f} ms"
        )


def estimate(
    n: SupportsIndex,
    *,
    network: NetworkName = "pbsn",
    method: SortMethod = "blend",
    profile: CardName | Profile = "geforce-6800-ultra",
    precision: Precision | Literal["uint8"] | None = None,
    keys_in_texel: KeysInTexel = 4,
    merge: MergePlace = "host",
) -> Cost:
    """Price the program that `sort` would run for n keys, on a card by its data sheet.

    Parameters
    ----------
    n
        How many keys. They are padded to a power of two, as `sort` pads them.
    network, method
        As for `sort`; "auto" is the fastest for floats on the card.
    profile
        The name of a data sheet of `PROFILES`, or a `Profile`.
    precision
        "float16" or "float32"; "uint8" for keys of 8 bits, which take as many cycles as halves.
        None is "float32", or "float16" where the card blends no more.
    keys_in_texel
        4, as `sort` packs them; or 1, as the bitonic sorts before the paper did: then the network
        is for all keys, every texture has one channel, and nothing is left to merge.
    merge
        As for `sort`: "host" for the CPU, as in the paper, or "device" for more steps on the card.

    Raises
    ------
    BadOption
        There is no such `merge`.
    ProfileLimit
        The card could not run it; the message says why.
    UnknownName
        No such thing; the message lists what there is.

    Examples
    --------
    >>> estimate(1 << 23).comparisons == (1 << 23) * (1 + 21**2)  # the paper: n + n log²(n/4)
    True
    >>> estimate(1 << 23, merge="device").passes - estimate(1 << 23).passes
    129
    >>> estimate(1 << 23).bytes_read / estimate(1 << 23, precision="uint8").bytes_read
    2.0
    >>> ways = {"network": "bitonic", "method": "fragment", "precision": "float16"}
    >>> [round(estimate(1 << 23, **ways, keys_in_texel=n).seconds, 1) for n in (4, 1)]
    [4.1, 19.2]
    >>> print(estimate(1 << 14))
    432 passes, 3,168 quads, 1.18 Mtexels, 2.38 Mcomparisons, 14.2 MB read, 9.44 MB written, \
347 kcycles: 3.03 ms drawing + 0.08 ms transfers = 3.11 ms
    """
    count = index(n)
    if count < 0:
        raise ValueError(f"{n} keys cannot be sorted: n is at least 0")
    if keys_in_texel not in get_args(KeysInTexel):
        raise ValueError(f"a texel holds 4 keys, or 1; not {keys_in_texel!r}")
    sheet = card(profile)
    length = window_texels(count, keys_in_texel)
    drawn_by = resolved(method, sheet, precision)
    if merge not in get_args(MergePlace):
        raise BadOption(f"merge is {choices(get_args(MergePlace))} here, not {merge!r}")
    lists = keys_in_texel if merge == "device" else 1
    wires = merging(build_network(network, length), lists)
    program = build(wires, *texture_size(length), drawn_by)
    return price(program, sheet, _dtype(sheet, program, precision), keys_in_texel)


def resolved(method: SortMethod, sheet: Profile, precision: str | None = None) -> DrawingMethod:
    """Return the name of a method; for "auto", of the fastest for floats on a card."""
    if method != "auto":
        return method
    return fastest_method(sheet, computes=True, blends=can_blend(sheet, precision))


def price(
    program: Program, profile: Profile, dtype: np.dtype[Any], channels: int = CHANNELS
) -> Cost:
    """Price a program on keys of a type, including transfers, and the merge if it leaves lists.

    Its textures have so many channels, each with keys or a part of a record.
    A program that asks a question finds its keys on the card, and only the answer comes back.
    """
    check_program(profile, program, dtype, channels)
    texel_bytes = channels * dtype.itemsize
    drawn = sum(price_of_pass(each, profile, dtype, channels) for each in program.passes) or Cost()
    if program.answer != "texture":
        counts = sum(each.counts for each in program.passes)
        answer = 4 * counts + texel_bytes * (program.answer == "texel")  # bytes
        return drawn + Cost(transfer_seconds=answer / profile.readback_bandwidth.value)
    texels = program.width * program.height
    comparators = program.network.comparator_count * (texels // program.network.n)
    per_byte = 1 / profile.upload_bandwidth.value + 1 / profile.readback_bandwidth.value
    lists = channels // program.record // program.network.lists  # one list needs no merge
    rest = Cost(
        comparisons=lists * (2 * comparators + (texels if lists > 1 else 0)),
        transfer_seconds=texels * texel_bytes * per_byte,
    )
    return drawn + rest


def price_of_pass(
    each: Pass, profile: Profile, dtype: np.dtype[Any], channels: int = CHANNELS
) -> Cost:
    """Price the drawing of one pass, on textures of so many channels."""
    texels = each.texels
    read = (each.fetches + bool(each.blend)) * channels * dtype.itemsize
    written = 0 if each.counts else channels * dtype.itemsize
    arithmetic = _arithmetic(each, profile, "float16" if dtype.itemsize <= 2 else "float32")
    slowest = max(arithmetic, (read + written) / profile.bytes_per_cycle)
    cycles = texels * slowest / profile.fragment_pipelines.value
    return Cost(
        passes=1,
        quads=each.quad_count,
        texels=texels,
        bytes_read=texels * read,
        bytes_written=texels * written,
        cycles=cycles,
        gpu_seconds=cycles / profile.core_clock.value + profile.setup_time.value,
    )


def _arithmetic(each: Pass, profile: Profile, precision: str) -> float:
    """Return the cycles of a pipeline's arithmetic for a texel.

    A texel takes the time of a copy once, for any number of comparisons.
    """
    if each.shader in INSTRUCTIONS:
        fetched, drawn = INSTRUCTIONS[each.shader]
        return (fetched * each.fetches + drawn) * profile.cycles_per_copy.of(precision)
    if each.blend:
        return profile.cycles_per_blend.of(precision)
    copying = profile.cycles_per_copy.of(precision)
    comparing = profile.cycles_per_comparison.of(precision) - copying
    return copying + each.comparisons * max(0.0, comparing)


def _dtype(sheet: Profile, program: Program, precision: str | None) -> np.dtype[Any]:
    """Return the type of the texture's channels, which follows the card unless it is named."""
    known = (*PRECISIONS, "uint8")
    if precision not in (None, *known):
        raise UnknownName(f"no precision is called {precision!r}: use {choices(known)}")
    widest = np.dtype(np.float32)
    return np.dtype(precision or precision_of(sheet, widest, blends=program.blends) or widest)


def _short(value: float) -> str:
    """Return a number with three digits and the prefix of its unit."""
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g} {prefix}"
    return f"{value:.3g} "
