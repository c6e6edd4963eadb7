# %% [markdown]
# # 10 · The median as a minimum
#
# **The idea.** The median is the place with the smallest sum of distances to all keys. So a machine
# that can add and count finds the median, and never moves a key.
#
# **Time.** 35 minutes.
#
# The **median** is the key in the middle: as many keys are smaller as are larger. The plain way to
# find it is to sort all keys and look at the middle one. This lesson finds it without sorting. You
# need no graphics and no calculus, only the slope of a straight line.

# %%
import numpy as np

import modern
import shadersort as ss
from modern.arrays import has_gpu
from shadersort.lessons import Frames, picture, record
from shadersort.lessons.median import cuts, pictures
from shadersort.lessons.median import exercises as lesson
from shadersort.lessons.shared import selecting

# %% [markdown]
# ## A bus stop on a road
#
# Seven houses stand along a road. One person lives in each, and all of them will walk to the same
# bus stop. Where must it be, so that together they walk as little as possible?

# %%
houses = np.array([1, 2, 4, 5, 9, 12, 20])

# %% [markdown]
# Try it. The slider moves the bus stop. We call its place the **pivot**. The bars are the walks,
# and the curve is their sum. It is called the **objective**: the value that should be small. (A
# notebook that is not running shows a film.)

# %%
pictures.Draggable(
    22,
    lambda pivot: pictures.show_pivot(houses, pivot),
    "a pivot travels along a road with seven houses; the sum of the distances falls and rises",
    seconds=0.5,
)

# %% [markdown]
# The best place is at 5, the fourth house: the median. It is not the mean, which is 53 / 7 ≈ 7.6.
#
# Why? Stand at 7 and take one step to the right. Four people live on your left, and each walks one
# step more. Three live on your right, and each walks one step less. Together: one step more. So a
# step to the right is bad wherever more people are on the left than on the right.
#
# The change for one step is the **slope** of the curve:
#
# > slope = number of keys on the left − number of keys on the right
#
# It does not depend on how *far* the keys are. Between two houses it stays the same, so the curve
# is made of straight pieces. At each house one person changes sides, and the slope grows by 2.

# %%
picture(
    pictures.show_slopes(houses),
    "the objective in straight pieces, falling before the median and rising after it; "
    "under it the slopes, from minus 7 to plus 7",
)

# %% [markdown]
# The slope only grows from left to right. Such a curve is called **convex**: it has the shape of a
# bowl. A bowl has one bottom. Here it is where the slope changes its sign, where as many keys are
# on the left as on the right.
#
# ### Your turn
#
# Write both: the sum of the distances, and the slope. A key that is exactly at the pivot counts as
# being on the left: it is the slope *to the right* of the pivot.


# %%
def objective(keys, pivot):
    """Return the sum of all distances to the pivot, and the slope to the right of it."""
    # solution
    left, right = np.sum(keys <= pivot), np.sum(keys > pivot)
    return np.abs(keys - pivot).sum(), left - right
    # end


lesson.objective.check(objective)

# %% [markdown]
# Look at what this function does. It reads each key once, adds, and counts. It moves no key, and
# the order of the keys does not matter. A graphics card does this as fast as it can read: every
# core takes a part of the keys, and the few results are added at the end. Sorting moves all keys,
# again and again.
#
# ## Any other rank
#
# How do we find the key with a tenth of the others below it? If the walks to the left cost more
# than those to the right, the bowl tilts. With ranks k counted from 0, a key above the pivot weighs
# (k + ½) / n for each step of distance, and a key below it (n − k − ½) / n. Then the bottom is at
# the key of rank k. For the median both weights are one half.

# %%
Frames(
    7,
    lambda k: pictures.show_ranks(houses, k),
    "for each rank, the two weights, and the objective whose bottom is the key of this rank",
    seconds=1.5,
)

# %% [markdown]
# (This is objective (2) of Beliakov, *Parallel calculation of the median and order statistics on
# GPUs with application to robust regression*, 2011, section III. The paper prints the two weights
# in the opposite order, which finds the rank counted from the top.)
#
# ## How to get to the bottom
#
# We can ask for the height and the slope at any pivot. Each answer costs one read of all keys, so
# we want few questions. We always keep a **bracket**: two places with the bottom between them. At
# first they are the smallest and the largest key.
#
# **Bisection** asks in the middle of the bracket. If the slope is negative, the bottom is on the
# right, otherwise on the left. Half of the bracket is gone. Bisection uses only the *sign* of the
# slope, and ignores the rest of the answer.
#
# **Cutting planes** use everything. At each end of the bracket we know the height and the slope, so
# we can draw the straight line that touches the curve there. A bowl lies above every line that
# touches it. So its bottom lies above both lines, and the lowest point above both is where they
# meet. That is the next pivot. It becomes one end of the new bracket, and we draw new lines.

# %%
keys = np.array([0, 1, 2, 3, 5, 6, 8, 10, 13, 17, 22, 28, 35, 43, 60])
cuts.show_cuts(keys)

# %% [markdown]
# The grey band is the bracket, on the left among all keys, on the right enlarged. The dashed lines
# touch the curve at both ends. They meet at the red dot; the green dot above it is the next pivot.
# The last pivot is the median, 10, after five cuts. (The paper's figure 4 shows two such steps. The
# method is Kelley's, of 1960, section IV of the paper.)
#
# After the first cut 8 of the 15 keys are left inside the bracket, after the second only 3.
#
# ### Your turn
#
# Where do the lines meet? One goes through the point (low, f_low) with the slope g_low, the other
# through (high, f_high) with the slope g_high. (The slopes are those just inside the bracket: to
# the right of `low`, and to the left of `high`.)


# %%
def meeting_point(low, f_low, g_low, high, f_high, g_high):
    """Return the place where the two lines have the same height."""
    # solution
    return (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)
    # end


lesson.meeting_point.check(meeting_point)

# %% [markdown]
# ## A surprise
#
# In the formula nearly everything cancels. Keys outside the bracket add the same straight line to
# both lines, so they cannot move the point where these meet. What remains is this:
#
# > The lines meet at the **mean** of the keys inside the bracket.
#
# So the whole method is: take the mean, count, drop the side that cannot hold the median, and take
# the mean of the rest. In NumPy, for an odd number of whole numbers:


# %%
def median_by_means(keys):
    """Return the median, and every pivot on the way."""
    low, high, pivots = keys.min(), keys.max(), []
    while True:
        inside = keys[(low < keys) & (keys < high)]
        pivots.append(inside.mean())
        below, equal = np.sum(keys < pivots[-1]), np.sum(keys == pivots[-1])
        if below <= len(keys) // 2 < below + equal:
            return pivots[-1], pivots
        if len(keys) // 2 < below:
            high = pivots[-1]
        else:
            low = pivots[-1]


median, pivots = median_by_means(keys)
print("pivots:", ", ".join(f"{pivot:.4g}" for pivot in pivots))
print("right: ", median == np.median(keys))

# %% [markdown]
# These are the pivots of the pictures above. Look at the test for the end: fewer than half of the
# keys are below the pivot, and with those that equal it they are more than half. Counts decide, and
# counts are exact. The sums may be rounded: a bad guess costs a read, but never gives a wrong
# answer. (This function is for pictures only: it fails where the smallest or the largest key is the
# median, because no key is inside.)
#
# ## On the machine that draws
#
# `ss.select` does it on a device of lesson 1. The keys lie in a texture and stay there. Each line
# below is one round of drawing that adds and counts; a handful of numbers comes back. (`"software"`
# is the program that draws where there is no graphics card. Leave it out, and the best device here
# is used.)

# %%
many = np.random.default_rng(10).exponential(size=9999).astype(np.float32)
answer, trace = ss.select(many, 4999, method="cutting-plane", device="software", return_trace=True)
for step in trace.iterations:
    print(f"{step.name:8} pivot {step.pivot:.6f}   below {step.counts.below:5}", end="")
    print(f"   left {step.candidates:5}")
print("right:", answer == np.median(many))

# %% [markdown]
# "cut" is the mean, as above; the first one is that of all keys. When only one key in sixteen is
# left, this package continues with a step of its own, "by rank": so close to the answer keys are
# almost evenly spread, and the rank predicts the answer better than a mean. "end" looks at the key
# next to an end of the bracket. The paper stops after about seven cuts, copies the few keys that
# are left, and sorts those (section IV).
#
# ## One outlier
#
# Measurements fail, and then a single key can be huge: an **outlier**. The median hardly changes:
# it is one more key on the right, at any distance. But some methods become slow. Here are 30 keys
# under 100, and one of 100,000.

# %%
rng = np.random.default_rng(1)
some = rng.choice(np.arange(1, 100), 30, replace=False)
spoilt = np.append(np.sort(some), 100_000).astype(np.float64)
halvings = [step.pivot for step in cuts.traced(spoilt, "bisection").iterations]
_, pivots = median_by_means(spoilt)
picture(
    pictures.show_outlier(spoilt, {"bisection": halvings, "cutting-plane": pivots}),
    "the objective is one straight line up to the outlier; bisection halves its way down that "
    "line, the cutting plane never steps on it",
)

# %% [markdown]
# From the last ordinary key to the outlier, the curve is one straight line, the black one on the
# left. Bisection asks in the middle, then in the middle of the left half: each time on that line,
# and each time it learns only "further left". An outlier ten times larger costs three or four more
# halvings.
#
# The line that touches the curve at the outlier *is* that straight piece. The other line touches
# the bowl far away, and runs below the piece. So the two meet further left, among the other keys.
# In terms of means: the outlier is an end of the bracket, so it is not inside, and not in any mean.
# A second outlier would pull the first mean to the right, be cut off, and be in no mean after that.
# This is the paper's figure 5.
#
# Let us make the outlier as large as we like. (`golden` and the two of Brent are other well-known
# ways to look for a minimum, or for the zero of a slope. The paper compares them all.)

# %%
skewed = np.random.default_rng(2).exponential(size=1001)
outliers = [10.0**power for power in range(1, 31, 3)]
methods = ("golden", "brent-min", "bisection", "brent-root", "cutting-plane")
counts = {method: cuts.iterations(skewed, outliers, method) for method in methods}
picture(
    pictures.show_iterations(outliers, counts),
    "iterations against the size of an outlier: all grow with its logarithm but the cutting plane",
)

# %% [markdown]
# An outlier of 10²⁸ is a real difficulty: in a sum with it, the other 1,000 keys are lost to
# rounding. In the paper the cutting plane has trouble at 10²⁰ for this reason, and the author takes
# logarithms of all keys (section V-D). This package adds up only what is inside the bracket. The
# outlier leaves it after the first cut, and spoils no sum after that.
#
# ## What it costs
#
# In 2011 the paper measured it on a Tesla C2050 (its table I). Here is the table again, and beside
# it the same methods of this package on a card of today. `sort-choose` sorts everything, and looks
# at the middle.

# %%
picture(
    selecting.show_then_and_now(
        record("reproduce-nvidia-h200"),
        "beliakov-2011-1",
        ["sort-choose", "cutting-plane"],
        "Tesla C2050 (Beliakov 2011)",
        part="total",
    ),
    "milliseconds against the number of keys, in 2011 and today: for many keys the cutting "
    "plane is three to four times as fast as sorting",
)

# %% [markdown]
# For {{keys}} keys sorting is {{sort_faster}} times faster than in 2011, and the cutting plane
# {{cuts_faster}} times: then {{sort_then}} and {{cuts_then}} milliseconds, now {{sort_now}} and
# {{cuts_now}}. For few keys sorting is faster, in 2011 and today: each iteration costs a call, and
# a call costs more than reading a few thousand keys.
#
# How good is that? The limit is one read: the median is unknown until every key has been read. So
# let us count in reads, on keys without an outlier.

# %%
picture(
    selecting.show_reads(record("modern-nvidia-h200"), methods),
    "the time of five methods and of a full sort, in reads of the keys",
)

# %% [markdown]
# All of them are faster than the sort, and the cutting plane is the fastest of the five. Outliers
# decide, too: the paper and this package choose the method that outliers slow down least. (On a GPU
# these methods stop when they make no progress, so none needs a hundred iterations.)
#
# If you have a GPU, the next cell measures the same there.

# %%
if has_gpu():
    import cupy

    wait = cupy.cuda.Device().synchronize
    here = selecting.reads_here(cupy, modern.select, methods, wait=wait)
    for method, reads in here.items():
        print(f"{method:14} {reads:5.1f} reads of 2^26 keys, measured here and now")
else:
    print("No GPU here: see the recorded times.")

# %% [markdown]
# [Lesson 11](11-buckets.ipynb) comes closer to one read.
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | objective | the sum of all distances to a pivot: a bowl whose bottom is the median |
# | slope | keys on the left minus keys on the right; its sign says where the bottom is |
# | bracket | two places with the bottom between them |
# | bisection | the next pivot is the middle of the bracket; an outlier makes it slow |
# | cutting plane | the next pivot is where two touching lines meet: the mean of the keys inside |
# | proof | at most k keys are below the answer, and more than k are below or equal to it |
