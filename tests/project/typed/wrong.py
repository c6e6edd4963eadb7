"""Names that do not exist: a type checker refuses each line, or else the comment on it."""

import modern
import shadersort as ss

ss.sort([1.0], network="quick")  # type: ignore[arg-type]
ss.sort([1.0], method="radix")  # type: ignore[arg-type]
ss.sort([1.0], device="vulkan")  # type: ignore[arg-type]
ss.sort([1.0], precision="float64")  # type: ignore[arg-type]
ss.estimate(8, profile="voodoo2")  # type: ignore[arg-type]
ss.open_device("gpu")  # type: ignore[arg-type]
ss.select([1.0], 0, method="blend")  # type: ignore[call-overload]
ss.quantile([1.0], 0.5, method="cubic")  # type: ignore[call-overload]
ss.trace([1.0], network="bubble")  # type: ignore[arg-type]
modern.select([1.0], 0, method="quick")  # type: ignore[arg-type]
modern.quantile([1.0], 0.5, selector="nearest")  # type: ignore[arg-type]
modern.argselect([1.0], 0, ties="first")  # type: ignore[arg-type]
modern.threshold([1.0], 1, kind="firm")  # type: ignore[arg-type]
modern.sort([1.0], network="odd-even-merge")  # type: ignore[arg-type]
quantiles = ss.QuantileSummary(0.01)
ss.Histogram(quantiles, kind="deep")  # type: ignore[arg-type]
quantiles.rank(1.0, side="middle")  # type: ignore[call-overload]
ss.CorrelatedSum(0.01).aggregate("mode")  # type: ignore[arg-type]
ss.external_sort("a.npy", "b.npy", network="quick")  # type: ignore[call-overload]
ss.sort_windows([[1.0]], method="radix")  # type: ignore[call-overload]
ss.argsort([1.0], method="radix")  # type: ignore[arg-type]
quantiles.quantil(0.5)  # type: ignore[attr-defined]
ss.QuantileSumary(0.01)  # type: ignore[attr-defined]
