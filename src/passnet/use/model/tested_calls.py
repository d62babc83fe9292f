"""Leaves alone the places of one graph where a kernel raises, by running the rewritten graph once, call by call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import fx

from passnet.errors import UsageError, foreign
from passnet.rewrite import Replacement, Rewritten
from passnet.use.model.copies import copied

Rewrite = Callable[[Mapping[tuple[str, tuple[str, ...]], str]], Rewritten]


def working(rewrite: Rewrite, inputs: Sequence[object]) -> tuple[Rewritten, tuple[str, ...]]:
    """The graph rewritten wherever kernels take these inputs, and for other places the reasons in words.

    `rewrite` applies the passes with some matches left alone. The inputs are not changed. Raises any error of the
    model.
    """
    leave: dict[tuple[str, tuple[str, ...]], str] = {}
    while True:
        result = rewrite(leave)
        failed = _first_failure(result, inputs) if result.total else None
        if failed is None:
            return result, tuple(dict.fromkeys(leave.values()))
        record, error = failed
        place = (record.rule, record.removed)
        if place in leave:
            raise UsageError("a place that was left alone was replaced again", field=record.rule)
        leave[place] = f"{record.rule}: the wrapper raised {type(error).__name__}: {error}"


def _first_failure(result: Rewritten, inputs: Sequence[object]) -> tuple[Replacement, BaseException] | None:
    runner = _Runner(result)
    try:
        with torch.no_grad():
            runner.run(*copied(tuple(inputs)))
    except _Failed as failed:
        return failed.record, failed.error
    return None


class _Failed(Exception):
    """A wrapper raised."""

    def __init__(self, record: Replacement, error: BaseException) -> None:
        super().__init__(str(error))
        self.record, self.error = record, error


class _Runner(fx.Interpreter):
    """Runs a rewritten graph. It tells an exception of a replaced call from the model's own."""

    def __init__(self, result: Rewritten) -> None:
        super().__init__(result.gm)
        self.extra_traceback = False
        self._records = {record.call: record for record in result.records}

    def run_node(self, n: fx.Node) -> Any:
        record = self._records.get(n.name)
        if record is None:
            return super().run_node(n)
        with foreign(lambda error: _Failed(record, error)):
            return super().run_node(n)
