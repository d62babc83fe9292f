"""Graphs of the corpus in which rounding decides some rows: parallel vectors, near points, scores that tie.

Eager itself does not know these.
"""

from __future__ import annotations

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "face_normals": (
        "corners",
        (
            "b = corners[(slice(None, None, None), 1)]", "a = corners[(slice(None, None, None), 0)]", "u = b - a",
            "c = corners[(slice(None, None, None), 2)]", "v = c - a", "n = torch.cross(u, v, dim = -1)",
            "out = torch.nn.functional.normalize(n, dim = -1)", "return (out,)",
        ),
        {"corners": (200, 3, 3)},
    ),
    "rotations_of_six": (
        "six_numbers",
        (
            "a = six_numbers[(Ellipsis, slice(None, 3, None))]", "b = six_numbers[(Ellipsis, slice(3, None, None))]",
            "x = torch.nn.functional.normalize(a, dim = -1)", "p = x * b", "d = p.sum(-1, keepdim = True)", "q = d * x",
            "r = b - q", "y = torch.nn.functional.normalize(r, dim = -1)", "z = torch.cross(x, y, dim = -1)",
            "out = torch.stack((x, y, z), -2)", "return (out,)",
        ),
        {"six_numbers": (200, 6)},
    ),
    "points_beside_points": (
        "points",
        (
            "t = points.transpose(2, 1)", "m = torch.matmul(t, points)", "i = -2 * m", "q = points ** 2",
            "x = torch.sum(q, dim = 1, keepdim = True)", "n = -x", "e = n - i", "f = x.transpose(2, 1)", "d = e - f",
            "k = d.topk(k = 8, dim = -1)", "out = k[1]", "return (out,)",
        ),
        {"points": (2, 3, 96)},
    ),
    "experts_in_half": (
        "w, x",
        (
            "l = torch.nn.functional.linear(x, w)",
            "s = torch.nn.functional.softmax(l, dim = 1, dtype = torch.float32)",
            "k = torch.topk(s, 2, dim = -1)", "v = k[0]", "i = k[1]", "a = v.sum(-1, keepdim = True)", "b = v / a",
            "c = b.to(torch.float16)", "h = torch.nn.functional.one_hot(i, 8)", "p = h.permute(2, 1, 0)",
            "return (c, p)",
        ),
        {"w": (8, 64), "x": (64, 64)},
    ),
}  # fmt: skip
