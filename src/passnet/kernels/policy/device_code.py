"""Checks compiled CUDA and Triton code: it must have no memory of its own, no heap, no clock and no way to the host.

The compiled object decides. The compiler's own tables (for trigonometric functions, or texts of assertions) lie in
device memory too. They are known by their names, which an author's source may not use (`policy.source`).
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from passnet.kernels.policy.breach import KernelPolicyError, refused
from passnet.kernels.policy.elf import Elf, FileKind, Flag, Section, UnreadableObject, parse_elf
from passnet.kernels.policy.registers import foreign_register

Language = Literal["CUDA", "Triton"]
_SHARED = re.compile(r"(?:\.nv\.merc)?\.nv\.shared(?:\.[\w.$]+)?")  # on the chip, for one block of threads
_TABLES = ".nv.global.init"
_COMPILERS_OWN: dict[Language, re.Pattern[str]] = {
    "CUDA": re.compile(r"__cudart_\w+|\$str[$\w]*|__unnamed_\d+"),
    "Triton": re.compile(r"assert(?:Message|File|Func)_\d+|__cudart_\w+|_\$_str[$\w]*"),
}
# Instructions of 16 bytes that read a special register (S2R, CS2R, S2UR, CS2UR), by their lowest 12 bits. Their tenth
# byte says which: slots of warps and processors, clocks, and counters of events. So it was seen from compute capability
# 7.5 to 12.0.
_READS = (0x919, 0x805, 0x9C3, 0x8CB)
_SLOTS = (0x02, 0x03, 0x43, 0x44)
_CLOCKS = (*range(0x50, 0x54), *range(0x64, 0x74))
_MOST_TABLES = 4096  # in bytes: tables for trigonometry have 300
_PROVIDED = re.compile(r"\.nv\.reservedSmem\.\w+|__assertfail")


def check_cubin(path: Path) -> None:
    """KernelPolicyError when device code keeps variables or calls code outside of itself."""
    check_image(path.read_bytes(), path.name, "CUDA")


def check_image(image: bytes, name: str, language: Language) -> None:
    """The same check for the bytes of a file. `name` is for messages."""
    try:
        found = parse_elf(image, name)
    except UnreadableObject as error:
        raise _breach(language, str(error), "only objects that can be checked are loaded") from error
    for section in found.sections:
        if section.size and section.flags & Flag.WRITE and not _SHARED.fullmatch(section.name):
            _check_variables(section, found, language)
        if section.flags & Flag.EXECUTABLE:
            code = image[section.offset : section.offset + section.size]
            for registers, what, when in (
                (_CLOCKS, "a clock", "when"),
                (_SLOTS, "where it runs", "on which processor"),
            ):
                if _reads(code, registers):
                    why = f"what a kernel computes must not depend on {when} it runs"
                    raise _breach(language, f"it reads {what}", why)
    for symbol in found.undefined:
        if not _PROVIDED.fullmatch(symbol.name):
            why = "memory that a kernel allocates on the device, and text that it prints, outlive it"
            raise _breach(language, f"it calls {symbol.name}", why)


def check_triton(compiled: Any) -> None:
    """The same for a kernel that Triton compiled for a CUDA device. What is loaded counts, not what is listed.

    Some registers are read like arguments there, so its PTX is looked at too.
    """
    image = getattr(compiled, "kernel", None)
    if not isinstance(image, bytes):
        image = compiled.asm.get("cubin")
    if image is None:
        raise _breach("Triton", f"{compiled.name} has no object that can be looked at", "nothing else is loaded")
    check_image(image, str(compiled.name), "Triton")
    register = foreign_register(str(compiled.asm.get("ptx") or ""))
    if register is not None:
        why = "what a kernel computes must not depend on when and where it runs"
        raise _breach("Triton", f"it reads {register}", why)


def check_what_triton_loads() -> None:
    """From now on Triton loads nothing that `check_triton` refuses into a device of this process."""
    from triton.compiler.compiler import CompiledKernel

    if getattr(CompiledKernel._init_handles, "checks", False):
        return
    load = CompiledKernel._init_handles

    @functools.wraps(load)
    def checked(compiled: Any) -> None:
        if compiled.module is None:
            check_triton(compiled)
        load(compiled)

    checked.checks = True  # type: ignore[attr-defined]  # tells that it is in place
    CompiledKernel._init_handles = checked


def triton_evaluates_nothing() -> None:
    """From now on Triton evaluates no text of a type in this process, but for a layout of literals, as Gluon has."""
    try:
        from triton import language
    except ImportError:  # the pass that asks for it says so itself
        return
    language.eval = _layout


def _layout(text: str, names: Mapping[str, Callable[..., object]]) -> object:
    """One of these layouts, called with literals. ValueError for any other text."""
    try:
        call = ast.parse(text, mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in names:
            given = [ast.literal_eval(each) for each in call.args]
            named = {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg is not None}
            if len(named) == len(call.keywords):
                return names[call.func.id](*given, **named)
    except (SyntaxError, ValueError):
        pass
    raise ValueError(f"a type of a kernel's argument holds text that would be evaluated: {text[:80]!r}")


def _reads(code: bytes, registers: Sequence[int]) -> bool:
    words = np.frombuffer(code[: len(code) // 16 * 16], dtype="<u8").reshape(-1, 2)
    reads = np.isin(words[:, 0] & 0xFFF, _READS)
    return bool(np.isin(words[reads, 1] >> 8 & 0xFF, registers).any())


def _check_variables(section: Section, whole: Elf, language: Language) -> None:
    names = [symbol.name for symbol in whole.symbols if symbol.section is section and symbol.kind != FileKind.SECTION]
    own = [name for name in names if section.name != _TABLES or not _COMPILERS_OWN[language].fullmatch(name)]
    if own or not names or section.size > _MOST_TABLES:
        where = own[0] if own else section.name
        raise _breach(language, f"variable {where} outlives the call", "keep tables constant, the rest local or shared")


def _breach(language: str, what: str, why: str) -> KernelPolicyError:
    return refused(language, "compiled code", what, why)
