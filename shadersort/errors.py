"""Every error that shadersort raises on purpose, each named for what was wrong.

A message says what was given, what is accepted, and what to do about it. All of them are
`ShadersortError`, and also the built-in error that a caller would expect in its place.
"""

from collections.abc import Iterable
from typing import Any

__all__ = [
    "AnswerRefuted",
    "BadCount",
    "BadEpsilon",
    "BadMemory",
    "BadOption",
    "BadProgram",
    "BadRank",
    "BadShare",
    "BadSupport",
    "BadWindow",
    "CorruptSummary",
    "DeviceClosed",
    "DeviceUnavailable",
    "DeviceUnusable",
    "DidNotConverge",
    "DiskFull",
    "DtypeUnavailable",
    "EmptyInput",
    "EmptySummary",
    "ForeignFile",
    "KeysNotFlat",
    "MethodUnavailable",
    "NaNRefused",
    "NotFinite",
    "NotMergeable",
    "NothingToShow",
    "OutOfDeviceMemory",
    "OutlierOutOfRange",
    "OutputExists",
    "ProfileLimit",
    "QuantileIsNaN",
    "QuantileNotNumber",
    "QuantileOutOfRange",
    "RankOutOfRange",
    "ShadersortError",
    "SummariesDiffer",
    "SummaryVersion",
    "TooManyKeys",
    "TraceTooLarge",
    "TruncatedFile",
    "UnknownColumn",
    "UnknownDataSet",
    "UnknownDevice",
    "UnknownMethod",
    "UnknownNetwork",
    "UnknownPrecision",
    "UnknownProfile",
    "UnknownQuantileMethod",
    "UnknownRankSet",
    "UnknownRecord",
    "UnsupportedKeys",
    "ValuesMismatch",
]


class ShadersortError(Exception):
    """Base of every error that shadersort raises on purpose."""


class UnsupportedKeys(ShadersortError, TypeError):
    """Keys of this type cannot be sorted, or not by this method."""


class KeysNotFlat(ShadersortError, ValueError):
    """The array has the wrong number of dimensions."""


class ValuesMismatch(ShadersortError, ValueError):
    """The values are not as many as the keys that they belong to."""


class TooManyKeys(ShadersortError, ValueError):
    """More keys than fit into the largest texture of the device, or than a method takes on."""


class TraceTooLarge(ShadersortError, ValueError):
    """A trace needs more memory, a larger page or a larger picture than it may take."""


class NothingToShow(ShadersortError, ValueError):
    """A picture of no pass at all was asked for."""


class EmptyInput(ShadersortError, ValueError):
    """There are no keys, and so no order statistic of them."""


class QuantileNotNumber(ShadersortError, TypeError):
    """The q of a quantile is no number, nor an array of numbers."""


class QuantileIsNaN(ShadersortError, ValueError):
    """The q of a quantile is NaN, or holds one."""


class QuantileOutOfRange(ShadersortError, ValueError):
    """The q of a quantile is not from 0 to 1."""


class UnknownQuantileMethod(ShadersortError, ValueError):
    """No quantile method of NumPy has this name."""


class UnknownDataSet(ShadersortError, ValueError):
    """No data set has this name."""


class UnknownRecord(ShadersortError, ValueError):
    """No recorded measurement has this name."""


class UnknownRankSet(ShadersortError, ValueError):
    """No set of ranks has this name."""


class UnknownColumn(ShadersortError, ValueError):
    """The file has no column of this name."""


class DtypeUnavailable(ShadersortError, TypeError):
    """The data set cannot be had in this type: it would not be the same data."""


class BadCount(ShadersortError, ValueError):
    """A number of keys, ranks or outliers that cannot be."""


class OutlierOutOfRange(ShadersortError, ValueError):
    """The type of the keys cannot hold an outlier of this size."""


class UnknownNetwork(ShadersortError, ValueError):
    """No sorting network has this name."""


class UnknownMethod(ShadersortError, ValueError):
    """No method of drawing a network, or of selection, has this name."""


class MethodUnavailable(ShadersortError, RuntimeError):
    """The device cannot serve this method, or the method cannot sort records."""


class UnknownDevice(ShadersortError, ValueError):
    """No device has this name."""


class UnknownPrecision(ShadersortError, ValueError):
    """No texture has this precision, or not for these keys."""


class UnknownProfile(ShadersortError, ValueError):
    """No data sheet has this name."""


class ProfileLimit(ShadersortError, RuntimeError):
    """The card whose data sheet this is could not draw this; the message says what to do."""


class BadProgram(ShadersortError, ValueError):
    """A program of passes cannot run as it is; `index` is the pass that is wrong.

    `index` is None where the program as a whole is wrong.
    """

    def __init__(self, index: int | None, reason: str) -> None:
        self.index = index
        super().__init__(reason if index is None else f"pass {index}: {reason}")


class DeviceUnavailable(ShadersortError, RuntimeError):
    """The device cannot be opened on this machine; the message says why and what to do."""


class DeviceUnusable(ShadersortError, RuntimeError):
    """The device opened, and then failed the probe that every device has to pass."""


class DeviceClosed(ShadersortError, RuntimeError):
    """The device, or a texture of it, was closed before this use."""


class OutOfDeviceMemory(ShadersortError, MemoryError):
    """The device has no memory left for a texture, or for a copy of keys."""


class BadMemory(ShadersortError, ValueError):
    """A memory budget that is no size, or too small to work in."""


class BadOption(ShadersortError, ValueError):
    """A number or a name that `watch` or a method of selection cannot be told."""


class RankOutOfRange(ShadersortError, ValueError):
    """There are not so many keys that one of them has this rank."""


class BadRank(ShadersortError, TypeError):
    """A rank that is no integer."""


class DidNotConverge(ShadersortError, RuntimeError):
    """A method of selection gave up; `trace`, a `SelectionTrace`, is what it did until then."""

    def __init__(self, reason: str, trace: Any) -> None:
        self.trace = trace
        super().__init__(reason)


class AnswerRefuted(ShadersortError, RuntimeError):
    """Counts refute what a method of selection answered: a fault of the method or of its device."""


class BadShare(ShadersortError, ValueError):
    """A share of the CPU that is neither "auto" nor between 0 and 1."""


class BadEpsilon(ShadersortError, ValueError):
    """The error that a summary may make is no number between 0 and 1."""


class BadSupport(ShadersortError, ValueError):
    """A share of a stream that is no number, or smaller than the error of the summary."""


class BadWindow(ShadersortError, ValueError):
    """A number of values, of a window or of a stream, that cannot be."""


class NotFinite(ShadersortError, ValueError):
    """Infinite numbers have no sum that could be told with a bound."""


class SummariesDiffer(ShadersortError, ValueError):
    """Two summaries cannot become one: they were not made alike."""


class CorruptSummary(ShadersortError, ValueError):
    """These bytes are no summary, or no longer the one that was written."""


class NaNRefused(ShadersortError, ValueError):
    """The stream has a NaN, and the summary was made to refuse it."""


class SummaryVersion(CorruptSummary):
    """These bytes are a summary in a form that this version of shadersort does not read."""


class EmptySummary(EmptyInput):
    """The summary has seen no value yet, and so it has no answer."""


class NotMergeable(ShadersortError, TypeError):
    """Summaries of this kind cannot be merged: they are of the end of one stream."""


class ForeignFile(ShadersortError, ValueError):
    """The file does not hold what its name or the caller says."""


class TruncatedFile(ShadersortError, ValueError):
    """The file ends before its keys do."""


class OutputExists(ShadersortError, FileExistsError):
    """The output is there already, and was not to be replaced."""


class DiskFull(ShadersortError, OSError):
    """No room is left on the disk for the output or for the runs."""


def choices(names: Iterable[str]) -> str:
    """Spell out names for a message: `'a', 'b' or 'c'`."""
    quoted = [repr(name) for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"
