"""Stream summaries on a GPU: sorting windows, merging samples, counting items."""
