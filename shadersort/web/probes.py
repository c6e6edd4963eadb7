"""What a page probes its driver with: critical keys, and the programs that sort them in pairs."""

import json
from typing import Any

import numpy as np

from shadersort.drawing.compile import compile
from shadersort.drawing.devices.probe import WIRES, finite_keys, infinite_keys
from shadersort.drawing.networks import bitonic
from shadersort.drawing.passes import ceil_power_of_two, texture_size
from shadersort.keys.types import DTYPES, Keys
from shadersort.names import DrawingMethod
from shadersort.web.encoded import encoded, in_page

METHODS: tuple[DrawingMethod, ...] = ("blend", "fragment", "kipfer", "fused")
"""Methods of a browser, which has no compute shaders."""


def probes() -> dict[str, Any]:
    """Return programs by method, and keys by type: finite ones, with infinities, and denormals.

    Examples
    --------
    >>> sorted(probes()["keys"]["float16"])
    ['denormal', 'finite', 'infinite']
    """
    return {
        "programs": {
            method: [_program(method, wires) for wires in WIRES.get(method, (2,))]
            for method in METHODS
        },
        "keys": {dtype.name: _keys(dtype) for dtype in DTYPES},
    }


def _program(method: DrawingMethod, wires: int) -> Any:
    """Return a program with a window for each pair of keys."""
    most = max(finite_keys(dtype).size + infinite_keys(dtype).size for dtype in DTYPES)
    size = texture_size(wires * ceil_power_of_two(most * most))
    return json.loads(compile(bitonic(wires), *size, method).to_json())


def _keys(dtype: np.dtype[Any]) -> dict[str, Any]:
    finite = finite_keys(dtype)
    kinds = {"finite": finite}
    if dtype.kind == "f":
        kinds["infinite"] = np.concatenate([finite, infinite_keys(dtype)])
        kinds["denormal"] = denormal_keys(dtype)
    return {kind: encoded(in_page(keys)) for kind, keys in kinds.items()}


def denormal_keys(dtype: np.dtype[Any]) -> Keys:
    """Return denormals, and the keys around them."""
    limits = np.finfo(dtype)
    smallest = limits.smallest_subnormal
    positive = np.array([smallest, 2 * smallest, limits.tiny - smallest, limits.tiny, 1], dtype)
    return np.concatenate([-positive, positive, np.zeros(1, dtype)])
