"""Stream summaries: quantiles and frequencies of streams too long to keep.

A window of the stream is sorted, the answers of the sort are merged into a summary, and the summary
is compressed: Govindaraju, Raghuvanshi and Manocha 2005, section 3.2. Each summary is written once
and states its guarantee; a `Sorter` sorts. To add a summary, see `windowed.py`.
"""

from shadersort.streams.correlated.correlated_sum import CorrelatedSum
from shadersort.streams.frequencies.frequency_summary import FrequencySummary
from shadersort.streams.hierarchies.hierarchical_heavy_hitters import HierarchicalHeavyHitters
from shadersort.streams.hierarchies.prefixes import ipv4_numbers
from shadersort.streams.quantiles.compact_quantiles import CompactQuantiles
from shadersort.streams.quantiles.histogram import Histogram
from shadersort.streams.quantiles.quantile_summary import QuantileSummary
from shadersort.streams.sliding.sliding_frequencies import LastFrequencies, SlidingFrequencies
from shadersort.streams.sliding.sliding_quantiles import LastValues, SlidingQuantiles
from shadersort.streams.sorters.by_size import BySizeSorter
from shadersort.streams.sorters.numpy_sorter import NumPySorter
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.sorters.texture_sorter import TextureSorter

__all__ = [
    "BySizeSorter",
    "CompactQuantiles",
    "CorrelatedSum",
    "FrequencySummary",
    "HierarchicalHeavyHitters",
    "Histogram",
    "LastFrequencies",
    "LastValues",
    "NumPySorter",
    "QuantileSummary",
    "SlidingFrequencies",
    "SlidingQuantiles",
    "Sorter",
    "TextureSorter",
    "ipv4_numbers",
]
