"""A rule ready to be applied, and the limits under which rules are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from passnet.rewrite.passes.errors import RuleTraceError
from passnet.rewrite.rules.arguments import Template, read_arguments, used_arguments
from passnet.rewrite.rules.author_guard import Guard
from passnet.rewrite.rules.trace import Pattern


@dataclass(frozen=True, slots=True)
class Rule:
    """The content of a pass file: where it applies, what its kernel receives, and the kernel's wrapper.

    `applies` is the optional guard: it says whether a match is wanted. Several rules may share one `function` object. A
    constant among the arguments then tells them apart. `source` is the pattern as written, for raw matching.
    """

    name: str
    pattern: Pattern
    arguments: tuple[Template, ...]
    function: Callable[..., Any]
    applies: Guard | None = None
    source: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True)
class RewriteLimits:
    """Limits on work. Each raises an error when it is reached. None of them drops rules or matches."""

    max_rules: int = 1000
    max_replacement_functions: int | None = None
    max_replacements: int = 100_000
    max_match_steps: int = 5_000_000


def check_bindable(rule: Rule, path: Path) -> None:
    """Raise `RuleTraceError` when the kernel wants a parameter that the pattern does not use, so nothing binds it."""
    literals = {i for i, node in enumerate(rule.pattern.parameters) if node in rule.pattern.literals}
    if literals & read_arguments(rule.arguments):
        raise RuleTraceError(
            path, None, "replacement_args reads sizes of a literal parameter", "pass the parameter on as it is"
        )
    missing = sorted(used_arguments(rule.arguments) & rule.pattern.unused)
    if missing:
        names = ", ".join(str(rule.pattern.parameters[index].target) for index in missing)
        raise RuleTraceError(
            path,
            None,
            f"replacement_args passes on {names}, which the pattern does not use",
            "use the parameter in the pattern or leave it out of replacement_args",
        )
