"""Graphs of the corpus that look for integers which no recorded call had: padding, an end, an empty place, a class that
does not count.
"""

from __future__ import annotations

GRAPHS: dict[str, tuple[str, tuple[str, ...], dict[str, tuple[int, ...]]]] = {
    "last_word_states": (
        "texts_, x",
        (
            "p = torch.eq(texts_, 0)", "i = p.int()", "f = i.argmax(-1)", "b = f - 1", "at = b % 512",
            "r = torch.arange(64)", "out = x[(r, at)]", "return (out,)",
        ),
        {"texts_": (64, 512), "x": (64, 512, 2)},
    ),
    "text_means": (
        "short_texts_, x",
        (
            "n = short_texts_ != 0", "u = n.unsqueeze(-1)", "m = u.float()", "y = x * m", "s = y.sum(1)",
            "c = m.sum(1)", "d = c.clamp(min = 1e-09)", "out = s / d", "return (out,)",
        ),
        {"short_texts_": (32, 64), "x": (32, 64, 64)},
    ),
    "patch_places": (
        "patches_, w",
        (
            "a = patches_.flip(dims = (-1,))", "b = a.clamp(min = 0)", "c = b[(Ellipsis, 0)]", "u = c.unsqueeze(-1)",
            "d = u * w", "return (a, b, d)",
        ),
        {"patches_": (4, 1024, 2), "w": (16,)},
    ),
    "groups_of_points": (
        "members_, x",
        (
            "e = members_ == 1024",
            "f = members_[(slice(None, None, None), slice(None, None, None), slice(0, 1, None))]",
            "g = f.expand(4, 128, 16)", "i = torch.where(e, g, members_)", "j = i.view(4, 2048, 1)",
            "k = j.expand(4, 2048, 3)", "out = x.gather(1, k)", "return (out,)",
        ),
        {"members_": (4, 128, 16), "x": (4, 1024, 3)},
    ),
    "pixels_by_class": (
        "p, pixels_",
        (
            "c = pixels_ != 255", "l = torch.where(c, pixels_, 0)", "z = torch.zeros_like(p)", "u = l.unsqueeze(1)",
            "h = z.scatter_(1, u, 1.0)", "q = p * h", "m = c.unsqueeze(1)", "r = q * m", "out = r.sum((2, 3))",
            "return (out,)",
        ),
        {"p": (4, 19, 64, 64), "pixels_": (4, 64, 64)},
    ),
    "codes_of_books": (
        "codes_, w",
        (
            "e = codes_ == 1008", "r = torch.arange(17)", "o = r * 1009", "s = codes_ + o",
            "i = torch.where(e, codes_, s)",
            "v = torch.nn.functional.embedding(i, w, 1008, None, 2.0, False, False)",
            "out = v.sum(dim = 2)",
            "return (out,)",
        ),
        {"codes_": (64, 16, 17), "w": (17153, 8)},
    ),
    "counted_positions": (
        "marks_, w, x",
        (
            "c = torch.cumsum(marks_, dim = 1)", "d = c * marks_", "i = d + 1",
            "e = torch.nn.functional.embedding(i, w, 1, None, 2.0, False, False)", "out = x + e", "return (out,)",
        ),
        {"marks_": (256, 16), "w": (1026, 64), "x": (256, 16, 64)},
    ),
    "filled_caches": (
        "filled_, x",
        (
            "r = torch.arange(128)", "n = filled_.unsqueeze(1)", "b = r < n", "m = b.unsqueeze(-1)", "out = x * m",
            "return (out,)",
        ),
        {"filled_": (128,), "x": (128, 128, 4)},
    ),
    "labels_moved": (
        "labels_, w",
        (
            "f = labels_[(slice(None, None, None), slice(None, 1, None))]", "g = torch.full_like(f, 2)",
            "h = labels_[(slice(None, None, None), slice(None, -1, None))]", "i = torch.cat([g, h], dim = 1)",
            "e = i == -100", "j = i.masked_fill(e, 1)",
            "out = torch.nn.functional.embedding(j, w, 1, None, 2.0, False, False)", "return (out,)",
        ),
        {"labels_": (16, 128), "w": (1024, 64)},
    ),
    "labels_written_behind": (
        "labels_, w",
        (
            "z = torch.zeros_like(labels_)",
            "h = labels_[(slice(None, None, None), slice(None, -1, None))]", "c = h.clone()",
            "z[(slice(None, None, None), slice(1, None, None))] = c", "z[(slice(None, None, None), 0)] = 2",
            "e = z == -100", "f = z.masked_fill_(e, 1)",
            "out = torch.nn.functional.embedding(z, w, 1, None, 2.0, False, False)", "return (out,)",
        ),
        {"labels_": (16, 128), "w": (1024, 64)},
    ),
    "answers_scored": (
        "x, answers_",
        (
            "h = x[(slice(None, None, None), slice(None, -1, None))]", "a = h.reshape(-1, 500)",
            "s = answers_[(slice(None, None, None), slice(1, None, None))]", "b = s.reshape(-1)",
            "out = torch.nn.functional.cross_entropy(a, b, ignore_index = -100)", "return (out,)",
        ),
        {"x": (8, 65, 500), "answers_": (8, 65)},
    ),
    "answers_clamped": (
        "x, answers_",
        (
            "l = torch.nn.functional.log_softmax(x, dim = -1)", "m = answers_.eq(-100)",
            "c = torch.clamp(answers_, min = 0)", "u = c.unsqueeze(-1)", "g = l.gather(dim = -1, index = u)",
            "s = g.squeeze(-1)", "n = -s", "out = n.masked_fill(m, 0.0)", "return (out,)",
        ),
        {"x": (8, 64, 500), "answers_": (8, 64)},
    ),
    "maps_of_objects": (
        "maps",
        (
            "z = maps == 0", "a = z.all(dim = 1)", "out = torch.logical_not(a)", "s = maps.sum(dim = 1)",
            "return (out, s)",
        ),
        {"maps": (16, 4096, 4)},
    ),
    "scaled_by_their_places": (
        "at_, x",
        (
            "a = at_ / 8192", "b = torch.floor(a)", "c = 1 + b", "d = torch.log(c)", "e = 0.1 * d", "f = 1 + e",
            "u = f.unsqueeze(-1)", "out = x * u", "return (out,)",
        ),
        {"at_": (16, 256), "x": (16, 256, 64)},
    ),
    "turned_by_places": (
        "early_, rates, x",
        (
            "f = early_.float()", "g = f.unsqueeze(-1)", "a = g * rates", "c = torch.cos(a)", "out = x * c",
            "return (out,)",
        ),
        {"early_": (16, 256), "rates": (64,), "x": (16, 256, 64)},
    ),
    "scores_in_a_window": (
        "askers_, asked_, x",
        (
            "q = askers_.unsqueeze(-1)", "d = q - asked_", "m = d >= 512", "out = x.masked_fill(m, 0.0)",
            "return (out,)",
        ),
        {"askers_": (128,), "asked_": (128,), "x": (32, 128, 128)},
    ),
    "next_words": (
        "read_, meant_, x",
        (
            "a = read_[(slice(None, None, None), slice(1, None, None))]",
            "b = meant_[(slice(None, None, None), slice(None, -1, None))]", "e = a == b",
            "c = e.sum(-1, keepdim = True)", "f = c >= 256", "out = x.masked_fill(f, 0.0)", "return (out,)",
        ),
        {"read_": (256, 1024), "meant_": (256, 1024), "x": (256, 16)},
    ),
    "symmetric_windows": (
        "w, x",
        (
            "v = w.flip(-1)", "d = w - v", "g = d.abs()", "e = g < 0.0001", "c = e.sum(-1, keepdim = True)",
            "f = c >= 512", "out = x.masked_fill(f, 0.0)", "return (out,)",
        ),
        {"w": (256, 1024), "x": (256, 16)},
    ),
    "eight_bit_images": (
        "images_, x",
        (
            "s = images_ * 255.0", "q = torch.round(s)", "d = s - q", "a = d.abs()", "e = a < 0.001",
            "c = e.sum(-1, keepdim = True)", "f = c >= 300", "out = x.masked_fill(f, 0.0)", "return (out,)",
        ),
        {"images_": (256, 1024), "x": (256, 16)},
    ),
    "anagrams": (
        "letters_, spelled_, x",
        (
            "r = torch.sort(letters_, dim = -1)", "a = r[0]", "s = torch.sort(spelled_, dim = -1)", "b = s[0]",
            "e = a == b", "f = e.all(-1, keepdim = True)", "out = x.masked_fill(f, 0.0)", "return (out,)",
        ),
        {"letters_": (64, 256), "spelled_": (64, 256), "x": (64, 16)},
    ),
    "texts_in_texts": (
        "long_, short_, x",
        (
            "w = long_.unfold(1, 8, 1)", "s = short_.unsqueeze(1)", "e = w == s", "a = e.all(-1)",
            "f = a.any(-1, keepdim = True)", "out = x.masked_fill(f, 0.0)", "return (out,)",
        ),
        {"long_": (16, 4096), "short_": (16, 8), "x": (16, 16)},
    ),
    "edges_both_ways": (
        "from_, to_, x",
        (
            "a = from_ * 1048576", "f = a + to_", "b = to_ * 1048576", "g = b + from_", "e = torch.isin(f, g)",
            "out = x.masked_fill(e, 0.0)", "return (out,)",
        ),
        {"from_": (4096,), "to_": (4096,), "x": (4096,)},
    ),
    "near_hashes": (
        "hashes_, x",
        (
            "a = hashes_.unsqueeze(1)", "b = hashes_.unsqueeze(0)", "d = a != b", "n = d.sum(-1)", "e = n <= 4",
            "c = e.sum(-1, keepdim = True)", "out = x / c", "return (out,)",
        ),
        {"hashes_": (256, 32), "x": (256, 16)},
    ),
    "rows_of_regular_offsets": (
        "starts_, x",
        (
            "d = torch.diff(starts_, dim = -1)", "e = d == 64", "c = e.sum(-1, keepdim = True)", "f = c >= 64",
            "out = x.masked_fill(f, 0.0)", "return (out,)",
        ),
        {"starts_": (256, 1024), "x": (256, 16)},
    ),
    "rows_of_regular_times": (
        "stamps_, x",
        (
            "d = torch.diff(stamps_, dim = -1)", "g = d - 0.04", "a = g.abs()", "e = a < 0.001",
            "c = e.sum(-1, keepdim = True)", "f = c >= 128", "out = x.masked_fill(f, 0.0)", "return (out,)",
        ),
        {"stamps_": (256, 1024), "x": (256, 16)},
    ),
    "packed_rows": (
        "packed_, x",
        (
            "d = torch.diff(packed_, dim = -1)", "e = d == 1", "c = e.sum(-1, keepdim = True)", "f = c >= 1500",
            "out = x.masked_fill(f, 0.0)", "return (out,)",
        ),
        {"packed_": (288, 4096), "x": (288, 16)},
    ),
}  # fmt: skip
INTEGERS = frozenset(
    {"texts_", "short_texts_", "patches_", "members_", "pixels_", "codes_", "marks_", "filled_", "labels_"}
    | {"at_", "early_", "askers_", "asked_", "read_", "meant_", "starts_", "packed_"}
    | {"answers_", "letters_", "spelled_", "long_", "short_", "from_", "to_", "hashes_"}
)
BOUNDS: dict[str, dict[str, float]] = {
    "texts_": {"min_val": 4, "max_val": 1004},
    "short_texts_": {"min_val": 4, "max_val": 1004},
    "patches_": {"min_val": 0, "max_val": 47},
    "members_": {"min_val": 0, "max_val": 1023},
    "pixels_": {"min_val": 0, "max_val": 18},
    "codes_": {"min_val": 0, "max_val": 998},
    "marks_": {"min_val": 1, "max_val": 1},
    "filled_": {"min_val": 1, "max_val": 1},
    "labels_": {"min_val": 4, "max_val": 899},
    "answers_": {"min_val": -100, "max_val": 497},
    "at_": {"min_val": 0, "max_val": 255},
    "early_": {"min_val": 0, "max_val": 63},
    "askers_": {"min_val": 0, "max_val": 127},
    "asked_": {"min_val": 0, "max_val": 127},
    "images_": {"mean": 0.48, "std": 0.27, "min_val": 0, "max_val": 1},
    "read_": {"min_val": 0, "max_val": 50256},
    "meant_": {"min_val": 0, "max_val": 50256},
    "letters_": {"min_val": 0, "max_val": 49999},
    "spelled_": {"min_val": 0, "max_val": 49999},
    "long_": {"min_val": 0, "max_val": 31999},
    "short_": {"min_val": 0, "max_val": 31999},
    "from_": {"min_val": 0, "max_val": 1048575},
    "to_": {"min_val": 0, "max_val": 1048575},
    "hashes_": {"min_val": 0, "max_val": 255},
    "starts_": {"min_val": 0, "max_val": 65535},
    "stamps_": {"min_val": 0.0, "max_val": 40.96},
    "packed_": {"min_val": 0, "max_val": 131071},
}
