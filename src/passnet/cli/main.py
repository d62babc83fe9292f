"""The command line: a thin skin. Commands import what they need when they run, so that `--help` imports no torch."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from passnet import __version__
from passnet.cli import (
    agent,
    bisect,
    capture,
    check,
    compare,
    console,
    dataset,
    docs,
    doctor,
    evaluate,
    export,
    failures,
    harbor,
    inspect,
    interrupts,
    leaderboard,
    library,
    mcp,
    optimize,
    report,
    score,
    serve,
    slowdown,
    streams,
    submit,
    tasks,
)
from passnet.errors import PassNetError, UsageError

app = typer.Typer(
    name="passnet",
    cls=failures.Commands,
    help="Write compiler passes, prove them right, measure them honestly, score them.",
    no_args_is_help=True,
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
app.command("compare")(compare.command)
app.command("leaderboard")(leaderboard.command)
app.command("report")(report.command)
app.command("export")(export.command)
app.command("serve")(serve.command)
app.command("doctor")(doctor.command)
app.command("docs")(docs.command)
app.command("capture")(capture.command)
app.command("optimize")(optimize.command)
app.command("bisect")(bisect.command)
app.command("slowdown")(slowdown.command)
app.add_typer(dataset.app, name="dataset")
app.add_typer(library.app, name="library")
app.add_typer(submit.app, name="submit")
app.add_typer(tasks.app, name="tasks")


def _version(value: bool) -> None:
    if value:
        console.say(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Exit codes: 0 done or yes, 1 the answer is no, 2 usage or bad input, 3 infrastructure."""


def main() -> None:
    """Entry point: every error that a user can cause is one line, never a traceback."""
    interrupts.listen()
    streams.hold()
    console.begin()
    try:
        _refuse_empty(sys.argv[1:])
        _refuse_lost_directory()
        app()
    except PassNetError as error:
        failures.fail(error)
    except ModuleNotFoundError as error:
        failures.fail_of_import(error)
    except OSError as error:
        failures.fail_of_system(error)
    except SystemExit as done:
        # Typer answers Ctrl-C itself and prints nothing.
        if done.code == failures.INTERRUPTED or interrupts.waiting():
            failures.interrupted()
            sys.exit(failures.INTERRUPTED)
        raise
    except KeyboardInterrupt:  # before typer, or after it
        failures.interrupted()
        sys.exit(failures.INTERRUPTED)


def _refuse_empty(arguments: Sequence[str]) -> None:
    """An empty option or argument is always a mistake. As a path it would mean the current directory."""
    for before, argument in zip(["", *arguments], arguments, strict=False):
        if not argument or (argument.startswith("--") and argument.endswith("=")):
            field = argument.removesuffix("=") or (before if before.startswith("-") else "an argument")
            raise UsageError("is empty", field=field, expected="a path, a name or a value", hint="is a variable unset?")


def _refuse_lost_directory() -> None:
    """Libraries end the process with words of their own where the current directory was deleted."""
    try:
        os.getcwd()
    except FileNotFoundError as error:
        raise UsageError("the current directory was deleted", hint="go to one that exists, and run again") from error


if __name__ == "__main__":
    main()
