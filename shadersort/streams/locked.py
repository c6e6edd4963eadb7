"""Locks: several threads may use one summary, and they take turns.

Every summary has a lock of its own. A method of a summary that reads or changes what it has seen is
`locked`: it holds the lock from its first line to its last, so an update counts wholly or not at
all, and an answer is about the whole updates until then. The lock is reentrant, since methods use
one another.

No thread ever waits for one summary while it holds another: merging first takes a snapshot of the
other summary (`Summary._snapshot`) and lets go of it. So two summaries may be merged in both
directions at once.

An update by an iterator is one update: it holds the lock until the iterator ends. Such an iterator
must not wait for another thread that uses the same summary. `docs/threads.md` has the policy of
everything public.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def locked(method: Callable[P, R]) -> Callable[P, R]:
    """Return a method that holds the lock of its object, `_lock`, while it runs.

    Examples
    --------
    >>> from threading import RLock
    >>> class Counter:
    ...     count, _lock = 0, RLock()
    ...     @locked
    ...     def add(self, more):
    ...         self.count += more
    ...         return self.count
    >>> Counter().add(3)
    3
    """

    @wraps(method)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        summary: Any = args[0]
        with summary._lock:
            return method(*args, **kwargs)

    return alone
