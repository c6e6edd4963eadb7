"""The macros that each kernel is compiled with: what tests of kernels share."""

from shadersort.streams.correlated_masses import SUMMED

COPIES = {"THREADS": 1024, "UNROLL": 2, "CAPACITY": 36}
ROWS = {"THREADS": 512, "ITEMS": 8}
ORDERS = [{"BY": by, "MAGNITUDE": int(by == 2), "HIGHEST": by % 2} for by in (0, 1, 2)]
WARPS = {"THREADS": 256, "WHOLE": 0, "FIRSTS": 0, "IN_ORDER": 1, "UNLESS_NAN": 0}


VARIANTS: dict[str, list[dict[str, int]]] = {
    "extent": [{}],
    "objective": [{"SUMS": 0, "LOGS": 0}, {"SUMS": 1, "LOGS": 0}, {"SUMS": 1, "LOGS": 1}],
    "counts_at": [{}],
    "nearest": [{}],
    "between": [{**COPIES, "PARTED": parted} for parted in (0, 1)],
    "digit_histogram": [
        {"BINS": bins, "REPLICAS": replicas, "CODES": codes}
        for bins, replicas, codes in ((16, 32, 0), (8192, 1, 0), (16, 32, 1))
    ],
    "with_prefixes": [COPIES],
    "bucket_histogram": [{"OPEN": 0}, {"OPEN": 1}],
    "of_buckets": [COPIES | {"COUNT": 8192, "OPEN": ends} for ends in (0, 1)],
    "one_read": [
        {"THREADS": 1024, "CAPACITY": each, "UNROLL": 2, "MAGNITUDE": magnitude, "SAMPLED": sampled}
        for each, magnitude, sampled in ((36, 0, 2), (18, 0, 2), (36, 1, 1))
    ],
    "cells": [
        {"THREADS": 1024, "UNROLL": 2, "AIM": 1 << aim, "MOST": most, "COUNT": 448}
        for aim, most in ((14, 2048), (12, 1024))
    ],
    "top_k": [
        {"BY": by, "THREADS": 1024, "CAPACITY": 36, "UNROLL": 2, "SLACK": 16, "MOST": 8192}
        for by in (0, 1, 2)
    ],
    "threshold": [{"BY": 2, "SOFT": soft} for soft in (0, 1)],
    "threshold_end": [{"BY": 2, "SOFT": soft, "THREADS": 1024} for soft in (0, 1)],
    "order_codes": [{"BY": by} for by in (0, 1, 2)],
    "quickselect_serial": [{}],
    "beliakov_objective": [{}],
    "alabi_overwrite_digits": [{}],
    "alabi_assign_buckets": [{"AGAIN": again} for again in (0, 1)],
    "alabi_copy_elements": [{}],
    "blanchard_assign_buckets": [{"INTERVALS": 16}],
    "blanchard_reduce_to_segments": [{"IN_SHARED": each} for each in (0, 1)],
    "row_sort_count": [ROWS],
    "row_sort_scan": [{"THREADS": 1024, "ITEMS": 1}],
    "row_sort_move": [{**ROWS, "PAIRS": pairs} for pairs in (0, 1)],
    "row_sort_block": [{"THREADS": 512, "ITEMS": items} for items in (1, 2, 4, 8)],
    "rows_by_thread": [
        {"LENGTH": length, "ALIGNED": aligned, "FIRSTS": 0, "ASK": ask, "UNLESS_NAN": int(not ask)}
        for length, ask, aligned in ((5, 0, 0), (16, 1, 1), (31, 2, 0))
    ]
    + [{"LENGTH": 31, "ALIGNED": 0, "FIRSTS": 8, **order} for order in ORDERS],
    "rows_by_warp": [
        {**WARPS, "ITEMS": items, "COLUMNS": columns, "STREAMED": streamed, "ASK": ask}
        for items, columns, streamed, ask in ((32, 0, 0, 1), (8, 1, 0, 0), (64, 0, 1, 2))
    ]
    + [
        {**WARPS, "ITEMS": 64 if each else 4, "COLUMNS": 0, "STREAMED": each, **order, "FIRSTS": 32}
        for each, order in ((0, ORDERS[0]), (1, ORDERS[1]), (0, ORDERS[2]))
    ],
    "rows_by_team": [
        {"THREADS": threads, "SAMPLES": samples, "ASK": ask, "UNLESS_NAN": 0}
        for threads, samples, ask in ((128, 1, 0), (1024, 8, 1), (512, 2, 2), (256, 1, 3))
    ],
    "firsts_by_team": [
        {"THREADS": 512, "SAMPLES": 2, "MOST": 2048, "NEAR": 0, "IN_ORDER": 1, **order}
        | {"MANY": int(not order["HIGHEST"])}
        for order in ORDERS
    ],
    "row_ends": [
        {
            "AHEAD": 4,
            "VECTORS": 1 - found,
            "GROUP": 8,
            "COLUMNS": int(found),
            "FOUND": int(found),
            **order,
        }
        for found, order in zip((0, 0, 1), ORDERS, strict=True)
    ],
    "row_places": [{"HIGHEST": highest} for highest in (0, 1)],
    "firsts_written": [
        {"KEPT": 0, "SOFT": 0, **ORDERS[0]},
        {"KEPT": 1, "SOFT": 1, "BY": 2},
    ],
    "quantiles": [
        {"STEP": 0, "METHOD": method, "REAL_BYTES": size, "WORDS": 447}
        for method, size in ((1, 4), (9, 8))
    ]
    + [
        {"STEP": 1, "STEPPED": 0, "EACH": each, "WEAK": weak, "REAL_BYTES": size, "WORDS": 447}
        for each, weak, size in ((0, 1, 8), (1, 0, 4), (0, 0, 8))
    ],
    "rows_turned": [{}],
    "host_values": [{"COUNT": 64}],
    "gk_merge": [{"RANK_BYTES": 4, "MASSES": 0}, {"RANK_BYTES": 8, "MASSES": 0}, {"MASSES": 1}],
    "gk_compress": [{"RANK_BYTES": 4}, {"RANK_BYTES": 8}],
    "mass_compress": [{"WHOLE": whole, "THREADS": 256} for whole in (0, 1)],
    "lossy_counting": [{}],
    "number_keys": [{"NUMBERS": form} for form in (0, 1, 2)],
    "find_runs": [{"EACH": 8, "WRITE": 0}, {"EACH": 8, "WRITE": 1}],
    "measure_runs": [{}],
    "window_sums": [{"SUMMED": SUMMED}],
    "frequent_prefixes": [{}],
    "prefix_walks": [{}],
}
