"""Keys in several pieces: arrays on any devices, files larger than memory, and chunks.

`Parts`, `FileKeys` or the path of a file stands where an array does in `select`, `multiselect`,
`median`, `nanmedian`, `quantile`, `nanquantile` and `topk`; a list of arrays on GPUs is taken for
parts. All GPUs work at once: counts, a sample and few candidates travel between them. All keys of a
file are read in rounds, within a budget of memory, and so is a large `np.memmap`. Rows along axes
of an array in a `.npy` file are answered as those of the array itself: the file is mapped.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import add, attrgetter
from os import PathLike
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

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
from shadersort.keys.inputs import SELECTED
from shadersort.selection.pieces.asking import PieceHolder, Question, in_threads
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.rows import SPAN, PieceRows
from shadersort.selection.primitives import NumPyPrimitives, Primitives
from shadersort.selection.primitives.values import Traffic

FEW = 1 << 26
"""At most this many keys are copied to the first GPU, which selects from them."""

OPTIONS = ("column", "dtype", "offset", "memory", "progress")
"""Options of a function that say how a source is read."""

FLAT = (-1, 0, None)
"""The axes that all name the only one."""

LARGE = 1 << 26
"""Bytes: a smaller `np.memmap` is answered as any other array is."""

IN_ROUNDS = ("select", "multiselect", "median", "nanmedian", "quantile", "nanquantile")
"""The functions that read an `np.memmap` in rounds."""


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
        cut = (np.array_split(each, max(-(-each.nbytes // SPAN), 1)) for each in arrays)
        keys = FileKeys(list(chain.from_iterable(cut)))
        keys.name, keys.rereads = "parts", False
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
        self.rounds += 1
        found: dict[int, Any] = {}
        starts = (np.cumsum(self.sizes) - self.sizes).tolist()

        def ask_some(parts: Sequence[Any]) -> None:
            for place, stream, keys in parts:
                with keys.array.device, stream:
                    found[place] = question.answer(keys, partial(add, starts[place]))

        tasks = [partial(ask_some, each) for each in self.devices.values()]
        list(in_threads(tasks, len(tasks)))
        return question.join([found[place] for place in sorted(found)])

    def gather(self, kept: Sequence[Any], traffic: Traffic) -> Primitives:
        """Return primitives over kept keys, which are copied to the first device."""
        import cupy

        _, stream, keys = next(iter(self.devices.values()))[0]
        with keys.array.device, stream:
            return type(keys)(cupy.concatenate(list(map(cupy.array, kept))), traffic)  # type: ignore[no-any-return]


def open_pieces(x: Any, call: Call) -> Any:
    """Open `Parts`, a list of arrays on GPUs, a file, an `np.memmap`, or chunks of keys."""
    if isinstance(x, np.memmap) and not is_in_rounds(x, call):
        return open_host(np.asarray(x), call)
    keys = Parts(x) if isinstance(x, list) else x
    if not isinstance(keys, Parts | FileKeys):
        options = call.options or {}
        reading = {name: options.pop(name) for name in OPTIONS if name in options}
        keys = FileKeys(x, **reading)
        ndim = len(getattr(keys.source, "shape", (0,)))
        if ndim != 1:
            if call.axis is not None and len(normalize_axis_tuple(call.axis, ndim)) < ndim:
                return open_mapped(x, call, reading)
            if call.name == "topk":
                raise KeysNotFlat(
                    f"{keys.source.name} has several dimensions, and topk takes one: ask for keys "
                    "by multiselect"
                )
            call = call._replace(axis=None)
    check_call(call)
    rows: Any = PieceRows(keys.pieces())
    if isinstance(x, np.memmap):  # a method by its name has all of it in memory
        rows.primitives = partial(NumPyPrimitives, x.reshape(-1))
    return rows


def open_mapped(source: Any, call: Call, reading: dict[str, Any]) -> Any:
    """Open rows along axes of an array in a `.npy` file, by a map of it, or of a mapped array."""
    check_call(call._replace(axis=None, keepdims=False, out=None))
    for name in ("memory", "progress"):
        if reading.get(name):
            raise BadOption(
                f"{name}= is for all keys as one row, with axis=None, and rows along an axis were "
                "asked for: leave it out, or pass axis=None"
            )
    if isinstance(source, str | PathLike):
        source = np.load(source, mmap_mode="r")
        source = source[str(reading["column"])] if reading.get("column") is not None else source
    return open_host(np.asarray(source), call)


def check_call(call: Call) -> None:
    """Raise an error for a function or an option that needs one array in memory."""
    if call.name not in (*IN_ROUNDS, "topk"):
        raise MethodUnavailable(
            f"{call.name} needs one array: keys in pieces are taken by {', '.join(IN_ROUNDS)}, "
            "topk, argtopk"
        )
    if call.axis not in FLAT:
        raise BadAxis(f"keys in pieces have 1 dimension, and no axis {call.axis}")
    if call.keepdims:
        raise MethodUnavailable("keys in pieces take no keepdims: leave it out, reshape the result")
    if call.out is not None:
        raise MethodUnavailable("keys in pieces take no out: pass one array in memory")


def is_in_rounds(x: Any, call: Call) -> bool:
    """Whether an `np.memmap` is asked in rounds: it is large, or options say so; it is one row."""
    if not set(OPTIONS).isdisjoint(call.options or ()):
        return True
    in_one_row = call.axis in (FLAT if x.ndim == 1 else (None,))
    plain = call.name in IN_ROUNDS and not call.keepdims and call.out is None
    return x.nbytes >= LARGE and in_one_row and plain
