"""Files and pipes of keys: one reader a format.

From the bottom up: `request` (what a caller says, and what first bytes show), `words` (words as
numbers), `opening` (one input, decompressed), `lines` (text, CSV, JSON lines), `source` (keys that
are read in pieces), `arrays` (npy, npz, raw), `tables` (Parquet, Arrow), `sources` (which source a
path or an object is), `reader` (all inputs of a command). Files are written by `keys.outputs`.
"""
