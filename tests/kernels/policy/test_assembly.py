"""What a text in a name of the source can put into the assembly is seen there."""

from __future__ import annotations

import pytest

from passnet.kernels.policy.assembly import check_assembly, read_only_references
from passnet.kernels.policy.breach import KernelPolicyError

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
    "line",
    [
        "\tnotrack jmp\t*%rax",
        "\tlock addl\t$1, (%rdi)",
        "\t{vex} vpdpbusd\t%ymm0, %ymm1, %ymm2",
        "\tvmovaps\t(%rdi,%rax,4), %zmm1{%k1}{z}",
        "\tcall\t*memcpy@GOTPCREL(%rip)",
        "\tvaddps\t{rn-sae}, %zmm0, %zmm1, %zmm2",
        "\tmovss\t%xmm0, (%rdi)",
        "\tmovl\t%ss, %eax",
        '\t.section\t.text.unlikely._Z1fv,"axG",@progbits,_Z1fv,comdat',
        "\t.set\t_ZN1SC1Ev,_ZN1SC2Ev",
        "\t.uleb128 .LLSDACSE1-.LLSDACSB1",
        "\t.quad\tDW.ref.__gxx_personality_v0-.",
        "\t.p2align\t4, 0x90",
        "\t.cfi_personality 0x9b,DW.ref.__gxx_personality_v0",
        "\trep bsfl\t%eax, %eax",
        "\trep;stosq\t%al, %es:(%rdi)",
        "\trep ret",
        "\tlock cmpxchg16b\t(%rdi)",
        "\tlock",
        "\tjmp\t*.L4(,%rax,8)",
        "\tjmp\t_Z1fv@PLT",
        "\tmovl\t0, %eax",
        "\tmovabsq\t$-9223372036854775808, %rax",
        "\tvgatherdps\t(%rdi,%zmm1,4), %zmm0{%k1}",
        "\tvaddps\t.LC0(%rip){1to16}, %zmm0, %zmm1{%k1}{z}",
        "\tvcmpeq_usss\t%xmm0, %xmm1, %k1{%k2}",
        "\tvcmptrue_uspd\t%ymm0, %ymm1, %ymm2",
        "\tvpternlogd\t$0xFF, %zmm0, %zmm0, %zmm0",
        "\tleaq\t_ZTV1A@GOTPCREL+16(%rip), %rax",
        "\tfstp\t%st(1)",
        "\tfucomip\t%st(1), %st",
        "\tffreep\t%st(0)",
        "\tprefetcht0\t64(%rdi)",
        "\tud2",
        "\t.align 16",
        "\t.p2align 4, 0x90",
        # clang
        "\tvmovaps\t(%rdi,%rax,4), %zmm1 {%k1} {z}",
        "\tvpgatherqq\t(,%zmm0), %zmm4 {%k1}",
        "\tfucompi\t%st(1), %st",
        '\t.section\t".note.GNU-stack","",@progbits',
        "\t.addrsig_sym __gxx_personality_v0",
    ],
)
def test_what_compilers_write_of_richer_sources_is_accepted(line: str) -> None:
    check_assembly(f"{PLAIN}\t.section\t.rodata\n{line}\n" if ".quad" in line or "leb" in line else f"{PLAIN}{line}\n")


@pytest.mark.parametrize(
    "name", ["movntps", "vmovntdq", "prefetchnta", "sfence", "pause", "xorl", "movd", "xchgl", "testl", "sahf", "stc"]
)
def test_stores_past_the_caches_and_hints_are_accepted(name: str) -> None:
    check_assembly(f"{PLAIN}\t{name}\t%xmm0, (%rdi)\n")


@pytest.mark.parametrize(
    "line",
    [
        "\t.quad\t_GLOBAL_OFFSET_TABLE_",
        "\tleaq\t_GLOBAL_OFFSET_TABLE_(%rip), %rax",
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
        "\tSYSCALL",
        "\tRdTsc",
        "\tMOVQ\t%rdi, %rax",
        "\trex rdtsc",
        "\trex.w\trdtsc",
        "\taddr32 rdtsc",
        "\tcs rdtsc",
        "\trep\trep rdtsc",
        "\trep/rdtsc",
        "\t{evex} rdtsc",
        "\tmovq\t%FS:0, %rax",
        "\tmovq\t% fs:0, %rax",
        "\tmov\t%gs, %ax",
        "\tfs movq 0, %rax",
        "\tmovq\t%MM7, %rax",
        "\tljmp\t*(%rax)",
        "\tcall\tsin # more",
        '\tcall\t"odd name"',
        "\tcall\tsin\\",
        "\tmovb\t$'\", %al; syscall; movb $'\", %al",
        "\t.set\tthread,%fs",
        "\t.equ\tthread, %rax",
        "\tmov\tthread:0x28, %rax",
        "\tmov\t%ax, %es",
        "\tmovl\t%eax,%ds",
        "\ticebp",
        "\thlt",
        "\tin\t%dx, %al",
        "\twait syscall",
        "\tht syscall",
        "\thnt rdtsc",
        "\tword rdtsc",
        "\tmov rdtsc",
        "\tmovq rdtsc, %rax",
        "\tlock rdtsc",
        "\tlock movq\t%rax, (%rdi)",
        "\trep movq\t%rax, %rdi",
        "\tnotrack ret",
        "\t{vex} syscall",
        "\tdata16 nop",
        "\trex64 call\tf",
        "\txacquire lock addl\t$1, (%rdi)",
        "\tint3",
        "\tint\t$0x80",
        "\tinvlpg\t(%rdi)",
        "\tud0\t%eax, %eax",
        "\txlat",
        "\toutb\t%al, %dx",
        "\tvmread\t%rax, %rdx",
        "\t.balignw 16+0,0x050f",
        "\t.balignw 16,0x90+0x047f",
        "\t.p2alignl 4,0x050f050f",
        "\t.balign 16,0x90+1",
        "\t.align 16,0",
        "\t.p2align 4+0",
        "\t.prefalign 4, f, 0x0f",
        "\t.byte\t0x66",
        "\t.value\t0x6666",
        "\t.globl\ts\u00een",
        "\tfoo = 5",
        "\t.set\t., .+4",
        '\t.globl\t"odd name"',
        "\t.pushsection\t.text",
        "\t.data\n\t.previous\n\t.byte 0x0f",
        '\t.section\t".text"',
        '\t.section\t".note.GNU-stack.text","ax",@progbits',
        '\t.section\t".note.GNU-stack\\"","ax",@progbits',
        "\tvmovaps\t%zmm0, %zmm1 {%k1} syscall",
        "\t.MACRO m",
        "\t.insn\t0x0f",
        "\t.reloc\t0, R_X86_64_NONE",
        "#APP",
        '\t#APP\n# 7 "kernel.cpp" 1\n\t\n# 0 "" 2\n#NO_APP',
        "\t## InlineAsm Start",
    ],
)
def test_what_hides_is_refused(line: str) -> None:
    with pytest.raises(KernelPolicyError):
        check_assembly(PLAIN + line + "\n")


def test_a_variable_of_a_thread_is_named() -> None:
    line = "\t.byte\t0x66\n\tleaq\tkept@tlsgd(%rip), %rdi\n\t.value\t0x6666\n\trex64\n\tcall\t__tls_get_addr@PLT\n"
    with pytest.raises(KernelPolicyError, match="variable kept outlives the call"):
        check_assembly(PLAIN + line)
    line = "\tdata16\n\tleaq\tkept@TLSGD(%rip), %rdi\n\tdata16\n\tdata16\n\trex64\n\tcallq\t__tls_get_addr@PLT\n"
    with pytest.raises(KernelPolicyError, match="variable kept outlives the call"):  # as clang writes it
        check_assembly(PLAIN + line)
    check_assembly(f'{PLAIN}\t.section\t.rodata\n\t.string\t"kept@tlsgd"\n')


@pytest.mark.parametrize("flags", ["awG", "aGw"])
def test_a_pointer_to_exception_routines_is_a_constant(flags: str) -> None:
    name = "DW.ref.__gxx_personality_v0"
    text = f'\t.section\t.data{{}}.{name},"{flags}",@progbits,{name},comdat\n'
    wanted = text.format(".rel.ro")
    assert [read_only_references(text.format(part)) for part in ("", ".rel.local")] == [wanted, wanted]
