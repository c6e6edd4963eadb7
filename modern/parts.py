"""Keys in several arrays, on one device or on several: each answers for itself.

`Parts` stands where an array does in `select`, `multiselect`, `median`, `nanmedian`, `quantile`,
`nanquantile` and `topk`. A list of arrays on GPUs is taken for parts as well. All devices work at
once; counts, a sample and few candidates travel between them.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import add, attrgetter
from typing import Any

from modern.opening import as_cupy, is_on_gpu, open_rows
from shadersort.errors import ArraysApart, KeysNotFlat
from shadersort.keys.accepted import SELECTED
from shadersort.keys.types import Integers, Keys
from shadersort.selection.pieces.asking import (
    ArrayPieces,
    BlockPrimitives,
    PieceHolder,
    Question,
    in_threads,
)
from shadersort.selection.primitives import NumPyPrimitives, Primitives, Traffic

FEW = 1 << 26
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
    >>> import numpy as np
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
    if isinstance(keys, BlockPrimitives):
        return keys.first(by, count)
    rows: Any = open_rows("topk", keys.array, 0)
    values, places = rows.first(count, by, in_order=True, ties="lowest")
    return rows.along(values).get(), rows.along(places).get()


def fetch_to_host(keys: Any) -> Any:
    """Return the array of few keys, on a GPU or on the host, on the host."""
    return keys.keys if isinstance(keys, NumPyPrimitives) else keys.array.get()


class GPUPieces(ArrayPieces):
    """Arrays on GPUs, each of which is asked on its device, on the caller's current stream.

    A thread for each device waits while its device works. The parts of one device share its
    workspace, so they are asked one after another. Kept keys come together on the first device.
    """

    few = FEW
    fetch = staticmethod(attrgetter("array"))
    first = staticmethod(first_on_gpu)

    def __init__(self, arrays: Sequence[Any]) -> None:
        import cupy

        from modern.primitives.cupy import CuPyPrimitives

        super().__init__(list(map(as_cupy, arrays)))
        self.devices: dict[int, list[Any]] = {}  # the number, stream and primitives of each part
        for place, each in enumerate(self.arrays):
            with each.device:
                part = place, cupy.cuda.get_current_stream(), CuPyPrimitives(each)
            self.devices.setdefault(each.device.id, []).append(part)
        every = chain.from_iterable(self.devices.values())
        self.counters = min(keys.tuning.counters for *_, keys in every)

    def ask(self, question: Question) -> Any:
        """Ask all devices at once."""
        self.rounds += 1
        found: dict[int, Any] = {}

        def ask_some(parts: Sequence[Any]) -> None:
            for place, stream, keys in parts:
                with keys.array.device, stream:
                    where = partial(add, int(self.starts[place]))
                    found[place] = question.answer(keys, where)

        tasks = [partial(ask_some, each) for each in self.devices.values()]
        list(in_threads(tasks, len(tasks)))
        return question.join([found[place] for place in sorted(found)])

    def gather(self, kept: Sequence[Any], traffic: Traffic) -> Primitives:
        """Return primitives over kept keys, which are copied to the first device."""
        import cupy

        _, stream, keys = self.devices[self.arrays[0].device.id][0]
        with self.arrays[0].device, stream:
            return type(keys)(cupy.concatenate(list(map(cupy.array, kept))), traffic)  # type: ignore[no-any-return]
