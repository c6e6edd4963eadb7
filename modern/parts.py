"""Keys in several arrays, on one device or on several: each answers for itself.

`Parts` stands where an array does in `select`, `multiselect`, `median`, `nanmedian`, `quantile`,
`nanquantile` and `topk`. A list of arrays on GPUs is taken for parts as well. All devices work at
once; counts, a sample and few candidates travel between them.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from modern.opening import as_cupy, is_on_gpu, open_rows
from shadersort.errors import ArraysApart, KeysNotFlat
from shadersort.keys.accepted import SELECTED
from shadersort.keys.types import Integers, Keys
from shadersort.selection.pieces.asking import (
    ArrayPieces,
    PieceHolder,
    Question,
    copy_keys,
    first_of_array,
    type_of,
)
from shadersort.selection.primitives import NumPyPrimitives, Primitives
from shadersort.selection.primitives.values import Traffic

ROOM = 1 << 26
"""At most this many keys are copied to the first GPU, which selects from them."""


class Parts:
    """Arrays whose keys are selected from together, as if they were joined.

    Parameters
    ----------
    arrays
        At least one array of one dimension, all of one type: of NumPy, or of libraries whose arrays
        are on GPUs, on any number of devices. They are neither copied nor changed.

    Raises
    ------
    ArraysApart
        Some arrays are in the host's memory, and some on a GPU.
    KeysNotFlat, UnsupportedKeys
        An array has not one dimension, or is masked.

    Examples
    --------
    >>> import modern
    >>> parts = Parts([np.array([5, 1]), np.array([4]), np.array([2, 3, 9])])
    >>> modern.median(parts), modern.topk(parts, 2).indices
    (np.float64(3.5), array([5, 0]))
    """

    ndim = 1

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays = [each if is_on_gpu(each) else SELECTED.array(each) for each in arrays]
        places = {is_on_gpu(each) for each in self.arrays}
        if len(places) > 1:
            raise ArraysApart(
                "some parts are in the host's memory and some on a GPU: put all of them on GPUs, "
                "or all of them in the host's memory"
            )
        for each in self.arrays:
            if each.ndim != 1:
                what = "parts.ravel() of each" if each.ndim else "arrays; a file is passed alone"
                raise KeysNotFlat(f"a part has 1 dimension, not {each.ndim}: pass {what}")

    def pieces(self) -> PieceHolder:
        """Return the arrays as pieces."""
        on_gpu = self.arrays and is_on_gpu(self.arrays[0])
        return GPUPieces(self.arrays) if on_gpu else ArrayPieces(self.arrays)


def first_on_gpu(keys: Any, by: int, count: int) -> tuple[Keys, Integers]:
    """Return the first keys of a piece on a GPU, or on the host, and their places, on the host."""
    if isinstance(keys, NumPyPrimitives):
        return first_of_array(keys, by, count)
    rows: Any = open_rows("topk", keys.array, 0)
    values, places = rows.first(count, by, in_order=True, ties="lowest")
    return rows.along(values).get(), rows.along(places).get()


def fetch_to_host(keys: Any) -> Keys:
    """Return the array of few keys, on a GPU or on the host, on the host."""
    return copy_keys(keys) if isinstance(keys, NumPyPrimitives) else np.asarray(keys.array.get())


class GPUPieces(PieceHolder):
    """Arrays on GPUs, each of which is asked on its device, on the caller's current stream.

    A thread for each device waits while its device works. The parts of one device share its
    workspace, so they are asked one after another. The first device, which the caller's thread
    asks, is where kept keys come together.
    """

    few = room = ROOM
    first = staticmethod(first_on_gpu)

    def __init__(self, arrays: Sequence[Any]) -> None:
        import cupy

        from modern.primitives.cupy import CuPyPrimitives

        arrays = list(map(as_cupy, arrays))
        self.dtype, self.sizes = type_of(arrays), [int(each.size) for each in arrays]
        self.devices: list[tuple[Any, Any]] = []
        self.keys: list[Any] = []
        for each in arrays:
            with each.device:
                self.devices.append((each.device, cupy.cuda.get_current_stream()))
                self.keys.append(CuPyPrimitives(each))
        self.counters = min(each.tuning.counters for each in self.keys)

    @staticmethod
    def fetch(keys: Any) -> Any:
        """Return the array of few keys, which stay on their device."""
        return keys.array

    def ask(self, question: Question) -> Any:
        """Ask all devices at once."""
        return question.join(self._each(lambda keys, place: question(keys, place, 0)))

    def take(self, places: Integers) -> Keys:
        """Return the keys at ascending places."""
        some = self.divide(places)
        found = self._each(lambda keys, place: keys.take(some[place]))
        return np.asarray(self.keys[0].restore(np.concatenate(found)))

    def gather(self, kept: Sequence[Any], traffic: Traffic) -> Primitives:
        """Return primitives over kept keys, which are copied to the first device."""
        import cupy

        from modern.primitives.cupy import CuPyPrimitives

        device, stream = self.devices[0]
        with device, stream:
            return CuPyPrimitives(cupy.concatenate(list(map(cupy.array, kept))), traffic)

    def _each(self, ask: Any) -> list[Any]:
        """Return what each part answers, in their order."""
        self.rounds += 1
        found: list[Any] = [None] * len(self.keys)

        def ask_some(places: Sequence[int]) -> None:
            for place in places:
                device, stream = self.devices[place]
                with device, stream:
                    found[place] = ask(self.keys[place], place)

        together: dict[int, list[int]] = {}
        for place, (device, _) in enumerate(self.devices):
            together.setdefault(device.id, []).append(place)
        first, *others = together.values()
        if not others:
            ask_some(first)
            return found
        with ThreadPoolExecutor(len(others)) as pool:  # it ends when all devices have answered
            waiting = [pool.submit(ask_some, places) for places in others]
            ask_some(first)
        for each in waiting:
            each.result()
        return found
