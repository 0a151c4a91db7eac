"""The command line: one process, one exit code, errors turned into messages in one place."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence

from trainergen.cli.exit_codes import EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE
from trainergen.errors import TrainergenError

__all__ = ["main"]

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never raises."""
    if argv is not None:
        return _guarded(argv)
    # The process is ours. What a start makes stays, and to look for garbage in it takes a seventh of a small check: so
    # not on the way (a run sets a bound of its own), nor in what is left when the interpreter ends.
    gc.set_threshold(1_000_000, 20, 100)
    code = _guarded(argv)
    gc.freeze()
    return code


def _guarded(argv: Sequence[str] | None) -> int:
    try:
        return _run(argv)
    except TrainergenError as error:
        return _fail(error.message, hint=error.hint, code=error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", code=EXIT_INTERRUPTED)
    except BrokenPipeError:
        # NB: the reader went away (`trainergen … | head`); what it did read was right, so this is no failure.
        _silence_stdout()
        return EXIT_OK
    except OSError as error:
        if error.errno not in _DISK_FULL:
            return _internal_error(error)
        _silence_stdout()
        return _fail("the output cannot be written: no space is left", hint="Make room on the disk.", code=EXIT_USAGE)
    except Exception as error:  # the last line of defence: a defect of ours becomes a message, not a traceback
        return _internal_error(error)


def _run(argv: Sequence[str] | None) -> int:
    import click

    from trainergen.cli.app import cli

    try:
        result = cli.main(args=None if argv is None else list(argv), prog_name="trainergen", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return EXIT_USAGE
    except click.exceptions.Abort:
        return _fail("interrupted", code=EXIT_INTERRUPTED)
    sys.stdout.flush()
    return result if isinstance(result, int) else EXIT_OK


def _fail(message: str, *, hint: str = "", code: int) -> int:
    sys.stderr.write(f"error: {message}\n")
    if hint:
        sys.stderr.write(f"hint: {hint}\n")
    return code


def _internal_error(error: Exception) -> int:
    if os.environ.get("TRAINERGEN_DEBUG"):
        import traceback

        traceback.print_exc()
    hint = "This is a defect of trainergen; run again with TRAINERGEN_DEBUG=1 and report what it prints."
    return _fail(f"internal error: {type(error).__name__}: {error}", hint=hint, code=EXIT_INTERNAL)


def _silence_stdout() -> None:
    # NB: the interpreter flushes stdout once more at exit and would complain about the closed pipe.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
