"""Failures of the command line: one line on the standard error and an exit code."""

import errno
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

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

WRONG_NAMES = (
    errors.BadOption,
    errors.NaNRefused,
    errors.QuantileOutOfRange,
    errors.UnknownColumn,
    errors.UnknownName,
)
BAD_KEYS = (
    errors.EmptyInput,
    errors.ForeignFile,
    errors.KeysNotFlat,
    errors.NotFinite,
    errors.TruncatedFile,
    errors.UnsupportedKeys,
)

COMMAND_LINE_WORDS = {
    "say overwrite=True": "pass --force",
    "say header=False": "pass --no-header",
    "say skip_bad=True": "pass --skip-bad",
    "pass keys.astype(np.int32)": "int32 holds none beyond 2**31",
    "rename it": "rename it, or pass --from raw",
    "shadersort.devices() lists": "'shadersort info' lists",
}


OPTION = re.compile(
    r"\b(column|delimiter|device|dtype|encoding|form|header|hierarchy|max_bytes|memory|method|network|offset|precision|profile|share|temporary_folder)"
    r"=(?:'([^']*)'|(\w*))"
)
"""An argument of a function that is also an option; other code in a message stays as it is."""


class Interrupted(SystemExit):
    """Ctrl-C. While click reads options, it would turn a KeyboardInterrupt into exit code 1."""

    raised = False


class Failure(click.ClickException):
    """An error with one line of text and an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # click reads it of the instance
        """The exit code of the process."""
        return self.code


class InputFile(click.Path):
    """A file to read; "-" is the standard input. A missing file is a bad input."""

    def __init__(self) -> None:
        super().__init__(
            exists=True, dir_okay=False, readable=True, allow_dash=True, path_type=Path
        )

    def fail(
        self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None
    ) -> NoReturn:
        """Raise the error with the exit code of a bad input."""
        raise Failure(message, BAD_INPUT)


def exit_code(error: BaseException) -> int:
    """Return the exit code for an error.

    Examples
    --------
    >>> exit_code(errors.OutputExists("sorted.npy")), exit_code(OSError("disk"))
    (4, 1)
    """
    if isinstance(error, errors.OutputExists):
        return OUTPUT_EXISTS
    if isinstance(error, BAD_KEYS):
        return BAD_INPUT
    return WRONG_COMMAND if isinstance(error, WRONG_NAMES) else FAILED


def message_of(error: BaseException) -> str:
    """Return the message of an error in the words of the command line.

    Examples
    --------
    >>> message_of(errors.OutputExists("x.npy exists: choose another name, or say overwrite=True"))
    'x.npy exists: choose another name, or pass --force'
    >>> message_of(errors.ProfileLimit("pass precision='float16', or method='fragment'"))
    'pass --precision float16, or --method fragment'
    >>> message_of(errors.UnsupportedKeys("use np.unique(keys, return_inverse=True)"))
    'use np.unique(keys, return_inverse=True)'
    """
    if isinstance(error, OSError) and error.errno == errno.EBADF and not error.filename:
        message = "the standard input or output is closed"
    elif isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        message = str(error) or f"not enough memory ({type(error).__name__})"
    for words, others in COMMAND_LINE_WORDS.items():
        message = message.replace(words, others)
    return OPTION.sub(_option, message)


def _option(found: re.Match[str]) -> str:
    name, quoted, bare = found.groups()
    option = "from" if name == "form" else name.replace("_", "-")
    value = shlex.quote(quoted) if quoted else bare
    return f"--{option} {value}".rstrip()


@contextmanager
def reported_in_one_line(ctx: click.Context | None = None) -> Iterator[None]:
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
        click.echo("Interrupted.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    except (ShadersortError, OSError, MemoryError, ModuleNotFoundError) as error:
        if ctx and ctx.meta.get(__name__):
            raise
        _abandon_stdout()
        if Interrupted.raised:
            raise Interrupted(INTERRUPTED) from error
        raise Failure(message_of(error), exit_code(error)) from error


def _abandon_stdout() -> None:
    """Discard the buffered output if it cannot be written.

    Otherwise Python would try to write it again at exit, and print an error.
    """
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _debug(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[__name__] = True


DEBUG = click.Option(
    ["--debug"],
    is_flag=True,
    expose_value=False,
    callback=_debug,
    help="Show the traceback of an error.",
)
"""The option that the group and every command have."""
