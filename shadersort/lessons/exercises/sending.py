"""Pickles functions of a notebook, so that another process can call them."""

import functools
import io
import marshal
import sys
from types import CodeType
from typing import Any


def send(functions: Any) -> bytes:
    """Return functions as bytes, with what they use of their notebook; b"" if it cannot be sent."""
    import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        def reducer_override(self, value: Any) -> Any:
            if isinstance(value, CodeType):  # with the names of its file and lines
                return marshal.loads, (marshal.dumps(value),)
            if isinstance(value, functools._lru_cache_wrapper):
                return functools.cache, (value.__wrapped__,)
            if type(value).__module__.startswith(("IPython", "ipykernel")):  # its own `quit`
                return getattr, (sys, "exit")
            return super().reducer_override(value)

    sent = io.BytesIO()
    try:
        Pickler(sent).dump(functions)
    except Exception:
        return b""
    return sent.getvalue()
