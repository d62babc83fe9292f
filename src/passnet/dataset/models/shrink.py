"""Shrinks a transformers configuration: fewer layers, heads, experts, tokens and pixels, the same computation."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from passnet.dataset.models.transformers_layers import cut_layers

# A prime that no configuration uses, so that a dimension of this size is the vocabulary. Vocabularies up to the
# second number (code books, bytes, characters) stay: other parts of a configuration count on them.
VOCABULARY, SMALL_VOCABULARY = 1009, 4096
HEADS, KEY_VALUE_HEADS, EXPERTS, LAYERS = 4, 2, 8, 2
EXPERT_WIDTH = 128
# Repetitions of one and the same computation inside a layer.
ITERATIONS = 3
# Patches along a side of a small image.
GRID = 4
SLIDING_WINDOW = 512
# Pixels along a side where no patches are cut.
CONVOLVED = 128
# Positions of a short sound.
SOUND = 64
# Widths up to this stay: they cost little, and other numbers are derived from them.
SMALL_WIDTH = 256


@dataclass(frozen=True)
class Strength:
    """What to shrink. Layers and experts always are."""

    name: str
    widths: bool = True
    vocabulary: bool = True
    images: bool = True
    layers: int = LAYERS


# Tried in this order.
LADDER = (
    Strength("small"),
    Strength("small, large images", images=False),
    Strength("small, full vocabulary", vocabulary=False),
    Strength("wide", widths=False),
    Strength("few layers", widths=False, vocabulary=False, images=False),
)

_HEADS = re.compile(r"(\w+_)?(num_)?(attention_)?heads|n_heads?")
_NO_HEADS = re.compile(r"(linear|index|mamba|conf|memory|resampler|guided|num_fov)\w*")
_KEY_VALUE_HEADS = re.compile(r"(\w+_)?(num_key_value_heads|kv_n_heads|num_kv_heads)")
_WIDTH = re.compile(
    r"(attention_)?hidden_size|d_model|n_embd|hidden_dim|embed_dim|dim|(\w+_)?(intermediate_size|ffn_dim|d_ff|n_inner|mlp_dim|dim_ff"
    r"|ffn_hidden_size|d_inner|intermediate_dim|mamba_n_heads|mamba_num_heads|feed_forward_size|dim_feedforward"
    r"|word_embed_proj_dim|pooler_output_size|lru_width)"
)
_NO_WIDTH = re.compile(
    r"(?!mamba_)\w*(head|rope|index|codebook|patch|latent|conv|per_layer|codevector|kernel|time|mask|pos_|router|position)\w*"
)
# What repeats the width of another part.
_REFERENCE = re.compile(r"\w*(size|dim|width|channels|embd|features)")
_NO_REFERENCE = re.compile(r"\w*(image_size|patch|vocab|window|kernel|head|chunk|buffer|codebook|position|crop)\w*")
_VOCABULARY = re.compile(r"(\w+_)?vocab_size(_per_layer_input)?|\w*group_vocab")
_NO_VOCABULARY = re.compile(r"(type|token_type|ngram|task|modality|make)_\w*")
_TOKEN = re.compile(
    r"\w*token_(id|ids|index)|(image|video|audio|boi|eoi|boa|eoa)_(index|token)|image_patch_id|(unk|mask|pad|bos|eos|sep)_(index|id)"
)
_EXPERTS = re.compile(r"num_experts|n_routed_experts|num_local_experts|moe_num_experts|zero_expert_num")
_PLACEHOLDERS = {"image_token_id", "image_token_index", "video_token_id", "video_token_index"}
# Configurations of sound codecs: their widths follow from rates and code books.
_CODEC = ("upsampling_ratios", "codebook_size", "downsampling_ratios", "upsample_rates")
_EXPERT_WIDTH = re.compile(r"(moe|expert)_\w*(intermediate|ffn|hidden)\w*")
_CHOSEN = ("num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_top_k", "moe_k", "top_k_experts")
_GRID = re.compile(r"num_patches|image_embedding_size|image_seq_len(gth)?|num_image_tokens|num_positions|\w*feat_sizes")


def shrink(config: Any, strength: Strength) -> Any:
    """Shrink a transformers configuration in place, with all configurations inside it, and return it.

    Head sizes, rotary settings, ranks, experts per token and everything that is not named here stay: layers then
    compute what the full model's compute. Values that are equal stay equal across the parts of a configuration.
    """
    scopes = list(walk(config))
    for scope in scopes:
        complete(scope)
        repeat_less(scope)
        cut_layers(scope, strength.layers)
        _experts(scope)
        _timm(scope)
    if strength.images:
        _images(scopes)
        _sounds(scopes)
    if strength.widths:
        _all_widths(scopes)
        for scope in scopes:
            _expert_widths(scope)
    if strength.vocabulary:
        _vocabulary(scopes)
    join(config)
    return config


def cut(config: Any) -> Any:
    """Cut the layers alone, in place, and return the configuration."""
    for scope in walk(prepare(config)):
        repeat_less(scope)
        cut_layers(scope, LAYERS)
    return config


def prepare(config: Any) -> Any:
    """Leave every size as it is, give numbers where there are none, in place, and return the configuration."""
    for scope in walk(config):
        complete(scope)
    join(config)
    return config


def complete(scope: Any) -> None:
    """Give numbers where a default configuration has none, and no cache: it only changes what is returned."""
    for name, value in list(vars(scope).items()):
        if value is None and _EXPERTS.fullmatch(name):
            setattr(scope, name, EXPERTS)
        elif value is None and name in _CHOSEN:
            setattr(scope, name, 2)
        elif value is None and name == "moe_intermediate_size":
            scope.moe_intermediate_size = getattr(scope, "intermediate_size", 0) // EXPERTS or None
        elif value is None and name == "head_dim" and width_of(scope) and getattr(scope, "num_attention_heads", None):
            scope.head_dim = width_of(scope) // scope.num_attention_heads
        elif (
            value is None
            and name == "sliding_window"
            and "sliding_attention" in (getattr(scope, "layer_types", None) or ())
        ):
            scope.sliding_window = SLIDING_WINDOW
        elif value is None and name == "mlp_layer_types":
            scope.mlp_layer_types = ["dense", *["sparse"] * (scope.num_hidden_layers - 1)]
        elif value is None and name == "vocab_size":
            setattr(scope, name, VOCABULARY)
        elif value is None and name in _PLACEHOLDERS:
            setattr(scope, name, VOCABULARY - 1)
        elif name == "use_cache":
            scope.use_cache = False


def repeat_less(scope: Any) -> None:
    """Fewer repetitions of one and the same computation, and no layers multiplied by a factor."""
    for name, value in list(vars(scope).items()):
        if name.endswith("_iters") and type(value) is int:
            setattr(scope, name, min(value, ITERATIONS))
        elif name == "depth_coefficient":
            scope.depth_coefficient = min(value, 1.0)


def join(config: Any) -> None:
    """Let the parts fit together where the library's own defaults do not: a tower ends in the width of the text."""
    text = getattr(config, "text_config", None)
    for scope in walk(config):
        if scope is not config and text is not None and type(getattr(scope, "out_hidden_size", None)) is int:
            scope.out_hidden_size = getattr(text, "hidden_size", scope.out_hidden_size)


def walk(config: Any) -> Iterator[Any]:
    """The configuration and all inside it, outermost first, each once."""
    seen: list[Any] = []
    waiting = [config]
    while waiting:
        scope = waiting.pop(0)
        if any(scope is other for other in seen):
            continue
        seen.append(scope)
        yield scope
        waiting += [value for value in vars(scope).values() if hasattr(value, "model_type")]


def integers(scope: Any, wanted: re.Pattern[str], unwanted: re.Pattern[str] | None = None) -> dict[str, int]:
    """The integer attributes whose whole name matches the first pattern and not the second."""
    return {
        name: value
        for name, value in vars(scope).items()
        if type(value) is int and wanted.fullmatch(name) and not (unwanted and unwanted.fullmatch(name))
    }


def _experts(scope: Any) -> None:
    """Fewer experts, as many as groups and choices need."""
    chosen = max([value for name in _CHOSEN if type(value := getattr(scope, name, None)) is int] or [1])
    groups = max(getattr(scope, "n_group", None) or getattr(scope, "num_expert_group", None) or 1, 1)
    kept_groups = max(getattr(scope, "topk_group", None) or groups, 1)
    needed = max(EXPERTS, 2 * chosen)
    each = max(2, math.ceil(needed / groups), math.ceil(chosen / kept_groups))
    for name, value in integers(scope, _EXPERTS).items():
        if value > groups * each:
            setattr(scope, name, groups * each)


def _expert_widths(scope: Any) -> None:
    """Narrow experts: every token takes copies of several of them."""
    if not any(value > 1 for value in integers(scope, _EXPERTS).values()):
        return
    names = integers(scope, _EXPERT_WIDTH) or integers(scope, re.compile("intermediate_size|ffn_hidden_size"))
    for name, value in names.items():
        setattr(scope, name, min(value, EXPERT_WIDTH))


def _all_widths(scopes: Sequence[Any]) -> None:
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
    """New numbers of heads and widths of one configuration; none where they cannot be scaled alike."""
    heads = integers(scope, _HEADS, _NO_HEADS)
    heads = {name: value for name, value in heads.items() if not _KEY_VALUE_HEADS.fullmatch(name)}
    most = max(heads.values(), default=0)
    codec = "vocab_size" not in vars(scope) and any(name in vars(scope) for name in _CODEC)
    if codec or most <= HEADS or 0 < width_of(scope) <= SMALL_WIDTH:
        return {}
    uneven = {name for name, value in heads.items() if value * HEADS % most}
    if any(heads[name] > HEADS for name in uneven):
        return {}
    changes: dict[str, Any] = {name: value * HEADS // most for name, value in heads.items() if name not in uneven}
    for name, value in integers(scope, _KEY_VALUE_HEADS).items():
        changes[name] = HEADS if value == most else min(value, KEY_VALUE_HEADS)
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
    """The width that `HEADS` have when it belongs to so many heads."""
    return width * HEADS // heads if width * HEADS % heads == 0 else _rounded(width * HEADS / heads)


def width_of(scope: Any) -> int:
    """The width of the hidden states of one configuration, 0 where it has none."""
    found = (getattr(scope, name, None) for name in ("hidden_size", "d_model"))
    return next((value for value in found if type(value) is int), 0)


def _rounded(width: float) -> int:
    return max(8, math.ceil(width / 8) * 8)


def _images(scopes: Sequence[Any]) -> None:
    """Images of a few patches, and everything that counts their patches."""
    grids: dict[int, int] = {}
    for scope in scopes:
        patch, image = getattr(scope, "patch_size", None), getattr(scope, "image_size", None)
        if "image_size" in vars(scope) and type(image) is int and not hasattr(scope, "patch_size"):
            scope.image_size = min(image, CONVOLVED)
        if type(patch) is not int or type(image) is not int or patch < 8 or image // patch <= GRID:
            continue
        scope.image_size = GRID * patch
        grids |= {image // patch: GRID, (image // patch) ** 2: GRID**2}
    for scope in scopes:
        for name, value in integers(scope, _GRID).items():
            if value in grids:
                setattr(scope, name, grids[value])
        if grids and type(getattr(scope, "mm_tokens_per_image", None)) is int:
            scope.mm_tokens_per_image = (GRID // 2) ** 2
        if grids and getattr(scope, "image_grid_pinpoints", None):
            side = scope.vision_config.image_size
            scope.image_grid_pinpoints = [[side, 2 * side]]


def _timm(scope: Any) -> None:
    """A vision transformer of timm, made from its name: few layers, small images."""
    patch = re.search(r"^vit_.*_patch(\d+)", str(getattr(scope, "architecture", None)))
    if patch:
        scope.image_size = GRID * int(patch.group(1))
        scope.model_args = {**(scope.model_args or {}), "depth": LAYERS, "img_size": scope.image_size}


def _sounds(scopes: Sequence[Any]) -> None:
    """Short sounds: few positions, but as many as one window of the encoder has."""
    for scope in scopes:
        window = getattr(scope, "n_window", None) or 0
        if type(value := getattr(scope, "max_source_positions", None)) is int:
            scope.max_source_positions = min(value, max(SOUND, window))


def _vocabulary(scopes: Sequence[Any]) -> None:
    """One small vocabulary for all that have a large one; special tokens move to its end, still all different."""
    tokens: set[int] = set()
    for scope in scopes:
        for name, value in integers(scope, _VOCABULARY, _NO_VOCABULARY).items():
            if value > SMALL_VOCABULARY:
                setattr(scope, name, VOCABULARY)
        for _, value in _tokens(scope):
            tokens |= {token for token in _listed(value) if token >= VOCABULARY}
    moved = {token: VOCABULARY - 1 - rank for rank, token in enumerate(sorted(tokens, reverse=True))}
    for scope in scopes:
        for name, value in _tokens(scope):
            renamed = [moved.get(token, token) for token in _listed(value)]
            setattr(scope, name, renamed if isinstance(value, (list, tuple)) else renamed[0])


def _tokens(scope: Any) -> list[tuple[str, Any]]:
    """The attributes that hold token numbers."""
    return [(name, value) for name, value in vars(scope).items() if _TOKEN.fullmatch(name) and _listed(value)]


def _listed(value: Any) -> list[int]:
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return values if all(type(entry) is int for entry in values) else []


def spread_weights(config: Any) -> None:
    """Larger initial weights, so that activations leave the range where activation functions are straight lines."""
    for scope in walk(config):
        width = width_of(scope)
        if isinstance(getattr(scope, "initializer_range", None), float) and width:
            scope.initializer_range = max(scope.initializer_range, round(1.6 / math.sqrt(width), 4))
