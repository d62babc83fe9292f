"""Progress of long commands on standard error: a bar on a terminal, one line per step elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

import typer


class ProgressStep(Protocol):
    """Progress of a command: how many units of how many are done."""

    @property
    def done(self) -> int: ...

    @property
    def total(self) -> int: ...


_Step = TypeVar("_Step", bound=ProgressStep)


@contextmanager
def progress(
    first: str, words: Callable[[_Step], str], line: Callable[[_Step], str]
) -> Iterator[Callable[[_Step], None]]:
    """Yields a function to call after each step. `first`: before any. `words`: beside the bar. `line`:
    without a bar.
    """
    if not sys.stderr.isatty():
        yield lambda step: typer.echo(f"[{step.done}/{step.total}] {line(step)}", err=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # No refresh thread: processes are forked in this process, and a clock may run.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(first, total=None)
        yield lambda step: bar.update(
            task, total=step.total, completed=step.done, description=words(step), refresh=True
        )
