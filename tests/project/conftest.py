"""The scripts in `typed/` are read by type checkers, and never run."""

collect_ignore = ["typed"]
