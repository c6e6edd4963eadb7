"""Figures 3 and 4 of Govindaraju et al. 2005: sorting by drawing."""

from dataclasses import asdict, dataclass

import shadersort as ss
from bench.report.curves import OURS_ALONE, curve
from bench.report.parts import Curve, Grid, Part, Plot
from bench.shared.record import Library, Record, Row
from bench.shared.words import about, short
from shadersort.names import CardName, DrawingMethod, KeysInTexel, NetworkName, Precision

PAPER = "Govindaraju et al. 2005"
CARD: CardName = "geforce-6800-ultra"
PRECISION: Precision = "float16"
WAYS: tuple[tuple[NetworkName, DrawingMethod], ...] = (
    ("pbsn", "blend"),
    ("bitonic", "fragment"),
    ("bitonic", "kipfer"),
)
LARGE, SMALL = 1 << 23, 1 << 13
SHARED = "shared-sort-nvidia-h200"
"""The record of `bench.shared_sort`."""


def parts(library: Library) -> list[Part]:
    """Return these figures."""
    records = [library["sort-nvidia-h200"], library["sort-llvmpipe"]]
    shared = [library[SHARED]] if SHARED in library else []
    return [_methods(records, shared), _transfers(records[0])]


def _rows(record: Record, way: tuple[str, str]) -> list[Row]:
    return record.where(network=way[0], method=way[1], dtype="float16")


def _label(record: Record, way: tuple[str, str]) -> str:
    """Return what sorted, as the way itself told the record, without the device."""
    row = _rows(record, way)[0]
    told: str = row.get("label", f"{row['network']}, {row['method']}, {row['dtype']}")
    return told.replace(f", {record.device}", "")


def _of(record: Record, way: tuple[str, str], n: int) -> Row:
    return next(row for row in _rows(record, way) if row["keys"] == n)


def _methods(records: list[Record], shared: list[Record]) -> Part:
    """PBSN by blending, an earlier bitonic sort, and quicksort, over the number of keys."""
    plots = [Plot("the 2005 card, priced by its data sheet", "keys", "ms", _priced(records[0]))]
    for record in records:
        drawn = [
            curve(_label(record, way), _rows(record, way), "keys", "sort_ms", look=look)
            for look, way in zip("216", WAYS, strict=True)
            if _rows(record, way)
        ]
        host = curve("np.sort", _rows(record, WAYS[0]), "keys", "numpy_ms", look="np.sort")
        plots.append(Plot(f"measured: {record.label}", "keys", "ms", [*drawn, host]))
    return Part(
        PAPER,
        "Figure 3",
        "time to sort n keys: PBSN by blending, bitonic sort in fragment programs, and the CPU",
        notes=[
            OURS_ALONE,
            "Paper: GeForce 6800 Ultra, Pentium IV 3.4 GHz, 16-bit floats, transfers included.",
            _priced_note(),
            *(f"Measured: {each.label}, float16, with packing and merging." for each in records),
            *(shared_notes(shared) or ["CPU and GPU together: not measured on a GPU yet."]),
        ],
        grids=[_claims(records, shared)],
        plots=plots,
    )


@dataclass(frozen=True, slots=True)
class Priced:
    """A sort that is priced on the paper's card, in the paper's precision."""

    network: NetworkName
    method: DrawingMethod
    keys_in_texel: KeysInTexel

    @property
    def label(self) -> str:
        """What is priced: "bitonic, fragment, float16, 1 key a texel"."""
        keys = f"{self.keys_in_texel} key{'s' if self.keys_in_texel > 1 else ''} a texel"
        return f"{self.network}, {self.method}, {PRECISION}, {keys}"

    def seconds(self, n: int) -> float:
        """Return the seconds for n keys, transfers included."""
        return ss.estimate(n, profile=CARD, precision=PRECISION, **asdict(self)).seconds


PRICED = (
    Priced("pbsn", "blend", 4),
    Priced("bitonic", "fragment", 4),
    Priced("bitonic", "fragment", 1),
    Priced("bitonic", "kipfer", 4),
)
"""The paper's sort; the bitonic program as this package packs keys, and as those before did; and
Kipfer's improved bitonic sort, of which the paper says that it exists, but not how fast it is."""


def _priced_note() -> str:
    """Return the prices of 2^23 keys, as multiples of the first."""
    first = PRICED[0].seconds(LARGE)
    told = (f"{each.label}, {about(each.seconds(LARGE) / first)} times" for each in PRICED[1:])
    return (
        f"Priced, 2^23 keys: {PRICED[0].label}, {about(1e3 * first)} ms; {'; '.join(told)}. "
        "A step of fragment takes the paper's 53 instructions, of kipfer the 5 of its own shader."
    )


def _priced(record: Record) -> list[Curve]:
    """Price the sorts on the paper's card, for the sizes of a record."""
    sizes = sorted({row["keys"] for row in record.rows if row["keys"] >= 1 << 12})
    return [
        Curve(each.label, [(n, 1e3 * each.seconds(n)) for n in sizes], look)
        for each, look in zip(PRICED, "2156", strict=True)
    ]


def _claims(records: list[Record], shared: list[Record]) -> Grid:
    """Set the ratios that the paper's text states beside the measured ones."""
    claims = (
        ("bitonic over PBSN, 2^23 keys", "nearly 10", 10.0, _bitonic),
        ("transfers, share of the whole, 2^23 keys", "not significant", 0.0, _share_of_transfers),
        ("PBSN over the CPU's sort, 2^13 keys", "about 3", 3.0, _over_cpu),
    )
    rows = []
    for what, says, number, measure in claims:
        found = [measure(record) for record in records]
        rows.append(
            [
                what,
                says,
                *(short(x) + (f" ({short(number / x)}×)" if number else "") for x in found),
            ]
        )
    gains = {each.device: short(gain(each)[0]) for each in shared}
    sharing = (gains.get(record.device, "–") for record in records)
    rows.append(["GPU alone over CPU and GPU together", "2", *sharing])
    return Grid(["ratio of times", "paper", *(record.label for record in records)], rows)


def gain(record: Record) -> tuple[float, float]:
    """Return how many times as fast as the GPU alone, and as the CPU alone, both are together.

    That is of the most keys measured by the paper's way, with the share that was fastest.
    """
    rows = _of_sharing(record)
    alone = {share: next(row["ms"] for row in rows if row["share"] == share) for share in (0, 1)}
    together = min(row["ms"] for row in rows if row["share"] not in alone)
    return alone[0] / together, alone[1] / together


def _of_sharing(record: Record) -> list[Row]:
    """Return the rows of the paper's way with the most keys."""
    rows = _rows(record, WAYS[0])
    most = max(row["keys"] for row in rows)
    return [row for row in rows if row["keys"] == most]


def shared_notes(shared: list[Record]) -> list[str]:
    """Return a note on each record of CPU and GPU together: what ran, and what came out."""
    notes = []
    for record in shared:
        rows = _of_sharing(record)
        best = min((row for row in rows if row["share"] not in (0, 1)), key=lambda row: row["ms"])
        notes.append(
            f"CPU and GPU together: {record.label}, 2^{best['keys'].bit_length() - 1} keys, "
            f"{best['label']}: {about(gain(record)[0])} times as fast as the GPU alone, "
            f"{about(gain(record)[1])} times as fast as the CPU alone."
        )
    return notes


def _bitonic(record: Record) -> float:
    pbsn, bitonic = (_of(record, way, LARGE)["program_ms"] for way in WAYS[:2])
    return float(bitonic / pbsn)


def _share_of_transfers(record: Record) -> float:
    row = _of(record, WAYS[0], LARGE)
    return float(1 - row["program_ms"] / row["with_transfers_ms"])


def _over_cpu(record: Record) -> float:
    row = _of(record, WAYS[0], SMALL)
    return float(row["with_transfers_ms"] / row["numpy_ms"])


def _transfers(record: Record) -> Part:
    """Drawing and transfers, and the drawing as predicted from its time for 8M keys."""
    rows = _rows(record, WAYS[0])
    base = _of(record, WAYS[0], LARGE)["program_ms"] / _work(LARGE)
    predicted = [(row["keys"], base * _work(row["keys"])) for row in rows]
    drawn = [
        curve("drawing", rows, "keys", "program_ms", look="2"),
        Curve("drawing, as n log² n from 2^23", predicted, "5", "dashed"),
        curve(
            "transfers",
            rows,
            "keys",
            lambda row: float(row["with_transfers_ms"] - row["program_ms"]),
            look="1",
        ),
    ]
    return Part(
        PAPER,
        "Figure 4",
        "time of PBSN by blending: drawing, transfers, and the prediction of n log² n",
        notes=[OURS_ALONE, f"Measured: {record.label}, float16."],
        plots=[Plot(record.label, "keys", "ms", drawn)],
    )


def _work(n: int) -> float:
    return float(n * (n.bit_length() - 3) ** 2)  # the paper's log²(n / 4), in four channels
