"""Names that the command line offers, kept apart from the code behind them so that `--help` imports no torch.

Compilers are an open set: those of the table, the back ends of torch.compile, and entry points of other packages.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from passnet.errors import UsageError

COMPILERS = {
    "eager": "the graph as it is (A/A control)",
    "inductor": "TorchInductor, default mode",
    "inductor-cudagraphs": "TorchInductor, mode reduce-overhead: its kernels as CUDA graphs",
    "inductor-max-autotune": "TorchInductor, mode max-autotune",
    "inductor-max-autotune-no-cudagraphs": "TorchInductor, mode max-autotune without CUDA graphs of its own",
    "passes": "the task's own pass set",
    "passes+inductor": "the task's own pass set, TorchInductor for all that it leaves",
}
# These run a pass set: untrusted code.
WITH_PASSES = frozenset({"passes", "passes+inductor"})
# Without a GPU these would be another compiler of the table.
ON_CUDA = frozenset({"inductor-cudagraphs"})
DYNAMO: Final = "dynamo:"
# Entry points of this group are functions: (graph module, example inputs) -> callable.
ENTRY_POINTS: Final = "passnet.compilers"
COMPILERS_HELP = f"One of: {', '.join(COMPILERS)}; {DYNAMO}NAME, a back end of torch.compile; an installed compiler."
DEVICES = ("cpu", "cuda")
ENGINES = {"local": "devices of this machine", "ray": "devices of a Ray cluster"}
PROTOCOLS = ("direct", "paper")
# Half widths of the interval that a user may ask for, relative to the ratio.
PRECISIONS = {"5%": 0.05, "2%": 0.02, "1%": 0.01}
POLICIES = ("strict", "native")
PolicyLevel = Literal["strict", "native"]
# A name stands in records, in names of directories and in scripts.
_COMPILER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+:-]{0,99}")
_TORCH_GROUP = "torch_dynamo_backends"


@dataclass(frozen=True)
class BackendPackage:
    """The package that a back end needs. `registers`: torch knows the back end only once `module` is imported."""

    module: str
    registers: bool
    install: str


PACKAGES: Mapping[str, BackendPackage] = {
    "openvino": BackendPackage("openvino.torch", True, "pip install 'passnet[openvino]'"),
    "openxla": BackendPackage("torch_xla", False, "pip install torch_xla"),
    "tensorrt": BackendPackage("torch_tensorrt", True, "pip install torch-tensorrt"),
    "torch_tensorrt": BackendPackage("torch_tensorrt", True, "pip install torch-tensorrt"),
    "tvm": BackendPackage("tvm", False, "pip install apache-tvm"),
}


def is_compiler_name(text: object) -> bool:
    """Whether a text can be the name of a compiler, here or elsewhere. Nothing else may reach a script."""
    return isinstance(text, str) and _COMPILER_NAME.fullmatch(text) is not None


def file_word(compiler: str) -> str:
    """The compiler's name as a part of a file name."""
    return compiler.replace(":", "-")


def installed_compilers() -> list[str]:
    """The compilers that other packages bring, by the names of their entry points. No package is imported."""
    return [name for name in _entry_points(ENTRY_POINTS) if name not in COMPILERS and is_compiler_name(name)]


def dynamo_backends(*, all_of_them: bool = False) -> list[str]:
    """The back ends of torch.compile that can be used here. No package but torch is imported.

    `all_of_them`: also those that torch keeps for its own tests.
    """
    from torch._dynamo import list_backends

    hidden = () if all_of_them else ("debug", "experimental")
    known = {*list_backends(exclude_tags=hidden), *_entry_points(_TORCH_GROUP), *PACKAGES}
    return sorted(name for name in known if name != "passnet" and is_installed(name))


def is_installed(backend: str) -> bool:
    """Whether the package of a back end is there, where it needs one."""
    package = PACKAGES.get(backend)
    return package is None or importlib.util.find_spec(package.module.partition(".")[0]) is not None


def package_of(name: str) -> str | None:
    """The package and version behind a compiler that another package brings. None where torch or we bring it."""
    from importlib.metadata import PackageNotFoundError, entry_points, version

    if name in COMPILERS:
        return None
    group, short = (_TORCH_GROUP, name.removeprefix(DYNAMO)) if name.startswith(DYNAMO) else (ENTRY_POINTS, name)
    for found in entry_points(group=group, name=short):
        if found.dist is not None:
            return f"{found.dist.name} {found.dist.version}"
    if short not in PACKAGES:
        return None
    package = PACKAGES[short].module.partition(".")[0]
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


def check_compiler(name: str, device: str) -> None:
    """UsageError unless this compiler can be used here on this kind of device. The error names what exists."""
    if name in ON_CUDA and device == "cpu":
        raise UsageError(f"{name} needs a GPU", field="--compiler", hint="give --device cuda, or --compiler inductor")
    if name in COMPILERS:
        return
    if name.startswith(DYNAMO):
        _check_backend(name.removeprefix(DYNAMO))
    elif name not in (others := installed_compilers()):
        known = ", ".join([*COMPILERS, *others, f"{DYNAMO}NAME"])
        raise UsageError(
            f"unknown compiler {name[:100]!r}", field="--compiler", expected=f"one of {known}",
            hint=f"other packages bring theirs as entry points of the group {ENTRY_POINTS}",
        )  # fmt: skip


def _check_backend(name: str) -> None:
    if name == "passnet":
        raise UsageError(
            "the back end of PassNet would run passes without a sandbox",
            field="--compiler",
            hint="give --compiler passes",
        )
    if name in dynamo_backends(all_of_them=True):
        return
    package = PACKAGES.get(name)
    hint = None if package is None else f"{name} needs {package.module.partition('.')[0]}: {package.install}"
    raise UsageError(
        f"no such back end of torch.compile: {name[:100]!r}", field="--compiler",
        expected=f"{DYNAMO}NAME with one of {', '.join(dynamo_backends())}", hint=hint,
    )  # fmt: skip


def _entry_points(group: str) -> list[str]:
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group).names)
