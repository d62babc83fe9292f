"""What a text in a name of the source can put into the assembly is seen there."""

from __future__ import annotations

import pytest

from passnet.kernels.policy.objects import check_assembly
from passnet.kernels.policy.source import KernelPolicyError

PLAIN = """
\t.file\t"<stdin>"
\t.text
\t.section\t.text.f,"ax",@progbits
\t.p2align 4
\t.globl\tf
\t.type\tf, @function
f:
.LFB1:
\t.cfi_startproc
\tmovq\t%rdi, %rax
\t.p2align 4,,10
\t.p2align 3
.L2:
\trep stosq
\tret
\t.section\t.rodata.str1.1,"aMS",@progbits,1
.LC0:
\t.string\t"a; b /* c"
\t.zero\t8
\t.text
"""


def test_what_a_compiler_writes_is_accepted() -> None:
    check_assembly(PLAIN)


@pytest.mark.parametrize(
    "name", ["movntps", "vmovntdq", "prefetchnta", "sfence", "pause", "xorl", "movd", "xchgl", "testl", "sahf", "stc"]
)
def test_stores_past_the_caches_and_hints_are_accepted(name: str) -> None:
    check_assembly(f"{PLAIN}\t{name}\t%xmm0, (%rdi)\n")


@pytest.mark.parametrize(
    "line",
    [
        "\tsyscall",
        "\tclflush\t(%rdi)",
        "\tclwb\t(%rdi)",
        "\txbegin\t.L2",
        "\txgetbv",
        "\tmwaitx",
        "\tpushfq",
        "\tpopfq",
        "\tpopf",
        "\tstd",
        "\tcld",
        "\tstac",
        "\tdc\tcivac, x0",
        "\tmovq %rdi, %rax; syscall; ret",
        "who: movq %rdi, %rax; syscall; l1:",
        "who: syscall",
        "a: b: syscall",
        '"odd name": syscall',
        "\t.skip 1, 0x0f",
        "\t.uleb128 0x0f",
        "\t.p2align 4, 0x0f",
        "\t.zero 3",
        "\t.byte 0x0f, 0x05",
        "/* */ syscall",
        '\tnop; .ascii "x"',
        "\t.intel_syntax noprefix",
        "\t.macro m",
        "\t.rept 2",
        "\t.ifdef x",
        '\t.string "no end',
    ],
)
def test_what_hides_is_refused(line: str) -> None:
    with pytest.raises(KernelPolicyError):
        check_assembly(PLAIN + line + "\n")
