"""A stream that is poured into lossy counting, window by window, as a page to step through.

The page computes no state. Python records every state with the classes of the package:
`LossyCounts`, and `PrintedCounts` for what the paper of 2005 prints.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from types import MappingProxyType
from typing import Any

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.types import Integers
from shadersort.palette import CIVIDIS, FAINT, GREEN, GREY, WATER, rgb
from shadersort.streams.frequencies.item_counts import look_up
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.frequencies.lossy_counting_as_printed import PrintedCounts
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.web.page import page
from shadersort.web.piece import Piece

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
"""The items of the streams; a number stands for its letter."""

LENGTH = 256
BUCKETS = (8, 16, 32)
"""Values of 1/ε: as many items make a window."""

SEED = 6
"""Of the streams that are shown, if nobody asks for others."""

SUMMARIES: Mapping[str, type[LossyCounts]] = MappingProxyType(
    {"improved": LossyCounts, "as printed": PrintedCounts}
)

TITLE = "A stream, poured into lossy counting"

SCRIPTS = (
    *("elements.js", "pieces/picture_elements.js", "pieces/recorded_steps.js"),
    *("pieces/stream_chart.js", "pieces/stream.js"),
)

COLOURS = {
    "counted": GREEN,
    "missed": FAINT,
    "dropped": GREY,
    "band": GREEN,
    "water": WATER,
}


MOMENTS = 4
"""Steps of a window in the page: it arrives, is sorted, is merged, and entries are dropped."""


def stream_piece(*, seed: int = SEED, window: int | None = None, still: Any = None) -> Piece:
    """Return the page on which a stream flows into a summary of frequent items.

    Parameters
    ----------
    seed
        Decides the streams.
    window
        The window of 8 items, 1 to 32, at whose end the page begins. None begins with the first
        item.
    still
        What a notebook shows as a picture.

    Raises
    ------
    BadOption
        The stream has no such window.

    Examples
    --------
    >>> stream_piece()
    <Piece: A stream, poured into lossy counting>
    """
    windows = LENGTH // BUCKETS[0]
    if window is not None and not 1 <= window <= windows:
        raise BadOption(f"the stream has windows 1 to {windows}, not {window}")
    begin = 0 if window is None else MOMENTS * window - 1
    data = stream_data(streams(seed)) | {"begin": begin}
    return Piece(TITLE, page(TITLE, "<main></main>", SCRIPTS, {"stream": data}), 940, still)


def streams(seed: int = SEED) -> dict[str, Integers]:
    """Return two streams of 256 items by their names.

    In the first, most items are rare, and one of them becomes frequent at half-time. In the second,
    each item comes twice, side by side.

    Examples
    --------
    >>> both = streams(5)
    >>> [len(stream) for stream in both.values()]
    [256, 256]
    >>> np.array_equal(both["pairs"][::2], both["pairs"][1::2])
    True
    """
    rng = np.random.default_rng(seed)
    count, half = len(LETTERS), LENGTH // 2
    shares = 1 / np.arange(1, count + 1) ** 0.9
    skewed = rng.permutation(count)[rng.choice(count, LENGTH, p=shares / shares.sum())]
    newcomer = np.argmin(np.bincount(skewed, minlength=count))
    skewed[half:][rng.random(half) < 0.3] = newcomer
    rounds = -(-half // count)
    pairs = np.concatenate([rng.permutation(count) for _ in range(rounds)])[:half]
    return {"a new favourite at half-time": skewed, "pairs": np.repeat(pairs, 2)}


def stream_data(found: Mapping[str, Integers]) -> dict[str, Any]:
    """Return what the page shows: streams, and every state of every summary of them."""
    shades = [_shade(at / (len(LETTERS) - 1)) for at in range(len(LETTERS))]
    return {
        "letters": list(LETTERS),
        "shades": shades,
        "inks": [_ink(shade) for shade in shades],
        "colours": COLOURS,
        "streams": {name: stream.tolist() for name, stream in found.items()},
        "buckets": list(BUCKETS),
        "summaries": {
            f"{name}, {bucket}, {variant}": recorded(stream, bucket, kind)
            for name, stream in found.items()
            for bucket in BUCKETS
            for variant, kind in SUMMARIES.items()
        },
    }


def recorded(stream: Integers, bucket: int, kind: type[LossyCounts]) -> list[dict[str, Any]]:
    """Return the states of a summary with ε = 1/bucket, one row for each window of a stream.

    A row has, for each item 0, 1, 2, … that is a letter:

    - `sorted`: the window in order; `counts`: its histogram;
    - `merged`, `missed`: the counts after the window is added, and how often items may have been
      missed; both are 0 for an item that the summary does not hold;
    - `held`, `missed_now`: the same after items were dropped; an item that was dropped then keeps
      the latter;
    - `true`: how often each has come since the beginning.

    `dropped` names the items that were dropped, and `bound` is εN after the window.

    Examples
    --------
    >>> first, second = recorded(np.array([0, 0, 1, 0, 1, 1, 2, 2]), 4, LossyCounts)
    >>> first["merged"][:3], first["dropped"], first["held"][:3]
    ([3, 1, 0], [1], [3, 0, 0])
    >>> second["merged"][:3], second["missed"][:3], second["dropped"]
    ([3, 2, 2], [0, 1, 1], [])
    """
    items = np.arange(len(LETTERS))
    held, rows = kind.empty(bucket, stream.dtype), []
    for number, window in enumerate(stream.reshape(-1, bucket), start=1):
        seen, counts = item_counts(window)
        known, missed = held.look_up(items)
        merged = known + look_up(items, seen, counts)
        held = held.with_window(seen, counts, 1, lambda _: nullcontext())
        kept, missed_now = held.look_up(items)
        row = {
            "sorted": np.repeat(seen, counts),
            "counts": look_up(items, seen, counts),
            "merged": merged,
            "missed": np.where(merged, missed, 0),
            "held": kept,
            "missed_now": np.where(kept, missed_now, np.where(merged, missed, 0)),
            "true": np.bincount(stream[: number * bucket], minlength=len(items)),
            "dropped": np.flatnonzero((merged > 0) & (kept == 0)),
        }
        rows.append({name: each.tolist() for name, each in row.items()} | {"bound": number})
    return rows


def _shade(place: float) -> str:
    """Return the colour of a key at a place from 0 to 1, between those of its two neighbours."""
    at = place * (len(CIVIDIS) - 1)
    low = min(int(at), len(CIVIDIS) - 2)
    mixed = [
        round(255 * (first + (at - low) * (second - first)))
        for first, second in zip(rgb(CIVIDIS[low]), rgb(CIVIDIS[low + 1]), strict=True)
    ]
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def _ink(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour, by the rule of WCAG 2.

    Examples
    --------
    >>> _ink("#00224e"), _ink("#fee838")
    ('#ffffff', '#000000')
    """
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb(colour)
    ]
    luminance = float(np.dot(linear, (0.2126, 0.7152, 0.0722)))
    return "#ffffff" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "#000000"
