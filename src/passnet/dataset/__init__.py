"""Cuts small graphs out of real models and makes tasks of them. Importing this package imports no torch."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passnet.dataset.bundle import Variant, variants, write_tasks
    from passnet.dataset.capture import Captured, capture_graphs
    from passnet.dataset.cut import Piece, call_nodes, cut_range, find_ops, op_name, verify
    from passnet.dataset.sources import Source
    from passnet.dataset.tasks import TASKS, BundledTask

_HOMES = {
    "TASKS": "tasks",
    "BundledTask": "tasks",
    "Captured": "capture",
    "Piece": "cut",
    "Source": "sources",
    "Variant": "bundle",
    "call_nodes": "cut",
    "capture_graphs": "capture",
    "cut_range": "cut",
    "find_ops": "cut",
    "op_name": "cut",
    "variants": "bundle",
    "verify": "cut",
    "write_tasks": "bundle",
}

__all__ = [
    "TASKS",
    "BundledTask",
    "Captured",
    "Piece",
    "Source",
    "Variant",
    "call_nodes",
    "capture_graphs",
    "cut_range",
    "find_ops",
    "op_name",
    "variants",
    "verify",
    "write_tasks",
]


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
