"""Tells names that the installed torch or Triton does not have from those that a pass may not use.

Nothing is imported for that. A module that is loaded is asked; of another one the text is read.
"""

from __future__ import annotations

import ast
import difflib
import functools
import importlib.metadata
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from passnet.op_classes import word_set
from passnet.rewrite.policy.bindings import Bindings, bindings
from passnet.rewrite.policy.names import TORCH_NAMES, TRITON_LANGUAGE

_DOTTED = re.compile(r"(?P<library>torch|triton)(?:\.\w+)+")
_SPOKEN = {"torch": "torch", "triton": "Triton"}
_OF_TRITON = word_set("triton.language triton.cdiv triton.next_power_of_2 triton.Config triton.jit triton.autotune")
_ALLOWED = TORCH_NAMES | _OF_TRITON | {f"triton.language.{name}" for name in TRITON_LANGUAGE}
# What earlier releases had, and what stands there now.
_NOW = {
    "triton.language.advance": "move a block pointer by making another, or use tl.make_tensor_descriptor",
    "triton.language.libdevice": "write `from triton.language.extra import libdevice`",
    "triton.language.experimental_descriptor_load": "write tl.make_tensor_descriptor, and load from what it gives",
    "triton.language.experimental_descriptor_store": "write tl.make_tensor_descriptor, and store to what it gives",
}


class Absent(NamedTuple):
    """Why a name is refused that does not exist, and what to write."""

    why: str
    fix: str


def absent(what: str) -> Absent | None:
    """What to say of a dotted name that the installed library lacks. None for others, and where nobody can tell."""
    found = _DOTTED.fullmatch(what)
    if found is None:
        return None
    owner, *parts = what.split(".")
    for part in parts:
        names = _names(owner)
        if names is None:
            return None
        if part not in names:
            return Absent(f"{_installed(found['library'])} has no {owner}.{part}", _instead(owner, part))
        if not _is_module(owner, part):
            return None
        owner = f"{owner}.{part}"
    return None


def _is_module(owner: str, part: str) -> bool:
    """Whether a name of a module is a submodule of it, and no object that hides one."""
    loaded = sys.modules.get(owner)
    if loaded is not None:
        return type(vars(loaded).get(part, sys)) is ModuleType
    place = _place(owner)
    values = _bound(place).get(part, ()) if place is not None else ()
    return all(isinstance(value, ast.ImportFrom) and value.module is None for value in values)


def _instead(owner: str, part: str) -> str:
    if f"{owner}.{part}" in _NOW:
        return _NOW[f"{owner}.{part}"]
    allowed = [name.rpartition(".")[2] for name in sorted(_ALLOWED) if name.rpartition(".")[0] == owner]
    near = difflib.get_close_matches(part, allowed, 1, 0.75)
    return f"did you mean {near[0]}?" if near else "write a name that it has"


def _installed(library: str) -> str:
    try:
        return f"{_SPOKEN[library]} {importlib.metadata.version(library)}"
    except importlib.metadata.PackageNotFoundError:
        return f"the installed {_SPOKEN[library]}"


def _names(dotted: str) -> frozenset[str] | None:
    """The names of a module, those of its submodules included. None of what is no plain module."""
    module = sys.modules.get(dotted)
    if module is not None:
        # A class of its own may answer any name.
        place = Path(module.__file__ or "") if type(module) is ModuleType and hasattr(module, "__file__") else None
        return None if place is None else frozenset(dir(module)) | _beside(place)
    place = _place(dotted)
    return None if place is None else _written(place)


def is_module(package: str, name: str) -> bool:
    """Whether a package has a submodule of this name, loaded or not."""
    return _place(f"{package}.{name}") is not None


def _place(dotted: str) -> Path | None:
    """The file of a module that is not loaded."""
    library, *parts = dotted.split(".")
    spec = importlib.util.find_spec(library) if library not in sys.modules else sys.modules[library].__spec__
    if spec is None or spec.origin is None:
        return None
    below = Path(spec.origin).parent.joinpath(*parts)
    return next((path for path in (below / "__init__.py", below.with_suffix(".py")) if path.is_file()), None)


def _written(place: Path) -> frozenset[str] | None:
    """The names of a module by its text. None where the text does not show them all."""
    bound = _bound(place).keys()
    return None if not bound or bound & {"*", "__getattr__"} else frozenset(bound) | _beside(place)


@functools.lru_cache(maxsize=64)
def _bound(place: Path) -> Bindings:
    """What a module's text binds. Nothing where it cannot be read."""
    try:
        return bindings(ast.parse(place.read_text(encoding="utf-8")).body)
    except (OSError, SyntaxError, ValueError):
        return {}


def _beside(place: Path) -> frozenset[str]:
    """The submodules of a package, by its `__init__.py`."""
    if place.name != "__init__.py":
        return frozenset()
    return frozenset(path.stem for path in place.parent.iterdir() if path.is_dir() or path.suffix == ".py")
