"""rewrite: reads pass sets, checks their source, matches them against graphs and puts their kernels in place.

Reading and checking (`read_pass_set`, `check_policy`) import no torch and run no pass code. `load_rules` runs pass code
and belongs in a process that may. Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passnet.rewrite.apply.counts import RuleStats
    from passnet.rewrite.apply.diff import graph_diff
    from passnet.rewrite.apply.replace import Replacement
    from passnet.rewrite.apply.rewriting import Rewritten, rewrite
    from passnet.rewrite.canonical.effects import changes_inputs
    from passnet.rewrite.inductor.convert import Converted, as_operators, operable
    from passnet.rewrite.inductor.frozen_operators import freeze_operators
    from passnet.rewrite.inductor.operators import NotAnOperator, Operator
    from passnet.rewrite.match.near_miss import NearMiss
    from passnet.rewrite.passes.errors import (
        ReplacementArgsComputes,
        RewriteLimitError,
        RuleError,
        RuleLoadError,
        RuleTraceError,
    )
    from passnet.rewrite.passes.pass_set import PassSet, RuleSource, pass_set_of, read_pass_set
    from passnet.rewrite.policy.check import POLICY, PolicyRule, Violation, check_policy
    from passnet.rewrite.program.codegen import straight_line
    from passnet.rewrite.program.deploy import Runnable, deployed
    from passnet.rewrite.program.frozen import CallReport, FrozenProgram, freeze_program
    from passnet.rewrite.rules.author_guard import Candidate, TensorInfo
    from passnet.rewrite.rules.load import LoadedSet, load_rules, load_sets
    from passnet.rewrite.rules.rule import RewriteLimits, Rule

_HOME = {
    "rules.author_guard": ("Candidate", "TensorInfo"),
    "apply.rewriting": ("Rewritten", "rewrite"),
    "inductor.convert": ("Converted", "as_operators", "operable"),
    "apply.diff": ("graph_diff",),
    "canonical.effects": ("changes_inputs",),
    "passes.errors": ("ReplacementArgsComputes", "RewriteLimitError", "RuleError", "RuleLoadError", "RuleTraceError"),
    "program.frozen": ("CallReport", "FrozenProgram", "freeze_program"),
    "inductor.frozen_operators": ("freeze_operators",),
    "rules.load": ("LoadedSet", "load_rules", "load_sets"),
    "match.near_miss": ("NearMiss",),
    "inductor.operators": ("NotAnOperator", "Operator"),
    "passes.pass_set": ("PassSet", "RuleSource", "pass_set_of", "read_pass_set"),
    "policy.check": ("POLICY", "PolicyRule", "Violation", "check_policy"),
    "program.deploy": ("Runnable", "deployed"),
    "apply.replace": ("Replacement",),
    "rules.rule": ("RewriteLimits", "Rule"),
    "apply.counts": ("RuleStats",),
    "program.codegen": ("straight_line",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "POLICY",
    "CallReport",
    "Candidate",
    "Converted",
    "FrozenProgram",
    "LoadedSet",
    "NearMiss",
    "NotAnOperator",
    "Operator",
    "PassSet",
    "PolicyRule",
    "Replacement",
    "ReplacementArgsComputes",
    "RewriteLimitError",
    "RewriteLimits",
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
    "pass_set_of",
    "read_pass_set",
    "rewrite",
    "straight_line",
]


def __getattr__(name: str) -> object:
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE[name]}"), name)
