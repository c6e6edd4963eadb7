"""shadersort: sorting on the graphics pipeline of 2005, to run, to time and to learn from.

Examples
--------
>>> import numpy as np
>>> import shadersort as ss
>>> ss.sort(np.float32([2, 3, 1]), device="software")
array([1., 2., 3.], dtype=float32)

Everything here, and every module named below, is imported at its first use.
"""

from importlib import import_module as _import

__version__ = "0.1.0"

TYPE_CHECKING = False  # `typing` has it, but takes a while to import
if TYPE_CHECKING:
    from typing import Any

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
    from shadersort.drawing.compile import METHODS as METHODS
    from shadersort.drawing.compile import compile as compile
    from shadersort.drawing.cost.estimate import Cost as Cost
    from shadersort.drawing.cost.estimate import estimate as estimate
    from shadersort.drawing.cost.profiles import PROFILES as PROFILES
    from shadersort.drawing.cost.profiles import Profile as Profile
    from shadersort.drawing.devices import Device as Device
    from shadersort.drawing.devices import DeviceReport as DeviceReport
    from shadersort.drawing.devices import Texture as Texture
    from shadersort.drawing.devices import devices as devices
    from shadersort.drawing.devices import open_device as open_device
    from shadersort.drawing.networks import NETWORKS as NETWORKS
    from shadersort.drawing.networks import Network as Network
    from shadersort.drawing.networks import Step as Step
    from shadersort.drawing.networks import network as network
    from shadersort.drawing.passes import Pass as Pass
    from shadersort.drawing.program import Program as Program
    from shadersort.drawing.quads import Quad as Quad
    from shadersort.drawing.quads import Quads as Quads
    from shadersort.drawing.quads import Repeat as Repeat
    from shadersort.keys import datasets as datasets
    from shadersort.pictures import plots as plots
    from shadersort.pictures.recorded_sort import TracedPass as TracedPass
    from shadersort.pictures.trace import Trace as Trace
    from shadersort.pictures.trace import trace as trace
    from shadersort.selection.on_textures import median as median
    from shadersort.selection.on_textures import quantile as quantile
    from shadersort.selection.on_textures import select as select
    from shadersort.sorting.external.external_sort import external_sort as external_sort
    from shadersort.sorting.records import argsort as argsort
    from shadersort.sorting.records import sort_records as sort_records
    from shadersort.sorting.sort import sort as sort
    from shadersort.sorting.sort import sort_windows as sort_windows
    from shadersort.streams import CorrelatedSum as CorrelatedSum
    from shadersort.streams import FrequencySummary as FrequencySummary
    from shadersort.streams import HierarchicalHeavyHitters as HierarchicalHeavyHitters
    from shadersort.streams import Histogram as Histogram
    from shadersort.streams import QuantileSummary as QuantileSummary
    from shadersort.streams import SlidingFrequencies as SlidingFrequencies
    from shadersort.streams import SlidingQuantiles as SlidingQuantiles

_NAMES = {
    "shadersort.drawing.compile": "METHODS compile",
    "shadersort.drawing.cost.estimate": "Cost estimate",
    "shadersort.drawing.devices": "Device DeviceReport Texture devices open_device",
    "shadersort.drawing.networks": "NETWORKS Network Step network",
    "shadersort.drawing.passes": "Pass",
    "shadersort.drawing.cost.profiles": "PROFILES Profile",
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
    **{name: f"shadersort.{name}" for name in ("drawing", "errors", "keys", "lessons")},
    **{name: f"shadersort.{name}" for name in ("neighbors", "pictures", "robust", "selection")},
    **{name: f"shadersort.{name}" for name in ("sorting", "sparse", "streams")},
    "datasets": "shadersort.keys.datasets",
    "plots": "shadersort.pictures.plots",
}
"""Modules to reach as attributes."""

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:  # a type checker would take every name for one that exists

    def __getattr__(name: str) -> "Any":
        home = (_HOMES | _MODULES).get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        module, _, inside = home.partition(":")
        found = getattr(_import(module), inside) if inside else _import(module)
        globals()[name] = found  # so it is looked up once
        return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, "__version__"})
