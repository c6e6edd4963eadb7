"""All keys of arrays on GPUs as one row, which the first card answers; the host waits for nothing.

Few keys are copied to the first card, and are one array there. Cards that may not write the first
one's memory, or that are of several kinds, are asked in rounds over the host.
"""

from collections.abc import Sequence
from copy import copy
from math import prod
from typing import Any

import cupy
import numpy as np
from cupy.cuda import runtime

from modern.cards import many_ranks, one_rank
from modern.cards.launches import Cards, can_reach, record, wait_for
from modern.cards.rounds import GPUPieces
from modern.device_arrays import ArrayKeys, CuPyKeys, TorchKeys
from modern.launching.launch import KeyType, limits_of
from modern.opening import Call, as_cupy
from modern.primitives import cells
from modern.rows.device import DeviceRows
from modern.rows.ordered import INT64
from shadersort.errors import MethodUnavailable, UnsupportedKeys
from shadersort.selection.pieces.primitives import PieceRows, Pieces
from shadersort.selection.rows.axes import layout_of
from shadersort.selection.rows.protocol import Rows, Ties

FEW = 1 << 26
"""If the keys have at most this many bytes, they are copied to the first card: it is faster."""


def open_cards(arrays: Sequence[Any], call: Call) -> Rows:
    """Return the rows of arrays of one dimension on GPUs, as if they were joined."""
    pieces = [take_keys(each) for each in arrays]
    types = {str(each.dtype) for each in pieces}
    if len(types) > 1:
        raise UnsupportedKeys(
            f"parts have keys of {', '.join(sorted(types))}: pass parts of one type"
        )
    if len(pieces) == 1:
        return DeviceRows(pieces[0].owner, call)
    size, devices = sum(prod(each.shape) for each in pieces), {each.device for each in pieces}
    if size * pieces[0].launcher.raw.itemsize <= FEW:
        return DeviceRows(join(pieces, size), call)
    home = pieces[0].device
    kinds = {limits_of(device) for device in devices}
    together = len(kinds) == 1 and all(can_reach(device, home) for device in devices)
    if together and cells.is_possible(pieces[0]):
        return CardRows(arrays, pieces, call)
    return RoundRows(arrays, pieces, call)


def take_keys(x: Any) -> ArrayKeys:
    """Return the keys of an array on a GPU, or of a copy of keys that lie apart."""
    torch = type(x).__module__.partition(".")[0] == "torch"
    keys: ArrayKeys = TorchKeys(x) if torch else CuPyKeys(as_cupy(x))
    return keys if keys.strides == (1,) or keys.shape[0] < 2 else keys.copy_contiguous((0,))


def join(pieces: Sequence[ArrayKeys], size: int, dtype: KeyType | None = None) -> Any:
    """Return a copy of all keys as an array of the first one's library, on its device."""
    home = pieces[0]
    array, pointer = home.empty((size,), home.dtype if dtype is None else dtype)
    for each in pieces:
        wait_for(record(each), home)
        length = prod(each.shape) * each.launcher.raw.itemsize
        given = pointer, home.device, each.pointer, each.device, length, home.stream
        with cupy.cuda.Device(home.device):
            runtime.memcpyPeerAsync(*given)
        pointer += length
    done = record(home)
    for each in pieces:
        wait_for(done, each)  # it may change or free them then
    return array


class CardRows(DeviceRows):
    """One row of many keys in pieces; kernels on all cards do what one launch does elsewhere."""

    def __init__(self, arrays: Sequence[Any], pieces: Sequence[ArrayKeys], call: Call) -> None:
        self.arrays, self.pieces = arrays, pieces
        keys = copy(pieces[0])
        keys.shape, keys.strides = (sum(prod(each.shape) for each in pieces),), (1,)
        super().__init__(arrays[0], call._replace(axis=0), keys)
        self.is_one_array = True

    def launch_one(self, rank: int, answer: int, **how: Any) -> None:
        """Launch the search for a rank, or for the middle keys."""
        cards = Cards(self.pieces)
        one_rank.launch(cards, rank, answer, **how)
        cards.release()

    def launch_many(self, ranks: Any, answers: int, *, at: int = 0, unless_nan: bool) -> None:
        """Launch the search for ascending ranks."""
        cards = Cards(self.pieces)
        many_ranks.launch(cards, ranks, answers, at=at, unless_nan=unless_nan)
        cards.release()

    def count_numbers(self, pointer: int) -> None:
        """Write how many keys are not NaN: every card counts its own."""
        counts = [rows.count_non_nan() for rows in self._rows_of_pieces()]
        with self.keys.stream_context():
            found = as_cupy(self._join(counts)).sum()
            runtime.memcpyAsync(pointer, found.data.ptr, 8, 1, self.keys.stream)

    def find_each(self, ranks: int, answers: int, count: int) -> None:
        """Find ranks at an address, in any order."""
        with self.keys.stream_context():
            given = view(ranks, count, INT64, self.keys)
            ordered = as_cupy(DeviceRows(given, Call("sort", 0)).sort())
            raw = self.launcher.raw
            found = cupy.empty(count, raw)
            self.launch_many(range(count), found.data.ptr, at=ordered.data.ptr, unless_nan=False)
            places = cupy.searchsorted(ordered, given)
            view(answers, count, raw, self.keys)[...] = found[places]

    def first(self, count: int, by: int, *, in_order: bool, ties: Ties) -> tuple[Any, Any]:
        """Return the first keys in an order, and their places, of what is first in each piece."""
        if ties == "highest":
            raise MethodUnavailable("keys in pieces take no ties='highest': pass one array")
        rows = self._rows_of_pieces()
        asked = [min(count, each.length) for each in rows]
        firsts = [
            each.first(number, by, in_order=True, ties="lowest")
            for each, number in zip(rows, asked, strict=True)
        ]  # all are launched before anything is copied
        values, places = (self._join(each) for each in zip(*firsts, strict=True))
        at = start = 0
        with self.keys.stream_context():
            for each, number in zip(rows, asked, strict=True):
                if start:
                    places[at : at + number] += start
                at, start = at + number, start + each.length
        joined = DeviceRows(values, Call("topk", 0))
        values, order = joined.first(count, by, in_order=in_order, ties="lowest")
        with self.keys.stream_context():
            return values, places[order]

    def _rows_of_pieces(self) -> list[DeviceRows]:
        """Return every piece that has keys as a row of its own."""
        some = [each.owner for each in self.pieces if each.shape[0]]
        return [DeviceRows(each, Call("topk", 0)) for each in some]

    def _join(self, arrays: Sequence[Any]) -> Any:
        """Return a copy of arrays on any cards, on the first one."""
        pieces = [take_keys(each.reshape(-1)) for each in arrays]
        home = copy(self.keys)
        home.shape = (0,)
        size = sum(prod(each.shape) for each in pieces)
        return join([home, *pieces], size, pieces[0].dtype)

    def weighted_quantiles(self, weights: Any, q: Any, *, nan: bool) -> Any:
        """Refuse weights."""
        raise MethodUnavailable("keys in pieces take no weights: pass one array in memory")

    def primitives(self) -> Any:
        """Return the primitives over all keys, for a method by its name."""
        return Pieces(GPUPieces([as_cupy(each) for each in self.arrays]))


class RoundRows(PieceRows):
    """One row of keys in pieces that are asked in rounds over the host."""

    def __init__(self, arrays: Sequence[Any], pieces: Sequence[ArrayKeys], call: Call) -> None:
        held = GPUPieces([as_cupy(each) for each in arrays])
        layout = layout_of((sum(held.sizes),), call.axis)
        super().__init__(held, layout.kept if call.keepdims else ())
        self._home, self._given = pieces[0], call.out

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers as an array on the first card, in `out` if it is given."""
        array = self._home.give(super().result(found, front))
        return array if self._given is None else self._home.write(array, self._given)

    def axis_result(self, found: Any, out: Any = None) -> Any:
        """Return keys or places on the first card."""
        array = self._home.give(found)
        return array if out is None else self._home.write(array, out)


def view(pointer: int, size: int, dtype: np.dtype[Any], keys: ArrayKeys) -> Any:
    """Return memory at an address, which some keys keep, as an array of CuPy."""
    memory = cupy.cuda.UnownedMemory(pointer, size * dtype.itemsize, keys, keys.device)
    return cupy.ndarray(size, dtype, cupy.cuda.MemoryPointer(memory, 0))
