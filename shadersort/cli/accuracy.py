"""`--support` and `--epsilon`: each chooses the other if only one of them is given."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from shadersort.streams.summary import check_epsilon

Function = TypeVar("Function", bound=Callable[..., Any])

EPSILON = 0.01
"""The error bound if neither option is given."""
SUPPORTS_OF_EPSILON = 10
"""How many times as large as the error bound the support is."""


def chosen_accuracy(epsilon: float | None, support: float | None) -> tuple[float, float]:
    """Return the error bound and the support; what is None follows from the other.

    Raises BadParameter for a support that is not above 0 and at most 1, or less than the error, and
    BadOption for an error that is not between 0 and 1.

    Examples
    --------
    >>> chosen_accuracy(None, None), chosen_accuracy(None, 0.02), chosen_accuracy(0.2, None)
    ((0.01, 0.1), (0.002, 0.02), (0.2, 1.0))
    >>> chosen_accuracy(0.01, 0.03)
    (0.01, 0.03)
    """
    if support is not None and not 0 < support <= 1:
        raise click.BadParameter(f"{support} is no share: it is above 0, and at most 1")
    if epsilon is None:
        epsilon = EPSILON if support is None else support / SUPPORTS_OF_EPSILON
    epsilon = check_epsilon(epsilon)
    if support is not None and support < epsilon:
        raise click.BadParameter(f"{support} is less than the error, {epsilon}")
    return epsilon, min(1.0, SUPPORTS_OF_EPSILON * epsilon) if support is None else support


def accuracy_options(function: Function) -> Function:
    """Add --epsilon and --support to a command, which is called with both, chosen.

    Examples
    --------
    >>> @click.command()
    ... @accuracy_options
    ... def show(epsilon, support):
    ...     click.echo(f"{epsilon} {support}")
    >>> show(["--support", "0.5"], standalone_mode=False)
    0.05 0.5
    """

    @wraps(function)
    def command(*args: Any, epsilon: float | None, support: float | None, **given: Any) -> Any:
        try:
            epsilon, support = chosen_accuracy(epsilon, support)
        except click.BadParameter as error:
            error.param_hint = "'--support'"
            raise
        return function(*args, epsilon=epsilon, support=support, **given)

    for option in (_SUPPORT, _EPSILON):
        command.__dict__.setdefault("__click_params__", []).append(option)
    return cast("Function", command)


_EPSILON = click.Option(
    ["--epsilon"],
    type=float,
    show_default=f"a tenth of SUPPORT, or {EPSILON}",
    help="The largest error allowed, as a share of the number of values.",
)
_SUPPORT = click.Option(
    ["--support"],
    type=float,
    show_default=f"{SUPPORTS_OF_EPSILON} times EPSILON",
    help="The smallest reported frequency, as a share of the number of values.",
)
