"""What is wrong with outputs, with the likely cause where the pass set shows one: kernels compiled with fast math."""

from __future__ import annotations

from passnet.bench.compare.comparison import Comparison
from passnet.bench.compare.objections import is_of_infinities, objection
from passnet.bench.wire.requests import PassFiles
from passnet.rewrite.policy.fast_math import without_fast_math

_HELPERS = "passnet::exp, sigmoid or silu"


def explained(found: Comparison, passes: PassFiles | None) -> str:
    """The objection to some outputs. Where it tells of infinities or NaN: what in the set's text may make them."""
    said = objection(found)
    cures = without_fast_math(passes.files) if passes is not None and is_of_infinities(found) else ()
    if not cures:
        return said
    helpers = f", or {_HELPERS}" if any(cure.startswith("cpp") for cure in cures) else ""
    return (
        f"{said}; a kernel is compiled with fast math, under which there are no infinities and one on the way may "
        f"become NaN: try {' and '.join(cures)}{helpers}"
    )
