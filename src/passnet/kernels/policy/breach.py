"""The error for kernel code that does more than compute, in any language."""

from __future__ import annotations

from typing import Literal

from passnet.errors import UsageError

Language = Literal["C++", "CUDA"]
ONE_PROCESSOR = (
    "the compiler is given the instructions of this processor, so choose by `#ifdef __AVX512F__` or `#ifdef __AVX2__`"
)


class KernelPolicyError(UsageError):
    """A kernel source that does more than compute."""


def refused(language: str, where: str, what: str, why: str) -> KernelPolicyError:
    """The error for one breach."""
    return KernelPolicyError(
        f"the {language} source does more than compute: {what}", field=where, hint=f"write the kernel without it: {why}"
    )
