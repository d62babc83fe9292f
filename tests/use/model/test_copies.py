"""Copies of arguments: other memory, and otherwise what a guard would admit."""

from __future__ import annotations

import pytest
import torch

from passnet.use.model.copies import aliased, copied, in_other_order, same_bytes

WAVES = torch.randn(4, 6, dtype=torch.complex64)
KINDS = {
    "contiguous": torch.randn(4, 6),
    "turned": torch.randn(6, 4).t(),
    "every_second": torch.randn(4, 12)[:, ::2],
    "expanded": torch.randn(4, 1).expand(4, 6),
    "overlapping": torch.randn(64).as_strided((4, 6), (2, 1)),
    "channels_last": torch.randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
    "in_the_middle": torch.randn(64)[7:31].view(4, 6),
    "one": torch.randn(4)[::4],
    "no_dimension": torch.tensor(1.5),
    "empty": torch.empty_strided((0, 3), (5, 7)),
    "negated": WAVES.conj().imag,
    "conjugated": WAVES.conj(),
    "conjugated_and_negated": torch._neg_view(WAVES.conj()),
    "integers": torch.arange(12)[::3],
    "on_meta": torch.empty_strided((4, 6), (1, 4), device="meta"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_has_the_form_and_the_bytes_in_other_memory(kind):
    tensor = KINDS[kind]
    (made,) = copied((tensor,))
    assert (made.shape, made.stride(), made.dtype) == (tensor.shape, tensor.stride(), tensor.dtype)
    assert (made.is_neg(), made.is_conj()) == (tensor.is_neg(), tensor.is_conj())
    assert same_bytes(made, tensor)
    if tensor.numel() and not tensor.is_meta:
        assert made.data_ptr() != tensor.data_ptr()
        assert torch.equal(made.resolve_conj().resolve_neg(), tensor.resolve_conj().resolve_neg())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("empty", "on_meta")])
def test_another_number_is_told_by_its_bytes(kind):
    (made,) = copied((KINDS[kind],))
    made[(-1,) * made.dim()].copy_(torch.ones((), dtype=made.dtype) * 7)
    assert not same_bytes(made, KINDS[kind])


def test_tensors_of_other_kinds_are_cloned():
    sparse, whole = torch.eye(3).to_sparse(), torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)
    made = copied([sparse, whole])
    assert torch.equal(made[0].to_dense(), torch.eye(3))
    assert torch.equal(made[1].dequantize(), torch.ones(3))
    assert same_bytes(sparse, made[0])


def test_a_copy_has_no_history_and_may_be_one_of_an_inference_tensor():
    with torch.inference_mode():
        given = torch.ones(3)
    made = copied((torch.ones(3, requires_grad=True), given))
    assert not made[0].requires_grad
    assert torch.equal(made[1], given)


@pytest.mark.parametrize("change", [copied, aliased, lambda values: in_other_order(values, torch.Generator())])
def test_one_tensor_given_twice_stays_one(change):
    x, y = torch.randn(8), torch.randn(8)
    (first, second), named = change(((x, y), {"z": x}))
    assert named["z"] is first
    assert first is not x
    assert second is not first


def test_an_alias_shares_memory_and_is_no_parameter():
    weight = torch.nn.Parameter(torch.randn(3))
    (made,) = aliased((weight,))
    assert type(made) is torch.Tensor
    assert made.data_ptr() == weight.data_ptr()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind].is_floating_point()])
def test_another_order_has_the_same_form_and_numbers(kind):
    tensor = KINDS[kind]
    (made,) = in_other_order((tensor,), torch.Generator().manual_seed(1))
    assert (made.shape, made.stride(), made.is_neg()) == (tensor.shape, tensor.stride(), tensor.is_neg())
    if tensor.numel() > 1 and kind not in ("overlapping", "on_meta"):
        assert not torch.equal(made, tensor)
        assert torch.equal(made.flatten().sort().values, tensor.flatten().sort().values)
