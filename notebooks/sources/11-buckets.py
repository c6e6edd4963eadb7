# %% [markdown]
# # 11 · Buckets, digits, dice
#
# **The idea.** To find one key, put all keys into bins, count them, and continue with a single bin.
# Three ways to choose the bins differ in how badly an enemy can slow them down.
#
# **Time.** 40 minutes.
#
# You look for the card of one person in an archive. You do not sort the archive. You open the right
# drawer and ignore all others; in the drawer you take the right folder. Every method of this lesson
# works like that (Alabi, Blanchard, Gordon and Steinbach, *Fast k-selection algorithms for graphics
# processing units*, 2012, section 1.1):
#
# 1. choose bins, and a rule that puts each key into a bin;
# 2. count the keys in each bin;
# 3. find the bin that holds the key we look for;
# 4. continue with the keys of that bin alone.
#
# We look for the key of **rank** k: k keys come before it in order. Ranks begin at 0. The median of
# n keys, n odd, has rank (n − 1) / 2.

# %%
import numpy as np

import modern
from modern.arrays import has_gpu
from shadersort.keys import datasets
from shadersort.keys.codes import encode
from shadersort.lessons import picture, record
from shadersort.lessons.buckets import bins, pictures
from shadersort.lessons.buckets import exercises as lesson
from shadersort.lessons.shared import selecting
from shadersort.selection import select
from shadersort.selection.methods.randomized import bracket
from shadersort.selection.primitives import NumPyPrimitives

# %% [markdown]
# ## Buckets
#
# Cut the range from the smallest to the largest key into equal pieces: **buckets**. One read of the
# keys counts how many fall into each. Add the counts up from the left. The first bucket where the
# sum is larger than k holds the key of rank k. The next round cuts this bucket into pieces. Here
# are 10,001 keys: many small ones, few large ones.

# %%
keys = datasets.make("half-normal", 10_001, seed=3)
pictures.show_rounds(keys, k=5000, count=16, rounds=3)

# %% [markdown]
# Left: the counts of 16 buckets. Right: the same, added up, with the rank as a dashed line. After
# three rounds of 16 buckets, a handful of 10,001 keys is left. The first round was the least
# effective, because these keys crowd on the left. The second had a small piece of the range, where
# keys are almost evenly spread.
#
# ### Your turn
#
# Write one round. Key x belongs in bucket number ⌊count · (x − min) / (max − min)⌋. Only the
# largest key would have number `count`; it belongs in the last bucket.


# %%
def one_round(keys, k, count):
    """Return the keys in the bucket of rank k, and the rank of the same key among them."""
    # solution
    shares = (keys - keys.min()) / (keys.max() - keys.min())
    number = np.minimum((count * shares).astype(int), count - 1)
    ends = np.cumsum(np.bincount(number, minlength=count))
    chosen = np.searchsorted(ends, k, side="right")
    return keys[number == chosen], k - np.sum(number < chosen)
    # end


lesson.one_round.check(one_round)

# %% [markdown]
# A card can have more than 16 counters. The paper takes 1,024, few enough for the fast memory that
# each of its multiprocessors has (section 2.3). `bucket_rounds` repeats the round until all keys
# that are left are equal, and says how many were left each time.

# %%
uniform = datasets.make("uniform", 2**20)
k = 2**19
answer, left = bins.bucket_rounds(uniform, k, 1024)
print("left:", left, "  right:", answer == np.partition(uniform, k)[k])

# %% [markdown]
# A million keys, two rounds. Is anything better possible?
#
# ## Digits
#
# The second rule needs no range. Numbers have **digits**, and the first digit is the most
# important. Count the first digits, choose the right one, and drop all numbers with another first
# digit. Then the second digit.

# %%
archive = np.array(
    [375, 968, 431, 506, 80, 416, 963, 482, 990, 426, 604, 801, 423, 51, 738, 247, 655]
)
pictures.show_digits(archive, k=6, digits=3)

# %% [markdown]
# The digit that is counted is blue, the known digits are green, dropped numbers are grey.
#
# A machine takes digits of a few bits. The paper's have four, so there are 16 of them (section
# 2.2). A number of 32 bits has eight such digits, and after eight rounds the answer is there,
# *whatever the keys are*. In NumPy, for whole numbers of 32 bits:


# %%
def digit_rounds(codes, k):
    """Return the code of rank k, and how many were left before the first digit and after each."""
    left = [len(codes)]
    for shift in range(28, -1, -4):
        digit = codes >> shift & 15
        ends = np.cumsum(np.bincount(digit, minlength=16))
        chosen = np.searchsorted(ends, k, side="right")
        k = k - np.sum(digit < chosen)
        codes = codes[digit == chosen]
        left.append(len(codes))
    return codes[0], left


whole = datasets.make("uniform", 2**20, dtype="uint32")
answer, left = digit_rounds(whole, k)
print("left:", left, "  right:", answer == np.partition(whole, k)[k])

# %% [markdown]
# ## The digits of a float
#
# Our keys are not whole numbers. But a float is 32 bits too: a sign, then the size, then the rest.
# We can read these bits as a whole number. Are these numbers in the right order?

# %%
some = np.array([-2, -1, -0.5, 0.5, 1, 2], np.float32)
for key, bits in zip(some, some.view(np.uint32), strict=True):
    print(f"{key:5}   {bits:032b}   {bits:10}")

# %% [markdown]
# Nearly. Positive floats are in order. Negative ones come after them, because their first bit, the
# sign, is 1. And their order is reversed: their bits are those of the positive float, with the sign
# set.

# %%
picture(
    pictures.show_bits(encode),
    "the bits of floats read as whole numbers, wrong for negative keys, beside codes that grow "
    "with the key",
)

# %% [markdown]
# ### Your turn
#
# Make codes of the bits: whole numbers in the order of the floats. You are given the bits alone, an
# array of type uint32, and return an array of the same type. The checker sorts floats by your
# codes.


# %%
def codes(bits):
    """Return codes, uint32, that are in the order of the floats with these bits."""
    # solution
    return np.where(bits >> 31 == 1, ~bits, bits | np.uint32(2**31))
    # end


lesson.codes.check(codes)

# %% [markdown]
# With such codes digits can find floats. (`encode` is the package's own function for it; there 0.0
# and −0.0 have the same code.)

# %%
_, left = digit_rounds(encode(uniform), k)
print("left:", left)

# %% [markdown]
# Eight rounds, where the buckets took two! Most keys between 0 and 1 have similar sizes, and a
# float begins with its size. So all of them share the first digit, and the second leaves half of
# them. This is one reason why the paper's radixSelect is slower than its bucketSelect on most data
# (section 4.2). Is there data on which it is better?
#
# ## The Bucket Killer
#
# Now be the enemy. You know that buckets are equally wide, and you want every round to leave nearly
# all keys. So you put one key very far away: all others fall into the first bucket. The next round
# has the range of that bucket; so you put another key there, a thousand times closer. And so on.
# The paper (section 4.2.5) takes the 65 powers of two from 2³² down to 2⁻³², and all other keys
# close to 2⁻³². They call this data set the Bucket Killer.

# %%
killer = datasets.make("bucket-killer", 2**20)
left = {"bucket": [], "radix": []}
for data in (uniform, killer):
    left["bucket"].append(bins.bucket_rounds(data, k, 1024)[1])
    left["radix"].append(digit_rounds(encode(data), k)[1])
picture(
    pictures.show_left(left, ["uniform", "Bucket Killer"]),
    "keys left after each round: on uniform keys buckets need two rounds, on the Bucket Killer "
    "seven rounds leave nearly all; digits take eight rounds on both",
)

# %% [markdown]
# Each of the first seven rounds of buckets drops about ten keys of a million. Digits make no
# progress for four rounds either: the killer's keys are close to one another, and share their first
# digits. But there are only eight digits, and no enemy can add a ninth. Buckets have no such limit:
# each round divides the range by 1,024, and the range can be enormous (theorem 3.1 of the paper).
# Doubles have 64 bits, or 16 digits, and reach from 2⁻¹⁰²² to 2¹⁰²³:

# %%
powers = 2.0 ** np.arange(-1000, 1001, 5)
close = 2.0**-1000 * (1 + np.random.default_rng(0).random(10_000) / 1024)
_, left = bins.bucket_rounds(np.append(powers, close), 5000, 1024)
print(f"buckets: {len(left) - 1} rounds, and after 100 of them", end=" ")
print(f"{left[100]:,} of {left[0]:,} keys are left; digits: at most 16 rounds")

# %% [markdown]
# On a card it is worse than the number of rounds shows. Thousands of threads count at the same
# time. Two that want to add 1 to the *same* counter must wait for one another, so a bucket with all
# keys in it is a long **queue**. For 2²⁷ floats of the Bucket Killer the paper reports on average
# 135 times the time of a full sort, and up to 395 times the time of digits.
#
# This package avoids it. When a round of buckets leaves more than half of the keys, the next one
# takes the leading digits of the *codes* as buckets. Look at the names of the steps:

# %%
_, trace = select(NumPyPrimitives(killer), k, method="bucket", return_trace=True)
for step in trace.iterations:
    print(f"{step.name:17} leaves {step.candidates:9,}")

# %% [markdown]
# ## Dice
#
# Both rules use the *values* of the keys, so an enemy can choose bad keys. The third rule uses only
# which of two keys is smaller, and chooses the bins at random.
#
# Draw 64 keys at random. How many of them are below the median? Half of all keys are, so each draw
# is the toss of a coin, and we ask for the number of heads. It is about 32: with a probability of
# 90% from 25 to 39. (This is the *binomial distribution*, and it is the same for all keys.)
#
# So sort these 64, which costs almost nothing. The median of all keys lies between number 25 and
# number 40 of them, with a probability of 90%: a **bracket**. Draw several times:

# %%
pictures.show_throws(keys, samples=64, probability=0.9, seeds=range(10, 18))

# %% [markdown]
# Left: the coin's distribution; the line is how many of this sample were below the median. Right:
# all keys, the sample under them, and the bracket in purple with the median as a dashed line. One
# of these eight throws missed.
#
# A miss is no failure. One read counts the keys below the bracket and inside it. So we *see* on
# which side the answer is, and draw again there. A hit leaves only the keys inside. The larger the
# sample, the fewer they are:

# %%
for samples in (64, 1024, 16384):
    first, last = bracket(samples, 0.5, 0.9)
    print(f"{samples:6} keys drawn: bracket of {(last - first + 1) / samples:6.1%} of the keys")

# %% [markdown]
# (The method is by Monroe, Wendelberger and Michalak, *Randomized selection on the GPU*, 2011;
# section 5.2 of the paper describes it, also with 90%. This package takes 99%: its brackets are
# about 1.5 times as wide, and rarely miss.)
#
# No enemy can prepare for it without knowing the random numbers. Here it is on the Bucket Killer:

# %%
_, trace = select(NumPyPrimitives(killer), k, method="randomized", return_trace=True)
for step in trace.iterations:
    print(f"{step.name:8} leaves {step.candidates:7,}")
print(f"keys read: {trace.keys_read / len(killer):.1f} times all")

# %% [markdown]
# ## Then and now
#
# This is table III of the paper, and the same table measured with this package. The keys are
# uniform floats; the times are means over several ranks. `sort-choose` sorts all keys.

# %%
again = record("reproduce-nvidia-h200")
methods = ["sort-choose", "radix", "bucket"]
picture(
    selecting.show_then_and_now(
        again, "alabi-2012-3", methods, "Tesla C2070 (Alabi et al. 2012)", statistic="mean"
    ),
    "milliseconds against the number of keys, in 2012 and today: sorting, digits and buckets",
)

# %%
print(f"2^29 keys        2012        now   ({again.label})")
for method in methods:
    n, then, now = selecting.then_and_now(again, "alabi-2012-3", method, statistic="mean")[-1]
    print(f"{method:12} {then:7.1f} ms  {now:6.2f} ms   {then / now:4.0f} times as fast")

# %% [markdown]
# In 2012 digits took {{then}} times as long as buckets. Now they take {{now}} times as long. Why?
#
# - The digits of this package begin at the first bit in which the smallest and the largest key
#   differ. Bits that all keys share are never counted, and on a GPU a digit has more than four
#   bits.
# - On a GPU both methods end alike: when at most four million keys are left, one launch divides
#   their codes by digits until the answer is found. So the two differ in their first rounds only.
#
# And the enemies? Here they are, with today's methods, in reads of the keys. The dotted line is one
# read, the limit: the median is unknown until every key has been read.

# %%
enemies = {
    "uniform": "uniform",
    "normal": "normal",
    "sorted": "sorted",
    "ones": "all ones",
    "ones-and-twos": "ones\nand twos",
    "bucket-killer": "Bucket\nKiller",
}
bins = ["radix", "bucket", "randomized"]
picture(
    pictures.show_adversaries(record("modern-nvidia-h200"), enemies, bins),
    "time in reads of the keys for six data sets: no method comes near to a full sort, and the "
    "randomized one is the fastest on each",
)

# %% [markdown]
# These data sets are harmless now. In 2012 buckets took up to 23 times as long as a sort for ones
# and twos, and 135 times as long for the Bucket Killer. Now they take {{killer}} times as long for
# the killer as for uniform keys, and a sort takes {{killer_sort}} times as long as that. There are
# two reasons. Digits replace rounds that make no progress. And the queues hardly matter: ones and
# twos meet in two counters, and digits take {{twos}} reads for them, and {{uniform}} for uniform
# keys.
#
# And the dice? In 2012, on uniform floats, they took {{dice_then_few}} times as long as buckets for
# 2¹⁷ keys, and just as long for 2²⁹ (table IX). Today they are the fastest on all six data sets:
# {{dice_reads}} reads for uniform keys, and no enemy can change that. (The package's dice have a
# seed, so that a run can be repeated. An enemy who knows the seed could prepare.) Measured again,
# table IX has the dice at {{dice_now_few}} times the time of buckets for 2¹⁷ uniform floats, and at
# {{dice_now_many}} times for 2²⁹: on a GPU of today reading the keys is what costs, and the dice
# read them least often.
#
# If you have a GPU, the next cell measures the three there, on 2²⁶ uniform keys.

# %%
if has_gpu():
    import cupy

    wait = cupy.cuda.Device().synchronize
    here = selecting.reads_here(cupy, modern.select, bins, wait=wait)
    for method, reads in here.items():
        print(f"{method:14} {reads:5.1f} reads of 2^26 keys, measured here and now")
else:
    print("No GPU here: see the recorded times.")

# %% [markdown]
# ## What to remember
#
# | bins | chosen by | their enemy |
# |---|---|---|
# | buckets | equal widths | keys that crowd, with a few far away |
# | digits | the bits of a code | none: the rounds are bounded, but many where keys are alike |
# | dice | keys drawn at random | none without the seed: a miss costs a round |
#
# All three rely on counts: for any bins, counts say which bin holds the answer.
#
# Lesson 12 finds a hundred ranks at once.
