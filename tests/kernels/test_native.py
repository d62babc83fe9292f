"""C++ kernels: results, argument checks, compile errors, caching."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from passnet.errors import InfrastructureError, UsageError
from passnet.kernels import cpp, native
from passnet.kernels.compilation import compile, toolchain
from passnet.kernels.ghost import ghosts
from passnet.kernels.policy.breach import KernelPolicyError
from tests.kernels.kernel_marks import needs_openmp

SOURCE = """
#include "passnet.h"
#include <stdexcept>
using passnet::bf16;
using passnet::fp16;
#define SCALE(T) \\
  extern "C" void scale_##T(const T* x, T* out, int64_t count, float factor) { \\
    for (int64_t i = 0; i < count; ++i) out[i] = float(x[i]) * factor; \\
  }
SCALE(float)
SCALE(bf16)
SCALE(fp16)
extern "C" double total(const double* x, const double* more, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += x[i] + (more ? more[i] : 0.0);
  return sum;
}
extern "C" {
int next(int value) { return value + 1; }
uint8_t small(uint8_t value) { return value; }
bool negate(bool value) { return !value; }
float half_of(float value) { return value / 2; }
void refuse(int code) {
  if (code == 1) throw "code one";
  if (code == 2) throw 2;
  if (code == 3) throw std::invalid_argument("three is odd");
}
int64_t first(const void* anything) { return anything ? 1 : 0; }
}
"""


@pytest.fixture(scope="module")
def library() -> native.Library:
    return cpp(SOURCE)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_computes_what_torch_computes(library: native.Library, dtype: torch.dtype) -> None:
    x = torch.randn(1003).to(dtype)
    out = torch.empty_like(x)
    name = {torch.float32: "float", torch.bfloat16: "bf16", torch.float16: "fp16"}[dtype]
    assert getattr(library, f"scale_{name}")(x, out, x.numel(), 2.5) is None
    assert torch.equal(out, (x.float() * 2.5).to(dtype))


def test_what_is_loaded_twice_is_switched_off_and_counted_once(library: native.Library) -> None:
    again, x = cpp(SOURCE), torch.zeros(4)
    with ghosts() as skipped:
        for loaded in (library, again):
            loaded.scale_float(torch.ones(4), x, 4, 2.0)
        assert skipped() == 2
    assert x.tolist() == [0.0] * 4
    again.scale_float(torch.ones(4), x, 4, 2.0)
    assert x.tolist() == [2.0] * 4


def test_returned_numbers(library: native.Library) -> None:
    ones = torch.ones(10, dtype=torch.float64)
    assert library.total(ones, None, 10) == 10.0
    assert library.total(ones, ones, 10) == 20.0
    assert library.next(41) == 42
    assert library.negate(True) is False
    assert library.half_of(3) == 1.5
    assert library.first(torch.empty(1, dtype=torch.complex64)) == 1


def test_parameters_of_a_module_are_tensors_too(library: native.Library) -> None:
    weight = torch.nn.Parameter(torch.ones(4))
    out = torch.empty(4)
    library.scale_float(weight, out, 4, 3.0)
    assert out.tolist() == [3.0] * 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda lib, x: lib.scale_float(x, x, 3), "takes 4 arguments, found 3"),
        (lambda lib, x: lib.scale_float(x, x.half(), 3, 1.0), "`float. out`: expected a tensor of torch.float32"),
        (lambda lib, x: lib.scale_float(x, [1.0], 3, 1.0), "`float. out`: expected a tensor or None, found list"),
        (lambda lib, x: lib.scale_float(x, x, 3.5, 1.0), "`int64_t count`: expected an integer, found float"),
        (lambda lib, x: lib.scale_float(x, x, 3, "one"), "`float factor`: expected a number, found str"),
        (lambda lib, x: lib.next(2**40), "does not fit"),
        (lambda lib, x: lib.next(2**70), "does not fit"),
        (lambda lib, x: lib.small(256), "cannot be called"),
        (lambda lib, x: lib.small(-1), "does not fit"),
    ],
)
def test_wrong_arguments(library: native.Library, call, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(library, torch.ones(4))


def test_a_dtype_is_checked_before_memory_is_read(library: native.Library) -> None:
    with pytest.raises(TypeError, match=r"expected a tensor of torch\.bfloat16"):
        library.scale_bf16(torch.ones(2), torch.ones(2, dtype=torch.bfloat16), 2, 1.0)


def test_a_tensor_whose_bytes_are_other_numbers_is_refused(library: native.Library) -> None:
    waves, out = torch.randn(4, dtype=torch.complex64), torch.zeros(4)
    with pytest.raises(TypeError, match=r"`const float\*? ?\*?x`: torch negates it lazily, so its bytes are other"):
        library.scale_float(torch._neg_view(torch.ones(4)), out, 4, 1.0)
    with pytest.raises(TypeError, match="negates it lazily"):
        library.scale_float(torch.ones(4), waves.conj().imag, 4, 1.0)
    with pytest.raises(TypeError, match="conjugates it lazily"):
        library.first(waves.conj())
    assert out.tolist() == [0.0] * 4
    library.scale_float(torch._neg_view(torch.ones(4)).clone(), out, 4, 1.0)
    assert out.tolist() == [-1.0] * 4


def test_cpp_exceptions_become_python_ones(library: native.Library) -> None:
    assert library.refuse(0) is None
    with pytest.raises(RuntimeError, match="refuse threw: code one"):
        library.refuse(1)
    with pytest.raises(RuntimeError, match="refuse threw: three is odd"):
        library.refuse(3)
    with pytest.raises(RuntimeError, match=r"refuse threw: a C\+\+ exception"):
        library.refuse(2)


def test_a_call_on_tensors_without_memory_does_nothing(library: native.Library) -> None:
    assert library.scale_float(torch.empty(0), torch.empty(0), 0, 1.0) is None
    assert library.scale_float(torch.ones(3, device="meta"), torch.empty(3), 3, 1.0) is None
    with FakeTensorMode():
        x = torch.ones(3)
        assert library.scale_float(x, torch.empty_like(x), 3, 1.0) is None
        with pytest.raises(TypeError, match=r"expected a tensor of torch\.float32"):
            library.scale_float(x, x.half(), 3, 1.0)


def test_unknown_function_names_the_known(library: native.Library) -> None:
    with pytest.raises(AttributeError, match="no 'scale'; it exports scale_float, scale_bf16"):
        library.scale(1)
    assert "next" in set(library)


def test_compile_errors_carry_the_authors_lines() -> None:
    with pytest.raises(UsageError, match=r"does not compile:\n  line 3: .*missing"):
        cpp('#include "passnet.h"\nextern "C" void f(float* x) {\n  x[0] = missing;\n}')


def test_errors_beyond_the_first_are_counted() -> None:
    lines = "\n".join(f"  unknown_{i};" for i in range(9))
    with pytest.raises(UsageError, match="and 4 more"):
        cpp(f'extern "C" void f() {{\n{lines}\n}}')


def test_parameters_that_cannot_be_passed_are_refused_at_compile_time() -> None:
    with pytest.raises(UsageError, match="pointers, integers, floats or bools"):
        cpp('struct S { int a; }; extern "C" void f(S s) {}')


def test_a_source_must_export_something() -> None:
    with pytest.raises(UsageError, match=r"exports no function; expected at least one `extern"):
        cpp("void f() {}")


def test_the_authors_macros_may_have_any_name() -> None:
    names = "A C F I N R T BLOCK NONE BOOL FLOAT32 DATA_PTR"
    macros = "\n".join(f"#define {name} {number}" for number, name in enumerate(names.split(), 1))
    assert cpp(f'#include "passnet.h"\n{macros}\nextern "C" int f() {{ return A + N + T; }}').f() == 1 + 5 + 7


def test_what_nothing_defines_is_named() -> None:
    with pytest.raises(UsageError, match="uses nowhere_defined and nothing defines it"):
        cpp('extern "C" int nowhere_defined(int a); extern "C" int f() { return nowhere_defined(1); }')


def test_threads_must_be_positive() -> None:
    with pytest.raises(UsageError, match="threads"):
        cpp(SOURCE, threads=0)


@needs_openmp
def test_openmp_only_on_request() -> None:
    source = """
    #include <cstdint>
    extern "C" int64_t threads() {
      int64_t count = 0;
      #pragma omp parallel num_threads(PASSNET_THREADS) reduction(+ : count)
      count += 1;
      return count;
    }"""
    assert cpp(source).threads() == 1
    assert cpp(source, threads=2).threads() == 2


def test_the_second_call_compiles_nothing(fresh_cache: Path) -> None:
    cpp(SOURCE)

    def refuse(command, *, cwd, limit_s):
        raise AssertionError(f"ran {command}")

    compile.configure(runner=refuse)
    assert cpp(SOURCE).next(1) == 2
    with pytest.raises(AssertionError, match="ran"):
        cpp(SOURCE, fast_math=False)


@pytest.mark.parametrize("word", ["J(__has_inc, lude)", "J(__has_inc, lude_next)", "_JOINED(__has_inc, lude)"])
@pytest.mark.parametrize("asked", ['#if {word}("/f")\n#endif\n', '#define _ASKED {word}("/f")\n#include <cmath>\n'])
def test_no_file_of_the_machine_can_be_asked_for(word: str, asked: str) -> None:
    """Conditions of headers may use an author's macros, so headers come first."""
    with pytest.raises(KernelPolicyError):
        cpp(f'#define J(a, b) a##b\n{asked.format(word=word)}extern "C" int found() {{ return 1; }}')


def test_headers_may_ask_for_files() -> None:
    """`<cstdint>` of GCC 13 does, and has no types otherwise."""
    asked = '#include <cstdint>\nextern "C" int64_t wide(int64_t a) { return a; }'
    assert cpp(asked).wide(1 << 40) == 1 << 40


def test_a_failed_compile_leaves_nothing_behind(fresh_cache: Path) -> None:
    with pytest.raises(UsageError):
        cpp('extern "C" void f() { missing; }')
    assert [path.suffix for path in fresh_cache.iterdir()] == [".cpp"]  # the source with its macros expanded


def test_a_compiler_that_hangs_is_ended(tmp_path: Path) -> None:
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    finished = compile.run_plain([sys.executable, "-c", child], cwd=tmp_path, limit_s=0.05)
    assert finished.code == 124
    assert "did not finish within 0.05 s" in finished.output


def test_no_compiler_is_told_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain.find_toolchain.cache_clear()
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None)
    with pytest.raises(InfrastructureError, match=r"no C\+\+ compiler on this machine.*apt install"):
        cpp(SOURCE)
    toolchain.find_toolchain.cache_clear()


def test_loading_a_library_leaves_denormals_alone() -> None:
    tiny = torch.full((64,), 1e-39)
    cpp('extern "C" int fast_math_here() { return 1; }').fast_math_here()
    assert torch.equal(tiny * 1.0, tiny)
    assert (tiny * 1.0)[0].item() > 0


def test_processes_that_compile_at_once_agree(fresh_cache: Path) -> None:
    script = (
        "import sys; from passnet.kernels import configure, cpp; configure(cache_dir=sys.argv[1]);"
        "print(cpp('extern \"C\" int answer() { return 42; }').answer())"
    )
    command = [sys.executable, "-c", script, str(fresh_cache)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in running] == ["42", "42"]
    assert sorted(path.suffix for path in fresh_cache.iterdir()) == [".cpp", ".so"]


def test_importing_the_room_does_not_import_torch() -> None:
    script = "import sys, passnet.kernels; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_cache_that_cannot_be_written_is_an_error(tmp_path: Path, fresh_cache: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    compile.configure(cache_dir=blocked / "cache")
    with pytest.raises(InfrastructureError, match="no place to keep compiled kernels"):
        cpp(SOURCE)


def test_a_cache_that_others_can_write_is_refused(tmp_path: Path, fresh_cache: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    compile.configure(cache_dir=shared)
    with pytest.raises(InfrastructureError, match="written by everyone"):
        cpp(SOURCE)


def test_where_nothing_may_run_on_the_processor_nothing_is_compiled() -> None:
    before = compile.settings()
    try:
        compile.configure(on_processor=False)
        library = cpp("this is no C++")
        with pytest.raises(UsageError, match=r"scale_float would run on the processor.*the policy native allows it"):
            library.scale_float(torch.ones(2), torch.ones(2), 2, 1.0)
    finally:
        compile.restore(before)


def test_only_plain_texts_and_settings_are_compiled() -> None:
    """An object may say one thing to a check and another to a compiler."""

    class Text(str):
        __slots__ = ()

    for arguments in ({"source": Text("x")}, {"source": b"x"}, {"fast_math": 1}, {"threads": True}, {"threads": "2"}):
        with pytest.raises(UsageError, match=next(iter(arguments))):
            cpp(**{"source": "x", **arguments})


def test_a_compiler_cannot_take_all_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compile, "_COMPILE_BYTES", 1 << 30)
    greedy = "import time; time.sleep(0.2); bytearray(1 << {})"
    small, large = (
        compile.run_plain([sys.executable, "-c", greedy.format(bits)], cwd=tmp_path, limit_s=30) for bits in (20, 31)
    )
    assert small.code == 0
    assert large.code != 0 and "MemoryError" in large.output
