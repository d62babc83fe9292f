"""Fewer heads and experts and proportional widths in a transformers configuration, the same ones in all its parts."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

HEADS, KEY_VALUE_HEADS, EXPERTS = 4, 2, 8
EXPERT_WIDTH = 128
# Widths up to this stay: they cost little, and other numbers are derived from them.
SMALL_WIDTH = 256
# Models without heads are scaled as if they had this many, from this width on.
MANY_HEADS, LARGE_WIDTH = 32, 1024

_HEADS = re.compile(r"(\w+_)?(num_)?(attention_)?heads|n_heads?")
_NO_HEADS = re.compile(r"(linear|index|mamba|conf|memory|resampler|guided|num_fov)\w*")
_KEY_VALUE_HEADS = re.compile(r"(\w+_)?(num_key_value_heads|kv_n_heads|num_kv_heads)")
# Groups of the heads of a state space model.
_GROUPS = re.compile(r"n_groups")
_WIDTH = re.compile(
    r"(attention_)?hidden_size|d_model|n_embd|hidden_dim|embed_dim|dim|(\w+_)?(intermediate_size|ffn_dim|d_ff|n_inner|mlp_dim|dim_ff"
    r"|ffn_hidden_size|d_inner|intermediate_dim|mamba_n_heads|mamba_num_heads|feed_forward_size|dim_feedforward"
    r"|word_embed_proj_dim|pooler_output_size|lru_width|mamba_d_ssm)"
)
_NO_WIDTH = re.compile(
    r"(?!mamba_)\w*(head|rope|index|codebook|patch|latent|conv|per_layer|codevector|kernel|time|mask|pos_|router|position)\w*"
)
# Names that repeat the width of another part.
_REFERENCE = re.compile(r"\w*(size|dim|width|channels|embd|features)")
_NO_REFERENCE = re.compile(r"\w*(image_size|patch|vocab|window|kernel|head|chunk|buffer|codebook|position|crop)\w*")
EXPERT_COUNT = re.compile(r"num_experts|n_routed_experts|num_local_experts|moe_num_experts|zero_expert_num")
# Configurations of sound codecs: their widths follow from rates and code books.
_CODEC = ("upsampling_ratios", "codebook_size", "downsampling_ratios", "upsample_rates")
_EXPERT_WIDTH = re.compile(r"(moe|expert)_\w*(intermediate|ffn|hidden)\w*")
CHOSEN = ("num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_top_k", "moe_k", "top_k_experts")


def integers(scope: Any, wanted: re.Pattern[str], unwanted: re.Pattern[str] | None = None) -> dict[str, int]:
    """The integer attributes whose whole name matches the first pattern and not the second."""
    return {
        name: value
        for name, value in vars(scope).items()
        if type(value) is int and wanted.fullmatch(name) and not (unwanted and unwanted.fullmatch(name))
    }


def width_of(scope: Any) -> int:
    """The width of the hidden states of one configuration, 0 where it has none."""
    found = (getattr(scope, name, None) for name in ("hidden_size", "d_model"))
    return next((value for value in found if type(value) is int), 0)


def fewer_experts(scope: Any) -> None:
    """Fewer experts, as many as groups and choices need."""
    chosen = max([value for name in CHOSEN if type(value := getattr(scope, name, None)) is int] or [1])
    groups = max(getattr(scope, "n_group", None) or getattr(scope, "num_expert_group", None) or 1, 1)
    kept_groups = max(getattr(scope, "topk_group", None) or groups, 1)
    needed = max(EXPERTS, 2 * chosen)
    each = max(2, math.ceil(needed / groups), math.ceil(chosen / kept_groups))
    for name, value in integers(scope, EXPERT_COUNT).items():
        if value > groups * each:
            setattr(scope, name, groups * each)


def narrow_experts(scope: Any) -> None:
    """Narrow experts: every token takes copies of several of them."""
    if not any(value > 1 for value in integers(scope, EXPERT_COUNT).values()):
        return
    names = integers(scope, _EXPERT_WIDTH) or integers(scope, re.compile("intermediate_size|ffn_hidden_size"))
    for name, value in names.items():
        setattr(scope, name, min(value, EXPERT_WIDTH))


def fewer_heads(scopes: Sequence[Any]) -> None:
    """Fewer heads and proportional widths, and the same numbers where other configurations repeat them."""
    renamed: dict[int, int] = {}
    done: set[tuple[int, str]] = set()
    for scope in scopes:
        changes = _widths(scope)
        for name, value in changes.items():
            if type(value) is int and not _HEADS.fullmatch(name) and not _KEY_VALUE_HEADS.fullmatch(name):
                renamed[getattr(scope, name)] = value
            setattr(scope, name, value)
            done.add((id(scope), name))
    for scope in scopes:
        # The widths of a model in stages follow from its first one, which stays.
        own = {"hidden_size"} if isinstance(getattr(scope, "depths", None), (list, tuple)) else set()
        for name, value in integers(scope, _REFERENCE, _NO_REFERENCE).items():
            if value in renamed and name not in own and (id(scope), name) not in done:
                setattr(scope, name, renamed[value])


def _widths(scope: Any) -> dict[str, Any]:
    """New numbers of heads and widths of one configuration. None where they cannot be scaled alike."""
    heads = integers(scope, _HEADS, _NO_HEADS)
    heads = {name: value for name, value in heads.items() if not _KEY_VALUE_HEADS.fullmatch(name)}
    most = max(heads.values(), default=MANY_HEADS if width_of(scope) > LARGE_WIDTH else 0)
    codec = "vocab_size" not in vars(scope) and any(name in vars(scope) for name in _CODEC)
    if codec or most <= HEADS or 0 < width_of(scope) <= SMALL_WIDTH:
        return {}
    uneven = {name for name, value in heads.items() if value * HEADS % most}
    if any(heads[name] > HEADS for name in uneven):
        return {}
    changes: dict[str, Any] = {name: value * HEADS // most for name, value in heads.items() if name not in uneven}
    for name, value in integers(scope, _KEY_VALUE_HEADS).items():
        changes[name] = HEADS if value == most else min(value, KEY_VALUE_HEADS)
    for name, value in integers(scope, _GROUPS).items():
        changes[name] = min(value, KEY_VALUE_HEADS)
    for name, value in integers(scope, _WIDTH, _NO_WIDTH).items():
        if value > HEADS:
            changes[name] = _scaled(value, most)
    for name, value in vars(scope).items():
        if isinstance(value, list) and name == "intermediate_size":
            changes[name] = [_scaled(entry, most) for entry in value]
        elif isinstance(value, list) and name == "num_key_value_heads_per_layer":
            changes[name] = [HEADS if entry == most else KEY_VALUE_HEADS for entry in value]
    return changes


def _scaled(width: int, heads: int) -> int:
    """The width when `HEADS` has this many heads."""
    return width * HEADS // heads if width * HEADS % heads == 0 else _rounded(width * HEADS / heads)


def _rounded(width: float) -> int:
    return max(8, math.ceil(width / 8) * 8)
