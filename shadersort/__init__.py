"""shadersort: sorting on the graphics pipeline of 2005, to run, to time and to learn from.

Examples
--------
>>> import numpy as np
>>> import shadersort as ss
>>> ss.sort(np.float32([2, 3, 1]), device="software")
array([1., 2., 3.], dtype=float32)
"""

from shadersort.drawing.cost.estimate import Cost, estimate
from shadersort.drawing.devices import Device, DeviceReport, Texture, devices, open_device
from shadersort.drawing.networks import NETWORKS, Network, Step, network
from shadersort.drawing.passes import Pass, Program
from shadersort.drawing.profiles import PROFILES, Profile
from shadersort.drawing.program import METHODS, compile
from shadersort.drawing.quads import Quad, Quads, Repeat
from shadersort.pictures.recorded_sort import TracedPass
from shadersort.pictures.trace import Trace, trace
from shadersort.selection.on_textures import median, quantile, select
from shadersort.sorting.external.external_sort import external_sort
from shadersort.sorting.records import argsort, sort_records
from shadersort.sorting.sort import sort, sort_windows
from shadersort.streams import (
    CorrelatedSum,
    FrequencySummary,
    HierarchicalHeavyHitters,
    Histogram,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
)
from shadersort.version import __version__ as __version__

__all__ = [
    "METHODS",
    "NETWORKS",
    "PROFILES",
    "CorrelatedSum",
    "Cost",
    "Device",
    "DeviceReport",
    "FrequencySummary",
    "HierarchicalHeavyHitters",
    "Histogram",
    "Network",
    "Pass",
    "Profile",
    "Program",
    "Quad",
    "Quads",
    "QuantileSummary",
    "Repeat",
    "SlidingFrequencies",
    "SlidingQuantiles",
    "Step",
    "Texture",
    "Trace",
    "TracedPass",
    "argsort",
    "compile",
    "devices",
    "estimate",
    "external_sort",
    "median",
    "network",
    "open_device",
    "quantile",
    "select",
    "sort",
    "sort_records",
    "sort_windows",
    "trace",
]
