"""Whether the tests explore: `make soak` does, with fresh seeds; a plain run never does."""

import os

from hypothesis import HealthCheck, settings

SEED = int(os.environ["SHADERSORT_SOAK"]) if "SHADERSORT_SOAK" in os.environ else None
"""The seed of this round of a soak; None in a plain run."""

MANY = 1000
"""Examples of a property in one round, unless the test says how many it tries."""


def load_profile() -> None:
    """Make hypothesis draw the same examples in every plain run, and fresh ones in a soak.

    A plain run keeps no database of failures: what was found once stands in the tests as an
    `@example`.
    """
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    settings.register_profile("plain", derandomize=True, database=None, deadline=None)
    settings.register_profile(
        "soak", max_examples=MANY, deadline=None, print_blob=True, suppress_health_check=slow
    )
    settings.load_profile("plain" if SEED is None else "soak")
