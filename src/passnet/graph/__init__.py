"""Graphs, tensor specs and tasks: read, write, build and run.  Importing this room imports no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passnet.graph.constraints import Constraints
from passnet.graph.discover import find_graphs
from passnet.graph.errors import GraphError
from passnet.graph.graph import CONTENT_FILES, DEFAULT_LIMIT_BYTES, Graph
from passnet.graph.listing import read_graph_list
from passnet.graph.program import DeviceConstant, Op, Program, Ref, SliceValue, TorchConstant
from passnet.graph.roles import Role, roles_of
from passnet.graph.spec import TensorSpec
from passnet.graph.syntax import parse_model
from passnet.graph.task import GraphRef, Task

if TYPE_CHECKING:
    from passnet.graph.build import build_module
    from passnet.graph.emit import graph_from_fx
    from passnet.graph.inputs import Distribution, Policy, make_inputs
    from passnet.graph.measure import dtype_name
    from passnet.graph.outputs import degenerate, tensors_of, uninformative
    from passnet.graph.propagation import Propagation, fake_inputs, propagate

# Names that pull torch in, by the module that holds them.
_LAZY = {
    "build_module": "build",
    "degenerate": "outputs",
    "tensors_of": "outputs",
    "uninformative": "outputs",
    "graph_from_fx": "emit",
    "Distribution": "inputs",
    "Policy": "inputs",
    "make_inputs": "inputs",
    "dtype_name": "measure",
    "Propagation": "propagation",
    "fake_inputs": "propagation",
    "propagate": "propagation",
}

__all__ = [
    "CONTENT_FILES",
    "DEFAULT_LIMIT_BYTES",
    "Constraints",
    "DeviceConstant",
    "Distribution",
    "Graph",
    "GraphError",
    "GraphRef",
    "Op",
    "Policy",
    "Program",
    "Propagation",
    "Ref",
    "Role",
    "SliceValue",
    "Task",
    "TensorSpec",
    "TorchConstant",
    "build_module",
    "degenerate",
    "dtype_name",
    "fake_inputs",
    "find_graphs",
    "graph_from_fx",
    "make_inputs",
    "parse_model",
    "propagate",
    "read_graph_list",
    "roles_of",
    "tensors_of",
    "uninformative",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f"passnet.graph.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
