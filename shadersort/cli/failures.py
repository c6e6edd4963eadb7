"""Errors of the command line: one line on the standard error, and an exit code."""

import errno
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from shadersort import errors
from shadersort.drawing.signals import INTERRUPTED
from shadersort.errors import ShadersortError

FAILED, WRONG_COMMAND, BAD_INPUT, OUTPUT_EXISTS, PIPE_CLOSED = 1, 2, 3, 4, 141
EXIT_CODES = {
    0: "done",
    FAILED: "failed: no such device, no memory, no room on the disk, or a card's limits",
    WRONG_COMMAND: "the command is wrong: an unknown option, name or value",
    BAD_INPUT: "the input is missing, damaged, or of a type that cannot be sorted",
    OUTPUT_EXISTS: "the output exists: --force replaces it",
    INTERRUPTED: "interrupted (Ctrl-C); no part of an output is left",
    PIPE_CLOSED: "the reader of the standard output has closed it",
}
CODES: dict[type[ShadersortError], int] = {
    errors.OutputExists: OUTPUT_EXISTS,
    **dict.fromkeys((errors.BadOption, errors.QuantileOutOfRange), WRONG_COMMAND),
    **dict.fromkeys((errors.UnknownColumn, errors.UnknownName), WRONG_COMMAND),
    **dict.fromkeys((errors.EmptyInput, errors.ForeignFile, errors.KeysNotFlat), BAD_INPUT),
    **dict.fromkeys((errors.TruncatedFile, errors.UnsupportedKeys), BAD_INPUT),
}
NAMES = "column|delimiter|device|dtype|encoding|form|header|hierarchy|memory|method|network"
OPTION = re.compile(rf"\b({NAMES}|temporary_folder)=(?:'([^']*)'|(\w*))")
"""An argument of a function that is also an option; other code in a message stays as it is."""
COMMAND_LINE_WORDS = {  # what replaces a pattern in a message
    "say overwrite=True": "pass --force",
    "say header=False": "pass --no-header",
    "say skip_bad=True": "pass --skip-bad",
    ", or round them by precision='float32'": "",
    r", or allow that many with max_bytes=\d+": "",
    r", take a slice such as trace\[:10\], or allow a larger page": "",
    "rename it": "rename it, or pass --from raw",
    r"shadersort\.devices\(\) lists": "'shadersort info' lists",
}


class Failure(click.ClickException):
    """An error with one line of text and an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(" ".join(message.split()))
        self.exit_code = code  # type: ignore[misc]  # click reads that of the instance


class Interrupted(SystemExit):
    """Ctrl-C. While click reads options, it would turn a KeyboardInterrupt into exit code 1."""

    raised = False  # whether one was raised in this process

    def __init__(self) -> None:
        super().__init__(INTERRUPTED)
        Interrupted.raised = True


def exit_code(error: BaseException) -> int:
    """Return the exit code for an error."""
    return next((code for kind, code in CODES.items() if isinstance(error, kind)), FAILED)


def message_of(error: BaseException) -> str:
    """Return the message of an error in the words of the command line."""
    if isinstance(error, OSError) and error.errno == errno.EBADF and not error.filename:
        message = "the standard input or output is closed"
    elif isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        message = str(error) or f"not enough memory ({type(error).__name__})"
    for words, others in COMMAND_LINE_WORDS.items():
        message = re.sub(words, others, message)
    return OPTION.sub(_option, message)


def _option(found: re.Match[str]) -> str:
    name, quoted, bare = found.groups()
    option = "from" if name == "form" else name.replace("_", "-")
    return f"--{option} {shlex.quote(quoted) if quoted else bare}".rstrip()


@contextmanager
def report_errors(ctx: click.Context | None = None) -> Iterator[None]:
    """Turn errors of shadersort and of the operating system into a `Failure`.

    After an interruption, they are taken for its consequences, and raise `Interrupted`.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_stdout()
        raise click.exceptions.Exit(PIPE_CLOSED) from None
    except KeyboardInterrupt:
        raise Interrupted from None
    except (ShadersortError, OSError, MemoryError, ModuleNotFoundError) as error:
        if ctx and ctx.meta.get(__name__):
            raise
        _abandon_stdout()
        if Interrupted.raised:
            raise Interrupted from error
        raise Failure(message_of(error), exit_code(error)) from error


def _abandon_stdout() -> None:
    """Discard the buffered output if it cannot be written: at exit, Python would try it again."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _show_traceback(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[__name__] = True


DEBUG = click.Option(
    ["--debug"],
    is_flag=True,
    expose_value=False,
    callback=_show_traceback,
    help="Show the traceback of an error.",
)
"""The option that the group and every command have."""
