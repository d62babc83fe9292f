"""What the worker's loop leaves behind after a call."""

from __future__ import annotations

import weakref
from types import SimpleNamespace

import pytest
import torch

from passnet.bench.wire import generator
from passnet.bench.wire.shared_buffers import DONE, GO
from passnet.bench.wire.staying import shown_outputs
from passnet.bench.worker import calls, serve


@pytest.mark.parametrize("stays", [False, True])
def test_outputs_are_overwritten_after_every_call(stays: bool) -> None:
    """But for the memory of an input, of which an output may be a view."""
    given, waves = torch.arange(8.0), torch.ones(8)
    control, slots, due = [0] * 128, [torch.zeros(8), torch.zeros(8)], [False, True]
    control[GO] = 7
    shown = shown_outputs([((8,), torch.float32)] * 2) if stays else ()
    buffers = SimpleNamespace(control=control, places=[[given]], layout=SimpleNamespace(shown=shown))
    made, _ = calls.run_due(  # type: ignore[arg-type]
        buffers, lambda x: (waves, x.view(-1)), [slots], "cpu", False, due.pop, lambda: None, overwritten=(0, 1)
    )
    assert made == 1 and control[DONE] == 7
    assert waves.isnan().all() and given.equal(torch.arange(8.0))
    if stays:
        assert control[64:68] == [waves.data_ptr(), 1, given.data_ptr(), 1]
    else:
        assert slots[0].equal(torch.ones(8)) and slots[1].equal(given)


def test_the_stack_is_cleared_before_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside its time: before its inputs are drawn."""
    seen, due = list[str](), [False, True, True, True]
    monkeypatch.setattr(generator, "stack_cleaner", lambda: lambda: seen.append("cleared"))
    control = [0] * 128
    buffers = SimpleNamespace(control=control, places=[[torch.ones(8)]], layout=SimpleNamespace(shown=()))

    def draw() -> None:
        seen.append("drawn")
        control[GO] += 1

    def call(x: torch.Tensor) -> tuple[torch.Tensor]:
        seen.append("called")
        return (x + 1,)

    calls.run_due(buffers, call, [[torch.ones(8)]], "cpu", False, due.pop, draw)  # type: ignore[arg-type]
    assert seen == ["cleared", "drawn", "called"] * 3


def test_what_is_put_into_another_order_is_overwritten_as_it_was_made() -> None:
    """And its copy, which is shown in its place."""
    made, control, due = torch.zeros(3, 4), [0] * 128, [False, True]
    control[GO] = 7
    shown = shown_outputs([((3, 4), torch.float32)], {0: (1, 3)})
    buffers = SimpleNamespace(control=control, places=[[torch.ones(8)]], layout=SimpleNamespace(shown=shown))
    calls.run_due(  # type: ignore[arg-type]
        buffers, lambda _: (made,), [[made]], "cpu", False, due.pop, lambda: None, overwritten=(0,)
    )
    assert control[64] != made.data_ptr() and made.isnan().all()


def test_all_that_was_allocated_with_an_output_is_overwritten() -> None:
    """A kernel left its marks behind its output, and asked them in the next call what it had left out."""
    room, apart, empty = torch.zeros(32), torch.zeros(4), torch.zeros(0)
    calls._overwrite([room[4:8], room[16:28].view(3, 4).t(), empty], set())
    assert room.isnan().all() and not apart.any()
    calls._overwrite([apart[1:2], apart[0:0]], {apart.untyped_storage().data_ptr()})
    assert not apart.any()
    calls._overwrite([apart[0:0].expand(3, 0)], set())
    assert apart.isnan().all()


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.bfloat16, torch.complex64, torch.float8_e4m3fn])
def test_an_output_of_any_dtype_is_overwritten(dtype: torch.dtype) -> None:
    made = torch.zeros(8, dtype=dtype)
    calls._overwrite([made], set())
    assert (made.view(torch.uint8) == 255).all()


def test_slices_of_one_allocation_are_overwritten_once_together(monkeypatch: pytest.MonkeyPatch) -> None:
    filled = list[int]()
    fill = torch.Tensor.fill_

    def counted(tensor: torch.Tensor, value: int) -> torch.Tensor:
        filled.append(tensor.nbytes)
        return fill(tensor, value)

    monkeypatch.setattr(torch.Tensor, "fill_", counted)
    calls._overwrite([*torch.zeros(4, 8).unbind(0), torch.zeros(2)], set())
    assert filled == [128, 8]


def test_all_of_an_allocation_is_overwritten_where_an_output_does_not_fit_into_it() -> None:
    room = torch.zeros(16)
    beyond = room[8:]
    room.untyped_storage().resize_(40)
    calls._overwrite([beyond], set())
    assert room.untyped_storage().nbytes() == 40
    assert torch.empty(0).set_(room.untyped_storage(), 0, (10,), (1,)).isnan().all()


def test_outputs_that_stay_are_held_until_the_next_call_is_due() -> None:
    """The controller reads them until then."""
    alive: list[bool] = []
    last: list[weakref.ref[torch.Tensor]] = []

    def call(x: torch.Tensor) -> tuple[torch.Tensor]:
        out = x + 1
        last.append(weakref.ref(out))
        return (out,)

    def due() -> bool:
        alive.append(bool(last) and last[-1]() is not None)
        return len(alive) < 4

    def draw() -> None:
        assert not last or last[-1]() is None
        control[GO] += 1

    control = [0] * 128
    layout = SimpleNamespace(shown=shown_outputs([((8,), torch.float32)]))
    buffers = SimpleNamespace(control=control, places=[[torch.ones(8)]], layout=layout)
    made, _ = calls.run_due(buffers, call, [[torch.ones(8)]], "cpu", False, due, draw)  # type: ignore[arg-type]
    assert made == 3
    assert alive == [False, True, True, True]
    assert last[-1]() is None


def test_what_is_computed_lazily_is_computed_before_it_is_shown() -> None:
    control = memoryview(bytearray(1024)).cast("q")
    z = torch.randn(3, dtype=torch.complex64)
    due = shown_outputs([((3,), torch.complex64), ((3,), torch.float32)])
    conjugate, negative = calls.show((z.conj(), z.conj().imag), due, control)
    assert not conjugate.is_conj() and not negative.is_neg()
    assert control[64] == conjugate.data_ptr() != z.data_ptr()
    assert torch.equal(negative, -z.imag)


def test_what_eager_makes_contiguous_is_made_so_before_it_is_shown() -> None:
    control = memoryview(bytearray(1024)).cast("q")
    x = torch.randn(4, 3)
    due = shown_outputs([((3, 4), torch.float32), ((3, 4), torch.float32)], orders={0: (4, 1)})
    made, left = calls.show((x.t(), x.t()), due, control)
    assert made.is_contiguous() and torch.equal(made, x.t()) and made.data_ptr() != x.data_ptr()
    assert left.data_ptr() == x.data_ptr(), "where eager's is turned too, nobody turns it back"
    same, _ = calls.show((made, left), due, control)
    assert same.data_ptr() == made.data_ptr()


@pytest.mark.parametrize("order", [torch.channels_last, torch.contiguous_format])
def test_what_eager_puts_into_an_order_is_put_into_it_before_it_is_shown(order: torch.memory_format) -> None:
    control = memoryview(bytearray(1024)).cast("q")
    x = torch.randn(2, 3, 4, 1)
    eager = x.to(memory_format=order)
    due = shown_outputs([(tuple(x.shape), x.dtype)], orders={0: eager.stride()})
    for given in (x, x.to(memory_format=torch.channels_last), x.movedim(0, 3).contiguous().movedim(3, 0), x[:, :, :]):
        (made,) = calls.show((given,), due, control)
        assert torch.equal(made, x) and made.is_contiguous(memory_format=order)
        assert (made.data_ptr() == given.data_ptr()) == given.is_contiguous(memory_format=order)
    with pytest.raises(calls.OutputMismatch):
        calls.show((x[0],), due, control)


def test_what_a_pass_raises_is_told_without_what_torch_fx_says_of_its_graph() -> None:
    class Broken(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.linear(x, x[:1])

    with pytest.raises(RuntimeError, match="While executing %") as raised:
        torch.fx.Interpreter(torch.fx.symbolic_trace(Broken())).run(torch.ones(2, 3, 4))
    failed = serve._failure("exception", raised.value)
    assert failed.message.startswith("RuntimeError: ")
    assert "While executing" not in failed.message and "While executing" in failed.trace


def test_what_true_is_stored_as_is_delivered_and_shown() -> None:
    control = memoryview(bytearray(1024)).cast("q")
    stored = torch.tensor([[0, 1, 2], [255, 0, 1]], dtype=torch.uint8)
    mask, slot = stored.view(torch.bool), torch.zeros(2, 3, dtype=torch.bool)
    calls.deliver([mask], [slot])
    assert torch.equal(slot.view(torch.uint8), stored)
    (made,) = calls.show((mask,), shown_outputs([((2, 3), torch.bool)], orders={0: (1, 2)}), control)
    assert made.stride() == (1, 2) and torch.equal(made.view(torch.uint8), stored)
