"""Keys in pieces: arrays on several devices, chunks of a Dask array, parts of a file.

Every piece answers a *question* about its own keys, and the answers add up to that of all keys
(Beliakov 2011, section VII). Only answers travel, and few keys. There are five kinds of them:

- numbers to add: counts at pivots, sums of distances, digits and buckets counted, NaNs;
- extremes: the least and the largest keys, all of them or on one side of a pivot;
- keys between pivots, under prefixes or in buckets, and how many they are;
- a random share of the keys;
- the first keys in an order, with their places.

```
PieceRows   ranks, medians, quantiles, first keys          of all keys, as one row
   Pieces      counts, histograms, copies, a sample, …     the primitives that a method searches over
      PieceHolder.ask(question)                            one round over all pieces
         question.answer(keys, where)                      a piece, or a block of one, where it is
         question.join(answers)                            in the order of the pieces
```

| object | made by | promises |
|---|---|---|
| `Question` | `Pieces`, `PieceRows` | can be pickled; joined answers can be joined again |
| `PieceHolder` | `ArrayPieces`, `FileKeys`, `GPUPieces`, `DaskPieces` | every piece is asked once in a \
round and has the keys of the round before, or `InputChanged` is raised |
| `Pieces` | `PieceRows`, `FileKeys` | the answers of `NumPyPrimitives` for the joined keys |
| `PieceRows` | `open_pieces`, `open_dask` of `modern` | NumPy's answers for the joined keys |

**A holder** says only how its pieces are reached: threads over arrays and files, tasks of Dask, a
thread for each GPU. On the host, blocks that a cache holds are asked one after another.

**Rounds.** A median takes a sample of single keys, or a round where these cannot be read, and one
round: counts at both ends of a bracket, the keys between, and the NaNs. Many ranks take a sample, a
histogram of buckets, and the keys of the buckets that hold a rank. First keys take one round.

**Memory.** At most `few` keys come together in one memory, for all later questions. Copies of more
keys stay where they are: a copy is then a step that each later question repeats on every piece.
"""
