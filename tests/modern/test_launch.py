"""What a launch asks the driver for; no GPU is needed."""

import threading
from collections.abc import Callable

import pytest
from cupy.cuda import driver

from modern import launch


def test_shared_memory_is_as_much_as_any_thread_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    granted, less_is_asked, more_is_granted = [0], threading.Event(), threading.Event()

    def set_attribute(kernel: int, attribute: int, shared: int) -> None:
        if shared == 20_000:
            less_is_asked.set()
            more_is_granted.wait(0.2)  # time to come first, if nothing keeps the other thread
        granted[0] = shared
        if shared == 40_000:
            more_is_granted.set()

    def ask(shared: int) -> Callable[[], None]:
        return lambda: launch._ask_for(7, shared)

    monkeypatch.setattr(driver, "funcSetAttribute", set_attribute)
    monkeypatch.setattr(launch, "_shared", {})
    less, more = threading.Thread(target=ask(20_000)), threading.Thread(target=ask(40_000))
    less.start()
    less_is_asked.wait()
    more.start()
    less.join()
    more.join()
    assert granted == [40_000]
    ask(30_000)()
    assert granted == [40_000]
