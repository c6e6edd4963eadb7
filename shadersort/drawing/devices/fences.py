"""Fences: marks among the device's work, which say when it is done.

Every other wait of OpenGL may end too soon, and says nothing of it. On NVIDIA H100s and H200s, a
wait of more than about ten seconds did, when other programs used the GPU, too: copies to the host
brought the texture as it was in the middle of the sort, or what was in their buffer before. On an
H100 with fourteen processes, 20 of 20 sorts by "fragment" came out wrong that waited so long for
their passes, and 2 of 29 by "compute". With fences, waits took up to 28 seconds, and 43 of 43 sorts
were right.

moderngl has no fences, so OpenGL's functions are called by their addresses.
"""

import ctypes
from collections.abc import Callable

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
        make = ctypes.CFUNCTYPE(fence, ctypes.c_uint, bits)
        ask = ctypes.CFUNCTYPE(ctypes.c_uint, fence, bits, nanoseconds)
        delete = ctypes.CFUNCTYPE(None, fence)
        self._make = make(_found(address, "glFenceSync"))
        self._ask = ask(_found(address, "glClientWaitSync"))
        self._delete = delete(_found(address, "glDeleteSync"))

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


def _found(address: Address, name: str) -> int:
    if found := address(name):
        return found
    raise DeviceUnusable(f"the driver has no {name}, which every OpenGL since 3.2 has")
