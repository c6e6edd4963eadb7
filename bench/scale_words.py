"""The texts of `docs/scale.md`; their numbers are filled in by `bench/scale_page.py`."""

OPENING = """\
# Selection from keys in many places

The exact median needs no sorted keys, and no place that holds all of them. A method of selection
asks questions whose answers add up: how many keys are in each bucket? So each place answers for
its own keys, and only small answers travel. This is how `modern.select`, `multiselect`, `median`
and `quantile` work on arrays of several GPUs, on Dask arrays, and on files that are larger than
memory.

Every answer is proved by counts, so it is exact: nothing here is approximate but the cost model.

| round | question | answer |
|---|---|---|
| sample | which keys are at these random places? | the keys |
| histogram | how many keys are in each of these buckets, and how many are NaN? \
| counters, which add up |
| candidates | which keys are in the bucket with the answer? | the keys, which are few |

Several ranks, such as those of 101 quantiles, are found in the same rounds.
"""

FILES = """\
## Files on one machine

`modern.median("readings.npy")` reads a file piece by piece, in several threads. While some pieces
are counted, others are read, so a round takes as long as the slower of the two. At most
`memory="{memory}"` is used beside the interpreter; smaller and larger budgets are options.

| keys in | are read | because |
|---|---|---|
| `.npy`, raw files, `np.memmap`: the median, few ranks | 1 time \
| two keys of a sample have the answer between them; the keys between are kept |
| `.npy`, raw files, `np.memmap`: many ranks | 2 times \
| a sample, a histogram, candidates |
| Parquet | 2 times, and up to {sampled} row groups once more \
| a sample reads whole pieces |
| Parquet in {many_pieces} or more row groups: the median, few ranks \
| 1 time, and {pieces} row groups once more \
| as above; if those of the sample are not alike, a histogram takes another read |
| chunks that a function makes | 3 times | the first round counts the keys and draws the sample |
| integers of 8 and 16 bits | 1 time | there is a counter for every value |
| dates and times | 1 time more | NaT is counted first |

The sample for those two keys is runs of up to {run} neighbours from random places: a run takes
little longer to read than a key. Neighbours may be alike, so the shares of the runs below a key say
how many independent keys the sample is worth, and the two keys are as far apart as these need.

The keys between those two are kept in the budget. {memory} has room for about {room} keys of 4
bytes, which is enough for a rank of {widest} keys. Ranks for which there is no room, and more than
{brackets} that are no neighbours, are found by a histogram of all keys.

With more than about {largest} keys in a file, a bucket may have more than {collected} keys. They
are not kept: they are read and divided again, which takes 3 more reads.

A file that changes between two rounds raises `InputChanged`. Each piece checks the size of the
file and the time of its last change. Each round also adds up the bits of every piece, and the sums
must be those of the first round. So memory maps and generated chunks are checked as well.

`shadersort quantiles readings.npy --exact` does the same, and says how often the file is read.

All this is for keys that are one row. Rows along an axis of an array of several dimensions, as in
`modern.median("table.npy", axis=0)` and `modern.select("table.npy", 3)`, are answered as those of
an array in memory: a `.npy` file is mapped. `axis=None` makes one row of all keys.
"""

GPUS = """\
## Several GPUs

`modern.median([x, y])` takes a list of arrays on GPUs, or `modern.Parts`, which may also be on the
host. Each device has a thread, so all devices work at once. One rank, or the median, takes these
rounds:

| round | each device reads | what comes to the host |
|---|---|---|
| sample | some of {samples} random keys | the keys |
| bracket | all keys: it counts them at two keys of the sample, copies those between, counts NaNs \
| five counts |
| sample, histogram | the copy, about 1 in 40 of all keys | {samples_few} keys; counters |
| candidates | the copy | the keys of a bucket, at most {collected_gpu} |

So all keys are read once. Ranks that are no neighbours take two reads: a histogram, which counts
the NaNs as well, and a copy of the buckets that have a rank.
"""

DASK = """\
## A cluster, on Dask

`modern.median(array)` takes a `dask.array` of any shape and any chunks, or a column of a Dask data
frame. What runs the tasks is what Dask would use: threads, the scheduler that `dask.config` names,
or the cluster of the current client. A chunk is in memory only while its task runs, so each round
computes the chunks anew. If they cost much, and fit in the memory of the cluster, persist the array
first.

A task asks its chunk, {piece} keys at a time, and tasks above it join the answers of {joined} at a
time. Keys that are not few stay where they are: the next round computes their chunk again, and
leaves out all other keys.

A worker may die in the middle: Dask computes its chunks elsewhere. If all copies of some keys are
gone, and nothing can compute them again, that is the error `KeysLost`. A chunk that is not the same
in two rounds is the error `InputChanged`.

With `axis=` the answer is a Dask array, computed when it is asked for. `modern.group_quantiles`
finds quantiles of all groups of a data frame in the same rounds.
"""

ANSWERS = """\
## What was asked for

| where | what was said | answer |
|---|---|---|
| [dask issue 3099](https://github.com/dask/dask/issues/3099), 2018 \
| "There is no efficient way to do exact percentiles in a parallel/out-of-core manner." \
| Three rounds, of which two read all keys. |
| [dask issue 46](https://github.com/dask/dask/issues/46), 2015 \
| "My intuition says that this is one of the things that we give up when we move \
to data that might live \
outside of memory." \
| What is given up is reading the data only once. |
| [dask pull request 3819](https://github.com/dask/dask/pull/3819), 2018 \
| "solving it exactly on arbitrarily large N-D data is probably not \
worth the effort (if it is even possible)" \
| All keys of an array of any number of dimensions are one row for the histogram. |
"""

CLOSING = """\
## Where it comes from

The argument is Beliakov's: the sums of a convex objective add up over parts, so a selection can run
where the data are (2011, section VII). The primitives over parts are in
`shadersort/selection/primitives/parts/`, and files in `shadersort/selection/files/`.

This page is written by `python -m bench.scale_page`; not edited by hand. The costs are a
model's: no cluster of this size was measured. What is measured are the bytes in the table above.
"""
