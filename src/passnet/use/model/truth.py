"""Runs a traced model once in float64: the truth for its own results and for those with passes.

Other results may show indices that were chosen by value. The model and its float64 twin are then run with these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree

from passnet.bench.compare.float64_twin import run_widened
from passnet.bench.compare.indices.follow import Followed, Follower


def in_float64(module: fx.GraphModule, inputs: Sequence[Any]) -> list[Any] | None:
    """The flat results of a torch-level graph with every low-precision float widened. None when that cannot run."""
    try:
        with torch.no_grad():
            return pytree.tree_leaves(run_widened(module, inputs))
    except Exception:  # noqa: BLE001  an operator without a float64 form raises whatever it likes: then there is no truth
        return None


def following(module: fx.GraphModule, inputs: Sequence[Any], found: Sequence[Any]) -> Followed | None:
    """The model's own results and float64's for the indices that `found` shows. None when it shows none."""
    follower = Follower.of(module, wide=False)
    if not follower.choosers:
        return None
    if in_float64(module, inputs) is not None:
        follower = Follower.of(module, wide=True)
    return follower.follow(inputs, found, hard=False, hidden=False)
