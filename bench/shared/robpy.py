"""robpy, a peer that is measured if it is installed.

It asks for old releases of other packages, and runs with new ones: install it in a folder of its
own, `pip install --no-deps --target FOLDER robpy seaborn statsmodels patsy tqdm`, and name it in
PYTHONPATH. The warning says which of these is missing.
"""

import logging
import warnings
from typing import Any


def fast_lts(**options: Any) -> Any | None:
    """Return a `FastLTSRegression` of robpy; None, with a warning, if robpy is not installed."""
    try:
        from robpy.regression.lts import FastLTSRegression
    except ModuleNotFoundError as error:
        warnings.warn(f"robpy is not measured: {error}", stacklevel=2)
        return None
    logging.getLogger("FastLTS").addFilter(lambda record: False)  # it says h for every fit
    return FastLTSRegression(**options)
