"""The colours of all pictures: one colour has one meaning.

- Blue keeps the smaller key (`MIN`), orange keeps the larger one (`MAX`), and crimson is wrong
  (`WRONG`): nothing else has one of these three.
- Green is what is kept, chosen or right, pale green what is promised about it, grey what is left
  out, and black the truth; keys have the colours of cividis, from dark blue to yellow, and a
  channel is a pale ground in red, green, blue or grey.
- Series have the other hues, `SERIES`: each method or network the same one in every plot, beside
  its marker; the parts of a cost, and quantiles, have hues of these, too.

Colour-blind readers can distinguish them. They are plain values, for drawing without matplotlib,
too.
"""

from collections.abc import Mapping
from types import MappingProxyType

MIN, MAX = "#0072b2", "#d55e00"
"""What keeps the smaller key, and the larger: quads, texels, ends of comparators. Texts call them
blue and orange."""

WRONG = "#c2185b"
"""What is not as it should be: a texel crossed out, a key at a wrong place, your answer beside the
right one."""

GREEN, PALE_GREEN = "#009e73", "#bfe3d6"
BLACK, GREY, FAINT = "#222222", "#7f7f7f", "#d9d9d9"

VIOLET, LIME, TEAL = "#5d278c", "#a0b43c", "#00b5aa"
PINK, LAVENDER, BROWN = "#ed83e2", "#9067e4", "#714014"

SERIES = (VIOLET, LIME, TEAL, PINK, LAVENDER, BROWN)  # the hues of series, in turn

WATER = "#56b4e9"  # the water of lossy counting, which rises with every window

CHANNEL_COLOURS = ("#f0a3a3", "#a5d696", "#a3c3f0", "#b4b4b4")
"""Pale red, green, blue and grey: the channels of a texture, as grounds or lines."""

CIVIDIS = (
    *("#00224e", "#002e6a", "#1a386f", "#32436d", "#434e6c", "#535a6d", "#61656f", "#6f7073"),
    *("#7d7c78", "#8c8878", "#9b9476", "#aba072", "#bcae6c", "#cdbb63", "#dec958", "#f0d846"),
    "#fee838",
)
"""Colours from the smallest key to the largest, by rank; others are mixed of two neighbours."""

LOOKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "pbsn": (VIOLET, "o"),
        "bitonic": (LIME, "s"),
        "odd-even-merge": (TEAL, "^"),
        "blend": (VIOLET, "o"),
        "kipfer": (GREY, "P"),
        "fragment": (LIME, "s"),
        "fused": (TEAL, "^"),
        "compute": (PINK, "D"),
        "np.sort": (BLACK, "v"),
        "cupy.sort": (BROWN, "P"),
        "sort-choose": (BLACK, "v"),
        "quickselect": (LIME, "o"),
        "quickselect-serial": (LIME, "s"),
        "radix": (VIOLET, "o"),
        "radix-inplace": (VIOLET, "s"),
        "bucket": (TEAL, "o"),
        "bitwise": (TEAL, "s"),
        "randomized": (PINK, "o"),
        "cutting-plane": (LAVENDER, "o"),
        "quasi-newton": (LAVENDER, "s"),
        "bisection": (BROWN, "o"),
        "brent-root": (BROWN, "s"),
        "brent-min": (GREY, "o"),
        "golden": (GREY, "s"),
        "one-read": (BLACK, "D"),
        "auto": (BLACK, "X"),
    }
)
"""Colour and matplotlib marker of each network, method and peer: the same in every plot. In a plot
of networks by methods, the colours are those of the methods."""


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue, from 0 to 1, of a colour written as in HTML."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
