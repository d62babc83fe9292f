"""Cuts the layers of a transformers configuration: counts, lists with one entry a layer, and lists of layer numbers."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

# A pattern of layer kinds longer than this is cut to the first layer of each kind.
LONGEST_PATTERN = 8
# Up to this many numbered layers are all kept, each with a layer of its own. Of more only one is kept.
MOST_INDICES = 5
BLOCKS_PER_STAGE = 2

_COUNT = re.compile(
    r"(\w+_)?(num_)?(hidden_)?layers|n_layers?|(\w+_)?depth|layers|num_self_attends_per_block|num_layers_per_stack"
)
# These count something else, or a size that other attributes repeat.
_NO_COUNT = re.compile(
    r"max_\w*|min_\w*|\w*(adapter|residual|extract|conv|predict|predictor|shared|lstm|dense|prenet|postnet|proj|iou_head"
    r"|global|separable|wavenet|weighting|no_rope|lqe|full_attention|fov_head|mem|moe|subsample|target|source|rope"
    r"|pooler|first|last|sparse|attention_blocks|scaling)\w*_(layers|depth)|no_rope_layers|\w*_every_n_layers|moe_layers"
)
_PERIOD = re.compile(
    r"\w*(interval|period|sliding_window_pattern|sparse_step|layer_step|cross_attention_frequency|every_n_layers"
    r"|layer_group_size)"
)
_INDICES = re.compile(
    r"(?!\w*num)\w*(indexes|indices|layer_ids|hook_ids|_layers|attn_idxs|layer_idxs|attention_blocks|vision_feature_layer)"
)
_LAST_INDEX = re.compile(r"insert_layer_id|moe_layer_end_index")
_LEADING = re.compile(r"first_k_dense_replace|num_dense_layers|num_first_full_attention_layers|num_last_full_\w+")
_STAGES = re.compile(r"depths|blocks_per_stage|num_block_repeats|stage_num_blocks|block_sizes|n_attn_blocks")


@dataclass(frozen=True)
class LayerCut:
    """The layers of one kind that stay: `kept` are their old numbers, of `old` layers.

    `staged`: layers differ by their place in a stage, so that none may replace another.
    """

    old: int
    kept: tuple[int, ...]
    staged: bool = False


def cut_layers(scope: Any, wanted: int) -> list[LayerCut]:
    """Leave `wanted` layers in one configuration, or as many as it takes for one of every kind, in place."""
    cuts = [_stages(scope, name, value) for name, value in _lists(scope) if _STAGES.fullmatch(name)]
    counts = _counts(scope)
    for old in sorted(set(counts.values())):
        cut = LayerCut(old, _kept(scope, old, wanted))
        for name in [name for name, value in counts.items() if value == old]:
            setattr(scope, name, len(cut.kept))
        _cut_lists(scope, cut)
        cuts.append(cut)
    for cut in cuts:
        _renumber(scope, cut)
    return cuts


def spread(indices: Sequence[int], cut: LayerCut) -> list[int]:
    """Layer numbers after the cut: those that stay if most layers are named, else as many different ones."""
    if not indices or max(indices) < 0:
        return list(indices)
    if cut.staged or len(indices) > cut.old // 2 or len(indices) > MOST_INDICES:
        return [cut.kept.index(index) for index in indices if index in cut.kept] or [len(cut.kept) - 1]
    first = len(cut.kept) - len(indices)
    ranks = {index: rank for rank, index in enumerate(sorted(set(indices)))}
    return [max(0, first + ranks[index]) if index >= 0 else index for index in indices]


def _counts(scope: Any) -> dict[str, int]:
    return {
        name: value
        for name, value in vars(scope).items()
        if type(value) is int and value > 1 and _COUNT.fullmatch(name) and not _NO_COUNT.fullmatch(name)
    }


def _lists(scope: Any) -> list[tuple[str, list[Any]]]:
    return [(name, list(value)) for name, value in vars(scope).items() if isinstance(value, (list, tuple))]


def _kept(scope: Any, old: int, wanted: int) -> tuple[int, ...]:
    """The numbers of the layers that stay."""
    kinds = _kinds(scope, old)
    prefix = _prefix(kinds)
    if prefix > LONGEST_PATTERN:
        first = [kinds.index(kind) for kind in dict.fromkeys(kinds)]
        return tuple(sorted(set(first) | set(range(wanted))))
    if getattr(scope, "num_kv_shared_layers", 0):
        # The later half reuses keys and values of the first half, which must have every kind of layer.
        return tuple(range(min(old, 2 * max(wanted, prefix))))
    periods = [
        value for name, value in vars(scope).items() if type(value) is int and _PERIOD.fullmatch(name) and value <= 8
    ]
    named = [len(indices) + 1 for indices in _indices(scope, old) if len(indices) <= MOST_INDICES]
    if len(getattr(scope, "stage_names", None) or ()) == old + 1:
        named.append(len(getattr(scope, "_out_indices", None) or ()))
    return tuple(range(min(old, max([wanted, prefix, *periods, *named]))))


def _kinds(scope: Any, old: int) -> list[tuple[Hashable, ...]]:
    """The kind of every layer, from all lists that have one entry a layer. Floats do not show kinds."""
    columns = [
        [str(entry) for entry in value]
        for name, value in _lists(scope)
        if len(value) == old and not _INDICES.fullmatch(name) and not any(isinstance(entry, float) for entry in value)
    ]
    return list(zip(*columns, strict=True)) if columns else [()] * old


def _prefix(kinds: Sequence[Hashable]) -> int:
    """The length of the shortest beginning that has every kind."""
    return max(kinds.index(kind) for kind in dict.fromkeys(kinds)) + 1


def _indices(scope: Any, old: int) -> list[list[int]]:
    """The lists of numbers of a few of the layers."""
    return [
        value
        for name, value in _lists(scope)
        if _INDICES.fullmatch(name) and _numbers(value) and max(value) <= old and len(value) <= old // 2
    ]


def _numbers(value: Sequence[Any]) -> bool:
    return bool(value) and all(type(entry) is int for entry in value)


def _cut_lists(scope: Any, cut: LayerCut) -> None:
    for name, value in _lists(scope):
        if len(value) == cut.old and not (_INDICES.fullmatch(name) and _numbers(value)):
            setattr(scope, name, [value[index] for index in cut.kept])


def _stages(scope: Any, name: str, value: list[Any]) -> LayerCut:
    """A few blocks in every stage of a hierarchical model: the first ones, and the last."""
    if not _numbers(value):
        return LayerCut(0, ())
    kept: list[int] = []
    for stage, count in enumerate(value):
        blocks = range(sum(value[:stage]), sum(value[: stage + 1]))
        kept += blocks if count <= BLOCKS_PER_STAGE else [*blocks[: BLOCKS_PER_STAGE - 1], blocks[-1]]
    setattr(scope, name, [min(count, BLOCKS_PER_STAGE) for count in value])
    return LayerCut(sum(value), tuple(kept), staged=True)


def _renumber(scope: Any, cut: LayerCut) -> None:
    """Bring everything that names layers by their number in line with the cut."""
    for name, value in _lists(scope):
        if _INDICES.fullmatch(name) and _numbers(value) and max(value) <= cut.old and name not in _BACKBONE:
            setattr(scope, name, spread(value, cut))
    for name, value in list(vars(scope).items()):
        if type(value) is not int:
            continue
        if _LAST_INDEX.fullmatch(name):
            setattr(scope, name, min(value, len(cut.kept) - 1))
        elif _LEADING.fullmatch(name):
            setattr(scope, name, min(value, 1))
        elif name == "num_kv_shared_layers" and value:
            setattr(scope, name, len(cut.kept) // 2)
    _backbone(scope, cut)


_BACKBONE = ("out_indices", "_out_indices")


def _backbone(scope: Any, cut: LayerCut) -> None:
    """Stages of a backbone whose stages are its layers: stem, stage1, stage2, ..."""
    names = getattr(scope, "stage_names", None)
    if not names or len(names) != cut.old + 1:
        return
    wanted = list(getattr(scope, "_out_indices", None) or [cut.old])
    scope.stage_names = list(names[: len(cut.kept) + 1])
    first = len(cut.kept) + 1 - len(wanted)
    scope._out_indices = [max(0, first + rank) for rank in range(len(wanted))]
    scope._out_features = [scope.stage_names[index] for index in scope._out_indices]
