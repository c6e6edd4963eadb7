"""Waits for a device: fences, marks among its work that say when it is done; and how often to wait.

Every other wait of OpenGL may end too soon, without an error. On NVIDIA H100s and H200s that other
programs used, too, waits of more than about ten seconds did: copies to the host brought the texture
as it was in the middle of the sort. Of sorts that waited so long on an H100 with fourteen
processes, 22 of 49 came out wrong. With fences, waits took up to 28 seconds, and 43 of 43 were
right.

moderngl has no fences, so OpenGL's functions are called by their addresses.
"""

import ctypes
import time
from collections.abc import Callable
from typing import Any

from shadersort.errors import DeviceUnusable

ALL_COMMANDS_DONE = 0x9117  # GL_SYNC_GPU_COMMANDS_COMPLETE
SEND_COMMANDS = 1  # GL_SYNC_FLUSH_COMMANDS_BIT
ALREADY_DONE, NOT_YET, DONE = 0x911A, 0x911B, 0x911C

QUESTION_NS = 500_000_000
"""Nanoseconds that one question waits for its answer."""

Address = Callable[[str], int]
"""Returns where a function of OpenGL lies in memory, by its name; 0 if there is none."""


class Fences:
    """The fences of one context, which has to be active."""

    def __init__(self, address: Address) -> None:
        fence, bits, nanoseconds = ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint64

        def function(name: str, result: Any, *arguments: Any) -> Any:
            if found := address(name):
                return ctypes.CFUNCTYPE(result, *arguments)(found)
            raise DeviceUnusable(f"the driver has no {name}, which every OpenGL since 3.2 has")

        self._make = function("glFenceSync", fence, bits, bits)
        self._ask = function("glClientWaitSync", bits, fence, bits, nanoseconds)
        self._delete = function("glDeleteSync", None, fence)

    def wait(self) -> None:
        """Wait until everything asked of the device so far is done, however long that takes."""
        fence = self._make(ALL_COMMANDS_DONE, 0)
        if not fence:
            raise DeviceUnusable("OpenGL made no fence to wait for the device")
        try:
            answer = NOT_YET
            while answer == NOT_YET:
                answer = self._ask(fence, SEND_COMMANDS, QUESTION_NS)
        finally:
            self._delete(fence)
        if answer not in (ALREADY_DONE, DONE):
            raise DeviceUnusable(f"OpenGL cannot wait for the device: answer {answer:#x}")


FIRST_TEXELS = 1 << 27
SECONDS = 0.1
"""Texels sent before the first wait for the device, and seconds between later waits.

A driver may lose work that it has had for long: on an NVIDIA H100, 18 s of passes that were sent
without a wait came out wrong, and it raised no error. A wait leaves the GPU idle for half a
millisecond; with a second between waits, sorts took as long as with a tenth.
"""

MOST_GROWTH = 2
"""How many times as much the next flight may carry, so that a short one proves little."""


class Flights:
    """Counts texels sent to the device, and says when to wait for it."""

    def __init__(self) -> None:
        self._texels, self._most = 0, FIRST_TEXELS
        self._began = 0.0

    def sent(self, texels: int) -> bool:
        """Count texels that were copied or drawn; return whether to wait before more are."""
        if not self._texels:
            self._began = time.perf_counter()
        self._texels += texels
        return self._texels >= self._most

    def landed(self) -> None:
        """Begin anew after a wait; a full flight sets how large the next may be."""
        if self._texels >= self._most:
            took = time.perf_counter() - self._began
            in_time = self._texels * SECONDS / max(took, 1e-9)
            self._most = max(1, int(min(in_time, MOST_GROWTH * self._most)))
        self._texels = 0
