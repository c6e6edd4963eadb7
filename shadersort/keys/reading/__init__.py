"""Reading numbers and words from files and pipes of many formats, some at a time.

Every command reads through this package. From the bottom up:

==================  ==============================================================
``request``         what a caller says about the inputs: format, column, type, …
``signatures``      which format or compression the first bytes show
``compressions``    gzip, bz2, xz and zstd, decompressed as they are read
``encodings``       other encodings of text, as UTF-8
``opening``         one input, opened, decompressed, and its format known
``columns``         a column by its name or its number
``words``           words of a text: places in a block of bytes
``lines, fields``   words of lines, and of columns that a separator divides
``json_lines``      words of JSON lines
``binary, arrow``   arrays of `.npy`, `.npz`, raw, Parquet and Arrow inputs
``formats``         one reader for each format, by name
``decimals``        words as numbers, many at a time
``number_words``    words as numbers of a type, and why a word is none
``reader``          all inputs together: guesses the type, refuses bad words
``items``             their items: numbers, or words where the first of them are no numbers
==================  ==============================================================
"""
