"""Keys in pieces: arrays on several devices, chunks of a Dask array, parts of a file.

Every piece answers a *question* about its own keys, and the answers add up to that of all keys
(Beliakov 2011, section VII). Only answers travel, and few keys: numbers to add, extremes, keys
between pivots or in buckets and how many they are, a random share, and the first keys in an order
with their places. `docs/scale.md` says how many rounds an answer takes.

| object | made by | promises |
|---|---|---|
| `Question` | `Pieces`, `PieceRows` | can be pickled; joined answers can be joined again |
| `PieceHolder` | `Parts`, `FileKeys`, `open_dask` | a round asks every piece once |
| `Pieces` | `PieceRows` | the answers of `NumPyPrimitives` for the joined keys |
| `PieceRows` | `open_row` of `modern` | NumPy's answers for the joined keys |

**A holder** says only how its pieces are reached: threads over files and arrays (`FileKeys`), a
thread for each GPU (`GPUPieces`), tasks of Dask (`DaskPieces`). On the host, blocks that a cache
holds are asked one after another. Files and chunks are read anew in each round: sums of their bits
show whether they have changed.

**Memory.** About `few` keys at most come together in one memory, for all later questions. More keys
stay where they are: their copy is a step that each later question repeats on every piece.
"""
