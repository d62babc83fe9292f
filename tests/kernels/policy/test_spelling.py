"""Names and lines in refusals of compiled code are those of the source."""

from __future__ import annotations

import time

import pytest

from passnet.errors import UsageError
from passnet.kernels import cpp
from passnet.kernels.policy.breach import KernelPolicyError
from passnet.kernels.policy.source import check_source
from passnet.kernels.policy.spelling import kept_variable, spelled

F = 'extern "C" float f(float x) '


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZL1t", "t"),
        ("table", "table"),
        ("_ZGVZ1fE1b", "b in f"),
        ("_ZZ1fE1b_0", "b in f"),
        ("_ZZL4EastfE5Elses", "Elses in East"),
        ("_ZN2ns4kept5tableE", "ns::kept::table"),
        ("_ZNK2ns5tableE", "ns::table"),
        ("_ZL3rowPKfS0_S0_Pfl", "row"),
        ("_ZTWL1t", "t"),
        ("_ZN1SIfE4keptE", "_ZN1SIfE4keptE"),
        ("_ZL99t", "_ZL99t"),
        ("_ZSt4cout", "_ZSt4cout"),
    ],
)
def test_a_compiled_name_is_told_as_it_was_written(symbol: str, name: str) -> None:
    assert spelled(symbol) == name


@pytest.mark.parametrize("symbol", ["_ZZ" + "1fE" * 50_000, "_Z" + "1" * 100_000, "_ZN" + "1a" * 50_000])
def test_a_long_name_takes_no_time(symbol: str) -> None:
    began = time.process_time()
    spelled(symbol)
    kept_variable(symbol, "int a;\n" * 1000)
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(
    ("source", "line", "what"),
    [
        (f"#include <vector>\nint t(int);\nstatic const std::vector<float> t2 = {{1, 2}};\n{F}{{ return t2[int(x)]; }}",
         "line 3", "variable t2 outlives the call"),
        (f"int kept;\n{F}{{\n  return x + ++kept; }}", "line 1", "variable kept outlives the call"),
        (f"{F}{{\n  thread_local bool b = x > 1;\n  b = !b;\n  return b; }}", "line 2", "variable b in f outlives"),
    ],
)  # fmt: skip
def test_a_variable_that_is_kept_is_told_with_its_line(source: str, line: str, what: str) -> None:
    with pytest.raises(KernelPolicyError) as refused:
        cpp(source)
    assert refused.value.field == line and what in str(refused.value)
    assert "std::vector, is never a table" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "line", "named"),
    [
        ('\nint f() { return __builtin_cpu_supports("avx2"); }', 2, "__builtin_cpu_supports"),
        ("void f() { __builtin_cpu_init (); }", 1, "__builtin_cpu_init"),
        ('bool f() { return __builtin_cpu_is("amd"); }', 1, "__builtin_cpu_is"),
        ('int a;\n__attribute__((target_clones("default", "avx2")))\nvoid f() {}', 2, "target_clones"),
        ('[[gnu::__target_clones__("default", "avx2")]] void f() {}', 1, "__target_clones__"),
    ],
)
def test_asking_for_the_processor_is_told_with_the_way_that_works(text: str, line: int, named: str) -> None:
    with pytest.raises(KernelPolicyError) as refused:
        check_source(text, "C++")
    assert refused.value.field == f"line {line}"
    assert f": {named}" in str(refused.value) and "`#ifdef __AVX2__`" in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "#if __has_builtin(__builtin_cpu_supports)\n#endif",
        '// __builtin_cpu_supports("avx2")',
        '__attribute__((target("avx2,fma"))) static void f() {}',
        "#ifdef __AVX2__\n#endif",
    ],
)
def test_what_asks_no_processor_is_admitted(text: str) -> None:
    check_source(text, "C++")


def test_the_text_of_a_float_is_named_as_the_cause_of_a_call() -> None:
    with pytest.raises(KernelPolicyError, match="it calls vsnprintf") as refused:
        cpp(f"#include <string>\n#include <stdexcept>\n{F}{{ throw std::runtime_error(std::to_string(x)); }}")
    assert "std::to_string of a float calls it" in str(refused.value)


def test_functions_that_the_loader_chooses_are_told_by_their_names() -> None:
    chosen = 'static float one(float x) { return x; }\nextern "C" { static void* pick() { return (void*)one; } }\n'
    chosen += 'static float row(float x) __attribute__((ifunc("pick")));\n'
    with pytest.raises(KernelPolicyError, match="function row is chosen when the library is loaded") as refused:
        cpp(f"{chosen}\n{F}{{ return row(x); }}")
    assert "`#ifdef __AVX2__`" in str(refused.value)


@pytest.mark.parametrize(
    "source",
    [
        f"#include <valarray>\n{F}{{ std::valarray<float> a(x, 8); a *= 2.0f; return std::exp(a).sum(); }}",
        f"#include <alloca.h>\n{F}{{ float* a = (float*)alloca(64); a[int(x)] = x; return a[1]; }}",
    ],
)
def test_more_headers_of_mathematics_and_memory_are_there(source: str) -> None:
    try:
        cpp(source)
    except UsageError as error:
        pytest.fail(str(error))
