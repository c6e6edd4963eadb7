"""The command line: `shadersort`, or `python -m shadersort`.

Nothing is imported before `main` begins to note Ctrl-C, so little more than the start of Python
itself can end in a traceback.
"""

import _signal  # type: ignore[import-not-found]  # what `signal` is made of; it is built in


def main() -> None:
    """Run the command line; end the process with its exit code.

    Ctrl-C is noted while the command line is imported: code in C that is interrupted in an import
    may report another error. It is ignored while the process ends, where it would be printed.
    """
    noted: list[int] = []
    handler = _signal.getsignal(_signal.SIGINT)
    try:
        if callable(handler):  # else it is ignored
            _signal.signal(_signal.SIGINT, lambda number, frame: noted.append(number))
        from shadersort.cli import main as run

        if callable(handler):
            _signal.signal(_signal.SIGINT, handler)
        if noted:
            raise KeyboardInterrupt
        run()
    except KeyboardInterrupt:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
        import sys

        from shadersort.drawing.signals import INTERRUPTED

        sys.stderr.write("Interrupted.\n")
        sys.exit(INTERRUPTED)
    finally:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)


if __name__ == "__main__":
    main()
