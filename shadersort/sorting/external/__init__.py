"""External sorting: chunks are sorted into runs on disk, and the runs merged as a stream."""
