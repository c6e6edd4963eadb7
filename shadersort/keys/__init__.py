"""Keys: accepted types, integers in their order, keys never drawn, text, files, data sets."""
