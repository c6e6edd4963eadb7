# %% [markdown]
# # 9 · Sliding windows
#
# **The idea.** A single value cannot be removed from a summary. But a stream that is cut into
# blocks can forget a whole block, and that is enough to summarise its last values.
#
# **Time.** 35 minutes.
#
# The lessons before this one summarised a stream from its first value on. Often only the last
# values matter: the last million requests, the last hour. This lesson makes a summary that forgets.
# You need NumPy and the idea of a median.

# %%
import numpy as np

import shadersort as ss
from shadersort.lessons import Frames, picture, record
from shadersort.lessons.sliding import exercises as lesson
from shadersort.lessons.sliding import pictures
from shadersort.lessons.sliding.blocks import rank_error, whole_blocks
from shadersort.lessons.sliding.paper_figures import show_figures

# %% [markdown]
# ## A stream that changes
#
# Here are 40,000 answer times of a web service, one after the other. After 22,000 of them something
# breaks, and for a while every answer takes three times as long.

# %%
rng = np.random.default_rng(9)
stream = rng.lognormal(3, 0.5, 40_000).astype(np.float32)  # milliseconds
stream[22_000:30_000] *= 3
picture(
    pictures.show_medians(stream, window=4000),
    "answer times, the median of all so far, and the median of the last 4,000",
)

# %% [markdown]
# The median of all values hardly moves, and it never forgets. The median of the **last 4,000**
# shows the present. These last values are called a **sliding window**: with every new value the
# window moves by one, and the oldest value leaves it.
#
# ## Forgetting is the hard part
#
# A new value is easy to add to a summary. The oldest one is hard to take out. A summary is small
# because it no longer holds its values one by one; so it cannot know what to subtract.
#
# We could keep the whole window, and sort it for every question. That is exact. But it takes memory
# for 4,000 numbers here, and for 10 million in the paper that this lesson follows: Govindaraju,
# Raghuvanshi and Manocha, *Fast and Approximate Stream Mining of Quantiles and Frequencies Using
# Graphics Processors*, SIGMOD 2005, section 5.3. It uses an idea of Arasu and Manku (2004):
#
# **Cut the stream into blocks. Summarise each block for itself. Forget whole blocks.**
#
# Below, blocks have 4 values, and we ask about the last 16. Move the slider: values come, and the
# window moves to the right.

# %%
Frames(
    5,
    lambda number: pictures.show_blocks(position=20 + number, n=16, size=4, values=28),
    "a window of 16 values slides over blocks of 4",
    seconds=1.2,
)

# %% [markdown]
# There are three kinds of values in the window:
#
# - those in **whole blocks** (dark blue): their summaries are ready;
# - those that **wait** (light blue): their block is not full yet, so they are kept as they are;
# - those that are **uncovered** (hatched): they lie in a block that begins before the window. We
#   leave this block out, and these few values with it. They are always fewer than one block.
#
# Grey blocks are forgotten.
#
# ### Your turn
#
# Block b holds the values from b · size up to (b + 1) · size, the end not included; the first value
# of the stream has number 0. So far `position` values have come. Which full blocks lie inside the
# last n values?


# %%
def blocks_inside(position, n, size):
    """Return the numbers of the full blocks inside the last n of `position` values, as a list."""
    # solution
    first = -(-(position - n) // size)
    end = position // size
    return list(range(first, end))
    # end


lesson.blocks_inside.check(blocks_inside)

# %% [markdown]
# ## What to keep of a block
#
# For a median, or any other **quantile**, we keep a few values of the block in order: of every five
# the middle one. (The 0.9-quantile, say, is the value that nine tenths of all values do not
# exceed.) The value that is kept stands for all five. Sorting is most of the work here, and the
# graphics card of 2005 did it: it sorted the blocks.

# %%
picture(
    pictures.show_samples(stream[:40], step=5),
    "the values of a block as they came, and in order, with every fifth marked",
)

# %%
size, step = 100, 5
blocks = stream.reshape(-1, size)  # 400 blocks of 100 values
kept = np.sort(blocks, axis=1)[:, step // 2 :: step]  # 20 of each


def quantile_of_last(q, position, n):
    """Answer from what is kept of the whole blocks, and from the values that wait."""
    inside = whole_blocks(position, n, size)
    waiting = stream[position - position % size : position]
    standing_for_all = np.repeat(kept[inside], step)
    known = np.sort(np.concatenate([standing_for_all, waiting]))
    return known[int(q * (len(known) - 1))]


position = 26_050
print("from blocks:", quantile_of_last(0.5, position, 4000))
print("exactly:    ", np.median(stream[position - 4000 : position]))

# %% [markdown]
# The two are close, but how close, and always? We do not measure the difference in milliseconds:
# for a quantile, the **rank** counts. Sort the window. The median of 4,000 values has rank 2,000.
# If our answer has rank 2,031, it is 31 ranks off.
#
# There are two errors, and each has a bound that holds for *every* stream:
#
# - the uncovered values: fewer than one block, so fewer than 100 ranks;
# - a value stands for five, itself in the middle: at most 2 ranks wrong in each of 40 blocks, so at
#   most 80 ranks.
#
# Together fewer than 180 ranks; we allow 200. This is our **guarantee**: a share ε = 0.05 of n =
# 4,000 values. Let us ask at a thousand moments, and draw the guarantee as a band.

# %%
positions = np.arange(4000, 40_001, 36)
errors = [
    rank_error(stream[end - 4000 : end], 0.5, quantile_of_last(0.5, end, 4000)) for end in positions
]
picture(
    pictures.show_band(positions, errors, n=4000, epsilon=0.05),
    "ranks by which the median is off, over the stream, inside the band of 200 ranks",
)

# %% [markdown]
# Every dot is inside, and most are far inside. The worst errors come where the stream changes:
# there the uncovered values differ from the rest. An adversary could move the dots towards the
# border, but never across it.
#
# ## The last n, for every n
#
# Now we ask about the last 1,000 values, or the last 200, with the same blocks. Is the error at
# most 5 % *of n*? We ask at 24 moments, and draw a dot for each.

# %%
lengths = np.unique(np.geomspace(100, 4000, 40).astype(int))
moments = range(22_010, 30_000, 337)


def share_off(n, end):
    """Return by how many ranks the median of the last n values is off, as a share of n."""
    return rank_error(stream[end - n : end], 0.5, quantile_of_last(0.5, end, n)) / n


shares = np.array([[share_off(n, end) for end in moments] for n in lengths])
picture(
    pictures.show_lengths(lengths, shares, epsilon=0.05),
    "by how much the median of the last n is off, over n, and the band allowed",
)

# %% [markdown]
# Not for small n. A block of 100 values is too coarse for the last 200. And if all blocks were
# small enough for small n, there would be too many of them for large n.
#
# So cut the stream several times: into blocks of 4, again into blocks of 8, of 16, and so on. These
# are the **levels** of Arasu and Manku. Each question uses blocks of fitting sizes: large blocks in
# the middle of the window, smaller ones towards its two ends. The smallest blocks are not kept for
# long, because only short windows need them.
#
# Move the slider, and ask about fewer and fewer values. These are the blocks that `shadersort`
# holds for ε = 1/8 and at most 256 values. Grey blocks are held, blue ones answer. The hatched
# values are uncovered: fewer than an eighth of those that were asked about. For the shortest
# windows the newest values themselves are held.

# %%
asked = [256, 180, 144, 100, 72, 20]
Frames(
    len(asked),
    lambda number: pictures.show_levels(asked[number]),
    "blocks of several levels that cover the last values, for shorter and shorter windows",
    seconds=1.5,
)

# %% [markdown]
# ### Your turn
#
# How is a part of the stream covered with the fewest blocks? A block has 1, 2, 4, … or `largest`
# values, and begins at a multiple of its size. Cover all values from `start` up to `stop`, the end
# not included. Here is how it looks from 3 up to 18, if no block has more than 8 values.

# %%
picture(
    pictures.show_cover(3, 18, [(3, 1), (4, 4), (8, 8), (16, 2)]),
    "the values from 3 up to 18, covered by blocks of 1, 4, 8 and 2 values",
)

# %% [markdown]
# Write the function that finds them.


# %%
def cover(start, stop, largest):
    """Return the blocks, from the oldest to the newest, as a list of pairs (begin, size)."""
    # solution
    blocks = []
    while start < stop:
        size = largest
        while start % size != 0 or start + size > stop:
            size //= 2
        blocks.append((start, size))
        start += size
    return blocks
    # end


lesson.cover.check(cover)

# %% [markdown]
# ## `ss.SlidingQuantiles`
#
# This is what the package does, for streams of any length. It sorts the small blocks, merges pairs
# of them into larger ones, and lets old blocks become coarser before it drops them, because long
# windows allow larger errors. (`shadersort/streams/arasu_manku_quantiles.py` computes the sum of
# all errors.)

# %%
sliding = ss.SlidingQuantiles(0.05, window=200_000)
swing = 2 + np.sin(np.arange(1_000_000) / 20_000)  # busy hours, and quiet ones
values = (swing * rng.lognormal(3, 0.5, 1_000_000)).astype(np.float32)
sliding.update(values)
for n in (200_000, 40_000, 5000):
    print(f"the last {n:7,}: median {sliding.last(n).median():.2f} ms,", end=" ")
    print(f"{sliding.last(n).rank_error:,} ranks off at most")
print(f"It holds {len(sliding):,} entries.")

# %% [markdown]
# Now ask for three quantiles of the last n values, for many n up to 200,000, and compare with the
# truth. Each frame has another ε: a narrower band costs more entries.

# %%
epsilons = [0.1, 0.05, 0.02]
Frames(
    len(epsilons),
    lambda number: pictures.show_any_length(values, 200_000, epsilons[number]),
    "three quantiles of the last n values, for many n, inside bands of three widths",
    seconds=2,
)

# %% [markdown]
# At the left, where n is small, all errors are zero: there the values themselves are still held.
# Then blocks answer, and the errors spread, but stay inside the band. This is the guarantee: not
# "usually", but *for every n and every stream*.
#
# ## What forgetting costs
#
# With ε = 0.01, a summary of a *whole* stream held {{entries}} entries after 100 million values
# (from the record drawn below). A sliding one holds more, because it must be able to drop any of
# its parts.

# %%
picture(
    pictures.show_memory(0.01),
    "entries held, at most, over the length of the window, in three ways",
)

# %% [markdown]
# For short windows the smallest summary is the window itself, and `shadersort` keeps it: the blue
# line lies on the dashed line. For 100 million values it holds less than a hundredth of them. If
# you always ask about the same n, pass it as `shortest`, and the red line holds:
# `ss.SlidingQuantiles(0.01, window=n, shortest=n)`.
#
# ## Frequent in the last values
#
# Blocks also work for counting. For each block we keep the counts of its values, without the rare
# ones: so a count is too small by at most εn, and never too large.
#
# A page of a web site is linked from a newspaper, and forgotten the day after.

# %%
visits = rng.zipf(1.5, 600_000).clip(max=1000)
visits[250_000:350_000][rng.random(100_000) < 0.3] = 404  # for a while, 3 of 10 visits
picture(
    pictures.show_counts(visits, [1, 404, 2], window=100_000, epsilon=0.05, support=0.2),
    "the shares of three pages among the last 100,000 visits, and estimates inside their bands",
)

# %% [markdown]
# The lines are the truth, the bands show the allowed error below it, 5 % here, and the dots are the
# answers of `ss.SlidingFrequencies`. Page 404 rises above the dashed line, 20 %, while it is
# popular, and sinks when its visits leave the window. The dots are nearly exact here; the bands are
# for the worst possible stream.

# %%
often = ss.SlidingFrequencies(0.05, window=100_000, shortest=100_000)
often.update(visits[:350_000])
print("pages with 20 % of the last 100,000 visits:", often.frequent_items(0.2)["item"])
often.update(visits[350_000:])
print("and 250,000 visits later:                  ", often.frequent_items(0.2)["item"])

# %% [markdown]
# ## The figures of the paper
#
# The paper times all this on 100 million random values, in its figures 7 to 9: on a graphics card,
# which sorted the blocks, and on a CPU of that time. It shows its times only in drawings, so here
# are ours only: the same workloads, on two cores of a CPU of today. Hollow dots are windows whose
# values are kept without blocks, because that takes less memory.

# %%
show = show_figures(record("streams-figures-numpy"), record("streams-sliding-numpy"))
picture(show, "seconds for 100 million values over ε, for three kinds of summaries")

# %% [markdown]
# - **Figure 7.** The dashed line is the time for sorting. For small ε it is nearly all of the time,
#   because the sorted blocks are large. The paper reports 85 to 90 % (section 5.2). So it gave the
#   sorting to the graphics card, and the rest to the CPU.
# - **Figure 8.** Counting, too, is mostly sorting. The paper reports the opposite for the smallest
#   blocks: sorting them on the card was not worth it, and it left them to the CPU (section 5.3).
# - **Figure 9.** Here sorting is the smaller part. Blocks of many levels are merged, made coarser
#   and dropped, especially where any n is allowed.
# - **Where a curve falls steeply**, ε is so small that blocks would take more memory than the
#   window. Then the values are only kept, and sorted when a question comes.
#
# For its figures 7 and 8 the paper says that card and CPU were comparable. (Our quantiles are of
# 16-bit floats, which the card could blend; our frequencies are of 32-bit floats from Zipf's
# distribution, where few values are very frequent.)
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | sliding window | the last n values of a stream |
# | block | a piece of the stream with a summary of its own, to be dropped as a whole |
# | uncovered | values at the old end whose block begins before the window: fewer than one block |
# | level | the stream, cut into blocks of one size; the next level has blocks twice as large |
# | guarantee | a band of ± εn ranks, or of εn missing counts, that no stream can leave |
#
# The lessons on streams end here. The next one finds the median of numbers that stay in memory.
