"""Figures 3 and 4 of Govindaraju et al. 2005: sorting by drawing."""

from dataclasses import asdict, dataclass

import shadersort as ss
from bench.fill import fill_text
from bench.report.curves import OURS_ALONE, curve
from bench.report.parts import Curve, Grid, Part, Plot
from bench.shared.record import Record, Row
from bench.shared.words import about, count_of
from bench.sources import Sources
from shadersort.names import CardName, DrawingMethod, KeysInTexel, NetworkName, Precision

PAPER = "Govindaraju et al. 2005"
CARD: CardName = "geforce-6800-ultra"
PRECISION: Precision = "float16"
WAYS = (("pbsn", "blend"), ("bitonic", "fragment"), ("bitonic", "kipfer"))
CUDA = (("pbsn", "cuda"), ("bitonic", "cuda"))
"""The paper's way, the earlier ones, and the same networks in CUDA."""

LARGE = 1 << 23
SORTED, SHARED = ("sort-nvidia-h200", "sort-llvmpipe"), "shared-sort-nvidia-h200"

RATIOS = (
    (
        "bitonic over PBSN, 2^23 keys",
        "nearly 10",
        "{program_ms; network=bitonic; method=fragment; keys=2^23 / "
        "program_ms; network=pbsn; method=blend; keys=2^23}",
    ),
    (
        "with transfers over without, 2^23 keys",
        "not significant",
        "{with_transfers_ms 3; network=pbsn; method=blend; keys=2^23 / "
        "program_ms; network=pbsn; method=blend; keys=2^23}",
    ),
    (
        "PBSN over the CPU's sort, 2^13 keys",
        "about 3",
        "{with_transfers_ms; network=pbsn; method=blend; keys=2^13 / "
        "numpy_ms; network=pbsn; method=blend; keys=2^13}",
    ),
)
"""The ratios that the paper's text states, and how records have them."""


def parts(sources: Sources) -> list[Part]:
    """Return these figures."""
    records = [sources[name] for name in SORTED]
    return [_methods(records, sources), _transfers(records[0])]


def _rows(record: Record, way: tuple[str, str]) -> list[Row]:
    return record.where(network=way[0], method=way[1], dtype=PRECISION)


def _milliseconds(row: Row) -> float:
    """Return the time of a sort in ms: from host to host, or of keys that CUDA has on the card."""
    took: float = row["program_ms"] if row["method"] == "cuda" else row["sort_ms"]
    return took


def _label(record: Record, way: tuple[str, str]) -> str:
    """Return what sorted, as the way itself told the record, without the device."""
    row = _rows(record, way)[0]
    told: str = row.get("label", f"{row['network']}, {row['method']}, {row['dtype']}")
    on_card = ", keys on the card" if row["method"] == "cuda" else ""
    return told.replace(f", {record.device}", on_card)


def _methods(records: list[Record], sources: Sources) -> Part:
    """PBSN by blending, an earlier bitonic sort, and quicksort, over the number of keys."""
    plots = [Plot("the 2005 card, priced by its data sheet", "keys", "ms", _priced(records[0]))]
    for record in records:
        drawn = [
            curve(_label(record, way), _rows(record, way), "keys", _milliseconds, look=look)
            for look, way in zip("21634", (*WAYS, *CUDA), strict=True)
            if _rows(record, way)
        ]
        host = curve("np.sort", _rows(record, WAYS[0]), "keys", "numpy_ms", look="np.sort")
        plots.append(Plot(f"measured: {record.label}", "keys", "ms", [*drawn, host]))
    rows = [
        [told, says, *(fill_text(text, sources, f"{name}; dtype={PRECISION}") for name in SORTED)]
        for told, says, text in RATIOS
    ]
    head = ["ratio of times", "paper", *(record.label for record in records)]
    return Part(
        PAPER,
        "Figure 3",
        "time to sort n keys: PBSN by blending, bitonic sort in fragment programs, and the CPU",
        notes=[
            OURS_ALONE,
            "Paper: GeForce 6800 Ultra, Pentium IV 3.4 GHz, 16-bit floats, transfers included.",
            _priced_note(),
            *(
                f"Measured: {each.label}, {PRECISION}, with packing and merging."
                for each in records
            ),
            f"CPU and GPU together: {shared_note(sources)}.",
        ],
        grids=[Grid(head, rows)],
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


def shared_note(sources: Sources) -> str:
    """Return what CPU and GPU together gain over each alone, and the share that each had."""
    if SHARED not in sources:
        return "not measured"
    record = sources[SHARED]
    rows = _rows(record, WAYS[0])
    most = [row for row in rows if row["keys"] == max(each["keys"] for each in rows)]
    gpu, cpu = (next(row["ms"] for row in most if row["share"] == share) for share in (0, 1))
    both = [row for row in most if row["share"] not in (0, 1)]
    best = min(both, key=lambda row: float(row["ms"]))
    share = "an unknown share" if best["on_cpu"] is None else f"{100 * best['on_cpu']:.3g}%"
    return (
        f"{record.label}, {count_of(best['keys'])} keys, {share} of them by NumPy and the rest by "
        f"PBSN and blending: {about(gpu / best['ms'])} times as fast as the GPU alone, and "
        f"{about(cpu / best['ms'])} times as fast as the CPU alone"
    )


def _transfers(record: Record) -> Part:
    """Drawing and transfers, and the drawing as predicted from its time for 8M keys."""
    rows = _rows(record, WAYS[0])
    base = next(row["program_ms"] for row in rows if row["keys"] == LARGE) / _work(LARGE)
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
        notes=[OURS_ALONE, f"Measured: {record.label}, {PRECISION}."],
        plots=[Plot(record.label, "keys", "ms", drawn)],
    )


def _work(n: int) -> float:
    return float(n * (n.bit_length() - 3) ** 2)  # the paper's log²(n / 4), in four channels
