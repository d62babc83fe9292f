"""Failures of commands: one line on standard error, and with `--json` one document on standard output too.

JSON, schema 1: {"schema", "error": {"kind": "usage" | "infrastructure" | "interrupted", "exit_code", "message",
"path", "field"}}.  A command that has printed its document prints no second one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer.core import TyperGroup

from passnet.authored import is_path, one_line
from passnet.cli import console
from passnet.errors import MachineError, MissingExtra, PassNetError, UsageError, optional_module, shortened
from passnet.writing import is_unwritable_here, unwritable

INTERRUPTED = 130
SCHEMA = 1
_LONGEST = 2000
# Commands that keep what is finished.
_GO_ON = frozenset({"eval", "agent", "mcp", "capture", "optimize", "bisect", "slowdown", "build"})
_KINDS = {2: "usage", 3: "infrastructure", INTERRUPTED: "interrupted"}


class Commands(TyperGroup):
    """The command line. Its own usage errors (an unknown option) get a document too; they are printed as ever."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _telling():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        with _telling():
            return super().invoke(ctx)


@contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # typer's classes of errors depend on its version: some have click inside
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            if isinstance(message := getattr(error, "message", None), str) and not _is_help(error):
                error.message = one_line(message)  # type: ignore[attr-defined]  # Names of files may be options.
            _print_document(error.format_message(), error.exit_code)
        raise


def _is_help(error: Exception) -> bool:
    """Whether it is the help of a command that was given no arguments: its lines are ours, and stay lines."""
    return any(kind.__name__ == "NoArgsIsHelpError" for kind in type(error).__mro__)


def fail(error: PassNetError) -> None:
    """Prints an error and leaves with its exit code."""
    message = shortened(one_line(str(error)), _LONGEST)
    console.say(f"passnet: {message}", err=True)
    path = getattr(error, "path", None)
    _print_document(message, error.exit_code, path=path, field=getattr(error, "field", None))
    sys.exit(error.exit_code)


def fail_of_system(error: OSError) -> None:
    """The same for an error of a file. An error that names none, and is not of the machine, goes on."""
    if is_unwritable_here(error):  # It is about standard output (a pipe or a file), or about a file of the system.
        console.say(f"passnet: {unwritable(error, error.filename)}", err=True)
        sys.exit(MachineError.exit_code)
    if error.filename is None:
        raise error
    # A path that this system cannot have, or that its user may not read.
    message = one_line(f"{shortened(str(error.filename))}: {error.strerror}")
    console.say(f"passnet: {message}", err=True)
    _print_document(message, UsageError.exit_code, path=error.filename)
    sys.exit(UsageError.exit_code)


def fail_of_import(error: ModuleNotFoundError) -> None:
    """The same for an optional package that is not installed. Any other module that is missing goes on."""
    module = optional_module(error)
    if module is None:
        raise error
    fail(MissingExtra("this command", module))


def interrupted() -> None:
    """Says that the command was stopped. The exit code is the caller's."""
    message = _stopped()
    console.say(f"passnet: {message}", err=True)
    _print_document(message, INTERRUPTED)


def _stopped() -> str:
    """What is left of the work. A run that was given no name has one from the time, which the same command changes."""
    unnamed = console.unnamed_run()
    if unnamed is not None:
        return (
            f"stopped; finished work is in {unnamed}, and --run {unnamed.name} goes on"
            if unnamed.exists()
            else "stopped"
        )
    words = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    return f"stopped{'; finished work is recorded, and the same command goes on' if _GO_ON & {*words[:2]} else ''}"


def _print_document(message: str, exit_code: int, *, path: object = None, field: str | None = None) -> None:
    if "--json" not in sys.argv or console.printed():
        return
    error = {
        "kind": _KINDS.get(exit_code, "infrastructure"),
        "exit_code": exit_code,
        "message": shortened(one_line(message), _LONGEST),
        "path": None if path is None else _shown_path(str(path)),
        "field": field,
    }
    console.print_json({"schema": SCHEMA, "error": error})


def _shown_path(path: str) -> str:
    """The path for machines. One that no file can have is shortened."""
    return one_line(path) if is_path(path) else shortened(one_line(path))
