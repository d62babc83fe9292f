"""Labels are classes, and some of them the number that stands for none, wherever a recorded bound is that number."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.inputs import hard_distributions
from passnet.graph.values.left_out import Labels, labels_left_out, with_classes_alone
from tests.graph.graph_helpers import graph_of, spec

CLASSES = 300
IGNORED: dict[str, Any] = {"min_val": -100, "max_val": 290}
LOSS = "torch.nn.functional.cross_entropy"
# What a model does with labels of 8 texts of 16 words, and its scores.
WAYS: dict[str, tuple[dict[str, Any], tuple[str, ...], Labels]] = {
    "plain": (
        IGNORED,
        ("a = x.view(-1, 300)", "b = t.view(-1)", f"y = {LOSS}(a, b)"),
        Labels(0, 290, (-100,)),
    ),
    "shifted": (
        IGNORED,
        (
            "h = x[(slice(None), slice(None, -1))]", "a = h.reshape(-1, 300)",
            "s = t[(slice(None), slice(1, None))]", "c = s.contiguous()", "b = c.reshape(-1)",
            f"y = {LOSS}(a, b, ignore_index=-100, label_smoothing=0.1)",
        ),
        Labels(0, 290, (-100,)),
    ),
    "padded": (
        IGNORED,
        (
            "p = torch._C._nn.pad(t, (0, 1), 'constant', -100)", "s = p[(Ellipsis, slice(1, None, None))]",
            "c = s.contiguous()", "b = c.view(-1)", "a = x.view(-1, 300)", f"y = {LOSS}(a, b)",
        ),
        Labels(0, 290, (-100,)),
    ),
    "narrow": (
        IGNORED | {"dtype": "int16"},
        ("l = t.to(torch.int64)", "b = l.flatten()", "a = x.flatten(0, 1)", f"y = {LOSS}(a, b)"),
        Labels(0, 290, (-100,)),
    ),
    "negative likelihood": (
        {"min_val": -1, "max_val": 299},
        (
            "s = x.log_softmax(-1)", "a = s.view(-1, 300)", "b = t.view(-1)",
            "y = torch.nn.functional.nll_loss(a, b, ignore_index=-1)",
        ),
        Labels(0, 299, (-1,)),
    ),
    "above the classes": (
        {"min_val": 0, "max_val": 999},
        ("a = x.transpose(1, 2)", f"y = {LOSS}(a, t, ignore_index=999)"),
        Labels(0, 299, (999,)),
    ),
    "all left out": (
        {"min_val": -100, "max_val": -100},
        ("a = x.transpose(1, 2)", f"y = {LOSS}(a, t)"),
        Labels(0, 299, (-100,)),
    ),
    "replaced": (
        IGNORED,
        ("c = t == -100", "w = torch.where(c, 0, t)", "u = w.unsqueeze(-1)", "g = x.gather(-1, u)",
         "s = g.squeeze(-1)", "y = s.masked_fill(c, 0.0)"),
        Labels(0, 290, (-100,)),
    ),
    "clamped": (
        IGNORED,
        ("c = t.eq(-100)", "w = torch.clamp(t, min=0)", "u = w.unsqueeze(-1)", "g = x.gather(-1, u)",
         "s = g.squeeze(-1)", "y = s.masked_fill(c, 0.0)"),
        Labels(0, 290, (-100,)),
    ),
    "encoded": (
        {"min_val": -1, "max_val": 290},
        ("c = t != -1", "w = t * c", "h = torch.nn.functional.one_hot(w, 300)", "f = h.float()", "y = f * x"),
        Labels(0, 290, (-1,)),
    ),
    "masked beside a table": (
        {"min_val": -1, "max_val": 290},
        ("c = t == -1", "w = t.masked_fill(c, 0)", "e = torch.nn.functional.embedding(w, table)", "m = c.unsqueeze(-1)",
         "y = e.masked_fill(m, 0.0)"),
        Labels(0, 290, (-1,)),
    ),
}  # fmt: skip


def labelled(fields: dict[str, Any], lines: tuple[str, ...], *shape: int) -> Graph:
    shape = shape or (8, 16)
    fields = {"dtype": "int64"} | fields
    specs = [spec("x", *shape, CLASSES), spec("t", *shape, **fields), spec("table", CLASSES, 4)]
    return graph_of(specs, *lines, "return (y,)")


@pytest.mark.parametrize("way", WAYS)
def test_what_is_no_class_is_told_from_the_classes(way: str) -> None:
    fields, lines, due = WAYS[way]
    graph = labelled(fields, lines)
    assert labels_left_out(graph) == {1: due}
    alone = with_classes_alone(graph)
    assert (alone.specs[1].min_val, alone.specs[1].max_val) == (due.low, due.high)
    assert labels_left_out(alone) == {} and with_classes_alone(alone) is alone


@pytest.mark.parametrize("way", WAYS)
def test_eager_takes_every_input_that_is_made(way: str) -> None:
    fields, lines, due = WAYS[way]
    graph = labelled(fields, lines)
    module, shares = graph.module(), list[float]()
    for seed in range(12):
        labels = graph.inputs(seed)[1]
        (out,) = module(*graph.inputs(seed))
        counted = labels[labels != due.numbers[0]]
        assert len(counted) and due.low <= int(counted.min()) and int(counted.max()) <= due.high
        assert bool(out.isfinite().all())
        shares.append(1 - len(counted) / labels.numel())
    assert 0.05 < sum(shares) / len(shares) < 0.25


@pytest.mark.parametrize("way", WAYS)
def test_every_timed_draw_has_both_and_none_has_anything_else(way: str) -> None:
    fields, lines, due = WAYS[way]
    graph = labelled(fields, lines)
    hard = hard_distributions(graph)
    given = SecretInputs.draw(graph, "cpu", 7, ("normal", "small", *hard), hard=len(hard))
    for draw in (draw for draw in given.alone for _ in range(3)):
        labels = given.values(given.key(draw))[1]
        counted = labels[labels != due.numbers[0]]
        assert len(counted) and (len(counted) < labels.numel() or given.is_hard(draw))
        assert due.low <= int(counted.min()) and int(counted.max()) <= due.high


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({"min_val": 0, "max_val": 290}, WAYS["plain"][1]),
        ({"min_val": 0, "max_val": 290}, WAYS["clamped"][1]),
        ({"data": (-100, *range(127))}, WAYS["plain"][1]),
        (IGNORED, ("c = t == -100", "f = c.unsqueeze(-1)", "y = x.masked_fill(f, 0.0)")),
        (IGNORED, ("c = t.clamp(0, 299)", "m = t == -100", "e = table[c]", "f = m.unsqueeze(-1)", "y = e * f")),
        (IGNORED, ("c = t == -100", "e = table[t]", "f = c.unsqueeze(-1)", "y = e.masked_fill(f, 0.0)")),
        (IGNORED, ("c = t == -90", "w = t.clamp(min=0)", "e = torch.nn.functional.embedding(w, table)", "y = e * 2")),
    ],
    ids=[
        "no bound",
        "no bound of clamped ones",
        "stored",
        "no lookup",
        "kept within",
        "from the end",
        "another number",
    ],
)
def test_other_bounds_stay_as_they_are(fields: dict[str, Any], lines: tuple[str, ...]) -> None:
    graph = labelled(fields, lines)
    assert labels_left_out(graph) == {} and with_classes_alone(graph) is graph


def test_of_few_labels_none_is_left_out_in_a_timed_call() -> None:
    graph = labelled(IGNORED, WAYS["plain"][1], 1, 2)
    given = SecretInputs.draw(graph, "cpu", 7, ("normal",), hard=0)
    for _ in range(32):
        assert int(given.values(given.key())[1].min()) >= 0


def test_labels_at_which_something_is_written_are_classes() -> None:
    lines = ("c = t == -1", "w = t.masked_fill(c, 0)", "z = torch.zeros_like(x)", "u = w.unsqueeze(-1)",
             "y = z.scatter(-1, u, x)")  # fmt: skip
    graph = labelled({"min_val": -1, "max_val": 290}, lines)
    assert labels_left_out(graph) == {1: Labels(0, 290, ())}
    assert int(graph.inputs(3)[1].min()) >= 0


def test_labels_of_many_pixels_are_told_without_a_look_at_them() -> None:
    specs = [spec("x", 8, 21, 512, 512), spec("t", 8, 512, 512, dtype="int64", min_val=0, max_val=255)]
    graph = graph_of(specs, f"y = {LOSS}(x, t, ignore_index=255)", "return (y,)")
    assert labels_left_out(graph) == {1: Labels(0, 20, (255,))}


def test_the_dtype_of_labels_stays() -> None:
    fields, lines, _ = WAYS["narrow"]
    assert labelled(fields, lines).inputs(1)[1].dtype == torch.int16
