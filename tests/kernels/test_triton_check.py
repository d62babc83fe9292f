"""Triton without a GPU: launches compiled to PTX, the author's mistakes, and what the interpreter may be asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from passnet.errors import InfrastructureError, UsageError
from passnet.kernels import triton_check
from passnet.kernels.policy.breach import KernelPolicyError
from passnet.kernels.policy.device_code import check_what_triton_loads
from passnet.kernels.triton_check import TritonLaunchError, compile_launches, interpretable
from tests.kernels.kernel_marks import needs_triton

pytestmark = needs_triton
_LAUNCH = "{ .reg .u64 a; mov.u64 a, %gridid; cvt.u32.u64 $0, a; }"
_COUNTS = "{ .global .u32 kept; .reg .u64 a; mov.u64 a, kept; atom.global.add.u32 $0, [a], $1; }"


@pytest.fixture(scope="module")
def kernels():
    sys.path.insert(0, str(Path(__file__).parent))
    import triton_kernels

    yield triton_kernels
    sys.path.pop(0)


def two(dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(1000).to(dtype), torch.randn(1000).to(dtype)


@pytest.mark.parametrize(("dtype", "pointer"), [(torch.float32, "*fp32"), (torch.bfloat16, "*bf16")])
def test_a_launch_is_compiled_with_its_own_signature(kernels, dtype: torch.dtype, pointer: str) -> None:
    (info,) = compile_launches(lambda: kernels.add(*two(dtype)))
    assert (info.name, info.target, info.grid) == ("add_kernel", "sm_90", (8,))
    assert info.signature[:2] == (("x", pointer), ("y", pointer))
    assert ".entry add_kernel" in info.ptx


def test_every_configuration_of_an_autotuned_kernel_is_compiled(kernels) -> None:
    infos = compile_launches(lambda: kernels.tuned_add(*two()))
    assert {info.grid for info in infos} == {(16,), (4,)}


def test_libdevice_compiles(kernels) -> None:
    (info,) = compile_launches(lambda: kernels.tanh_kernel[(1,)](*two(), 1000, BLOCK=1024))
    assert info.name == "tanh_kernel"


def test_arithmetic_in_assembly_and_assertions_compile(kernels) -> None:
    x = torch.ones(64, dtype=torch.int32)
    assert compile_launches(lambda: kernels.asm_kernel[(1,)](x, x, TEXT="add.s32 $0, $1, 1;"))
    places = "mov.u32 $0, %tid.x; mov.u32 $0, %laneid; /* %smid */ // %clock"
    assert compile_launches(lambda: kernels.asm_kernel[(1,)](x, x, TEXT=places))
    assert compile_launches(lambda: kernels.asserting_kernel[(1,)](x, x, debug=True))


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        (lambda k, x: k.asm_kernel[(1,)](x, x, TEXT=_COUNTS), "variable .*kept.* outlives the call"),
        (lambda k, x: k.printing_kernel[(1,)](x, x), "variable printfFormat_0 outlives the call"),
        (lambda k, x: k.asm_kernel[(1,)](x, x, TEXT=_LAUNCH), "it reads %gridid"),
        (lambda k, x: k.asm_kernel[(1,)](x, x, TEXT="mov.u32 $0, %envreg1;"), "it reads %envreg1"),
        (lambda k, x: k.asm_kernel[(1,)](x, x, TEXT="mov.u32 $0, %smid;"), "it reads where it runs"),
        (lambda k, x: k.asm_kernel[(1,)](x, x, TEXT="mov.u32 $0, %pm7;"), "it reads a clock"),
    ],
)
def test_device_code_of_triton_keeps_nothing(kernels, launch, message: str) -> None:
    x = torch.ones(64, dtype=torch.int32)
    with pytest.raises(KernelPolicyError, match=message):
        compile_launches(lambda: launch(kernels, x))


def test_nothing_is_loaded_that_keeps_something(kernels, monkeypatch: pytest.MonkeyPatch) -> None:
    from triton.compiler.compiler import CompiledKernel

    loaded: list[str] = []
    monkeypatch.setattr(CompiledKernel, "_init_handles", lambda compiled: loaded.append(compiled.name))
    check_what_triton_loads()
    check_what_triton_loads()
    x = torch.ones(64, dtype=torch.int32)
    with triton_check.no_device():
        fine = kernels.asserting_kernel.warmup(x, x, grid=(1,), debug=True)
        kept = kernels.asm_kernel.warmup(x, x, TEXT=_COUNTS, grid=(1,))
    fine._init_handles()
    with pytest.raises(KernelPolicyError, match="outlives the call"):
        kept._init_handles()
    assert loaded == ["asserting_kernel"]


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        (lambda k: k.undefined_kernel[(1,)](two()[0], BLOCK=4), "undefined_kernel does not compile.*missing_name"),
        (lambda k: k.add_kernel[(0,)](*two(), two()[0], 9, BLOCK=4), r"bad grid \(0,\)"),
        (lambda k: k.add_kernel[(1,)](*two(), BLOCK=4), "missing 2 required positional arguments"),
        (lambda k: k.add_kernel[(1,)](*two(), two()[0], 9, BLOCK=5), "power of 2"),
        (lambda k: k.add_kernel[(1,)](*two(), two()[0], 9, BLOCK=4, SIZE=3), "SIZE"),
    ],
)
def test_the_authors_mistakes(kernels, launch, message: str) -> None:
    with pytest.raises(TritonLaunchError, match=f"(?s){message}"):
        compile_launches(lambda: launch(kernels))


def test_what_the_wrapper_raises_passes_through(kernels) -> None:
    with pytest.raises(ZeroDivisionError):
        compile_launches(lambda: 1 // 0)


def test_nothing_stays_patched(kernels) -> None:
    compile_launches(lambda: kernels.add(*two()))
    with pytest.raises(TritonLaunchError):
        compile_launches(lambda: kernels.undefined_kernel[(1,)](two()[0], BLOCK=4))
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match="0 active drivers"):
            kernels.add(*two())


def test_bfloat16_is_not_interpreted() -> None:
    assert "bfloat16" in interpretable([torch.float32, torch.bfloat16])
    assert interpretable([torch.float32, torch.float16, torch.int64]) is None


@pytest.mark.parametrize(
    "source",
    [
        "from triton.language.extra import libdevice",
        "y = tl.extra.cuda.libdevice.tanh(x)",
        "y = tl.inline_asm_elementwise('', '', [], tl.float32, True, 1)",
    ],
)
def test_what_the_interpreter_cannot_run(source: str) -> None:
    assert interpretable([torch.float32], "import triton", source) is not None
    assert interpretable([torch.float32], "import triton") is None


def test_the_interpreter_runs_plain_and_autotuned_kernels_unseen(tmp_path: Path) -> None:
    script = """
import sys, torch
torch.set_num_threads(1)
sys.path.insert(0, sys.argv[1])
import triton_kernels
from torch.utils._python_dispatch import TorchDispatchMode
from passnet.errors import UsageError
from passnet.kernels import triton_check
x, y = torch.randn(1000), torch.randn(1000)
assert torch.equal(triton_kernels.add(x, y), x + y)
with triton_check.no_device():
    assert torch.equal(triton_kernels.tuned_add(x, y), x + y)

class Seen(TorchDispatchMode):
    names = []
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func.overloadpacket))
        return func(*args, **(kwargs or {}))

with triton_check.no_device(), Seen() as seen:
    triton_kernels.add(x, y)
assert seen.names == ["aten.empty_like"], seen.names
try:
    triton_check.compile_launches(lambda: triton_kernels.add(x, y))
except UsageError as error:
    assert "interprets Triton kernels" in str(error)
else:
    raise AssertionError("compiled while interpreting")
"""
    environment = {"TRITON_INTERPRET": "1", "TRITON_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", script, str(Path(__file__).parent)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_without_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triton_check.importlib.util, "find_spec", lambda name: None)
    assert "pip install 'passnet[triton]'" in interpretable([torch.float32])
    assert not triton_check.interpreting()
    with pytest.raises(InfrastructureError, match="not installed"):
        compile_launches(lambda: None)


def test_a_launch_error_is_the_users() -> None:
    assert issubclass(TritonLaunchError, UsageError)
