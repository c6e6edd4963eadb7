"""Stream summaries beside their peers: `python -m bench.streams`."""
