"""The data sheet of the device at hand: measured by drawing a few passes, and remembered.

A measured sheet counts nanoseconds of the whole device as cycles of one pipeline. A JSON file in
the user's cache directory keeps it for each renderer, OpenGL version and version of shadersort. If
the file cannot be read, or is of another device, the device is measured again.
"""

import hashlib
import json
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import platformdirs

from shadersort import version
from shadersort.drawing.blending import copy
from shadersort.drawing.butterflies import LAYERS
from shadersort.drawing.compile import build
from shadersort.drawing.devices import Device, default_device
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.networks import network
from shadersort.drawing.passes import CHANNELS, FRAME, TEXTURE, Pass
from shadersort.drawing.profiles import THIS, Cycles, Profile, Quantity, card
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.errors import ProfileLimit
from shadersort.keys.outputs import write_file

Kind = Literal["copy", "blend", "comparison"]
"""What a pass does to each texel."""
Figures = dict[str, float]
"""Measurements by name, in SI units: seconds, and bytes a second."""

KINDS: tuple[Kind, ...] = ("copy", "blend", "comparison")
TYPES = ("float16", "float32")
FIGURES = (
    *(f"{kind}_{dtype}" for kind in KINDS for dtype in TYPES),
    *("setup", "upload", "readback"),
)

PASSES, SETUP_PASSES = 16, 256
"""Passes of a measured program: over a whole texture, and over a single texel."""
REPEATS = 3
"""Runs of each program; the fastest counts, because any disturbance makes a run slower."""
TEXELS_MOVED: dict[Kind, int] = {"copy": 2, "blend": 3, "comparison": 3}
"""Texels read and written for a texel of each kind."""
GPU_SIDE, CPU_SIDE, SOFTWARE_SIDE = 2048, 512, 256
"""Side of the texture that is drawn, by a GPU, by OpenGL on a CPU, and by NumPy."""


def find_profile(name: str | Profile) -> Profile:
    """Return a card's data sheet, or for "this" the measured sheet of this machine's best device.

    Examples
    --------
    >>> find_profile("geforce-7800-gtx").title
    'NVIDIA GeForce 7800 GTX, 256 MB, PCI Express x16'
    """
    return calibrate() if name == THIS else card(name)


def calibrate(device: Device | None = None, *, anew: bool = False) -> Profile:
    """Return the data sheet of a device, measured at the first call and remembered.

    Parameters
    ----------
    device
        The device to measure; None is the best device of this machine.
    anew
        Measure again even if the figures are known.

    Raises
    ------
    ProfileLimit
        The device emulates a card; the card's sheet is in `PROFILES`.

    Examples
    --------
    >>> from shadersort import open_device
    >>> sheet = calibrate()  # doctest: +SKIP
    >>> with open_device("software", profile="geforce-6800-ultra") as card:
    ...     calibrate(card)
    Traceback (most recent call last):
    ...
    shadersort.errors.ProfileLimit: <SoftwareDevice software: ..., as geforce-6800-ultra> emulates \
a card, ...
    """
    device = device or default_device()
    if device.profile:
        raise ProfileLimit(
            f"{device!r} emulates a card, whose sheet is PROFILES[{device.profile.name!r}]: "
            "calibrate a device that is opened without a profile"
        )
    key = _key(device)
    path = _path(key)
    figures = None if anew else _remembered(path, key)
    if figures is None:
        figures = measure(device)
        _remember(path, key, figures)
    return _sheet(device, figures)


def cache_directory() -> Path:
    """Return the folder that keeps this user's measurements.

    Examples
    --------
    >>> cache_directory().name
    'shadersort'
    """
    if named := os.environ.get("XDG_CACHE_HOME"):  # on every platform, not on Linux alone
        return Path(named) / "shadersort"
    return platformdirs.user_cache_path("shadersort", appauthor=False, opinion=False)


def measure(device: Device) -> Figures:
    """Measure all `FIGURES`: seconds a texel of each kind of pass, seconds a pass, bytes a second.

    The setup time of a pass is the time of a pass over a single texel.
    """
    on_cpu = SOFTWARE_SIDE if device.kind == "software" else CPU_SIDE
    side = GPU_SIDE if device.hardware else on_cpu
    setup = _seconds_a_pass(device, _program("copy", 1, SETUP_PASSES), np.dtype(np.float32))
    figures = {"setup": setup}
    for kind in KINDS:
        for name in TYPES:
            seconds = _seconds_a_pass(device, _program(kind, side, PASSES), np.dtype(name))
            # a setup longer than the pass would be noise: it cannot take all of it
            figures[f"{kind}_{name}"] = max(seconds - setup, seconds / 10) / side**2
    texels = np.zeros((side, side, CHANNELS), np.float32)
    figures["upload"] = texels.nbytes / _fastest(lambda: _uploaded(device, texels).release())
    with _uploaded(device, texels) as texture:
        figures["readback"] = texels.nbytes / _fastest(texture.read)
    return figures


def _program(kind: Kind, side: int, count: int) -> Program:
    """Return a program of `count` passes of one kind, each over a whole texture.

    The count is even, so passes to and fro leave their result in the buffer of the input. Blending
    begins with a copy, so that there is something to blend with.
    """
    wires = network("pbsn", side * side)
    if kind == "comparison":
        passes = build(wires, side, side, "fragment").passes[:count]
    elif kind == "blend":
        quads = (whole(side, side),)
        blends = [Pass("copy", TEXTURE, FRAME, quads, blend) for blend in ("min", "max")]
        passes = (copy(TEXTURE, FRAME, side, side), *(blends * count)[: count - 1])
    else:
        there, back = copy(TEXTURE, FRAME, side, side), copy(FRAME, TEXTURE, side, side)
        passes = (there, back) * (count // 2)
    return Program(wires, "fragment", side, side, passes, TEXTURE)


def _seconds_a_pass(device: Device, program: Program, dtype: np.dtype[Any]) -> float:
    """Return the seconds that a pass of a program takes, on average."""
    with device.upload(np.ones((program.height, program.width, CHANNELS), dtype)) as texture:

        def draw() -> None:
            device.execute(program, texture)
            device.finish()

        return _fastest(draw) / len(program.passes)


def _uploaded(device: Device, texels: Texels) -> Texture:
    """Upload texels, and wait until they are there."""
    texture = device.upload(texels)
    device.finish()
    return texture


def _fastest(call: Callable[[], object]) -> float:
    """Return the seconds of the fastest run; a run before them links shaders."""
    call()
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _key(device: Device) -> dict[str, str]:
    """Return the names under which measurements are remembered."""
    return {
        "renderer": device.renderer,
        "opengl": device.version or "none",
        "shadersort": version.__version__,
    }


def _path(key: dict[str, str]) -> Path:
    """Return the file of a device's measurements."""
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16]
    return cache_directory() / f"calibration-{digest}.json"


def _remembered(path: Path, key: dict[str, str]) -> Figures | None:
    """Return remembered measurements, or None if they are missing, damaged or of another device."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["device"] != key:
            return None
        figures = {name: float(found["figures"][name]) for name in FIGURES}
    except (OSError, ValueError, TypeError, LookupError):
        return None
    return figures if all(0 < value < np.inf for value in figures.values()) else None


def _remember(path: Path, key: dict[str, str], figures: Figures) -> None:
    """Write measurements whole or not at all, because other processes may read them."""
    text = json.dumps({"device": key, "figures": figures}, indent=2) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text.encode(), overwrite=True)
    except OSError as error:
        warnings.warn(
            f"the calibration cannot be kept in {path}, so it is measured at every use: {error}. "
            "XDG_CACHE_HOME may name another directory",
            stacklevel=3,
        )


def _sheet(device: Device, figures: Figures) -> Profile:
    """Make a data sheet from measurements."""

    def measured(value: float, unit: str) -> Quantity:
        return Quantity(value, unit, f"measured on {device.renderer}")

    def cycles(kind: Kind) -> Cycles:
        half, single = (measured(figures[f"{kind}_{name}"] * 1e9, "ns") for name in TYPES)
        return Cycles(half, single)

    return Profile(
        name=THIS,
        title=device.renderer,
        core_clock=Quantity(1e9, "Hz", "nominal: a nanosecond is counted as a cycle"),
        fragment_pipelines=Quantity(1, "pipelines", "nominal: all that the device has, as one"),
        memory_bandwidth=measured(_bandwidth(figures), "bytes/s"),
        video_memory=None,
        upload_bandwidth=measured(figures["upload"], "bytes/s"),
        readback_bandwidth=measured(figures["readback"], "bytes/s"),
        setup_time=measured(figures["setup"], "s"),
        cycles_per_copy=cycles("copy"),
        cycles_per_blend=cycles("blend"),
        cycles_per_comparison=cycles("comparison"),
        blend_precision=Quantity(32, "bits", "OpenGL 3.3, and the probe"),
        largest_side=Quantity(device.max_texture_size, "texels", "the device itself"),
        render_targets=Quantity(LAYERS, "textures", "at least: OpenGL 3.3"),
        integer_textures=Quantity(True, "", "OpenGL 3.3, and the probe"),
        float32_textures=Quantity(True, "", "OpenGL 3.3, and the probe"),
        compute_shaders=Quantity(device.computes, "", "the device itself"),
        hardware=Quantity(device.hardware, "", "the device itself"),
    )


def _bandwidth(figures: Figures) -> float:
    """Return the highest rate of bytes that was measured, counted as `estimate` counts them.

    So in the model, the memory never needs more time for a pass than the measured time.
    """
    return max(
        TEXELS_MOVED[kind] * CHANNELS * np.dtype(name).itemsize / figures[f"{kind}_{name}"]
        for kind in KINDS
        for name in TYPES
    )
