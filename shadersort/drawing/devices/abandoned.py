"""Contexts of devices that nobody closed: each is destroyed where that is safe.

Python may collect a device in any thread, between any two instructions: in the middle of another
device's work, or in a callback of GLFW. So its context is only noted then. It is destroyed at once
where that is allowed anywhere (EGL), else before the next context is made, or at exit.
"""

import os
import threading
import warnings
from collections import deque
from typing import Protocol
from weakref import finalize

from shadersort.drawing.devices.processes import is_forked
from shadersort.drawing.signals import held_signals


class Abandoned(Protocol):
    """A context that can be destroyed."""

    process: int
    has_window: bool

    def release(self) -> None:
        """Destroy the context."""


_waiting: deque[Abandoned] = deque()
_of_parents: list[Abandoned] = []
"""Contexts of the process that this one was forked from: they are never touched, nor freed."""


def release_when_abandoned(device: object, context: Abandoned) -> "finalize[..., object]":
    """Destroy the context when nobody uses the device any more; return how to detach this."""
    return finalize(device, _abandon, context, repr(device))


def _abandon(context: Abandoned, name: str) -> None:
    """Destroy the context of a device that nobody closed, now or soon, and warn."""
    if is_forked(context.process):
        _of_parents.append(context)
        return
    _waiting.append(context)
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
            if context.has_window and not may_close_windows:
                _waiting.append(context)
            else:
                context.release()


def _forget_waiting() -> None:
    """Leave the contexts of the parent alone in a forked child."""
    _of_parents.extend(_waiting)
    _waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_waiting)
