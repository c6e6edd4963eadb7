"""A progress bar over the passes of a program."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from shadersort.devices.base import Device, Observer, Texture
from shadersort.passes import Program

__all__ = ["progress_of"]

INTERVAL = 0.1
"""Seconds between two looks at how far the device has come."""


@contextmanager
def progress_of(device: Device, program: Program, *, shown: bool) -> Iterator[Observer | None]:
    """Show a progress bar; yields what observes the passes, None if nothing is shown."""
    if not shown:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("passes"),
        TimeElapsedColumn(),
    )
    title = f"{program.network.name} by {program.method}"
    with Progress(*columns) as bar:
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
