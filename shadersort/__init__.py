"""shadersort: sorting on the graphics pipeline of 2005, to run, to time and to learn from.

Examples
--------
>>> import numpy as np
>>> import shadersort as ss
>>> ss.sort(np.float32([2, 3, 1]), device="software")
array([1., 2., 3.], dtype=float32)

Everything here, and every module named below, is imported at its first use.
"""

from shadersort.lazy import attributes as _attributes
from shadersort.version import __version__ as __version__

TYPE_CHECKING = False  # `typing` has it, but takes a while to import
if TYPE_CHECKING:
    from shadersort import drawing as drawing
    from shadersort import errors as errors
    from shadersort import keys as keys
    from shadersort import lessons as lessons
    from shadersort import neighbors as neighbors
    from shadersort import pictures as pictures
    from shadersort import robust as robust
    from shadersort import selection as selection
    from shadersort import sorting as sorting
    from shadersort import sparse as sparse
    from shadersort import streams as streams
    from shadersort.drawing.compile import METHODS, compile
    from shadersort.drawing.cost.estimate import Cost, estimate
    from shadersort.drawing.devices import Device, DeviceReport, Texture, devices, open_device
    from shadersort.drawing.networks import NETWORKS, Network, Step, network
    from shadersort.drawing.passes import Pass
    from shadersort.drawing.profiles import PROFILES, Profile
    from shadersort.drawing.program import Program
    from shadersort.drawing.quads import Quad, Quads, Repeat
    from shadersort.keys import datasets as datasets
    from shadersort.pictures import plots as plots
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

_NAMES = {
    "shadersort.drawing.compile": "METHODS compile",
    "shadersort.drawing.cost.estimate": "Cost estimate",
    "shadersort.drawing.devices": "Device DeviceReport Texture devices open_device",
    "shadersort.drawing.networks": "NETWORKS Network Step network",
    "shadersort.drawing.passes": "Pass",
    "shadersort.drawing.profiles": "PROFILES Profile",
    "shadersort.drawing.program": "Program",
    "shadersort.drawing.quads": "Quad Quads Repeat",
    "shadersort.pictures.recorded_sort": "TracedPass",
    "shadersort.pictures.trace": "Trace trace",
    "shadersort.selection.on_textures": "median quantile select",
    "shadersort.sorting.external.external_sort": "external_sort",
    "shadersort.sorting.records": "argsort sort_records",
    "shadersort.sorting.sort": "sort sort_windows",
    "shadersort.streams": (
        "CorrelatedSum FrequencySummary HierarchicalHeavyHitters Histogram QuantileSummary "
        "SlidingFrequencies SlidingQuantiles"
    ),
}
"""The public names, by the module that has them; the imports above tell type checkers the same."""
_HOMES = {name: f"{home}:{name}" for home, names in _NAMES.items() for name in names.split()}

_MODULES = {
    "datasets": "shadersort.keys.datasets",
    "drawing": "shadersort.drawing",
    "errors": "shadersort.errors",
    "keys": "shadersort.keys",
    "lessons": "shadersort.lessons",
    "neighbors": "shadersort.neighbors",
    "pictures": "shadersort.pictures",
    "plots": "shadersort.pictures.plots",
    "robust": "shadersort.robust",
    "selection": "shadersort.selection",
    "sorting": "shadersort.sorting",
    "sparse": "shadersort.sparse",
    "streams": "shadersort.streams",
}
"""Modules to reach as attributes."""

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

if not TYPE_CHECKING:  # a type checker would take every name for one that exists
    __getattr__ = _attributes(__name__, _HOMES | _MODULES)


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, "__version__"})
