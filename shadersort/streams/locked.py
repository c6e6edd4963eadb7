"""Locks: several threads may use one summary, and they take turns.

A method of a summary that reads or changes what it has seen is `locked`: it holds the summary's own
lock from its first line to its last, so an update counts wholly or not at all, and an answer is
about the whole updates until then. An update by an iterator holds it until the iterator ends, which
must not wait for another thread that uses the same summary. No thread ever waits for one summary
while it holds another: merging first takes a snapshot of the other and lets go of it.
`docs/threads.md` has the policy of everything public.

A forked child has only the thread that forked. So right after a fork, it lets go of the locks that
lost threads hold, and undoes their updates. (Later would be too late: a new thread of the child may
have the number of a lost one, and pass for the owner.)
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from threading import RLock
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

P = ParamSpec("P")
R = TypeVar("R")


class SummaryLock:
    """A reentrant lock that a forked child can take, whoever held it in the parent."""

    __slots__ = ("__weakref__", "rlock", "undo")

    def __init__(self) -> None:
        self.rlock = RLock()  # is taken by `with lock.rlock`
        self.undo: Callable[[], None] | None = None  # undoes the update that is going on
        _locks.add(self)

    def after_fork(self) -> None:
        """Let go, in the child, of what a lost thread held."""
        if self.rlock.acquire(blocking=False):  # it is free, or of the thread that forked
            self.rlock.release()
            return
        self.rlock = RLock()
        if self.undo:
            self.undo()
        self.undo = None


_locks: WeakSet[SummaryLock] = WeakSet()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: [*map(SummaryLock.after_fork, list(_locks))])


def locked(method: Callable[P, R]) -> Callable[P, R]:
    """Return a method that holds the lock of its object, `_lock`, while it runs."""

    @wraps(method)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        summary: Any = args[0]
        with summary._lock.rlock:
            return method(*args, **kwargs)

    return alone


@contextmanager
def undo_on_error(summary: Any) -> Iterator[None]:
    """Restore the attributes of a summary if the body fails; no attribute is changed in place.

    The lock can undo the body meanwhile, or the outermost of several, as a forked child needs it.
    """
    lock, before = summary._lock, dict(summary.__dict__)
    outer = lock.undo
    lock.undo = outer or partial(summary.__dict__.update, before)
    try:
        yield
    except BaseException:
        summary.__dict__.update(before)
        raise
    finally:
        lock.undo = outer
