"""What the tests let run in child processes: work that ends, work that never does, and crashes."""

import os
import sys
import time
from typing import NoReturn

import numpy as np

from shadersort.lessons.exercises.child import Child

prepared = False


def prepare() -> None:
    global prepared
    time.sleep(1)
    prepared = True


def was_prepared() -> bool:
    return prepared


def fails_to_prepare() -> NoReturn:
    raise OSError("no device")


def loops() -> NoReturn:
    while True:
        pass


def holds_the_interpreter() -> None:
    """Work for hours in one call that releases no lock, as a driver may."""
    pow(3, 10**10)


def abort() -> None:
    os.write(2, b"the driver gives up\n")
    os.abort()


def talk(times: int) -> int:
    os.write(1, b"from a driver\n")
    for _ in range(times):
        print("a key")
    print("an error", file=sys.stderr)
    return times


def read_input() -> str:
    return sys.stdin.read()


def parent_that_waits() -> None:
    """Print the number of a child, and wait for its endless call."""
    child = Child()
    child.call(np.sum, np.ones(2), seconds=10)
    print(child.pid, flush=True)
    child.call(holds_the_interpreter, seconds=1)


def parent_that_is_interrupted() -> None:
    """Print the number of a child that loops; after Ctrl-C, that of the next."""
    child = Child()
    child.call(np.sum, np.ones(2), seconds=10)
    print(child.pid, flush=True)
    try:
        child.call(holds_the_interpreter, seconds=60)
    except KeyboardInterrupt:
        child.call(np.sum, np.ones(2), seconds=10)
        print(child.pid, flush=True)
