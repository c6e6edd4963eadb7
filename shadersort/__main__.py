"""The command line: `shadersort`, or `python -m shadersort`.

Nothing is imported before `main` begins to note Ctrl-C, so little more than the start of Python
itself can end in a traceback.
"""

import _signal  # type: ignore[import-not-found]  # what `signal` is made of; it is built in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

noted: "list[int]" = []
"""Interruptions while the command line is imported."""


def main() -> None:
    """Run the command line; end the process with its exit code.

    Ctrl-C is noted while the command line is imported, which takes a moment: code in C that is
    interrupted in an import may report another error. It is ignored while the process ends, where
    it would be printed.
    """
    try:
        run = noting_interruptions()
        run()
    except KeyboardInterrupt:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
        import sys

        from shadersort.drawing.signals import INTERRUPTED

        sys.stderr.write("Interrupted.\n")
        sys.exit(INTERRUPTED)
    finally:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)


def noting_interruptions() -> "Callable[[], None]":
    """Import the command line and return it; raise KeyboardInterrupt at the end if need be."""
    handler = _signal.getsignal(_signal.SIGINT)
    if not callable(handler):  # it is ignored
        return imported()
    _signal.signal(_signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        run = imported()
    finally:
        _signal.signal(_signal.SIGINT, handler)
    if noted:
        raise KeyboardInterrupt
    return run


def imported() -> "Callable[[], None]":
    """Import the command line."""
    from shadersort.cli import main as run

    return run


if __name__ == "__main__":
    main()
