"""`TextureSorter`: sorting windows by drawing."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.drawing.devices import Device, borrowed
from shadersort.keys.types import Integers, Keys
from shadersort.names import DeviceName, NetworkName, SortMethod
from shadersort.sorting.records import argsort
from shadersort.sorting.sort import sort_windows
from shadersort.sorting.wide import way_to_sort
from shadersort.streams.sorters.sorter import Sorter


@dataclass(frozen=True)
class TextureSorter(Sorter):
    """Sorts by drawing: four windows in the channels of a texel, many in a texture.

    With `method="blend"` it draws as the paper of 2005 does; "auto", the default, may be compute
    shaders. `network` and `device` are those of `shadersort.sort_windows`; a summary passes `batch`
    keys at once. Integers of 8 and 16 bits are drawn as float32, exactly.

    Examples
    --------
    >>> TextureSorter(device="software").sort(np.float32([[3, 1, 2], [9, 7, 8]]))
    array([[1., 2., 3.],
           [7., 8., 9.]], dtype=float32)
    """

    network: NetworkName = "pbsn"
    method: SortMethod = "auto"
    device: Device | DeviceName | None = None
    batch: int = 1 << 22
    name = "textures"

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return how keys are drawn, never "auto": "pbsn, fused, float16, NVIDIA H200"."""
        with borrowed(self.device) as opened:
            drawn = _as_drawable(np.empty(0, dtype)).dtype
            return way_to_sort(opened, drawn, self.network, self.method).label

    @property
    def hardware(self) -> bool:
        """Whether a GPU draws, and not a CPU."""
        with borrowed(self.device) as opened:
            return opened.hardware

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order."""
        ordered = sort_windows(
            _as_drawable(windows), network=self.network, method=self.method, device=self.device
        )
        return ordered.astype(windows.dtype, copy=False)

    def order(self, windows: Keys) -> Integers:
        """Return the indices that sort each row; equal keys keep their order."""
        method = "auto" if self.method == "blend" else self.method  # blending moves no indices
        rows = [
            argsort(window, network=self.network, method=method, device=self.device)
            for window in _as_drawable(windows)
        ]
        return np.stack(rows)


def _as_drawable(windows: Keys) -> Keys:
    """Return windows in a type that a texture holds."""
    short = windows.dtype.kind in "iu" and windows.itemsize < 4
    return windows.astype(np.float32) if short else windows
