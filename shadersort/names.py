"""The names that options take, as types: a type checker refuses `network="quick"`.

`tests/project/test_names.py` holds each type to the table that has the functions of these names.
"""

from typing import Literal

NetworkName = Literal["pbsn", "bitonic", "odd-even-merge"]  # a sorting network

DrawingMethod = Literal["blend", "fragment", "kipfer", "fused", "compute"]
"""A way to draw a network."""

SortMethod = Literal[DrawingMethod, "auto"]
"""A way to draw a network, or "auto": the fastest on the device."""

MergePlace = Literal["host", "device"]
"""What merges the four sorted lists of a texture: the CPU, or further steps of the network."""

MergeName = Literal[MergePlace, "auto"]
"""What merges, or "auto": the device where that is expected to be faster."""

DeviceKind = Literal["egl", "window", "software"]
"""A kind of device."""

DeviceName = Literal[DeviceKind, "auto"]
"""A kind of device, or "auto": the best of them."""

CardName = Literal["geforce-6800-ultra"]
"""A card that a device can emulate."""

Precision = Literal["float16", "float32"]
"""The precision in which floats are drawn."""

KeysInTexel = Literal[1, 4]
"""How many channels of a texel hold keys of their own."""

SelectionMethod = Literal[
    "sort-choose",
    "quickselect",
    "quickselect-serial",
    "radix",
    "radix-inplace",
    "one-read",
    "bucket",
    "randomized",
    "cutting-plane",
    "bisection",
    "brent-root",
    "brent-min",
    "golden",
    "quasi-newton",
    "bitwise",
    "auto",
]
"""A method of selection."""

Variant = Literal["as printed", "as printed, logarithms", "improved"]
"""Whether a method did what its paper prints, or what this package makes of it."""

Side = Literal["left", "right"]
"""Whether a rank counts values below a number, or also those equal to it."""

AggregateName = Literal["count", "sum", "mean", "min", "max", "median"]
"""What the sums of a `CorrelatedSum` may be taken up to, beside a quantile."""

HistogramKind = Literal["equi-depth", "equi-width"]
"""How the edges of a histogram are chosen."""

QuantileMethod = Literal[
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
"""NumPy's name for a kind of quantile."""
