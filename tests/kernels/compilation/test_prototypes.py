"""The reader of exported functions, on the spellings that authors use."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.errors import UsageError
from passnet.kernels.compilation.prototypes import Parameter, exported
from tests.growth import grows_in_proportion


def one(source: str):
    (prototype,) = exported(source)
    return prototype


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("const float* __restrict__ x", Parameter("const float*", "x")),
        ("float *x", Parameter("float*", "x")),
        ("const passnet::bf16* x", Parameter("const passnet::bf16*", "x")),
        ("float x[4]", Parameter("float*", "x")),
        ("unsigned long long n", Parameter("unsigned long long", "n")),
        ("unsigned n", Parameter("unsigned", "n")),
        ("int64_t n", Parameter("int64_t", "n")),
        ("int64_t", Parameter("int64_t", "")),
        ("const float", Parameter("const float", "")),
        ("std::size_t n", Parameter("std::size_t", "n")),
        ("void*", Parameter("void*", "")),
        ("std::pair<int, float>* p", Parameter("std::pair<int, float>*", "p")),
    ],
)
def test_parameters_as_written(written: str, read: Parameter) -> None:
    assert one(f'extern "C" void f({written}) {{}}').parameters == (read,)


def test_no_parameters_in_both_spellings() -> None:
    assert one('extern "C" int f() { return 1; }').parameters == ()
    assert one('extern "C" int f(void) { return 1; }').parameters == ()


def test_only_definitions_with_c_linkage_are_exported() -> None:
    source = """
    // extern "C" void commented() {}
    const char* text = "extern \\"C\\" void quoted() {}";
    const char* raw = R"(extern "C" void raw() {})";
    void internal(int a) {}
    extern "C" void declared(int a);
    extern "C" { static void hidden() {} int first(int a) { if (a) { return 1; } return 0; } struct S { int a; };
                 double second(double) { return 2; } }
    extern "C" __attribute__((noinline)) void third(float* x, long n) noexcept { for (;;) {} }
    """
    assert [prototype.name for prototype in exported(source)] == ["first", "second", "third"]


def test_cuda_kernels() -> None:
    prototype = one('extern "C" __global__ void __launch_bounds__(256, 2) k(const half* x, int n) { x[0]; }')
    assert str(prototype) == "void k(const half* x, int n)"


def test_returns_and_text() -> None:
    assert str(one('extern "C" inline double total(const double* x, long n) { return x[n]; }')) == (
        "double total(const double* x, long n)"
    )


def test_two_functions_of_one_name() -> None:
    with pytest.raises(UsageError, match="exported twice: f"):
        exported('extern "C" void f(int a) {} extern "C" void f(float a) {}')


def test_unclosed_block() -> None:
    with pytest.raises(UsageError, match="unclosed"):
        exported('extern "C" { void f(int a) { }')


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(UsageError):
        assert isinstance(exported(text + '\nextern "C"' + text), tuple)


@given(st.lists(st.sampled_from(["const float* a", "int64_t b", "bool c", "double", "fp16* d"]), max_size=8))
def test_counts_parameters(parameters: list[str]) -> None:
    assert len(one(f'extern "C" void f({", ".join(parameters)}) {{}}').parameters) == len(parameters)


@pytest.mark.parametrize("text", ['\\"', "\\'", "/* ", 'R"a(', 'R"'], ids=repr)
def test_what_has_no_end_takes_time_in_proportion(text: str) -> None:
    assert grows_in_proportion(lambda count: exported(f"{text[-1]}{text * count}"), 500)
