"""A stream that is poured into lossy counting, window by window, as a page to step through.

The page computes no state. Python records every state with the classes of the package:
`LossyCounts`, and `PrintedCounts` for what the paper of 2005 prints.
"""

from contextlib import nullcontext
from typing import Any

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.types import Integers
from shadersort.palette import CIVIDIS, FAINT, GREEN, GREY, WATER
from shadersort.streams.frequencies.item_counts import look_up
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.frequencies.lossy_counting_as_printed import PrintedCounts
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.web.page import page
from shadersort.web.piece import Piece

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"  # the items of the streams; a number stands for its letter
LENGTH = 256
BUCKETS = (8, 16, 32)  # values of 1/ε: as many items make a window

SUMMARIES: dict[str, type[LossyCounts]] = {"improved": LossyCounts, "as printed": PrintedCounts}

TITLE = "A stream, poured into lossy counting"

SCRIPTS = ("page/player.js", "page/chart.js", "charts/stream_chart.js", "charts/stream.js")

COLOURS = {"counted": GREEN, "missed": FAINT, "dropped": GREY, "band": GREEN, "water": WATER}


def stream_piece(*, window: int | None = None) -> Piece:
    """Return the page on which a stream flows into a summary of frequent items.

    Parameters
    ----------
    window
        The window of 8 items, 1 to 32, at whose end the page begins. None begins with the first
        item.

    Raises
    ------
    BadOption
        The stream has no such window.
    """
    windows = LENGTH // BUCKETS[0]
    if window is not None and not 1 <= window <= windows:
        raise BadOption(f"the stream has windows 1 to {windows}, not {window}")
    poured = two_streams()
    data = {
        "window": window or 0,
        "letters": list(LETTERS),
        "palette": CIVIDIS,
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
    return Piece(TITLE, page(TITLE, SCRIPTS, data, "StreamPiece"), 940)


def two_streams() -> dict[str, Integers]:
    """Return two streams of 256 items by their names.

    In the first, most items are rare, and one of them becomes frequent at half-time. In the second,
    each item comes twice, side by side.
    """
    rng = np.random.default_rng(6)
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
        known, missed = held.look_up(items)
        merged = known + look_up(items, seen, counts)
        held = held.with_window(seen, counts, 1, lambda _: nullcontext())
        kept, missed_now = held.look_up(items)
        row = {
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
