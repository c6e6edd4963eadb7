"""Files and `FileKeys`: read in rounds, within a budget of memory, and seen as one row."""

from dataclasses import replace
from typing import Any

from modern.files import FileKeys, keys_of
from modern.homes.call import Call
from modern.homes.parts import answer_over


def answer(call: Call) -> Any:
    """Answer a call with the path of a file, or with `FileKeys`."""
    if isinstance(call.x, FileKeys):
        return answer_over(call.x.primitives, call)
    options = dict(call.options)
    keys = keys_of(call.x, options)
    return answer_over(keys.primitives, replace(call, options=options))
