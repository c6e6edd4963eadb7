# %% [markdown]
# # 7 · Quantiles of a stream
#
# **The idea.** Sort a small window of a stream, keep a few of its values, and note between which
# bounds the rank of each lies. Such notes can be merged and thinned out, and one always knows how
# wrong they can be.
#
# **Time.** 35 minutes.
#
# A **stream** is data that passes by once and is too long to keep: prices, packets, measurements.
# This lesson asks for its median, and lesson 8 for what comes often in it. Both need one thing that
# is expensive, and a graphics card can do: sort a window.

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
from shadersort.lessons.shared.streams import speeds_here

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
# The mean says little here: hardly anybody waits that long. Better questions are: how long does the
# user in the middle wait, and how long do the unlucky ones?
#
# Put all N values in order. The place of a value is its **rank**, from 1 to N. The value of rank
# ⌈φN⌉ is the **φ-quantile**: φ = 0.5 is the median, φ = 0.99 the 99th percentile.
#
# For the mean of a stream you keep two numbers, a sum and a count. The median has no such trick.
# The median of medians, for one, is something else:

# %%
thirds = np.array([[1, 1, 9], [2, 2, 9], [3, 9, 9]])
print("median of the medians:", np.median(np.median(thirds, axis=1)), " median:", np.median(thirds))

# %% [markdown]
# To be exact we would have to keep everything. So let us allow an error, but one that we choose
# beforehand: ε. An answer is right to within ε if its rank is at most εN away from the one we asked
# for. With ε = 0.01 and a million values, the "median" may have any rank from 490,000 to 510,000.
#
# ## A window, sorted
#
# Take 16 values, a **window**, and sort them. Then keep the first, and every fourth. (To see
# something, we take 16 of the usual answers.)

# %%
window = usual[:16].round()
entries = sampled(window, 4)
picture(pictures.show_window(window, entries), "16 values as they came, and in order with 5 kept")

# %% [markdown]
# In NumPy that is `np.sort(window)[[0, 3, 7, 11, 15]]`. We write the rank beside each value. It
# stands there twice, for a reason that comes soon. One value with its ranks is an **entry**.

# %%
entries

# %% [markdown]
# Eleven values are forgotten. What do we still know? Ask how many values are at most x, and let x
# lie between the second entry and the third. At least 4 values are at most x: the second entry has
# rank 4. And at most 7 are: the third entry has rank 8, and it is larger. Three values are in
# doubt, those that were forgotten between the two.

# %%
picture(
    pictures.show_band([("a window of 16 values", entries, window)]),
    "the number of values up to x as stairs, inside a band of bounds",
)

# %% [markdown]
# The black stairs are the truth, and the blue **band** is what the entries know about it. The truth
# never leaves the band. This is the guarantee, and everything that follows has to keep it.
#
# The height of the band is the doubt. Of every `step` values one was kept, so the height is at most
# `step − 1`. If we answer with the middle of the band, we are off by half of that.
#
# ### Your turn
#
# Write the function that gives the band's lower and upper edge at x. `entries.values` are in order;
# beside them are `entries.smallest` and `entries.largest`, the smallest and the largest rank that
# an entry may have. So far these are equal. Write it for the case that they are not.


# %%
def bounds_at(entries, x):
    """Return how many of the set's values are at most x: at least so many, at most so many."""
    # solution
    i = np.searchsorted(entries.values, x, side="right")  # so many entries are at most x
    at_least = entries.smallest[i - 1] if i > 0 else 0
    at_most = entries.largest[i] - 1 if i < len(entries.values) else entries.n
    return at_least, at_most
    # end


lesson.bounds_at.check(bounds_at)

# %% [markdown]
# ## Merging: ask the other one
#
# The next window comes. We sort and thin it out as well. Now there are two sets of entries, and we
# want one set for all 32 values. What is the rank of an entry among 32?
#
# Take an entry of the first window. Before it come values of its own window: its rank says how
# many. And values of the other window: the other entries say how many, at least and at most. That
# is the question you have just answered. Add the two. (`united_entries` does it here. In a
# minute you write it yourself.)

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
# The doubts add up: at most 3 from each window, so at most 6. But there are twice as many values
# now. **As a share of all values the doubt has not grown.** Merge a thousand windows: it is still 3
# of every 16. Greenwald and Khanna found this in 2004, for sensors that pass their summaries from
# one to the next.
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
# ## Compressing: thin out again
#
# Merging loses nothing, but it saves nothing, either: two sets of 5 entries make one of 10. So we
# thin out once more, and keep one entry for every 8 ranks. This is the only place where accuracy is
# lost for good: the band grows by at most 8 − 1.

# %%
fewer = compressed(union, 8)
picture(
    pictures.show_band([("merged", union, values), ("and compressed", fewer, values)]),
    f"the band of {len(union.values)} entries, and of the {len(fewer.values)} that are left",
)

# %% [markdown]
# Sort, merge, compress. The three names stand for nearly every stream algorithm of Govindaraju,
# Raghuvanshi and Manocha (*Fast and Approximate Stream Mining of Quantiles and Frequencies Using
# Graphics Processors*, SIGMOD 2005, section 3.2).
#
# ## Who merges with whom
#
# If every new window were merged into one big set, that set would be compressed again and again,
# and each time some accuracy is lost. Better: merge only equals. A window is a **bucket** of size
# 1. Where two buckets of one size meet, they are merged and compressed into one of twice the size.
# Step through the first 16 windows.

# %%
Frames(
    17,
    lambda windows: pictures.show_buckets(windows, 16),
    "buckets of 8, 4, 2 and 1 windows come and go as in a binary number",
    seconds=0.8,
)

# %% [markdown]
# It counts windows as a binary number does: 11 windows are 8 + 2 + 1. This is an **exponential
# histogram**. There are never more buckets than the number of windows has binary digits, and no
# value has been compressed more often than that: 20 times for a million windows.
#
# So the error can be planned. Half of ε is for the windows: that decides how many of a window's
# values are kept. The other half is shared out among the levels of the histogram: that decides how
# hard each compresses (section 5.2 of the paper). All together never exceeds ε.
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
# Now choose ε with the slider. On the left: of 199 quantiles, by how many ranks each answer was
# off, in percent of N. The band is ±ε, and no dot is outside of it. On the right: the same answers
# in milliseconds.

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
# - The dots stay well inside. The band is what may happen to the unluckiest stream, not what
#   happens usually.
# - The guarantee is about **ranks, not milliseconds**. Where many values lie close together, a
#   small error of the rank is a small error of the time. Where the slow answers begin, it is not.
#   With ε = 0.01, the 99th percentile may be any value from the 98th percentile to the largest:

# %%
for share in (0.98, 0.99, 1.0):
    print(f"quantile {share:4}: {np.quantile(stream, share):5,.0f} ms")

# %% [markdown]
# Who asks for the 99th percentile should choose ε well below 0.01. It costs little.
#
# And what if the stream is out to deceive us? It may come in order, or backwards, or alternate
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
# How much room does it take? It depends on ε, and hardly on the length of the stream.

# %%
lengths = [1_000 * 4**power for power in range(7)]
held = []
for length in lengths:
    summary = ss.QuantileSummary(0.01)
    summary.update(rng.random(length, dtype=np.float32))
    held.append(len(summary))
picture(pictures.show_space(lengths, held), "values that are held against the length of the stream")

# %% [markdown]
# (Until the first window is full, all of it is held, and the answers are exact. Windows here have
# 6,400 values, of which every 64th is kept.)
#
# ## What has a graphics card to do with it?
#
# The summary does three things, and one of them is most of the work: sorting the windows. The paper
# counts 85 to 90 percent of the time (section 5.2). So its authors let the card sort, and left
# merging and compressing to the CPU. What sorts can be chosen here, too. This summary sorts by
# drawing, as in lesson 3, four windows at once in the four channels of a texture. It is the very
# same summary, bit for bit.

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
# Lang and Liberty, 2016) is a much-used sketch. It draws lots: its bound of 1.3 % holds with a
# probability of 99 %, not always. Its size is fixed here, so ε does not change it.

# %%
picture(pictures.show_seconds(), "seconds for 100 million values against ε, recorded")

# %% [markdown]
# The summary is faster than a plain sort of its own windows: it has two threads, and sorts such
# short keys by their digits. The smaller ε is, the longer are the windows, and the longer sorting
# them takes.
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
    print("No GPU here: what is recorded stands.")

# %% [markdown]
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | rank, quantile | the place of a value in order; the value at a place |
# | entry | a value that is kept, with the smallest and the largest rank that it may have |
# | merge | ask each set where the other's entries belong; the doubts add up, and so do the sizes |
# | compress | keep fewer entries; only here accuracy is lost |
# | exponential histogram | merge only buckets of equal size, as a binary number carries |
# | ε | no rank is wrong by more than εN: on any stream, in any order, always |
#
# [The next lesson](08-frequent.ipynb) sorts windows again, and asks what comes often.
