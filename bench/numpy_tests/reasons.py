"""Why some of NumPy's tests fail: the reasons in `reasons.toml`, and what has none."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.numpy_tests.child import Result


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some tests fail."""

    text: str
    tests: frozenset[str]


def _read() -> dict[str, Reason]:
    content = tomllib.loads(Path(__file__).with_name("reasons.toml").read_text(encoding="utf-8"))
    return {name: Reason(each["why"], frozenset(each["tests"])) for name, each in content.items()}


REASONS = _read()
"""Every reason by its name."""


def reason_of(test: str) -> str | None:
    """Return the name of the reason of a failure, if it has one.

    Examples
    --------
    >>> reason_of("test_function_base::TestMedian::test_object")
    'types'
    """
    return next((name for name, each in REASONS.items() if test in each.tests), None)


def mismatches(found: Iterable[Result]) -> list[str]:
    """Return a line for each failure without a reason, and each reason without a failure."""
    failed = {each.test: each.says for each in found if each.failed}
    unexplained = [
        f"no reason is given for {test}, which says {says}"
        for test, says in failed.items()
        if reason_of(test) is None
    ]
    explained = sorted(set[str]().union(*(each.tests for each in REASONS.values())))
    return unexplained + [
        f"{test} has the reason {reason_of(test)}, but did not fail"
        for test in explained
        if test not in failed
    ]
