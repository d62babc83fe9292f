"""Says which kernels of a pass set are compiled with fast math, under which an infinity on the way may become a NaN."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from passnet.rewrite.passes.source import parse_pass_file
from passnet.rewrite.policy.view import FileView, views

# Function that compiles -> its option, and whether that is on where nothing is written.
_OPTIONS = {
    "passnet.kernels.cpp": ("fast_math", True),
    "passnet.kernels.cuda": ("fast_math", False),
    **{f"numba.{name}": ("fastmath", False) for name in ("njit", "jit", "vectorize", "guvectorize", "cfunc")},
}


def without_fast_math(texts: Mapping[str, str]) -> tuple[str, ...]:
    """What to write so that nothing is compiled with fast math, such as `cpp(..., fast_math=False)`. Empty: nothing is.

    `texts`: the judged files by name. Those that are no Python are left out.
    """
    files = tuple(parse_pass_file(Path(name), text.encode()) for name, text in texts.items() if name.endswith(".py"))
    return tuple(sorted({written for view in views(files) for written in _fast(view)}))


def _fast(view: FileView) -> Iterator[str]:
    for node, dotted in view.whole_references:
        call = view.parents.get(node)
        if dotted not in _OPTIONS or not isinstance(call, ast.Call) or call.func is not node:
            continue
        option, is_on = _OPTIONS[dotted]
        given = [keyword.value for keyword in call.keywords if keyword.arg == option]
        if any(not isinstance(value, ast.Constant) or value.value for value in given) or (is_on and not given):
            yield f"{dotted.rpartition('.')[2]}(..., {option}=False)"
