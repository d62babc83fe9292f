"""The command line: a thin skin. Commands import what they need when they run, so that `--help` imports no torch."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from passnet import __version__
from passnet.authored import one_line
from passnet.cli import (
    agent,
    capture,
    check,
    dataset,
    doctor,
    evaluate,
    export,
    harbor,
    inspect,
    library,
    mcp,
    optimize,
    score,
    serve,
    tasks,
)
from passnet.errors import PassNetError, UsageError
from passnet.writing import StorageError, is_storage, unwritable

INTERRUPTED = 130
_LONGEST = 500

app = typer.Typer(
    name="passnet",
    help="Write compiler passes, prove them right, measure them honestly, score them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("eval")(evaluate.command)
app.command("check")(check.command)
app.command("inspect")(inspect.command)
app.command("agent")(agent.command)
app.command("mcp")(mcp.command)
app.command("harbor")(harbor.command)
app.command("score")(score.command)
app.command("export")(export.command)
app.command("serve")(serve.command)
app.command("doctor")(doctor.command)
app.command("capture")(capture.command)
app.command("optimize")(optimize.command)
app.add_typer(dataset.app, name="dataset")
app.add_typer(library.app, name="library")
app.add_typer(tasks.app, name="tasks")


def _version(value: bool) -> None:
    if value:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Exit codes: 0 done or yes, 1 the answer is no, 2 usage or bad input, 3 infrastructure."""


def main() -> None:
    """Entry point: every error that a user can cause is one line, never a traceback."""
    try:
        _refuse_empty(sys.argv[1:])
        app()
    except PassNetError as error:
        typer.echo(f"passnet: {one_line(str(error))}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        if is_storage(error):  # The error is about standard output (a pipe or a file), or about a file of the system.
            typer.echo(f"passnet: {one_line(str(unwritable(error, error.filename)))}", err=True)
            sys.exit(StorageError.exit_code)
        if error.filename is None:
            raise
        # A path that this system cannot have, or that its user may not read.
        typer.echo(f"passnet: {one_line(f'{error.filename}: {error.strerror}')[:_LONGEST]}", err=True)
        sys.exit(UsageError.exit_code)
    except SystemExit as done:
        # Typer answers Ctrl-C itself and prints nothing.
        if done.code == INTERRUPTED:
            typer.echo("passnet: stopped; finished work is recorded, and the same command goes on", err=True)
        raise


def _refuse_empty(arguments: Sequence[str]) -> None:
    """An empty option or argument is always a mistake. As a path it would mean the current directory."""
    for before, argument in zip(["", *arguments], arguments, strict=False):
        if not argument or (argument.startswith("--") and argument.endswith("=")):
            field = argument.removesuffix("=") or (before if before.startswith("-") else "an argument")
            raise UsageError("is empty", field=field, expected="a path, a name or a value", hint="is a variable unset?")


if __name__ == "__main__":
    main()
