"""Keys as text, one a line."""

from shadersort.keys.types import Keys


def lines_of(keys: Keys) -> bytes:
    r"""Return keys as lines, each with the fewest digits that are read back as the same key.

    The payload and the sign of a NaN are not written.

    Examples
    --------
    >>> import numpy as np
    >>> lines_of(np.float32([0.1, -0.0, np.nan]))
    b'0.1\n-0.0\nnan\n'
    """
    same = keys.dtype.kind != "f" or keys.itemsize == 8  # Python's numbers have the same digits
    return "".join(f"{key!s}\n" for key in (keys.tolist() if same else keys)).encode("ascii")
