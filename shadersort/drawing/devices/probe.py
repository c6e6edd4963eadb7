"""The probe: it finds out whether a device keeps keys, and counts them exactly.

OpenGL promises little about blending: an old card may have no infinity. So a device compares every
pair of some critical keys, for every method and key type, unless the process has probed another
device of the same driver: a probe takes a tenth of a second. If a method draws long networks by
another shader than short ones, both shaders are probed. The device must be exact on ordinary keys;
these include infinities, because padding needs them. Denormals are not probed, because they are
never drawn: Mesa's llvmpipe flushes them to zero, and so does an NVIDIA H200 with 32-bit floats.
NaN and −0.0 are never drawn, either.

The device must also count and reduce exactly, because selection relies on it.
"""

from typing import Any

import numpy as np

from shadersort.drawing.compile import METHODS, compile
from shadersort.drawing.devices.base import Device
from shadersort.drawing.methods.butterflies import LAYERS
from shadersort.drawing.networks import bitonic
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.questions import counting, reducing
from shadersort.errors import DeviceUnusable
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import BLENDED, DTYPES, Keys

FLOAT = np.dtype(np.float32)
LARGEST = np.finfo(FLOAT).max

WIRES = {"fused": (2, 16)}
"""Wires of the networks that are drawn to probe a method, if not 2. A butterfly has 8 wires; with
16, some passes write layers and others read them."""


def finite_keys(dtype: np.dtype[Any]) -> Keys:
    """Return finite keys at which drivers differ, and which any device must compare exactly."""
    if dtype.kind != "f":
        info = np.iinfo(dtype)
        near = [info.min, info.min + 1, info.max // 2, info.max // 2 + 1, info.max - 1, info.max]
        beyond_floats = [2**24, 2**24 + 1] if info.bits > 24 else []
        return np.array([*near, 0, 1, 2, *beyond_floats], dtype)
    limits = np.finfo(dtype)
    positive = np.array([limits.tiny, limits.eps, 1, 1 + limits.eps, limits.max], dtype)
    return np.concatenate([-positive, positive, np.zeros(1, dtype)])


def infinite_keys(dtype: np.dtype[Any]) -> Keys:
    """Return both infinities; integers have none."""
    return np.array([-np.inf, np.inf] if dtype.kind == "f" else [], dtype)


def probe(device: Device) -> None:
    """Run every method on critical keys of every type, then count and reduce keys.

    Raises DeviceUnusable if it gets ordinary keys wrong.
    """
    for method in METHODS:
        for dtype in DTYPES:
            keys = np.concatenate([finite_keys(dtype), infinite_keys(dtype)])
            if (method == "blend" and dtype not in BLENDED) or (
                method == "compute" and not device.computes
            ):
                continue
            if not all(_exact(device, method, keys, each) for each in WIRES.get(method, (2,))):
                raise DeviceUnusable(
                    f"{device!r} compares {dtype} keys wrongly by method {method!r}: "
                    "try another device, or update the graphics driver"
                )
    if not _answers(device, np.concatenate([finite_keys(FLOAT), infinite_keys(FLOAT)])):
        raise DeviceUnusable(f"{device!r} counts keys wrongly: try another device")


_probed: set[tuple[object, ...]] = set()


def probe_once(device: Device) -> None:
    """Probe a device, unless another one of the same driver was probed in this process.

    Raises DeviceUnusable if it gets ordinary keys wrong.
    """
    driver = type(device), device.kind, device.renderer, device.version
    if driver not in _probed:
        probe(device)
        _probed.add(driver)


def _exact(device: Device, method: str, keys: Keys, wires: int) -> bool:
    """Whether each ordered pair of keys, repeated on all wires, is sorted exactly, bit for bit.

    The height is a multiple of 8, for layers.
    """
    pairs = np.stack(np.meshgrid(keys, keys), axis=-1)
    windows = np.tile(pairs, wires // 2).reshape(len(keys), -1)
    height, width = -(-len(keys) // LAYERS) * LAYERS, 1 << (windows.shape[1] - 1).bit_length()
    padded = np.zeros((height, width), keys.dtype)
    padded[: len(windows), : windows.shape[1]] = windows
    texels = np.repeat(padded[..., np.newaxis], CHANNELS, axis=-1)
    sorted_texels = device.run(compile(bitonic(wires), width, height, method), texels)
    expected = sort_keys(texels.reshape(-1, wires, CHANNELS), axis=1)
    bits = np.dtype(f"u{keys.itemsize}")
    return np.array_equal(sorted_texels.reshape(expected.shape).view(bits), expected.view(bits))


def _answers(device: Device, keys: Keys) -> bool:
    """Whether counts and nearest keys at every key are exact, in a texture that holds them all."""
    width, height = 4, 8
    texels = np.resize(keys, (height, width, CHANNELS))
    finite = texels[np.isfinite(texels)]
    with device.upload(texels) as texture:
        for pivot in keys:
            told = {"pivot": float(pivot)}
            below, equal = int(np.sum(texels < pivot)), int(np.sum(texels == pivot))
            counted = device.ask(counting(width, height, ("below", "equal")), texture, told)
            upper, lower = finite[finite >= pivot], finite[finite <= pivot]
            ends = upper.min(initial=LARGEST), lower.max(initial=-LARGEST)
            expected = np.array([*ends, upper.size, lower.size], np.float32)
            reduced = device.ask(reducing(width, height, "nearest"), texture, told)
            if counted.counts != (below, equal) or not np.all(reduced.texel == expected):
                return False
    return True
