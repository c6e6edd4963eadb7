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
from shadersort.streams.frequencies.item_counts import looked_up
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

SCRIPTS = ("page/player.js", "page/chart.js", "charts/stream_chart.js", "charts/stream.js")

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
    shades = [_shade(at) for at in np.linspace(0, 1, len(LETTERS))]
    poured = two_streams(seed)
    data = {
        "begin": begin,
        "letters": list(LETTERS),
        "shades": shades,
        "inks": [_ink(shade) for shade in shades],
        "colours": COLOURS,
        "streams": {name: stream.tolist() for name, stream in poured.items()},
        "buckets": list(BUCKETS),
        "summaries": {
            f"{name}, {bucket}, {variant}": window_states(stream, bucket, kind)
            for name, stream in poured.items()
            for bucket in BUCKETS
            for variant, kind in SUMMARIES.items()
        },
    }
    return Piece(TITLE, page(TITLE, SCRIPTS, data), 940, still)


def two_streams(seed: int = SEED) -> dict[str, Integers]:
    """Return two streams of 256 items by their names.

    In the first, most items are rare, and one of them becomes frequent at half-time. In the second,
    each item comes twice, side by side.
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


def window_states(stream: Integers, bucket: int, kind: type[LossyCounts]) -> list[dict[str, Any]]:
    """Return the states of a summary with ε = 1/bucket, one row for each window of a stream.

    A row has, for each item 0, 1, 2, … that is a letter:

    - `counts`: the histogram of the window;
    - `merged`, `missed`: the counts after the window is added, and how often items may have been
      missed; both are 0 for an item that the summary does not hold;
    - `held`, `missed_now`: the same after items were dropped; an item that was dropped then keeps
      the latter;
    - `true`: how often each has come since the beginning.

    `dropped` names the items that were dropped, and `bound` is εN after the window.
    """
    items = np.arange(len(LETTERS))
    held, rows = kind.empty(bucket, stream.dtype), []
    for number, window in enumerate(stream.reshape(-1, bucket), start=1):
        seen, counts = item_counts(window)
        known, missed = held.of(items)
        merged = known + looked_up(items, seen, counts)
        held = held.with_window(seen, counts, 1, lambda _: nullcontext())
        kept, missed_now = held.of(items)
        row = {
            "counts": looked_up(items, seen, counts),
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
    parts = np.array([rgb(colour) for colour in CIVIDIS]).T
    at = place * (len(CIVIDIS) - 1)
    mixed = [round(255 * float(np.interp(at, range(len(CIVIDIS)), part))) for part in parts]
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def _ink(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour, by the rule of WCAG 2."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb(colour)
    ]
    luminance = float(np.dot(linear, (0.2126, 0.7152, 0.0722)))
    return "#ffffff" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "#000000"
