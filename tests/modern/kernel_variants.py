"""The macros that each kernel is compiled with: what tests of kernels share."""

from shadersort.streams.correlated.mass_summaries import SUMMED

COPIES = {"THREADS": 1024, "UNROLL": 2, "CAPACITY": 36}
ROWS = {"THREADS": 512, "ITEMS": 8}
RANKS = [{"FIRSTS": 0, "ASK": ask, "UNLESS_NAN": int(not ask)} for ask in (0, 2)]
FIRSTS = [
    {"FIRSTS": 32, "IN_ORDER": by % 2, "BY": by, "HIGHEST": highest, "MAGNITUDE": int(by == 2)}
    for by, highest in ((0, 0), (1, 1), (2, 0))
]
ASKED = [*RANKS, FIRSTS[0], FIRSTS[2]]
WHOLE = [{"WHOLE": each, "ALIGNED": each} for each in (1, 0)]

MANY_RANKS = (
    *("table_of_pieces", "count_in_pieces", "rank_in_pieces"),
    *("stage_in_pieces", "select_in_pieces"),
)

PLAIN = (
    *("extent", "counts_at", "nearest", "quickselect_serial", "frequent_prefixes", "prefix_walks"),
    *("beliakov_objective", "alabi_overwrite_digits", "alabi_copy_elements"),
)

VARIANTS: dict[str, list[dict[str, int]]] = {
    **{name: [{}] for name in PLAIN},
    "objective": [{"SUMS": 0, "LOGS": 0}, {"SUMS": 1, "LOGS": 0}, {"SUMS": 1, "LOGS": 1}],
    "between": [{**COPIES, "PARTED": int(i == 1), "RANGES": int(i == 2)} for i in range(3)],
    "digit_histogram": [
        {"BINS": bins, "REPLICAS": replicas, "CODES": codes, "MANY": many}
        for bins, replicas, codes, many in ((16, 32, 0, 0), (8192, 1, 0, 1), (16, 32, 1, 0))
    ],
    "bucket_histogram": [{"OPEN": 0}, {"OPEN": 1}],
    "of_buckets": [COPIES | {"COUNT": 8192, "OPEN": ends} for ends in (0, 1)],
    "one_read": [
        {"THREADS": 1024, "CAPACITY": each, "UNROLL": 2, "MAGNITUDE": magnitude, "SAMPLED": sampled}
        for each, magnitude, sampled in ((36, 0, 2), (18, 0, 2), (36, 1, 1))
    ],
    "cells": [{**COPIES, "AIM": 1 << aim, "COUNT": 448} for aim in (14, 13)],
    "sample_pieces": [{"THREADS": 1024}],
    **{f"{step}_pieces": [COPIES] for step in ("bracket", "read", "narrow", "finish")},
    **{name: [{**COPIES, "AIM": 1 << 14, "COUNT": 448}] for name in MANY_RANKS},
    "top_k": [
        {"BY": by, "THREADS": 1024, "CAPACITY": 36, "UNROLL": 2, "SLACK": 16, "MOST": 8192}
        for by in (0, 1)
    ],
    "threshold": [{"BY": 0, "MAGNITUDE": 1, "SOFT": soft} for soft in (0, 1)],
    "threshold_end": [{"BY": 0, "MAGNITUDE": 1, "SOFT": soft, "THREADS": 1024} for soft in (0, 1)],
    "alabi_assign_buckets": [{"AGAIN": again} for again in (0, 1)],
    "blanchard_assign_buckets": [{"INTERVALS": 16}],
    "blanchard_reduce_to_segments": [{"IN_SHARED": each} for each in (0, 1)],
    "row_sort_count": [ROWS],
    "row_sort_scan": [{"THREADS": 1024, "ITEMS": 1}],
    "row_sort_move": [{**ROWS, "PAIRS": pairs} for pairs in (0, 1)],
    "network_tile": [{"THREADS": 512, "ITEMS": 8, "COLUMNS": 48, "MASKS": 256}],
    "row_sort_block": [{"THREADS": 512, "ITEMS": items} for items in (1, 2, 4, 8)],
    "rows_by_lanes": [
        {"THREADS": 256, "GROUP": group, "EACH": 32, "TILED": int(group == 8), **whole, **asked}
        for group, whole, asked in zip((1, 8, 16, 32), (*WHOLE, *WHOLE), ASKED, strict=True)
    ],
    "rows_by_team": [
        {"THREADS": threads, "SAMPLES": 2, **asked} for threads in (64, 1024) for asked in RANKS
    ],
    "firsts_by_team": [
        {"THREADS": 512, "SAMPLES": 2, "MOST": 4096, "MANY": many, "NEAR": near, **asked}
        for many, near, asked in zip((0, 1, 1), (1, 0, 0), FIRSTS, strict=True)
    ],
    "firsts_by_digits": [ROWS | asked for asked in FIRSTS],
    "row_ends": [
        {"AHEAD": 4, "WIDE": wide, "GROUP": 8, "COLUMNS": columns, **asked}
        for wide, columns, asked in zip((1, 2, 2), (1, 1, 0), FIRSTS, strict=True)
    ]
    + [{"AHEAD": 4, "WIDE": 1, "GROUP": 8, "COLUMNS": 1, "BY": 3, "HIGHEST": 1}],
    "write_firsts": [{"KEPT": 0, "SOFT": 0, **FIRSTS[2]}]
    + [{"KEPT": 1, "SOFT": soft, "BY": 2} for soft in (0, 1)],
    "quantiles": [{"STEP": 0, "METHOD": 6, "REAL_BYTES": size} for size in (4, 8)]
    + [
        {"STEP": 1, "STEPPED": stepped, "EACH": each, "WEAK": each, "REAL_BYTES": 4 << each}
        | {"ROUNDS": each}
        for stepped, each in ((0, 0), (0, 1), (1, 1))
    ],
    "turn_rows": [
        {"WIDE": wide, "ACROSS": 16 * wide, "DOWN": 64, "OPPOSITE": wide - 1} for wide in (1, 2)
    ],
    "host_values": [{"COUNT": 128}],
    "gk_merge": [{"RANK_BYTES": 4, "MASSES": 0}, {"RANK_BYTES": 8, "MASSES": 0}, {"MASSES": 1}],
    "gk_compress": [{"RANK_BYTES": 4}, {"RANK_BYTES": 8}],
    "mass_compress": [{"WHOLE": whole, "THREADS": 256} for whole in (0, 1)],
    "number_keys": [{"NUMBERS": form} for form in (0, 1, 2)],
    "find_runs": [{"EACH": 8, "WRITE": 0}, {"EACH": 8, "WRITE": 1}],
    "window_sums": [{"SUMMED": SUMMED}],
}
