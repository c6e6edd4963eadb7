# %% [markdown]
# # 9 · Sliding windows
#
# **The idea.** Nothing can take a single value out of a summary again. But a stream that is cut
# into blocks can forget a whole block, and that is enough to know its last values.
#
# **Time.** 35 minutes.
#
# The lessons before this one summarised a stream from its first value on. Often only the last
# values matter: the last million requests, the last hour. This lesson makes a summary that forgets.
# You need NumPy, and to know what a median is.

# %%
import numpy as np

import shadersort as ss
from shadersort.lessons import Frames, picture, record
from shadersort.lessons.sliding import exercises as lesson
from shadersort.lessons.sliding import pictures
from shadersort.lessons.sliding.blocks import rank_error, whole_blocks
from shadersort.lessons.sliding.paper_figures import show_figures

# %% [markdown]
# ## A stream that changes its mind
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
# The median of everything hardly moves, and it never forgets. The median of the **last 4,000**
# tells what is going on. These last values are called a **sliding window**: with every value that
# comes, the window slides on by one, and the oldest value in it falls out.
#
# ## Forgetting is the hard part
#
# A new value is easy to add to a summary. The oldest one is hard to take out. A summary is small
# because it does not know its values one by one any more; so it cannot know what to subtract.
#
# We could keep the whole window, and sort it whenever somebody asks. That is exact. It also takes
# memory for 4,000 numbers here, and for 10 million in the paper that this lesson follows:
# Govindaraju, Raghuvanshi and Manocha, *Fast and Approximate Stream Mining of Quantiles and
# Frequencies Using Graphics Processors*, SIGMOD 2005, section 5.3. It uses an idea of Arasu and
# Manku (2004):
#
# **Cut the stream into blocks. Summarise each block for itself. Forget whole blocks.**
#
# Below, blocks have 4 values, and somebody asks about the last 16. Move the slider: values come,
# and the window moves to the right.

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
#   leave that block out, and with it these few values. They are always fewer than one block.
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
# exceed.) The value that is kept stands for all five. Sorting is the work here, and this is where
# the graphics card of 2005 came in: it sorted the blocks.

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
# Close, but how close, and is it always? We do not measure the difference in milliseconds: for a
# quantile, what counts is the **rank**. Sort the window. The median of 4,000 values has rank 2,000.
# If our answer has rank 2,031, it is 31 ranks off.
#
# Two things make it wrong, and each has a bound that holds for *every* stream:
#
# - the uncovered values: fewer than one block, so fewer than 100 ranks;
# - a value stands for five, itself in the middle: at most 2 ranks wrong in each of 40 blocks, so at
#   most 80 ranks.
#
# Together fewer than 180, say 200. This is our **guarantee**: of n = 4,000 values a share of
# ε = 0.05. Let us ask at a thousand moments, and draw the guarantee as a band.

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
# Every dot is inside, and most are far inside. The worst ones come where the stream changes: there
# the uncovered values differ from the rest. An adversary could push the dots towards the
# border, but never across it.
#
# ## The last n, for every n
#
# Somebody else looks at the last 1,000 values, or the last 200. The same blocks, the same question:
# is the answer right to within 5 % *of n*? We ask at 24 moments, and draw a dot for each.

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
# are the **levels** of Arasu and Manku. Each question gets the blocks that fit it: large blocks in
# the middle of the window, smaller ones towards its two ends. The smallest ones need not be kept
# for long, because only short windows need them.
#
# Move the slider, and ask about fewer and fewer values. These are the real blocks of `shadersort`,
# for ε = 1/8 and at most 256 values. Grey blocks are held, blue ones answer. The hatched values are
# uncovered: fewer than an eighth of those that were asked about. For the shortest windows there are
# the newest values, as they are.

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
# windows may be further off. (`shadersort/streams/arasu_manku_quantiles.py` adds all that up.)

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
# At the left, where n is small, all lie on zero: there the values themselves are still at hand.
# Then blocks take over, and the answers spread, but stay inside the band. That is what the
# guarantee says: not "usually", but *for every n and every stream*.
#
# ## What forgetting costs
#
# With ε = 0.01, a summary of a *whole* stream held 16,000 entries after 100 million values (that is
# in the record which we draw below). A sliding one holds more, because it must be able to drop any
# of its parts.

# %%
picture(
    pictures.show_memory(0.01),
    "entries held, at most, over the length of the window, in three ways",
)

# %% [markdown]
# For short windows the cheapest summary is the window itself, and that is what `shadersort` keeps
# then: blue lies on the dashed line. For 100 million values it holds less than a hundredth of them.
# Who always asks about the same n says so, `ss.SlidingQuantiles(0.01, window=n, shortest=n)`, and
# gets the red line.
#
# ## What comes often, lately
#
# Blocks work for counting, too. Of each block we keep how often its values come, and leave out what
# is rare in it: so a count can be too small, by at most εn, and never too large.
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
# The lines are the truth, the bands what is allowed below it, 5 % here, and the dots what
# `ss.SlidingFrequencies` tells. Page 404 rises above the dashed line, 20 %, while it is talked
# about, and sinks when its visits leave the window. The dots are nearly exact here; the bands are
# for the worst stream that there may be.

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
# which sorted the blocks, and on a CPU of that time. Its numbers are in drawings alone, so here are
# ours only: the same workloads, on two cores of a CPU of today. Hollow dots are windows that are
# kept as they are, without any block, because that takes less memory.

# %%
show = show_figures(record("streams-figures-numpy"), record("streams-sliding-numpy"))
picture(show, "seconds for 100 million values over ε, for three kinds of summaries")

# %% [markdown]
# - **Figure 7.** The dashed line is the time for sorting. For small ε it is nearly all: here the
#   blocks that are sorted are large. The paper found 85 to 90 % (section 5.2). That is why it gave
#   the sorting to the graphics card, and the rest to the CPU.
# - **Figure 8.** Counting, too, is mostly sorting. The paper tells of the other end: blocks of the
#   lowest levels are so small that sorting them on the card did not pay, and it left those to the
#   CPU (section 5.3).
# - **Figure 9.** Here sorting is the smaller part. Blocks of many levels are merged, made coarser
#   and dropped, all the more if n may be anything.
# - **Where a curve falls steeply**, ε is so small that blocks would take more memory than the
#   window. Then the values are just kept, and nobody sorts until somebody asks.
#
# Of its figures 7 and 8 the paper says that card and CPU were comparable. (Our quantiles are those
# of halves, which the card could blend; our frequencies those of single floats from Zipf's
# distribution, where few values come very often.)
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | sliding window | the last n values of a stream |
# | block | a piece of the stream with a summary of its own, to be dropped as a whole |
# | uncovered | values at the old end whose block begins before the window: fewer than one block |
# | level | the stream, cut into blocks of one size; each level's are twice as large |
# | guarantee | a band of ± εn ranks, or of εn missing counts, that no stream can leave |
#
# The lessons on streams end here. The next one asks for the median of numbers that do stay where
# they are.
