"""Graphs of the corpus that are about integers: for each its parameters and lines, and the shapes of its inputs."""

from __future__ import annotations

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "guessed_words": (
        "scores, meant",
        ("top = scores.amax(-1)", "guess = scores.argmax(-1)", "right = guess == meant", "r = right.float()",
         "out = r.mean()", "guess = right = r = None", "return (top, out)"),
        {"scores": (32, 32000), "meant": (32,)},
    ),
    "durations": (
        "x, w",
        ("h = x * w", "t = h.sum(-1)", "e = t.exp()", "m = e - 1.0", "r = torch.round(m)", "c = torch.clamp(r, min=0)",
         "out = c.long()", "h = t = e = m = r = c = None", "return (out,)"),
        {"x": (256, 512), "w": (512,)},
    ),
    "frames": (
        "x", ("e = torch.exp(x)", "c = torch.ceil(e)", "s = c.sum(-1)", "n = s.long()", "most = n.max()",
              "e = s = None", "return (most, c, n)"),
        {"x": (16, 256)},
    ),
    "routed": (
        "x",
        ("p = torch.nn.functional.softmax(x, dim=-1)", "t = torch.topk(p, 8, dim=-1)", "v = t[0]", "i = t[1]",
         "s = v.sum(-1, keepdim=True)", "out = v / s", "p = t = v = s = None", "return (i, out)"),
        {"x": (512, 16)},
    ),
    "met_ids": (
        "x, own_ids, other_ids",
        ("met = own_ids == other_ids", "out = x.masked_fill(met, 0.0)", "met = None", "return (out,)"),
        {"x": (64, 64), "own_ids": (64, 64), "other_ids": (64, 64)},
    ),
    "added_rows": (
        "x, added, rows",
        ("y = x.index_add(0, added, rows)", "out = y * 0.5", "y = None", "return (out,)"),
        {"x": (20000, 4), "added": (6,), "rows": (6, 4)},
    ),
    "offset_bags": (
        "ids, w, starts",
        ("out = torch.nn.functional.embedding_bag(ids, w, starts, mode='sum')", "return (out,)"),
        {"ids": (960,), "w": (1000, 64), "starts": (60,)},
    ),
    "few_edges": (
        "x, eight_edges", ("out = torch.bucketize(x, eight_edges)", "return (out,)"),
        {"x": (256, 512), "eight_edges": (8,)},
    ),
    "bad_words": (
        "x, said, banned",
        ("each = said.unsqueeze(-1)", "found = each == banned", "hidden = found.any(-1)",
         "out = x.masked_fill(hidden, 0.0)", "each = found = hidden = None", "return (out,)"),
        {"x": (8, 16), "said": (8, 16), "banned": (100,)},
    ),
    "signed_bytes": (
        "signed_", ("y = signed_.float()", "z = y * 0.0625", "out = z - 0.5", "y = z = None", "return (out,)"),
        {"signed_": (64, 64)},
    ),
    "absolute": (
        "offsets_", ("y = torch.abs(offsets_)", "out = y + 1", "y = None", "return (out,)"), {"offsets_": (64, 64)}
    ),
    "padded_counts": (
        "counts",
        ("p = torch.nn.functional.pad(counts, (1, 0), 'constant', 0)", "y = p.float()", "out = y * 0.5", "p = y = None",
         "return (out,)"),
        {"counts": (64, 64)},
    ),
    "logarithms": (
        "visits",
        ("y = visits.float()", "z = torch.log1p(y)", "out = z * 0.5", "y = z = None", "return (out,)"),
        {"visits": (64, 64)},
    ),
    "ages": (
        "ages",
        ("y = ages.float()", "z = y + 1.0", "out = torch.log(z)", "y = z = None", "return (out,)"),
        {"ages": (64, 64)},
    ),
    "looked_up_words": (
        "words_, table",
        ("e = torch.nn.functional.embedding(words_, table)", "a = torch.abs(e)", "b = a + 1.0", "out = torch.lgamma(b)",
         "e = a = b = None", "return (out,)"),
        {"words_": (16384,), "table": (16384, 16)},
    ),
    "clamped_distances": (
        "far, near, table",
        ("d = far - near", "c = torch.clamp(d, -128, 128)", "i = c + 128",
         "out = torch.nn.functional.embedding(i, table)", "d = c = i = None", "return (out,)"),
        {"far": (256,), "near": (256,), "table": (257, 64)},
    ),
    "rows_from_both_ends": (
        "x, places", ("y = x[places]", "out = y * 0.5", "y = None", "return (out,)"),
        {"x": (256, 64), "places": (128,)},
    ),
    "different_ids": (
        "wide_ids",
        ("t = torch.sort(wide_ids)", "s = t[0]", "after = s[1:]", "before = s[:-1]", "d = after != before",
         "n = d.sum()", "low = s[0]", "high = s[-1]", "t = s = after = before = d = None", "return (n, low, high)"),
        {"wide_ids": (131072,)},
    ),
}  # fmt: skip
# Of dtype int64, but for those of `KINDS`.
INTEGERS = frozenset(
    {
        "meant",
        "own_ids",
        "other_ids",
        "added",
        "said",
        "banned",
        "signed_",
        "offsets_",
        "counts",
        "visits",
        "ages",
        "places",
        "far",
        "near",
        "words_",
        "ids",
        "starts",
        "wide_ids",
    }
)
KINDS = {"signed_": "int8", "offsets_": "int32", "visits": "int64"}
BOUNDS: dict[str, dict[str, float]] = {
    "meant": {"min_val": 0, "max_val": 31_999},
    "own_ids": {"min_val": 0, "max_val": 1 << 30},
    "other_ids": {"min_val": 0, "max_val": 1 << 30},
    "said": {"min_val": 0, "max_val": 1_000_000},
    "visits": {"min_val": 0},
    "words_": {"min_val": 0, "max_val": 16383},
    "ids": {"min_val": 0, "max_val": 999},
    "ages": {"min_val": 0, "max_val": 2**31 - 2},
    "wide_ids": {"min_val": 0, "max_val": 2**40 - 1},
}
STORED: dict[str, tuple[float, ...]] = {
    "banned": tuple(1237 + 7919 * number for number in range(100)),
    "starts": tuple(range(0, 960, 16)),
    "eight_edges": (-1.375, -0.9375, -0.5625, -0.125, 0.3125, 0.6875, 1.0625, 1.5),
}
