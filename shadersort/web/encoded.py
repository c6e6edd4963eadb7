"""Arrays and packed data in a page: their bytes in base64."""

import base64
import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Keys


def encoded(array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> dict[str, str]:
    """Return an array as its type and its little-endian bytes in base64.

    Examples
    --------
    >>> encoded(np.array([1, 2], np.uint8))
    {'type': 'uint8', 'data': 'AQI='}
    """
    flat = array.astype(dtype or array.dtype)
    data = flat.astype(flat.dtype.newbyteorder("<")).tobytes()
    return {"type": flat.dtype.name, "data": base64.b64encode(data).decode()}


def in_page(keys: Keys) -> Keys:
    """Return keys in the type in which a page holds them, exactly: halves are floats there."""
    return keys.astype(np.float32) if keys.dtype.kind == "f" else keys


def packed_data(value: Any) -> str:
    """Return what JSON can write, compressed: films repeat themselves, so a tenth is left.

    Examples
    --------
    >>> len(packed_data([[0] * 1000] * 1000)) < 20_000
    True
    """
    text = json.dumps(value, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(text, 9)).decode()
