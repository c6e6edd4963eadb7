"""External sorting: chunks sorted into runs on disk, and the runs merged as a stream."""
