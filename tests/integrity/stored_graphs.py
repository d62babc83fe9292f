"""Graphs of the corpus whose stored inputs decide something: what one call had, and other calls have not."""

from __future__ import annotations

import math

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "warm_steps": (
        "step_, x, y",
        ("c = step_ < 1000", "h = x * 0.5", "out = torch.where(c, h, y)", "return (out,)"),
        {"step_": (), "x": (128, 1024), "y": (128, 1024)},
    ),
    "begins_at": (
        "begin_, x, rates",
        (
            "p = torch.arange(512)", "q = p + begin_", "f = q.float()", "g = f.unsqueeze(-1)", "a = g * rates",
            "c = torch.cos(a)", "out = x * c", "return (out,)",
        ),
        {"begin_": (), "x": (512, 256), "rates": (256,)},
    ),
    "kind_of_row": (
        "kind_, x, y",
        ("k = kind_ == 50", "c = k.unsqueeze(-1)", "h = x * 0.5", "out = torch.where(c, y, h)", "return (out,)"),
        {"kind_": (32,), "x": (32, 4096), "y": (32, 4096)},
    ),
    "met_lists": (
        "one_list, other_list, y",
        ("e = one_list == other_list", "c = e.unsqueeze(-1)", "out = y.masked_fill(c, 0.0)", "return (out,)"),
        {"one_list": (32,), "other_list": (32,), "y": (32, 4096)},
    ),
    "few_labels": (
        "x, label_",
        ("out = torch.nn.functional.cross_entropy(x, label_, None, None, -100)", "return (out,)"),
        {"x": (32, 1008), "label_": (32,)},
    ),
    "words_in_full": (
        "unpadded_, table",
        (
            "e = torch.nn.functional.embedding(unpadded_, table, 1, None, 2.0, False, False)", "s = e * 16.0",
            "m = unpadded_.ne(1)", "k = m.int()", "return (s, k)",
        ),
        {"unpadded_": (4, 32), "table": (1009, 128)},
    ),
    "places_in_full": (
        "unpadded_, table, where_",
        (
            "m = unpadded_.ne(1)", "k = m.int()", "n = torch.cumsum(k, dim = 1)", "f = n * k", "i = f + 1",
            "e = torch.nn.functional.embedding(unpadded_, table, 1, None, 2.0, False, False)",
            "p = torch.nn.functional.embedding(i, where_, 1, None, 2.0, False, False)", "out = e + p", "return (out,)",
        ),
        {"unpadded_": (4, 32), "table": (1009, 128), "where_": (512, 128)},
    ),
    "short_text": (
        "first_places_, paces_",
        (
            "p = first_places_.unsqueeze(-1)", "f = p.float()", "a = f * paces_", "c = torch.cos(a)",
            "s = torch.sin(a)", "return (c, s)",
        ),
        {"first_places_": (1, 64), "paces_": (32,)},
    ),
    "small_levels": (
        "extents_, x",
        (
            "n = extents_.prod(1)", "e = n.cumsum(0)", "z = extents_.new_zeros((1,))", "b = e[0:-1]",
            "starts = torch.cat([z, b])", "y = x * 2.0", "return (starts, y)",
        ),
        {"extents_": (4, 2), "x": (64, 512)},
    ),
    "turned_relu": (
        "x",
        (
            "y = torch.nn.functional.relu(x)", "z = y.transpose(1, 2)", "out = z.contiguous()", "return (out,)",
        ),
        {"x": (4, 256, 512)},
    ),
    "relu_in_columns": (
        "x",
        (
            "y = torch.nn.functional.relu(x)", "t = y.transpose(0, 1)", "c = t.contiguous()",
            "out = c.transpose(0, 1)", "return (out,)",
        ),
        {"x": (1024, 1024)},
    ),
    "relu_channels_last": (
        "x",
        (
            "y = torch.nn.functional.relu(x)", "out = y.contiguous(memory_format = torch.channels_last)",
            "return (out,)",
        ),
        {"x": (4, 64, 32, 64)},
    ),
    "unbounded_clamp": (
        "floor_, roof_, x",
        (
            "a = torch.clamp(x, floor_, roof_)", "out = torch.nn.functional.gelu(a, approximate = 'tanh')",
            "return (out,)",
        ),
        {"floor_": (), "roof_": (), "x": (256, 768)},
    ),
    "normalised_pixels": (
        "raster, L_self_buffers_mean_, L_self_buffers_std_",
        (
            "f = raster.float()", "u = f / 255.0", "c = u - L_self_buffers_mean_", "out = c / L_self_buffers_std_",
            "f = u = c = None", "return (out,)",
        ),
        {"raster": (2, 3, 96, 96), "L_self_buffers_mean_": (1, 3, 1, 1), "L_self_buffers_std_": (1, 3, 1, 1)},
    ),
}  # fmt: skip
STORED: dict[str, tuple[float, ...]] = {
    "step_": (7,),
    "begin_": (0,),
    "kind_": tuple(row % 4 for row in range(32)),
    "one_list": tuple(3 * place + 1 for place in range(32)),
    "other_list": tuple(5 * place + 500 for place in range(32)),
    "label_": tuple(37 * place % 1008 for place in range(32)),
    "unpadded_": tuple(4 + 389 * place % 1000 for place in range(128)),
    "first_places_": tuple(range(64)),
    "extents_": (28, 28, 14, 14, 7, 7, 4, 4),
}
INTEGERS = frozenset(STORED)
STORED |= {"floor_": (-math.inf,), "roof_": (math.inf,), "paces_": tuple(0.7**place for place in range(32))}
STORED |= {"L_self_buffers_mean_": (0.485, 0.456, 0.406), "L_self_buffers_std_": (0.229, 0.224, 0.225)}
KINDS = {"raster": "uint8"}
# As a capture measures them.
BOUNDS = {"raster": {"min_val": 0, "max_val": 255}}
