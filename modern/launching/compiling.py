"""Compiling kernels by NVRTC, for any architecture: no GPU is needed for that.

CuPy's own RawModule has every denormal flushed to zero, and it says so last, so that nothing can
overrule it. Exact selection compares denormals, so NVRTC is called here without that option.
"""

from functools import cache
from typing import Any

from cupy.cuda import nvrtc

from modern.kernels import options, source

__all__ = ["compiled"]


@cache
def compiled(
    name: str, dtype: str, architecture: str, macros: tuple[tuple[str, int], ...]
) -> bytes:
    """Return the machine code of a kernel for one type of key; `architecture` is "sm_90", say.

    Raises RuntimeError with the compiler's words if the source is wrong.
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
