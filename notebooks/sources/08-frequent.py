# %% [markdown]
# # 8 · Frequent items and heavy hitters
#
# **The idea.** A summary of frequent items may forget rare items after each window, if it records
# how much it may have forgotten.
#
# **Time.** 35 minutes.
#
# [Lesson 7](07-quantiles.ipynb) sorted windows of a stream to find its quantiles. Here we sort
# windows again for another question: which items are frequent, and how often do they occur?

# %%
from ipaddress import IPv4Address

import numpy as np

import modern
import shadersort as ss
from modern.arrays import has_gpu
from shadersort.lessons import Frames, picture, record
from shadersort.lessons.frequent import exercises as lesson
from shadersort.lessons.frequent import pictures
from shadersort.lessons.frequent.exercises import histogram_of
from shadersort.lessons.shared.timing import speeds_here

# %% [markdown]
# ## Few are frequent, many are rare
#
# A music service notes which song each listener plays. Here are 180,000 plays; a song is a number.
# The songs 777 and 888 are published at noon, and are played often from then on.

# %%
rng = np.random.default_rng(8)
songs = np.arange(1, 50_001)
stream = rng.choice(songs, 180_000, p=songs**-1.1 / np.sum(songs**-1.1))
afternoon, dice = stream[90_000:], rng.random(90_000)
afternoon[dice < 0.05] = 777
afternoon[dice > 0.982] = 888
stream[:12]

# %% [markdown]
# Count them all, and put the songs in order, the most frequent first. Both axes are logarithmic.

# %%
picture(pictures.show_popularity(stream, 0.01), "the share of each song, the most frequent first")

# %% [markdown]
# Eleven songs make up more than 1 % of the plays each. Thousands are played once or twice. The
# words of a language, the visitors of a web site and the goods of a shop are distributed in the
# same way.
#
# Our question: **which songs make up more than 1 % of all plays?** The share that we ask for, 1 %,
# is called the **support**. Counting everything would answer it, but takes a counter for each song:

# %%
print(f"{len(np.unique(stream)):,} different songs among {len(stream):,} plays")

# %% [markdown]
# The stream never ends, and new songs keep coming. Nearly all of these counters are useless, but we
# do not know which.
#
# ## Counting by sorting
#
# First, one window. How does a machine that can only sort count? Equal items stand side by side
# afterwards, in **runs**. The length of a run is the count.

# %%
window = np.array([3, 0, 3, 1, 6, 3, 0, 2, 3, 0, 1, 3])
picture(pictures.show_runs(window), "twelve items as they came, and sorted, with the runs marked")

# %% [markdown]
# This is how Govindaraju, Raghuvanshi and Manocha count in *Fast and Approximate Stream Mining of
# Quantiles and Frequencies Using Graphics Processors* (SIGMOD 2005, section 5.1): the graphics card
# sorts the window, and the rest is a walk along it.
#
# ### Your turn
#
# Write it with NumPy, and without `np.unique`: sort the window, and find where runs begin and end.


# %%
def histogram(window):
    """Return the different items of a window in order, and how often each of them comes."""
    # solution
    ordered = np.sort(window)
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[begins], np.diff(begins, append=len(window))
    # end


lesson.histogram.check(histogram)

# %% [markdown]
# ## The water rises
#
# Now window after window comes, and we hold a counter for each item that we have seen. From time to
# time some counters must be dropped. Which ones, and what do we lose? **Lossy counting**, by Manku
# and Motwani (2002), gives an answer. Here it is as a picture; step through it, or let it run.

# %%
small = rng.permutation(12)[np.minimum(rng.zipf(1.4, 64) - 1, 11)]
story = pictures.moments(small, 8)
Frames(
    len(story),
    lambda number: pictures.show_water(story[number], 28),
    "bars of counts over rising water, window by window",
    seconds=1.2,
)

# %% [markdown]
# - A bar is an item that we hold. Its blue part is the **count**: how often it came since we began
#   to hold it.
# - When a window is over, the water rises by one. Bars that do not rise above it are dropped (red).
# - A new item may have been held and dropped before. So its bar stands on a grey **plinth** as high
#   as the water: this is how often it **may have been missed**, at most. The plinth never grows.
# - The black line is how often the item really came, since the beginning. We do not know it.
#
# Watch the black lines. Where there is a bar, the line is never above its top, and never below the
# height of the blue part. Where there is no bar, the line is **under water**. Always. Why?
#
# An item without a bar was dropped, or never seen. When it was dropped, its bar was under water,
# and it had come at most as often as its bar was high. So it came at most as often as the water is
# high. The same is true of an item that returns; its plinth is for that.
#
# How high is the water? It rises by one for each window. With windows of w items and N items so
# far, that is N / w. With w = 1/ε it is εN. So we know for every item, held or not:
#
# > its true count is at least what was counted, and at most **εN** more.
#
# ### Your turn
#
# Write one round. `held` is a dictionary: item → (count, missed). A window comes, after `over`
# earlier windows. `histogram_of(window)` returns two lists, the items and their counts. Return a
# new dictionary of what is still held once the window is over. (The checker shows it as two rows,
# the counts and the plinths of the items 0 to 11.)


# %%
def take_window(held, window, over):
    """Return what is held after one more window: {item: (count, missed)}."""
    # solution
    now = dict(held)
    for item, count in zip(*histogram_of(window), strict=True):
        before, missed = now.get(item, (0, over))
        now[item] = (before + count, missed)
    return {item: pair for item, pair in now.items() if sum(pair) > over + 1}
    # end


lesson.take_window.check(take_window)

# %% [markdown]
# ## No false negatives
#
# Back to the songs. `ss.FrequencySummary` counts like this. (Its windows have several times 1/ε
# items, and its water rises by several at once: then there is less to merge.)

# %%
summary = ss.FrequencySummary(0.001)
summary.update(stream)
print(summary)
for row in summary.frequent_items(0.01):
    print(f"song {row['item']:3}: from {row['lower']:6,} to {row['upper']:6,} plays")

# %% [markdown]
# Song 777 has been held since noon, so it stands on a plinth. All others have been held since the
# first window, and their counts are exact.
#
# Which items does it report? Those whose count *may* be above the support s: all bars that reach
# sN. An item that comes so often has a bar at least that high, so **none is missing**. A bar may be
# too high, so an item that comes a little less often may be reported, too. But no item is reported
# that comes less than (s − ε)N times.
#
# Choose ε with the slider. A dot is a song. To the right is its true frequency; upwards, by how
# much its count is too low. The blue band is the guarantee.

# %%


def with_epsilon(number):
    """Draw how good the counts of a summary are, with one of four bounds."""
    chosen = ss.FrequencySummary([0.008, 0.004, 0.002, 0.001][number])
    chosen.update(stream)
    return pictures.show_estimates(chosen, stream, 0.01)


Frames(4, with_epsilon, "how far counts are too low, for ε from 0.008 to 0.001", seconds=2)

# %% [markdown]
# - No dot is above the band, and none below zero: counts are never too high.
# - The rising curve on the left shows the songs that are not held. All their plays are missing: at
#   most εN for each.
# - Right of the red line all dots are blue: none is missing. Left of the dotted line no dot is
#   blue. Between the two, a blue dot is a false alarm: song 888, which may have been played in the
#   morning. A smaller ε allows fewer of them.
#
# How much memory is needed? After B windows the water stands at B. An item that has stayed above it
# for i windows must have come more than i times in them, and a stream cannot hold many such items.
# There are at most (1/ε) · (1 + ln B) of them, and in practice far fewer.
#
# (The paper describes this step in half a sentence: items with a count of one are deleted. In the
# first window that is the same. Later the water decides, as Manku and Motwani describe it.)
#
# ## What it costs
#
# The paper's figures 5 and 6: how long it takes for 100 million values of 16 bits, and where the
# time goes. This is a CPU of today, without a graphics card. The values are random, as in the
# paper, or as uneven as the songs (Zipf).

# %%
picture(
    pictures.show_figures(), "seconds against ε, and the shares of sorting, merging, compressing"
)

# %% [markdown]
# In 2005 sorting took 80 to 90 percent of the time (section 5.1), so a graphics card helped. Here
# it takes {{least_sorting}} for the largest ε, and {{most_sorting}} only for the smallest, with
# windows of {{longest_window}} values. Processors sort much faster now; and with short windows the
# work for each window outweighs the work for each value. The paper reports the same for its card:
# it was fast with large windows, and slow with small ones. (The rest is cutting the stream into
# windows, and finding NaNs.)
#
# Cards of today count many windows at once. If you have one, the next cell measures it.

# %%
if has_gpu():
    import cupy

    on_gpu = modern.Sorter()
    here = speeds_here(cupy, lambda ε: ss.FrequencySummary(ε, sorter=on_gpu), [1e-3, 1e-4])
    for epsilon, speed in here.items():
        print(f"ε = {epsilon:<6g} {speed:8,.0f} million values a second, measured here and now")
else:
    card = record("streams-nvidia-h200")
    for row in card.where(workload="frequencies", place="device"):
        speed = 1000 * row["gvalues_per_s"]
        print(f"{row['data']:8} ε = {row['epsilon']:g} {speed:8,.0f} million values a second")
    print(card.label)

# %% [markdown]
# ## Heavy hitters: when no single item is frequent
#
# A network is flooded with packets. Who sends them? Each packet has the address of its sender: four
# numbers from 0 to 255. Let us make 100,000 packets.

# %%
n = 100_000
addresses = rng.integers(0, 2**32, n, dtype=np.uint32)  # from anywhere
kind = rng.random(n)
host, small, large = ss.streams.ipv4_numbers(["203.0.113.7", "203.0.113.0", "10.20.0.0"])
addresses[kind < 0.47] = large + rng.integers(0, 65_536, np.sum(kind < 0.47), dtype=np.uint32)
addresses[kind < 0.27] = small + rng.integers(0, 256, np.sum(kind < 0.27), dtype=np.uint32)
addresses[kind < 0.12] = host

single = ss.FrequencySummary(0.005)
single.update(addresses)
for row in single.frequent_items(0.1):
    print(IPv4Address(int(row["item"])), "sends", f"{row['estimate']:,} packets")

# %% [markdown]
# Only one address is frequent, with about 12 % of the packets. But two whole networks send many
# packets, too: none of their other addresses sends many, but all of them together do.
#
# Addresses have a **hierarchy**. The first three numbers name a network of 256 addresses, written
# `203.0.113.0/24`, because three numbers are 24 bits. The first two name a larger network, `/16`.
# So we count not only addresses but also their **prefixes**: one summary for each length.
#
# Now too many prefixes are frequent. If one address sends 12 %, then its network sends at least 12
# %, and the larger one around it, too. So a prefix is called a **heavy hitter** only if it is
# frequent *without* its longer prefixes that are heavy already. Cormode, Korn, Muthukrishnan and
# Srivastava (2003) defined it so, and section 5.4 of our paper names it as a use for a fast sort.

# %%
networks = ss.HierarchicalHeavyHitters(0.005, "ipv4")
networks.update(addresses)
heavy = networks.heavy_prefixes(0.1)
picture(
    pictures.show_heavy(networks, heavy), "four heavy prefixes: all of their packets, and their own"
)

# %% [markdown]
# The heavy hitters are: one address; the small network around it, which sends more than this
# address does; a large network; and `0.0.0.0/0`, which is every address. Grey is the part that
# longer prefixes explain. About half of all packets are explained by no longer prefix.
# `203.0.0.0/16` is missing, although more than a quarter of all packets begin with it: longer
# prefixes explain all of them.
#
# A window is sorted only once for all lengths: if addresses are in order, then so are their
# prefixes.
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | histogram | sort, and measure the runs |
# | support s | the share above which an item is frequent |
# | lossy counting | after each window the water rises by one, and items under water are dropped |
# | plinth | how often an item may have been missed: as high as the water when it came |
# | ε | no count is too high, and none is too low by more than εN |
# | no false negatives | everything above sN is reported, and nothing below (s − ε)N |
# | heavy hitter | a prefix that is frequent without the items of longer heavy prefixes |
#
# Lessons 7 and 8 summarise a stream from its beginning. The next one summarises only its end.
