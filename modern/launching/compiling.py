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
    chosen = (*options(dtype, **dict(macros)), f"--gpu-architecture={architecture}")
    program = nvrtc.createProgram(source(f"{name}.cu"), f"{name}.cu", (), ())
    try:
        nvrtc.compileProgram(program, chosen)
        code: Any = nvrtc.getCUBIN(program)
    except nvrtc.NVRTCError as error:
        said = nvrtc.getProgramLog(program)
        raise RuntimeError(f"{name}.cu for {dtype} on {architecture}: {said}") from error
    finally:
        nvrtc.destroyProgram(program)
    return bytes(code)
