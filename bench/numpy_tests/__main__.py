"""NumPy's own tests of partition, median, percentile and quantile, run against `modern`.

    python -m bench.numpy_tests --output bench/records/numpy-tests-numpy.json

The tests are those that are installed with NumPy. pytest runs them in a child process, in which
their modules call `modern` where they call NumPy's selection (`adapter.py`). Counted are tests that
ask `modern` at least once. Every failure has its reason in `reasons.toml`: the command fails if one
has none, and if a reason has no failure. The reasons are for NumPy 2.4 on Linux on x86-64, where a
long double has more than 64 bits.

`np.partition` orders keys around given ranks, and `modern` has no such call: it only says which
keys have the ranks. The adapter asks `modern.multiselect` for them, and puts all other keys on
their sides by comparing with them. So a wrong key makes a wrong partition. Methods such as
`x.partition`, and `argpartition`, are NumPy's own.
"""

from collections import Counter
from collections.abc import Iterator

import click

from bench.numpy_tests.child import Result, results
from bench.numpy_tests.reasons import REASONS, mismatches, reason_of
from bench.shared.options import Options, command, output_option
from bench.shared.record import Row, begun, tell

MODULES = (
    *("numpy.lib.tests.test_function_base", "numpy.lib.tests.test_nanfunctions"),
    *("numpy._core.tests.test_multiarray", "numpy._core.tests.test_item_selection"),
)


@command(__doc__)
@output_option
def main(options: Options) -> None:
    """Run the tests; fail unless each failure has a reason, and each reason a failure."""
    found = results(MODULES)
    tell(begun("numpy-tests"), rows_of(found), options.output)
    for name, why in REASONS.items():
        print(f"\n{name}: {why.text}")
    if wrong := mismatches(found):
        raise click.ClickException("\n".join(("", *wrong)))


def rows_of(found: list[Result]) -> Iterator[Row]:
    """Yield how many tests each class has, and then each failure with the name of its reason."""
    tests = Counter(each.group for each in found)
    failed = Counter(each.group for each in found if each.failed)
    for group, count in tests.items():
        yield {"class": group, "tests": count, "failed": failed[group]}
    for each in found:
        if each.failed:
            yield {"test": each.test, "reason": reason_of(each.test), "says": each.says}


if __name__ == "__main__":
    main()
