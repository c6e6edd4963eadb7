# %% [markdown]
# # 12 · A hundred order statistics at once
#
# **The idea.** After one count of the keys in each of many buckets, you know where *every* rank
# lies. So a hundred order statistics cost little more than one, and they show the whole
# distribution.
#
# **Time.** 35 minutes.
#
# You need Python and NumPy, and no GPU. Lesson 11 finds *one* key by buckets; here you see how to
# find many. You can read this lesson first, too.

# %%
import numpy as np

import modern
from modern.arrays import has_gpu
from shadersort.keys import datasets
from shadersort.lessons import Frames, picture, record
from shadersort.lessons.hundred import exercises as lesson
from shadersort.lessons.hundred import pictures
from shadersort.lessons.hundred.pictures import edges_of, pivots_of
from shadersort.lessons.hundred.times import show_times, times

# %% [markdown]
# ## Too many numbers to look at
#
# Blanchard, Opavsky and Uysaler (*Selecting Multiple Order Statistics with a Graphics Processing
# Unit*, 2015) studied the electricity that some houses use: 42 million meter readings. How can 42
# million numbers be described?
#
# We may not distribute these readings. So `datasets.make` makes similar ones, with two properties
# that the paper states: they lie between −200 and 200, and many are equal. We chose that they crowd
# around zero. We take 200,000 of them.

# %%
readings = datasets.make("power-small", 200_000, dtype="float64")
print("mean", readings.mean().round(2), "· standard deviation", readings.std().round(2))

# %% [markdown]
# Mean and standard deviation do not say much. Let us put the readings in order, and take a few of
# them: the smallest, the one a tenth of the way up, the one two tenths up, and so on to the
# largest. These eleven are the **deciles**.
#
# A key taken by its place in the sorted order is called an **order statistic**. The place is its
# **rank**; we count ranks from 0.


# %%
def evenly(n, count):
    """Return evenly spaced ranks of n keys, from the first to the last."""
    return np.linspace(0, n - 1, count).astype(int)


few = readings[:2000]
picture(
    pictures.show_ranks(few, evenly(few.size, 11)),
    "2,000 readings as they come, and in order with the eleven deciles marked",
)

# %% [markdown]
# Eleven numbers, and you see: four in ten readings lie within 13 of zero, the rest is spread
# widely. With 101 numbers, the **percentiles**, you would see much more.
#
# Sorting finds them. But sorting also answers 199,899 questions that were not asked: it puts
# *every* key in its place. Can we find the 101 numbers without the rest?
#
# ## One count locates every rank
#
# Here are 30 keys from 0 to 16, and 8 **buckets** that are 2 wide. We want ranks 3, 11 and 15.
# Count the keys in each bucket. Then stack the counts on top of each other.

# %%
rng = np.random.default_rng(12)
thirty = np.sort(rng.gamma(5, 1.5, 30).clip(0, 15.9))
edges = np.arange(0.0, 17.0, 2.0)
picture(
    pictures.show_buckets(thirty, edges, np.array([3, 11, 15])),
    "counts of eight buckets, the same stacked, and the buckets that three ranks fall into",
)

# %% [markdown]
# In the lower picture, go from a rank to the right until you meet a bar: that is the bucket of this
# key. It works because every key of a bucket is smaller than every key of the next. Nothing was
# sorted.
#
# The buckets of wanted ranks are **active**, green here. All other keys were counted, and are not
# needed again.
#
# This is the main point: *the counting was the same for all three ranks.* One read of every key
# serves one rank, or three, or 101.
#
# ### Your turn
#
# Say for each rank which bucket it is in, and which place it has among the keys of this bucket,
# from 0. `counts` has the number of keys in each bucket, some may be empty. `ks` has the ranks.


# %%
def bucket_and_place(counts, ks):
    """Return two arrays: the bucket of each rank, and its place in that bucket."""
    # solution
    ends = np.cumsum(counts)
    buckets = np.searchsorted(ends, ks, side="right")
    places = ks - (ends - counts)[buckets]
    return buckets, places
    # end


lesson.bucket_and_place.check(bucket_and_place)

# %% [markdown]
# ## Good buckets are equally full
#
# The active buckets are copied and sorted, so they should be small. With B buckets of equally many
# keys and r ranks, at most r/B of all keys are copied (section 2.5.3 of the paper). With 101 ranks
# and the paper's 11,264 buckets that is less than 1%.
#
# But equally *wide* buckets are not equally *full* where keys crowd. The paper's solution is to
# look at a few keys first. It draws a **sample** of 1024 keys, and sorts only these. They part the
# range into 16 intervals that have about equally many keys. (The paper calls them kernel density
# intervals.) Then each interval is cut into buckets of equal width.
#
# Step through it. On the left, the blue line is what the sample says about the density of *all*
# keys. On the right, each dot is a bucket. Ideally, all would lie on the red line. Green ones are
# active: each has at least one of the 101 percentiles.

# %%
sample = rng.choice(readings, 1024)
percentile_ranks = evenly(readings.size, 101)


def with_intervals(number):
    """Draw buckets made with 1, 2, 4, 8 or 16 intervals."""
    return pictures.show_intervals(readings, sample, 2**number, 2048, percentile_ranks)


Frames(5, with_intervals, "2,048 buckets in 1, 2, 4, 8 and 16 intervals of a sample", seconds=2)

# %% [markdown]
# With one interval, all buckets are equally wide, and one of them holds over ten thousand keys.
# Percentiles *must* lie there, because that is where the keys are. Two intervals change nothing:
# these readings are alike on both sides of zero. With 16 intervals most dots are near the line, and
# far fewer keys are copied. (A dot stays at the top: many readings are *equal*, and no edge can
# part them. The buckets at the bottom are empty.)
#
# The sample may be misleading. A bad sample makes some buckets too full. Then more keys are copied,
# which takes longer, but **the answer is still exact**: ranks are counted among all keys, never
# among the sample.
#
# ## The whole method
#
# It is called **bucketMultiSelect**. Here it is in NumPy, in the paper's steps (section 2). Two
# helpers do what you have just seen: `pivots_of` takes the keys that part the sample, and
# `edges_of` cuts each interval into buckets of equal width.


# %%
def multiselect(keys, ks, buckets=2048, intervals=16):
    """Return np.sort(keys)[ks], and how many keys were copied."""
    # 1 · a sample says where keys are dense
    pivots = pivots_of(np.random.default_rng(0).choice(keys, 1024), intervals)
    pivots[[0, -1]] = keys.min(), keys.max()
    edges = edges_of(pivots, buckets)
    # 2 · every key gets a bucket, and is counted
    bucket = np.searchsorted(edges[1:-1], keys, side="right")
    counts = np.bincount(bucket, minlength=buckets)
    # 3 · every rank finds its bucket
    ends = np.cumsum(counts)
    active = np.searchsorted(ends, ks, side="right")
    # 4 · only active buckets are copied; each rank learns how many keys below it were left behind
    is_active = np.isin(np.arange(buckets), active)
    copied = keys[is_active[bucket]]
    left_behind = np.cumsum(np.where(is_active, 0, counts))[active]
    # 5 · the copy is sorted, and the ranks are looked up
    return np.sort(copied)[ks - left_behind], copied.size


percentiles, copied = multiselect(readings, percentile_ranks)
print("as by sorting:", np.array_equal(percentiles, np.sort(readings)[percentile_ranks]))
print(f"sorted {copied:,} keys, not {readings.size:,}")

# %% [markdown]
# The graphics card does steps 2 and 4 with thousands of threads, because each key is handled
# independently. It does not search for the bucket, only for one of 16 intervals; then one
# subtraction and one multiplication give the bucket, because all buckets of an interval are equally
# wide.
#
# `modern.multiselect` has the same method: on NumPy here, on CUDA where there is a GPU. With
# `return_trace` it returns how many keys it read and wrote.

# %%
found, trace = modern.multiselect(readings, percentile_ranks, method="bucket", return_trace=True)
print("the same:", np.array_equal(found, percentiles))
for step in trace.steps:
    print(f"{step.name:8} reads {step.keys_read:9,} keys, writes {step.keys_written:9,}")

# %% [markdown]
# All steps together, with the sort of the copy, read each key little more than twice, and write
# only a small part of the keys. The radix sort of a card moves every key once for each of its
# bytes: eight here.
#
# ## Which ranks are hard?
#
# It matters where the ranks lie. Ranks that are neighbours share a bucket, so little is copied.
# Evenly spaced ones are the worst case: each has a bucket of its own. The paper times this in its
# figure 1. We count copied keys instead, which is the reason behind the times. (*sectioned* ranks
# follow one another; *normal-random* ones gather around the median. There are 2,048 buckets.)

# %%
numbers = [1, 3, 10, 30, 100, 300, 1000]
names = ["uniform", "uniform-random", "normal-random", "sectioned"]
keys = datasets.make("uniform", 100_000, dtype="float64")
shares = {
    name: {
        count: multiselect(keys, datasets.ranks(name, keys.size, count))[1] / keys.size
        for count in numbers
    }
    for name in names
}
picture(pictures.show_copied(shares, 2048), "share of keys copied over the number of ranks")

# %% [markdown]
# On the dotted line every rank has a bucket of its own. Evenly spaced ranks stay close to it. If a
# large part of the keys would be copied, it is better to sort all of them. So above some number of
# ranks sorting is faster. On a Tesla K40, with 2²⁶ single precision keys, it was about 4,200 (the
# paper's table I).
#
# ## What it costs
#
# On the left are the times of the paper (its table V), on the right those that we recorded with
# `modern.multiselect`: 2²⁸ uniform float32 keys, 5 to 1001 evenly spaced ranks. If you have a GPU,
# a third picture measures it now, on 2²⁴ keys.

# %%
here = {}
if has_gpu():
    import cupy

    wait = cupy.cuda.Device().synchronize
    here = times(cupy, wait, modern.multiselect, 1 << 24, [5, 11, 101, 1001])
else:
    print("No GPU here: the times are those of the paper, and recorded ones.")
picture(
    show_times(record("reproduce-nvidia-h200"), here),
    "milliseconds over the number of ranks, for sorting and for bucketMultiSelect",
)

# %% [markdown]
# Sorting takes equally long for any number of ranks. The 101 percentiles cost {{growth_then}} more
# than 5 quartiles on the older card, and {{growth_now}} more on the newer. Eleven years have made
# both ways many times faster, and the gap *wider*: for 101 ranks buckets were {{gain_then}} times
# faster than sorting, and are {{gain_now}} times faster now. Counting reads each key a few times
# and writes almost nothing, so it runs at the speed of the memory. A sort must also write every
# key, several times.
#
# ## Drawing the distribution
#
# Back to the meter. What do its percentiles show? Between two neighbours of them lies one hundredth
# of all readings. Where they are close together, readings are dense.
#
# **Density** measures this. It is a height such that *height times width is the share of the keys*.
# For neighbours that are 0.5 apart, and have 0.01 of the keys between them, the density is 0.01 /
# 0.5 = 0.02.
#
# ### Your turn
#
# Turn evenly spaced order statistics into heights, one for each gap between neighbours. There may
# be 11 of them, or 101, or any other number; no two are equal.


# %%
def density(order_statistics):
    """Return the density in each gap between neighbours."""
    # solution
    gaps = len(order_statistics) - 1
    return 1 / gaps / np.diff(order_statistics)
    # end


lesson.density.check(density)

# %% [markdown]
# This is how the paper's figure 5 is drawn. The grey histogram counts *all* readings in 100 bins.
# The dashed line knows 11 of them, the solid line 101. On the right the same as a **distribution**:
# which share of the readings is at or below a value. (For the real readings the paper's density is
# uneven, and its distribution is smooth, because sums smooth. Our vertical axis on the left is
# logarithmic, because these made-up readings have a very sharp peak.)

# %%
deciles, _ = multiselect(readings, evenly(readings.size, 11))
picture(
    pictures.show_distribution(readings, deciles, percentiles),
    "density and distribution of the readings from 11 and from 101 order statistics",
)

# %% [markdown]
# The histogram shows no more than its bins: all that happens near zero is in one of them. The
# percentiles put their numbers where the readings are, and show the peak. And they are exact: each
# is one of the readings, at exactly this rank.
#
# ## When it fails
#
# Buckets cannot divide keys that are *equal*. The paper tries whole numbers from 0 to 100, and 101
# ranks: every bucket that has keys is active, all keys are copied, and it takes about four times as
# long as sorting (section 3.3).

# %%
dice = rng.integers(0, 101, 200_000).astype(float)
found, copied = multiselect(dice, percentile_ranks)
print(f"the paper's way copies {copied:,} of {dice.size:,} keys")
_, trace = modern.multiselect(dice, percentile_ranks, method="bucket", return_trace=True)
print(f"modern.multiselect copies {sum(step.candidates or 0 for step in trace.steps):,}")

# %% [markdown]
# How does ours escape? A key that comes several times in the sample gets an interval of its own.
# Its count is then the answer, and nothing is left to copy. Only values that are too rare in the
# sample are still copied.
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | order statistic | the key at a given rank: the key at this place in sorted order |
# | deciles, percentiles | 11 and 101 evenly spaced order statistics |
# | active bucket | a bucket with a wanted rank: only these are copied and sorted |
# | sample, intervals | an estimate of the density, so that buckets are about equally full |
# | density | height times width is the share of the keys |
#
# One count serves all ranks. The sample decides only the speed, never the answer.
#
# Lesson 13 puts the two machines of this course side by side: the same step, as a shader and as a
# CUDA kernel.
