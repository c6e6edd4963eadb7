"""The numbers in the text of the lessons: a function for each lesson, by the name of its module.

A function returns each number as text, by its name in the source, from records or a model of costs.
"""

from collections.abc import Mapping
from itertools import product

from shadersort.drawing.cost.estimate import estimate
from shadersort.drawing.cost.profiles import memory_bandwidth
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons import record
from shadersort.lessons.cost.prices import BASE, program_of, step_cycles
from shadersort.lessons.frequent import pictures as of_counts
from shadersort.lessons.hundred.times import recorded_times
from shadersort.lessons.ladder import live, rates
from shadersort.lessons.quantiles import pictures as of_quantiles
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.reproduced import PRINTED, lines, then_and_now
from shadersort.lessons.shared.selecting import LARGEST, reads_of
from shadersort.lessons.shared.speedups import split
from shadersort.lessons.side_by_side.pictures import OLD_KEYS, ms_of_2005
from shadersort.lessons.sliding.paper_figures import FIGURES
from shadersort.streams import FrequencySummary

MODERN, AGAIN = record("modern-nvidia-h200"), record("reproduce-nvidia-h200")
ONE_READ = record("one-read-nvidia-h200")
H200 = AGAIN.device


def cost() -> dict[str, str]:
    """Return the numbers of lesson 5, by the cost model."""
    ours = estimate(BASE)
    bitonic = (
        estimate(n, network="bitonic", method="fragment", precision="float16").seconds
        for n in (BASE, 4 * BASE)  # four keys in a texel, and one
    )
    least, most = (seconds / ours.seconds for seconds in bitonic)
    short = {
        name: estimate(BASE, network=name, method="kipfer", precision="float16").seconds
        for name in live.SHOWN
    }
    return {
        "texels": f"{program_of(1 << 14).texels / 1e6:.2f} million",
        "seconds": f"{ours.seconds:.1f}",
        "bus_share": f"{ours.transfer_seconds / ours.seconds:.0%}",
        "bitonic_least": f"{least:.0f}",
        "bitonic_most": f"{most:.0f}",
        "kipfer_pbsn": f"{ours.seconds / short['pbsn']:.1f}",
        "kipfer_bitonic": f"{ours.seconds / short['bitonic']:.1f}",
        "step_one": f"{step_cycles(1):.1f}",
        "step_four": f"{step_cycles(CHANNELS):.1f}",
    }


def ladder() -> dict[str, str]:
    """Return the numbers of lesson 6."""
    rows = record("ladder-nvidia-h200").rows
    ms = {(row["network"], row["method"]): row["program_ms"] for row in rows}
    paper = ms["pbsn", "blend"]
    drawn = list(product(live.RECORDED, ("blend", "fragment", "fused")))
    tflops = {row["stage"]: row["tflops"] for row in rates.CHIP.where(work="arithmetic")}
    (halves,) = record("sort-nvidia-h200").where(
        keys=1 << 23, dtype="float16", network="pbsn", method="blend"
    )
    then = 1e3 * estimate(1 << 23).gpu_seconds
    halves_written, halves_blended = (
        rates.write_rate(stage, "f2") for stage in ("fragment", "fragment, blended")
    )
    faster = split(
        then, halves["program_ms"], halves["program_ms"], then="GeForce 6800 Ultra", now=H200
    )
    return {
        "bandwidth": f"{faster.bandwidth:.0f}",
        "rest": f"{faster.rest:.3g}",
        "range": f"{paper / ms['', 'cupy.sort']:,.0f}",
        "paper_seconds": f"{paper / 1e3:.2f}",
        "seconds_2005": f"{then / 1e3:.2f}",
        "halves_faster": f"{faster.total:.1f}",
        "flops_ratio": f"{tflops['compute'] * 1e12 / 45e9:,.0f}",
        "blend_over_fragment": f"{ms['bitonic', 'blend'] / ms['bitonic', 'fragment']:.1f}",
        "kipfer_over_fragment": f"{ms['bitonic', 'kipfer'] / ms['bitonic', 'fragment']:.1f}",
        "halves_blended": f"{halves_blended / halves_written:.0%}",
        "writing": f"{rates.WRITING:.1f}",
        "arithmetic": f"{tflops['compute'] / tflops['fragment']:.0f}",
        "stored": f"{rates.write_rate('compute') / rates.WRITING:.0f}",
        "blended_slower": f"{rates.WRITING / rates.BLENDING:.1f}",
        "span": f"{paper / min(ms[way] for way in drawn):.0f}",
        "worst": f"{max(ms[way] / rates.predicted(*way) for way in drawn) - 1:.0%}",
        "halves_written": f"{halves_written / rates.WRITING:.1f}",
        "compute_pbsn": f"{paper / ms['pbsn', 'compute']:.0f}",
        "compute_bitonic": f"{paper / ms['bitonic', 'compute']:.0f}",
        "sort_reads": f"{reads_of(MODERN, 'sort'):.0f}",
        "median_reads": f"{reads_of(MODERN, 'auto'):.1f}",
    }


def quantiles() -> dict[str, str]:
    """Return the numbers of lesson 7, by the records of the paper's figure 7."""
    return _beside_numpy(of_quantiles.figure_7())


def _beside_numpy(found: streams.Series) -> dict[str, str]:
    """Return the times of drawing, of PBSN in compute shaders and of CUDA, by those of NumPy."""
    host = streams.one(found, streams.NUMPY)
    drawn, computed = (
        streams.times_as_long(streams.one(found, label), host)
        for label in (streams.BLENDED, "pbsn, compute")
    )
    faster = streams.times_as_long(host, streams.one(found, streams.CUDA))
    spans = {"drawing": drawn, "compute": computed, "cuda": faster}
    return {name: streams.span(values) for name, values in spans.items()}


def frequent() -> dict[str, str]:
    """Return the numbers of lesson 8."""
    found = of_counts.figure_5()
    host = streams.one(found, streams.NUMPY)
    shares = {row["epsilon"]: row["sort_share"] for row in host}
    drawn = [100 * row["sort_share"] for row in streams.one(found, streams.BLENDED)]
    return {
        "drawn_sorting": streams.span(drawn),
        "least_sorting": f"{shares[max(shares)]:.0%}",
        "most_sorting": f"{shares[min(shares)]:.0%}",
        "longest_window": f"{FrequencySummary(min(shares)).window:,}",
        **_beside_numpy(found),
    }


def sliding() -> dict[str, str]:
    """Return the numbers of lesson 9."""
    whole = of_quantiles.figure_7()
    (entries,) = {
        row["entries"] for rows in whole.values() for row in rows if row["epsilon"] == 0.01
    }
    found = FIGURES[-1].series(FIGURES[-1].window)
    blocks = {name: [row for row in rows if "sort_share" in row] for name, rows in found.items()}
    return {"entries": f"{entries:,}", **_beside_numpy(blocks)}


def median() -> dict[str, str]:
    """Return the numbers of lesson 10."""
    found = {}
    for name, method in (("sort", "sort-choose"), ("cuts", "cutting-plane")):
        n, then, now = then_and_now(AGAIN, "beliakov-2011-1", method, part="total")[-1]
        found["keys"] = f"{n / 1e6:.0f} million"
        found |= {f"{name}_then": f"{then:.0f}", f"{name}_now": f"{now:.1f}"}
        found[f"{name}_faster"] = f"{then / now:.0f}"
    return found


def buckets() -> dict[str, str]:
    """Return the numbers of lesson 11."""
    (_, radix_then, radix_now), (_, bucket_then, bucket_now) = (
        then_and_now(AGAIN, "alabi-2012-3", method, statistic="mean")[-1]
        for method in ("radix", "bucket")
    )
    rows = lines(AGAIN, "alabi-2012-9", distribution="uniform", dtype="float32")
    dice = {row["n"]: row for row in rows}
    rows = ONE_READ.where(dtype="float32", n=LARGEST)
    found = [row for row in rows if row["what"].startswith("select")]
    uniform = {row["what"]: row["reads"] for row in found if row["data"] == "uniform"}
    (few,) = ONE_READ.where(dtype="float32", n=1 << 20, what="select n/2")
    return {
        "then": f"{radix_then / bucket_then:.1f}",
        "now": f"{radix_now / bucket_now:.2f}",
        "dice_then_few": f"{dice[1 << 17]['paper']:.1f}",
        "dice_now_few": f"{dice[1 << 17]['measured']:.2f}",
        "dice_now_many": f"{dice[1 << 29]['measured']:.2f}",
        "dice_reads": f"{reads_of(MODERN, 'randomized'):.1f}",
        "one_read": f"{uniform['select n/2']:.2f}",
        "one_read_least": f"{uniform['select 0']:.2f}",
        "one_read_most": f"{max(row['reads'] for row in found):.2f}",
        "data_sets": f"{len({row['data'] for row in found})}",
        "one_read_us": f"{1e3 * few['ms']:.0f}",
    }


def adversary() -> dict[str, str]:
    """Return the numbers of lesson 12."""
    killer = reads_of(MODERN, "bucket", "bucket-killer")
    rows = record("adversaries-nvidia-h200").where(dtype="float32")
    found = {(row["label"], row["data"]): row for row in rows}
    printed, ours = (
        found[label, "bucket-killer"] for label in ("bucket, as printed", "bucket, improved")
    )
    sorting = found["sort-choose, as printed", "bucket-killer"]
    return {
        "killer": f"{killer / reads_of(MODERN, 'bucket'):.1f}",
        "killer_sort": f"{reads_of(MODERN, 'sort', 'bucket-killer') / killer:.1f}",
        "printed_killer": f"{printed['ms_ratio']:.0f}",
        "printed_killer_sorts": f"{printed['ms'] / sorting['ms']:.0f}",
        "printed_reads": f"{printed['read']:.0f}",
        "our_reads": f"{ours['read']:.1f}",
        "twos": f"{reads_of(MODERN, 'radix', 'ones-and-twos'):.1f}",
        "uniform": f"{reads_of(MODERN, 'radix'):.1f}",
        "dice_reads": f"{reads_of(MODERN, 'randomized'):.1f}",
        "dice_killer": f"{reads_of(MODERN, 'randomized', 'bucket-killer'):.1f}",
    }


def hundred() -> dict[str, str]:
    """Return the numbers of lesson 13."""

    def growth(ms: Mapping[tuple[str, int], float]) -> str:
        more = ms["bucket-multi", 101] / ms["bucket-multi", 5] - 1
        return f"{abs(more):.0%} {'more' if more >= 0 else 'less'}"

    def gain(ms: Mapping[tuple[str, int], float]) -> str:
        return f"{ms['sort-choose', 101] / ms['bucket-multi', 101]:.1f}"

    then, now = recorded_times(AGAIN)
    cards = record("parts-nvidia-h200-x2").where(keys=1 << 32)
    return {f"cards_{row['what'].split()[0]}": f"{row['speedup']:.1f}" for row in cards} | {
        "growth_then": growth(then),
        "growth_now": growth(now),
        "gain_then": gain(then),
        "gain_now": gain(now),
        "gain_printed": gain(recorded_times(AGAIN, PRINTED)[1]),
    }


def side_by_side() -> dict[str, str]:
    """Return the numbers of lesson 14."""
    rows = record("steps-nvidia-h200").rows
    ms = {(row["step"], row["by"], row["keys"]): row["ms"] for row in rows}
    sizes = sorted({row["keys"] for row in rows})
    # the first size was measured first, and most of its times are longer than those of the second
    few_keys, most = sizes[1], sizes[-1]
    short = ("counts", "nearest", "extent")

    def ratio(step: str, keys: int) -> float:
        return float(ms[step, "GLSL", keys] / ms[step, "CUDA", keys])

    n = OLD_KEYS[-1]
    sides = (("few", few_keys), ("many", most))
    compared = {name: [ratio(step, keys) for step in short] for name, keys in sides}
    for name, by in (("drawn", "GLSL"), ("computed", "CUDA")):
        compared[name] = [ms_of_2005(step, n) / ms[step, by, n] for step in short]
    spans = {f"{name}_least": f"{min(each):.0f}" for name, each in compared.items()}
    spans |= {f"{name}_most": f"{max(each):.0f}" for name, each in compared.items()}
    bandwidth, sheet = memory_bandwidth(H200).value, memory_bandwidth(H200).value / 1e12
    read = 4 * most / ms["counts", "CUDA", most] / 1e9
    return {
        "call_us": f"{1e3 * min(ms[step, 'CUDA', few_keys] for step in short):.0f}",
        "few_keys": f"{few_keys:,}",
        "histogram_us": f"{1e3 * ms['histogram', 'CUDA', few_keys]:.0f}",
        "histogram_ratio": f"{ratio('histogram', few_keys):,.0f}",
        "read": f"{read:.1f}",
        "sheet": f"{sheet:.1f}",
        "limit": f"{sheet / read:.1f}",
        "old_keys": f"{n / (1 << 20):.0f} million",
        "bandwidth": f"{bandwidth / memory_bandwidth('GeForce 6800 Ultra').value:.0f}",
    } | spans


def kernel_costs() -> dict[str, str]:
    """Return the numbers of lesson 15."""
    counted = record("counters-nvidia-h200")
    (row,) = counted.where(dtype="float32", what="select n/2", launch="one_read")
    (chip,) = rates.CHIP.where(work="arithmetic", stage="compute")
    bandwidth = memory_bandwidth(H200).value
    ridge = 1e12 * chip["tflops"] / bandwidth
    return {
        "device": counted.device,
        "profiled": f"{len({row['kernel'] for row in record('microscope-nvidia-h200').rows})}",
        "warps": f"{row['warps_percent']:.0f}%",
        "memory": f"{row['memory_percent']:.0f}%",
        "tflops": f"{chip['tflops']:.0f}",
        "bandwidth": f"{bandwidth / 1e12:.1f}",
        "ridge": f"{ridge:.0f}",
        "ridge_float": f"{4 * ridge:.0f}",
    }


def sparse() -> dict[str, str]:
    """Return the numbers of lesson 17."""
    staged = record("staged-nvidia-h200")
    (row,) = staged.where(dtype="float32", n=LARGEST, what="threshold hard n/100")
    return {
        "device": staged.device,
        "reads": f"{row['reads']:.1f}",
        "sort_reads": f"{reads_of(MODERN, 'sort'):.0f}",
    }
