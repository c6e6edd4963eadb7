"""The command line: `shadersort`, or `python -m shadersort`."""

import signal
import sys

from shadersort.signals import held_signals, system

INTERRUPTED = 130


def main() -> None:
    """Run the command line; end the process with its exit code.

    Ctrl-C is held back while the command line is imported, which takes a moment: code in C that is
    interrupted in an import may report another error. It is ignored while the process ends, where
    it would be printed.
    """
    try:
        with held_signals:
            from shadersort.cli import main as run
        run()
    except KeyboardInterrupt:
        system.signal(signal.SIGINT, system.SIG_IGN)
        sys.stderr.write("Interrupted.\n")
        sys.exit(INTERRUPTED)
    finally:
        system.signal(signal.SIGINT, system.SIG_IGN)


if __name__ == "__main__":
    main()
