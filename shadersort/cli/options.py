"""Options and argument types that several commands share."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import click
import numpy as np
from click.shell_completion import CompletionItem

from shadersort.drawing.compile import METHODS
from shadersort.drawing.cost.profiles import PROFILES
from shadersort.drawing.devices import KINDS
from shadersort.drawing.networks import NETWORKS
from shadersort.errors import BadOption
from shadersort.keys.types import PRECISIONS
from shadersort.names import MergePlace, Precision, SortMethod
from shadersort.streams import Sorter
from shadersort.streams.sorters.named import make_sorter, sorter_names

if TYPE_CHECKING:
    _SorterType = click.ParamType[Sorter]
else:
    _SorterType = click.ParamType  # not generic in older releases of click

Function = TypeVar("Function", bound=Callable[..., Any])

CARDS = click.Choice(list(PROFILES))
"""The cards that have a data sheet, so that a device can emulate them."""
MOST_KEYS = 1 << 64
SEED = 2005
POWERS = {"K": 10, "M": 20, "G": 30}


def key_count(text: str) -> int:
    """Return a number of keys from text: 1000, 2^20, 32M (M is 2^20, as in the paper) or 1e6.

    Examples
    --------
    >>> [key_count(text) for text in ("1000", "2^20", "32M", "1e6")]
    [1000, 1048576, 33554432, 1000000]
    """
    number = _number(text.replace(",", "").replace("_", ""))
    if number is None or number != int(number) or number > MOST_KEYS:
        raise click.BadParameter(f"{text!r} is not a number of keys: write 1000, 2^20, 32M or 1e6")
    return int(number)


def _number(text: str) -> Fraction | None:
    """Return a number, a power, or a number followed by K, M or G; None for other text."""
    if found := re.fullmatch(r"(\d{1,5})(?:\^|\*\*)(\d{1,2})", text):
        return Fraction(int(found[1]) ** int(found[2]))
    if found := re.fullmatch(r"(\d{1,20}(?:\.\d{1,20})?)([KMG])i?", text, re.IGNORECASE):
        return Fraction(found[1]) * (1 << POWERS[found[2].upper()])
    if re.fullmatch(r"\d{1,20}(\.\d{1,20})?(e\d{1,2})?", text, re.IGNORECASE):
        return Fraction(text)
    return None


def key_type(name: str) -> np.dtype[Any]:
    """Return a type by any of NumPy's names; it may be one that cannot be sorted.

    Examples
    --------
    >>> key_type("float32"), key_type(">f4")
    (dtype('float32'), dtype('>f4'))
    """
    try:
        found: np.dtype[Any] = np.dtype(name)
    except TypeError as error:
        raise click.BadParameter(
            f"{name!r} is no type of keys: write float32 or '>f4', for example"
        ) from error
    return found


def exact_number(text: str) -> float:
    """Return a number; an integer stays one if a float does not hold it.

    Examples
    --------
    >>> exact_number("2.5"), exact_number("7"), exact_number(str(2**53 + 1))
    (2.5, 7.0, 9007199254740993)
    """
    try:
        number = float(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no number") from error
    if number != number:
        raise click.BadParameter("no value is at most NaN, so it has no rank: ask for a number")
    if re.fullmatch(r"[+-]?\d{16,20}", text) and -(1 << 63) <= int(text) < 1 << 64:
        return int(text)
    return number


def share_of_cpu(text: str) -> float | str:
    """Return "auto", or a number from 0 to 1.

    Examples
    --------
    >>> share_of_cpu("auto"), share_of_cpu("0.25")
    ('auto', 0.25)
    """
    if text == "auto":
        return text
    try:
        share = float(text)
    except ValueError:
        share = -1
    if not 0 <= share <= 1:
        raise click.BadParameter(f"{text!r} is neither 'auto' nor a number from 0 to 1")
    return share


def _options(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Return one decorator for several options, which `--help` lists in this order."""

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


class NumberRange(click.FloatRange):
    """Numbers between two limits; NaN, which click takes, is none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return a number in the range."""
        number: float = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is no number.", param, ctx)
        return number


seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=SEED,
    show_default=True,
    help="Seed of the random keys.",
)
device_option = click.option(
    "--device",
    type=click.Choice(["auto", *KINDS]),
    default="auto",
    show_default=True,
    help="What draws: the best device here, OpenGL without or with a display, or NumPy.",
)
device_options = _options(
    device_option,
    click.option(
        "--profile",
        type=CARDS,
        help="Emulate the limits of this card. It may round floats to 16 bits.",
    ),
)


def ways_option(
    *, multiple: bool = False, network: Any = "pbsn", method: Any = "blend", note: str = ""
) -> Callable[[Function], Function]:
    """Return a decorator that adds --network and --method; `multiple` allows several of each."""
    more = " May be given more than once." if multiple else ""
    return _options(
        click.option(
            "--network",
            type=click.Choice(list(NETWORKS)),
            multiple=multiple,
            default=network,
            show_default=True,
            help="The sorting network." + more,
        ),
        click.option(
            "--method",
            type=click.Choice([*METHODS, "auto"]),
            multiple=multiple,
            default=method,
            show_default=note or True,
            help="How it is drawn." + more,
        ),
    )


one_way_option = ways_option(method=None, note="blend for floats of at most 32 bits, else auto")
"""A decorator that adds --network and --method; `usual_method` replaces a method of None."""


def usual_method(dtype: np.dtype[Any], precision: Precision | None = None) -> SortMethod:
    """Return the paper's method for the floats that blend, and "auto" for other keys.

    Examples
    --------
    >>> usual_method(np.dtype(np.float32)), usual_method(np.dtype(np.uint32))
    ('blend', 'auto')
    """
    return "blend" if dtype.kind == "f" and (dtype.itemsize < 8 or precision) else "auto"


precision_option = click.option(
    "--precision",
    type=click.Choice(PRECISIONS),
    help="Round floats to 16 or 32 bits first, or draw 16-bit floats with 32 bits.",
)


merge_option = click.option(
    "--merge",
    type=click.Choice(get_args(MergePlace)),
    default="host",
    show_default=True,
    help="What merges the four lists of a texture: the CPU, as in the paper, or the device.",
)
epsilon_option = click.option(
    "--epsilon",
    type=float,
    default=0.01,
    show_default=True,
    help="The largest error allowed, as a share of the number of values.",
)
last_option = click.option(
    "--last", type=click.IntRange(min=1), help="Summarise only this many last values."
)
force_option = click.option("--force", is_flag=True, help="Replace an output that exists.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class _Sorter(_SorterType):
    """A sorter by its name. Entry points of other packages are read only when they are needed."""

    name = "sorter"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Sorter:
        """Return the sorter; raises BadParameter for an unknown name."""
        if not isinstance(value, str):
            return cast("Sorter", value)
        try:
            return make_sorter(value)
        except BadOption as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the names as --help shows them."""
        return f"[{'|'.join(sorter_names())}]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin with a word."""
        return [CompletionItem(name) for name in sorter_names() if name.startswith(incomplete)]


sorter_option = click.option(
    "--sorter",
    type=_Sorter(),
    default="numpy",
    show_default=True,
    help="The sorter: NumPy; drawing on the best device here, as in 2005; or a CUDA GPU.",
)
