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
    from passnet.rewrite.convert import Converted, as_operators, operable
    from passnet.rewrite.diff import graph_diff
    from passnet.rewrite.effects import changes_inputs
    from passnet.rewrite.errors import (
        ReplacementArgsComputes,
        RewriteLimitError,
        RuleError,
        RuleLoadError,
        RuleTraceError,
    )
    from passnet.rewrite.frozen import CallReport, FrozenProgram, freeze_program
    from passnet.rewrite.frozen_operators import freeze_operators
    from passnet.rewrite.load import LoadedSet, load_rules, load_sets
    from passnet.rewrite.nearmiss import NearMiss
    from passnet.rewrite.operators import NotAnOperator, Operator
    from passnet.rewrite.passset import PassSet, RuleSource, read_pass_set
    from passnet.rewrite.policy import POLICY, PolicyRule, Violation, check_policy
    from passnet.rewrite.program import Runnable, deployed
    from passnet.rewrite.replace import Replacement
    from passnet.rewrite.rule import Limits, Rule
    from passnet.rewrite.stats import RuleStats
    from passnet.rewrite.straight import straight_line

_HOME = {
    "applies": ("Candidate", "TensorInfo"),
    "apply": ("Rewritten", "rewrite"),
    "convert": ("Converted", "as_operators", "operable"),
    "diff": ("graph_diff",),
    "effects": ("changes_inputs",),
    "errors": ("ReplacementArgsComputes", "RewriteLimitError", "RuleError", "RuleLoadError", "RuleTraceError"),
    "frozen": ("CallReport", "FrozenProgram", "freeze_program"),
    "frozen_operators": ("freeze_operators",),
    "load": ("LoadedSet", "load_rules", "load_sets"),
    "nearmiss": ("NearMiss",),
    "operators": ("NotAnOperator", "Operator"),
    "passset": ("PassSet", "RuleSource", "read_pass_set"),
    "policy": ("POLICY", "PolicyRule", "Violation", "check_policy"),
    "program": ("Runnable", "deployed"),
    "replace": ("Replacement",),
    "rule": ("Limits", "Rule"),
    "stats": ("RuleStats",),
    "straight": ("straight_line",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "POLICY",
    "CallReport",
    "Candidate",
    "Converted",
    "FrozenProgram",
    "Limits",
    "LoadedSet",
    "NearMiss",
    "NotAnOperator",
    "Operator",
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
    "Runnable",
    "TensorInfo",
    "Violation",
    "as_operators",
    "changes_inputs",
    "check_policy",
    "deployed",
    "freeze_operators",
    "freeze_program",
    "graph_diff",
    "load_rules",
    "load_sets",
    "operable",
    "read_pass_set",
    "rewrite",
    "straight_line",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE[name]}"), name)
