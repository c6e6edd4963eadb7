"""Compiling kernels by NVRTC, for any architecture, without a GPU; and launching a text.

CuPy's RawModule always adds the option that flushes denormals to zero, as the last option, so it
cannot be overridden. Exact selection compares denormals, so NVRTC is called directly. Machine code
is kept where CuPy keeps its own, as a kernel takes up to two seconds to compile.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import cupy
import numpy as np
from cupy.cuda import nvrtc

from modern.kernels import source
from modern.launching.key_types import options
from shadersort.keys.types import Integers


@cache
def kernel_code(
    name: str, dtype: str, architecture: str, macros: tuple[tuple[str, int], ...]
) -> bytes:
    """Return the machine code of a kernel for one type of key, and an architecture like "sm_90".

    Raises RuntimeError with the compiler's message if the source is wrong.
    """
    try:
        return machine_code(source(f"{name}.cu"), architecture, options(dtype, **dict(macros)))
    except NotCompiled as error:
        raise RuntimeError(f"{name}.cu for {dtype} on {architecture}: {error}") from error


class NotCompiled(RuntimeError):
    """The compiler refused a text; the message is the compiler's."""


def machine_code(text: str, architecture: str, chosen: tuple[str, ...] = ()) -> bytes:
    """Return the machine code of CUDA C for an architecture like "sm_90".

    Raises NotCompiled with the compiler's message if the text is wrong.

    Examples
    --------
    >>> kernel = 'extern "C" __global__ void one(int* to) { to[threadIdx.x] = ONE; }'
    >>> len(machine_code(kernel, "sm_90", ("-DONE=1",))) > 0
    True
    """
    folder = Path(os.environ.get("CUPY_CACHE_DIR") or Path.home() / ".cupy" / "kernel_cache")
    given = text, architecture, chosen, nvrtc.getVersion()
    kept = folder / f"shadersort-{sha256(repr(given).encode()).hexdigest()}"
    with suppress(OSError):
        return kept.read_bytes()
    code = _compile(text, (*chosen, f"--gpu-architecture={architecture}"))
    with suppress(OSError):  # a folder that cannot be written keeps nothing
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(code)
        Path(file.name).replace(kept)  # so that no process reads a part
    return code


def _compile(text: str, chosen: tuple[str, ...]) -> bytes:
    program = nvrtc.createProgram(text, "kernel.cu", (), ())
    try:
        nvrtc.compileProgram(program, chosen)
        code: Any = nvrtc.getCUBIN(program)
    except nvrtc.NVRTCError as error:
        raise NotCompiled(nvrtc.getProgramLog(program)) from error
    finally:
        nvrtc.destroyProgram(program)
    return bytes(code)


def launch_text(
    text: str,
    keys: Integers,
    result: Integers,
    numbers: Sequence[int] = (),
    *,
    blocks: int = 1,
    threads: int = 64,
) -> Integers:
    """Launch `kernel(keys, n, *numbers, result)`, given as a text of CUDA C; return its result.

    This is for the kernels of the lessons, whose numbers have 32 bits. `result` holds what the
    kernel finds there at first. Launches on the current device, and waits. Raises `NotCompiled`
    with the compiler's message if the text is wrong.
    """
    architecture = f"sm_{cupy.cuda.Device().compute_capability}"
    module = cupy.cuda.function.Module()
    module.load(machine_code(text, architecture, ("--std=c++17",)))
    given, written = (cupy.asarray(each, cupy.int32) for each in (keys, result))
    arguments: tuple[Any, ...] = (given, *map(np.int32, (len(keys), *numbers)), written)
    module.get_function("kernel")((blocks,), (threads,), arguments)
    found: Integers = written.get()
    return found
