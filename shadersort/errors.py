"""Every error that shadersort raises on purpose, each named for what was wrong.

A message says what was given, what is accepted, and what to do about it. Every class is a
`ShadersortError`, and also the built-in error that a caller would expect in its place.
"""

from collections.abc import Iterable
from typing import Any


class ShadersortError(Exception):
    """Base of every error that shadersort raises on purpose."""


class UnsupportedKeys(ShadersortError, TypeError):
    """Keys of this type cannot be sorted, or not by this method."""


class KeysNotFlat(ShadersortError, ValueError):
    """The array has the wrong number of dimensions."""


class BadAxis(ShadersortError, ValueError):
    """Rows cannot lie along these axes; NumPy's `AxisError` tells of axes that an array has not."""


class ArraysApart(ShadersortError, ValueError):
    """Arrays that belong together are of two libraries, or on two devices."""


class BadSamples(ShadersortError, ValueError):
    """Samples or targets are nothing that an estimator can learn from."""


class ValuesMismatch(ShadersortError, ValueError):
    """The number of values is not the number of keys that they belong to."""


class TooManyKeys(ShadersortError, ValueError):
    """There are more keys than the device's largest texture holds, or than a method accepts."""


class TraceTooLarge(ShadersortError, ValueError):
    """A trace needs more memory, a larger page or a larger picture than is allowed."""


class NothingToShow(ShadersortError, ValueError):
    """The picture would show no pass."""


class EmptyInput(ShadersortError, ValueError):
    """There are no keys, so they have no order statistic."""


class QuantileNotNumber(ShadersortError, TypeError):
    """The q of a quantile is neither a number nor an array of numbers."""


class QuantileIsNaN(ShadersortError, ValueError):
    """The q of a quantile is NaN, or contains a NaN."""


class QuantileOutOfRange(ShadersortError, ValueError):
    """The q of a quantile is not between 0 and 1."""


class UnknownQuantileMethod(ShadersortError, ValueError):
    """No quantile method of NumPy has this name."""


class BadWeights(ShadersortError, ValueError):
    """Weights are negative, not finite, all zero, of a wrong shape, or the method takes none."""


class WeightsNeedAxis(ShadersortError, TypeError):
    """Weights of another shape than the keys need an axis; NumPy raises a TypeError here."""


class UnknownDataSet(ShadersortError, ValueError):
    """No data set has this name."""


class UnknownRecord(ShadersortError, ValueError):
    """No recorded measurement has this name."""


class UnknownRankSet(ShadersortError, ValueError):
    """No set of ranks has this name."""


class UnknownColumn(ShadersortError, ValueError):
    """The file has no column of this name."""


class DtypeUnavailable(ShadersortError, TypeError):
    """The data set does not exist in this type: converted, it would be other data."""


class BadCount(ShadersortError, ValueError):
    """A number of keys, ranks or outliers is impossible."""


class OutlierOutOfRange(ShadersortError, ValueError):
    """The type of the keys cannot hold an outlier of this size."""


class UnknownNetwork(ShadersortError, ValueError):
    """No sorting network has this name."""


class UnknownMethod(ShadersortError, ValueError):
    """No method of drawing a network, or of selection, has this name."""


class MethodUnavailable(ShadersortError, RuntimeError):
    """The device cannot draw by this method, or the method cannot sort records."""


class UnknownDevice(ShadersortError, ValueError):
    """No device has this name."""


class UnknownPrecision(ShadersortError, ValueError):
    """No texture has this precision, or keys of this type have no precision."""


class UnknownProfile(ShadersortError, ValueError):
    """No data sheet has this name."""


class ProfileLimit(ShadersortError, RuntimeError):
    """The emulated card could not draw this; the message says what to do."""


class BadProgram(ShadersortError, ValueError):
    """A program cannot run; `index` is the wrong pass, or None if the whole program is wrong."""

    def __init__(self, index: int | None, reason: str) -> None:
        self.index = index
        super().__init__(reason if index is None else f"pass {index}: {reason}")


class DeviceUnavailable(ShadersortError, RuntimeError):
    """The device cannot be opened on this machine; the message says why and what to do."""


class DeviceUnusable(ShadersortError, RuntimeError):
    """The device opened, but failed the probe that every device has to pass."""


class MatplotlibMissing(ShadersortError, ModuleNotFoundError):
    """The picture needs matplotlib, which is not installed; the message says how to install it."""


class DeviceClosed(ShadersortError, RuntimeError):
    """The device or the texture was closed before this use."""


class DeviceForked(DeviceUnavailable):
    """The device, or its driver, was opened before this process was forked, and hangs in it."""


class OutOfDeviceMemory(ShadersortError, MemoryError):
    """The device has no memory left for a texture, or for a copy of keys."""


class BadMemory(ShadersortError, ValueError):
    """A memory budget is no size in bytes, or too small."""


class BadOption(ShadersortError, ValueError):
    """An option of `watch` or of a method of selection has an impossible value."""


class RankOutOfRange(ShadersortError, ValueError):
    """There are too few keys for this rank."""


class BadRank(ShadersortError, TypeError):
    """A rank is not an integer."""


class DidNotConverge(ShadersortError, RuntimeError):
    """A method of selection gave up; `trace` is the `SelectionTrace` of what it did until then."""

    def __init__(self, reason: str, trace: Any) -> None:
        self.trace = trace
        super().__init__(reason)


class AnswerRefuted(ShadersortError, RuntimeError):
    """Counts disproved a method's answer: the method or its device has a fault.

    Of some methods as printed the papers report such faults. `trace` is the `SelectionTrace` of
    what the method did, or None if the fault was found outside a selection.
    """

    def __init__(self, reason: str, trace: Any = None) -> None:
        self.trace = trace
        super().__init__(reason)


class BadShare(ShadersortError, ValueError):
    """A share of the CPU is neither "auto" nor between 0 and 1."""


class BadEpsilon(ShadersortError, ValueError):
    """The error allowed to a summary is not a number between 0 and 1."""


class BadSupport(ShadersortError, ValueError):
    """A share of a stream is not a number, or is smaller than the error of the summary."""


class BadWindow(ShadersortError, ValueError):
    """A window or a stream has an impossible number of values."""


class NotFinite(ShadersortError, ValueError):
    """The values include infinities or NaNs, so their sum has no bound."""


class SummariesDiffer(ShadersortError, ValueError):
    """Two summaries cannot be merged: they were made with different options."""


class StreamTooLong(ShadersortError, ValueError):
    """A summary was given more values than it counts: 2**60 or more."""


class CorruptSummary(ShadersortError, ValueError):
    """These bytes are not a summary, or were changed after it was written."""


class NaNRefused(ShadersortError, ValueError):
    """There is a NaN, and the caller of a selection, or the maker of a summary, refused NaNs."""


class SummaryVersion(CorruptSummary):
    """These bytes are a summary in a form that this version of shadersort does not read."""


class EmptySummary(EmptyInput):
    """The summary has seen no value yet, so it has no answer."""


class NotMergeable(ShadersortError, TypeError):
    """Summaries of this kind cannot be merged: each describes the end of one stream."""


class ForeignFile(ShadersortError, ValueError):
    """The file does not hold what its name or the caller says."""


class GuessRefuted(ForeignFile):
    """A word further on is not of the type that was guessed from the first words."""


class InputChanged(ShadersortError, RuntimeError):
    """An input that was read twice did not have the same numbers both times."""


class KeysLost(ShadersortError, RuntimeError):
    """Some keys of chunks cannot be computed: all copies are gone, or their sizes are not found."""


class ClusterUnavailable(ShadersortError, RuntimeError):
    """The cluster's client is closed, or its workers died while they computed keys."""


class NotRereadable(ShadersortError, TypeError):
    """An input can be read only once, and has to be read several times."""


class MissingPackage(ShadersortError, ModuleNotFoundError):
    """An optional package is not installed; the message says how to install it."""


class TruncatedFile(ShadersortError, ValueError):
    """The file ends before its keys do."""


class OutputExists(ShadersortError, FileExistsError):
    """The output exists already, and replacing it was not allowed."""


class DiskFull(ShadersortError, OSError):
    """No room is left on the disk for the output or for the runs."""


def choices(names: Iterable[str]) -> str:
    """Spell out names for a message: `'a', 'b' or 'c'`."""
    quoted = [repr(name) for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"
