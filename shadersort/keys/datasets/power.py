"""A stand-in for the power readings that Blanchard's paper selects from.

The paper's data are the REDD readings (Kolter and Johnson 2011), which cannot be redistributed.
The stand-in agrees with what the paper says of them: how many there are, how many are distinct, and
how many lie in [−200, 200]. The rest is invented, so times on the stand-in are not times on the
data.

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

from shadersort.keys.datasets.base import Dtype, RandomKeys, data_set
from shadersort.keys.types import Keys

READINGS, READINGS_SMALL = 42_661_878, 42_372_537
"""Number of readings in the paper: all, and those in [−200, 200]."""

DISTINCT, DISTINCT_SMALL = 367_431, 363_393
LIMIT = 200

SECTION = "Blanchard et al. 2015, section 3.3 and table IV"

Doubles = npt.NDArray[np.float64]


def _levels() -> Doubles:
    """Return the distinct readings in [−200, 200]: evenly spaced, as from a meter."""
    steps = DISTINCT_SMALL - 1
    return (2 * LIMIT * np.arange(DISTINCT_SMALL) - LIMIT * steps) / steps


def _peaks() -> Doubles:
    """Return the other distinct readings: of both signs, ever sparser, up to half a million."""
    count = (DISTINCT - DISTINCT_SMALL) // 2
    magnitudes = LIMIT + np.arange(1, count + 1) ** 3 / 2**14
    return np.concatenate([-magnitudes[::-1], magnitudes])


def _readings(n: int, dtype: Dtype, random: RandomKeys, distinct: Doubles, beyond: int) -> Keys:
    """Return n readings, `beyond` of them outside [−200, 200], and every level once if they fit.

    Others are drawn near zero, or near the limit, by the cube of a uniform number.
    """
    distinct = random.xp.asarray(distinct)
    inside = np.abs(distinct) <= LIMIT
    levels, peaks = distinct[inside], distinct[~inside]

    def near_zero(count: int) -> Any:
        signed = 2 * random.random(count) - 1
        places = np.rint((signed * signed * signed + 1) / 2 * (len(levels) - 1))
        return levels[places.astype(np.intp)]

    def near_the_limit(count: int) -> Any:
        share, middle = random.random(count), len(peaks) // 2
        distance = np.floor(share * share * share * middle).astype(np.intp)
        return peaks[np.where(random.random(count) < 0.5, middle - 1 - distance, middle + distance)]

    once = distinct if n >= len(distinct) else distinct[:0]
    more = max(0, beyond - len(peaks)) if len(once) else beyond
    others = random.keys(more, dtype, near_the_limit)
    rest = random.keys(n - len(once) - more, dtype, near_zero)
    keys = np.concatenate([once.astype(dtype), others, rest])
    random.shuffle(keys)
    return keys


@data_set("power", SECTION)
def power(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Stand in for the paper's "houses": other data, with as many readings and as many ties.

    42,661,878 readings have 367,431 distinct values. 99.3% lie in [−200, 200], most of them near
    zero; the others reach half a million. Few levels and far outliers are bad for sampled pivots.
    With 367,431 readings or more, every value occurs; fewer are drawn from the same values.
    """
    distinct = np.sort(np.concatenate([_levels(), _peaks()]))
    return _readings(n, dtype, random, distinct, n * (READINGS - READINGS_SMALL) // READINGS)


@data_set("power-small", SECTION)
def power_small(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Stand in for the paper's "houses small": like "power", but all in [−200, 200].

    42,372,537 readings have 363,393 distinct values.
    """
    return _readings(n, dtype, random, _levels(), 0)
