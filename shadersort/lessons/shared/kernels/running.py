"""Runs kernels as compute shaders, on llvmpipe where there is one.

A GPU takes the threads of a block in any order, and promises nothing but barriers. llvmpipe takes
eight at a time, and each eight run to the next barrier before the next eight begin. So a missing
barrier shows in some order of the threads, and not in another. `ran` takes four orders: as they are
numbered, backwards, with neighbours apart, and this backwards; backwards means the blocks, too. In
all four a kernel with enough barriers gives one result.
"""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import moderngl
import numpy as np

from shadersort.drawing.devices.contexts import Context, EGLContext, is_hardware
from shadersort.drawing.devices.opengl import COMPUTES
from shadersort.drawing.devices.opening import egl_device_count
from shadersort.drawing.devices.window import WindowContext
from shadersort.errors import DeviceUnavailable
from shadersort.keys.types import Integers
from shadersort.lessons.shared.kernels.compiling import compiled
from shadersort.lessons.exercises.kernels.dialect import Setting, shared_of
from shadersort.lessons.shared.kernels.faults import UNWRITTEN, Ran
from shadersort.lessons.shared.kernels.watched import BEYOND, GIVEN_ARRAYS, OF_ARRAY, OF_PLACE

ORDERS = 4
"""How many orders of the threads are tried."""


@dataclass(frozen=True, eq=False, slots=True)
class Launch:
    """What one run of a kernel is given.

    Attributes
    ----------
    keys, result
        The keys, and what `result` holds at first.
    blocks
        How many blocks run.
    numbers
        The numbers that `Setting.numbers` names.
    beyond
        What memory holds after the keys.
    """

    keys: Integers
    result: Integers
    blocks: int = 1
    numbers: tuple[int, ...] = ()
    beyond: int = 0


def blocks_for(count: int, threads: int) -> int:
    """Return how many blocks have a thread for each of `count` keys.

    Examples
    --------
    >>> blocks_for(64, 64), blocks_for(65, 64)
    (1, 2)
    """
    return -(-count // threads)


@cache
def context() -> Context:
    """Return the context that kernels run in, opened once: that of a CPU, if there is one.

    Raises
    ------
    DeviceUnavailable
        No context of this machine has compute shaders.
    """
    best: Context | None = None
    for found in contexts():
        with found:  # outside, moderngl finds no name of a driver, and keeps that
            hardware = is_hardware(found.gl)
        if found.gl.version_code < COMPUTES or (best and hardware):
            found.release()
            continue
        if best:
            best.release()
        best = found
        if not hardware:
            return found
    if best is None:
        raise DeviceUnavailable(
            "kernels need OpenGL 4.3, and there is none here: on Debian or Ubuntu, "
            "'apt install libegl1 libgl1-mesa-dri'. macOS has OpenGL 4.1 at most"
        )
    return best


def contexts() -> Iterator[Context]:
    """Yield a context of each EGL device, and of the window system only where EGL has none."""
    any_egl = False
    for index in range(max(1, egl_device_count())):
        with suppress(DeviceUnavailable):
            yield EGLContext(index)
            any_egl = True
    if not any_egl:
        with suppress(DeviceUnavailable):
            yield WindowContext()


def open_context() -> None:
    """Open the context, so that the first kernel does not wait for it."""
    context()


def ran(text: str, setting: Setting, launch: Launch) -> Ran:
    """Run a kernel in every order of its threads.

    Raises
    ------
    NotCompiled
        The compiler refused the text.
    """
    with context() as opened, ExitStack() as undo:
        shader = compiled(opened.gl, text, setting)
        undo.callback(shader.release)
        names = (*GIVEN_ARRAYS, *(each.name for each in shared_of(text)))
        once = [
            _ran_once(opened.gl, shader, setting, launch, order, 1 + OF_ARRAY * len(names))
            for order in range(ORDERS)
        ]
    size = len(launch.result)
    faults = [each.faults for each in once]
    clashes = (each.name for found in faults for each in _of_arrays(names, found) if each.clash)
    return Ran(
        tuple(each.result[:size] for each in once),
        _common(np.concatenate([each.met for each in once])),
        max(int(np.count_nonzero(each.result[size:] != UNWRITTEN)) for each in once),
        max(int(found[0]) for found in faults),
        tuple((each.name, each.place) for each in _of_arrays(names, _joined(faults)) if each.place),
        next(clashes, ""),
        any((each.users[:, 1:3] != 0).all(axis=1).any() for each in once),
        max(int(np.count_nonzero(each.users[:, 4] == 0)) for each in once),
    )


class ArrayFaults(NamedTuple):
    """What was noted of an array: a place that it has not, or 0, and whether threads clashed."""

    name: str
    place: int
    clash: bool


def _joined(faults: list[Integers]) -> Integers:
    """Return the numbers of several runs that are farthest from 0."""
    every = np.stack(faults)
    least = every.min(axis=0)
    joined: Integers = np.where(least < 0, least, every.max(axis=0))
    return joined


def _of_arrays(names: tuple[str, ...], faults: Integers) -> list[ArrayFaults]:
    """Return what was noted of each array."""
    noted = faults[1:].reshape(len(names), OF_ARRAY).tolist()
    return [
        ArrayFaults(name, min(least, 0) or largest, clash != 0)
        for name, (largest, least, clash) in zip(names, noted, strict=True)
    ]


class Once(NamedTuple):
    """The buffers after one run."""

    result: Integers
    met: Integers
    faults: Integers
    users: Integers


def _common(counts: Integers) -> int | None:
    """Return the number of barriers of all threads of all blocks, or None if blocks are torn.

    `counts` has for each thread of a block the number of its barriers, and which they were. Blocks
    may differ: the least number counts then. A block that waits for ever is ended by llvmpipe, and
    writes no count.
    """
    together = (counts == counts[:, :1]).all() and (counts[..., 0] != UNWRITTEN).all()
    return int(counts[..., 0].min()) if together else None


def _ran_once(
    gl: moderngl.Context,
    shader: moderngl.ComputeShader,
    setting: Setting,
    launch: Launch,
    order: int,
    faults: int,
) -> Once:
    """Return what a run in one order of the threads leaves."""
    size = len(launch.result)
    numbers = ("n", *setting.numbers), (len(launch.keys), *launch.numbers)
    own = ("turn_order", order), ("places", size)
    for name, value in (*own, *zip(*numbers, strict=True)):
        uniform: Any = shader.get(name, None)
        if uniform is not None:  # a compiler leaves out what the kernel does not use
            uniform.value = int(value)
    arrays = (
        np.append(launch.keys, np.full(BEYOND, launch.beyond)),
        np.append(launch.result, np.full(BEYOND, UNWRITTEN)),
        np.full(2 * launch.blocks * setting.threads, UNWRITTEN),
        np.zeros(faults, int),
        np.zeros(OF_PLACE * size, int),
    )
    with ExitStack() as undo:
        buffers = []
        for number, array in enumerate(arrays):
            buffers.append(gl.buffer(array.astype(np.int32).tobytes()))
            undo.callback(buffers[-1].release)
            buffers[-1].bind_to_storage_buffer(number)
        shader.run(launch.blocks)
        gl.memory_barrier()
        found = [np.frombuffer(each.read(), np.int32).astype(np.int64) for each in buffers[1:]]
    met = found[1].reshape(launch.blocks, setting.threads, 2)
    return Once(found[0], met, found[2], found[3].reshape(size, OF_PLACE))
