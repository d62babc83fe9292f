"""rewrite: read pass sets, check their source, match them against graphs, and put their kernels in place.

Reading and checking (`read_pass_set`, `check_policy`) import no torch and run no pass code. `load_rules` runs pass code
and belongs in a process that may. Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passnet.rewrite.applies import Candidate, TensorInfo
    from passnet.rewrite.apply import Rewritten, rewrite
    from passnet.rewrite.diff import graph_diff
    from passnet.rewrite.errors import (
        ReplacementArgsComputes,
        RewriteLimitError,
        RuleError,
        RuleLoadError,
        RuleTraceError,
    )
    from passnet.rewrite.load import LoadedSet, load_rules
    from passnet.rewrite.nearmiss import NearMiss
    from passnet.rewrite.passset import PassSet, RuleSource, read_pass_set
    from passnet.rewrite.policy import POLICY, PolicyRule, Violation, check_policy
    from passnet.rewrite.program import deployed
    from passnet.rewrite.replace import Replacement
    from passnet.rewrite.rule import Limits, Rule
    from passnet.rewrite.stats import RuleStats

_HOME = {
    "applies": ("Candidate", "TensorInfo"),
    "apply": ("Rewritten", "rewrite"),
    "diff": ("graph_diff",),
    "errors": ("ReplacementArgsComputes", "RewriteLimitError", "RuleError", "RuleLoadError", "RuleTraceError"),
    "load": ("LoadedSet", "load_rules"),
    "nearmiss": ("NearMiss",),
    "passset": ("PassSet", "RuleSource", "read_pass_set"),
    "policy": ("POLICY", "PolicyRule", "Violation", "check_policy"),
    "program": ("deployed",),
    "replace": ("Replacement",),
    "rule": ("Limits", "Rule"),
    "stats": ("RuleStats",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "POLICY",
    "Candidate",
    "Limits",
    "LoadedSet",
    "NearMiss",
    "PassSet",
    "PolicyRule",
    "Replacement",
    "ReplacementArgsComputes",
    "RewriteLimitError",
    "Rewritten",
    "Rule",
    "RuleError",
    "RuleLoadError",
    "RuleSource",
    "RuleStats",
    "RuleTraceError",
    "TensorInfo",
    "Violation",
    "check_policy",
    "deployed",
    "graph_diff",
    "load_rules",
    "read_pass_set",
    "rewrite",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE[name]}"), name)
