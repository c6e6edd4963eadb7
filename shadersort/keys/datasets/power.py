"""A stand-in for the power readings that Blanchard's paper selects from.

The paper's data are the REDD readings (Kolter and Johnson 2011), which cannot be redistributed.
What it says of them is all that is kept here: how many there are, how many are distinct, and how
many lie in [−200, 200]. The rest is made up, so a time on this stand-in is no time on the data.
Whoever has the readings loads them by `load_readings`.

==============  ==========  =========================
name            readings    of these, distinct
==============  ==========  =========================
``power``       42,661,878  367,431
``power-small`` 42,372,537  363,393, in [−200, 200]
==============  ==========  =========================
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.datasets.base import Dtype, Source, data_set
from shadersort.keys.types import Keys

__all__ = ["READINGS", "READINGS_SMALL", "power", "power_small"]

READINGS, READINGS_SMALL = 42_661_878, 42_372_537
"""How many readings the paper has in all, and in [−200, 200]."""

DISTINCT, DISTINCT_SMALL = 367_431, 363_393
LIMIT = 200

SECTION = "Blanchard et al. 2015, section 3.3 and table IV"

Doubles = npt.NDArray[np.float64]


def _levels() -> Doubles:
    """Return the distinct readings in [−200, 200]: evenly spaced, as a meter would give them."""
    steps = DISTINCT_SMALL - 1
    return (2 * LIMIT * np.arange(DISTINCT_SMALL) - LIMIT * steps) / steps


def _peaks() -> Doubles:
    """Return the distinct readings beyond: of both signs, ever sparser, up to half a million."""
    count = (DISTINCT - DISTINCT_SMALL) // 2
    magnitudes = LIMIT + np.arange(1, count + 1) ** 3 / 2**14
    return np.concatenate([-magnitudes[::-1], magnitudes])


def _near_zero(count: int, source: Source, levels: Doubles) -> Any:
    """Choose levels, those near zero most of all: their magnitude is a cube."""
    signed = 2 * source.random(count) - 1
    return levels[np.rint((signed * signed * signed + 1) / 2 * (len(levels) - 1)).astype(np.intp)]


def _near_the_limit(count: int, source: Source, peaks: Doubles) -> Any:
    """Choose peaks of either sign, those near the limit most of all."""
    share = source.random(count)
    distance = np.floor(share * share * share * (len(peaks) // 2)).astype(np.intp)
    middle = len(peaks) // 2
    return peaks[np.where(source.random(count) < 0.5, middle - 1 - distance, middle + distance)]


def _readings(n: int, dtype: Dtype, source: Source, distinct: Doubles, beyond: int) -> Keys:
    """Return n readings, `beyond` of them outside [−200, 200], and every level once if they fit."""
    distinct = source.xp.asarray(distinct)
    inside = np.abs(distinct) <= LIMIT
    levels, peaks = distinct[inside], distinct[~inside]
    once = distinct if n >= len(distinct) else distinct[:0]
    more = max(0, beyond - len(peaks)) if len(once) else beyond
    keys = np.concatenate(
        [
            once.astype(dtype),
            source.keys(more, dtype, lambda count: _near_the_limit(count, source, peaks)),
            source.keys(
                n - len(once) - more, dtype, lambda count: _near_zero(count, source, levels)
            ),
        ]
    )
    source.shuffle(keys)
    return keys


@data_set("power", SECTION)
def power(n: int, dtype: Dtype, source: Source) -> Keys:
    """Stand in for the paper's "houses": not these data, but as many and as tied.

    42,661,878 readings have 367,431 distinct values; 99.3% lie in [−200, 200], most of them near
    zero, the rest reach half a million: few levels and far outliers, hard on sampled pivots. From
    367,431 readings on, every value occurs; fewer are drawn from the same values.
    """
    distinct = np.sort(np.concatenate([_levels(), _peaks()]))
    return _readings(n, dtype, source, distinct, n * (READINGS - READINGS_SMALL) // READINGS)


@data_set("power-small", SECTION)
def power_small(n: int, dtype: Dtype, source: Source) -> Keys:
    """Stand in for the paper's "houses small": as "power", with nothing beyond [−200, 200].

    42,372,537 readings have 363,393 distinct values.
    """
    return _readings(n, dtype, source, _levels(), 0)
