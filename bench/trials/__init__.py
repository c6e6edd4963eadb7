"""The command `python -m bench.trials`: random trials, every answer checked."""
