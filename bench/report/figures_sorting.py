"""The figures of Govindaraju et al. 2005 that sort by drawing."""

import shadersort as ss
from bench.report.curves import curve
from bench.report.parts import Grid, Part, figure
from bench.report.plot import Curve, Plot
from bench.reproduce.words import short
from bench.shared.record import Record, Row, load

__all__ = ["parts"]

PAPER = "Govindaraju et al. 2005"
OURS_ALONE = "The paper's numbers are not in its text: the plot is of ours alone."
CARD = "geforce-6800-ultra"


def parts() -> list[Part]:
    """Return these figures."""
    sorts = [load("sort-nvidia-h200"), load("sort-llvmpipe")]
    return [_sorting(sorts), _shares_of_sorting(sorts[0])]


WAYS = (("pbsn", "blend"), ("bitonic", "fragment"))


def _rows(record: Record, network: str, method: str) -> list[Row]:
    return record.where(network=network, method=method, dtype="float16")


def _sorting(records: list[Record]) -> Part:
    """PBSN by blending, an earlier bitonic sort, and quicksort, over the number of keys."""
    plots = [Plot("the 2005 card, priced by its data sheet", "keys", "ms", _priced(records[0]))]
    for record in records:
        drawn = [
            curve(f"{network}, {method}", _rows(record, network, method), "keys", "sort_ms", look=n)
            for n, (network, method) in zip("21", WAYS, strict=True)
        ]
        host = curve("np.sort", _rows(record, *WAYS[0]), "keys", "numpy_ms", look="np.sort")
        plots.append(Plot(f"measured: {record.label}", "keys", "ms", [*drawn, host]))
    notes = [
        OURS_ALONE,
        "Paper: GeForce 6800 Ultra, Pentium IV 3.4 GHz, 16-bit floats, transfers included.",
        "Priced: with four keys to a texel bitonic takes 3 times as long as PBSN, with one 14.",
        *(f"Measured: {record.label}, float16, with packing and merging." for record in records),
    ]
    return figure(
        PAPER,
        3,
        "time to sort n keys: PBSN by blending, bitonic sort in fragment programs, and the CPU",
        notes,
        grids=[_claims(records)],
        plots=plots,
    )


def _priced(record: Record) -> list[Curve]:
    """Price both sorts on the paper's card, for the sizes of a record."""
    sizes = sorted({row["keys"] for row in record.rows if row["keys"] >= 1 << 12})
    found = []
    for look, (network, method) in zip("21", WAYS, strict=True):
        costs = [ss.estimate(n, network=network, method=method, profile=CARD) for n in sizes]
        points = [(n, 1e3 * cost.seconds) for n, cost in zip(sizes, costs, strict=True)]
        found.append(Curve(f"{network}, {method}", points, look))
    return found


def _claims(records: list[Record]) -> Grid:
    """Set what the paper's text says in numbers beside what was measured."""
    claims = (
        ("bitonic over PBSN, 2^23 keys", "nearly 10", 10.0, _bitonic_over_pbsn),
        ("transfers, share of the whole, 2^23 keys", "not significant", 0.0, _share_of_transfers),
        ("PBSN over the CPU's sort, 2^13 keys", "about 3", 3.0, _over_cpu),
    )
    rows = [
        [
            what,
            says,
            *(
                short(found := figure(record)) + (f" ({short(number / found)}×)" if number else "")
                for record in records
            ),
        ]
        for what, says, number, figure in claims
    ]
    return Grid(["ratio of times", "paper", *(record.label for record in records)], rows)


def _of(record: Record, way: tuple[str, str], n: int) -> Row:
    return next(row for row in _rows(record, *way) if row["keys"] == n)


def _bitonic_over_pbsn(record: Record) -> float:
    pbsn, bitonic = (_of(record, way, 1 << 23)["program_ms"] for way in WAYS)
    return float(bitonic / pbsn)


def _share_of_transfers(record: Record) -> float:
    row = _of(record, WAYS[0], 1 << 23)
    return float(1 - row["program_ms"] / row["with_transfers_ms"])


def _over_cpu(record: Record) -> float:
    row = _of(record, WAYS[0], 1 << 13)
    return float(row["with_transfers_ms"] / row["numpy_ms"])


def _shares_of_sorting(record: Record) -> Part:
    """Draw the program and the transfers, and the program as 8M keys foretell it."""
    rows = _rows(record, *WAYS[0])
    base = _of(record, WAYS[0], 1 << 23)["program_ms"] / _work(1 << 23)
    drawn = [
        curve("drawing", rows, "keys", "program_ms", look="2"),
        curve(
            "drawing, as n log² n from 2^23", rows, "keys", lambda row: base * _work(row["keys"])
        ),
        curve("transfers", rows, "keys", _transfers, look="1"),
    ]
    drawn[1] = Curve(drawn[1].label, drawn[1].points, "5", dashed=True)
    return figure(
        PAPER,
        4,
        "time of PBSN by blending: drawing, transfers, and what n log² n foretells",
        [OURS_ALONE, f"Measured: {record.label}, float16."],
        plots=[Plot(record.label, "keys", "ms", drawn)],
    )


def _transfers(row: Row) -> float:
    return float(row["with_transfers_ms"] - row["program_ms"])


def _work(n: int) -> float:
    return float(n * (n.bit_length() - 3) ** 2)  # the paper's log²(n / 4), in four channels
