"""Kernels get no tensor whose bytes are not its values, and graphs without such tensors stay as they are."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from passnet.rewrite import rewrite
from passnet.rewrite.apply.lazy import plain_memory
from tests.rewrite.helpers import capture, rule_of

WAVES = torch.randn(4, 6, dtype=torch.complex64)
LAZY = {
    "imaginary": lambda: WAVES.conj().imag,
    "negated": lambda: torch._neg_view(torch.randn(4, 6)),
    "turned": lambda: WAVES.mH,
    "conjugated": lambda: WAVES.conj(),
    "both": lambda: torch._neg_view(WAVES.conj()),
    "expanded": lambda: torch._neg_view(torch.randn(4, 1)).expand(4, 6),
}


@pytest.mark.parametrize("kind", LAZY)
def test_plain_memory_has_the_values_and_strides(kind):
    given = LAZY[kind]()
    made = plain_memory(given)
    assert not made.is_neg()
    assert not made.is_conj()
    assert made.stride() == given.stride()
    assert torch.equal(made, given.resolve_conj().resolve_neg())
    assert plain_memory(made) is made


def doubled(x):
    return F.gelu(x * 2.0)


def bytes_of(x):
    """What a kernel sees: the bytes as they are."""
    assert x.stride() == (12, 2)
    plain = torch._neg_view(x) if x.is_neg() else x
    return F.gelu(plain * 2.0)


def test_a_wrapper_gets_plain_values_where_the_graph_has_others():
    def model(z):
        return F.gelu(torch.imag(torch.conj(z)) * 2.0)

    gm = capture(model, WAVES)
    rewritten = rewrite(gm, [rule_of(doubled, bytes_of)])
    assert rewritten.total == 1
    assert [node.target for node in rewritten.gm.graph.nodes].count(plain_memory) == 1
    torch.testing.assert_close(rewritten.gm(WAVES)[0], model(WAVES))


def test_nothing_is_added_to_other_graphs():
    def model(z):
        return F.gelu(torch.imag(z) * 2.0) + torch.real(torch.conj(z))

    gm = capture(model, WAVES)
    rewritten = rewrite(gm, [rule_of(doubled, bytes_of)])
    assert rewritten.total == 1
    assert plain_memory not in [node.target for node in rewritten.gm.graph.nodes]


def test_a_piece_that_writes_into_such_a_tensor_is_left():
    def model(z):
        x = torch.imag(torch.conj(z))
        x.mul_(2.0)
        return x + 1

    def pattern(x):
        return x.mul_(2.0)

    rewritten = rewrite(capture(model, WAVES), [rule_of(pattern, lambda x: x.mul_(2.0))])
    assert rewritten.total == 0
    assert "which torch negates or conjugates lazily" in rewritten.near_misses[0].reason
