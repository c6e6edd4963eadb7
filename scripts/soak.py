"""Explores: runs every property test again and again with fresh seeds, until the time is over.

    python -m scripts.soak --minutes 60

A round runs the properties that hypothesis draws examples for, and the tests marked `explores`, as
the guarantees of summaries on thirty times as many streams, the lives of 20,000 streams (cut,
restored and merged, for every kind of summary), and 200,000 forged bytes of summaries.
The tests marked `soak` run once: they compile the kernels for every architecture, and interrupt
every long command at 500 random moments. The command that repeats a failure is printed.
What is found belongs in the tests as an explicit `@example`.
"""

import os
import secrets
import subprocess
import sys
import time

import click

COMMAND = [sys.executable, "-m", "pytest", "-q", "-n", "auto"]
EVERY_ROUND, ONCE = "(hypothesis or explores) and not gpu", "soak and not gpu"


@click.command(help=(__doc__ or "").split("\n")[0])
@click.option("--minutes", default=60.0, show_default=True, help="How long to explore.")
@click.option("--seed", type=int, help="Explore one round, with this seed.")
@click.argument("tests", nargs=-1)
def main(minutes: float, seed: int | None, tests: tuple[str, ...]) -> None:
    """Explore, and exit with 1 if a round failed."""
    ends, failed, rounds = time.monotonic() + 60 * minutes, [], 0
    once = seed is not None or tests or explored(0, ONCE, ())
    while not rounds or (seed is None and time.monotonic() < ends):
        drawn = secrets.randbelow(1 << 32) if seed is None else seed
        click.echo(f"round {rounds + 1}, --seed {drawn}")
        if not explored(drawn, EVERY_ROUND, tests):
            failed.append(drawn)
        rounds += 1
    if not once:
        click.echo("the tests that run once failed; to see it again: pytest -m soak")
    click.echo(f"{rounds} rounds, {len(failed)} of them with failures")
    for drawn in failed:
        click.echo(f"  to see it again: python -m scripts.soak --seed {drawn}")
    sys.exit(not once or bool(failed))


def explored(seed: int, marks: str, tests: tuple[str, ...]) -> bool:
    """Run the tests with these marks; return whether all of them passed."""
    command = [*COMMAND, "-m", marks, f"--hypothesis-seed={seed}", *tests]
    return subprocess.run(command, env={**os.environ, "SHADERSORT_SOAK": str(seed)}).returncode == 0


if __name__ == "__main__":
    main()
