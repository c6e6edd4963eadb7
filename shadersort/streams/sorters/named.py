"""Sorters by name: those of this package, and those that other packages offer as entry points."""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from shadersort.drawing.signals import held_signals
from shadersort.errors import BadOption, choices
from shadersort.streams.sorters.by_size import BySizeSorter
from shadersort.streams.sorters.numpy_sorter import NumPySorter
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.sorters.texture_sorter import TextureSorter

GROUP = "shadersort.sorters"  # entry points that make a sorter, or raise DeviceUnavailable
OWN: dict[str, Callable[[], Sorter]] = {
    "numpy": NumPySorter,
    "textures": TextureSorter,
    "by-size": BySizeSorter,
}


def sorter_names() -> list[str]:
    """Return the names of all sorters, those of this package first."""
    return list(dict.fromkeys([*OWN, *_entry_points()]))


def make_sorter(name: str) -> Sorter:
    """Return a new sorter; raise BadOption, or DeviceUnavailable if its device is not here."""
    if name in OWN:
        return OWN[name]()
    offered = _entry_points()
    if name not in offered:
        raise BadOption(f"no sorter is {name!r}: use {choices(sorter_names())}")
    with held_signals:  # code in C that is interrupted in an import may report another error
        make: Callable[[], Sorter] = offered[name].load()
    return make()


def _entry_points() -> dict[str, EntryPoint]:
    return {each.name: each for each in entry_points(group=GROUP)}
