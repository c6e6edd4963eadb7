"""NumPy's answers, without NumPy's warnings: which calls warn depends on the CPU."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


def expected(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a function of NumPy's; return its answer and hide its warnings."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return function(*arguments, **options)
