# %% [markdown]
# # 7 · Quantiles of a stream
#
# **The idea.** Sort a small window of a stream, and keep a few of its values with bounds for their
# ranks. Such entries can be merged and reduced in number, and the largest error is always known.
#
# **Time.** 35 minutes.
#
# A **stream** is data that passes by once and is too long to keep: prices, packets, measurements.
# This lesson asks for its median, and lesson 8 for what comes often in it. Both need one expensive
# operation that a graphics card can do: sorting a window.

# %%
import numpy as np

import modern
import shadersort as ss
from modern.arrays import has_gpu
from shadersort.lessons import Frames, picture
from shadersort.lessons.quantiles import exercises as lesson
from shadersort.lessons.quantiles import pictures
from shadersort.lessons.quantiles.entries import (
    Entries,
    bounds_of,
    compressed,
    sampled,
    united_entries,
)
from shadersort.lessons.shared.timing import speeds_here

# %% [markdown]
# ## What we want to know
#
# A web site notes how long it takes to answer each request, in milliseconds. Most answers are
# quick, and a few are very slow.

# %%
rng = np.random.default_rng(7)
n = 500_000
usual, slow = rng.lognormal(4.4, 0.5, n), rng.lognormal(7.0, 0.4, n)
stream = np.where(rng.random(n) < 0.97, usual, slow).astype(np.float32)

picture(pictures.show_stream(stream), "how often each response time comes, from 10 ms to 10 s")

# %% [markdown]
# The mean says little here, because few users wait that long. Better questions are: how long does
# the user in the middle wait, and how long do the slowest 1 % wait?
#
# Put all N values in order. The place of a value is its **rank**, from 1 to N. The value of rank
# ⌈φN⌉ is the **φ-quantile**: φ = 0.5 is the median, φ = 0.99 the 99th percentile.
#
# For the mean of a stream you keep two numbers, a sum and a count. Nothing so simple works for the
# median. The median of medians, for example, is a different value:

# %%
thirds = np.array([[1, 1, 9], [2, 2, 9], [3, 9, 9]])
print("median of the medians:", np.median(np.median(thirds, axis=1)), " median:", np.median(thirds))

# %% [markdown]
# To be exact we would have to keep everything. So we allow an error that we choose beforehand: ε.
# An answer is right to within ε if its rank is at most εN away from the one we asked for. With ε =
# 0.01 and a million values, the "median" may have any rank from 490,000 to 510,000.
#
# ## A window, sorted
#
# Take 16 values, a **window**, and sort them. Then keep the first, and every fourth. (For a clear
# picture, we take 16 of the usual answers.)

# %%
window = usual[:16].round()
entries = sampled(window, 4)
picture(pictures.show_window(window, entries), "16 values as they came, and in order with 5 kept")

# %% [markdown]
# In NumPy that is `np.sort(window)[[0, 3, 7, 11, 15]]`. We write the rank beside each value, twice;
# the reason follows soon. One value with its ranks is an **entry**.

# %%
entries

# %% [markdown]
# Eleven values are forgotten. What do we still know? Ask how many values are at most x, and let x
# lie between the second entry and the third. At least 4 values are at most x: the second entry has
# rank 4. And at most 7 are: the third entry has rank 8, and it is larger. Three values are
# uncertain: those forgotten between the two entries.

# %%
picture(
    pictures.show_band([("a window of 16 values", entries, window)]),
    "the number of values up to x as stairs, inside a band of bounds",
)

# %% [markdown]
# The black stairs are the truth, and the blue **band** is what the entries know about it. The truth
# never leaves the band. This is the guarantee, and every later step keeps it.
#
# The height of the band is the uncertainty. One of every `step` values was kept, so the height is
# at most `step − 1`. If we answer with the middle of the band, the error is at most half of that.
#
# ### Your turn
#
# Write the function that gives the band's lower and upper edge at x. `entries.values` are in order;
# beside them are `entries.smallest` and `entries.largest`, the smallest and the largest rank that
# an entry may have. So far these are equal. Your function must also work where they differ.


# %%
def bounds_at(entries, x):
    """Return a lower and an upper bound for the number of the set's values that are at most x."""
    # solution
    i = np.searchsorted(entries.values, x, side="right")  # the number of entries that are at most x
    at_least = entries.smallest[i - 1] if i > 0 else 0
    at_most = entries.largest[i] - 1 if i < len(entries.values) else entries.n
    return at_least, at_most
    # end


lesson.bounds_at.check(bounds_at)

# %% [markdown]
# ## Merging: use the other entries
#
# The next window comes. We sort it and keep every fourth value, too. Now there are two sets of
# entries, and we want one set for all 32 values. What is the rank of an entry among 32?
#
# Take an entry of the first window. Its rank says how many values of its own window are at most as
# large. The entries of the other window give bounds for the number of its values: the question that
# you have just answered. Add the two. (`united_entries` does it here. You will write it soon.)

# %%
other_window = usual[16:32].round() + 0.5  # a half, to tell the two windows apart
other = sampled(other_window, 4)
union = united_entries(entries, other)
picture(
    pictures.show_entries([("first", entries), ("second", other), ("both together", union)]),
    "the entries of two windows, and of both together: bars from smallest to largest rank",
)

# %% [markdown]
# Each entry is a bar from its smallest rank to its largest. Alone, every rank was certain. Together
# some have become bars: this is why an entry has two ranks. (The first, the smallest of all, and
# the last, the largest of all, stay certain.)
#
# And the band?

# %%
values = np.append(window, other_window)
picture(
    pictures.show_band([("one window", entries, window), ("two windows, merged", union, values)]),
    "the band of one window, and of two merged windows",
)

# %% [markdown]
# The uncertainties add up: at most 3 from each window, so at most 6. But there are twice as many
# values now. **As a share of all values the uncertainty has not grown.** After merging a thousand
# windows it is still 3 of every 16. Greenwald and Khanna published this in 2004, for sensors that
# pass their summaries on.
#
# ### Your turn
#
# Write the merge. `bounds_of(entries, points)` is `bounds_at` for many points at once: it returns
# an array of lower bounds and an array of upper bounds. No value is in both sets.


# %%
def merged(a, b):
    """Return the entries of the union of two sets: Entries(values, smallest, largest, n)."""
    # solution
    low_a, high_a = bounds_of(b, a.values)
    low_b, high_b = bounds_of(a, b.values)
    values = np.concatenate([a.values, b.values])
    smallest = np.concatenate([a.smallest + low_a, b.smallest + low_b])
    largest = np.concatenate([a.largest + high_a, b.largest + high_b])
    order = np.argsort(values)
    return Entries(values[order], smallest[order], largest[order], a.n + b.n)
    # end


lesson.merged.check(merged)

# %% [markdown]
# ## Compressing: keep fewer entries
#
# Merging loses nothing, but it saves nothing, either: two sets of 5 entries make one of 10. So we
# keep one entry for every 8 ranks. Only this step loses accuracy: the band grows by at most 8 − 1.

# %%
fewer = compressed(union, 8)
picture(
    pictures.show_band([("merged", union, values), ("and compressed", fewer, values)]),
    f"the band of {len(union.values)} entries, and of the {len(fewer.values)} that are left",
)

# %% [markdown]
# Sort, merge, compress. These three operations make up nearly every stream algorithm of
# Govindaraju, Raghuvanshi and Manocha (*Fast and Approximate Stream Mining of Quantiles and
# Frequencies Using Graphics Processors*, SIGMOD 2005, section 3.2).
#
# ## Which buckets merge
#
# If every new window were merged into one big set, that set would be compressed again and again,
# and each time some accuracy is lost. It is better to merge only equal sizes. A window is a
# **bucket** of size
# 1. Two buckets of one size are merged and compressed into one of twice the size. Step through the
#    first 16 windows.

# %%
Frames(
    17,
    lambda windows: pictures.show_buckets(windows, 16),
    "buckets of 8, 4, 2 and 1 windows come and go as in a binary number",
    seconds=0.8,
)

# %% [markdown]
# It counts windows as a binary number does: 11 windows are 8 + 2 + 1. This is an **exponential
# histogram**. The number of buckets is at most the number of binary digits of the number of
# windows. No value is compressed more often than that: 20 times for a million windows.
#
# So the error can be planned. Half of ε is for the windows, and decides how many values of a window
# are kept. The other half is divided among the levels of the histogram, and decides how many
# entries each level keeps (section 5.2 of the paper). The sum of all errors never exceeds ε.
#
# ## The guarantee, on half a million values
#
# `ss.QuantileSummary` does all this. It takes a stream in pieces of any length.

# %%
summary = ss.QuantileSummary(0.01)
for piece in np.array_split(stream, 100):
    summary.update(piece)

low, high = summary.rank_bounds(summary.median())
print(summary)
print(f"median {summary.median():.1f} ms, whose rank lies between {low:,} and {high:,}")
print(f"true median {np.median(stream):.1f} ms")

# %% [markdown]
# Now choose ε with the slider. On the left: the error of the rank for each of 199 quantiles, in
# percent of N. The band is ±ε, and no dot is outside it. On the right: the same answers in
# milliseconds.

# %%
ordered = np.sort(stream)


def with_epsilon(number):
    """Draw the errors of a summary with one of five bounds."""
    chosen = ss.QuantileSummary([0.05, 0.02, 0.01, 0.005, 0.002][number])
    chosen.update(stream)
    return pictures.show_guarantee(chosen, ordered)


Frames(5, with_epsilon, "errors of ranks and of values, for ε from 0.05 to 0.002", seconds=2)

# %% [markdown]
# Two things to see.
#
# - The dots stay well inside the band. The band is for the worst stream; usual errors are smaller.
# - The guarantee is about **ranks, not milliseconds**. Where many values lie close together, a
#   small error of the rank is a small error of the time. Where the slow answers begin, it is a
#   large one. With ε = 0.01, the 99th percentile may be any value from the 98th percentile to the
#   largest:

# %%
for share in (0.98, 0.99, 1.0):
    print(f"quantile {share:4}: {np.quantile(stream, share):5,.0f} ms")

# %% [markdown]
# If you need the 99th percentile, choose ε well below 0.01. It costs little.
#
# What if the order of the stream is bad for us? It may come in order, or backwards, or alternate
# between small and large. The bound holds for any order.

# %%
orders = {
    "as it came": stream,
    "in order": ordered,
    "backwards": ordered[::-1],
    "from both ends": np.stack([ordered[: n // 2], ordered[: n // 2 - 1 : -1]], axis=1).ravel(),
}
print(f"allowed: {0.01 * n:,.0f} ranks")
for name, arrived in orders.items():
    summary = ss.QuantileSummary(0.01)
    summary.update(arrived)
    print(f"{name:15} worst error {pictures.worst_error(summary, ordered):5,.0f} ranks")

# %% [markdown]
# How much memory does it need? That depends on ε, and hardly on the length of the stream.

# %%
lengths = [1_000 * 4**power for power in range(7)]
held = []
for length in lengths:
    summary = ss.QuantileSummary(0.01)
    summary.update(rng.random(length, dtype=np.float32))
    held.append(len(summary))
picture(pictures.show_space(lengths, held), "values that are held against the length of the stream")

# %% [markdown]
# (Until the first window is full, all its values are held, and the answers are exact. A window has
# {{window}} values here.)
#
# ## What has a graphics card to do with it?
#
# The summary does three things, and most of the work is sorting the windows: 85 to 90 percent of
# the time in the paper (section 5.2). So its authors let the card sort, and left merging and
# compressing to the CPU. Here, too, you can choose the sorter. This summary sorts by drawing, as in
# lesson 3, four windows at once in the four channels of a texture. The result is the same summary,
# bit for bit.

# %%
by_numpy = ss.QuantileSummary(0.05)
by_drawing = ss.QuantileSummary(0.05, sorter=ss.streams.TextureSorter(device="software"))
for summary in (by_numpy, by_drawing):
    summary.update(stream[:12_800])
print("the same:", by_numpy == by_drawing)

# %% [markdown]
# In figure 7 of the paper the card and a Pentium IV need about the same time for 100 million random
# values of 16 bits; where windows are short, the CPU is ahead. Here is such a stream on a CPU of
# today, beside two others. `np.sort` only sorts the windows and summarises nothing. KLL (Karnin,
# Lang and Liberty, 2016) is a widely used sketch. It is randomised: its error bound of 1.3 % holds
# with a probability of 99 %, not always. Its size is fixed here, so its time does not depend on ε.

# %%
picture(pictures.show_seconds(), "seconds for 100 million values against ε, recorded")

# %% [markdown]
# The summary is faster than a plain sort of its own windows: it has two threads, and sorts such
# short keys by their digits. A smaller ε makes the windows longer, and sorting them takes longer.
#
# The dashed line is a graphics card of today (its values have 32 bits). There `modern.Sorter` sorts
# the windows, merges and compresses, and the stream never leaves the card: `ss.QuantileSummary(ε,
# sorter=modern.Sorter())`. The summary is still the same, bit for bit. If you have such a card, the
# next cell measures it.

# %%
if has_gpu():
    import cupy

    on_gpu = modern.Sorter()
    here = speeds_here(cupy, lambda ε: ss.QuantileSummary(ε, sorter=on_gpu), [1e-2, 1e-3, 1e-4])
    for epsilon, speed in here.items():
        print(f"ε = {epsilon:<6g} {speed:8,.0f} million values a second, measured here and now")
else:
    print("No GPU here: see the recorded times.")

# %% [markdown]
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | rank, quantile | the place of a value in order; the value at a place |
# | entry | a value that is kept, with the smallest and the largest rank that it may have |
# | merge | find bounds for each set's entries in the other; uncertainties and sizes add up |
# | compress | keep fewer entries; only this step loses accuracy |
# | exponential histogram | merge only buckets of equal size, as a binary number carries |
# | ε | no rank is wrong by more than εN: on any stream, in any order, always |
#
# [The next lesson](08-frequent.ipynb) sorts windows again, and finds frequent items.
