"""Keys in pieces: arrays on several devices, chunks of a Dask array, parts of a file.

Every piece answers a *question* about its own keys, and the answers add up to that of all keys
(Beliakov 2011, section VII). Only answers travel, and few keys. There are five kinds of them:

- numbers to add: counts at pivots, sums of distances, digits and buckets counted, NaNs;
- extremes: the least and the largest keys, all of them or on one side of a pivot;
- keys between pivots, under prefixes or in buckets, and how many they are;
- a random share of the keys;
- the first keys in an order, with their places.

```
PieceRows      ranks, medians, quantiles, first keys       of all keys, as one row
   Pieces      counts, histograms, copies, a sample, …     what a method searches over
      PieceHolder.ask(question)                            one round over all pieces
         question.answer(keys, where)                      a piece, or a block of one
         question.join(answers)                            in the order of the pieces
```

| object | made by | promises |
|---|---|---|
| `Question` | `Pieces`, `PieceRows` | can be pickled; joined answers can be joined again |
| `PieceHolder` | `Parts`, `FileKeys`, `open_dask` | a round asks every piece once |
| `Pieces` | `PieceRows`, `FileKeys` | the answers of `NumPyPrimitives` for the joined keys |
| `PieceRows` | `open_pieces`, `open_dask` of `modern` | NumPy's answers for the joined keys |

**A holder** says only how its pieces are reached: threads over files and arrays (`FileKeys`), a
thread for each GPU (`GPUPieces`), tasks of Dask (`DaskPieces`). On the host, blocks that a cache
holds are asked one after another. Files and chunks are read anew in each round: sums of their bits
show whether they have changed.

**Rounds.** A median takes a sample of single keys, or a round where these cannot be read, and one
round: counts at both ends of a bracket, the keys between, and the NaNs. Many ranks take a sample, a
histogram of buckets, and the keys of the buckets that hold a rank. First keys take one round.

**Memory.** About `few` keys at most come together in one memory, for all later questions. More keys
stay where they are: their copy is a step that each later question repeats on every piece.
"""
