"""Keys in several pieces: arrays on any devices, files larger than memory, and chunks.

`Parts`, `FileKeys` or the path of a file stands where an array does in `select`, `multiselect`,
`median`, `nanmedian`, `quantile`, `nanquantile` and `topk`; a list of arrays on GPUs is taken for
parts. All GPUs work at once: counts, a sample and few candidates travel between them. All keys of a
file are read in rounds, within a budget of memory. Rows along axes of an array in a `.npy` file are
answered as those of the array itself: the file is mapped.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from operator import add, attrgetter
from typing import Any

import numpy as np

from modern.opening import Call, as_cupy, is_on_gpu, open_host
from shadersort.errors import (
    ArraysApart,
    BadAxis,
    BadOption,
    EmptyInput,
    KeysNotFlat,
    MethodUnavailable,
    UnsupportedKeys,
)
from shadersort.files.arrays import find_field
from shadersort.keys.inputs import SELECTED
from shadersort.selection.pieces.asking import PieceHolder, Question
from shadersort.selection.pieces.files import PIECE, FileKeys
from shadersort.selection.pieces.primitives import PieceRows
from shadersort.selection.primitives import NumPyPrimitives, Primitives
from shadersort.selection.primitives.values import Traffic
from shadersort.selection.rows.axes import layout_of

FEW = 1 << 26
"""At most this many keys are copied to the first GPU, which selects from them."""

OPTIONS = ("column", "dtype", "offset", "memory", "progress")
"""Options of a function that say how a source is read."""

FUNCTIONS = ("select", "multiselect", "median", "nanmedian", "quantile", "nanquantile", "topk")
"""The functions that take keys in pieces; `argtopk` is one of `topk`."""


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
        if not self.arrays:
            raise EmptyInput("no parts: pass at least one array")
        on_gpu = is_on_gpu(self.arrays[0])
        arrays = list(map(as_cupy, self.arrays)) if on_gpu else self.arrays
        types = {each.dtype.newbyteorder("=") for each in arrays}
        if len(types) > 1:
            names = ", ".join(sorted(map(str, types)))
            raise UnsupportedKeys(f"parts have keys of {names}: pass parts of one type")
        if on_gpu:
            return GPUPieces(arrays)
        cut = (np.array_split(each, max(-(-each.nbytes // PIECE), 1)) for each in arrays)
        keys = FileKeys(list(chain.from_iterable(cut)))
        keys.name = "parts"
        return keys


def fetch_to_host(keys: Any) -> Any:
    """Return the array of few keys, on a GPU or on the host, on the host."""
    return keys.keys if isinstance(keys, NumPyPrimitives) else keys.array.get()


class GPUPieces(PieceHolder):
    """Arrays on GPUs, each of which is asked on its device, on the caller's current stream.

    A thread for each device waits while its device works. The parts of one device share its
    workspace, so they are asked one after another. Kept keys come together on the first device.
    """

    few = FEW
    fetch = staticmethod(attrgetter("array"))

    def __init__(self, arrays: Sequence[Any]) -> None:
        import cupy

        from modern.primitives.cupy import CuPyPrimitives

        self.dtype, self.sizes = arrays[0].dtype, [int(each.size) for each in arrays]
        self.devices: dict[int, list[Any]] = {}  # the number, stream and primitives of each part
        for place, each in enumerate(arrays):
            with each.device:
                part = place, cupy.cuda.get_current_stream(), CuPyPrimitives(each)
            self.devices.setdefault(each.device.id, []).append(part)
        every = chain.from_iterable(self.devices.values())
        self.counters = min(keys.tuning.counters for *_, keys in every)

    def ask(self, question: Question) -> Any:
        """Ask all devices at once."""
        self.reads += 1
        found: dict[int, Any] = {}
        starts = (np.cumsum(self.sizes) - self.sizes).tolist()

        def ask_some(parts: Sequence[Any]) -> None:
            for place, stream, keys in parts:
                with keys.array.device, stream:
                    found[place] = question.answer(keys, partial(add, starts[place]))

        with ThreadPoolExecutor(len(self.devices)) as pool:
            list(pool.map(ask_some, self.devices.values()))
        return question.join([found[place] for place in sorted(found)])

    def gather(self, kept: Sequence[Any], traffic: Traffic) -> Primitives:
        """Return primitives over kept keys, which are copied to the first device."""
        import cupy

        _, stream, keys = next(iter(self.devices.values()))[0]
        with keys.array.device, stream:
            return type(keys)(cupy.concatenate(list(map(cupy.array, kept))), traffic)  # type: ignore[no-any-return]


def open_pieces(x: Any, call: Call) -> Any:
    """Open `Parts`, a list of arrays on GPUs, a file, an `np.memmap`, or chunks of keys.

    A mapped array whose reading has no options is like any other array. Rows along axes of an array
    in a file are those of the mapped array, and so are the first keys of several dimensions.
    """
    parts = Parts(x) if isinstance(x, list) else x
    if isinstance(parts, Parts | FileKeys):
        pieces = parts if isinstance(parts, FileKeys) else parts.pieces()
        return open_row(pieces, (sum(pieces.sizes),), call)
    options = call.options or {}
    reading = {name: options.pop(name) for name in OPTIONS if name in options}
    if isinstance(x, np.memmap) and not reading:
        return open_host(np.asarray(x), call)
    keys: Any = FileKeys(x, **reading)
    shape = getattr(keys.source, "shape", (keys.size,))
    if len(shape) == 1 or not (call.name == "topk" or layout_of(shape, call.axis).left):
        return open_row(keys, shape, call)
    for name in ("memory", "progress"):
        if reading.get(name):
            raise BadOption(f"{name}= is for all keys as one row: leave it out, or pass axis=None")
    array = np.asarray(x if isinstance(x, np.ndarray) else np.load(x, mmap_mode="r"))
    field = find_field(array.dtype, str(x), reading.get("column"))
    return open_host(array[field] if field else array, call)


def open_row(pieces: PieceHolder, shape: tuple[int, ...], call: Call) -> PieceRows:
    """Return all keys of an array in pieces as its only row, for a function that takes it."""
    if call.name not in FUNCTIONS:
        names = ", ".join(FUNCTIONS)
        raise MethodUnavailable(
            f"{call.name} needs one array: keys in pieces are taken by {names}, argtopk"
        )
    layout = layout_of(shape, call.axis)
    if layout.left:
        raise BadAxis(f"keys in pieces are one row, and have none along the axis {call.axis}")
    return PieceRows(pieces, layout.kept if call.keepdims else (), call.out)
