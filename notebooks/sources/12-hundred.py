# %% [markdown]
# # 12 · A hundred order statistics at once
#
# **The idea.** Count once how many keys lie in each of many buckets, and you know where *every*
# rank lies. So a hundred order statistics cost little more than one, and they draw the whole
# distribution.
#
# **Time.** 35 minutes.
#
# You need Python and NumPy, and no GPU. Lesson 11 finds *one* key by buckets; here you see what
# changes when many are wanted. You can begin with this one, too.

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
# Unit*, 2015) looked at the electricity that some houses use: 42 million meter readings. What do
# you say about 42 million numbers?
#
# We may not hand these readings on. So `datasets.make` makes some up that are alike in two ways the
# paper tells: they lie between −200 and 200, and many are equal. That they crowd around zero is our
# choice. We take 200,000 of them.

# %%
readings = datasets.make("power-small", 200_000, dtype="float64")
print("mean", readings.mean().round(2), "· standard deviation", readings.std().round(2))

# %% [markdown]
# Mean and standard deviation do not tell much. Let us put the readings in order, and take a few of
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
# Sorting finds them. But sorting also answers 199,899 questions that nobody asked: it puts *every*
# key in its place. Can we have the hundred and one without the rest?
#
# ## One count, and every rank has an address
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
# In the lower picture, go from a rank to the right until you hit a bar: that is the bucket which
# has this key. It works because every key of a bucket is smaller than every key of the next.
# Nothing was sorted.
#
# The buckets that are hit are **active**, green here. All other keys have done their duty: they
# were counted, and need not be touched again.
#
# And now the point. *The counting was the same for all three ranks.* One look at every key serves
# one rank, or three, or a hundred and one.
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
# The active buckets are copied and sorted, so they had better be small. With B buckets of equally
# many keys and r ranks, at most r/B of all keys are copied (section 2.5.3 of the paper). With 101
# ranks and the paper's 11,264 buckets that is less than 1%.
#
# But equally *wide* buckets are not equally *full* where keys crowd. The paper's remedy: ask a few
# keys first. It draws a **sample** of 1024 keys, and sorts only these. They part the range into 16
# intervals that have about equally many keys. (The paper calls them kernel density intervals.)
# Then each interval is cut into buckets of equal width.
#
# Step through it. On the left, the blue line is what the sample says about the density of *all*
# keys. On the right, each dot is a bucket. In the ideal case all would lie on the red line. Green
# ones are active: they have one of the 101 percentiles.

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
# What the sample says need not be right. A bad sample makes some buckets too full. Then more is
# copied and it takes longer, but **the answer is exact all the same**: ranks are counted among all
# keys, never among the sample.
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
# The graphics card does steps 2 and 4 with thousands of threads: no key needs to know what another
# key does. It need not search for the bucket either. It looks for one of 16 intervals, and there
# one subtraction and one multiplication give the bucket, as all buckets of an interval are equally
# wide.
#
# `modern.multiselect` has the same method: on NumPy here, on CUDA where there is a GPU. With
# `return_trace` it tells how many keys it touched.

# %%
found, trace = modern.multiselect(readings, percentile_ranks, method="bucket", return_trace=True)
print("the same:", np.array_equal(found, percentiles))
for step in trace.steps:
    print(f"{step.name:8} reads {step.keys_read:9,} keys, writes {step.keys_written:9,}")

# %% [markdown]
# All of this, with the sorting of the copy, reads each key little more than twice, and writes far
# fewer than there are. The radix sort of a card moves every key once for each byte it has: these
# have eight.
#
# ## Which ranks are hard?
#
# It matters where the ranks lie. Ranks that are neighbours share a bucket, so little is copied.
# Evenly spaced ones are the worst case: each has a bucket to itself. The paper times this in its
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
# On the dotted line every rank has a bucket of its own. Evenly spaced ranks stay close to it.
# Copying more than a good part of the keys is pointless: then sort all. That is why there is a
# number of ranks from which on sorting wins. On a Tesla K40, with 2²⁶ single precision keys, it was
# about 4,200 (the paper's table I).
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
# Sorting takes equally long however many ranks you want. The 101 percentiles cost 28% more than
# 5 quartiles on the older card, and 9% more on the newer. Eleven years have made either way many
# times faster, and they made the gap *wider*: with 101 ranks from 2.6 times to 7.9. Counting reads
# each key a few times and writes next to nothing, so it runs at the speed of the memory. A sort
# must also write every key, several times.
#
# ## Drawing the distribution
#
# Back to the meter. The percentiles are in hand: what do they show? Between two neighbours of them
# lies one hundredth of all readings. Where they are close together, readings are dense.
#
# **Density** says how dense. It is a height such that *height times width is the share of the
# keys*. For neighbours that are 0.5 apart, and have 0.01 of the keys between them, the density is
# 0.01 / 0.5 = 0.02.
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
# which share of the readings is at or below a value. (Of the real readings the
# paper's density wavers, and its distribution does not: adding up smooths. Our vertical axis on
# the left is logarithmic, because these made-up readings have a very sharp peak.)

# %%
deciles, _ = multiselect(readings, evenly(readings.size, 11))
picture(
    pictures.show_distribution(readings, deciles, percentiles),
    "density and distribution of the readings from 11 and from 101 order statistics",
)

# %% [markdown]
# The histogram shows no more than its bins: all that happens near zero is in one of them. The
# percentiles put their numbers where the readings are, and show the peak. And they are not guesses:
# every one is one of the readings, at exactly this rank.
#
# ## What breaks it
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
# How does ours escape? A key that comes several times in the sample gets an interval for itself
# alone. Its count is then the answer, and nothing is left to copy. What is still copied are values
# that the sample had too rarely.
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | order statistic | the key at a given rank: what lies there once keys are sorted |
# | deciles, percentiles | 11 and 101 evenly spaced order statistics |
# | active bucket | one that has a wanted rank: only these are copied and sorted |
# | sample, intervals | a guess at the density, so that buckets are equally full |
# | density | height times width is the share of the keys |
#
# One count serves all ranks. A sample only decides how fast it goes, never what comes out.
#
# Lesson 13 puts the two machines of this course side by side: the same step, as a shader and as a
# CUDA kernel.
