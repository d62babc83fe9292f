"""One word per model family, the same in every library: tables of spellings and of names that show the family."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Canonical word -> other spellings, compared without separators.
_ALIASES: Mapping[str, str] = {
    "vit": "visiontransformer vitb vitl vith deit vitmae vitmsn flexivit deit3 vitrelpos "
    "visiontransformerrelpos ijepa dinov2 dinov2withregisters dinov3vit vithybrid visiontransformerhybrid aimv2 "
    "sapiens2",
    "sam": "visiontransformersam sam2 hieradetsam2 sam2hieradetmodel samhq sam2video",
    "swin": "swintransformer swins3 swin3d videoswin donutswin maskformerswin",
    "swinv2": "swintransformerv2 swintransformerv2cr swinv2cr",
    # The default timm backbone of transformers is a ResNet.
    "resnet": "resnext wideresnet seresnet ecaresnet resnetd resnetaa timmwrapper timmbackbone",
    "convnext": "dinov3convnext",
    "bit": "resnetv2",
    "mobilenetv1": "mobilenet",
    "efficientnet": "efficientnetlite efficientnetv2 tfefficientnet",
    "maxvit": "maxxvit coatnet maxvitcoatnet",
    "poolformer": "metaformer caformer convformer poolformerv2",
    "mlpmixer": "mixer gmlp resmlp",
    "inception": "inceptionv3 inceptionv4 inceptionresnetv2 googlenet",
    "hgnet": "hgnetv2",
    "gemma4": "gemma4vit",
    "qwen3vl": "qwen3vit",
    "mvit": "mvitv2 mvitv1",
    "pvt": "pvtv2",
    "segmentation": "deeplabv3 fcn lraspp",
    "rcnn": "fasterrcnn maskrcnn keypointrcnn",
    "sage": "graphsage",
    "edge": "edgecnn",
    "gat": "gatv2",
    "rgcn": "fastrgcn",
    "dimenet": "dimenetplusplus",
}  # fmt: skip

# Start of a model's name -> family, where the file that defines it holds several families. The longest start wins.
_STARTS: Mapping[str, str] = {
    "mnasnet": "mnasnet", "semnasnet": "mnasnet", "spnasnet": "mnasnet", "mobilenetv1": "mobilenetv1",
    "mobilenetv2": "mobilenetv2", "mobilenet_v2": "mobilenetv2", "mobilenetv3": "mobilenetv3",
    "mobilenet_v3": "mobilenetv3", "mobilenetv4": "mobilenetv4", "lcnet": "lcnet", "fbnetv3": "fbnet",
    "fbnetc": "fbnet",
    "mixnet": "mixnet", "tinynet": "tinynet", "efficientnet": "efficientnet", "convnextv2": "convnextv2",
    "mobilevitv2": "mobilevitv2", "mobileone": "mobileone", "repvgg": "repvgg", "gmlp": "gmlp", "resmlp": "resmlp",
    "eva02": "eva", "mobileclip": "fastvit", "legacy_se": "senet", "wide_resnet": "resnet", "resnext": "resnet",
    "dinov2": "vit", "vit_": "vit", "deit": "vit", "beit": "beit", "beitv2": "beit", "swinv2": "swinv2",
    "caformer": "poolformer", "convformer": "poolformer", "ghostnetv2": "ghostnet",
    "swin_v2": "swinv2", "shufflenet": "shufflenet",
}  # fmt: skip


def _squeezed(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", word.lower())


_CANONICAL: Mapping[str, str] = {
    spelling: family for family, others in _ALIASES.items() for spelling in (*others.split(), family)
}


# A model's tower or half. Libraries list it beside the whole model.
_PARTS = ("textmodel", "visionmodel", "vitmodel", "text", "vision", "audio", "encoder", "decoder")
_NO_PARTS = ("totext", "dualencoder")


def normalise(word: str) -> str:
    """The family of a library's word: lower case, no separators, spellings merged.

    >>> normalise("vision_transformer"), normalise("ResNeXt"), normalise("swin_transformer_v2") ('vit', 'resnet',
    'swinv2')
    """
    squeezed = _squeezed(word)
    whole = next((_without(squeezed, part) for part in _PARTS if _without(squeezed, part) != squeezed), squeezed)
    if squeezed in _CANONICAL or whole == squeezed:
        return _CANONICAL.get(squeezed, squeezed)
    return normalise(whole)


def _without(word: str, part: str) -> str:
    """The word without this ending, if it names a part of something longer."""
    is_part = word.endswith(part) and len(word) > len(part) + 1 and not word.endswith(_NO_PARTS)
    return word.removesuffix(part) if is_part else word


def of_model(name: str, home: str) -> str:
    """The family of a model called `name` that is defined in the file or module called `home`."""
    starts = [start for start in _STARTS if name.lower().startswith(start)]
    return normalise(_STARTS[max(starts, key=len)]) if starts else normalise(home)
