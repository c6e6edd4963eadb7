"""The macros that each kernel is compiled with: what tests of kernels share."""

from shadersort.streams.correlated_masses import SUMMED

COPIES = {"THREADS": 1024, "UNROLL": 2, "CAPACITY": 36}
ROWS = {"THREADS": 512, "ITEMS": 8}
LONG = {"THREADS": 1024, "UNROLL": 2, "CAPACITY": 18}
LONG_FIRSTS = [{"THREADS": 1024, "UNROLL": 2, "BY": by, "MAGNITUDE": int(by == 2)} for by in (1, 2)]


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
    "column_ranks_by_thread": [
        {"LENGTH": length, "ASK": ask, "ALIGNED": aligned}
        for length, ask, aligned in ((5, 0, 0), (16, 1, 1), (31, 2, 0))
    ],
    "column_firsts_by_thread": [
        {"LENGTH": length, "BY": by, "MAGNITUDE": int(by == 2), "FIRSTS": 1 << by + 1}
        | {"IN_ORDER": by % 2, "ALIGNED": int(length == 16)}
        for length, by in ((5, 0), (16, 1), (31, 2))
    ],
    "row_ranks_by_warp": [
        {"THREADS": 512 if layout == 2 else 256, "ITEMS": items, "ASK": ask, "LAYOUT": layout}
        for items, ask, layout in ((32, 1, 1), (32, 0, 0), (8, 2, 2), (2, 0, 2))
    ],
    "row_ranks_streamed": [{"THREADS": 256, "ITEMS": 48, "ASK": ask} for ask in (0, 2)],
    "row_ranks_in_block": [
        {"THREADS": threads, "ASK": ask} for threads, ask in ((128, 0), (256, 1), (512, 2))
    ],
    "row_ranks_by_block": [
        {"THREADS": threads, "CAPACITY": 36, "ASK": ask}
        for threads, ask in ((512, 1), (128, 0), (1024, 2))
    ],
    "row_firsts_by_warp": [
        {"THREADS": 256 << layout // 2, "ITEMS": items, "LAYOUT": layout, "BY": by}
        | {"MAGNITUDE": int(by == 2)}
        | {"SORTED": items * 32, "IN_ORDER": by % 2, "WHOLE": int(items == 32)}
        for items, layout, by in ((32, 0, 0), (8, 2, 1), (1, 0, 2))
    ],
    "row_firsts_by_block": [
        {"THREADS": 512, "BY": by, "MAGNITUDE": int(by == 2), "MOST": 2048, "NEAR": by % 2}
        for by in (0, 1, 2)
    ],
    "row_extremes": [
        {"THREADS": 256, "GROUP": group, "AHEAD": 4, "BY": by, "MAGNITUDE": int(by == 2)}
        | {"PLACES": places}
        for group, by, places in ((256, 0, 1), (4, 1, 1), (32, 2, 0))
    ],
    "column_extremes": [
        {"THREADS": 256, "DOWN": down, "WIDE": 1, "AHEAD": 8, "BY": by, "MAGNITUDE": int(by == 2)}
        | {"PLACES": places}
        for down, by, places in ((8, 0, 1), (1, 1, 1), (32, 2, 0))
    ],
    "row_firsts_in_block": [
        {**ROWS, "BY": by, "TAKEN": taken, "HIGHEST": highest}
        for by, taken, highest in ((0, 0, 1), (1, 1, 0), (2, 0, 0))
    ],
    "firsts_counted": [{"THREADS": 256, "ITEMS": 16, "BY": by} for by in (0, 1, 2)],
    "firsts_started": [{"THREADS": threads} for threads in (32, 1024)],
    "firsts_taken": [
        {"THREADS": 256, "ITEMS": 16, "BY": by, "TOLD": told, "HIGHEST": highest}
        for by, told, highest in ((0, 0, 1), (1, 1, 0), (2, 0, 0))
    ],
    "firsts_told": [{"THREADS": 256, "BY": by} for by in (0, 1, 2)],
    "long_ranks_sampled": [{**LONG, "ASK": ask} for ask in (0, 2)],
    "long_ranks_read": [{**LONG, "ASK": 0}],
    "long_ranks_found": [{**LONG, "ASK": ask} for ask in (0, 2)],
    "long_firsts_sampled": LONG_FIRSTS,
    "long_firsts_read": LONG_FIRSTS,
    "long_firsts_found": LONG_FIRSTS,
    "rows_turned": [{}],
    "columns_sampled": [{}],
    "columns_staged": [{"THREADS": 256, "CAPACITY": 32, "NUMBERS": often} for often in (0, 1, 2)],
    "columns_aimed": [{"THREADS": 256, "ASK": ask} for ask in (0, 2)],
    "columns_ends": [{}],
    "columns_inside": [{"THREADS": 256, "ASK": ask} for ask in (0, 2)],
    "columns_missed": [{"THREADS": 512}],
    "columns_mean": [{"ASK": 1}, {"ASK": 2}],
    "columns_firsts_staged": [
        {"THREADS": 256, "CAPACITY": 12, "BY": by, "MAGNITUDE": 0} for by in (0, 1)
    ],
    "columns_firsts_missed": [{"THREADS": 512, "BY": by, "MAGNITUDE": 0} for by in (0, 1)],
    "columns_firsts_told": [{}],
    "shrink": [{}],
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
