"""`TextureSorter`: sorting windows by drawing."""

from dataclasses import dataclass

import numpy as np

from shadersort.drawing.devices import Device, borrowed
from shadersort.keys.types import Integers, Keys
from shadersort.names import DeviceName, NetworkName, SortMethod
from shadersort.sorting.records import argsort
from shadersort.sorting.sort import sort_windows
from shadersort.sorting.wide import WideSort
from shadersort.streams.sorters.host import HostSorter


@dataclass(frozen=True)
class TextureSorter(HostSorter):
    """Sorts by drawing, as in 2005: four windows in the channels of a texel, many in a texture.

    A key of 64 bits is drawn as a record of two words, one window after the other: much slower.

    Parameters
    ----------
    network, method, device
        As for `shadersort.sort_windows`.
    batch
        How many keys a summary passes at once.

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

    def sort(self, windows: Keys) -> Keys:
        """Return windows with each row in order."""
        if windows.dtype.itemsize == 8:
            return self._wide(windows)
        return sort_windows(windows, network=self.network, method=self.method, device=self.device)

    def _wide(self, windows: Keys) -> Keys:
        """Return windows of keys of 64 bits with each row in order."""
        with borrowed(self.device) as device:
            way = WideSort.prepared(device, windows.dtype, self.network, self._moving)
            return np.stack([way.sort(window) for window in windows])

    def order(self, windows: Keys) -> Integers:
        """Return the indices that sort each row; equal keys keep their order."""
        rows = [
            argsort(window, network=self.network, method=self._moving, device=self.device)
            for window in windows
        ]
        return np.stack(rows)

    @property
    def _moving(self) -> SortMethod:
        """The method for records, which blending would part."""
        return "auto" if self.method == "blend" else self.method
