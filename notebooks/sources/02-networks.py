# %% [markdown]
# # 2 · Sorting without branches
#
# **The idea.** A sorting network fixes which keys are compared before it sees any key. So it never
# branches, and a machine that can only draw can run it.
#
# **Time.** 35 minutes.
#
# The [first lesson](01-drawing.ipynb) ended with a machine that compares many pairs of keys at
# once, in three drawing commands, and can do nothing that depends on the result. Which pairs must
# it compare so that all keys are sorted in the end?

# %%
from itertools import permutations

import numpy as np

import shadersort as ss
from shadersort.lessons import Frames, film, picture
from shadersort.lessons.networks import exercises as lesson
from shadersort.lessons.networks import pictures
from shadersort.lessons.networks.exercises import zeros_and_ones
from shadersort.pictures.plots import draw_network

# %% [markdown]
# ## One comparator
#
# A **comparator** takes two keys and returns them in order: the smaller one at the place `low`, the
# larger one at `high`. There is no `if` in it. MIN and MAX blending do exactly this.


# %%
def compare(keys, low, high):
    """Put two of the keys in order, in place; keys[..., i] is key i of every input."""
    smaller = np.minimum(keys[..., low], keys[..., high])
    larger = np.maximum(keys[..., low], keys[..., high])
    keys[..., low], keys[..., high] = smaller, larger


keys = np.array([7, 2])
compare(keys, 0, 1)
keys

# %% [markdown]
# ## Several comparators make a network
#
# Draw a horizontal line for each place: a **wire**. A comparator is a vertical line between two
# wires. Keys enter at the left and travel to the right; at each comparator the smaller key takes
# the upper wire.
#
# Comparators that touch different wires may act at the same time. Together they are a **step**. For
# a graphics card a step is what counts: it is three passes, however many comparators are in it.
#
# Here are five comparators in three steps, and four keys on their way. On the left you read the
# keys as they enter, on the right, in bold, as they are now. Small keys are dark, large
# ones are bright. Move the slider. (This small network is Batcher's *odd-even merge* of 1968. It
# only serves as an example here.)

# %%
four = ss.network("odd-even-merge", 4)
four_keys = np.array([8, 3, 9, 1])


def journey(steps_done):
    """Draw the network with the keys as they are after some steps."""
    return pictures.show_journey(four, four_keys, steps_done)


Frames(
    four.depth + 1, journey, "four keys travel through a network of five comparators", seconds=1.5
)

# %% [markdown]
# ## Does it always sort?
#
# It sorted 8, 3, 9, 1. Does it sort everything? Four different keys can arrive in 4! = 24 orders.
# Let us try them all. `network.apply` sends every row of an array through a network.

# %%
orders = np.array(list(permutations(range(4))))
sorted_orders = four.apply(orders)
print(len(orders), "orders, all sorted:", np.all(sorted_orders == np.arange(4)))

# %% [markdown]
# For 16 keys there are 16! ≈ 2 · 10¹³ orders. We cannot try them all, and we need not.
#
# ## The 0-1 principle
#
# > If a network sorts every input of **zeros and ones**, it sorts every input.
#
# There are only 2ⁿ such inputs: 65,536 for 16 keys. Why is the principle true? Choose any
# threshold, and paint every key: 0 if it is smaller, 1 if it is not.

# %%
picture(
    pictures.show_threshold(np.array([5, 2, 7, 3, 8, 1, 6, 4]), threshold=5),
    "eight keys as bars, cut by a threshold into zeros and ones",
)

# %% [markdown]
# For a comparator it makes no difference whether we paint the keys before it or after it. If the
# smaller key is painted 1, then the larger key is painted 1, too; so the paint leaves in order. The
# same holds for the next comparator, and so for the whole network.
#
# Now suppose that a network leaves some keys in the wrong order: a larger one above a smaller one.
# Put the threshold between these two. The painted input consists of zeros and ones, and the network
# leaves a 1 above a 0. So it fails on that input of zeros and ones, too.
#
# So a network that never fails on zeros and ones never fails.
#
# Let us find a mistake with it. This is our network without its last comparator.

# %%
broken = ss.Network("without the last step", 4, four.steps[:-1])
inputs = zeros_and_ones(4)
outputs = broken.apply(inputs)
wrong = np.any(outputs[:, :-1] > outputs[:, 1:], axis=1)
for before, after in zip(inputs[wrong], outputs[wrong], strict=True):
    print(before, "→", after)

# %% [markdown]
# ### Your turn
#
# Write the test: do these comparators, one after the other, sort every input of n keys?
# `zeros_and_ones(n)` is an array with 2ⁿ rows, one input a row, and `compare` from above works on
# all of them at once.


# %%
def sorts(comparators, n):
    """Return True if the comparators, a list of pairs (low, high), sort every n keys."""
    # solution
    keys = zeros_and_ones(n)
    for low, high in comparators:
        smaller = np.minimum(keys[:, low], keys[:, high])
        larger = np.maximum(keys[:, low], keys[:, high])
        keys[:, low], keys[:, high] = smaller, larger
    return bool(np.all(keys[:, :-1] <= keys[:, 1:]))
    # end


lesson.sorts.check(sorts)

# %% [markdown]
# ## A network of mirrors
#
# Lesson 1 compared key i with key n − 1 − i, for all i at once. This is the **balanced**
# comparison, and a whole network can be made of nothing else. It is the *periodic balanced sorting
# network*, PBSN, of Dowd, Perl, Rudolph and Saks (1989):
#
# 1. compare like this within all n keys;
# 2. then within each half, then within each quarter, and so on, down to neighbours. These log₂ n
#    steps are a **stage**;
# 3. repeat the very same stage log₂ n times.

# %%
picture(draw_network(ss.network("pbsn", 8)).figure, "PBSN for 8 keys: three equal stages")

# %% [markdown]
# (Comparators of one step that would cross are drawn side by side. They act at once, all the same.)
#
# Here is how 8 keys travel through it.

# %%
eight = ss.network("pbsn", 8)
eight_keys = np.array([4, 3, 2, 8, 7, 1, 6, 5])
Frames(
    eight.depth + 1,
    lambda steps_done: pictures.show_journey(eight, eight_keys, steps_done),
    "eight keys travel through PBSN",
    seconds=1,
)

# %% [markdown]
# After the first stage, three steps, most keys are near their places, and the later stages correct
# the others. These keys are in order only one step before the end. Three quarters of all 8! orders
# are sorted at least three steps before the end. A person would stop then. The network cannot stop,
# because it never looks at the keys.
#
# Does it sort? For 16 keys the 0-1 principle gives the answer in a moment.

# %%
outputs = ss.network("pbsn", 16).apply(zeros_and_ones(16))
print(len(outputs), "inputs, all sorted:", np.all(outputs[:, :-1] <= outputs[:, 1:]))

# %% [markdown]
# ### Your turn
#
# Write down the comparators of one step of PBSN: n wires in blocks of `block` wires, and in each
# block wire i is compared with the mirrored wire.


# %%
def balanced_comparators(n, block):
    """Return a list of pairs (low, high), low < high; n and block are powers of two."""
    # solution
    pairs = []
    for first in range(0, n, block):
        for i in range(block // 2):
            pairs.append((first + i, first + block - 1 - i))
    return pairs
    # end


lesson.balanced_comparators.check(balanced_comparators)

# %% [markdown]
# ## Another network: bitonic
#
# Batcher's **bitonic** network (1968) needs fewer steps. It merges: first pairs, then fours out of
# two sorted pairs, then eights. Each merge begins with a mirror; the steps after it compare keys at
# a fixed distance.

# %%
picture(draw_network(ss.network("bitonic", 8)).figure, "the bitonic network for 8 keys")

# %% [markdown]
# See them side by side, on 64 keys. A dot is a key: to the right is its wire, upwards its size.
# Sorted keys lie on the diagonal.

# %%
keys = np.random.default_rng(3).permutation(64)
networks = [ss.network("pbsn", 64), ss.network("bitonic", 64)]
film(
    pictures.show_orders(networks, keys), "64 keys in PBSN and in the bitonic network", seconds=0.4
)

# %% [markdown]
# The two behave differently. PBSN brings all keys close to their places early, and needs many more
# steps for the rest. The bitonic network makes small sorted pieces, the slanted lines, and the
# whole is sorted only when the last merge joins them.
#
# ## What each of them costs
#
# With p = log₂ n:
#
# | network | steps | comparators |
# |---|---|---|
# | PBSN | p² | p² · n/2 |
# | bitonic | p(p + 1)/2 | p(p + 1) · n/4 |
# | odd-even merge | p(p + 1)/2 | (p² − p + 4) · n/4 − 1 |

# %%
for name in ss.NETWORKS:
    network = ss.network(name, 1 << 20)
    print(
        f"{name:15} a million keys: {network.depth} steps, {network.comparator_count:,} comparators"
    )
picture(
    pictures.show_counts([1 << p for p in range(1, 25)]), "steps and comparators of three networks"
)

# %% [markdown]
# PBSN needs nearly twice as many steps as the others. A quicksort on a CPU would make fewer
# comparisons than any of them. And yet Govindaraju, Raghuvanshi and Manocha took PBSN in 2005
# (section 4.4 of *Fast and Approximate Stream Mining of Quantiles and Frequencies Using Graphics
# Processors*). Why is it a good choice on a machine that draws?
#
# - Every step is the same kind of thing: mirrored quads, MIN above, MAX below. With the quads of
#   lesson 1 a step takes a handful of commands.
# - Every texel takes part in every step. No texel is idle.
# - The comparison is done by blending, which that card had built into its hardware. The authors
#   computed from their times that one blending takes 6 to 7 clock cycles. An earlier bitonic sort,
#   written as a program that the card runs for every texel, took at least 53 instructions a step
#   (section 4.5 of the paper).
#
# But bitonic steps can be drawn by blending, too: `ss.sort(keys, network="bitonic",
# method="blend")`.
#
# Lesson 6 asks whether blending is still a good choice today.
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | comparator | two wires; the smaller key leaves on the upper one |
# | step | comparators on different wires, all at once: three passes on a card of 2005 |
# | network | steps, fixed before any key is seen |
# | 0-1 principle | a network that sorts all zeros and ones sorts every input |
# | PBSN | log₂ n equal stages of log₂ n mirrored steps |
#
# [The next lesson](03-by-drawing.ipynb) combines lessons 1 and 2: it runs a network by drawing,
# pass by pass.
