"""The dimensions whose neighbours a graph mixes."""

from __future__ import annotations

import pytest

from passnet.graph.values.mixed_dims import mixed_dims
from tests.graph.graph_helpers import graph_of, spec

LATER, EARLIER = (f"x[(slice(None, None, None), slice({ends}, None))]" for ends in ("1, None", "None, -1"))
WHOLE, FUNCTIONAL = "slice(None, None, None)", "torch.nn.functional."
HALVES = (f"x[({WHOLE}, slice(None, 32, None))]", f"x[({WHOLE}, slice(32, None, None))]")


@pytest.mark.parametrize(
    ("lines", "dims"),
    [
        (("z = x.cumsum(-1)", "return (z,)"), (1,)),
        (("z = torch.cumsum(x, dim = 0)", "return (z,)"), (0,)),
        (("a = x.transpose(0, 1)", "z = a.cumsum(-1)", "return (z,)"), (0,)),
        (("a = x.t()", "z = a.cumsum(-1)", "return (z,)"), (0,)),
        (("a = x.relu()", "z = torch.fft.rfft(a)", "y = z.abs()", "return (y,)"), (1,)),
        (("z = torch._C._fft.fft_rfft(x)", "y = z.abs()", "return (y,)"), (1,)),
        (("z = torch._C._fft.fft_fft2(x)", "y = z.abs()", "return (y,)"), (0, 1)),
        (("z = torch.fft.fft2(x)", "y = z.abs()", "return (y,)"), (0, 1)),
        (("a = x.unsqueeze(0)", f"z = {FUNCTIONAL}avg_pool1d(a, 3)", "return (z,)"), (1,)),
        (("a = x.view(1, 1, 16, 64)", f"z = {FUNCTIONAL}max_pool2d(a, 2, 2)", "return (z,)"), (0, 1)),
        (
            ("a = x.view(1, 1, 16, 64)", f"z = {FUNCTIONAL}interpolate(a, scale_factor = 2, mode = 'bilinear')",
             "return (z,)"),
            (0, 1),
        ),
        (("a = x.view(16, 4, 16)", "z = torch.fft.rfft(a, dim = -1)", "y = z.abs()", "return (y,)"), (1,)),
        (("a = x.flatten()", "z = a.cumsum(0)", "return (z,)"), (0, 1)),
        (("z = x.unfold(1, 8, 4)", "y = z.mean(-1)", "return (y,)"), (1,)),
        (("z = torch.diff(x)", "return (z,)"), (1,)),
        ((f"a = {LATER}", f"b = {EARLIER}", "z = a + b", "return (z,)"), (1,)),
        ((f"a = {LATER}", f"b = {EARLIER}", "c = a.abs()", "z = c * b", "return (z,)"), (1,)),
        ((f"a = x[({WHOLE}, slice(None, None, 2))]", f"b = x[({WHOLE}, slice(1, None, 2))]", "z = a + b",
          "return (z,)"), (1,)),
        (("a = torch.roll(x, 1, 0)", "z = x - a", "return (z,)"), (0,)),
        ((f"a = {FUNCTIONAL}pad(x, (1, -1))", "z = x - a", "return (z,)"), (1,)),
        (("z = x.softmax(-1)", "return (z,)"), ()),
        (("z = x.mean(-1)", "return (z,)"), ()),
        ((f"a = {HALVES[0]}", f"b = {HALVES[1]}", "z = a * b", "return (z,)"), ()),
        (("a = x[0]", "b = x[1]", "z = a - b", "return (z,)"), ()),
    ],
)  # fmt: skip
def test_neighbours_are_mixed_along_some_dimensions(lines: tuple[str, ...], dims: tuple[int, ...]) -> None:
    graph = graph_of([spec("x", 16, 64)], *lines)
    assert mixed_dims(graph).fields.get(0, ()) == dims


def test_convolutions_have_pictures_and_filters() -> None:
    specs = [spec("x", 1, 3, 32, 24), spec("y", 1, 3, 32, 24), spec("weight", 8, 3, 3, 3)]
    graph = graph_of(specs, "d = x - y", "w = weight.float()", "z = torch.conv2d(d, w)", "return (z,)")
    known = mixed_dims(graph)
    assert known.fields == {0: (2, 3), 1: (2, 3)} and known.filters == {2: (2, 3)}


def test_channels_may_come_last() -> None:
    specs = [spec("x", 1, 32, 24, 16), spec("weight", 8, 16, 3, 3)]
    graph = graph_of(specs, "p = x.permute(0, 3, 1, 2)", "z = torch.conv2d(p, weight)", "return (z,)")
    assert mixed_dims(graph).fields == {0: (1, 2)}


def test_small_dimensions_single_taps_and_other_inputs_are_left() -> None:
    specs = [spec("x", 1, 64, 7, 7), spec("weight", 8, 64, 1, 1), spec("y", 64, 64)]
    graph = graph_of(specs, "z = torch.conv2d(x, weight)", "s = y * 2", "return (z, s)")
    known = mixed_dims(graph)
    assert not known.fields and not known.filters
