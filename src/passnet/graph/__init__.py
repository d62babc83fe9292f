"""Graphs, tensor specs and tasks: read, write, build and run.  Importing this room imports no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passnet.graph.discover import find_graphs
from passnet.graph.errors import GraphError
from passnet.graph.graph import CONTENT_FILES, DEFAULT_LIMIT_BYTES, Graph
from passnet.graph.listing import read_graph_list
from passnet.graph.task import GraphRef, Task
from passnet.graph.tensors.constraints import Constraints
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import DeviceConstant, Op, ParsedModel, Ref, SliceValue, TorchConstant
from passnet.graph.text.syntax import parse_model
from passnet.graph.values.roles import Role, roles_of

if TYPE_CHECKING:
    from passnet.graph.emit import graph_from_fx
    from passnet.graph.tensors.measure import dtype_name
    from passnet.graph.text.build import build_module
    from passnet.graph.values.inputs import Distribution, Policy, make_inputs
    from passnet.graph.values.outputs import degenerate, tensors_of, uninformative
    from passnet.graph.values.propagation import Propagation, fake_inputs, propagate

# Public names whose module imports torch -> that module.
_LAZY = {
    "build_module": "text.build",
    "degenerate": "values.outputs",
    "tensors_of": "values.outputs",
    "uninformative": "values.outputs",
    "graph_from_fx": "emit",
    "Distribution": "values.inputs",
    "Policy": "values.inputs",
    "make_inputs": "values.inputs",
    "dtype_name": "tensors.measure",
    "Propagation": "values.propagation",
    "fake_inputs": "values.propagation",
    "propagate": "values.propagation",
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
    "ParsedModel",
    "Policy",
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
