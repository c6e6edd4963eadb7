"""Lesson 17, stage 2: hints, for each statistic that may be chosen."""

from collections.abc import Mapping
from types import MappingProxyType

HINTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "trimmed mean": (
            "With d = len(keys) // 4, the smallest key that stays has the rank d, and the largest "
            "the rank len(keys) - 1 - d. Call them low and high.",
            "All keys strictly between low and high stay. What is left is to count how many keys "
            "equal to low stay, and how many equal to high.",
            "np.sum(keys <= low) keys lie at the lower end, and d of them are dropped. So "
            "np.sum(keys <= low) - d copies of low stay.",
            "If low == high, everything that stays equals low. Otherwise: (the sum between + "
            "copies of low * low + copies of high * high) / (len(keys) - 2 * d).",
        ),
        "mode": (
            "ordered = np.sort(keys): equal keys are neighbours now, in runs.",
            "ordered[1:] != ordered[:-1] is True where a run begins, but for the first run.",
            "starts = np.flatnonzero(np.append(True, …)). A run ends where the next one begins, "
            "and the last at len(keys).",
            "np.diff(np.append(starts, len(keys))) are the lengths; argmax finds the first of the "
            "longest, and ordered[starts[…]] is its key.",
        ),
        "interquartile range": (
            "Two order statistics, and a difference.",
            "Their ranks are d and len(keys) - 1 - d, with d = len(keys) // 4.",
        ),
        "median absolute deviation": (
            "Select the median first, then select among the distances to it.",
            "Both ranks are (len(keys) - 1) // 2. (The distances need no memory: a key at a given "
            "distance lies left or right of the median. How would you count those?)",
        ),
    }
)
