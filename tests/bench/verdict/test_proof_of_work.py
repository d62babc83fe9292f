"""Proof of work: what the profiler's report of a wrapper means, and that only reports in the agreed form count."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerDead
from passnet.bench.outcome.integrity_checks import BY_NAME
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.proof_of_work import (
    OneOfMany,
    Proof,
    WorkShown,
    kernel_times,
    library_kernels,
    look_at_kernels,
    own_kernels,
)
from passnet.bench.wire.replies import WrapperCall
from passnet.bench.worker.wrapper_guard import Guard, Wrapper

LIBRARY = (
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&)>(int)",
    "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>(cutlass_80_simt::Params)",
    "cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4",
    "ampere_sgemm_32x32_sliced1x4_nn",
    "sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize64x64x32_cublas",
    "nvjet_tst_64x8_64x16_1x2_h_bz_NNT",
    "void gemmSN_NN_kernel<float, 256, 4, 2, 8, 4, 4, false>(cublasGemmSmallNParams)",
    "void cudnn::bn_fw_inf_1C11_kernel_NCHW<float>(float)",
    "void flash_fwd::flash_kernel<Traits>(Params)",
)
PLUMBING = (
    "Memcpy DtoD (Device -> Device)",
    "Memset (Device)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul>>(int)",
    "void at::native::elementwise_kernel<128, 4, at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)>(int)",
)
OWN = (
    "kernel", "scale_gelu", "gemv", "flash_fwd_kernel", "copy_rows", "attention_at_native", "cublas_like",
    "void mine<float>(float*)", "triton_poi_fused_0",
)  # fmt: skip


def run(*kernels: str, fresh: bool = True) -> WrapperCall:
    return WrapperCall(wrapper="wrapper", kernels=dict.fromkeys(kernels, 1), fresh=fresh)


def test_the_time_of_a_kernel_is_the_median_over_calls_after_the_first() -> None:
    def call(*times: float) -> list[WrapperCall]:
        return [WrapperCall(wrapper="w", kernels={"a": 1}, fresh=True, us={"a": us}) for us in times]

    runs = [*call(90.0, 1.0), *call(2.0, 3.0), *call(4.0, 2.0), *call(80.0, 1.0)]
    assert kernel_times(runs, 4, ("a", "b")) == {"a": 6.0}
    assert kernel_times(runs[:-1], 4, ("a",)) == {}


def finding(*runs: WrapperCall) -> str | None:
    try:
        look_at_kernels(runs)
    except Verdict as verdict:
        return verdict.findings[0].exploit
    return None


@pytest.mark.parametrize("name", LIBRARY)
def test_a_librarys_kernel_is_a_finding(name: str) -> None:
    assert finding(run("kernel", name)) == "library_kernel"
    assert BY_NAME["library_kernel"].layer == "proof of work"


@pytest.mark.parametrize("name", OWN)
def test_a_passs_own_kernel_is_none(name: str) -> None:
    assert own_kernels(run(name)) == [name]
    assert finding(run(name, *PLUMBING)) is None


@pytest.mark.parametrize("name", PLUMBING)
def test_allocating_and_copying_is_allowed_and_no_work_of_its_own(name: str) -> None:
    assert own_kernels(run(name)) == []
    assert finding(run(name)) is None


def test_an_output_out_of_nothing() -> None:
    assert finding(run()) == "no_work"
    assert finding(run(fresh=False)) is None


@contextmanager
def nobody(role: str) -> Iterator[None]:
    yield None


def test_a_candidate_that_ends_under_the_profiler_proves_nothing() -> None:
    """It took its program and its buffers along; the evaluation must go on without them."""
    lost = SimpleNamespace(lent={})
    pair = SimpleNamespace(awake=nobody, timing_buffers=lambda role: WorkerPair.timing_buffers(cast(Any, lost), role))
    reference = SimpleNamespace(shape=SimpleNamespace(device="cuda"), mutated=frozenset())
    given = SimpleNamespace(draws=[0, 1])
    proof = Proof(*cast(Any, (pair, reference, given, Protocol(), random.Random(1))))
    assert proof.demand() == WorkShown(None, None)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_a_candidate_that_cannot_be_stopped_is_a_finding_during_the_proof_too(device: str) -> None:
    @contextmanager
    def unstoppable(role: str) -> Iterator[None]:
        raise WorkerDead("background_work", "the candidate worker worked on")
        yield None

    pair = SimpleNamespace(awake=unstoppable)
    reference = SimpleNamespace(shape=SimpleNamespace(device=device), mutated=frozenset())
    proof = Proof(*cast(Any, (pair, reference, SimpleNamespace(draws=[0]), Protocol(), random.Random(1))))
    with pytest.raises(Verdict) as caught:
        proof.demand()
    assert [finding.exploit for finding in caught.value.findings] == ["background_work"]


def test_each_wrapper_is_observed_in_its_place() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    rest = graph.call_function(torch.neg, (x,))
    node = graph.call_function(torch.empty_like, (rest,))
    graph.output((node,))
    guard, seen = Guard.round(torch.fx.GraphModule({}, graph), {node.name: ()}), []

    def observe(wrapper: Wrapper, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        seen.append((wrapper.name, len(args)))
        return function(*args, **kwargs)

    guard.observed(observe)(torch.ones(2))
    assert seen == [("empty_like", 1)]


@pytest.mark.gpu
def test_the_profiler_sees_what_a_wrapper_runs() -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    from passnet.bench.worker.kernel_trace import observer
    from passnet.bench.worker.wrapper_guard import Wrapper

    rows: list[WrapperCall] = []
    x = torch.randn(64, 64, device="cuda")
    for function in (torch.matmul, torch.zeros_like, torch.empty_like, torch.t):
        observer(rows)(Wrapper("wrapper"), function, (x, x) if function is torch.matmul else (x,), {})
    product, zeros, empty, view = rows
    assert library_kernels(product)
    assert product.us.keys() == product.kernels.keys() and all(us > 0 for us in product.us.values())
    assert not own_kernels(product)
    assert zeros.kernels
    assert not library_kernels(zeros)
    assert not empty.kernels
    assert finding(empty) == "no_work"
    assert not view.fresh


def test_one_graph_of_many_is_profiled_and_nobody_knows_which() -> None:
    names, drawn = ["a", "b", "c"], set()
    for _ in range(200):
        wanted = OneOfMany(names)
        profiled = [name for name in names if wanted(name)]
        assert len(profiled) == 1
        drawn.update(profiled)
    assert drawn == set(names)


def test_where_the_drawn_graph_gets_no_proof_the_next_one_is_profiled() -> None:
    for _ in range(50):
        wanted = OneOfMany(["a", "b", "c"])
        assert [name for name in ("c",) if wanted(name)] == ["c"]


def test_without_the_profiler_the_switched_off_kernels_are_the_proof() -> None:
    def asked(*_: object) -> None:
        raise AssertionError("the profiler was started")

    reference = SimpleNamespace(shape=SimpleNamespace(device="cuda"), mutated=frozenset())
    proof = Proof(*cast(Any, (None, reference, SimpleNamespace(draws=[0]), Protocol(), random.Random(1), False)))
    object.__setattr__(proof, "_profiled", asked)
    object.__setattr__(proof, "_ghosts", lambda: 3)
    assert proof.demand() == WorkShown(None, True)


def ghosts(
    wrong: Collection[int],
    skipped: Callable[[int], int | None] = lambda draw: 2,
    *,
    draws: int = 9,
    ghost_draws: int = 2,
) -> tuple[int | None, list[tuple[int, int]], dict[int, bool]]:
    """The answer of a proof whose outputs go wrong on these draws. Then the draws that were made, with what filled the
    memory, and for each of them whether all elements were compared.
    """
    made: list[tuple[int, int]] = []
    whole: dict[int, bool] = {}

    def block(mode: str, draw: int, fill: int) -> SimpleNamespace:
        made.append((draw, fill))
        return SimpleNamespace(reply=SimpleNamespace(skipped=skipped(draw)), draw=draw)

    def compared(given: object, block: SimpleNamespace, rng: random.Random | None) -> list[SimpleNamespace]:
        whole[block.draw] = rng is None
        return [SimpleNamespace(strict=block.draw not in wrong)]

    reference = SimpleNamespace(shape=SimpleNamespace(device="cpu"), mutated=frozenset(), compare_block=compared)
    given, protocol = SimpleNamespace(draws=[0] * draws), Protocol(ghost_draws=ghost_draws)
    proof = Proof(*cast(Any, (None, reference, given, protocol, random.Random())))
    object.__setattr__(proof, "_block", block)
    return proof._ghosts(), made, whole


def test_what_goes_wrong_at_once_costs_one_draw() -> None:
    assert ghosts(range(9)) == (2, [(0, 0xFF)], {0: False})


def test_kernels_with_nothing_to_do_on_usual_draws_are_tried_on_all_others() -> None:
    orders = set()
    for _ in range(20):
        skipped, made, whole = ghosts({6})
        assert skipped == 2
        assert made[:4] == [(0, 0xFF), (0, 0), (1, 0xFF), (1, 0)]
        assert made[-1] == (6, 0xFF) and whole[6] and not whole[0]
        assert all((draw, 0) in made for draw, _ in made[:-1]), "each with both"
        orders.add(tuple(made))
    assert len(orders) > 2


def test_who_is_right_on_all_draws_without_kernels_is_accused() -> None:
    with pytest.raises(Verdict, match="stayed right on 9 draws with 2 kernel calls switched off") as caught:
        ghosts(())
    assert [finding.exploit for finding in caught.value.findings] == ["no_work"]


def test_without_kernels_nothing_is_tried_further() -> None:
    assert ghosts((), lambda draw: 0)[:2] == (0, [(0, 0xFF)])
    assert ghosts((), ghost_draws=0)[:2] == (None, [])


def test_who_calls_kernels_on_some_draws_only_is_accused_all_the_same() -> None:
    with pytest.raises(Verdict, match="on 9 draws with 2 kernel calls"):
        ghosts((), lambda draw: 0 if draw == 5 else 2)
