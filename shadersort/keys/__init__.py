"""Keys: accepted types, codes in their order, what is set aside, text, files, data sets."""
