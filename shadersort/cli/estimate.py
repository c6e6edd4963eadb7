"""`shadersort estimate`: the cost of a sort on a card, computed without drawing."""

from dataclasses import asdict
from itertools import product

import click

from shadersort.cli.options import (
    CARDS,
    json_option,
    key_count,
    merge_option,
    precision_option,
    ways_option,
)
from shadersort.cli.report import (
    milliseconds,
    print_json,
    print_refusals,
    print_table,
    refused,
    table,
)
from shadersort.drawing.cost.estimate import Cost, resolved
from shadersort.drawing.cost.estimate import estimate as price
from shadersort.drawing.cost.profiles import PROFILES
from shadersort.errors import ShadersortError
from shadersort.names import (
    CardName,
    KeysInTexel,
    MergePlace,
    NetworkName,
    Precision,
    SortMethod,
)

EXAMPLES = """\b
shadersort estimate 8M --network pbsn --network bitonic
shadersort estimate 2^20 8e6 --method blend --method fragment --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("counts", type=key_count, nargs=-1, required=True, metavar="N...")
@ways_option(multiple=True, network=["pbsn"], method=["blend"])
@click.option(
    "--profile",
    type=CARDS,
    multiple=True,
    default=["geforce-6800-ultra"],
    show_default=True,
    help="The card, by its data sheet. May be given more than once.",
)
@precision_option
@click.option(
    "--keys-in-texel",
    type=click.Choice(["4", "1"]),
    default="4",
    show_default=True,
    help="Keys in a texel: 4, as sort packs them, or 1, as sorts before 2005 did.",
)
@merge_option
@json_option
def estimate(
    counts: tuple[int, ...],
    network: tuple[NetworkName, ...],
    method: tuple[SortMethod, ...],
    profile: tuple[CardName, ...],
    precision: Precision | None,
    keys_in_texel: str,
    merge: MergePlace,
    as_json: bool,
) -> None:
    """Compute the cost of a sort of N keys on a graphics card, from its data sheet.

    N is written as 8000000, 8e6, 2^23 or 8M; K, M and G are powers of 1024, as in the paper. The
    cost is that of the passes which `sort` would draw; nothing is drawn. Sorts that a card cannot
    draw are listed with the reason.
    """
    packed: KeysInTexel = 1 if keys_in_texel == "1" else 4
    rows, refusals = [], []
    for n, card, net, way in product(counts, profile, network, method):
        drawn_by = resolved(way, PROFILES[card], precision)
        what = {"keys": n, "profile": card, "network": net, "method": drawn_by}
        try:
            cost = price(
                n,
                network=net,
                method=drawn_by,
                profile=card,
                precision=precision,
                keys_in_texel=packed,
                merge=merge,
            )
        except ShadersortError as error:
            refusals.append((what, error))
        else:
            rows.append((what, cost))
    if not rows:
        raise refusals[0][1]
    if as_json:
        told = {"keys_in_texel": packed, "merge": merge}
        done = [what | told | asdict(cost) | {"seconds": cost.seconds} for what, cost in rows]
        print_json(done + refused(refusals))
        return
    shown = [(*map(str, what.values()), cost) for what, cost in rows]
    _print_costs(shown, packed)  # type: ignore[arg-type]
    print_refusals(refusals)


def _print_costs(rows: list[tuple[str, str, str, str, Cost]], packed: KeysInTexel) -> None:
    """Print costs by card."""
    for card in dict.fromkeys(row[1] for row in rows):
        title = card if packed == 4 else f"{card}, 1 key in a texel"
        heads = ("keys", "network", "method", "passes", "comparisons", "drawing ms", "bus ms", "ms")
        shown = table(title, *heads)
        for column in shown.columns[1:3]:
            column.justify, column.no_wrap = "left", True
        for n, _, network, method, cost in (row for row in rows if row[1] == card):
            shown.add_row(
                f"{int(n):,}",
                network,
                method,
                f"{cost.passes:,}",
                f"{cost.comparisons:.3g}",
                milliseconds(cost.gpu_seconds),
                milliseconds(cost.transfer_seconds),
                milliseconds(cost.seconds),
            )
        print_table(shown)
