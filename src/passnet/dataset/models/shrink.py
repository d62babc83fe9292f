"""Shrinks a transformers configuration: fewer layers, heads, experts, tokens and pixels, but the same computation."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from passnet.dataset.models.shrink_widths import (
    CHOSEN,
    EXPERT_COUNT,
    EXPERTS,
    fewer_experts,
    fewer_heads,
    integers,
    narrow_experts,
    width_of,
)
from passnet.dataset.models.transformers.layers import cut_layers

# A prime that no configuration uses, so that a dimension of this size is the vocabulary. Vocabularies up to the
# second number (code books, bytes, characters) stay: other parts of a configuration count on them.
VOCABULARY, SMALL_VOCABULARY = 1009, 4096
LAYERS = 2
# Repetitions of one and the same computation inside a layer.
ITERATIONS = 3
# Patches along a side of a small image.
GRID = 4
SLIDING_WINDOW = 512
# Pixels along a side where no patches are cut.
CONVOLVED = 128
# Objects that a detector looks for: small images have no more places than that.
QUERIES = 12
# Positions of a short sound.
SOUND = 64


@dataclass(frozen=True)
class Strength:
    """The parts to shrink. Layers and experts always are."""

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

_VOCABULARY = re.compile(r"(\w+_)?vocab_size(_per_layer_input)?|\w*group_vocab")
_NO_VOCABULARY = re.compile(r"(type|token_type|ngram|task|modality|make)_\w*")
_TOKEN = re.compile(
    r"\w*token_(id|ids|index)|(image|video|audio|boi|eoi|boa|eoa)_(index|token)|image_patch_id|(unk|mask|pad|bos|eos|sep)_(index|id)"
)
_PLACEHOLDERS = {"image_token_id", "image_token_index", "video_token_id", "video_token_index"}
_QUERIES = re.compile(r"(two_stage_)?num_queries|num_proposals")
_GRID = re.compile(r"num_patches|image_embedding_size|image_seq_len(gth)?|num_image_tokens|num_positions|\w*feat_sizes")


def shrink(config: Any, strength: Strength) -> Any:
    """Shrink a transformers configuration in place, with all configurations inside it, and return it.

    Head sizes, rotary settings, ranks, experts per token and everything that is not named here stay. The layers then
    compute the same as in the full model. Values that are equal stay equal in all parts of a configuration.
    """
    scopes = list(walk(config))
    for scope in scopes:
        complete(scope)
        repeat_less(scope)
        cut_layers(scope, strength.layers)
        fewer_experts(scope)
        _timm(scope)
    if strength.images:
        _images(scopes)
        _sounds(scopes)
    if strength.widths:
        fewer_heads(scopes)
        for scope in scopes:
            narrow_experts(scope)
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
    """Fills in missing numbers and keeps every size. Works in place and returns the configuration."""
    for scope in walk(config):
        complete(scope)
    join(config)
    return config


def complete(scope: Any) -> None:
    """Give numbers where a default configuration has none. No cache, and loops instead of scans.

    A cache only changes the returned values. A scan is a function of a function, which no graph can hold.
    """
    for name, value in list(vars(scope).items()):
        if value is None and EXPERT_COUNT.fullmatch(name):
            setattr(scope, name, EXPERTS)
        elif value is None and name in CHOSEN:
            setattr(scope, name, 2)
        elif value is None and name == "num_key_value_heads":
            scope.num_key_value_heads = getattr(scope, "num_attention_heads", None)
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
        elif name in {"use_cache", "use_associative_scan"}:
            setattr(scope, name, False)


def repeat_less(scope: Any) -> None:
    """Fewer repetitions of one and the same computation, and no layers multiplied by a factor."""
    for name, value in list(vars(scope).items()):
        if name.endswith("_iters") and type(value) is int:
            setattr(scope, name, min(value, ITERATIONS))
        elif name == "depth_coefficient":
            scope.depth_coefficient = min(value, 1.0)


def join(config: Any) -> None:
    """Let the parts fit together where the library's own defaults do not: a tower ends in the width of the text."""
    width = width_of(getattr(config, "text_config", None))
    for scope in walk(config) if width else ():
        if scope is config:
            continue
        # The inner width has its own name where `hidden_size` is the width at the end.
        ends = {"hidden_size"} if "embed_dim" in vars(scope) and "spatial_merge_size" in vars(scope) else set()
        for name in ends | ({"out_hidden_size", "output_dim"} & vars(scope).keys()):
            setattr(scope, name, width)


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
        for name, value in integers(scope, _QUERIES).items():
            setattr(scope, name, min(value, QUERIES))
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
    """One small vocabulary for all parts that have a large one. Special tokens move to its end and stay different."""
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
    """Larger initial weights. Activations then leave the range where activation functions are nearly straight lines."""
    for scope in walk(config):
        width = width_of(scope)
        if isinstance(getattr(scope, "initializer_range", None), float) and width:
            scope.initializer_range = max(scope.initializer_range, round(1.6 / math.sqrt(width), 4))
