"""Progress of long commands on standard error: a bar on a terminal, one line per step elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from passnet.authored import one_line
from passnet.cli.console import say

if TYPE_CHECKING:
    from rich.progress import ProgressColumn, Task


class ProgressStep(Protocol):
    """Progress of a command: how many units of how many are done."""

    @property
    def done(self) -> int: ...

    @property
    def total(self) -> int: ...


_Step = TypeVar("_Step", bound=ProgressStep)


@dataclass
class TimeLeft:
    """The time that is left, from the units that this command finished. `clock`: seconds.

    Units that an earlier command finished took no time here, so they do not count as fast ones.
    """

    clock: Callable[[], float] = time.monotonic
    began: float = field(init=False)
    worked: int = 0

    def __post_init__(self) -> None:
        self.began = self.clock()

    def after(self, step: ProgressStep, *, kept: bool) -> float | None:
        """Seconds for the units that are left after a step, as fast as those so far. None before the first one."""
        if kept:
            return None
        self.worked += 1
        return (self.clock() - self.began) / self.worked * (step.total - step.done)


def in_words(seconds: float | None) -> str:
    """Seconds for people, no more exact than an estimate is: `about 40 s left`. Empty for none."""
    if seconds is None or seconds <= 0:
        return ""
    if seconds < 90:
        return f"about {max(10, round(seconds, -1)):.0f} s left"
    return f"about {round(seconds / 60)} min left" if seconds < 5400 else f"about {seconds / 3600:.1f} h left"


class Tally:
    """What was found so far, most frequent first: `5 correct, 1 timeout`."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, word: str) -> str:
        """Counts one more, and says all."""
        self._counts[word] += 1
        return ", ".join(f"{count} {name}" for name, count in self._counts.most_common())


def text_column(read: Callable[[Task], str]) -> ProgressColumn:
    """A column of a bar with a text as it is: brackets in it are no markup, and no character controls the terminal.

    rich's own `TextColumn` takes `[/x]` in a name for a tag, and raises where it closes none.
    """
    from rich.progress import ProgressColumn
    from rich.table import Column
    from rich.text import Text

    class AuthoredColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(one_line(read(task)))

    return AuthoredColumn(Column(no_wrap=True))


def bar_columns() -> tuple[ProgressColumn, ...]:
    """The columns of a bar: what is done, how far it is, and the field `eta`."""
    from rich.progress import BarColumn, MofNCompleteColumn

    words, eta = text_column(lambda task: task.description), text_column(lambda task: task.fields["eta"])
    return words, BarColumn(), MofNCompleteColumn(), eta


@contextmanager
def progress(
    first: str,
    words: Callable[[_Step], str],
    line: Callable[[_Step], str],
    kept: Callable[[_Step], bool] = lambda _: False,
) -> Iterator[Callable[[_Step], None]]:
    """Yields a function to call after each step. `first`: before any. `words`: beside the bar. `line`: without a bar.

    `kept`: whether the unit was finished by an earlier command.
    """
    left = TimeLeft()
    if not sys.stderr.isatty():

        def tell(step: _Step) -> None:
            eta = in_words(left.after(step, kept=kept(step)))
            say(f"[{step.done}/{step.total}] {line(step)}{f' ({eta})' if eta else ''}", err=True)

        yield tell
        return
    from rich.console import Console
    from rich.progress import Progress

    # No refresh thread: processes are forked in this process, and a clock may run.
    with Progress(*bar_columns(), console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(first, total=None, eta="")

        def show(step: _Step) -> None:
            eta = in_words(left.after(step, kept=kept(step)))
            bar.update(task, total=step.total, completed=step.done, description=words(step), eta=eta, refresh=True)

        yield show
