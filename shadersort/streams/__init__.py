"""Stream summaries: quantiles and frequencies of streams too long to keep.

A window of the stream is sorted, what the sort shows is merged into a summary, and the summary is
compressed: Govindaraju, Raghuvanshi and Manocha 2005, section 3.2. Each summary is written once,
and states its guarantee. What sorts is a separate, small thing, a `Sorter`.
"""

from shadersort.streams.correlated import CorrelatedSum
from shadersort.streams.frequency import FrequencySummary
from shadersort.streams.heavy import HierarchicalHeavyHitters
from shadersort.streams.hierarchy import ipv4_numbers
from shadersort.streams.histogram import Histogram
from shadersort.streams.quantile import QuantileSummary
from shadersort.streams.sliding import LastValues, SlidingQuantiles
from shadersort.streams.sliding_frequency import LastFrequencies, SlidingFrequencies
from shadersort.streams.sorters import HostSorter, NumPySorter, Sorter, TextureSorter

__all__ = [
    "CorrelatedSum",
    "FrequencySummary",
    "HierarchicalHeavyHitters",
    "Histogram",
    "HostSorter",
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
