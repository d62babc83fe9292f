"""The example calls of a model: what it is optimised for, and further values on which its forms must be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils import _pytree as pytree

from passnet.errors import UsageError
from passnet.use.model.copies import in_other_order, mapped

_SEED = 20


@dataclass(frozen=True)
class ExampleCall:
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    def leaves(self) -> list[Any]:
        """All arguments in a row."""
        leaves: list[Any] = pytree.tree_leaves((self.args, dict(self.kwargs)))
        return leaves

    def on(self, device: str) -> ExampleCall:
        """The same call with its tensors on a device."""

        return ExampleCall(*mapped((self.args, dict(self.kwargs)), lambda tensor: tensor.to(device)))

    def shuffled(self, number: int) -> ExampleCall:
        """The same call with the values of each float tensor in another order: other data of the same range."""
        generator = torch.Generator().manual_seed(_SEED + number)

        return ExampleCall(*in_other_order((self.args, dict(self.kwargs)), generator))


def examples_of(given: object, field_name: str) -> tuple[ExampleCall, ...]:
    """Further calls as a user writes them: a list of tensors, tuples of arguments, or (arguments, keyword arguments).

    UsageError for anything else.
    """
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise UsageError("no list of calls", field=field_name, expected="a list", found=type(given).__name__)
    return tuple(_example(each, f"{field_name}[{index}]") for index, each in enumerate(given))


def _example(given: object, field_name: str) -> ExampleCall:
    if isinstance(given, ExampleCall):
        return given
    if isinstance(given, torch.Tensor):
        return ExampleCall((given,))
    if isinstance(given, Sequence) and not isinstance(given, str):
        values = tuple(given)
        if len(values) == 2 and isinstance(values[0], Sequence) and isinstance(values[1], Mapping):
            return ExampleCall(tuple(values[0]), dict(values[1]))
        return ExampleCall(values)
    raise UsageError(
        "no call of the model", field=field_name, expected="a tensor, (x, y), or ((x, y), {name: z})", found=type(given)
    )


def device_of_call(model: torch.nn.Module, calls: Sequence[ExampleCall], name: str) -> str:
    """The one device of a model and of its calls. UsageError when there are several."""
    tensors = [*model.parameters(), *model.buffers(), *(leaf for call in calls for leaf in call.leaves())]
    kinds = sorted({value.device.type for value in tensors if isinstance(value, torch.Tensor)})
    if len(kinds) > 1 or (kinds and kinds[0] not in ("cpu", "cuda")):
        raise UsageError(
            "the model is on several devices" if len(kinds) > 1 else "the model is on a device without a bench",
            field=name,
            expected="cpu or cuda",
            found=", ".join(kinds),
            hint="--device cpu or --device cuda moves the model and its inputs there",
        )
    return kinds[0] if kinds else "cpu"
