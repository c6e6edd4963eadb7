"""Explores: runs every property test again and again with fresh seeds, until the time is over.

    python -m scripts.soak --minutes 60

Runs the properties that hypothesis draws examples for, and the tests marked `soak`: guarantees of
summaries on many more streams, kernels for every architecture. Says for each failure how to see it
again. What is found belongs in the tests as an explicit `@example`.
"""

import os
import secrets
import subprocess
import sys
import time

import click

COMMAND = [
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "-n",
    "auto",
    "-m",
    "(hypothesis or soak) and not gpu",
]


@click.command(help=(__doc__ or "").split("\n")[0])
@click.option("--minutes", default=60.0, show_default=True, help="How long to explore.")
@click.option("--seed", type=int, help="Explore one round, with this seed.")
@click.argument("tests", nargs=-1)
def main(minutes: float, seed: int | None, tests: tuple[str, ...]) -> None:
    """Explore, and exit with 1 if a round failed."""
    ends, failed, rounds = time.monotonic() + 60 * minutes, [], 0
    while not rounds or (seed is None and time.monotonic() < ends):
        drawn = secrets.randbelow(1 << 32) if seed is None else seed
        click.echo(f"round {rounds + 1}, --seed {drawn}")
        if not explored(drawn, tests):
            failed.append(drawn)
        rounds += 1
    click.echo(f"{rounds} rounds, {len(failed)} of them with failures")
    for drawn in failed:
        click.echo(f"  to see it again: python -m scripts.soak --seed {drawn}")
    sys.exit(bool(failed))


def explored(seed: int, tests: tuple[str, ...]) -> bool:
    """Run one round; return whether all of its tests passed."""
    command = [*COMMAND, f"--hypothesis-seed={seed}", *tests]
    return subprocess.run(command, env={**os.environ, "SHADERSORT_SOAK": str(seed)}).returncode == 0


if __name__ == "__main__":
    main()
