"""The check of kernel texts: what it finds, and that no text takes it long."""

from __future__ import annotations

import contextlib
import time

import pytest

from passnet.kernels.policy.breach import KernelPolicyError, Language
from passnet.kernels.policy.source import check_source

LONG = 40_000


@pytest.mark.parametrize(
    "text",
    [
        "/* " * LONG,
        'R"a(' * LONG,
        "a" + " " * 4 * LONG + "b",
        "\t#\t" * LONG,
        " \t" * LONG + "\n",
        "1'" * LONG,
        "\\ " * LONG,
        '"' + '\\"' * LONG,
        "'" + "\\'" * LONG,
        '"' + '\\"' * LONG + "\\",
        f'#pragma GCC optimize("{"tree-a," * LONG}tree-a!")',
        "optimize (" * LONG,
        "section(" * LONG,
        "section(" + "(" * LONG,
        'section("a"' + " " * LONG,
        "".join(f"#define a{n} a{n + 1}\n" for n in range(2000)) + "#define a2000 a##b\n#if a0\n#endif",
        "#define a #\n" + "x" * LONG,
        "x # " * LONG,
    ],
    ids=[
        "comments",
        "raw strings",
        "spaces",
        "half joined",
        "blank",
        "digits",
        "slashes",
        "quotes",
        "marks",
        "open",
        "options",
        "attributes",
        "sections",
        "nested section",
        "open section",
        "chain of macros",
        "mark",
        "marks amid words",
    ],
)
def test_a_long_text_takes_no_time(text: str) -> None:
    began = time.process_time()
    with contextlib.suppress(KernelPolicyError):
        check_source(text, "C++")
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    "text",
    [
        "int __cuda ## rt_x;",
        "int __cuda\t##\t## rt_x;",
        'R"a(text)a";',
        'const char* a = R"(\n# 5 "vector" 3\n)";',
        "/* comment */ asm();",
        "int a; // comment\nasm();",
        '#if 0\n" /*\n#endif\nasm(); // */',
        "#if 0\ndon't /*\n#endif\nasm(); // */",
        'char a[] = "\\\\"; asm();',
        "#pragma weak f",
        "#pragma redefine_extname memcpy system",
        "# pragma GCC poison x",
        "#pragma omptional",
        "void* a = __builtin_return_address(0);",
        "void* a = __builtin_frame_address(0);",
        '#pragma GCC optimize("no-exceptions")',
        '#pragma GCC optimize "O3", "no-exceptions"',
        '# pragma GCC /**/ optimize ("O3,no-exceptions")',
        '#pragma GCC optimize("no-" "exceptions")',
        '__attribute__((noinline, optimize("no-exceptions"))) void f();',
        '__attribute__((__optimize__(("-fno-exceptions")))) void f();',
        '[[using gnu: optimize(u8"no-exceptions")]] void f();',
        '[[gnu::optimize(L"no-exceptions")]] void f();',
        '[[gnu::optimize("O3", "non-call-exceptions")]] void f();',
        '\f#include "/etc/hostname"',
        '\v#include "/etc/hostname"',
        '\0#include "/etc/hostname"',
        '\ufeff#include "/etc/hostname"',
        'int a;\r#include "/etc/hostname"',
        '#if __has_include("/etc/hostname")\n#endif',
        "const char* a = __TI ## ME__;",
        '#define MARK #\nMARK 5 "vector" 3\n',
        '#define SAME(x) x\nSAME(#) 5 "vector" 3\n',
        "#define MARK a ## b #\n",
        "double a() __CONCAT(x, y)();",
        "#define SAME(x) x\nSAME(as\\ )\nm();",
        "#define SAME(x) x\nSAME(/\\ )\n* hidden */",
        '#define QUOTE "\nint a;',
        '#define QUOTE R "(\nint a;',
        'int a; "no end\\"',
        "int __REDIRECT(a, (double), b);",
        "#define J(a, b) a##b\n#define ASKED J(__has_inc, lude)(<thread>)\n#if ASKED\n#endif",
        "#define J(a, b) a##b\n#if 1\n#elif J(__has_inc, lude)(<thread>)\n#endif",
        '_Pragma("GCC dependency </etc/hostname>")',
        "#undef _Pragma",
        "#define _Pragma(x)",
        "#ifdef _Pragma\n#endif",
        "#if 1 && defined ( _Pragma )\n#endif",
        '__attribute__((section(".text\\n\\tnop"))) void f();',
        '__attribute__((section(".text\\x0a"))) void f();',
        '__attribute__((__section__((".text" ",x")))) void f();',
        '[[gnu::section(L".text x")]] void f();',
        '[[gnu::section(".t\u00e9xt")]] void f();',
        'static void f() __attribute__((weakref("g\\nnop")));',
        'void f() __attribute__((alias("g;nop")));',
    ],
)
def test_what_is_found(text: str) -> None:
    with pytest.raises(KernelPolicyError):
        check_source(text, "C++")


@pytest.mark.parametrize(
    "text",
    [
        "/* asm */",
        "// asm",
        'const char* a = "asm";',
        "#pragma once",
        "#pragma omp simd",
        "  #  pragma GCC ivdep",
        "#pragma GCC unroll 8",
        "#pragma unroll",
        "#pragma STDC FP_CONTRACT ON",
        '#pragma GCC optimize("O3,unroll-loops")',
        '#pragma GCC optimize ("-O2", "-fno-trapping-math") // for sums',
        "#pragma GCC optimize 3",
        '__attribute__((optimize("Ofast", "tree-vectorize"), target("avx2"))) void f();',
        '[[gnu::optimize("fast-math,no-math-errno")]] void f();',
        "int optimize(int a); int b = optimize(3);",
        "__builtin_prefetch(x);",
        'const char* a = "\\"\\\\" "\\n"; char b = \'\\\\\', c = \'"\';',
        "#define A(x) \\\n  (x)\nint a = A(1);",
        "// gr\u00f6sse \u2014\nint a;",
        "#define TEXT(x) #x\n#define J(a, b) a##b\nint J(a, b);",
        "#define J(a, b) a##b\n#define N 4\n#if N > 3 && defined(J)\n#endif",
        '__attribute__((section(".rodata.mine"))) extern const int a;',
        "float section(float* a); float b = section(a) + alias(a, 3);",
        '// # 5\nint a;  /* # */\nconst char* b = "# 5";',
        "#include <cmath>\r\n\tint a;\r\n",
    ],
)
def test_what_is_no_breach(text: str) -> None:
    check_source(text, "C++")


@pytest.mark.parametrize("language", ["C++", "CUDA"])
@pytest.mark.parametrize(
    "asked",
    [
        "J(__has_inc, lude)(</etc/passwd>)",
        "N",
        "__GLUED(__has_inc, lude)(</etc/passwd>)",
        "IN_A_HEADER",
        "CALLS(__GLUED)",
        "SAME(ANOTHER(__has_inc, lude))(</etc/passwd>)",
        "SAME(ANOTHER OPEN lude))",
        "TWICE(__has_inc, lude)(</etc/passwd>)",
        "__NEVER(__has_inc, lude)",
        "_GLIBCXX_USE_TBB_PAR_BACKEND",
        "SAME(NAME(1) GIVEN)",
    ],
)
def test_no_condition_asks_by_joined_words(asked: str, language: Language) -> None:
    text = """#define J(a, b) a##b
#define N J(__has_inc, lude)(</etc/passwd>)
#define IN_A_HEADER __GLUED(__has_inc, lude)(</etc/passwd>)
#define CALLS(name) name(__has_inc, lude)(</etc/passwd>)
#define SAME(a) a
#define ANOTHER __GLUED
#define OPEN (__has_inc,
#define TWICE(a, b) a
#undef TWICE
#define TWICE __GLUED
#if 0
#define __NEVER(a, b) a
#endif
#define NAME(x) _GLIBCXX_HAS_NESTED_TYPE
#define GIVEN (include FILE_)
"""
    with pytest.raises(KernelPolicyError, match="asked"):
        check_source(f"{text}#if {asked}\n#endif", language)


@pytest.mark.parametrize("language", ["C++", "CUDA"])
@pytest.mark.parametrize(
    "asked",
    [
        "defined(__AVX512F__) && !defined __clang__ && N > 3",
        "(N) == (SUM(1, 3)) || SUM(SUM(N, 1), (2)) > 5",
        "__has_builtin(__builtin_expect) && __GNUC_PREREQ(9, 0)",
        "defined(J)",
        "INT_MAX > 4 && UNKNOWN && __cplusplus >= 201703L && _OPENMP",
    ],
)
def test_a_condition_may_ask_for_numbers_and_features(asked: str, language: Language) -> None:
    text = "#define J(a, b) a##b\n#define N (4)\n#define SUM(a, b) ((a) + (b))\nint J(a, b);\n"
    check_source(f"{text}#if {asked}\n#endif", language)


@pytest.mark.parametrize(("language", "header"), [("C++", "cmath"), ("CUDA", "cuda_fp16.h")])
def test_no_header_asks_by_joined_words(language: Language, header: str) -> None:
    text = f"#define J(a, b) a##b\n#define SETTING J(__has_inc, lude)(</etc/passwd>)\n#include <{header}>\n"
    with pytest.raises(KernelPolicyError, match=r"line 3: .*include"):
        check_source(text, language)
    for name in ("_WIDE", "PASSNET_WIDE"):
        with pytest.raises(KernelPolicyError, match=rf"line 2: .*behind the macro {name}"):
            check_source(f"#define {name} __GLUED(__has_inc, lude)(</etc/passwd>)\n#include <{header}>\n", language)
    check_source(f"#include <{header}>\n#define J(a, b) a##b\nint J(a, b);", language)
    check_source(
        f"#define _USE_MATH_DEFINES\n#define _LEVEL 3\n#define SQUARE(x) ((x) * (x))\n#include <{header}>", language
    )


@pytest.mark.parametrize("asked", ['_Pragma("GCC dependency </f>")', "_Pragma(#x)", "_Pragma", '_Pragma("weak f")'])
def test_a_pragma_of_cuda_stands_in_the_text(asked: str) -> None:
    with pytest.raises(KernelPolicyError):
        check_source(f"#define P(x) {asked}\n", "CUDA")
    check_source('#define P(x) _Pragma("unroll 4") x\n', "CUDA")
