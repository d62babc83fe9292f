"""Graphs of the corpus that choose among scores and show no index, and one that inverts small matrices."""

from __future__ import annotations

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "likely_in_sum": (
        "scores",
        (
            "s = torch.sort(scores, descending = False)", "v = s[0]", "i = s[1]", "p = v.softmax(dim = -1)",
            "c = p.cumsum(dim = -1)", "r = c <= 0.1", "h = r.scatter(1, i, r)",
            "out = scores.masked_fill(h, float('-inf'))", "return (out,)",
        ),
        {"scores": (4, 2048)},
    ),
    "best_boxes": (
        "logits, boxes",
        (
            "prob = logits.sigmoid()", "flat = prob.view(4, -1)", "t = torch.topk(flat, 100, dim = 1)", "scores = t[0]",
            "i = t[1]", "labels = i % 8", "q = i // 8", "u = q.unsqueeze(-1)", "r = u.repeat(1, 1, 4)",
            "out = torch.gather(boxes, 1, r)", "return (scores, labels, out)",
        ),
        {"logits": (4, 300, 8), "boxes": (4, 300, 4)},
    ),
    "weights_of_experts": (
        "x",
        (
            "p = torch.nn.functional.softmax(x, dim = -1)", "t = torch.topk(p, 4, dim = -1)", "v = t[0]", "i = t[1]",
            "s = v.sum(-1, keepdim = True)", "w = v / s", "z = torch.zeros_like(x)", "out = z.scatter(-1, i, w)",
            "return (out,)",
        ),
        {"x": (512, 16)},
    ),
    "rays_of_pixels": (
        "camera, pixels",
        ("k = torch.linalg.inv(camera)", "out = torch.matmul(k, pixels)", "return (out,)"),
        {"camera": (8, 3, 3), "pixels": (8, 3, 512)},
    ),
}  # fmt: skip
