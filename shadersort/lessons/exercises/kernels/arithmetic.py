"""The arithmetic of kernels: an int has 32 bits and wraps, a float is a float32."""

from ctypes import c_float

LEAST, MOST = -(2**31), 2**31 - 1


class Stop(Exception):
    """Ends a run; the text is the kind of fault."""


def wrap(x: int) -> int:
    """Return the lowest 32 bits of a number, as an int."""
    return (x - LEAST & 0xFFFFFFFF) + LEAST


def f32(x: float) -> float:
    """Round to the nearest float32."""
    return c_float(x).value


def add(x: int, y: int) -> int:
    """Add ints."""
    return wrap(x + y)


def divide(x: int, y: int) -> int:
    """Divide whole numbers; the result is truncated towards zero."""
    if not y:
        raise Stop("zero")
    return x // y if x >= 0 < y else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def remainder(x: int, y: int) -> int:
    """Return what `divide` leaves; it has the sign of x."""
    return x - divide(x, y) * y


def divide_floats(x: float, y: float) -> float:
    """Divide floats; what is divided by zero is infinite, or NaN."""
    return x / y if y else x * float("inf") * (-1 if str(y) == "-0.0" else 1)


def truncate(x: float) -> int:
    """Return a float without its fraction, or the nearest int that there is; 0 for a NaN."""
    return 0 if x != x else int(min(max(x, LEAST), MOST))
