"""Exact answers for `--exact`: the inputs are read again until all is found."""

from collections.abc import Callable, Sequence

import click
import numpy as np

from shadersort.cli.inputs import Inputs, tell
from shadersort.keys.reading.reader import Reader
from shadersort.streams.exact_ranks import ExactRanks

TOGETHER = 1 << 18
"""Numbers that are counted at once."""


def check_rereadable(inputs: Inputs) -> None:
    """Raise UsageError unless all inputs are files that can be read again."""
    for path in inputs.paths:
        if not path.is_file():
            raise click.UsageError(
                "--exact reads its inputs again, which a pipe does not allow: name files"
                if str(path) == "-"
                else f"--exact reads its inputs again, and {path} is no file that allows it"
            )


def find_exactly(
    inputs: Inputs,
    dtype: "np.dtype[np.generic] | None",
    streams: Sequence[ExactRanks],
    take: Callable[[Reader], object],
) -> None:
    """Read the inputs again until all streams have found what they look for.

    `dtype` is the type of the numbers; `take` gives the numbers of a reader to the streams.
    """
    if inputs.request.dtype is None:
        inputs = inputs.of_type(dtype)
    tell("the inputs are read twice, or again until all answers are exact")
    left = list(streams)
    while left:
        with inputs.reader("reading again", again=True) as reader:
            take(reader)
        left = [each for each in left if not each.finish_read()]
