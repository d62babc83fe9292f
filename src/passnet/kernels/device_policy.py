"""What a CUDA source became: device code without a memory of its own, a heap, or a way to the host.

Decided by what the compiled object holds. The compiler's own tables (of trigonometric functions, texts of assertions)
lie in device memory too; they are told by names that an author's source may not use (`source_policy`).
"""

from __future__ import annotations

import re
from pathlib import Path

from passnet.kernels.elf import Elf, Flag, Kind, Section, UnreadableObject, read_elf
from passnet.kernels.source_policy import KernelPolicyError, refused

_WRITTEN = re.compile(r"\.nv\.shared(?:\.[\w.$]+)?")  # on the chip, for one block of threads
_TABLES = ".nv.global.init"
_COMPILERS_OWN = re.compile(r"__cudart_\w+|\$str[$\w]*|__unnamed_\d+")
_MOST_TABLES = 4096  # bytes; those of trigonometry have 300
_PROVIDED = re.compile(r"\.nv\.reservedSmem\.\w+|__assertfail")


def check_cubin(path: Path) -> None:
    """KernelPolicyError when device code keeps variables or calls what is outside of it."""
    try:
        found = read_elf(path)
    except UnreadableObject as error:
        raise _breach(str(error), "only objects that can be looked at are loaded") from error
    for section in found.sections:
        if section.size and section.flags & Flag.WRITE and not _WRITTEN.fullmatch(section.name):
            _check_variables(section, found)
    for symbol in found.undefined:
        if not _PROVIDED.fullmatch(symbol.name):
            raise _breach(
                f"it calls {symbol.name}", "device memory that a kernel takes, and what it prints, outlive it"
            )


def _check_variables(section: Section, whole: Elf) -> None:
    names = [symbol.name for symbol in whole.symbols if symbol.section is section and symbol.kind != Kind.SECTION]
    own = [name for name in names if section.name != _TABLES or not _COMPILERS_OWN.fullmatch(name)]
    if own or not names or section.size > _MOST_TABLES:
        where = own[0] if own else section.name
        raise _breach(f"variable {where} outlives the call", "make tables __constant__, keep the rest local or shared")


def _breach(what: str, why: str) -> KernelPolicyError:
    return refused("CUDA", "compiled code", what, why)
