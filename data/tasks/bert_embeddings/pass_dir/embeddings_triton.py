"""BERT's embeddings on CUDA: one program per token adds three table rows and normalises the sum."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(
    ids, types, positions, words, kinds, places, weight, bias, out, shared, width, word_count, kind_count, place_count,
    BLOCK: tl.constexpr,
):  # fmt: skip
    token = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < width
    word = tl.load(ids + token) + column * 0
    kind = tl.load(types + token) + column * 0
    place = tl.load(positions + token % shared) + column * 0
    # An index outside its table reads zeros here; eager stops the device.
    good = inside & (word >= 0) & (word < word_count)
    row = tl.load(words + word * width + column, mask=good, other=0.0).to(tl.float32)
    good = inside & (kind >= 0) & (kind < kind_count)
    row += tl.load(kinds + kind * width + column, mask=good, other=0.0).to(tl.float32)
    good = inside & (place >= 0) & (place < place_count)
    row += tl.load(places + place * width + column, mask=good, other=0.0).to(tl.float32)
    mean = tl.sum(row, axis=0) / width
    centred = tl.where(inside, row - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / width + 1e-12)
    normed = centred * scale * tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    normed += tl.load(bias + column, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + token.to(tl.int64) * width + column, normed, mask=inside)


def pattern(ids, types, positions, words, kinds, places, weight, bias):
    x = torch.nn.functional.embedding(ids, words, 0, None, 2.0, False, False)
    x = x + torch.nn.functional.embedding(types, kinds, None, None, 2.0, False, False)
    x = x + torch.nn.functional.embedding(positions, places, None, None, 2.0, False, False)
    x = torch.nn.functional.layer_norm(x, (256,), weight, bias, 1e-12)
    return torch.nn.functional.dropout(x, 0.1, False, False)


def replacement_args(ids, types, positions, words, kinds, places, weight, bias):
    return (ids, types, positions, words, kinds, places, weight, bias)


@torch.fx.wrap
def embeddings(ids, types, positions, words, kinds, places, weight, bias):
    b, s = ids.shape
    if types.shape != (b, s) or positions.shape[1] != s or positions.shape[0] not in (1, b):
        raise ValueError("ids, types and positions must agree in shape")
    if not (ids.is_contiguous() and types.is_contiguous() and positions.is_contiguous()):
        raise ValueError("ids, types and positions must be contiguous")
    width = words.shape[1]
    out = torch.empty((b, s, width), dtype=words.dtype, device=words.device)
    kernel[(b * s,)](
        ids, types, positions, words, kinds, places, weight, bias, out, positions.numel(), width,
        words.shape[0], kinds.shape[0], places.shape[0], BLOCK=triton.next_power_of_2(width), num_warps=2,
    )  # fmt: skip
    return out


def replacement_func():
    return embeddings
