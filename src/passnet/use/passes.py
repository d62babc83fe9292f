"""A directory of passes, checked and loaded into this process, ready to be applied to models.

Applying a pass set runs its author's code with the user's rights. The source policy is checked first; whoever gives
`policy=None` vouches for the files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import fx, nn

from passnet import rewrite
from passnet.errors import UsageError
from passnet.rewrite.policy_names import Level
from passnet.use.applied import Applied, Flat, flattened


class Passes:
    """The rules of one directory. Rules for a device are loaded when the first model on that device comes."""

    def __init__(self, source: rewrite.PassSet) -> None:
        self.source = source
        self._rules: dict[str, tuple[rewrite.Rule, ...]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all rules in order of application."""
        return tuple(rule.name for rule in self.source.rules)

    def rules(self, device: str) -> tuple[rewrite.Rule, ...]:
        """The rules that serve a device type (`cpu`, `cuda`).

        Errors: UsageError for a rule that cannot be loaded, naming its file.
        """
        if device not in self._rules:
            loaded = rewrite.load_rules(self.source, device)
            if loaded.failed:
                raise UsageError(f"a pass cannot be loaded: {loaded.failed[0]}", path=self.source.directory)
            self._rules[device] = loaded.rules
        return self._rules[device]

    def rewritten(self, module: fx.GraphModule, device: str) -> rewrite.Rewritten:
        """A copy of a torch-level graph with every match replaced; counts and near misses beside it."""
        return rewrite.rewrite(module, self.rules(device))

    def apply(
        self, model: nn.Module, example_inputs: Sequence[Any], kwargs: Mapping[str, Any] | None = None
    ) -> Applied:
        """`model` with the passes in place, for calls like the example.

        The model is traced once on the example inputs, without gradients and in the mode it is in, and left as it is.
        Calls that differ from the example in structure, dtype, shape, stride or device, calls outside `no_grad`, calls
        under autocast and calls after the model's mode changed run the model itself. Parameters are shared: what is
        trained or loaded in place is seen.

        Errors: UsageError for a model that Dynamo cannot trace as one graph, or when a replaced model gives other
        results on the example than the model does.
        """
        flat = flattened(model, tuple(example_inputs), dict(kwargs or {}))
        result = self.rewritten(flat.module, device_of(flat.inputs))
        if not result.total:
            return Applied(model, None, result)
        made = Applied(model, Flat(result.gm, flat.inputs, flat.given, flat.returned), result)
        made.check(example_inputs, kwargs or {})
        return made


def load_passes(directory: Path | str, *, policy: Level | None = "strict") -> Passes:
    """Read a directory of passes (see `docs/passes.md`) and check it against the source policy.

    `policy` is "strict", "native" or None (not checked). Errors: UsageError for a directory that is none, a manifest
    or file that is wrong, and for a breach of the policy, naming file and line.
    """
    source = rewrite.read_pass_set(Path(directory))
    if policy is not None:
        for breach in rewrite.check_policy(source, policy):
            raise UsageError(
                f"line {breach.line}: {breach.what}: {breach.why}",
                path=source.directory / breach.file,
                hint=f"{breach.fix}, or load it with policy=None if you trust its author",
            )
    return Passes(source)


def device_of(values: Sequence[Any]) -> str:
    """The device type of the first tensor, `cpu` when there is none."""
    return next((value.device.type for value in values if isinstance(value, torch.Tensor)), "cpu")
