"""Whether a program gives a model's own results: on each example call, and on other values of the same range.

The criterion is that of passes in a model (`use.model.agreement`): within the tolerance of the model's own results, or
else about as near to float64 as these. The float64 results come from the traced graph. A model that is no single graph
has a copy in float64 instead.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree

from passnet.bench.compare.indices.follow import Followed
from passnet.errors import UsageError, described
from passnet.use.forms.calls import ExampleCall
from passnet.use.model.agreement import Disagreement, require_agreement
from passnet.use.model.copies import copied, mapped
from passnet.use.model.traced import Flat, flattened
from passnet.use.model.truth import following, in_float64
from passnet.use.model.untouched import untouched

# Calls with other values than the example's, of each example.
_FURTHER = 2
Call = Callable[..., Any]
Trace = Callable[[], Flat | None]


class Examiner:
    """Knows what a model gives for its example calls, and compares programs with it."""

    def __init__(self, model: nn.Module, calls: Sequence[ExampleCall]) -> None:
        """Errors: UsageError when the model itself fails on an example."""
        self.model = model
        self._cases: list[tuple[ExampleCall, list[Any], Trace]] = []
        for call in calls:
            # Tracing takes seconds, and is needed only where results differ by more than the tolerance.
            expected = self._expected(call)
            flat = cache(partial(_traced, model, call, expected))
            self._cases.append((call, expected, flat))
            for number in range(_FURTHER):
                other = call.shuffled(number)
                try:
                    self._cases.append((other, self._expected(other), flat))
                except UsageError:  # values in another order are not the user's: a model may refuse them
                    continue

    def reason_against(self, program: Call) -> str | None:
        """Why a program is wrong. None when it is right. Raises any error of the program."""
        for call, expected, flat in self._cases:
            found = _leaves(program, self.model, call)
            try:
                require_agreement(expected, found, partial(self._truth, call, flat), partial(_followed, call, flat))
            except Disagreement as difference:
                return str(difference)
        return None

    def _expected(self, call: ExampleCall) -> list[Any]:
        try:
            return _leaves(self.model, self.model, call)
        except Exception as error:
            name = type(self.model).__name__
            raise UsageError(f"a call of the model fails: {described(error)}", field=name) from error

    def _truth(self, call: ExampleCall, trace: Trace) -> list[Any] | None:
        flat = trace()
        if flat is not None:
            return in_float64(flat.module, call.leaves())
        try:
            wide = copy.deepcopy(self.model).double()
            return _leaves(wide, wide, _widened(call))
        except Exception:  # noqa: BLE001  a model that cannot be copied or widened has no float64 results
            return None


def _traced(model: nn.Module, call: ExampleCall, expected: list[Any]) -> Flat | None:
    """The graph of a call. None for a model that is not one graph, and where the graph gives other results than the
    model: a model may do other things while it is traced, and then its graph tells nothing of it.
    """
    try:
        with untouched(model, (call.args, call.kwargs)):
            flat = flattened(model, call.args, dict(call.kwargs))
            with torch.no_grad():
                found = pytree.tree_leaves(copied(flat.module(*copied(call.leaves()))))
        require_agreement(expected, found, lambda: None)
    except (UsageError, Disagreement):
        return None
    return flat


def _followed(call: ExampleCall, trace: Trace, found: Sequence[object]) -> Followed | None:
    flat = trace()
    return following(flat.module, call.leaves(), found) if flat is not None else None


def _leaves(program: Call, model: nn.Module, call: ExampleCall) -> list[Any]:
    """The results of a call in a row, in memory of their own. The call's arguments stay as they are."""
    with torch.no_grad(), untouched(model, (call.args, call.kwargs)):
        args, kwargs = copied((call.args, dict(call.kwargs)))
        return pytree.tree_leaves(copied(program(*args, **kwargs)))


def _widened(call: ExampleCall) -> ExampleCall:
    def wide(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.double() if tensor.is_floating_point() else tensor

    return ExampleCall(*mapped((call.args, dict(call.kwargs)), wide))
