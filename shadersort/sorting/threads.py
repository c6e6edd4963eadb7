"""The cores that this process may use, and pools of threads for them."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any


def cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _NoThreads(Executor):
    """Does each task at once, in the thread that submits it."""

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        done = Future[Any]()
        try:
            done.set_result(task(*given, **named))
        except Exception as error:
            done.set_exception(error)
        return done


def open_pool(threads: int) -> Executor:
    """Return a pool of threads; in a browser, where no thread starts, one that needs none."""
    return _NoThreads() if sys.platform == "emscripten" else ThreadPoolExecutor(threads)
