"""Files, `FileKeys` and what makes chunks: read in rounds, within a budget, seen as one row."""

from dataclasses import replace
from typing import Any

from modern.files import FileKeys, keys_of
from modern.homes.call import Call
from modern.homes.parts import answer_over


def answer(call: Call) -> Any:
    """Answer a call with the path of a file, with `FileKeys`, or with what makes chunks."""
    if isinstance(call.x, FileKeys):
        return answer_over(call.x.primitives, call)
    options = dict(call.options)
    keys = keys_of(call.x, options)
    return answer_over(keys.primitives, replace(call, options=options))
