"""Compiling kernels by NVRTC, for any architecture, without a GPU.

CuPy's RawModule always adds the option that flushes denormals to zero, as the last option, so it
cannot be overridden. Exact selection compares denormals, so NVRTC is called directly.
"""

from functools import cache
from typing import Any

from cupy.cuda import nvrtc

from modern.kernels import options, source


@cache
def compiled(
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
    program = nvrtc.createProgram(text, "kernel.cu", (), ())
    try:
        nvrtc.compileProgram(program, (*chosen, f"--gpu-architecture={architecture}"))
        code: Any = nvrtc.getCUBIN(program)
    except nvrtc.NVRTCError as error:
        raise NotCompiled(nvrtc.getProgramLog(program)) from error
    finally:
        nvrtc.destroyProgram(program)
    return bytes(code)
