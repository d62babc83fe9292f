"""Graphs of the corpus where a part, a sign or a name hides what is wrong: parameters, lines, shapes of inputs."""

from __future__ import annotations

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "shares_of_four": (
        "x", ("s = x.sum(dim = -1)", "u = s.unsqueeze(-1)", "out = x / u", "return (out,)"), {"x": (4096, 4)}
    ),
    "box_scores": (
        "x, cell, anchor",
        (
            "s = torch.sigmoid(x)", "xy = s[(Ellipsis, slice(0, 2, None))]", "a = xy * 2.0", "c = a - 0.5",
            "g = c + cell", "at = g * 8.0", "wh = s[(Ellipsis, slice(2, 4, None))]", "d = wh * 2.0", "e = d ** 2",
            "size = e * anchor", "r = s[(Ellipsis, slice(4, 24, None))]", "out = torch.cat((at, size, r), -1)",
            "return (out,)",
        ),
        {"x": (1600, 24), "cell": (1600, 2), "anchor": (1600, 2)},
    ),
    "scores_beside_places": (
        "x, place",
        (
            "p = x[(Ellipsis, slice(0, 2, None))]", "a = p * 100.0", "c = a + place", "q = c * 1024.0",
            "r = x[(Ellipsis, slice(2, 10, None))]", "t = torch.sigmoid(r)", "out = torch.cat((q, t), -1)",
            "return (out,)",
        ),
        {"x": (2048, 10), "place": (2048, 2)},
    ),
    "gated_rows": (
        "s, x",
        ("a = s.abs()", "b = a - 2.0", "g = torch.relu(b)", "out = g * x", "return (out,)"),
        {"s": (32, 1), "x": (32, 32768)},
    ),
    "few_floors": (
        "x",
        ("y = x + 0.5", "f = torch.floor(y)", "s = x * 0.3", "g = torch.floor(s)", "return (f, g)"),
        {"x": (4,)},
    ),
    "noise_below_its_largest": (
        "eps", ("m = eps.amax(-1, keepdim = True)", "out = eps - m", "return (out,)"), {"eps": (64, 256)}
    ),
    "rooted_above": (
        "change",
        (
            "r = torch.sqrt(change)", "c = change < 0", "d = change * 0.25", "out = torch.where(c, d, r)",
            "return (out,)",
        ),
        {"change": (64, 256)},
    ),
    "gelu_of_conjugates": (
        "z",
        ("c = torch.conj(z)", "x = torch.imag(c)", "y = x * 2.0", "out = torch.nn.functional.gelu(y)", "return (out,)"),
        {"z": (64, 256)},
    ),
    "normed_words": (
        "x, w, b",
        ("out = torch.nn.functional.layer_norm(x, (64,), w, b, 1e-05)", "return (out,)"),
        {"x": (4, 128, 64), "w": (64,), "b": (64,)},
    ),
    "shares_of_words": ("x", ("out = torch.softmax(x, dim = -1)", "return (out,)"), {"x": (128, 256)}),
    "half_norm": (
        "x, w, b",
        ("out = torch.nn.functional.layer_norm(x, (256,), w, b, 1e-05)", "return (out,)"),
        {"x": (64, 256), "w": (256,), "b": (256,)},
    ),
    "half_attention": (
        "x, for_queries, for_keys, for_values",
        (
            "q = torch.nn.functional.linear(x, for_queries, None)",
            "k = torch.nn.functional.linear(x, for_keys, None)",
            "v = torch.nn.functional.linear(x, for_values, None)", "t = k.transpose(-2, -1)",
            "s = torch.matmul(q, t)", "u = s * 0.125", "p = torch.softmax(u, dim = -1)", "out = torch.matmul(p, v)",
            "return (out,)",
        ),
        {"x": (4, 64, 64), "for_queries": (64, 64), "for_keys": (64, 64), "for_values": (64, 64)},
    ),
    "opposite_rows": (
        "x, y",
        (
            "s = x + y", "q = s * s", "t = q.mean(-1, keepdim = True)", "a = x * x", "p = a.mean(-1, keepdim = True)",
            "l = p * 0.01", "h = t < l", "out = x.masked_fill(h, 0.0)", "return (out,)",
        ),
        {"x": (256, 256), "y": (256, 256)},
    ),
    "contrasted": (
        "x, y, partners",
        (
            "a = torch.nn.functional.normalize(x, p = 2.0, dim = -1)",
            "b = torch.nn.functional.normalize(y, p = 2.0, dim = -1)", "c = b.t()", "s = torch.matmul(a, c)",
            "z = s / 0.5", "out = torch.nn.functional.cross_entropy(z, partners)", "return (out,)",
        ),
        {"x": (1024, 128), "y": (1024, 128), "partners": (1024,)},
    ),
    "loss_of_pointed": (
        "hidden, rows_of_words, pointed",
        (
            "z = torch.nn.functional.linear(hidden, rows_of_words)",
            "out = torch.nn.functional.cross_entropy(z, pointed)", "return (out,)",
        ),
        {"hidden": (256, 64), "rows_of_words": (1024, 64), "pointed": (256,)},
    ),
    "alike_rows_counted": (
        "x",
        (
            "a = torch.nn.functional.normalize(x, p = 2.0, dim = -1)", "b = a.t()", "s = torch.matmul(a, b)",
            "m = s > 0.5", "out = m.sum(dim = -1)", "return (out,)",
        ),
        {"x": (512, 768)},
    ),
    "near_in_eight_bits": (
        "codes8, y",
        (
            "c = codes8.float()", "a = torch.nn.functional.normalize(c, p = 2.0, dim = -1)", "b = a.t()",
            "s = torch.matmul(a, b)", "d = s - 0.9", "n = torch.relu(d)", "g = n * 10.0", "out = torch.matmul(g, y)",
            "return (out,)",
        ),
        {"codes8": (512, 64), "y": (512, 32)},
    ),
    "moved_distances": (
        "x, step, y",
        (
            "q = x + step", "a = q.unsqueeze(1)", "b = y.unsqueeze(0)", "d = a - b", "s = d * d", "out = s.sum(-1)",
            "return (out,)",
        ),
        {"x": (128, 64), "step": (128, 64), "y": (128, 64)},
    ),
    "sums_of_others": (
        "x", ("e = torch.eye(256)", "o = 1.0 - e", "out = torch.matmul(x, o)", "return (out,)"), {"x": (256, 256)}
    ),
    "alternating_rows": (
        "x",
        (
            "a = x[(slice(None, None, None), slice(1, None, None))]",
            "b = x[(slice(None, None, None), slice(None, -1, None))]",
            "c = torch.nn.functional.cosine_similarity(a, b, dim = -1)", "l = c < -0.5", "h = l.unsqueeze(-1)",
            "out = x.masked_fill(h, 0.0)", "return (out,)",
        ),
        {"x": (256, 256)},
    ),
    "words_of_one_size": ("x", ("y = torch.logsumexp(x, -1)", "return (y,)"), {"x": (16, 40960)}),
    "steps_beside_waves": (
        "x",
        (
            "r = torch.floor(x)", "a = x - r", "c = x * 3217.0", "w = torch.sin(c)", "out = torch.cat((a, w), -1)",
            "return (out,)",
        ),
        {"x": (64, 128)},
    ),
    "exposed_frames": (
        "frames, x",
        (
            "m = frames.mean((1, 2, 3))", "c = m - 0.93", "r = torch.relu(c)", "k = r.view(-1, 1)", "o = x - k",
            "return (o,)",
        ),
        {"frames": (8, 3, 128, 128), "x": (8, 64)},
    ),
    "open_gates": ("chance", ("o = torch.cumprod(chance, -1)", "return (o,)"), {"chance": (16, 16384)}),
    "flat_frames": (
        "grey",
        ("a = grey.float()", "o = torch.nn.functional.layer_norm(a, (1024,))", "return (o,)"),
        {"grey": (256, 1024)},
    ),
    "loud_rows": (
        "p, x",
        (
            "a = p.abs()", "e = a + 1e-06", "l = torch.log(e)", "m = l.mean(-1, keepdim = True)", "c = m - 8.0",
            "r = torch.relu(c)", "o = x - r", "return (o,)",
        ),
        {"p": (64, 4096), "x": (64, 64)},
    ),
    "rows_that_count": (
        "positions, x",
        (
            "d = torch.diff(positions, dim = -1)", "e = d == 1", "m = e.all(-1, keepdim = True)",
            "o = x.masked_fill(m, 0.0)", "return (o,)",
        ),
        {"positions": (256, 1024), "x": (256, 16)},
    ),
    "labels_or_none": (
        "x, classes",
        (
            "v = classes != -100", "f = v.float()", "a = x * f", "s = a.sum()", "n = f.sum()", "k = n.clamp(min = 1.0)",
            "o = s / k", "return (o,)",
        ),
        {"x": (64, 128), "classes": (64, 128)},
    ),
    "last_shown": (
        "x, m",
        (
            "t = torch.arange(512)", "f = m.long()", "p = f * t", "i = p.argmax(-1)", "r = torch.arange(64)",
            "o = x[(r, i)]", "return (o,)",
        ),
        {"x": (64, 512, 32), "m": (64, 512)},
    ),
    "masks_apart": (
        "x, m, thin",
        (
            "i = m & thin", "e = i.any(-1, keepdim = True)", "a = m.sum(-1, keepdim = True)",
            "b = thin.sum(-1, keepdim = True)", "f = a > 1", "g = b > 1", "k = f & g", "n = torch.logical_not(e)",
            "h = k & n", "o = x.masked_fill(h, 0.0)", "return (o,)",
        ),
        {"x": (256, 64), "m": (256, 512), "thin": (256, 512)},
    ),
    "places_begin_again": (
        "place_ids, x",
        (
            "d = torch.diff(place_ids, dim = -1)", "e = d == 1", "c = e.sum(-1, keepdim = True)", "f = c > 48",
            "g = c < 62", "m = f & g", "o = x.masked_fill(m, 0.0)", "return (o,)",
        ),
        {"place_ids": (256, 64), "x": (256, 64)},
    ),
    "differs_from_itself": (
        "x, y",
        (
            "d = x - x", "c = d != 0", "b = c.any(-1)", "u = b.unsqueeze(-1)", "out = y.masked_fill(u, 0.0)",
            "return (out,)",
        ),
        {"x": (256, 512), "y": (256, 64)},
    ),
    "on_neither_side": (
        "x, y",
        (
            "p = x < 0", "q = x >= 0", "t = p | q", "c = ~t", "b = c.any(-1)", "u = b.unsqueeze(-1)",
            "out = y.masked_fill(u, 0.0)", "return (out,)",
        ),
        {"x": (256, 512), "y": (256, 64)},
    ),
    "mostly_loud": (
        "x, y",
        (
            "g = x > 1.0", "f = g.float()", "m = f.mean(-1)", "h = m > 0.5", "u = h.unsqueeze(-1)",
            "o = y.masked_fill(u, 0.0)", "return (o,)",
        ),
        {"x": (256, 1024), "y": (256, 64)},
    ),
    "mostly_white": (
        "grey_frames, y",
        (
            "g = grey_frames > 220", "f = g.float()", "m = f.mean((-2, -1))", "h = m > 0.5", "u = h.unsqueeze(-1)",
            "o = y.masked_fill(u, 0.0)", "return (o,)",
        ),
        {"grey_frames": (64, 64, 64), "y": (64, 64)},
    ),
    "mostly_the_same": (
        "signature, other_signature, y",
        (
            "e = signature == other_signature", "f = e.float()", "m = f.mean(-1)", "h = m > 0.75",
            "u = h.unsqueeze(-1)", "o = y.masked_fill(u, 0.0)", "return (o,)",
        ),
        {"signature": (256, 512), "other_signature": (256, 512), "y": (256, 64)},
    ),
    "stop_words": (
        "prompt_ids, y",
        (
            "s0 = prompt_ids[(Ellipsis, slice(0, 507, None))]", "e0 = s0 == 11",
            "s1 = prompt_ids[(Ellipsis, slice(1, 508, None))]", "e1 = s1 == 4711",
            "s2 = prompt_ids[(Ellipsis, slice(2, 509, None))]", "e2 = s2 == 198",
            "s3 = prompt_ids[(Ellipsis, slice(3, 510, None))]", "e3 = s3 == 27",
            "s4 = prompt_ids[(Ellipsis, slice(4, 511, None))]", "e4 = s4 == 9090",
            "s5 = prompt_ids[(Ellipsis, slice(5, 512, None))]", "e5 = s5 == 13",
            "a1 = e0 & e1", "a2 = a1 & e2", "a3 = a2 & e3", "a4 = a3 & e4", "a5 = a4 & e5", "h = a5.any(-1)",
            "u = h.unsqueeze(-1)", "o = y.masked_fill(u, 0.0)", "return (o,)",
        ),
        {"prompt_ids": (128, 512), "y": (128, 64)},
    ),
    "pixels": (
        "x",
        (
            "y = x * 0.5", "z = y + 0.5", "c = torch.clamp(z, 0, 1)", "s = c * 255", "r = torch.round(s)",
            "out = r.to(torch.uint8)", "return (out,)",
        ),
        {"x": (64, 1024)},
    ),
    "overlaps_of_boxes": (
        "corners, other_corners",
        (
            "a = corners[(slice(None), None, slice(None, 2))]", "b = other_corners[(slice(None), slice(None, 2))]",
            "lt = torch.max(a, b)", "c = corners[(slice(None), None, slice(2, None))]",
            "d = other_corners[(slice(None), slice(2, None))]", "rb = torch.min(c, d)", "e = rb - lt",
            "wh = e.clamp(min = 0)", "w = wh[(slice(None), slice(None), 0)]", "h = wh[(slice(None), slice(None), 1)]",
            "inter = w * h", "x2 = corners[(slice(None), 2)]", "x1 = corners[(slice(None), 0)]", "dx = x2 - x1",
            "y2 = corners[(slice(None), 3)]", "y1 = corners[(slice(None), 1)]", "dy = y2 - y1", "area = dx * dy",
            "u2 = other_corners[(slice(None), 2)]", "u1 = other_corners[(slice(None), 0)]", "du = u2 - u1",
            "v2 = other_corners[(slice(None), 3)]", "v1 = other_corners[(slice(None), 1)]", "dv = v2 - v1",
            "other = du * dv", "f = area[(slice(None), None)]", "g = f + other", "u = g - inter", "out = inter / u",
            "return (out,)",
        ),
        {"corners": (128, 4), "other_corners": (96, 4)},
    ),
    "allowed_choice": (
        "x, hider", ("s = x / 0.7", "t = s + hider", "i = t.argmax(-1)", "return (i,)"),
        {"x": (64, 512), "hider": (64, 512)},
    ),
    "above_a_half": ("x", ("m = x > 0.5", "return (m,)"), {"x": (256, 1024)}),
    "greedy": ("x", ("i = x.argmax(-1)", "return (i,)"), {"x": (16, 256)}),
    "ids_in_order": (
        "nearby", ("k = nearby.float()", "i = torch.argsort(k, dim = -1, stable = True)", "return (i,)"),
        {"nearby": (16, 512)},
    ),
    "first_hit": (
        "tokens", ("h = tokens == 777", "m = h.float()", "i = m.argmax(-1)", "return (i,)"), {"tokens": (64, 256)}
    ),
    "between_bounds": (
        "least, most, x",
        (
            "a = torch.clamp(x, least, most)", "out = torch.nn.functional.gelu(a, approximate = 'tanh')",
            "return (out,)",
        ),
        {"least": (), "most": (), "x": (256, 768)},
    ),
    "seen_by_all": (
        "scores, seen",
        (
            "b = seen.bool()", "h = ~b", "m = scores.masked_fill(h, -3.4028234663852886e+38)",
            "out = torch.nn.functional.softmax(m, dim = -1)", "return (out,)",
        ),
        {"scores": (4, 2, 128, 128), "seen": (4, 1, 128, 128)},
    ),
    "pictured_words": (
        "worded, table",
        (
            "a = worded == 1004", "b = worded == 1008", "c = a | b", "d = torch.where(c, 0, worded)",
            "e = torch.nn.functional.embedding(d, table, 0, None, 2.0, False, False)", "out = e * 32.0",
            "return (out,)",
        ),
        {"worded": (8, 64), "table": (1009, 256)},
    ),
    "bounds_never_met": (
        "x", ("y = x.transpose(0, 1)", "z = y.contiguous()", "out = z.clamp_(-30.0, 20.0)", "return (out,)"),
        {"x": (256, 512)},
    ),
    "any_infinite": (
        "x", ("y = x * 2.0", "b = torch.isinf(y)", "f = b.any()", "b = None", "return (y, f)"), {"x": (256, 512)}
    ),
}  # fmt: skip
BOUNDS: dict[str, dict[str, float]] = {
    "corners": {"mean": 0.5, "std": 0.29},
    "other_corners": {"mean": 0.5, "std": 0.29},
    "hider": {"mean": -5e8, "std": 5e8},
    "cell": {"mean": 40.0, "std": 23.0, "min_val": 0.0, "max_val": 79.0},
    "place": {"mean": 0.0, "std": 8000.0},
    "change": {"mean": 1.0, "std": 0.25},
    "frames": {"mean": 0.5, "std": 0.3, "min_val": 0.0, "max_val": 1.0},
    "positions": {"min_val": 0, "max_val": 8191},
    "place_ids": {"min_val": 0, "max_val": 511},
    "classes": {"min_val": -100, "max_val": 30521},
    "prompt_ids": {"min_val": 0, "max_val": 31999},
    "signature": {"min_val": 1, "max_val": 1048570},
    "other_signature": {"min_val": 2, "max_val": 1048571},
    "least": {"mean": -2.0, "std": 0.25},
    "most": {"mean": 2.0, "std": 0.25},
    "seen": {"min_val": 1, "max_val": 1},
    "partners": {"min_val": 0, "max_val": 1023},
    "rows_of_words": {"mean": 0.0, "std": 0.1},
    "pointed": {"min_val": 0, "max_val": 1023},
    "codes8": {"min_val": -127, "max_val": 127},
    "worded": {"min_val": 4, "max_val": 947},
    "for_queries": {"mean": 0.0, "std": 0.125},
    "for_keys": {"mean": 0.0, "std": 0.125},
    "for_values": {"mean": 0.0, "std": 0.125},
    "anchor": {"mean": 100.0, "std": 80.0, "min_val": 10.0, "max_val": 373.0},
}
DTYPES = {
    "box_scores": "bfloat16",
    "gelu_of_conjugates": "complex64",
    "half_norm": "float16",
    "half_attention": "float16",
    "words_of_one_size": "bfloat16",
    "greedy": "bfloat16",
    "pixels": "bfloat16",
    "loss_of_pointed": "bfloat16",
}
# Inputs of these names have a dtype of their own.
KINDS = {
    **{"grey": "uint8", "grey_frames": "uint8", "classes": "int64", "positions": "int64", "place_ids": "int64"},
    **{"prompt_ids": "int64", "signature": "int64", "other_signature": "int64"},
    **{"codes8": "int8", "seen": "int64", "worded": "int64", "partners": "int64", "pointed": "int64"},
}
