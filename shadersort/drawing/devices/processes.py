"""Which process and thread may use and destroy contexts of OpenGL.

A driver's threads and connections do not survive a fork: a forked child has the objects of its
parent's driver without the threads that work for them. So the first call that waits for them would
wait for ever.

Python may collect a device that nobody closed in any thread, between any two instructions: in the
middle of another device's work, or in a callback of GLFW. So its context is only noted then. It is
destroyed at once where that is allowed anywhere (EGL), else before the next context is made, or at
exit.
"""

import os
import threading
import warnings
from collections import deque
from typing import Any
from weakref import finalize

from shadersort.drawing.signals import held_signals
from shadersort.errors import DeviceForked

Context = Any
"""A context of `contexts.py`, which imports this module."""

ADVICE = (
    "start workers by multiprocessing.get_context('spawn'), and open a device in each of them, or "
    "use device='software'"
)
"""What to do instead of using OpenGL after a fork."""

_first_user: int | None = None
"""The process that first made an OpenGL context, of this process and those it was forked from."""


def check_can_open() -> None:
    """Raise DeviceForked if OpenGL was used before this process was forked; note its use here."""
    global _first_user
    _first_user = _first_user or os.getpid()
    if is_forked(_first_user):
        raise DeviceForked(
            f"OpenGL was used in process {_first_user} before process {os.getpid()} was forked "
            f"from it, so the driver does not work here: {ADVICE}"
        )


def is_forked(process: int) -> bool:
    """Return whether this process is another than the given one."""
    return process != os.getpid()


_waiting: deque[Context] = deque()
_of_parents: list[Context] = []
"""Contexts of the process that this one was forked from: they are never touched, nor freed."""


def release_when_abandoned(device: object, context: Context) -> "finalize[..., object]":
    """Destroy the context when nobody uses the device any more; return how to detach this."""
    return finalize(device, _abandon, context, repr(device))


def _abandon(context: Context, name: str) -> None:
    """Destroy the context of a device that nobody closed, now or soon, and warn."""
    _waiting.append(context)
    if is_forked(context.process):
        return
    if not context.has_window:
        release_abandoned()
    warnings.warn(
        f"unclosed device {name}: call its close(), or use "
        "'with shadersort.open_device(...) as device'",
        ResourceWarning,
        stacklevel=2,
    )


def release_abandoned() -> None:
    """Destroy the contexts that wait for it, as far as this thread may."""
    if not _waiting:
        return
    may_close_windows = threading.current_thread() is threading.main_thread()
    with held_signals:
        for _ in range(len(_waiting)):
            try:
                context = _waiting.popleft()
            except IndexError:  # another thread was faster
                return
            if is_forked(context.process):
                _of_parents.append(context)
            elif context.has_window and not may_close_windows:
                _waiting.append(context)
            else:
                context.release()
