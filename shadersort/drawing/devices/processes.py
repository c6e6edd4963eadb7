"""Which process may use OpenGL: a driver's threads and connections do not survive a fork.

A forked child has the objects of its parent's driver without the threads that work for them. So the
first call that waits for them would wait for ever.
"""

import os

from shadersort.errors import DeviceForked

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


ADVICE = (
    "start workers by multiprocessing.get_context('spawn'), and open a device in each of them, or "
    "use device='software'"
)
"""What to do instead."""
