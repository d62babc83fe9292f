"""Types of exported functions as the compiler understood them. The source asks for them, and the object holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passnet.errors import UsageError
from passnet.kernels.compilation.prototypes import Prototype

# The keys are the letters of include/signature.h.
VALUES = {
    "f": "float",
    "d": "double",
    "e": "long double",
    "b": "bool",
    "c": "signed char",
    "s": "short",
    "i": "int",
    "l": "long long",
    "C": "unsigned char",
    "S": "unsigned short",
    "I": "unsigned int",
    "L": "unsigned long long",
}
_POINTERS = {**VALUES, "h": "passnet_binding::fp16", "B": "passnet_binding::bf16", "?": "void"}
_VOID = "v-"


@dataclass(frozen=True)
class Signature:
    """The C types of one function, its parameters without their names."""

    returns: str
    parameters: tuple[str, ...]


def description(prototypes: Sequence[Prototype], mark: str) -> str:
    """C++ that follows the author's source. It leaves each function's types in the object, after a mark and
    a number.
    """
    return "\n".join(
        f"__attribute__((__used__)) static constexpr auto passnet_signature_{index} = "
        f'passnet_signature::describe("{_marked(mark, index)}", &::{prototype.name});'
        for index, prototype in enumerate(prototypes)
    )


def read_signatures(data: bytes, prototypes: Sequence[Prototype], mark: str) -> tuple[Signature, ...]:
    """The types that `description` left in a compiled object. UsageError when they are not there exactly once."""
    return tuple(_read(data, prototype, _marked(mark, index)) for index, prototype in enumerate(prototypes))


def _marked(mark: str, index: int) -> str:
    return f"{mark}:{index}="


def _read(data: bytes, prototype: Prototype, mark: str) -> Signature:
    _, found, rest = data.partition(mark.encode())
    text = rest.partition(b"\0")[0].decode(errors="replace")
    types = [_type(text[at : at + 2]) for at in range(0, len(text), 2)]
    known = [name for name in types if name is not None]
    if not found or mark.encode() in rest or not known or len(known) < len(types):
        raise UsageError(f"the types of {prototype.name} cannot be found in the compiled source")
    return Signature(known[0], tuple(known[1:]))


def _type(letters: str) -> str | None:
    if letters == _VOID:
        return "void"
    kind, letter = letters[:1], letters[1:]
    if kind == "p" and letter in _POINTERS:
        return f"{_POINTERS[letter]}*"
    return VALUES.get(letter) if kind == "v" else None
