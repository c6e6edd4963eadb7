"""Progress bars, on the standard error: over passes, and over bytes."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from shadersort.drawing.devices.base import Device, Observer
from shadersort.drawing.devices.texture import Texture
from shadersort.drawing.program import Program

Advance = Callable[[int], None]
"""Called with the number of bytes that were done since the last call."""

INTERVAL = 0.1
"""Seconds between two looks at how far the device has come."""


def _bar(counted: str, unit: str = "") -> Any:
    """Return a bar with one of rich's columns for what is counted; rich is imported only here."""
    from rich import progress
    from rich.console import Console

    column = getattr(progress, counted)()
    columns = [progress.TextColumn("{task.description}"), progress.BarColumn(), column]
    columns += [progress.TextColumn(unit), progress.TimeElapsedColumn()]
    return progress.Progress(*columns, console=Console(stderr=True))


@contextmanager
def progress_of(device: Device, program: Program, *, shown: bool) -> Iterator[Observer | None]:
    """Show a progress bar; yields the observer of the passes, or None if nothing is shown."""
    if not shown:
        yield None
        return
    with _bar("MofNCompleteColumn", "passes") as bar:
        title = f"{program.network.name} by {program.method}"
        task = bar.add_task(title, total=len(program.passes))
        looked = time.monotonic()

        def observe(index: int, buffers: Mapping[str, Texture]) -> None:
            nonlocal looked
            if time.monotonic() - looked >= INTERVAL:
                device.finish()  # passes are drawn later than they are asked for
                bar.update(task, completed=index + 1)
                looked = time.monotonic()

        yield observe
        bar.update(task, completed=len(program.passes))


@contextmanager
def progress_in_bytes(title: str, total: int | None, *, shown: bool) -> Iterator[Advance]:
    """Show a progress bar over bytes, whose number may be unknown; yields what advances it."""
    if not shown:
        yield lambda count: None
        return
    with _bar("DownloadColumn") as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)
