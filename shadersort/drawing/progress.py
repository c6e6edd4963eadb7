"""Progress bars, on the standard error: over passes, over bytes, over items."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from shadersort.drawing.devices.base import Device, Observer, Texture
from shadersort.drawing.passes import Program

__all__ = ["Advance", "progress_in_bytes", "progress_of", "progress_over"]

Advance = Callable[[int], None]
"""Called with the number of bytes that are done since the last call."""

Item = TypeVar("Item")

INTERVAL = 0.1
"""Seconds between two looks at how far the device has come."""


@contextmanager
def progress_of(device: Device, program: Program, *, shown: bool) -> Iterator[Observer | None]:
    """Show a progress bar; yields what observes the passes, None if nothing is shown."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("passes"),
        TimeElapsedColumn(),
    )
    title = f"{program.network.name} by {program.method}"
    with Progress(*columns, console=Console(stderr=True)) as bar:
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
    """Show a progress bar over bytes, whose number may not be known; yields what moves it on."""
    if not shown:
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(binary_units=True),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)


def progress_over(items: Sequence[Item], title: str, *, shown: bool) -> Iterator[Item]:
    """Yield items, and show a progress bar over them."""
    if not shown:
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, title, console=Console(stderr=True), transient=True)
