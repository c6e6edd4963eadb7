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
modern.select([1.0], 0, method="quick")  # type: ignore[call-overload]
modern.quantile([1.0], 0.5, selector="nearest")  # type: ignore[call-overload]
modern.threshold([1.0], 1, kind="firm")  # type: ignore[call-overload]
