"""The machines to measure on: NumPy on the host, or a GPU, with the same few methods.

On a GPU, two CUDA events enclose what is timed. The L2 cache is flushed before each call, and the
call is made while the flush still runs. So the launch of the first kernel costs nothing, and every
later wait of the host is part of the time. On the host, `time.perf_counter` tells the time.
"""

import shutil
import subprocess
import time
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

import click
import numpy as np

from shadersort import Device, Program
from shadersort.drawing.devices.texture import Texels
from shadersort.errors import DeviceUnavailable
from shadersort.selection.primitives import NumPyPrimitives, Primitives

Result = TypeVar("Result")

FLUSHED = 256 << 20
"""Bytes that are written before each call: several times the L2 cache of any GPU."""

MOST_SECONDS = 1.0
"""A call that takes longer is not repeated."""

WARM = 3
"""Untimed calls before the timed ones: the first calls are slow."""


def seconds(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def seconds_of_passes(device: Device, program: Program, texels: Texels) -> float:
    """Return the seconds of all passes over a texture that is uploaded already."""
    with device.upload(texels) as texture:
        device.finish()
        started = time.perf_counter()
        with device.execute(program, texture):
            device.finish()
            return time.perf_counter() - started


def median_of(once: Callable[[], float], repeats: int) -> float:
    """Warm up, then return the median of several times; of fewer if a call is slow."""
    found: list[float] = []
    begun = time.perf_counter()
    first = once()
    if first * (WARM + repeats) > 1e3 * MOST_SECONDS:
        found.append(first)
    else:
        for _ in range(WARM - 1):
            once()
    while not found or (len(found) < repeats and time.perf_counter() - begun < MOST_SECONDS):
        found.append(once())
    return float(np.median(found))


class Host:
    """NumPy on the host."""

    name = "NumPy"  # what messages and records call the machine
    xp: Any = np  # the array module of the machine

    @property
    def label(self) -> str:
        """What the machine is called in labels."""
        return str(self.described().get("renderer", self.name))

    def primitives(self, keys: Any) -> Primitives:
        """Return the primitives of an array on this machine."""
        return NumPyPrimitives(keys)

    def wait(self) -> None:
        """Do nothing: work of NumPy is done when the call returns."""

    def waited(self, call: Callable[[], Any]) -> None:
        """Make a call, and wait until its work is done."""
        call()
        self.wait()

    def begin(self) -> None:
        """Prepare for a call that is timed."""

    def mark(self) -> Any:
        """Return a point in time."""
        return time.perf_counter()

    def between(self, marks: list[Any]) -> list[float]:
        """Return the milliseconds between each two neighbours of some marks."""
        return [1e3 * (end - begin) for begin, end in pairwise(marks)]

    def timed(self, call: Callable[[], Result]) -> tuple[float, Result]:
        """Return the milliseconds of a call, and its result."""
        self.begin()
        begin, found = self.mark(), call()
        (ms,) = self.between([begin, self.mark()])
        return ms, found

    def ms(self, call: Callable[[], Any], repeats: int) -> float:
        """Return the median time of a call."""
        return median_of(lambda: self.timed(call)[0], repeats)

    def peak(self, call: Callable[[], Any]) -> int:
        """Return the most bytes that Python and NumPy allocate."""
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            call()
            return tracemalloc.get_traced_memory()[1] - before
        finally:
            tracemalloc.stop()

    def described(self) -> dict[str, Any]:
        """Return the description of NumPy in a record."""
        return {"kind": "numpy"}


class Card(Host):
    """CuPy on the current GPU."""

    name = "CUDA"

    def __init__(self) -> None:
        import cupy

        self.xp = cupy
        self._flushed = cupy.empty(FLUSHED // 8, cupy.uint64)

    def primitives(self, keys: Any) -> Primitives:
        """Return the primitives of an array on this machine."""
        from modern.primitives.cupy import CuPyPrimitives

        return CuPyPrimitives(keys)

    def wait(self) -> None:
        """Wait for the current stream."""
        self.xp.cuda.get_current_stream().synchronize()

    def begin(self) -> None:
        """Wait, and begin to flush the L2 cache."""
        self.wait()
        self._flushed.fill(1)

    def mark(self) -> Any:
        """Return an event that the GPU reaches after what was launched until now."""
        event = self.xp.cuda.Event()
        event.record()
        return event

    def between(self, marks: list[Any]) -> list[float]:
        """Wait for the last mark; return the milliseconds between neighbours."""
        marks[-1].synchronize()
        return [float(self.xp.cuda.get_elapsed_time(*two)) for two in pairwise(marks)]

    def peak(self, call: Callable[[], Any]) -> int:
        """Return the bytes by which CuPy's memory pool grows for a call; at first none is free."""
        pool = self.xp.get_default_memory_pool()
        pool.free_all_blocks()
        before: int = pool.total_bytes()
        call()
        self.wait()
        return int(pool.total_bytes()) - before

    def described(self) -> dict[str, Any]:
        """Return the device, and the versions of driver, runtime and compiler."""
        from cupy.cuda import nvrtc, runtime

        properties = runtime.getDeviceProperties(self.xp.cuda.Device().id)
        return {
            "kind": "cuda",
            "renderer": properties["name"].decode(),
            "compute_capability": f"{properties['major']}.{properties['minor']}",
            "memory_bytes": int(properties["totalGlobalMem"]),
            "l2_bytes": int(properties["l2CacheSize"]),
            "driver": _driver(),
            "cuda_of_driver": runtime.driverGetVersion(),
            "cuda_runtime": runtime.runtimeGetVersion(),
            "nvrtc": ".".join(map(str, nvrtc.getVersion())),
        }


def _driver() -> str | None:
    """Return the version of NVIDIA's driver, or None if nvidia-smi does not tell."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return None
    command = [tool, "--query-gpu=driver_version", "--format=csv,noheader"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.split("\n")[0].strip() or None


Machine = Host


def a_card() -> Card:
    """Return this machine's GPU; raise DeviceUnavailable, which says what is missing."""
    try:
        import cupy
    except ModuleNotFoundError as error:
        raise DeviceUnavailable(
            "this needs CuPy: pip install 'shadersort[cuda]', or cupy-cuda12x for CUDA 12"
        ) from error
    if not cupy.cuda.is_available():
        raise DeviceUnavailable("this needs a GPU: CuPy is installed, and finds no CUDA device")
    return Card()


def best() -> Machine:
    """Return the GPU, or the host if there is no GPU."""
    try:
        return a_card()
    except DeviceUnavailable:
        return Host()


MACHINES: dict[str, Callable[[], Machine]] = {"auto": best, "cuda": a_card, "numpy": Host}
"""Machines by the names that the commands take."""

machine_option = click.option(
    "--device",
    default="auto",
    type=click.Choice(list(MACHINES)),
    help="auto: the GPU, or NumPy if there is no GPU",
)


def opened(name: str) -> Machine:
    """Return a machine of `MACHINES`; raise the error of a command if it is missing."""
    try:
        return MACHINES[name]()
    except DeviceUnavailable as error:
        raise click.ClickException(str(error)) from None
