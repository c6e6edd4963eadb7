"""The colours of keys and of methods. Colour-blind readers can distinguish them, too.

Keys have the colours of cividis. Methods have the colours of Okabe and Ito without yellow, which is
too faint for lines. They are plain values, for drawing without matplotlib, too.
"""

from collections.abc import Mapping
from types import MappingProxyType

BLACK, GREY, ORANGE, SKY = "#222222", "#7f7f7f", "#e69f00", "#56b4e9"
FAINT = "#d9d9d9"
GREEN, BLUE, VERMILION, PURPLE = "#009e73", "#0072b2", "#d55e00", "#cc79a7"

MIN, MAX = BLUE, VERMILION
"""What keeps the smaller key, and the larger: quads, texels, ends of comparators. Texts call them
blue and orange."""

WRONG = "#c2185b"
"""What is not as it should be: a texel crossed out, a key that comes out at a wrong place."""

CIVIDIS = (
    *("#00224e", "#002e6a", "#1a386f", "#32436d", "#434e6c", "#535a6d", "#61656f", "#6f7073"),
    *("#7d7c78", "#8c8878", "#9b9476", "#aba072", "#bcae6c", "#cdbb63", "#dec958", "#f0d846"),
    "#fee838",
)
"""Colours from the smallest key to the largest, by rank; others are mixed of two neighbours."""

LOOKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "pbsn": (BLUE, "o"),
        "bitonic": (VERMILION, "s"),
        "odd-even-merge": (GREEN, "^"),
        "blend": (BLUE, "o"),
        "kipfer": (ORANGE, "P"),
        "fragment": (VERMILION, "s"),
        "fused": (GREEN, "^"),
        "compute": (PURPLE, "D"),
        "np.sort": (BLACK, "v"),
        "cupy.sort": (ORANGE, "P"),
        "sort-choose": (BLACK, "v"),
        "quickselect": (ORANGE, "o"),
        "quickselect-serial": (ORANGE, "s"),
        "radix": (BLUE, "o"),
        "radix-inplace": (BLUE, "s"),
        "fused-radix": (BLUE, "^"),
        "bucket": (GREEN, "o"),
        "bitwise": (GREEN, "s"),
        "randomized": (PURPLE, "o"),
        "cutting-plane": (VERMILION, "o"),
        "quasi-newton": (VERMILION, "s"),
        "bisection": (SKY, "o"),
        "brent-root": (SKY, "s"),
        "brent-min": (GREY, "o"),
        "golden": (GREY, "s"),
        "one-read": (BLACK, "D"),
        "auto": (BLACK, "X"),
    }
)
"""Colour and matplotlib marker of each network, method and peer: the same in every plot. In a plot
of networks by methods, the colours are those of the methods."""


def rgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue, from 0 to 1, of a colour written as in HTML.

    Examples
    --------
    >>> rgb("#ff0033")
    (1.0, 0.0, 0.2)
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
