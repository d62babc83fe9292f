"""Frozen calls of C++ wrappers: the wrapper's own bits, the wrapper itself for other calls, reasons for refusals."""

from __future__ import annotations

import gc
import threading
import time

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from passnet.kernels.ghost import ghosts
from passnet.kernels.replay import codegen
from passnet.kernels.replay.freeze import copied, freeze, signature
from passnet.kernels.replay.plan import HostCall, KeptState, NotFrozen
from tests.kernels import freeze_kernels as wrappers
from tests.kernels.freeze_kernels import REFUSED, REPLAYED, library, one_kernel

X, W = torch.randn(8, 8), torch.randn(8, 8)


@pytest.fixture(autouse=True)
def compiled():
    """A library that is first compiled in the call that is recorded cannot be replayed."""
    library()


def named(wrapper):
    return wrapper.__name__


def tensors(result):
    return [result] if isinstance(result, torch.Tensor) else list(result)


def same(left, right):
    return type(left) is type(right) and all(
        torch.equal(a, b) and a.stride() == b.stride() for a, b in zip(tensors(left), tensors(right), strict=True)
    )


def frozen(wrapper, *args):
    wrapper(*copied(args, alter=False))  # what it compiles or keeps for a shape is there
    return freeze(wrapper, args)


class Counted:
    """A wrapper that knows how often it was really called. Its count is no part of what it does."""

    def __init__(self, function):
        self.calls = 0
        self.function = function
        self.counting = False

    def __call__(self, *args):
        if self.counting:
            self.calls += 1
        return self.function(*args)


@pytest.fixture
def counted():
    wrapper = Counted(one_kernel)
    made = frozen(wrapper, X, W)
    wrapper.counting = True
    return wrapper, made.call


@pytest.mark.parametrize("wrapper", REPLAYED, ids=named)
def test_a_replay_gives_the_wrappers_bits(wrapper):
    made = frozen(wrapper, X, W)
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        mine = [torch.randn(8, 8, generator=generator) for _ in range(2)]
        theirs = [value.clone() for value in mine]
        assert same(made.call(*mine), wrapper(*theirs))
        assert same(mine, theirs)  # arguments are changed alike


@pytest.mark.parametrize("wrapper", REPLAYED, ids=named)
def test_a_replay_allocates_anew_in_every_call(wrapper):
    made = frozen(wrapper, X, W)
    x = X.clone()
    first, second = tensors(made.call(x, W)), tensors(made.call(x, W))
    ordinary = tensors(wrapper(x, W))
    for mine, other, theirs in zip(first, second, ordinary, strict=True):
        shares = theirs.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
        given_back = mine.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
        assert given_back == shares
        assert shares or mine.untyped_storage().data_ptr() != other.untyped_storage().data_ptr()


@pytest.mark.parametrize("wrapper", REFUSED, ids=named)
def test_what_cannot_be_replayed_is_refused_with_the_reason(wrapper):
    with pytest.raises(NotFrozen) as caught:
        freeze(wrapper, (X.clone(), W.clone()))
    assert REFUSED[wrapper] in caught.value.reason


def test_kept_memory_is_told_apart_from_what_merely_cannot_be_replayed():
    refused = [wrapper for wrapper in REFUSED if "neither an argument" in REFUSED[wrapper]]
    assert refused
    for wrapper in REFUSED:
        with pytest.raises(NotFrozen) as caught:
            freeze(wrapper, (X.clone(), W.clone()))
        assert isinstance(caught.value, KeptState) == (wrapper in refused)


def test_a_wrapper_whose_results_are_no_plain_tensors_is_not_replayed():
    def one_kernel_with_gradients(x, w):
        return one_kernel(x, w).requires_grad_()

    for wrapper in (torch.inference_mode()(one_kernel), one_kernel_with_gradients):
        with pytest.raises(NotFrozen, match="inference mode, or one that requires gradients"):
            freeze(wrapper, (X, W))
    with torch.inference_mode():
        assert freeze(one_kernel, (X, W)).call(X, W).is_inference(), "it is the caller's mode"


def test_recording_touches_neither_arguments_nor_counts():
    x, w = X.clone(), W.clone()
    freeze(wrappers.changes_its_input, (x, w))
    assert torch.equal(x, X)
    assert torch.equal(w, W)


def test_elements_that_no_kernel_writes_are_noticed(monkeypatch):
    """The memory that they lie in differs from call to call; here it surely does."""
    real, fills = torch._C._dynamo.guards._empty_strided_cpu, iter(range(1, 100))
    monkeypatch.setattr(codegen._GUARDS, "_empty_strided_cpu", lambda *given: real(*given).fill_(next(fills)))
    with pytest.raises(NotFrozen, match="does not write all elements"):
        freeze(wrappers.leaves_elements_unwritten, (X, W))


def test_the_plan_tells_what_is_launched():
    made = frozen(wrappers.two_kernels, X, W)
    assert [step.name for step in made.plan.launches] == ["scale", "add_to"]
    assert all(isinstance(step, HostCall) for step in made.plan.launches)
    assert "def guarded(a0, a1):" in made.source


@pytest.mark.parametrize(
    "change",
    [
        lambda x, w: (x.double(), w.double()),
        lambda x, w: (x[:4].contiguous(), w[:4].contiguous()),
        lambda x, w: (x.t(), w),
        lambda x, w: (x.view(4, 16), w.view(4, 16)),
        lambda x, w: (x.to("meta"), w.to("meta")),
        lambda x, w: (x, 1.0),
        lambda x, w: (x.clone().requires_grad_(), w),
        lambda x, w: (x.as_subclass(Subclass), w),
    ],
    ids=["dtype", "smaller", "stride", "shape", "device", "number", "gradient", "subclass"],
)
def test_other_arguments_go_to_the_wrapper(counted, change):
    wrapper, call = counted
    args = change(X, W)
    try:
        wanted = one_kernel(*args)
    except (TypeError, AttributeError) as error:
        with pytest.raises(type(error)):
            call(*args)
    else:
        found = call(*args)
        assert found.shape == wanted.shape
        assert found.is_meta or torch.equal(found, wanted)
    assert wrapper.calls == 1


def test_one_tensor_given_twice_is_no_reason_to_look_closer(monkeypatch):
    made = frozen(one_kernel, X, X)
    slow = made.call.__globals__["other"]
    looked = []
    monkeypatch.setitem(made.call.__globals__, "other", lambda *args: (looked.append(args), slow(*args))[1])
    assert torch.equal(made.call(W, W), one_kernel(W, W)) and not looked
    for _ in range(2):  # learnt by the first of them
        assert torch.equal(made.call(X, W), one_kernel(X, W))
    assert torch.equal(made.call(W, W), one_kernel(W, W)) and len(looked) == 1


class Subclass(torch.Tensor):
    pass


def test_alike_arguments_do_not(counted):
    wrapper, call = counted
    other = torch.randn(64)[:].view(8, 8)
    assert torch.equal(call(other, W), one_kernel(other, W))
    assert torch.equal(call(torch.nn.Parameter(other, requires_grad=False), W), one_kernel(other, W))
    with torch.no_grad():
        weight = torch.nn.Parameter(other)
        assert torch.equal(call(weight, W), one_kernel(other, W))
        assert torch.equal(call(weight, W), one_kernel(other, W))
    shifted = torch.randn(65)[1:].view(8, 8)  # C++ is compiled for any address
    assert torch.equal(call(shifted, W), one_kernel(shifted, W))
    with torch.inference_mode():
        inside = torch.randn(8, 8)
        for _ in range(3):
            assert torch.equal(call(inside, W), one_kernel(inside, W))
    assert torch.equal(call(X, W), one_kernel(X, W))
    assert wrapper.calls == 0


class Mode(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen.append(str(func))
        return func(*args, **(kwargs or {}))


def test_a_dispatch_mode_sees_the_replay_itself(counted):
    """The bench's guard looks at calls through such a mode: it must see what is timed, not the wrapper again."""
    wrapper, call = counted
    with Mode() as mode:
        found = call(X, W)
    assert torch.equal(found, one_kernel(X, W))
    assert wrapper.calls == 0
    assert all("empty" in name for name in mode.seen)


def test_kernels_of_a_replay_can_be_switched_off():
    made = frozen(wrappers.from_zeros, X, W)
    with ghosts() as skipped:
        assert not made.call(X, W).any()
        assert skipped() == 2
    assert torch.equal(made.call(X, W), wrappers.from_zeros(X, W))


def test_a_dispatch_mode_sees_what_a_replay_allocates_while_kernels_are_off():
    """Memory of an output that is the same in every call would else hold it still."""
    made = frozen(one_kernel, X, W)
    with Mode() as unseen:
        made.call(X, W)
    with ghosts(), Mode() as seen:
        made.call(X, W)
    assert unseen.seen == []
    assert [name for name in seen.seen if "empty_strided" in name]
    with Mode() as unseen:
        made.call(X, W)
    assert unseen.seen == []


def test_constants_belong_to_the_signature():
    def wrapper(x, w, factor, route):
        return wrappers.scaled(x, w, factor if route == "times" else -factor)

    made = freeze(wrapper, (X, W, 2, "times"))
    assert torch.equal(made.call(X, W, 2, "times"), X * W * 2)
    for factor, route in ((2.5, "times"), (2.0, "times"), (True, "times"), (2, "other")):
        assert torch.equal(made.call(X, W, factor, route), wrapper(X, W, factor, route))


def test_lists_of_tensors():
    def wrapper(pair, w):
        out = torch.empty_like(w)
        library().scale(pair[0], pair[1], out, w.numel(), 1.0)
        return out

    made = freeze(wrapper, ((X, W), W))
    assert torch.equal(made.call((X, W), W), X * W)
    assert torch.equal(made.call([W, X], W), X * W)
    assert torch.equal(made.call((X, W, W), W), X * W)
    assert torch.equal(made.call(torch.stack((X, W)), W), X * W)


def test_indices_keep_their_values_when_recorded():
    def rows(table, indices):
        out = torch.empty(indices.numel(), table.shape[1])
        library().gather(table, indices, out, indices.numel(), table.shape[1])
        return out

    table, indices = torch.randn(5, 4), torch.tensor([4, 0, 3])
    made = freeze(rows, (table, indices))
    assert torch.equal(made.call(table, torch.tensor([1, 1, 2])), table[[1, 1, 2]])


def test_inputs_that_share_memory_are_told_apart():
    rows = torch.randn(2, 8, 8)
    made = freeze(one_kernel, (rows[0], rows[1]))
    assert torch.equal(made.call(X, W), one_kernel(X, W))
    assert torch.equal(made.call(rows[1], rows[0]), one_kernel(rows[1], rows[0]))
    assert torch.equal(made.call(X, X), one_kernel(X, X))


def test_a_thread_may_replay_while_another_does():
    made = frozen(wrappers.two_kernels, X, W)
    wanted, wrong = wrappers.two_kernels(X, W), []

    def run():
        for _ in range(300):
            if not torch.equal(made.call(X, W), wanted):
                wrong.append(1)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_closures_and_methods_are_looked_at_too():
    counts = {"calls": 0}

    class Wrapper:
        def __init__(self):
            self.calls = 0

        def __call__(self, x, w):
            self.calls += 1
            return one_kernel(x, w)

    def closure(x, w):
        counts["calls"] += 1
        return one_kernel(x, w)

    for wrapper in (closure, Wrapper()):
        with pytest.raises(NotFrozen, match="calls"):
            freeze(wrapper, (X, W))


def test_a_wrapper_that_takes_no_tensor_is_replayed():
    def constant(factor):
        ones = torch.ones(8, 8)
        out = torch.empty(8, 8)
        library().scale(ones, ones, out, out.numel(), factor)
        return out

    wrapper = Counted(constant)
    made = frozen(wrapper, 3.0)
    wrapper.counting = True
    first, second = made.call(3.0), made.call(3.0)
    assert same(first, constant(3.0)) and same(second, first)
    assert first.data_ptr() != second.data_ptr()  # computed anew, not kept
    assert wrapper.calls == 0
    assert same(made.call(2.0), constant(2.0))
    assert wrapper.calls == 1


def test_wrappers_that_take_no_plain_tensor():
    with pytest.raises(NotFrozen, match="takes no tensor and allocates none"):
        freeze(lambda n: None, (3,))
    with pytest.raises(NotFrozen, match="another kind"):
        freeze(lambda x: x, (X.to_sparse(),))
    with pytest.raises(NotFrozen, match="another kind"):
        freeze(lambda x: x, (torch.zeros(2, dtype=torch.complex64).conj(),))


@settings(max_examples=40, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 5), min_size=1, max_size=3),
    order=st.randoms(use_true_random=False),
    expand=st.booleans(),
    start=st.integers(0, 3),
    dtype=st.sampled_from([torch.float32, torch.float16, torch.int64, torch.bool, torch.uint8]),
)
def test_copies_have_the_same_layout_values_and_alignment(sizes, order, expand, start, dtype):
    dims = list(range(len(sizes)))
    order.shuffle(dims)
    memory = torch.randint(0, 2, (start + 256,)).to(dtype)
    value = memory[start : start + max(1, torch.Size(sizes).numel())][: torch.Size(sizes).numel()]
    value = value.view(sizes).permute(dims)
    if expand:
        value = value.unsqueeze(0).expand(3, *value.shape)
    (copy,) = copied([value], alter=False)
    assert torch.equal(copy, value)
    assert copy.stride() == value.stride()
    assert not value.numel() or copy.data_ptr() % 16 == value.data_ptr() % 16
    assert not value.numel() or copy.data_ptr() != value.data_ptr()
    (altered,) = copied([value], alter=True)
    assert altered.stride() == value.stride()
    if not dtype.is_floating_point:
        assert dtype is torch.bool or dtype is torch.uint8 or torch.equal(altered, value)
    assert signature([copy]) == signature([value])


def test_a_result_of_one_element_may_have_any_stride():
    x = torch.arange(14, dtype=torch.int64).view(1, 14)[:, 3]
    assert x.stride() == (14,)
    made = freeze(lambda value: value.view(-1, 1), (x,))
    assert torch.equal(made.call(x), x.view(-1, 1))


def test_whoever_watches_collections_is_not_taken_for_the_wrapper():
    looked = []

    def watch(*_):
        looked.append(time.perf_counter())

    before = gc.get_threshold()
    gc.callbacks.append(watch)
    gc.set_threshold(1)
    try:
        frozen(one_kernel, X, W)
        assert looked and gc.isenabled()
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(watch)
