"""`shadersort info`: the devices of this machine and the data sheets of cards."""

from dataclasses import asdict, fields

import click

from shadersort.cli.options import CARDS, json_option
from shadersort.cli.report import print_json, print_note, print_table, table
from shadersort.drawing.cost.profiles import PROFILES, Cycles, Profile, Quantity
from shadersort.drawing.devices import devices
from shadersort.names import CardName

PAPER = (
    "The paper: Govindaraju, Raghuvanshi and Manocha, Fast and Approximate Stream Mining of "
    "Quantiles and Frequencies Using Graphics Processors, SIGMOD 2005."
)


EXAMPLES = """\b
shadersort info
shadersort info geforce-6800-ultra --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("profiles", type=CARDS, nargs=-1, metavar="[PROFILE]...")
@json_option
def info(profiles: tuple[CardName, ...], as_json: bool) -> None:
    """Show the devices of this machine and the data sheets of cards.

    With a PROFILE (geforce-6800-ultra), show its whole sheet with the source of every figure.
    """
    if profiles:
        sheets = [PROFILES[name] for name in profiles]
        if as_json:
            print_json({"profiles": {sheet.name: asdict(sheet) for sheet in sheets}})
            return
        for sheet in sheets:
            _print_sheet(sheet)
        print_note("", PAPER)
        return
    reports = devices()
    if as_json:
        sheets_of_all = {name: asdict(sheet) for name, sheet in PROFILES.items()}
        print_json({"devices": [asdict(each) for each in reports], "profiles": sheets_of_all})
        return
    found = table("Devices", "kind", "drawn by", "name", "OpenGL", "texture", "computes", left=4)
    for each in reports:
        if each.usable:
            version = each.opengl.split()[0] if each.opengl else "none"
            drawn_by, computes = "GPU" if each.hardware else "CPU", "yes" if each.computes else "no"
            side = f"{each.max_texture_size:,}²"
            found.add_row(each.kind, drawn_by, each.detail, version, side, computes)
    print_table(found)
    print_note(*(f"{each.kind} is missing: {each.detail}" for each in reports if not each.usable))
    print_note("")
    _print_sheets(list(PROFILES.values()))
    print_note("", f"'shadersort info {next(iter(PROFILES))}' shows the source of each figure.")


def figures(sheet: Profile) -> dict[str, Quantity]:
    """Return the figures of a sheet by name; figures in cycles have one name a precision.

    Examples
    --------
    >>> figures(PROFILES["geforce-6800-ultra"])["cycles per blend, float16"].value
    6.5
    """
    found = {}
    for field in fields(sheet):
        value, name = getattr(sheet, field.name), field.name.replace("_", " ")
        if isinstance(value, Quantity):
            found[name] = value
        elif isinstance(value, Cycles):
            for precision in ("float16", "float32"):
                if quantity := getattr(value, precision):
                    found[f"{name}, {precision}"] = quantity
    return found


def _print_sheets(sheets: list[Profile]) -> None:
    """Print sheets side by side, without sources."""
    shown = table("Data sheets", "", *(sheet.name for sheet in sheets), "", left=1)
    shown.columns[-1].justify = "left"
    named = [figures(sheet) for sheet in sheets]
    for name in dict.fromkeys(name for each in named for name in each):
        values = [_value(each[name]) if name in each else "none" for each in named]
        units = {each[name].unit for each in named if name in each}
        shown.add_row(name, *values, ", ".join(sorted(units)))
    print_table(shown)


def _print_sheet(sheet: Profile) -> None:
    """Print one sheet with its sources."""
    shown = table(f"{sheet.name}: {sheet.title}", "", "value", "unit", "source", left=1)
    for column in shown.columns[2:]:
        column.justify = "left"
    for name, each in figures(sheet).items():
        shown.add_row(name, _value(each), each.unit, each.source)
    print_table(shown)


def _value(quantity: Quantity) -> str:
    if isinstance(quantity.value, bool):
        return "yes" if quantity.value else "no"
    return f"{quantity.value:,.6g}" if quantity.value < 1e6 else f"{quantity.value:,.0f}"
