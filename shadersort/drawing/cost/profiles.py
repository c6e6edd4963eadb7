"""Data sheets of graphics cards: `estimate` prices programs by them, emulated cards keep to them.

Every figure is a `Quantity`: a value, its unit, and where it comes from. "The paper" is
Govindaraju, Raghuvanshi and Manocha, "Fast and approximate stream mining of quantiles and
frequencies using graphics processors", SIGMOD 2005.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import cast

from shadersort.errors import UnknownName, choices
from shadersort.names import CardName
from shadersort.shown import Row, Shown

MB, MIB, GB = 1e6, 2**20, 1e9


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure of a data sheet, with its unit and its source.

    Examples
    --------
    >>> print(Quantity(400e6, "Hz", "the paper, section 3.3"))
    400,000,000 Hz (the paper, section 3.3)
    """

    value: float
    unit: str
    source: str

    @property
    def figure(self) -> str:
        """The value with its unit."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return f"{self.value:,.10g} {self.unit}"

    def __str__(self) -> str:
        return f"{self.figure} ({self.source})"


@dataclass(frozen=True, slots=True)
class Cycles:
    """Cycles of one fragment pipeline for a texel of four channels, by their precision.

    `float32` is None if the card cannot do it.
    """

    float16: Quantity
    float32: Quantity | None

    def of(self, precision: str) -> float:
        """Return the cycles for "float16" or "float32"."""
        quantity = self.float16 if precision == "float16" else self.float32
        assert quantity is not None, "limits are checked before anything is priced"
        return quantity.value


@dataclass(frozen=True, slots=True, repr=False)
class Profile(Shown):
    """The data sheet of a graphics card.

    Attributes
    ----------
    name, title
        What `profile` takes, and what the card is called.
    core_clock, fragment_pipelines
        Cycles a second, and how many texels are worked on at once.
    memory_bandwidth, video_memory
        Of the card's own memory. Without a size it is unlimited.
    upload_bandwidth, readback_bandwidth
        Of the bus, in practice, from the host to the card and back.
    setup_time
        The time that each pass takes before it draws its first texel.
    cycles_per_copy, cycles_per_blend, cycles_per_comparison
        Cycles of one pipeline for a texel that is drawn as it was fetched; blended by MIN or MAX;
        compared with one other texel in a fragment program. A further comparison for the same texel
        takes the difference between a comparison and a copy. If the memory needs longer than the
        pipeline, its time counts instead.
    blend_precision
        Bits of the widest float that blends.
    largest_side
        Most texels in a row, and most rows, of a texture.
    render_targets
        Most textures that one pass draws into.
    integer_textures, compute_shaders
        Whether the card has them.

    Examples
    --------
    >>> print(PROFILES["geforce-6800-ultra"].blend_precision)  # doctest: +ELLIPSIS
    16 bits (the paper, section 6.1: ...)
    """

    name: str
    title: str
    core_clock: Quantity
    fragment_pipelines: Quantity
    memory_bandwidth: Quantity
    video_memory: Quantity | None
    upload_bandwidth: Quantity
    readback_bandwidth: Quantity
    setup_time: Quantity
    cycles_per_copy: Cycles
    cycles_per_blend: Cycles
    cycles_per_comparison: Cycles
    blend_precision: Quantity
    largest_side: Quantity
    render_targets: Quantity
    integer_textures: Quantity
    compute_shaders: Quantity

    @property
    def texel_rate(self) -> float:
        """Pipeline cycles a second, all pipelines together."""
        return self.core_clock.value * self.fragment_pipelines.value

    @property
    def bytes_per_cycle(self) -> float:
        """Bytes that the memory moves for one pipeline in one cycle."""
        return self.memory_bandwidth.value / self.texel_rate

    def _told(self) -> str:
        return f"{self.name}, {self.title}"

    def _rows(self) -> Iterator[Row]:
        for each in fields(self):
            name, value = each.name.replace("_", " "), getattr(self, each.name)
            if isinstance(value, Quantity):
                yield name, value.figure, value.source
            elif isinstance(value, Cycles):
                for precision in ("float16", "float32"):
                    if quantity := getattr(value, precision):
                        yield f"{name}, {precision}", quantity.figure, quantity.source


_COPY = Quantity(
    1,
    "cycles",
    "derived: one fetch, one instruction; the sheets' texel fill rate is clock times pipelines",
)
_COMPARISON = Quantity(
    53,
    "cycles",
    "the paper, section 4.5: the earlier bitonic sort runs at least 53 instructions a pixel, each "
    "at least one cycle",
)
_BLEND = Quantity(6.5, "cycles", "the paper, section 4.5: 6 to 7, derived there from its timings")

GEFORCE_6800_ULTRA = Profile(
    name="geforce-6800-ultra",
    title="NVIDIA GeForce 6800 Ultra, 512 MB, AGP 8x",
    core_clock=Quantity(400e6, "Hz", "the paper, section 3.3"),
    fragment_pipelines=Quantity(16, "pipelines", "the paper, section 3.3 and figure 1"),
    memory_bandwidth=Quantity(35.2 * GB, "bytes/s", "the paper, section 3.3: 88 bytes a cycle"),
    video_memory=Quantity(512 * MIB, "bytes", "the paper, section 6.1"),
    upload_bandwidth=Quantity(
        800 * MB, "bytes/s", "the paper, section 4.1: AGP 8x in practice, of 2 GB/s in theory"
    ),
    readback_bandwidth=Quantity(
        800 * MB, "bytes/s", "assumed: the paper gives one figure for both ways"
    ),
    setup_time=Quantity(
        5e-6,
        "s",
        "derived: with it, 8K keys (the paper, section 4.5: fewer than 16K) take about 3 times as "
        "long as by quicksort, at 17 cycles (section 3.2) of 3.4 GHz for each of its "
        "1.39 n log2 n comparisons",
    ),
    cycles_per_copy=Cycles(_COPY, _COPY),
    cycles_per_blend=Cycles(_BLEND, None),
    cycles_per_comparison=Cycles(_COMPARISON, _COMPARISON),
    blend_precision=Quantity(16, "bits", "the paper, section 6.1: 8-bit and 16-bit blending only"),
    largest_side=Quantity(4096, "texels", "NVIDIA's OpenGL driver for the GeForce 6 series"),
    render_targets=Quantity(4, "textures", "GPU Gems 2 (2005), chapter 30"),
    integer_textures=Quantity(False, "", "came with the GeForce 8 series"),
    compute_shaders=Quantity(False, "", "came with OpenGL 4.3"),
)

PROFILES: Mapping[CardName, Profile] = MappingProxyType({"geforce-6800-ultra": GEFORCE_6800_ULTRA})
"""Every card with a data sheet, by its name."""


def card(name: str | Profile) -> Profile:
    """Return the data sheet of the card called `name`; a sheet of your own is returned as it is."""
    if isinstance(name, Profile):
        return name
    if name not in PROFILES:
        raise UnknownName(f"no profile is called {name!r}: use {choices(PROFILES)}")
    return PROFILES[cast(CardName, name)]


MEMORY_BANDWIDTHS: Mapping[str, float] = {
    "GeForce 6800 Ultra": 35.2,
    "Tesla C2050": 144,
    "Tesla C2070": 144,
    "Tesla K40": 288,
    "H200": 4800,
}
"""GB a second between the chips of the papers' cards and their memory, by NVIDIA's data sheets."""


def memory_bandwidth(device: str) -> Quantity:
    """Return the memory bandwidth of the card that a device's description names."""
    for name, gigabytes in MEMORY_BANDWIDTHS.items():
        if name in device:
            return Quantity(gigabytes * GB, "bytes/s", "NVIDIA's data sheet")
    known = choices(MEMORY_BANDWIDTHS)
    raise UnknownName(f"no memory bandwidth is known of {device!r}: name {known}")
