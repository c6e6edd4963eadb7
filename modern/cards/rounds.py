"""Arrays on GPUs as pieces for methods by their names: rounds over the host, all cards at once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from operator import add, attrgetter
from typing import Any

import cupy
import numpy as np

from modern.primitives.cupy import CuPyPrimitives
from shadersort.selection.pieces.asking import PieceHolder, Question
from shadersort.selection.primitives import Primitives
from shadersort.selection.primitives.values import Traffic

FEW = 1 << 26
"""At most this many keys come together on the first device."""


class GPUPieces(PieceHolder):
    """Arrays on GPUs, each of which is asked on its device, on the caller's current stream.

    A thread for each device waits while its device works. The parts of one device share its
    workspace, so they are asked one after another. Kept keys come together on the first device.
    """

    few = FEW
    fetch = staticmethod(attrgetter("array"))

    def __init__(self, arrays: Sequence[Any]) -> None:
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

        def ask_some(device: int, parts: Sequence[Any]) -> None:
            cupy.cuda.runtime.setDevice(device)  # a new thread has no context
            for place, stream, keys in parts:
                with keys.array.device, stream:
                    found[place] = question.answer(keys, partial(add, starts[place]))

        with ThreadPoolExecutor(len(self.devices)) as pool:
            list(pool.map(ask_some, self.devices, self.devices.values()))
        return question.join([found[place] for place in sorted(found)])

    def gather(self, kept: Sequence[Any], traffic: Traffic) -> Primitives:
        """Return primitives over kept keys, which are copied to the first device."""
        _, stream, keys = next(iter(self.devices.values()))[0]
        with keys.array.device, stream:
            return type(keys)(cupy.concatenate(list(map(cupy.array, kept))), traffic)  # type: ignore[no-any-return]
