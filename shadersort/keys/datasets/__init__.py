"""The papers' data, by name and seed, to test and measure selection methods.

>>> from shadersort.keys import datasets
>>> datasets.make("half-normal", 3, seed=1)
array([0.34558418, 0.82161814, 0.33043706], dtype=float32)
>>> datasets.names_of("Beliakov")[:4]
['uniform', 'normal', 'half-normal', 'beta']
>>> datasets.ranks("uniform", 1000, 5)
array([  0, 249, 499, 749, 999])

Each data set says what it holds, which paper uses it, and what it is for:

>>> print(datasets.DATASETS["mixture-3"].about)
Nine tenths half-normal, the rest 10 exactly: ties far out.

The papers are Beliakov 2011 ("Parallel calculation of the median and order statistics on GPUs"),
Alabi et al. 2012 ("Fast k-selection algorithms for graphics processing units") and Blanchard et
al. 2015 ("Selecting multiple order statistics with a graphics processing unit"). Govindaraju et al.
2005 sort only random keys, such as "uniform".
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from shadersort.errors import UnknownName, choices
from shadersort.keys.datasets import adversaries, distributions, mixtures, power
from shadersort.keys.datasets.base import DataSet
from shadersort.keys.datasets.mixtures import with_outliers
from shadersort.keys.datasets.rank_sets import RANK_SETS, ranks
from shadersort.keys.types import Keys

__all__ = ["DATASETS", "RANK_SETS", "DataSet", "make", "names_of", "ranks", "with_outliers"]

DATASETS: Mapping[str, DataSet] = MappingProxyType(
    {
        each.name: each
        for each in (
            *(distributions.uniform, distributions.normal),
            *(distributions.half_normal, distributions.beta),
            *(mixtures.mixture_1, mixtures.mixture_2, mixtures.mixture_3),
            *(mixtures.mixture_4, mixtures.mixture_5),
            *(distributions.uniform_wide, distributions.normal_wide),
            *(distributions.cauchy, distributions.discrete),
            *(power.power, power.power_small),
            *(adversaries.sorted_keys, adversaries.reversed_keys, adversaries.all_ones),
            *(adversaries.ones_and_twos, adversaries.bucket_killer, adversaries.near_zero),
        )
    }
)
"""Every data set by its name."""


def make(name: str, n: int, *, dtype: npt.DTypeLike = "float32", seed: int = 0) -> Keys:
    """Return n keys of the data set called `name`. The same seed gives the same bits.

    Parameters
    ----------
    name
        One of `DATASETS`.
    n
        Number of keys, 0 or more.
    dtype
        One of the data set's `dtypes`: float32 and float64, for some also integers.
    seed
        0 or more.

    Examples
    --------
    >>> make("uniform", 2, dtype="uint32")
    array([2735729615, 1158725112], dtype=uint32)
    """
    if name not in DATASETS:
        raise UnknownName(f"no data set is called {name!r}: use {choices(DATASETS)}")
    return DATASETS[name](n, dtype=dtype, seed=seed)


def names_of(paper: str = "", dtype: npt.DTypeLike | None = None) -> list[str]:
    """Return the names of the data sets of a paper, in its order; of every paper by default.

    Parameters
    ----------
    paper
        The beginning of its entry in `DataSet.papers`: "Beliakov", "Alabi" or "Blanchard".
    dtype
        If given, only data sets that exist in this type.

    Examples
    --------
    >>> names_of("Blanchard", "int32")
    ['uniform', 'discrete']
    """
    return [
        each.name
        for each in DATASETS.values()
        if any(entry.startswith(paper) for entry in each.papers)
        and (dtype is None or np.dtype(dtype).name in each.dtypes)
    ]
